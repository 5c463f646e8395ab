"""`stend run --hosts`: each node alone, then the pairs of nodes, then who stands apart."""

import os
import sys
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.cli.options import INTERRUPTED, exit_code
from stend.errors import UsageError
from stend.processes.interrupts import heeding, held
from stend.record.text import without_passwords
from stend.running.session import Asked, Title

if TYPE_CHECKING:
    from stend.fleet import Member, Request
    from stend.record import Run
    from stend.store import Store as Runs


def measure_fleet(asked: Asked, word: str, label: str, store: str | None, json: bool) -> int:
    """Measure on the hosts of a hostfile, or of Slurm's allocation; give the exit code."""
    from stend.cli.progress import FleetShown
    from stend.fleet import Fleet, Request, environment, find_hosts, shell_for
    from stend.store import Store as Runs

    hosts = find_hosts(word)
    shell = shell_for(hosts.slurm)
    _refuse_mistakes(asked)
    for note in hosts.notes:
        print(f"stend: {note}", file=sys.stderr)
    request = Request(
        asked=asked,
        label=label,
        group=uuid.uuid4().hex,
        command=("stend", *map(without_passwords, sys.argv[1:])),
        environment=environment(),
    )
    with held(), Runs.open(store) as runs:
        with Fleet(hosts.names, shell, request, runs) as fleet, FleetShown(hosts.names) as shown:
            for member, answer in fleet.listen(heeding):
                shown.show_answer(member, answer)
                if member.run and answer and answer.case:
                    runs.progress.tell(member.run.id, member.share, answer.case.name)
        members = list(fleet.members.values())
        interrupted = fleet.interrupted
        if not interrupted:
            _measure_pairs(members, request, runs)
        found = [runs.load(run.id) for run in runs.find(group=request.group)][::-1]
        _show(found, json)
    return _code(found, members, interrupted)


def _refuse_mistakes(asked: Asked) -> None:
    """What no node can know or take is refused here, before any is asked.

    What this machine can't measure, a node may.
    """
    from stend.machine import inspect

    asked.effort()
    asked.plan(inspect(), skips_will_do=True)


def _measure_pairs(members: "Sequence[Member]", request: "Request", runs: "Runs") -> None:
    """Messages between the nodes that measured to their end, when messages were asked for."""
    from stend import laboratory
    from stend.cli.progress import Shown
    from stend.fleet import for_launchers, pairs_of, planned_pairs, wants_pairs
    from stend.machine import CALIBRATION, inspect

    asked = request.asked
    benchmark = wants_pairs(asked.benchmarks())
    hosts = [member.host for member in members if not member.lost]
    if benchmark is None or len(hosts) < 2:
        return
    pairs, said = pairs_of(hosts)
    machine = inspect(calibrate=CALIBRATION)
    try:
        planned = planned_pairs(benchmark, asked, pairs, machine)
    except UsageError as error:
        print(f"stend: {error}", file=sys.stderr)
        return
    os.environ.update(for_launchers())
    title = Title(request.label, asked.size, request.group)
    with Shown() as shown:
        shown.line(said)
        laboratory.measure(planned, machine, asked.effort(), title, runs, shown)


def _show(found: "Sequence[Run]", json: bool) -> None:
    from stend.comparing import outliers
    from stend.report import figures, terminal

    try:
        fleet = outliers(found)
    except UsageError as error:
        print(f"stend: {error}", file=sys.stderr)
        return
    if json:
        print(figures.fleet_to_json(fleet))
    else:
        terminal.print_fleet(fleet)


def _code(found: "Sequence[Run]", members: "Sequence[Member]", interrupted: bool) -> int:
    """130 after Ctrl-C, 5 when a node or a case of one could not be measured, else 0."""
    codes = {exit_code(run) for run in found}
    if interrupted or INTERRUPTED in codes:
        print("\nStopped. What was measured is stored: `stend runs`.", file=sys.stderr)
        return INTERRUPTED
    return max([*codes, 5 if any(member.lost for member in members) else 0])
