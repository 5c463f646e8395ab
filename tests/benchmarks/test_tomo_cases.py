"""Which reconstructions are measured, and what can't be."""

import pytest

import made
from stend.benchmarks import registry
from stend.benchmarks.definition import Case
from stend.benchmarks.families.tomo import FEW, VOLUMES

LAPTOP = made.machine()
NAMES = [name for name in registry.load()[0] if name.startswith("tomo.")]


def needs(name, machine=LAPTOP, **parameters):
    given = {"problem": "shepp-logan-3d", "slices": FEW, "threads": 1} | parameters
    benchmark = registry.load()[0][name]
    return benchmark.needs(Case(name, given, "portable"), machine)


def test_every_algorithm_has_a_benchmark():
    names = [name.removeprefix("tomo.") for name in NAMES]
    assert names == ["dfr", "dfr_half", "fbp", "fbp_int16", "hfbp", "hfbp_fine"]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_problem_does_not_have_is_told(name):
    assert needs(name) is None
    assert "there is no problem 'nosuch'" in needs(name, problem="nosuch")
    assert needs(name, slices=512) == "shepp-logan-3d has 511 slices, not 512."
    little = made.machine(memory_available=1 << 30)
    assert "slices=N" in needs(name, little, slices=511)


def test_volumes_are_those_of_the_native_problems():
    from stend import native

    for problem, (slices, _, _) in VOLUMES.items():
        with pytest.raises(ValueError, match=f"give 1 to {slices}"):
            native.tomo.kernel(problem, "fbp", slices + 1, 1, "reference")
