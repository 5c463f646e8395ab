"""The life of threads: planned on made machines, and met by a limit in the middle."""

import subprocess
import sys
from collections.abc import Sequence

import msgspec
import pytest

from made import machine
from patience import PATIENCE
from stend.benchmarks import registry
from stend.benchmarks.needs import OTHER_THREADS, threads_lack
from stend.errors import UsageError
from stend.record import Machine
from stend.running.plan import Choice, Planned, plan

LIFE = ["threads.create", "threads.create_join", "threads.chain"]
WAKE = ["threads.wake"]
FOUR_CPUS = msgspec.structs.replace(machine(), usable=(0, 1, 2, 3))
ONE_CPU = msgspec.structs.replace(machine(), usable=(0,))


def planned(names: Sequence[str], on: Machine = FOUR_CPUS, **choice: object) -> tuple[Planned, ...]:
    return plan(registry.find(names), on, msgspec.convert(choice, Choice))


def conditions(cases: Sequence[Planned]) -> set[tuple[str, str]]:
    return {(one.case.load, one.case.affinity) for one in cases}


def with_room(free: int) -> Machine:
    return msgspec.structs.replace(
        FOUR_CPUS, threads_free=free, threads_limit="pids.max is 99, of which 9 are in use"
    )


def test_a_quick_run_is_without_load_and_affinity() -> None:
    cases = planned(LIFE + WAKE)
    assert conditions(cases) == {("none", "none")}
    assert {c.case.keep for c in cases if c.case.benchmark == "threads.chain"} == {
        "detached",
        "joined",
    }
    assert {c.case.blocked for c in cases if "wake" in c.case.benchmark} == {100, 1000}


def test_a_full_run_has_every_load_with_and_without_affinity() -> None:
    loads = ("none", "half", "all", "twice")
    wanted = {(load, affinity) for load in loads for affinity in ("none", "bound")}
    assert conditions(planned(LIFE + WAKE, size="full")) == wanted


def test_on_one_cpu_nothing_is_bound_and_half_of_it_is_all_of_it() -> None:
    cases = planned(LIFE + WAKE, ONE_CPU, size="full")
    assert conditions(cases) == {("none", "none"), ("all", "none"), ("twice", "none")}
    assert conditions(planned(LIFE + WAKE, ONE_CPU)) == {("none", "none")}


def test_under_load_a_chain_is_short_unless_a_long_one_is_named() -> None:
    lengths = {(c.case.load, c.case.length) for c in planned(["threads.chain"], size="full")}
    assert lengths == {("none", n) for n in (100, 1000, 15000)} | {
        (load, 100) for load in ("half", "all", "twice")
    }
    settings = {"load": ["twice"], "length": ["15000"]}
    named = planned(["threads.chain"], settings=settings)
    assert {c.case.length for c in named} == {15000}


def test_more_threads_than_can_be_made_are_a_skip_that_says_what_raises_the_limit() -> None:
    room = OTHER_THREADS + 500
    skips = {c.case.blocked: c.skip for c in planned(["threads.wake.all"], with_room(room))}
    assert skips[100] is None
    assert skips[1000] == (
        "1000 threads at a time exceed the 500 that can be made now: pids.max is 99, of "
        "which 9 are in use; or use --set blocked=N with a smaller N."
    )


def test_only_a_joined_chain_needs_all_its_threads_at_a_time() -> None:
    cases = planned(["threads.chain"], with_room(5000))
    assert {c.case.keep: bool(c.skip) for c in cases} == {"detached": False, "joined": True}


def test_load_threads_count_as_well() -> None:
    room = with_room(OTHER_THREADS + 100 + 7)
    settings = {"blocked": ["100"], "load": ["all", "twice"]}
    cases = planned(["threads.wake.one"], room, settings=settings)
    assert {c.case.load: bool(c.skip) for c in cases} == {"all": False, "twice": True}


def test_threads_that_do_not_fit_into_memory_are_a_skip() -> None:
    small = msgspec.structs.replace(FOUR_CPUS, memory_available=300 * 10**6)
    skips = {c.case.keep: c.skip for c in planned(["threads.chain"], small)}
    assert skips["detached"] is None
    assert "15000 threads at a time: 0.6144 GB, more than the" in str(skips["joined"])
    assert "--set length=N" in str(skips["joined"])


def test_where_no_limit_is_known_nothing_is_skipped() -> None:
    assert threads_lack(1 << 40, Machine()) is None


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("load", "heavy", "none, half, all, twice"),
        ("affinity", "tight", "none, bound"),
        ("keep", "alive", "detached, joined"),
    ],
)
def test_an_unknown_word_is_one_sentence(name: str, value: str, words: str) -> None:
    with pytest.raises(UsageError, match=f"{value}.*use one of {words}\\."):
        planned(["threads.chain"], settings={name: [value]})


IN_THE_MIDDLE = """
import resource, sys
from stend.machine import default_clock
from stend.running.launch import launch
from stend.benchmarks.runner import Rule
from stend.running.task import Task
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, -1))
out = launch(Task(
    benchmark=sys.argv[1], module=sys.argv[2], variant=None, process=0, clock=default_clock(),
    parameters={"load": "half", "affinity": "none", sys.argv[3]: 2000} | (
        {"keep": sys.argv[4]} if sys.argv[4:] else {}),
    rule=Rule(name="once"),
))
print(out.status, out.reason)
"""


@pytest.mark.parametrize(
    "words",
    [
        ("threads.chain", "stend.benchmarks.families.threads.life", "length", "joined"),
        ("threads.wake.all", "stend.benchmarks.families.threads.wake", "blocked"),
    ],
)
def test_a_limit_that_is_met_in_the_middle_is_a_failed_record(words: Sequence[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_THE_MIDDLE, *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.startswith("failed "), done.stdout + done.stderr
    assert "No thread could be made after " in done.stdout
    assert "`stend machine` says which limits there are now" in done.stdout
