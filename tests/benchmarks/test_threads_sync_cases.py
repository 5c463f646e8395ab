"""Which cases of synchronisation are planned, on machines made for it, and why others aren't."""

import msgspec
import pytest

from made import machine
from stend.benchmarks import registry
from stend.benchmarks.definition import Case
from stend.record import Machine
from stend.running.plan import Choice, Planned, plan

SYNC = (
    "threads.mutex.*",
    "threads.spinlock",
    "threads.semaphore",
    "threads.atomic_add",
    "threads.false_sharing",
    "threads.barrier",
    "threads.switch",
    "threads.ping_pong",
)


def of(cpus: int) -> Machine:
    return msgspec.structs.replace(
        machine(), usable=tuple(range(cpus)), threads=cpus, threads_free=30_000
    )


def planned(cpus: int, size: str = "quick", *patterns: str, **settings: str) -> list[Planned]:
    choice = Choice(size=size, settings={name: (value,) for name, value in settings.items()})
    return list(plan(registry.find(patterns or SYNC), of(cpus), choice))


@pytest.mark.parametrize("cpus", [1, 2, 8, 256])
@pytest.mark.parametrize("size", ["quick", "check"])
def test_a_quick_run_takes_few_and_no_load(cpus, size):
    cases = planned(cpus, size)
    assert len(cases) <= 15
    assert {case.case.load for case in cases} == {"none"}
    skipped = [case for case in cases if case.skip]
    assert not skipped or cpus == 1
    if cpus > 1:
        assert {case.case.affinity for case in cases} == {"bound"}
        assert {c.case.threads for c in cases if "threads" in c.case.parameters} == {cpus}


def test_on_one_cpu_what_needs_two_is_a_skip_with_its_reason():
    reasons = {case.case.benchmark: case.skip for case in planned(1) if case.skip}
    assert set(reasons) == {"threads.false_sharing", "threads.barrier"}
    assert all("2 threads need as many CPUs" in reason for reason in reasons.values())
    switches = planned(1, "quick", "threads.switch")
    assert [str(case.case) for case in switches] == [
        "threads.switch load=none affinity=bound [futex]"
    ]
    assert not switches[0].skip


@pytest.mark.parametrize("cpus", [2, 4, 256])
def test_a_full_run_takes_every_load_and_affinity_and_refuses_none(cpus):
    cases = planned(cpus, "full")
    assert not [case.skip for case in cases if case.skip]
    for name in {case.case.benchmark for case in cases}:
        mine = [case.case for case in cases if case.case.benchmark == name]
        assert {case.load for case in mine} == {"none", "half", "all", "twice"}
        both = {"bound"} if name == "threads.switch" else {"none", "bound"}
        assert {case.affinity for case in mine} == both


def test_a_place_goes_with_its_affinity():
    places = {(c.case.place, c.case.affinity) for c in planned(2, "full", "threads.ping_pong")}
    assert places == {("same", "bound"), ("other", "bound"), ("any", "none")}
    on_one = {c.case.variant for c in planned(2, "full", "threads.ping_pong", place="same")}
    assert {"pipe", "futex", "spin"} <= on_one  # what the user names is measured


def test_where_a_line_ends_is_asked_without_a_load_only():
    cases = [case.case for case in planned(2, "full", "threads.false_sharing")]
    assert {case.apart for case in cases if case.load == "none"} == {8, 16, 32, 64, 128, 256}
    assert {case.apart for case in cases if case.load == "all"} == {8, 128}


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("threads.spinlock", {"threads": 3}, "3 threads need as many CPUs"),
        ("threads.barrier", {"threads": 3}, "3 threads need as many CPUs"),
        ("threads.mutex.lock", {"load": "much"}, "no load 'much'"),
        ("threads.mutex.lock_unlock", {"threads": 2, "affinity": "x"}, "no affinity 'x'"),
        ("threads.false_sharing", {"threads": 2, "apart": 12}, "multiple of 8"),
        ("threads.switch", {"affinity": "none"}, "affinity=bound"),
        ("threads.ping_pong", {"place": "near"}, "no place 'near'"),
        ("threads.ping_pong", {"place": "any"}, "contradict"),
        ("threads.ping_pong", {"place": "same", "affinity": "none"}, "contradict"),
    ],
)
def test_what_cannot_be_is_one_sentence(name, parameters, said):
    (benchmark,) = registry.find([name])
    case = Case(name, {"load": "none", "affinity": "bound"} | parameters)
    reason = benchmark.needs(case, of(2))
    assert reason
    assert said in reason
    assert reason.endswith(".")


def test_another_cpu_is_asked_for_where_there_is_none():
    (benchmark,) = registry.find(["threads.ping_pong"])
    case = Case("threads.ping_pong", {"place": "other", "load": "none", "affinity": "bound"})
    assert "--set place=same" in str(benchmark.needs(case, of(1)))
