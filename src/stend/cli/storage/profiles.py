"""`stend storage profiles`: what storage can be loaded with."""

from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.options import Json, print_json
from stend.record.times import duration

if TYPE_CHECKING:
    from stend.storage.fio.profile import Profile


def verb(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Print this one's TOML, to be changed.")
    ] = None,
    json: Json = False,
) -> None:
    """List the profiles that come with stend: what each is for, and how long it takes.

    A named one is printed as the TOML file that it is. Copy it, change it, and run the copy.

    Examples: `stend storage profiles`, `stend storage profiles quick > my.toml`.
    """
    from stend.storage.fio.profile import profile_text, profiles, read_profile

    text = None if name is None else profile_text(name)
    if json:
        told = profiles() if name is None else read_profile(name)
        print_json(told)
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
        told = f"{len(profile.workloads)} workloads, {_takes(profile)}, {_outstanding(profile)}"
        table.add_row("", Text(told, "dim"))
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
