"""The machines of a store, by their newest runs, and what is odd about each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from stend.comparing.outliers import facts_apart
from stend.record import HARMLESS, Record, Run, Status
from stend.record.text import natural
from stend.store import Filter, Store

_SILENT = timedelta(days=7)
"""A machine whose newest run is so much older than the newest of all has fallen silent."""


class Machine(Record, frozen=True, kw_only=True):
    """One machine, and its newest run."""

    host: str | None
    processor: str | None
    cores: int | None
    threads: int | None
    memory_bytes: int | None
    kernel: str | None
    os: str | None
    runs: int
    """That are stored of it."""
    run: str
    """The id of the newest."""
    label: str
    started: str
    finished: str | None
    cases: int
    state: str
    """What is to be thought of that run, in a few words."""
    good: bool
    """Whether these are good."""
    odd: tuple[str, ...] = ()
    """What sets the machine apart from the others, as sentences."""


class Roster(Record, frozen=True, kw_only=True):
    """All machines in the order of their names, those that told none last."""

    machines: tuple[Machine, ...]
    damaged: tuple[str, ...] = ()
    """Ids of newest runs that can't be read: their machines are left out."""


@dataclass(frozen=True, slots=True)
class State:
    """What is to be thought of a run, without its figures."""

    said: str
    good: bool


def roster(store: Store) -> Roster:
    """Every machine of which there is a run."""
    newest = {one.id: one for one in store.newest(Filter())}
    if not newest:
        return Roster(machines=())
    heads = {run.id: run for run in store.heads(Filter(ids=list(newest)))}
    ended = store.statuses(list(heads))
    odd = _odd(list(heads.values()))
    found = [
        _machine(run, newest[id].runs, ended.get(id, {}), odd.get(id, ()))
        for id, run in heads.items()
    ]
    return Roster(
        machines=tuple(sorted(found, key=lambda one: (one.host is None, natural(one.host or "")))),
        damaged=tuple(id for id in newest if id not in heads),
    )


def state_of(run: Run, statuses: Mapping[str, int]) -> State:
    """The gravest thing that is to be said of a run whose cases ended so."""
    if wrong := statuses.get(Status.WRONG, 0):
        return State(f"{_cases(wrong)} gave wrong results", False)
    if run.finished is None:
        return State("in progress, or ended early", False)
    if broken := [
        f"{_cases(n)} {one}" for one, n in sorted(statuses.items()) if one not in HARMLESS
    ]:
        return State(", ".join(broken), False)
    if kinds := dict.fromkeys(one.kind for one in run.conditions.during):
        return State(f"disturbed by {', '.join(kinds)}", False)
    if not statuses.get(Status.MEASURED, 0):
        return State("no case was measured", False)
    return State("nothing disturbed it", True)


def _cases(count: int) -> str:
    return f"{count} case{'s' * (count != 1)}"


def _machine(run: Run, runs: int, statuses: Mapping[str, int], odd: Sequence[str]) -> Machine:
    about, state = run.machine, state_of(run, statuses)
    return Machine(
        host=about.host,
        processor=about.cpu_model or about.architecture,
        cores=about.cores,
        threads=about.threads,
        memory_bytes=about.memory_bytes,
        kernel=about.kernel,
        os=about.os,
        runs=runs,
        run=run.id,
        label=run.label,
        started=run.started,
        finished=run.finished,
        cases=sum(statuses.values()),
        state=state.said,
        good=state.good,
        odd=tuple(odd),
    )


def _odd(runs: Sequence[Run]) -> dict[str, list[str]]:
    """By the run's id."""
    said: dict[str, list[str]] = {}
    for fact in facts_apart({run.id: run.machine for run in runs}):
        sentence = f"{fact.what} is {fact.value}; on all others {fact.others}."
        said.setdefault(fact.host, []).append(sentence)
    began = {run.id: datetime.fromisoformat(run.started) for run in runs}
    last = max(began.values())
    for id, when in began.items():
        if last - when > _SILENT:
            days = (last - when).days
            sentence = f"It was last measured {days} days before the newest run of all."
            said.setdefault(id, []).append(sentence)
    return said
