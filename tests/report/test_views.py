"""What the page and the terminal say of a run's conditions and machine."""

import made
from stend.record import Conditions, Disturbance
from stend.report import facts, views


def spell(start, end, said="Stolen.", kind="steal"):
    return Disturbance(kind=kind, said=said, start=start, end=end)


def conditions(*during):
    case = made.case((made.sample([1e-3] * 10),))
    return views.conditions(made.run((case,), conditions=Conditions(during=during)))


def test_the_spells_of_one_kind_are_one_line_with_all_they_hit():
    origin = made.sample().origin
    short = spell(origin + 500_000, origin + 600_000, "Stolen a little.")
    long = spell(origin + 5_500_000, origin + 8_500_000, "Stolen much.")
    (found,) = conditions(short, long)
    assert found.disturbance.said == "Stolen much."
    assert found.when == "the longest of 2 times: 0.0 s of 0.0 s in all"
    assert found.hit.startswith("5 repetitions of stream.triad")


def test_a_spell_at_another_time_hit_nothing():
    (found,) = conditions(spell(0, 10))
    assert found.hit == "no repetition"


def test_a_disturbance_without_an_end_was_there_throughout():
    (found,) = conditions(Disturbance(kind="load", said="Loaded."))
    assert (found.when, found.hit) == ("throughout", "")


def test_what_does_not_vary_within_a_benchmark_is_said_once():
    cases = tuple(made.case(parameters={"threads": n, "elements": 1000}) for n in (1, 2))
    (table,) = views.tables(made.run(cases), "")
    assert table.constants == "elements 1\u202f000"
    assert [row.where for row in table.rows] == ["threads 1", "threads 2"]


def test_mitigations_that_do_not_apply_are_only_counted():
    found = {"mds": "Not affected", "l1tf": "Not affected", "retbleed": "Mitigation: IBRS"}
    shown = dict(facts.facts(made.machine(mitigations=found)))
    assert shown["mitigations"] == "retbleed: Mitigation: IBRS; 2 not affected"


def test_unknown_facts_are_left_out_of_the_facts_and_explained():
    machine = made.machine()
    assert "governor" not in dict(facts.facts(machine))
    assert "cpufreq" in dict(facts.unknown(machine))["governor"]
