"""Matches the cases of two runs, and says what differs between two that match.

The same case stands beside itself. What is left over stands beside its like where the two differ
only because the machines do: rates on all the cores of each, over memory as large as the caches
of each ask, by the best variant of each. Which parameters go by the machine, and what they are on
it, the benchmarks' definitions tell; of a benchmark that is not known here nothing is guessed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from stend.benchmarks.definition import Benchmark, Case
from stend.benchmarks.parameters import Parameter, Scales, Size
from stend.benchmarks.registry import load
from stend.comparing.estimate import estimate
from stend.record import CaseRecord, Machine, Run, Scalar, Work

T = TypeVar("T")


class Pair(NamedTuple):
    """A case of each side, or of one alone."""

    a: CaseRecord | None
    b: CaseRecord | None
    note: str = ""
    """What differs between the two on purpose, in sentences; empty where they are the same case."""


def pairs(a: Run, b: Run) -> list[Pair]:
    """Every case of both runs, in A's order, then what only B has.

    First those of the same key and side. Of the rest, measured ones of the same benchmark whose
    other parameters are the same: of the same variant, then of different ones, if each is the best
    that its run has of that case; with the fewest differences first. A case on all that its
    machine has which is left even then stands beside the other's on all that one has, though that
    stands beside another case, too. Every such pair says in its note what differs. A latency at
    another size, or a time of other work, is never paired.
    """
    left, right = _by_key(a), _by_key(b)
    found = {key: [Pair(case, right[key])] for key, case in left.items() if key in right}
    taken = set(found)
    for key, other, note in _unlike_machines(a, b, left, right):
        found.setdefault(key, []).append(Pair(left[key], right[other], note))
        taken.add(other)
    return [
        *(pair for key, case in left.items() for pair in found.get(key, [Pair(case, None)])),
        *(Pair(None, case) for key, case in right.items() if key not in taken),
    ]


_Key = tuple[str, str]
_Found = tuple[_Key, _Key, str]
_Form = tuple[object, ...]


def _by_key(run: Run) -> dict[_Key, CaseRecord]:
    return {(case.key, case.side): case for case in run.cases}


def _unlike_machines(
    a: Run, b: Run, left: Mapping[_Key, CaseRecord], right: Mapping[_Key, CaseRecord]
) -> Iterator[_Found]:
    """What is left over and is alike but for the machine."""
    sizes = {a.size, b.size}
    one, two = _Side(a, left, right, sizes), _Side(b, right, left, sizes)
    for again in (False, True):
        for any_variant in (False, True):
            for differing in range(_MOST_SCALED + 1):
                if any_variant or differing:
                    yield from _matched(one, two, differing, any_variant, again)


_MOST_SCALED = 3
"""Parameters of one benchmark that go by the machine; no definition has more."""


class _Side:
    """What one side measured, and which of it has no partner yet."""

    def __init__(
        self,
        run: Run,
        cases: Mapping[_Key, CaseRecord],
        others: Mapping[_Key, CaseRecord],
        sizes: set[Size],
    ) -> None:
        self.cases = {key: case for key, case in cases.items() if case.has_figure}
        self.alone = {key for key in self.cases if key not in others}
        self._machine = run.machine
        self._sizes = sizes
        """Of both runs: a value that goes by the size of run is none that goes by the machine."""
        self._largest: dict[tuple[str, str], Scalar | None] = {}
        self._rivals: dict[_Form, list[_Key]] = {}
        for key, case in self.cases.items():
            self._rivals.setdefault(_without_variant(case), []).append(key)
        self._best: dict[_Form, _Key | None] = {}

    def forms(self, differing: int, any_variant: bool, again: bool) -> Iterator[tuple[_Form, _Key]]:
        """Each case with so many of its values replaced by "all that the machine has".

        Of those that may have a partner already only what uses all cores.
        """
        for key, case in self.cases.items():
            if not (again or key in self.alone):
                continue
            for names in combinations(self._scaled(case), differing):
                if not again or any(_scales(case, name) == "cores" for name in names):
                    variant = None if any_variant else case.variant
                    yield (case.benchmark, case.side, variant, names, _words(case, names)), key

    def _scaled(self, case: CaseRecord) -> tuple[str, ...]:
        """Parameters of which the case has what its definition gives the machine at most."""
        return tuple(
            name
            for name, value in case.parameters.items()
            if _scales(case, name) and value == self._most(case.benchmark, name)
        )

    def _most(self, benchmark: str, name: str) -> Scalar | None:
        """Nothing where a quick and a full run would have other values."""
        if (benchmark, name) not in self._largest:
            parameter = load()[0][benchmark].parameters[name]
            values = {_largest(parameter, self._machine, size) for size in self._sizes}
            self._largest[benchmark, name] = values.pop() if len(values) == 1 else None
        return self._largest[benchmark, name]

    def rivals(self, case: CaseRecord) -> list[_Key]:
        """The case by every variant that was measured."""
        return self._rivals[_without_variant(case)]

    def best(self, keys: Sequence[_Key]) -> _Key | None:
        """The best variant of the case that these are of, if it is among them."""
        form = _without_variant(self.cases[keys[0]])
        if form not in self._best:
            self._best[form] = self._best_of(self._rivals[form])
        best = self._best[form]
        return best if best in keys else None

    def _best_of(self, keys: Sequence[_Key]) -> _Key | None:
        if len(keys) == 1:
            return keys[0]
        known = {key: found.value for key in keys if (found := estimate(self.cases[key]))}
        better = max if self.cases[keys[0]].metric.better == "higher" else min
        return better(known, key=lambda key: known[key], default=None)


def _scales(case: CaseRecord, name: str) -> Scales:
    known = _definition(case.benchmark)
    return known.parameters[name].scales if known and name in known.parameters else ""


def _largest(parameter: Parameter, machine: Machine, size: Size) -> int | float | None:
    said = _asked(lambda: parameter.defaults(machine, size)) or ()
    return max((value for value in said if isinstance(value, int | float)), default=None)


def _matched(
    a: _Side, b: _Side, differing: int, any_variant: bool, again: bool
) -> Iterator[_Found]:
    """Pairs in which so many parameters go by the machine, one of each at least without a partner.

    Without regard to variants, what has one form on a side is one case by several.
    """
    if not (a.alone or b.alone):
        return
    here, there = (_grouped(side.forms(differing, any_variant, again)) for side in (a, b))
    for form, keys in here.items():
        if form not in there:
            continue
        key: _Key | None = keys[0]
        other: _Key | None = there[form][0]
        if any_variant:
            key, other = a.best(keys), b.best(there[form])
        if key is None or other is None or not (key in a.alone or other in b.alone):
            continue
        one, two = a.cases[key], b.cases[other]
        if _comparable(one, two):
            a.alone.discard(key)
            b.alone.discard(other)
            yield key, other, _note(a, b, one, two)


def _grouped(forms: Iterable[tuple[_Form, _Key]]) -> dict[_Form, list[_Key]]:
    found: dict[_Form, list[_Key]] = {}
    for form, key in forms:
        found.setdefault(form, []).append(key)
    return found


def _without_variant(case: CaseRecord) -> _Form:
    return case.benchmark, case.side, _words(case, ())


def _words(case: CaseRecord, without: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return frozenset((k, str(v)) for k, v in case.parameters.items() if k not in without)


def _comparable(a: CaseRecord, b: CaseRecord) -> bool:
    """Whether the two tell the same thing of unlike machines, and are of the same kind of work."""
    if a.metric != b.metric:
        return False
    if _is_rate(a):
        return _alike(a.work, b.work) and _as_counted(a) and _as_counted(b)
    return a.work == b.work and (a.parameters == b.parameters or _is_computation(a))


def _is_rate(case: CaseRecord) -> bool:
    return case.metric.unit.endswith("/s") or case.metric.unit == "IOPS"


def _is_computation(case: CaseRecord) -> bool:
    """Whether its time is that of a piece of arithmetic, which more cores share.

    A barrier of more threads is another barrier.
    """
    return case.metric.unit == "s/slice" or case.work.flops is not None


def _alike(a: Work, b: Work) -> bool:
    """Whether the same is counted, in the same precision."""
    counted = [f for f in Work.__struct_fields__ if f != "precision"]
    same = all((getattr(a, f) is None) == (getattr(b, f) is None) for f in counted)
    return same and a.precision == b.precision


def _as_counted(case: CaseRecord) -> bool:
    """Whether its work is what the definition counts for its parameters.

    Two sizes of a work can't be held against each other, but both against their definition: an
    element of other bytes is other work. A definition that can't count a variant of another
    architecture says nothing against it.
    """
    known = _definition(case.benchmark)
    if known is None:
        return True
    mine = Case(case.benchmark, case.parameters, case.variant)
    counted = _asked(lambda: known.work(mine))
    if counted is None:
        return False
    return all(getattr(counted, f) in (None, getattr(case.work, f)) for f in Work.__struct_fields__)


def _definition(name: str) -> Benchmark | None:
    return load()[0].get(name)


def _asked(ask: Callable[[], T]) -> T | None:
    """What a definition answers; None where it has none for a record that it did not make.

    Definitions are anybody's code, and the record may be of another version or machine.
    """
    try:
        return ask()
    except Exception:
        return None


def _note(a: _Side, b: _Side, one: CaseRecord, two: CaseRecord) -> str:
    said = []
    if changed := [n for n in one.parameters if one.parameters[n] != two.parameters[n]]:
        sides = [" and ".join(f"{n}={c.parameters[n]}" for n in changed) for c in (one, two)]
        said.append(f"A with {sides[0]}, B with {sides[1]}: {_why(one, changed)}.")
    if one.variant != two.variant:
        only = len(a.rivals(one)) == len(b.rivals(two)) == 1
        which = "the only one" if only else "the best"
        said.append(f"A by {one.variant}, B by {two.variant}: {which} that each ran.")
    return " ".join(said)


def _why(case: CaseRecord, changed: list[str]) -> str:
    by = {_scales(case, name) for name in changed}
    sized = " and ".join(f"its {what}" for what in ("caches", "memory") if what in by)
    all_of_it = "each uses all cores" if "cores" in by else ""
    return ", ".join(filter(None, [all_of_it, sized and f"each sized by {sized}"]))
