"""A comparison as CSV, Markdown, JSON, a page: whole, bounded, harmless whatever names say."""

import csv
import io
import json
import re

import pytest

from report.comparisons import alone, comparison, family, judged, many, per_clock, side
from report.example import HOSTILE
from report.test_page import Seen
from stend.comparing import Difference, Verdict
from stend.record import from_json
from stend.report import figures
from stend.report.comparison_page import to_html
from stend.report.comparison_text import COLUMNS, code, to_csv, to_markdown

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1"]
NASTY = [
    "a|b",
    "`code`",
    "``",
    "*x*",
    "<!--",
    HOSTILE,
    "@team",
    "#12",
    "a\nb",
    "[x](http://y)",
    "\\",
]


def table(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def named(name):
    """A comparison in which every text of a record is this one."""
    row = judged("gost.magma", 1.1, Verdict.FASTER, reason=name, variants=(name, name))
    sides = {letter: side(letter, label=name, host=name) for letter in "ab"}
    differs = (Difference(what=name, a=name, b=name),)
    return comparison(row, differences=differs, **sides)


def test_csv_has_a_row_a_case_with_every_digit_in_the_metrics_unit():
    row = judged("gost.magma", 1 / 3, Verdict.SLOWER, normalised=(per_clock(0.9),))
    text = to_csv([comparison(row, row), comparison(row)])
    found = table(text)
    assert len(found) == 3
    assert tuple(found[0]) == COLUMNS
    assert float(found[0]["ratio"]) == 1 / 3
    assert float(found[0]["a_value"]) == 1e9
    assert found[0]["unit"] == "B/s"
    assert float(found[0]["per_clock_speed"]) == 0.9
    assert found[0]["of_peak_a"] == ""
    assert json.loads(found[0]["parameters"]) == {}
    assert text.count("\r\n") == 4


@pytest.mark.parametrize("name", FORMULAS)
def test_no_name_is_a_formula_to_a_spreadsheet(name):
    (row,) = table(to_csv([named(name)]))
    assert row["a"] == f"'{name}"
    assert row["reason"] == f"'{name}"
    assert not [cell for cell in row.values() if cell.strip()[:1] in set("=+-@＝")]


@pytest.mark.parametrize("name", NASTY)
def test_whatever_is_in_a_name_csv_gives_it_back(name):
    (row,) = table(to_csv([named(name)]))
    assert row["a"].removeprefix("'") == name


def test_markdown_says_the_answer_then_what_moved_and_folds_the_rest():
    rows = [judged("gost.magma", 1.1, Verdict.FASTER), judged("gost.b", 1, Verdict.SAME)]
    told = (family("gost", 1.05, Verdict.FASTER),)
    text = to_markdown(["B"], [comparison(*rows, families=told)])
    open_part, _, folded = text.partition("<details>")
    assert text.startswith("<!-- stend compare -->\n**B is faster than A in 1 of 2 cases")
    assert "| `gost` | 3 | +5.0% |" in open_part
    assert re.search(r"^\| `gost.magma` \|.*▲ faster \|$", open_part, re.M)
    assert "gost.b" not in open_part
    assert re.search(r"^\| `gost.b` \|.*= same \|$", folded, re.M)
    assert text.count("<details>") == text.count("</details>")


@pytest.mark.parametrize("name", NASTY)
def test_no_name_is_markdown_html_or_a_mention(name):
    text = to_markdown(["B"], [named(name)])
    outside = re.sub(r"(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert not re.search(
        r"(?<!\\)@\w|(?<!\\)#\w|(?<!\\)<(?!/?(details|summary|sub)>|!-- stend)", outside
    )
    heads = [line for line in text.splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in heads} == {4, 7}


def test_what_only_one_side_has_is_said_as_elsewhere_and_why_it_does_not_meet():
    rows = (judged("gost.magma", 1.1, Verdict.FASTER), alone("fft.a", Verdict.ONLY_A))
    one = comparison(*rows, unmet={"fft.a": "A has n=1, B has n=2."})
    text = to_markdown(["B"], [one])
    assert "One case is only in A\\: 1 of fft.a." in text
    assert "- `fft.a` A has n\\=1, B has n\\=2." in text
    assert "A has n=1, B has n=2." in Seen(to_html(["B"], [one])).text


def test_backticks_in_a_name_stay_within_its_code():
    assert code("a`b") == "``a`b``"
    assert code("`a`") == "`` `a` ``"
    assert code("") == "`–`"


def test_ten_thousand_cases_fit_a_comment():
    text = to_markdown(["B"], [many(10_000, moved=100)])
    assert len(text) < 65_536
    assert "of 10000 cases; `--format csv` has all" in text
    assert "60 more changed by less" in text
    both = to_markdown(["B", "C"], [many(10_000), many(10_000)])
    assert len(both) < 65_536
    assert "### C" in both


def test_one_comparison_is_an_object_and_several_are_a_list():
    one = many(3)
    assert from_json(figures.comparisons_to_json([one]), type(one)) == one
    assert len(json.loads(figures.comparisons_to_json([one, one]))) == 2
    for some, beginning in ([one], figures.BEGINNING), ([one, one], figures.BEGINNING_OF_LIST):
        assert figures.comparisons_to_json(some).encode().startswith(beginning)


def test_the_page_of_a_comparison_is_whole_and_answers_first():
    row = judged("gost.magma", 1.1, Verdict.FASTER, normalised=(per_clock(1.0),))
    told = (family("gost", 1.05, Verdict.FASTER),)
    seen = Seen(to_html(["B"], [comparison(row, families=told)]))
    assert seen.open == []
    words = seen.text
    # its heading, not the contents that lead to it
    assert words.index("B is faster than A") < words.rindex("B against A, by family")
    assert "per clock" in words
    assert "before and after" in words


def test_each_part_of_a_page_of_several_calls_its_side_by_its_letter():
    words = Seen(to_html(["B", "C"], [many(3), many(3)])).text
    part = words[words.index("Cannot tell whether C differs") :]
    assert "C against A" in part
    assert "B against A" not in part
    assert "C is called B" in part


@pytest.mark.parametrize("name", NASTY)
def test_no_name_is_markup_in_the_page(name):
    seen = Seen(to_html(["B"], [named(name)]))
    assert seen.open == []
    assert "img" not in seen.tags
    assert "onerror" not in dict(seen.attributes)


def test_a_page_of_ten_thousand_cases_shows_what_moved_and_says_what_it_leaves_out():
    text = to_html(["B"], [many(10_000, moved=100)])
    assert text.count('<tr><th scope="row"') < 3_500
    assert "7,000 more cases" in Seen(text).text
    assert "7,000 more cases" in Seen(to_html(["B"], [many(10_000)])).text
    small = to_html(["B"], [many(10)])
    assert len(text) - len(small) < 3e6
