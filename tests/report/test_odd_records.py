"""A run whose parameters and values are odd, as a stored or imported one may be, has a page."""

import random

import pytest
from msgspec.structs import replace

from report.processor import processor
from stend.record import Integers
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
