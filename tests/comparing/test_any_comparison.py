"""What holds of any comparison: swapped sides, another unit of time, another order of runs."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import made
from stend.comparing import Comparison, Verdict, compare
from stend.record import Metric, Run

TIME = Metric(name="time", unit="s", better="lower")
RATE = Metric(name="bandwidth", unit="B/s", better="higher")
KINDS = (
    ("stream.triad", 1, RATE),
    ("stream.copy", 1, RATE),
    ("stream.copy", 2, RATE),
    ("threads.create", 1, TIME),
    ("threads.create", 2, TIME),
    ("fft.plain", 1, TIME),
)
OPPOSITE = {
    Verdict.FASTER: Verdict.SLOWER,
    Verdict.SLOWER: Verdict.FASTER,
    Verdict.ONLY_A: Verdict.ONLY_B,
    Verdict.ONLY_B: Verdict.ONLY_A,
}
LABELS = ("", "before", "after")


def measured(number, random, factors, hz):
    """A run of most of the kinds, each at its factor of a millisecond; a label may be shared."""
    host = 0.01 * random.standard_normal()
    cases = tuple(
        made.case(
            tuple(
                made.sample(
                    [1e-3 * factor * float(np.exp(host + 0.003 * random.standard_normal()))] * 3,
                    process=i,
                    core_hz=(hz, hz * float(1 + 1e-4 * random.random())),
                )
                for i in range(3)
            ),
            benchmark=name,
            parameters={"size": size},
            metric=metric,
        )
        for (name, size, metric), factor in zip(KINDS, factors, strict=True)
        if random.random() > 0.1
    )
    return made.run(cases, id=f"{number:032x}", label=str(random.choice(LABELS)))


class Asked(NamedTuple):
    """What a comparison is drawn from; `sides` makes its runs."""

    seed: int
    runs: tuple[int, int]
    clock: float
    """Of B's cores, in times of A's."""
    set_so: bool
    """Whether a setting was changed, so that the clock is no accident of the host."""

    def sides(self) -> tuple[list[Run], list[Run], list[Run]]:
        """Runs of A, of B and of the past."""
        random = np.random.default_rng(self.seed)
        numbers = iter(range(99))
        change = random.choice((0.8, 0.97, 1.0, 1.0, 1.3), len(KINDS)) / self.clock
        machine = made.machine(turbo=True) if self.set_so else made.machine()
        unchanged = np.ones(len(KINDS))
        of_a, of_b = self.runs
        return (
            [measured(next(numbers), random, unchanged, 3e9) for _ in range(of_a)],
            [
                replace(measured(next(numbers), random, change, 3e9 * self.clock), machine=machine)
                for _ in range(of_b)
            ],
            [measured(next(numbers), random, unchanged, 3e9) for _ in range(4)],
        )


ASKED = st.builds(
    Asked,
    seed=st.integers(0, 2**32 - 1),
    runs=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    clock=st.sampled_from((1.0, 1.1)),
    set_so=st.booleans(),
)


class Grounds(NamedTuple):
    """What was said of a case, a family or a case per clock, and what it rests on."""

    verdict: Verdict | None
    told: bool
    """Whether something is noted of it."""
    numbers: tuple[float | None, float | None, float | None, float | None]
    """The ratio, the ends of its interval, its p."""

    def swapped(self) -> "Grounds":
        """As it ought to be with the sides swapped."""
        ratio, low, high, p = self.numbers
        turned = (ratio and 1 / ratio, high and 1 / high, low and 1 / low, p)
        return Grounds(OPPOSITE.get(self.verdict, self.verdict), self.told, turned)


def grounds(comparison: Comparison) -> dict[tuple[str, ...], Grounds]:
    found = {}
    for row in comparison.rows:
        numbers = (row.ratio, row.low, row.high, row.p)
        found["case", row.name] = Grounds(row.verdict, bool(row.note), numbers)
        for n in row.normalised:
            found[n.by, row.name] = Grounds(None, False, (n.speed, n.low, n.high, None))
    for one in comparison.families:
        numbers = (one.speed, one.low, one.high, one.p)
        found["family", one.name] = Grounds(one.verdict, False, numbers)
    return found


def swapped(comparison: Comparison) -> dict[tuple[str, ...], Grounds]:
    return {key: of.swapped() for key, of in grounds(comparison).items()}


def assert_alike(found, expected):
    assert found.keys() == expected.keys()
    for key, of in found.items():
        assert of[:2] == expected[key][:2], key
        assert known(of) == pytest.approx(known(expected[key]), rel=1e-6, abs=1e-12), key


def known(of: Grounds) -> dict[int, float]:
    return {i: x for i, x in enumerate(of.numbers) if x is not None}


def with_times(run: Run, factor: float) -> Run:
    """The same ticks of a clock that is so many times as slow, the cores' clock too."""
    cases = (
        replace(
            case,
            samples=tuple(
                replace(
                    s, hz=s.hz / factor, core_hz=s.core_hz and tuple(x / factor for x in s.core_hz)
                )
                for s in case.samples
            ),
        )
        for case in run.cases
    )
    return replace(run, cases=tuple(cases))


@settings(max_examples=8)
@given(ASKED)
def test_swapped_sides_have_the_opposite_verdicts_of_cases_and_families(asked):
    a, b, past = asked.sides()
    there, back = compare(a, b, history=past), compare(b, a, history=past)
    assert_alike(swapped(there), grounds(back))


@settings(max_examples=8)
@given(ASKED, st.sampled_from((1e-3, 0.37, 60.0)))
def test_the_unit_of_time_changes_nothing(asked, factor):
    a, b, past = asked.sides()
    expected = grounds(compare(a, b, history=past))
    a, b, past = ([with_times(run, factor) for run in runs] for runs in (a, b, past))
    assert_alike(grounds(compare(a, b, history=past)), expected)


@settings(max_examples=8)
@given(ASKED, st.randoms(use_true_random=False))
def test_the_order_of_runs_within_a_side_and_its_history_changes_nothing(asked, random):
    a, b, past = asked.sides()
    expected = grounds(compare(a, b, history=past))
    for runs in (a, b, past):
        random.shuffle(runs)
    assert_alike(grounds(compare(a, b, history=past)), expected)


@settings(max_examples=8)
@given(ASKED)
def test_swapped_sides_that_were_measured_in_turn_have_the_opposite_verdicts(asked):
    (a, *_), (b, *_), _ = asked.sides()
    assert_alike(swapped(in_turn(a, b)), grounds(in_turn(b, a)))


def in_turn(a: Run, b: Run) -> Comparison:
    """The cases that both have as those of one run with two sides, in twelve pairs."""
    common = {case.key for case in a.cases} & {case.key for case in b.cases}
    one = made.run(
        tuple(
            replace(case, side=side, samples=twelve_of(case.samples))
            for run, side in ((a, "A"), (b, "B"))
            for case in run.cases
            if case.key in common
        )
    )
    return compare(one, one)


def twelve_of(samples):
    return tuple(
        replace(s, process=3 * i + s.process, hz=s.hz * (1 + 1e-4 * i))
        for i in range(4)
        for s in samples
    )
