"""Which sizes the memory benchmarks measure on which machine, and what they refuse."""

import os
import subprocess
import sys
from types import SimpleNamespace

import msgspec
import pytest

from made import machine
from stend import native
from stend.benchmarks import registry
from stend.errors import UsageError
from stend.record import Cache, Machine
from stend.running.plan import Choice, Planned, plan

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def server(**also) -> Machine:
    caches = (
        Cache(level=1, kind="data", bytes=48 * KIB, shared_by=1, count=4),
        Cache(level=1, kind="instruction", bytes=64 * KIB, shared_by=1, count=4),
        Cache(level=2, kind="unified", bytes=2 * MIB, shared_by=1, count=4),
        Cache(level=3, kind="unified", bytes=100 * MIB, shared_by=4, count=1),
    )
    fields = {"caches": caches, "usable": (0, 1, 2, 3), "threads": 4, "memory_available": 64 * GIB}
    return msgspec.structs.replace(machine(), **fields | also)


def planned(name: str, there: Machine | None = None, **choice) -> tuple[Planned, ...]:
    return plan(registry.find([name]), there or server(), Choice(**choice))


def sizes(cases: tuple[Planned, ...], **parameters) -> list[int]:
    return [
        int(p.case.size)
        for p in cases
        if all(p.case.parameters[n] == v for n, v in parameters.items())
    ]


def test_latency_goes_from_the_first_cache_to_well_past_the_last():
    for size, past in (("quick", 2), ("full", 4)):
        found = sizes(planned("memory.latency", size=size), pages="huge")
        assert found == sorted(set(found))
        assert found[0] == 16 * KIB
        assert found[-1] >= past * 100 * MIB
        assert all(s % 64 == 0 for s in found)


def test_a_quick_run_tells_the_first_caches_to_an_octave():
    found = sizes(planned("memory.latency"), pages="huge")
    assert found[:13] == [16 * KIB << i for i in range(13)]


def test_a_quick_run_measures_normal_pages_at_fewer_sizes():
    cases = planned("memory.latency")
    assert set(sizes(cases, pages="normal")) < set(sizes(cases, pages="huge"))
    assert len(sizes(cases, pages="normal")) == 4
    named = planned("memory.latency", settings={"pages": ["normal"]})
    assert sizes(named) == sizes(cases, pages="huge")


@pytest.mark.parametrize("name", ["memory.latency", "memory.bandwidth", "memory.loaded_latency"])
@pytest.mark.parametrize("size", ["quick", "full"])
@pytest.mark.parametrize("there", [100 * MIB, GIB, 20 * GIB, None])
def test_no_default_takes_more_than_a_quarter_of_the_memory(name, size, there):
    cases = planned(name, server(memory_available=there), size=size)
    assert cases
    assert all(p.skip is None or "variant" in p.skip for p in cases)
    assert max(sizes(cases)) <= (there or GIB) / (8 if size == "quick" else 4)


@pytest.mark.parametrize("name", ["memory.latency", "memory.bandwidth", "memory.loaded_latency"])
def test_a_machine_of_which_little_is_known_is_measured_all_the_same(name):
    bare = server(caches=(), usable=(), threads=None, memory_available=None)
    assert all(p.skip is None for p in planned(name, bare))


def test_bandwidth_fills_half_of_every_threads_caches():
    cases = planned("memory.bandwidth.read")
    assert sizes(cases, threads=1)[:2] == [24 * KIB, MIB]
    assert sizes(cases, threads=1)[-1] == 256 * MIB
    assert sizes(cases, threads=4) == [256 * MIB], "all threads in memory alone"


STORES = ("nontemporal-sse2", "nontemporal-avx2", "nontemporal-avx512", "plain", "avx2", "avx512")


def having(monkeypatch, *lacking: str) -> None:
    """Machines as the benchmarks know them: by the variants that they lack."""
    there = [
        SimpleNamespace(name=n, needs=(), available=n not in lacking, reason="it lacks that.")
        for n in STORES
    ]
    for operation in ("write_variants", "copy_variants"):
        monkeypatch.setattr(native.bandwidth, operation, lambda: there)


@pytest.mark.parametrize("name", ["memory.bandwidth.write", "memory.bandwidth.copy"])
@pytest.mark.parametrize(
    ("lacking", "ordinary", "past"),
    [
        ((), "avx512", "nontemporal-avx512"),
        (("avx512", "nontemporal-avx512"), "avx2", "nontemporal-avx2"),
        ([n for n in STORES if n[-1].isdigit()], "plain", None),
    ],
    ids=["avx512", "avx2", "no x86-64"],
)
def test_quick_runs_store_past_the_caches_where_none_holds_the_memory(
    monkeypatch, name, lacking, ordinary, past
):
    having(monkeypatch, *lacking)
    cases = planned(name)
    most = 256 * MIB
    assert all(p.skip is None for p in cases), "what the machine lacks is not even tried"
    assert [p.case.variant for p in cases if p.case.threads == 4] == [past or ordinary]
    assert {p.case.variant for p in cases if p.case.size < most} == {ordinary}
    single = {p.case.variant for p in cases if p.case.threads == 1 and p.case.size == most}
    assert single == {ordinary, past or ordinary}


def test_a_size_that_is_named_is_stored_both_ways(monkeypatch):
    having(monkeypatch, "avx512", "nontemporal-avx512")
    cases = planned("memory.bandwidth.write", settings={"size": ["64KiB"], "threads": ["1"]})
    assert [p.case.variant for p in cases] == ["avx2", "nontemporal-avx2"]


def test_a_full_run_stores_past_the_caches_by_the_best_alone(monkeypatch):
    having(monkeypatch)
    variants = {p.case.variant for p in planned("memory.bandwidth.copy", size="full")}
    assert variants == {"nontemporal-avx512", "plain", "avx2", "avx512"}


def test_without_avx512_a_quick_run_skips_nothing():
    code = (
        "from stend.benchmarks import registry; from stend.running.plan import Choice, plan\n"
        "from stend.machine import inspect\n"
        "planned = plan(registry.find(['memory.bandwidth']), inspect(), Choice())\n"
        "print(*{f'{p.case.variant} {p.skip}' for p in planned})"
    )
    if "nontemporal-sse2" not in [v.name for v in native.bandwidth.write_variants()]:
        pytest.skip("this architecture has no stores past the caches here")
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"STEND_DISABLE_ISA": "avx512"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "avx512" not in done.stdout
    assert "nontemporal-" in done.stdout


def test_work_is_what_one_execution_moves():
    (benchmark,) = registry.find(["memory.bandwidth.copy"])
    for p in planned("memory.bandwidth.copy"):
        moved = benchmark.work(p.case).bytes
        assert moved % p.case.size == 0
        assert moved > 8 * MIB * p.case.threads


def test_a_latency_under_load_needs_a_second_cpu():
    (only,) = planned("memory.loaded_latency", server(usable=(0,)), size="check")
    assert "this process may use only one; give it more" in only.skip


def test_by_default_all_cpus_but_one_read():
    assert {p.case.threads for p in planned("memory.loaded_latency")} == {3}


@pytest.mark.parametrize(
    ("name", "size", "said"),
    [
        ("memory.latency", "3", "from 4096"),
        ("memory.latency", "0", "from 4096"),
        ("memory.latency", "4100", "multiple of 64"),
        ("memory.latency", "1000TB", "up to 274877906944"),
        ("memory.latency", "200GB", "68.72 GB available"),
        ("memory.bandwidth.read", "3", "from 4096"),
        ("memory.bandwidth.read", "5000", "multiple of 128"),
        ("memory.bandwidth.copy", "1000TB", "68.72 GB available"),
        ("memory.loaded_latency", "1000TB", "up to 549755813888"),
        ("memory.loaded_latency", "5000", "multiple of 128"),
    ],
)
def test_a_size_that_cannot_be_is_refused_with_the_limit(name, size, said):
    with pytest.raises(UsageError, match=said):
        planned(name, settings={"size": [size]})
