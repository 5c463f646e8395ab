"""The plan: benchmarks × variants × parameters on a machine, in order, skips with reasons."""

import difflib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stend.benchmarks.definition import ALL, DEFAULT, Benchmark, Case
from stend.benchmarks.parameters import SameAs, Size
from stend.errors import BadValue, DefinitionError, StendError, UnknownName, UsageError
from stend.record import Machine, Scalar

MOST_CASES = 10_000


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user asked for: the size, values for parameters, variants by name."""

    size: Size = "quick"
    settings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    variants: Sequence[str] = ()
    versus: str | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A case to be measured, or skipped for a reason; with `versus` beside another variant."""

    benchmark: Benchmark
    case: Case
    versus: Case | None = None
    skip: str | None = None


def plan(
    benchmarks: Sequence[Benchmark],
    machine: Machine,
    choice: Choice,
    *,
    skips_will_do: bool = False,
) -> tuple[Planned, ...]:
    """Every case, by benchmark and as its parameters' values stand.

    With `skips_will_do`, it may be that none of those asked for can be measured here: this is one
    machine of several.

    Raises:
        UnknownName: a parameter or variant that none of the benchmarks has.
        BadValue: a value that the parameter refuses.
        UsageError: there are too many cases, or not one of those asked for can be measured here.
    """
    _refuse_unknown(benchmarks, choice)
    cases = [planned for b in benchmarks for planned in _attempted(b, machine, choice)]
    if len(cases) > MOST_CASES:
        raise UsageError(
            f"this makes {len(cases)} cases, more than {MOST_CASES}; name fewer values with --set."
        )
    if not skips_will_do:
        _refuse_nothing(cases, choice)
    return tuple(cases)


def breadth_first(cases: Sequence[Planned]) -> tuple[Planned, ...]:
    """The order in which a run that is ended or read early has told most of the machine.

    Benchmarks of the machine's card come first; of them and of the others, one case of each, then
    a second of each, and so on. Of a benchmark, the last begins: it has the best variant, most
    threads and the largest size.
    """
    of: dict[str, list[Planned]] = {}
    for case in cases:
        of.setdefault(case.benchmark.name, []).append(case)
    rounds = [
        (not case.benchmark.card, turn, case)
        for members in of.values()
        for turn, case in enumerate(_last_first(members))
    ]
    return tuple(case for *_, case in sorted(rounds, key=lambda each: each[:2]))


def _last_first(members: Sequence[Planned]) -> list[Planned]:
    """Those that are measured, then the skipped ones: these take no turn."""
    measured = [case for case in reversed(members) if not case.skip]
    return measured + [case for case in members if case.skip]


def _refuse_nothing(cases: Sequence[Planned], choice: Choice) -> None:
    """A default that can't run here is a skip to be kept; what was asked for by name is refused."""
    asked = choice.settings or choice.variants or choice.versus is not None
    if asked and cases and all(case.skip for case in cases):
        first = cases[0]
        raise UsageError(f"nothing can be measured: {first.case}: {first.skip}")


def _attempted(benchmark: Benchmark, machine: Machine, choice: Choice) -> list[Planned]:
    """As `_of`; what a definition's own functions raise is its author's fault, and named."""
    try:
        return list(_of(benchmark, machine, choice))
    except StendError:
        raise
    except Exception as error:
        raise DefinitionError(
            f"{benchmark.name} in {benchmark.module} can't be planned: "
            f"{type(error).__name__}: {error}."
        ) from error


def _of(benchmark: Benchmark, machine: Machine, choice: Choice) -> Iterator[Planned]:
    taken = _taken(benchmark, machine, choice)
    for parameters in _combinations(benchmark, machine, choice.size, choice.settings):
        for variant, lacking in _variants(benchmark, taken(Case(benchmark.name, parameters))):
            case = Case(benchmark.name, parameters, variant)
            other, other_lacking = _versus(benchmark, case, choice.versus)
            skip = lacking or other_lacking or _needs(benchmark, case, machine)
            yield Planned(benchmark, case, other, skip)


def _taken(
    benchmark: Benchmark, machine: Machine, choice: Choice
) -> Callable[[Case], Sequence[str]]:
    """Which variants are measured of a case; of what the user named, nothing is left out."""

    def by_definition(case: Case) -> Sequence[str]:
        return benchmark.takes(case, machine, choice.size)

    if choice.variants:
        return lambda case: choice.variants
    if not choice.settings.keys() & benchmark.parameters.keys():
        return by_definition
    usual = _combinations(benchmark, machine, choice.size, {})
    of_any = [word for values in usual for word in by_definition(Case(benchmark.name, values))]
    return lambda case: of_any


def _needs(benchmark: Benchmark, case: Case, machine: Machine) -> str | None:
    said: object = benchmark.needs(case, machine)
    if said is None or isinstance(said, str):
        return said
    raise TypeError(f"`needs` returned {said!r} instead of a sentence or None")


def _combinations(
    benchmark: Benchmark, machine: Machine, size: Size, settings: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Scalar]]:
    values = [
        _parsed(name, parameter.parse, settings[name])
        if name in settings
        else parameter.defaults(machine, size)
        for name, parameter in benchmark.parameters.items()
    ]
    for combination in itertools.product(*map(dict.fromkeys, values)):
        named = dict(zip(benchmark.parameters, combination, strict=True))
        yield {name: _resolved(value, named) for name, value in named.items()}


def _resolved(value: Scalar | SameAs, named: Mapping[str, Scalar | SameAs]) -> Scalar:
    return _resolved(named[value.parameter], named) if isinstance(value, SameAs) else value


def _parsed(
    name: str, parse: Callable[[str], Scalar], words: Sequence[str]
) -> Sequence[Scalar | SameAs]:
    try:
        return [parse(word) for word in words]
    except BadValue as error:
        raise BadValue(f"--set {name}: {error}") from None


def _variants(
    benchmark: Benchmark, asked: Sequence[str]
) -> Iterator[tuple[str | None, str | None]]:
    """Each variant with the reason why it can't run here, or None."""
    available = benchmark.available()
    if not available and asked:
        yield None, None
    there = {v.name: None if v.available else v.reason for v in available}
    names = list(there) if ALL in asked else [_best(there) if n == DEFAULT else n for n in asked]
    for name in dict.fromkeys(n for n in names if n in there):
        yield name, there[name]


def _best(there: dict[str, str | None]) -> str | None:
    """Where none can run, the best of all: its reason is told."""
    return next(
        (name for name in reversed(there) if there[name] is None), next(reversed(there), None)
    )


def _versus(benchmark: Benchmark, case: Case, asked: str | None) -> tuple[Case | None, str | None]:
    if asked is None:
        return None, None
    found = list(_variants(benchmark, [asked]))
    if not found or found[0][0] is None:
        return None, f"{benchmark.name} has no variant {asked!r} to compare with."
    (name, lacking), *_ = found
    return Case(case.benchmark, case.parameters, name), lacking


def _refuse_unknown(benchmarks: Sequence[Benchmark], choice: Choice) -> None:
    parameters = {name for b in benchmarks for name in b.parameters}
    for name in choice.settings:
        if name not in parameters:
            raise UnknownName(_unknown("parameter", name, parameters))
    variants = {v.name for b in benchmarks for v in b.available()} | {DEFAULT}
    for name in [*choice.variants, *([choice.versus] if choice.versus is not None else [])]:
        if name not in variants | ({ALL} if name != choice.versus else set()):
            raise UnknownName(_unknown("variant", name, variants))


def _unknown(what: str, name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(sorted(known))}."
    return f"none of the chosen benchmarks has a {what} {name!r}; {hint}"
