"""The sentence that answers first, and what stands of many cases."""

import io
import re

import pytest
from msgspec.structs import replace

from report.comparisons import (
    TIME,
    alone,
    comparison,
    family,
    judged,
    many,
    per_clock,
    side,
)
from stend.comparing import Difference, Verdict
from stend.report import answer, terminal
from stend.report.terminal.console import Console

FASTER, SLOWER = Verdict.FASTER, Verdict.SLOWER
SAME, UNTOLD = Verdict.SAME, Verdict.CANNOT_TELL


def rows(*verdicts):
    return [judged(f"gost.{i}", 1.1, verdict) for i, verdict in enumerate(verdicts)]


def shown(print_it, *what, width=80):
    out = io.StringIO()
    print_it(*what, Console(file=out, width=width))
    return out.getvalue()


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ([FASTER, SAME, UNTOLD], "B is faster than A in 1 of 3 cases, slower in none; 1 is the "
         "same, 1 undecided."),
        ([SLOWER, SLOWER], "B is slower than A in 2 of 2 cases, faster in none."),
        ([FASTER, SLOWER], "B is faster than A in 1 of 2 cases, slower in 1."),
        ([SAME, SAME], "B is the same as A in all 2 cases."),
        ([UNTOLD, UNTOLD], "Cannot tell whether B differs from A in any of 2 cases."),
        ([SAME, UNTOLD], "B is not found to differ from A in any of 2 cases: 1 is the same, "
         "1 undecided."),
        ([SLOWER], "B is slower than A in the one case that both have."),
        ([UNTOLD], "Cannot tell whether B differs from A in the one case that both have."),
    ],
)  # fmt: skip
def test_one_sentence_answers(verdicts, said):
    assert answer.answer(comparison(*rows(*verdicts))) == said


def test_a_family_that_is_told_where_no_case_is_stands_in_the_answer():
    told = (family("gost", 1.03, FASTER), family("fft", 0.97, SLOWER), family("peak", 1, SAME))
    found = answer.answer(comparison(*rows(UNTOLD, UNTOLD), families=told))
    assert found.endswith("any of 2 cases. As families, gost is faster, fft is slower.")


def test_runs_with_nothing_in_common_are_one_sentence_that_says_what_each_has():
    apart = comparison(
        alone("gost.magma", Verdict.ONLY_A), alone("fft.complex2d", Verdict.ONLY_B),
        alone("gost.magma", Verdict.ONLY_A),
    )  # fmt: skip
    said = "A and B have no case in common: A has 2 of gost.magma, and B has 1 of fft.complex2d."
    assert answer.answer(apart) == said
    assert " ".join(shown(terminal.print_comparison, apart).split()).endswith(said)
    known = replace(apart, unmet={"gost.magma": "A has size=1, B has size=2."})
    text = " ".join(shown(terminal.print_comparison, known).split())
    assert text.endswith(f"{said} {answer.UNMET} gost.magma → A has size=1, B has size=2.")


def test_reasons_that_differ_in_their_figures_only_are_one():
    some = [judged(f"gost.{i}", 1, UNTOLD, reason=f"It can come by chance (p = 0.0{i}).")
            for i in range(3)]  # fmt: skip
    (one,) = answer.reasons(some)
    assert one.alike
    assert len(one.names) == 3


def test_of_ten_thousand_cases_those_that_moved_most_are_shown_and_the_rest_counted():
    text = shown(terminal.print_comparison, many(10_000, moved=100))
    sizes = [int(size) for size in re.findall(r"size=(\d+) ", text)][:40]
    assert sizes == list(range(40))
    assert "60 more changed by less" in text
    assert "10000 cases" in text
    assert len(text.splitlines()) < 120


def test_what_the_clock_explains_stands_beside_the_change_where_it_says_something_else():
    row = judged("gost.magma", 1.25, FASTER, normalised=(per_clock(1.001),))
    text = shown(terminal.print_comparison, comparison(row), width=160)
    assert re.search(r"change +99% interval +per clock +B is", text)
    assert re.search(r"\+25\.0% .* \+0\.10% +▲ faster", text)
    narrow = shown(terminal.print_comparison, comparison(row), width=56)
    assert "per clock +0.10%" in narrow
    assert "interval  B is" in narrow
    same = judged("gost.magma", 1.25, FASTER, normalised=(per_clock(1.249),))
    assert "per clock" not in shown(terminal.print_comparison, comparison(same), width=160)


def test_what_lies_within_what_the_change_is_unsure_by_says_nothing():
    for metric, ratio in (None, 1.2), (TIME, 1 / 1.2):
        also = {"metric": metric} if metric else {}
        row = judged("fft.a", ratio, UNTOLD, width=0.15, normalised=(per_clock(1.1),), **also)
        assert "per clock" not in shown(terminal.print_comparison, comparison(row), width=160)
        sure = replace(row, low=ratio - 0.01, high=ratio + 0.01)
        assert "per clock" in shown(terminal.print_comparison, comparison(sure), width=160)


def test_a_time_falls_per_clock_as_it_falls_itself():
    row = judged("fft.a", 0.8, FASTER, metric=TIME, normalised=(per_clock(1.1),))
    assert "−9.1%" in shown(terminal.print_comparison, comparison(row), width=160)


def test_several_sides_are_columns_and_each_is_answered():
    b = comparison(judged("gost.magma", 1.1, FASTER), alone("fft.a", Verdict.ONLY_A))
    c = comparison(judged("gost.magma", 0.9, SLOWER), judged("fft.a", 1.0, UNTOLD, reason="So."),
                   b=side("c", label="third"))  # fmt: skip
    text = shown(terminal.print_comparisons, ["B", "C"], [b, c], width=100)
    assert "B is faster than A in the one case that both have." in text
    assert "C is slower than A in 1 of 2 cases" in text
    assert re.search(r"1\.00 GB/s +1\.10 GB/s +\+10\.0% ▲ +900 MB/s +−10\.0% ▼", text)
    assert re.search(r"1\.00 GB/s +– +1\.00 GB/s +0\.00% \?", text)
    assert "Why undecided: C (B in these words is C)" in text


def test_a_family_of_one_case_is_shown_where_another_side_has_several_of_it():
    b = comparison(
        judged("gost.magma", 1.1, FASTER), families=(family("gost", 1.1, FASTER, cases=1),)
    )
    c = comparison(
        judged("gost.magma", 0.9, SLOWER),
        judged("gost.kuznyechik", 0.9, SLOWER),
        b=side("c"),
        families=(family("gost", 0.9, SLOWER, cases=2),),
    )
    text = shown(terminal.print_comparisons, ["B", "C"], [b, c], width=100)
    assert re.search(r"\ngost +\+10\.0% ▲ +−10\.0% ▼", text)


def test_several_sides_have_the_notes_causes_and_benchmarks_apart_that_two_have():
    slower = Difference(what="kernel", a="5.10", b="6.1", kind="kernel")
    b = comparison(judged("gost.magma", 1.1, FASTER, note="A with threads=8."))
    c = comparison(judged("gost.magma", 0.9, SLOWER), alone("fft.a", Verdict.ONLY_A),
                   alone("fft.a", Verdict.ONLY_B), b=side("c"), differences=(slower,),
                   unmet={"fft.a": "A has n=1, B has n=2."})  # fmt: skip
    said = " ".join(shown(terminal.print_comparisons, ["B", "C"], [b, c]).split())
    assert "Notes on these figures: B gost.magma → A with threads=8." in said
    assert f"{answer.UNMET}: C (B in these words is C) fft.a → A has n=1, B has n=2." in said
    assert "B gost: faster by 10%" in said
    assert "C gost: slower by 10%; differences" in said


@pytest.mark.parametrize("width", [20, 60, 80, 160])
def test_no_line_of_families_or_sides_is_wider_than_the_terminal(width):
    one = comparison(
        *rows(FASTER, SLOWER, UNTOLD),
        families=(family("gost", 1.03, FASTER, normalised=(per_clock(1.2),)),),
    )
    texts = [
        shown(terminal.print_comparison, one, width=width),
        shown(terminal.print_comparisons, ["B", "C", "D"], [one, one, one], width=width),
    ]
    assert max(len(line) for text in texts for line in text.splitlines()) <= width


def test_factors_are_explained_where_there_are_any():
    vague = judged("gost.magma", 1.1, UNTOLD, reason="So.", low=0.03, high=40.0)
    text = " ".join(shown(terminal.print_comparison, comparison(vague)).split())
    assert "÷33…×40" in text
    assert "÷30…×40 reaches from a thirtieth to forty times" in text
    sure = shown(terminal.print_comparison, comparison(*rows(UNTOLD)))
    assert "thirtieth" not in sure
