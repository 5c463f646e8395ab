"""The page of a run that is being measured: when it is written, what it says, how it follows."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

import made
from report.example import example
from stend.errors import OutputError
from stend.laboratory import Growth
from stend.record.files import write_whole
from stend.report import write_report
from stend.report.live_page import INTERVAL, LivePage
from stend.report.page import BEGINNING, Live, live_page, write

LIVE = Live(3, 5, 2, "75 s", written="2026-11-29T01:02:03Z")


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def growth(clock, run, takes=0.0):
    def load():
        clock.now += takes
        return run

    return Growth(load, 3, 5, 2, lambda: 75.0)


def test_the_page_is_written_at_once_and_then_now_and_then(tmp_path):
    clock, opened, path = Clock(), [], tmp_path / "report.html"
    page = LivePage(path, lambda: opened.append(path.read_text()), clock)
    written = []
    for _ in range(45):
        page.between(growth(clock, example(processes=1)))
        written.append(path.stat().st_ino)  # each page takes the place of the one before
        clock.now += 1.0
    assert len(set(written)) >= 2
    changes = [i for i in range(1, 45) if written[i] != written[i - 1]]
    assert changes == [INTERVAL, 2 * INTERVAL]
    assert len(opened) == 1
    assert "3 of 5 cases measured" in opened[0]


def test_pages_that_take_long_are_written_more_rarely(tmp_path):
    clock, path = Clock(), tmp_path / "report.html"
    page = LivePage(path, now=clock)
    page.between(growth(clock, made.run(()), takes=3.0))
    first = path.stat().st_ino
    clock.now += 59.0
    page.between(growth(clock, made.run(()), takes=3.0))
    assert path.stat().st_ino == first
    clock.now += 2.0
    page.between(growth(clock, made.run(()), takes=3.0))
    assert path.stat().st_ino != first


def test_only_the_first_page_can_end_a_run(tmp_path):
    clock = Clock()
    with pytest.raises(OutputError):
        LivePage(tmp_path / "nowhere/report.html", now=clock).between(growth(clock, made.run(())))
    path = tmp_path / "gone/report.html"
    path.parent.mkdir()
    page = LivePage(path, now=clock)
    page.between(growth(clock, made.run(())))
    path.unlink()
    path.parent.rmdir()
    clock.now += 100.0
    page.between(growth(clock, made.run(())))
    assert not path.exists()


def test_it_says_how_far_the_run_is_and_has_the_card_and_the_figures():
    text = live_page(example(processes=1), LIVE)
    assert "<strong>3 of 5 cases measured</strong> (2 left out), about 75 s to go" in text
    assert 'data-written="2026-11-29T01:02:03Z"' in text
    assert 'id="run-0-case-0-row"' in text
    assert "stream.triad" in text
    for absent in ("data-chart=", "Plotly.newPlot", "What stands out", "What can’t be trusted"):
        assert absent not in text, "what needs all of the run, or time to draw"
    assert len(text) < 300_000


def test_a_run_without_a_case_yet_has_a_page():
    assert "0 of 5 cases" in live_page(made.run(()), Live(0, 5, 0, "4 min", written="now"))


def test_the_policy_lets_its_one_script_run():
    text = live_page(example(processes=1), LIVE)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in text or f"'sha256-{digest}'" in text
    assert "location.reload()" in script


def test_the_finished_page_does_not_load_itself_again(tmp_path):
    path = tmp_path / "report.html"
    write([example(processes=2)], path, live=LIVE)
    write_report([example(processes=2)], path)
    text = path.read_text()
    assert "location.reload()" not in text
    assert "data-written" not in text
    assert "What stands out" in text


NOW = "2026-11-29T01:00:00Z"


@pytest.fixture
def opened(tmp_path, browser):
    """A page of a run that has 1 of 5 cases, in a browser whose clock is ours."""
    path = tmp_path / "report.html"
    write([example(processes=2)], path, live=Live(1, 5, 0, "75 s", NOW, every=20.0, silent=900.0))
    page = browser.new_page(viewport={"width": 1000, "height": 500})
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.clock.install(time=NOW)
    page.goto(Path(path).as_uri())
    yield page, path
    assert page.complaints == []
    page.close()


def test_a_browser_follows_the_run_and_keeps_the_place_until_it_is_finished(opened):
    page, path = opened
    page.evaluate("window.scrollTo(0, 400)")
    page.wait_for_timeout(200)
    write([example(processes=2)], path, live=Live(2, 5, 0, "55 s", NOW, every=20.0))
    page.clock.fast_forward(21_000)
    page.get_by_text("2 of 5 cases measured").wait_for(state="attached", timeout=20_000)
    page.wait_for_function("window.scrollY === 400", timeout=20_000)
    write_report([example(processes=2)], path)
    page.clock.fast_forward(21_000)
    page.wait_for_selector("html[data-drawn]", timeout=20_000)
    page.evaluate("window.same = true")
    page.clock.fast_forward(60_000)
    assert page.evaluate("window.same"), "the finished page was loaded again"


def test_a_page_of_a_run_that_was_killed_stays_as_it_is(opened):
    page, _ = opened
    page.evaluate("window.same = true")
    page.clock.fast_forward(901_000)
    page.wait_for_timeout(200)
    assert page.evaluate("window.same")


def test_another_file_is_no_page_to_replace(tmp_path):
    path = tmp_path / "notes.html"
    path.write_text("mine")
    with pytest.raises(Exception, match="another kind of file"):
        write_whole(path, b"<!doctype html>", BEGINNING)
