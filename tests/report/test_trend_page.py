"""A trend as it is printed, and as a page: whole, safe, and with a table behind each chart."""

import io
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from made import case, sample
from planted import disturbed, kernel_update, planted, store, when
from report.example import HOSTILE
from report.test_page import Seen
from stend.comparing.selection import asked
from stend.machine.disturbances import ADVICE
from stend.record import CaseRecord, Conditions, Disturbance, Proof, Run, Status
from stend.report import trend_page, trend_sentences
from stend.report.terminal import print_trends
from stend.report.terminal.console import Console
from stend.report.terminal.trend import LETTERS
from stend.report.trend_page import page
from stend.store import Store
from stend.trends.machine import Followed, follow

NOW = datetime(2027, 6, 1, tzinfo=UTC)


def followed(tmp_path: Path, runs: list[Run], metric: str = "stream.triad") -> Followed:
    with Store.open(store(str(tmp_path / "a.db"), runs)) as opened:
        return follow(opened, asked([metric]), here="bench", now=NOW)


def printed(of: Followed, width: int) -> str:
    out = io.StringIO()
    print_trends(of, Console(file=out, width=width))
    return out.getvalue()


@pytest.fixture
def changed(tmp_path: Path) -> Followed:
    runs = planted(
        32,
        lambda i: 1.08 if i >= 20 else 1.0,
        machine=kernel_update(20),
        conditions=disturbed(5),
        label=lambda i: HOSTILE if i == 3 else "nightly",
    )
    bad = sample(proof=Proof(right=False, said=f"off by 2 {HOSTILE}"))
    runs[7] = msgspec.structs.replace(
        runs[7], cases=(case((bad,), status=Status.WRONG, reason="The proof failed."),)
    )
    return followed(tmp_path, runs)


SENTENCE = r"between 2026-05-18 08:07 and 2026-05-25 08:20: slower by \d\.\d% \(\d\.\d to \d\.\d%\)"


@pytest.mark.parametrize("width", [80, 160])
def test_the_terminal_names_a_change_and_what_changed_with_it(
    changed: Followed, width: int
) -> None:
    said = printed(changed, width)
    one_line = re.sub(r"\s+", " ", said)
    assert re.search(SENTENCE, one_line)
    assert "What changed: kernel 5.10.0 → 6.1.0." in one_line
    assert len(re.findall(r"●", said)) == 31
    assert len(re.findall(r"[●·] +l *$", said, re.M)) == 1
    assert "Disturbed by: l load" in said
    assert "Left out: 2026-02-23" in said
    assert max(map(len, said.splitlines())) <= width or HOSTILE[:20] in said


def test_a_change_beside_which_other_disturbances_begin_says_so(tmp_path: Path) -> None:
    load = (Disturbance(kind="load", said="Load of 2.1 on 2 cores."),)
    runs = planted(
        32,
        lambda i: 1.08 if i >= 20 else 1.0,
        conditions=lambda i: Conditions(during=load if i >= 20 or i == 3 else ()),
    )
    (trend,) = followed(tmp_path, runs).trends
    (change,) = trend.changes
    told = "Also different: load disturbed 1 of 20 runs before it and 12 of 12 after it."
    assert trend_sentences.causes(trend, change).endswith(told)


def test_every_kind_of_disturbance_has_a_letter_of_its_own():
    assert list(LETTERS) == list(ADVICE)
    assert len(set(LETTERS.values())) == len(LETTERS)


@pytest.mark.parametrize("width", [60, 72, 80])
def test_letters_stand_beside_the_runs_however_many_kinds_there_are(
    tmp_path: Path, width: int
) -> None:
    kinds = ("load", "steal", "unheard of")
    told = tuple(Disturbance(kind=kind, said="So.") for kind in kinds)
    runs = planted(
        12,
        conditions=lambda i: Conditions(during=told[: i % 4]),
        label=lambda i: "nightly",
    )
    said = printed(followed(tmp_path, runs), width)
    assert len(re.findall(r" l s o *$", said, re.M)) == 3
    assert "Disturbed by: l load, s steal, o unheard of" in said
    assert max(map(len, said.splitlines())) <= width


def test_a_change_that_nobody_can_tell_is_told_by_factors(tmp_path: Path) -> None:
    runs = planted(24, lambda i: 1.2 if i >= 12 else 1.0)
    (trend,) = followed(tmp_path, runs).trends
    vague = msgspec.structs.replace(trend.changes[0], ratio=0.9, low=0.03, high=40.0)
    assert trend_sentences.by_how_much(trend, vague) == "by 10.0% (÷33…×40)"


def test_many_cases_are_a_line_each(tmp_path: Path) -> None:
    def many(seconds: float) -> tuple[CaseRecord, ...]:
        return tuple(
            case(tuple(sample([seconds * (1 + p / 1000)] * 3, process=p) for p in range(3)),
                 parameters={"threads": n}) for n in range(1, 13)
        )  # fmt: skip

    runs = planted(24, lambda i: 1.2 if i >= 12 else 1.0, cases=many)
    said = printed(followed(tmp_path, runs), 160)
    assert said.count("▼") == 12
    assert "●" not in said
    assert "`stend trend NAME PARAMETER=VALUE`" in said


def test_one_run_is_shown_and_says_that_a_trend_takes_more(tmp_path: Path) -> None:
    said = printed(followed(tmp_path, planted(1)), 80)
    assert "a trend needs several" in said.replace("\n", " ")
    assert said.count("●") == 1


def test_the_page_has_the_changes_and_a_table_behind_the_chart(changed: Followed) -> None:
    seen = Seen(page(changed))
    assert seen.open == []
    assert re.search(r"slower by \d\.\d%", seen.text)
    assert "What changed: kernel 5.10.0 → 6.1.0." in seen.text
    assert seen.tags.count("tr") >= 31
    assert all(when(i)[:10] in seen.text for i in range(32))


def test_nothing_of_a_record_becomes_markup(changed: Followed) -> None:
    text = page(changed)
    assert HOSTILE not in text
    plain = Seen(page(msgspec.structs.replace(changed, trends=(), doubts=())))
    assert Seen(text).tags.count("script") == plain.tags.count("script")
    assert "onerror" not in {name for name, _ in Seen(text).attributes}


def test_a_chart_draws_every_run_each_level_and_a_line_at_each_change(changed: Followed) -> None:
    (trend,) = changed.trends
    chart = trend_page.draw(trend)
    calm, disturbed_, levels = chart.panels[0].traces
    assert (len(calm["x"]), len(disturbed_["x"])) == (30, 1)
    assert levels["y"].count(None) == len(trend.levels) == 2
    (line,) = chart.panels[0].layout["shapes"]
    assert trend.changes[0].after[:10] <= line["x0"][:10] <= trend.changes[0].before[:10]
    assert len(chart.rows) == len(trend.points)
    assert len(chart.legend) == 3


def test_a_level_has_not_the_colour_of_what_was_disturbed(
    changed: Followed, tmp_path: Path
) -> None:
    (trend,) = changed.trends
    (tmp_path / "calm").mkdir()
    (calm,) = followed(tmp_path / "calm", planted(12)).trends
    for one in (trend, calm):
        chart = trend_page.draw(one)
        *runs, levels = chart.panels[0].traces
        colours = [*(trace["marker"]["color"] for trace in runs), levels["line"]["color"]]
        assert colours == [f"--s{i}" for i in chart.swatches]
        assert colours == ["--s0", "--s1", "--s7"][: len(runs)] + ["--s7"] * (len(runs) < 3)
    assert '<span class="swatch s7"></span>the level' in page(changed)


@pytest.mark.parametrize(("runs", "apart"), [(1, 0), (3, 1), (4, 0.0005), (3, 3600)])
def test_an_axis_of_time_has_no_fractions_of_seconds(
    tmp_path: Path, runs: int, apart: float
) -> None:
    first = datetime(2026, 11, 20, 22, 32, 36, 999500, tzinfo=UTC)
    begun = [(first + timedelta(seconds=apart * i)).isoformat() for i in range(runs)]
    (trend,) = followed(tmp_path, planted(runs, started=lambda i: begun[i])).trends
    axis = trend_page.draw(trend).panels[0].layout["xaxis"]
    if apart * (runs - 1) > 600:
        assert "range" not in axis
        return
    low, high = map(datetime.fromisoformat, axis["range"])
    assert high - low == timedelta(minutes=10)
    middle = first.replace(tzinfo=None) + timedelta(seconds=apart * (runs - 1) / 2)
    assert abs(low + (high - low) / 2 - middle) < timedelta(seconds=2)


def test_runs_whose_clock_jumped_are_drawn_in_their_order(tmp_path: Path) -> None:
    wrong = "1970-01-01T00:00:09Z"
    runs = planted(12, started=lambda i: wrong if i == 6 else when(i), finished=lambda i: None)
    (trend,) = followed(tmp_path, runs).trends
    layout = trend_page.draw(trend).panels[0].layout
    assert "clock jumped" in layout["xaxis"]["title"]["text"]


def test_a_large_change_is_told_as_a_factor(tmp_path: Path) -> None:
    runs = planted(24, lambda i: 3.0 if i >= 12 else 1.0)
    (trend,) = followed(tmp_path, runs).trends
    said = trend_sentences.by_how_much(trend, trend.changes[0])
    assert re.fullmatch(r"by a factor of 3\.0\d* ± 0\.\d+", said)
