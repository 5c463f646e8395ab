"""docs/api.md names all that programs may rely on, with its parameters, and nothing else."""

import importlib
import inspect
import re

import pytest

import stend
from documents import ROOT
from stend.benchmarks import parameters

PAGE = (ROOT / "docs/api.md").read_text("utf-8")


@pytest.mark.parametrize("name", [n for n in stend.__all__ if n != "__version__"])
def test_every_public_name_is_on_the_page(name):
    assert f"`stend.{name}(" in PAGE


@pytest.mark.parametrize("name", ["measure", "compare", "estimate"])
def test_a_functions_parameters_are_on_the_page(name):
    said = re.search(rf"`stend\.{name}\((.*?)\)`", PAGE)
    assert said[1].split(", ") == list(inspect.signature(getattr(stend, name)).parameters)


def test_the_arguments_of_a_definition_are_on_the_page():
    told = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M))
    assert told == set(inspect.signature(stend.benchmark).parameters) - {"name"}
    kinds = re.search(r"of `stend.benchmarks.parameters`: (.*?);", PAGE)[1]
    assert all(hasattr(parameters, kind) for kind in re.findall(r"`(\w+)`", kinds))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(stend(?:\.\w+)+)", PAGE))))
def test_every_name_on_the_page_is_there(name):
    module, _, attribute = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ImportError:
        assert hasattr(importlib.import_module(module), attribute)
