"""`stend storage`: load-tests of disks and arrays with fio."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Json, Label, Store, print_json
from stend.errors import BadValue, StendError, UnknownName
from stend.processes.interrupts import held
from stend.record.text import duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stend.record import CaseRecord
    from stend.running.session import CaseProgress
    from stend.storage.fio.profile import Profile
    from stend.storage.gates import Claim
    from stend.storage.phases import Step
    from stend.storage.targets import Target


def import_verb(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="JSON, json+, terse output, and logs."),
    ],
    label: Label = "",
    store: Store = None,
) -> None:
    """Add results that fio wrote, anywhere and in any version from 2 on, to the store as one run.

    Logs belong to the JSON in their directory. Every file is read before anything is stored.

    Examples: `stend storage import theirs.json`, `stend storage import old/*.json old/*.log`.
    """
    from stend.storage.fio.results_import import run_of
    from stend.store import Store as Runs

    run = run_of(files, label)
    with Runs.open(store) as runs:
        new = runs.add(run)
    for case in run.cases:
        _print_imported(case)
    print(f"run {run.id[:8]} {'added' if new else 'was there already'}.")


def _print_imported(case: "CaseRecord") -> None:
    """Print what a case came to, and all that was not understood of it."""
    from stend.record.text import printable

    iops = [f"{value:,.0f}" for sample in case.samples for value in sample.values or ()]
    print(f"{case.name}: {case.status}, IOPS {', '.join(iops) or 'none'}")
    loads = [sample.load for sample in case.samples if sample.load]
    said = [case.reason, *(sentence for load in loads for sentence in load.unread)]
    for sentence in dict.fromkeys(said):
        if sentence:
            print(f"  {printable(' '.join(sentence.split()))[:500]}")


def profiles_verb(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print this profile as TOML, to edit.")
    ] = None,
    json: Json = False,
) -> None:
    """List the profiles that come with stend: what each is for, and how long it takes.

    With a name, print that profile's TOML file: copy it, change it, and run the copy.

    Examples: `stend storage profiles`, `stend storage profiles quick > my.toml`.
    """
    from stend.storage.fio.profile import profile_text, profiles, read_profile

    text = None if name is None else profile_text(name)
    if json:
        found = profiles() if name is None else read_profile(name)
        print_json(found)
    elif text is None:
        _print(profiles())
    else:
        print(text, end="")


def _print(profiles: "tuple[Profile, ...]") -> None:
    from rich.table import Table
    from rich.text import Text

    from stend.report.terminal.console import Console

    table = Table.grid(padding=(0, 2, 0, 0))
    for profile in profiles:
        table.add_row(Text(profile.name, "bold", no_wrap=True), Text(profile.about))
        summary = f"{len(profile.workloads)} workloads, {_takes(profile)}, {_outstanding(profile)}"
        table.add_row("", Text(summary, "dim"))
        if profile.source:
            table.add_row("", Text(profile.source, "dim"))
    Console().print(table)


def _outstanding(profile: "Profile") -> str:
    """How many requests the workloads keep under way at once."""
    counts = sorted(workload.depth * workload.jobs for workload in profile.workloads)
    most = f"{counts[-1]:,} requests outstanding"
    per_target = any(workload.jobs_per == "target" for workload in profile.workloads)
    spread = most if counts[0] == counts[-1] else f"{counts[0]:,} to {most}"
    return f"{spread} on each target" if per_target else spread


def _takes(profile: "Profile") -> str:
    least, most = duration(profile.least_seconds), duration(profile.most_seconds)
    return least if profile.steady is None else f"{least} to {most}"


LOOK = 1.0
"""Seconds between looks of the watch: a load lasts hours, and is to be disturbed by nothing."""


def run_verb(
    profile: Annotated[
        str,
        typer.Argument(
            metavar="[PROFILE]",
            help="A profile by name (`stend storage profiles`), or a TOML file of your own.",
        ),
    ] = "quick",
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="PATH",
            help="What to load: a folder, in which a temporary file is made; a file; a "
            "block device; or `null`, fio's engine that does nothing. May be repeated: "
            "targets share the jobs, unless the profile gives each its own. Default: "
            "the current folder.",
        ),
    ] = None,
    destroy: Annotated[
        list[str] | None,
        typer.Option(
            "--destroy",
            metavar="SERIAL",
            help="Allow writing to the target with this serial number (or SIZE+MODEL, "
            "SIZE+NAME: stend prints which); all its data is lost. Repeat for each "
            "existing target.",
        ),
    ] = None,
    overwrite: Annotated[
        list[str] | None,
        typer.Option(
            "--overwrite",
            metavar="SIGNATURE",
            help="With --destroy: write even though the target holds this (ext4, gpt, "
            "LVM2_member …).",
        ),
    ] = None,
    workloads: Annotated[
        list[str] | None,
        typer.Option("--workload", metavar="NAME", help="Only this workload of the profile."),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option("--size", metavar="BYTES", help="Size of the temporary file, such as 16GiB."),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            metavar="N",
            min=1,
            max=1000,
            help="How often each workload is measured; intervals and verdicts need several.",
        ),
    ] = None,
    watch: Annotated[
        list[str] | None,
        typer.Option(
            "--watch",
            metavar="HOST",
            help="Also sample CPU, memory and disks of this host over ssh: the system under "
            "test, if it is another machine.",
        ),
    ] = None,
    label: Label = "",
    store: Store = None,
    json: Json = False,
) -> None:
    """Load storage with fio, sample it meanwhile, and store the results.

    Examples: `stend storage run`, `stend storage run steady --target /mnt/array --size 64GiB`,
    `stend storage run aerodisk-2021 --target /dev/sdb --target /dev/sdc` (which only reads).

    What exists is only read unless --destroy names it. Every measured run of fio is stored when it
    ends: if stend is interrupted or killed, only the run in progress is lost.
    """
    from stend import laboratory
    from stend.cli.options import exit_code, show
    from stend.cli.progress import Loading
    from stend.machine import inspect
    from stend.running.session import Title
    from stend.storage.fio.installation import find, refuse_missing_engine
    from stend.storage.fio.jobfile import JobTarget, refuse_small
    from stend.storage.gates import claimed
    from stend.storage.host_sampler import Sampler
    from stend.storage.own_files import left_by_killed_runs, own_folder
    from stend.storage.phases import Campaign
    from stend.storage.rig import Rig
    from stend.storage.targets import resolve
    from stend.store import Store as Runs

    fio, asked = find(), _asked(profile, workloads or [], size, rounds)
    for engine in {workload.engine for workload in asked.workloads}:
        refuse_missing_engine(engine)
    found = resolve(targets or ["."], asked.file_bytes, direct=_is_direct(asked))
    existing = [target for target in found if not target.own and target.kind != "null"]
    if size is not None and not any(target.own for target in found):
        raise BadValue(
            "--size is for a temporary file, and no target is one; leave it out, or set `size` "
            "in a profile's workloads"
        )
    if overwrite and not destroy:
        raise BadValue(f"--overwrite={overwrite[0]} needs --destroy: without it nothing is written")
    left_out = [each.name for each in asked.workloads if each.writes and existing and not destroy]
    sizes = [JobTarget(target.path, target.bytes) for target in found]
    for workload in asked.workloads:
        if workload.name not in left_out:
            refuse_small(workload, sizes)
    only_writes = len(left_out) == len(asked.workloads)
    if existing and not destroy and asked.precondition and not only_writes:
        print(
            f"stend: {existing[0].said} is only read, so it is not preconditioned", file=sys.stderr
        )
        asked = replace(asked, precondition=0)
    with (
        held(),
        Runs.open(store) as runs,
        claimed(
            found,
            writing=only_writes or (bool(destroy) and asked.writes),
            destroy=destroy or [],
            overwrite=overwrite or [],
            direct=_is_direct(asked),
        ) as claim,
        own_folder() as folder,
        Sampler(watch or [], [t.device for t in found if t.device]) as sampler,
    ):
        for note in (*claim.remarks, *map(_left, left_by_killed_runs())):
            print(f"stend: {note}", file=sys.stderr)
        title = Title(label, "full")
        skips = dict.fromkeys(left_out, _why_not_written(claim, existing) if left_out else "")
        with Loading(asked, sampler) as shown:

            def cases(run_id: str) -> "Iterator[CaseProgress]":
                def begin(step: "Step") -> None:
                    shown.begin(step)
                    runs.progress.tell(run_id, shown.share, shown.doing)

                rig = Rig(fio, claim, folder, sampler, begin, shown.show_moment)
                return Campaign(asked, claim.targets, rig, skips).run()

            run_id = laboratory.record(cases, inspect(), title, runs, shown.reached, LOOK)
        for note in sampler.said():
            print(f"stend: {note}", file=sys.stderr)
        run = runs.load(run_id)
        show(run, json)
    raise typer.Exit(exit_code(run))


def _asked(name: str, workloads: Sequence[str], size: str | None, rounds: int | None) -> "Profile":
    """The profile with what was typed in place of its own."""
    from stend.benchmarks.parameters import parse_bytes
    from stend.storage.fio.profile import read_profile

    profile = read_profile(name)
    if size is not None:
        profile = replace(profile, file_bytes=parse_bytes(size))
    if rounds is not None:
        profile = replace(profile, rounds=rounds)
    return _only(profile, workloads) if workloads else profile


def _only(profile: "Profile", names: Sequence[str]) -> "Profile":
    known = {workload.name: workload for workload in profile.workloads}
    for name in names:
        if name not in known:
            raise UnknownName(
                f"the profile {profile.name} has no workload {name!r}; it has: {', '.join(known)}."
            )
    for name in names:
        maximum = profile.unlimited(known[name]).name
        if known[name].load is not None and maximum not in names:
            raise BadValue(
                f"{name} runs at a share of the rate of {maximum}; add --workload {maximum}."
            )
    chosen = tuple(workload for workload in profile.workloads if workload.name in names)
    return replace(profile, workloads=chosen)


def _is_direct(profile: "Profile") -> bool:
    return any(workload.direct for workload in profile.workloads)


def _why_not_written(claim: "Claim", existing: "Sequence[Target]") -> str:
    """Why workloads that write are left out: what exists is only read."""
    try:
        words = " ".join(map(claim.words, existing))
    except StendError:  # what is on it is asked again before anything is written
        words = " ".join(f"--destroy={target.identity}" for target in existing)
    return (
        f"It writes, but {existing[0].said} exists and is only read; to destroy all data on "
        f"{'it' if len(existing) == 1 else 'the targets'}, add {words}."
    )


def _left(folder: object) -> str:
    return (
        f"an earlier load was not stored completely; what fio reported is in {folder}: import it "
        "with `stend storage import`, or remove it."
    )


HELP = (
    "Load tests of disks and arrays with fio.\n\nProfiles say which loads; `stend storage "
    "profiles` lists those that come with stend."
)

VERBS: dict[str, Callable[..., None]] = {
    "run": run_verb,
    "profiles": profiles_verb,
    "import": import_verb,
}
