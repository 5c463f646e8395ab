"""Runs and sides on one page have a name each by which they are told apart."""

import made
from report.comparisons import comparison, side
from report.test_page import Seen
from stend.report import facts
from stend.report.comparison_page import sections_of
from stend.report.page import page


def run(id, label="nightly", host="bench", started="2026-11-21T10:00:00Z"):
    return made.run(id=id * 32, label=label, started=started, machine=made.machine(host=host))


def test_names_that_differ_stay_as_they_are():
    assert facts.run_names([run("1", "before"), run("2", "after")]) == ["before", "after"]


def test_a_run_without_a_label_is_called_by_its_machine_or_its_id():
    assert facts.run_names([run("1", ""), run("2", "", None)]) == ["bench", "22222222"]


def test_runs_of_one_label_are_told_apart_by_machine_then_day_then_minute_then_id():
    machines = [run("1", host="a"), run("2", host="b")]
    assert facts.run_names(machines) == ["nightly a", "nightly b"]
    days = [run("1"), run("2", started="2026-11-22T10:00:00Z")]
    assert facts.run_names(days) == ["nightly 2026-11-21", "nightly 2026-11-22"]
    minutes = [run("1"), run("2", started="2026-11-21T10:07:00Z")]
    assert facts.run_names(minutes) == ["nightly 2026-11-21 10:00", "nightly 2026-11-21 10:07"]
    assert facts.run_names([run("1"), run("2")]) == ["nightly 11111111", "nightly 22222222"]


def test_a_side_that_is_there_twice_has_one_name():
    a, b, c = side("a"), side("b"), side("c", label="weekly")
    assert facts.side_names([a, b, a, c]) == ["bench aaaaaaaa", "bench bbbbbbbb", "bench aaaaaaaa",
                                            "weekly"]  # fmt: skip


def test_the_sides_of_one_run_are_called_by_their_variants():
    both = [side("a", label="x", variant="plain"), side("a", label="x", variant="avx2")]
    assert facts.side_names(both) == ["plain", "avx2"]


def test_every_comparison_is_headed_by_its_sides():
    found = sections_of([comparison(), comparison(b=side("c", label="later"))], "BC")
    assert [one.title for one in found] == ["after (B) against before (A)",
                                            "later (C) against before (A)"]  # fmt: skip


def test_the_contents_and_headings_of_several_runs_tell_whose_they_are():
    days = [run("1"), run("2", started="2026-11-22T10:00:00Z")]
    text = Seen(page(days)).text
    for name in ("nightly 2026-11-21", "nightly 2026-11-22"):
        assert f"Summary of {name}" in text
        assert f"Conditions of {name}" in text
    assert text.count("nightly 2026-11-22 (B) against nightly 2026-11-21 (A)") >= 2


def test_a_page_of_one_run_names_it_once():
    text = Seen(page([run("1")])).text
    assert "Summary of" not in text
