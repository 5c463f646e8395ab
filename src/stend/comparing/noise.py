"""Noise between runs of a machine when nothing changed, figure by figure."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from stend.comparing.facts import configuration, same_machine
from stend.comparing.history import MEDIANS, PastCase, history
from stend.comparing.host_load import Figures, Load
from stend.comparing.judgement import Noise
from stend.record import CaseRecord, Record, Run
from stend.statistics import RunFigure, Shift, run_figure
from stend.store import Filter, Store

MOST_RUNS = 20
"""Of a history: beyond these a further run hardly makes an interval narrower."""
MOST_REPETITIONS = 3_000_000
"""Of a history that is read from whole runs, so that it takes less than a second."""
_MOST_LOOKED_AT = 300
"""Stored runs, of which those that were made as the compared ones were are looked for."""


Past = dict[tuple[int, str], Figures]
"""The history of one case, of A's (0) or B's (1) key: groups of runs that ought to agree."""


class Medians(Record, frozen=True, kw_only=True):
    """What a run tells of the noise."""

    id: str
    alike: str
    """Runs with the same words here are of one machine, made in the same way."""
    label: str = ""
    """What its user called it: what differs in it may have been changed on purpose."""
    figures: dict[str, RunFigure]
    """By `figure_key`."""


class History:
    """Runs of the machines that are compared, in groups that ought to agree."""

    def __init__(self, past: Iterable[Medians] = (), compared: Collection[str] = ()) -> None:
        """Group the runs; `compared` are the labels of those that they are the history of."""
        self._groups = _groups(past, compared)

    def of(self, views: Iterable[CaseRecord]) -> Past:
        """The runs' figures of either side's case; only groups of two and more tell anything."""
        keys = dict.fromkeys(figure_key(view) for view in views)
        found = {
            (place, name): _figures(group, key)
            for place, key in enumerate(keys)
            for name, group in self._groups.items()
        }
        return {of: group for of, group in found.items() if len(group) > 1}


def _groups(past: Iterable[Medians], compared: Collection[str]) -> dict[str, list[Medians]]:
    """Runs alike in machine, settings and label, by a name for each group.

    Runs from before and after a change would else make noise of it. Those whose label no other has,
    such as a commit's, are one group: apart from each other they would tell nothing.
    """
    labelled: dict[tuple[str, str], list[Medians]] = {}
    for run in past:
        labelled.setdefault((run.alike, run.label), []).append(run)
    found: dict[str, list[Medians]] = {}
    for (alike, label), group in labelled.items():
        single = len(group) == 1 and label not in compared
        found.setdefault(f"{alike} {None if single else label!r}", []).extend(group)
    return found


def _figures(runs: Sequence[Medians], key: str) -> Figures:
    return {run.id: figure for run in runs if (figure := run.figures.get(key))}


def stored_history(store: Store, of: Sequence[Run]) -> list[Medians]:
    """What stored runs of the machines tell that these were made on.

    First those that were made as these were, else a few runs with other settings would push them
    out of the history; then the newest others. A run that is damaged is passed over.
    """
    wanted = Filter(
        benchmarks=list(dict.fromkeys(case.benchmark for run in of for case in run.cases)),
        hosts=[host for host in dict.fromkeys(run.machine.host for run in of) if host],
        limit=_MOST_LOOKED_AT,
    )
    labelled = [replace(wanted, label=label) for label in dict.fromkeys(run.label for run in of)]
    near = {run.id: run for some in (*labelled, wanted) for run in store.heads(some)}
    newest = sorted(near.values(), key=lambda run: run.started, reverse=True)
    ids = [run.id for run in _alike_first([run for run in newest if is_history(run, of)], of)]
    found = history(store, replace(wanted, ids=ids[:MOST_RUNS], limit=None))
    return [_medians_of(past.run, past.cases) for past in found.runs]


def _alike_first(newest: Sequence[Run], of: Sequence[Run]) -> list[Run]:
    """Of those made as the compared ones were, each kind in turn: all sides have some."""
    alike: dict[tuple[str, str], list[Run]] = {_made(run): [] for run in of}
    others: list[Run] = []
    for run in newest:
        alike.get(_made(run), others).append(run)
    in_turn = [run for row in zip_longest(*alike.values()) for run in row if run is not None]
    return [*in_turn, *others]


def is_history(run: Run, of: Sequence[Run]) -> bool:
    """Whether the run tells how runs of these scatter: it is another whole one of the machine."""
    another = run.finished is not None and all(run.id != other.id for other in of)
    return another and any(same_machine(run.machine, other.machine) for other in of)


def history_of(runs: Sequence[Run], stored: Iterable[Run | Medians]) -> History:
    """The history of the runs' figures among those that are stored, which may be read one by one.

    At most `MOST_RUNS` are taken, of at most about `MOST_REPETITIONS`: give the newest first.
    """
    return History(_bounded(runs, stored), {run.label for run in runs})


def _bounded(runs: Sequence[Run], stored: Iterable[Run | Medians]) -> Iterator[Medians]:
    wanted = {(case.key, case.side) for run in runs for case in run.cases}
    ids = {run.id for run in runs}
    taken = read = 0
    for run in stored:
        if isinstance(run, Run):
            if not is_history(run, runs):
                continue
            read += sum(len(sample.ticks) for case in run.cases for sample in case.samples)
            found = medians(run, wanted)
        else:
            found = run
        if found.figures and found.id not in ids:
            taken += 1
            yield found
        if taken >= MOST_RUNS or read >= MOST_REPETITIONS:
            return


def medians(run: Run, wanted: Collection[tuple[str, str]] | None = None) -> Medians:
    """What a run tells of the noise of these cases, by key and side, or of all."""
    some = (c for c in run.cases if wanted is None or (c.key, c.side) in wanted)
    return _medians_of(run, map(MEDIANS.make, some))


def _medians_of(run: Run, cases: Iterable[Sequence[PastCase]]) -> Medians:
    alike, label = _made(run)
    load = Load(run)
    figures = {
        figure_key(one.case): run_figure(
            list(one.medians.values()), load.slowed(one.spans), one.unrest
        )
        for figures in cases
        for one in figures
        if one.medians and min(one.medians.values()) > 0
    }
    return Medians(id=run.id, alike=alike, label=label, figures=figures)


def _made(run: Run) -> tuple[str, str]:
    """How it was made: runs of which this is the same ought to agree."""
    return repr((run.machine.host, run.machine.cpu_model, *configuration(run))), run.label


def figure_key(case: CaseRecord) -> str:
    """What a figure's runs have in common: the case, its side and its unit."""
    return f"{case.side} {case.key} {case.metric.unit}"


def noise_of(shift: Shift, runs: tuple[int, int], past: Past) -> Noise:
    """What a shift says of the noise, and where that is known from."""
    return Noise(spread=shift.spread, freedom=shift.freedom, origin=_origin(runs, past))


def _origin(runs: tuple[int, int], past: Past) -> str:
    stored = len({run for group in past.values() for run in group})
    known = []
    if max(runs) > 1:
        known.append(f"the {runs[0]} and {runs[1]} runs")
    if stored:
        known.append(f"{stored} stored runs of the machine")
    return " and ".join([*known, "what processes differ by"])
