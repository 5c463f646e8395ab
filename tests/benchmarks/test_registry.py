"""Which benchmarks a pattern means."""

import pytest

from made import benchmark
from stend.benchmarks import registry
from stend.errors import UnknownName


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    names = ("fft.square", "memory.read", "peak.single", "stream.copies.add", "stream.triad")
    known = {name: benchmark(name=name, quick="copies" not in name) for name in names}
    monkeypatch.setattr(registry, "load", lambda: (known, {}))


def names(*patterns, quick=False):
    return [b.name for b in registry.find(patterns, quick)]


def test_a_suite_is_all_its_families():
    assert names("processor") == ["fft.square", "peak.single"]
    assert names("memory") == ["memory.read", "stream.copies.add", "stream.triad"]


def test_a_quick_run_leaves_out_what_is_not_for_it():
    assert "stream.copies.add" in names()
    assert "stream.copies.add" not in names(quick=True)
    assert names("stream", quick=True) == ["stream.triad"]
    assert "stream.copies.add" not in names("memory", quick=True)


@pytest.mark.parametrize("pattern", ["stream.copies.add", "stream.copies", "stream.c*"])
def test_what_is_asked_for_by_name_is_taken_by_a_quick_run_too(pattern):
    assert names(pattern, quick=True) == ["stream.copies.add"]


def test_several_patterns_take_each_benchmark_once():
    assert names("stream.triad", "stream.*") == ["stream.triad", "stream.copies.add"]


def test_a_near_miss_of_a_suite_is_told():
    with pytest.raises(UnknownName, match="did you mean 'processor'"):
        names("procesor")
