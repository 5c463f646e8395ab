"""Other runs of a machine → how far its runs lie apart, figure by figure, when nothing changed."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from stend.comparing.host import slowed_by_others
from stend.comparing.judgement import Noise
from stend.comparing.machines import configuration, same_machine
from stend.comparing.several import views
from stend.comparing.unrest import unrest
from stend.comparing.values import values_of
from stend.errors import StoreError
from stend.record import CaseRecord, Record, Run
from stend.statistics import RunFigure, Shift, finite, middle, run_figure
from stend.store import Store, Summary

MOST_RUNS = 20
"""Of a history: beyond these a further run hardly makes an interval narrower."""
MOST_REPETITIONS = 3_000_000
"""Of a history, so that reading it takes less than a second."""
_MOST_LOOKED_AT = 100
"""Stored runs of a host: those of other benchmarks tell nothing, and reading takes time."""


Figures = dict[str, RunFigure]
"""Of one case, by the id of the run."""
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
        alone = len(group) == 1 and label not in compared
        found.setdefault(f"{alike} {None if alone else label!r}", []).extend(group)
    return found


def _figures(runs: Sequence[Medians], key: str) -> Figures:
    return {run.id: figure for run in runs if (figure := run.figures.get(key))}


def stored_history(store: Store, of: Sequence[Run]) -> Iterator[Run]:
    """The stored runs of the machines that these were made on, the newest first, read one by one.

    A run that is damaged tells nothing and is passed over.
    """
    hosts = dict.fromkeys(run.machine.host for run in of if run.machine.host)
    found = [s for host in hosts for s in store.find(host=host, limit=_MOST_LOOKED_AT)]
    for summary in sorted(found, key=lambda s: s.started, reverse=True):
        if may_be_history(summary, of):
            with suppress(StoreError):
                yield store.load(summary.id)


def may_be_history(summary: Summary, of: Sequence[Run]) -> bool:
    """Whether it is worth loading: a whole run of one of the hosts, and none of these."""
    hosts = {run.machine.host for run in of if run.machine.host}
    return (
        summary.finished is not None
        and summary.host in hosts
        and all(run.id != summary.id for run in of)
    )


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
            told = medians(run, wanted)
        else:
            told = run
        if told.figures and told.id not in ids:
            taken += 1
            yield told
        if taken >= MOST_RUNS or read >= MOST_REPETITIONS:
            return


def medians(run: Run, wanted: Collection[tuple[str, str]] | None = None) -> Medians:
    """What a run tells of the noise of these cases, by key and side, or of all."""
    slowed = slowed_by_others(run)
    figures = {
        figure_key(view): found
        for case in run.cases
        if wanted is None or (case.key, case.side) in wanted
        if case.has_figure and all(sample.proof.right for sample in case.samples)
        for view in views(case)
        if (found := _figure(view, slowed))
    }
    alike = (run.machine.host, run.machine.cpu_model, *configuration(run))
    return Medians(
        id=run.id,
        alike=repr(alike),
        label=run.label,
        figures=figures,
    )


def figure_key(case: CaseRecord) -> str:
    """What a figure's runs have in common: the case, its side and its unit."""
    return f"{case.side} {case.key} {case.metric.unit}"


def _figure(case: CaseRecord, slowed: float) -> RunFigure | None:
    values = [v for sample in case.samples if len(v := finite(values_of(case, sample)))]
    processes = [middle(v) for v in values]
    if not processes or min(processes) <= 0:
        return None
    return run_figure(processes, slowed, unrest(values, case.metric))


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
