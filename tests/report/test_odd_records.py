"""A run whose parameters and values are odd, as a stored or imported one may be, has a page."""

import random

import pytest
from msgspec.structs import replace

from report.processor import processor
from stend.record import Integers, Numbers
from stend.report import terminal
from stend.report.page import page

ODD = ["x", "", 0, -1, True, 1e300, 2**62]


def _odd(case, rng):
    """The case with one parameter changed or left out, no time passed, or no variant."""
    parameters = dict(case.parameters)
    name = rng.choice([*parameters, "size"])
    change = rng.randrange(4)
    if change == 0:
        parameters[name] = rng.choice(ODD)
    elif change == 1:
        parameters.pop(name, None)
    elif change == 2:
        still = tuple(replace(s, ticks=Integers([0] * len(s.ticks))) for s in case.samples)
        return replace(case, samples=still)
    else:
        return replace(case, variant=None, samples=case.samples[:1])
    return replace(case, parameters=parameters)


@pytest.mark.parametrize("seed", range(12))
def test_a_page_is_made_of_odd_cases_too(seed):
    rng = random.Random(seed)
    run = processor()
    cases = [case for case in run.cases if rng.random() < 0.8]
    cases = [_odd(case, rng) if rng.random() < 0.4 else case for case in cases]
    assert "<html" in page([replace(run, cases=tuple(cases))])


def _said(run, *values, of=""):
    """The cases of a benchmark, or all, with these as what each repetition reported."""

    def changed(case):
        if not case.benchmark.startswith(of):
            return case
        columns = (Numbers(values * (len(s.ticks) // len(values) + 1)) for s in case.samples)
        return replace(
            case,
            samples=tuple(
                replace(s, values=column[: len(s.ticks)])
                for s, column in zip(case.samples, columns, strict=True)
            ),
        )

    return replace(run, cases=tuple(map(changed, run.cases)))


@pytest.mark.parametrize(
    "values",
    [(1e30,), (1e-100,), (1e30, 1e-100), (-1e30, 1e30), (0.0,), (1.0, 1.0 + 2**-52), (-1e-100,)],
)
def test_a_page_is_made_of_the_largest_and_the_smallest_values_too(values):
    assert "<html" in page([_said(processor(), *values), _said(processor(2), *values)])


@pytest.mark.parametrize("of", ["stream", "memory", "peak"])
def test_a_roof_that_is_nowhere_bounds_nothing(of):
    assert "<html" in page([_said(processor(), 0.0, of=of)])


def test_a_peak_of_which_nothing_is_known_has_a_line_in_the_card(capsys):
    run = processor()
    lone = [replace(c, variant=None) for c in run.cases if c.benchmark == "peak.int32"]
    others = [c for c in run.cases if not c.benchmark.startswith("peak")]
    run = replace(run, cases=(*lone[:1], *others))
    terminal.print_run(run)
    assert "Peak by instruction set" in capsys.readouterr().out
    assert "<html" in page([run])
