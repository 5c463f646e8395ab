"""A comparison in the browser: its sides, a way to change them, the same as files."""

from itertools import pairwise

import pytest

from made import case, run, sample
from report.example import example
from web.served import ask, served
from web.watched import WINDOWS, fits, watched

BEFORE, AFTER, THIRD = (f"{i:032x}" for i in (1, 2, 3))


@pytest.fixture(scope="module")
def site(shared):
    shared.add(example(1, label="before", processes=2, started="2026-03-01T08:00:00Z"))
    shared.add(example(2, 1.1, label="after", processes=2, started="2026-03-02T08:00:00Z"))
    shared.add(example(3, 1.1, label="after", processes=2, started="2026-03-03T08:00:00Z"))
    with served(shared) as running:
        yield running


@pytest.mark.parametrize("window", WINDOWS)
def test_picked_runs_are_compared_by_the_sides_that_were_chosen(browser, site, window):
    with watched(browser, f"{site.url}/runs", window) as page:
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_label("before is on side B").click()
        page.get_by_label("after is on side A").click()
        page.locator(".picked").get_by_role("button", name="Compare").click()
        page.wait_for_url(f"**/compare?b={THIRD}&b={AFTER}&a={BEFORE}")
        page.wait_for_selector("html[data-drawn]")
        assert page.locator(".answer").is_visible()
        assert fits(page)


def _overlapping(boxes):
    """Texts of which two lie upon each other, of some in a row."""
    boxes = sorted(boxes, key=lambda box: box["x"])
    return [b for a, b in pairwise(boxes) if a["x"] + a["width"] > b["x"]]


@pytest.mark.parametrize("times", [1.004, 1.07, 8, 15, 300, 1e5])
def test_a_phone_has_room_for_the_bars_and_their_names(empty, browser, times):
    """Each name above its row, so that the bars have nine tenths of the width."""
    for i, slower in enumerate([1.0, times]):
        cases = tuple(
            case(
                tuple(sample([1e-3 * by] * 5, process=p) for p in range(3)),
                parameters={"threads": n, "operation": "encrypt and authenticate", "kib": 1 << n},
                benchmark=f"gost.kuznyechik.{n}",
            )
            for n, by in enumerate([slower, 1.01, 1.0])
        )
        empty.add(run(cases, id=f"{i:032x}", label=f"side-{i}"))
    path = f"/compare?a={0:032x}&b={1:032x}"
    with served(empty) as site, watched(browser, site.address, "phone dark") as page:
        page.goto(site.url + path)
        chart = page.locator("[data-chart$=cases]")
        chart.scroll_into_view_if_needed()
        chart.locator(".xtick text").first.wait_for()
        ticks = [one.bounding_box() for one in chart.locator(".xtick text").all()]
        assert len(ticks) > 1
        assert _overlapping(ticks) == []
        plot = chart.evaluate("box => box.querySelector('.js-plotly-plot')._fullLayout._size.w")
        assert plot > 0.85 * chart.bounding_box()["width"]
        names = chart.locator(".annotation").all()
        assert sum("gost.kuznyechik" in one.text_content() for one in names) == 3
        assert fits(page)


def test_sides_are_swapped_and_changed(browser, site):
    with watched(browser, f"{site.url}/compare?a=before&b={AFTER}") as page:
        page.get_by_role("link", name="Swap A and B").click()
        page.wait_for_url(f"**/compare?a={AFTER}&b=before")
        page.locator("summary", has_text="Change the sides").click()
        page.get_by_label("Run 1 of side A").fill("label:after")
        page.locator(".sides").get_by_role("button", name="Compare").click()
        page.wait_for_url("**/compare?a=label%3Aafter&a=&b=before&b=")
        assert page.locator(".compared-sides").is_visible()


def test_runs_picked_without_scripts_get_sides_by_their_labels(browser, site):
    with watched(browser, f"{site.url}/runs", javascript=False) as page:
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_role("button", name="Compare").click()
        assert page.url == f"{site.url}/compare?a={BEFORE}&b={AFTER}&b={THIRD}"


def test_a_published_machine_is_a_side_too(site):
    assert ask(site.url, "/compare?a=published:elbrus-16c&b=before").status == 200


def test_a_side_that_is_missing_is_asked_for(browser, site):
    with watched(browser, f"{site.url}/compare?a=&b={AFTER}") as page:
        assert page.get_by_label("Run 1 of side B").input_value() == AFTER
        page.get_by_label("Run 1 of side A").fill("before")
        page.keyboard.press("Enter")
        page.locator(".answer").wait_for()


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("a=before&b=nothing", 404, "nothing"),
        ("a=before&b=before", 400, "same run"),
        ("a=label:none&b=before", 404, "none"),
        ("a=before", 400, "--versus"),
        ("a=/etc/passwd&b=before", 404, "/etc/passwd"),
        ("a=%00&b=before", 404, "No stored run"),
    ],
)
def test_a_wrong_name_is_said_in_a_sentence_beside_the_form(site, query, status, said):
    answer = ask(site.url, f"/compare?{query}")
    assert answer.status == status
    assert said in answer.text
    assert 'class="sides"' in answer.text


@pytest.mark.parametrize(("ending", "kind"), [("md", "text/markdown"), ("csv", "text/csv")])
def test_a_comparison_is_a_file_as_the_verb_writes_it(site, ending, kind):
    answer = ask(site.url, f"/compare.{ending}?a=before&b={AFTER}")
    assert answer.headers["content-type"].startswith(kind)
    assert "attachment" in answer.headers["content-disposition"]
    assert "stream.triad" in answer.text


def test_a_comparison_is_no_other_file(site):
    assert ask(site.url, "/compare.exe?a=before&b=last").status == 404
