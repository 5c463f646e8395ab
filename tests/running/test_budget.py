"""A run within a time budget, with a clock that only workers move."""

import pytest

from made import benchmark, machine, sample
from stend.benchmarks.definition import Case
from stend.benchmarks.runner import Rule
from stend.record import Status
from stend.running.budget import Budget
from stend.running.plan import Planned
from stend.running.schedule import measure_all
from stend.running.session import Asked
from stend.running.task import Effort, Outcome

CLOCK = machine().clocks[0]
EFFORT = Effort(Rule(seconds=0.4), least=3, most=5, seconds=1.5, pairs=4)


class Bench:
    """Workers that take the seconds of their variant and nothing else takes any."""

    def __init__(self, monkeypatch, **costs):
        self.now = 100.0
        self.costs = costs
        self.order = []
        monkeypatch.setattr("stend.running.schedule.time.monotonic", lambda: self.now)

    def launch(self, task):
        self.order.append(task.variant)
        self.now += self.costs[task.variant]
        return Outcome(status=Status.MEASURED, sample=sample(process=task.process))

    def run(self, seconds, command=lambda families: f"stend run {' '.join(families)}", **also):
        """The records by variant, and the seconds that they took."""
        planned = [Planned(benchmark(**also), Case("a.b", {}, name)) for name in self.costs]
        budget, began = Budget(seconds, command, now=lambda: self.now), self.now
        records = {}
        for case in measure_all(planned, EFFORT, CLOCK, self.launch, lambda case: None, budget):
            records[case.planned.case.variant] = case.records[0]
        return records, self.now - began


def test_every_case_that_fits_has_the_processes_of_an_interval_and_the_run_keeps_its_budget(
    monkeypatch,
):
    bench = Bench(monkeypatch, **{f"v{i}": 1.0 for i in range(10)})
    records, took = bench.run(20.0)
    made = {name: len(record.samples) for name, record in records.items()}
    assert made == {f"v{i}": 3 if i < 6 else 0 for i in range(10)}
    assert took == 18.0
    assert bench.order[:6] == [f"v{i}" for i in range(6)], "breadth before depth"


def test_what_does_not_fit_is_skipped_with_the_command_that_measures_it(monkeypatch):
    records, _ = Bench(monkeypatch, a=1.0, b=1.0, c=1.0).run(7.0)
    assert records["c"].status is Status.SKIPPED
    assert records["c"].reason == "It did not fit into 7 s; measure it with `stend run a`."
    assert len({record.reason for record in records.values() if record.reason}) == 1


def test_a_case_that_is_too_long_leaves_its_time_to_shorter_ones(monkeypatch):
    bench = Bench(monkeypatch, a=1.0, long=30.0, b=1.0)
    cases = [Planned(benchmark(name=n), Case(n, {}, v)) for n, v in
             (("a.a", "a"), ("x.long", "long"), ("a.b", "b"))]  # fmt: skip
    budget = Budget(10.0, now=lambda: bench.now)
    monkeypatch.setattr(budget, "_cost", lambda case: bench.costs[case.planned.case.variant])
    ended = {}
    for case in measure_all(cases, EFFORT, CLOCK, bench.launch, lambda case: None, budget):
        ended[case.planned.case.variant] = len(case.records[0].samples)
    assert ended == {"a": 3, "b": 3, "long": 0}


def test_a_slow_first_case_leaves_time_to_quick_ones_of_other_families(monkeypatch):
    bench = Bench(monkeypatch, slow=4.0, quick=0.5, quicker=0.4)
    cases = [Planned(benchmark(name=n), Case(n, {}, v)) for n, v in
             (("a.a", "slow"), ("b.b", "quick"), ("b.c", "quicker"))]  # fmt: skip
    budget = Budget(24.0, now=lambda: bench.now)
    ended = {}
    for case in measure_all(cases, EFFORT, CLOCK, bench.launch, lambda case: None, budget):
        ended[case.planned.case.variant] = len(case.records[0].samples)
    assert min(ended["slow"], ended["quick"], ended["quicker"]) >= EFFORT.least


def test_further_processes_begin_only_in_time_that_nobody_is_promised(monkeypatch):
    costs = {"a": 0.4, "b": 0.4}
    assert {len(r.samples) for r in Bench(monkeypatch, **costs).run(None)[0].values()} == {4}
    records, took = Bench(monkeypatch, **costs).run(2.7)
    assert {len(record.samples) for record in records.values()} == {3}
    assert took <= 2.7


def test_without_a_budget_nothing_is_left_out(monkeypatch):
    records, took = Bench(monkeypatch, a=500.0, b=0.6).run(None)
    assert all(record.status is Status.MEASURED for record in records.values())
    assert took > 500


def test_what_is_left_is_told_from_what_processes_took(monkeypatch):
    bench = Bench(monkeypatch, a=2.0, b=2.0)
    planned = [Planned(benchmark(), Case("a.b", {}, name)) for name in "ab"]
    budget = Budget(None, now=lambda: bench.now)
    cases = measure_all(planned, EFFORT, CLOCK, bench.launch, lambda case: None, budget)
    next(cases)
    assert budget.left == pytest.approx(1.05 * 5 * 2.0)
    *_, last = cases
    assert last.ended
    assert budget.left == 0


def test_a_budget_too_small_for_anything_measures_one_case(monkeypatch):
    records, _ = Bench(monkeypatch, a=2.0, b=2.0).run(1.0)
    assert [len(record.samples) for record in records.values()] == [3, 0]


def test_the_command_for_the_rest_asks_as_the_run_was_asked():
    asked = Asked(patterns=("memory",), size="full", settings={"threads": ["1", "2"]}, budget=9.0)
    assert asked.command(["memory"]) == "stend run memory --full --set threads=1,2"
    many = [f"family{i}" for i in range(9)]
    assert Asked(budget=9.0).command(many) == "stend run"
