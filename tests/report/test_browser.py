"""The page in a real browser: it draws, asks nothing of the network, and is accessible."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import made
from report.example import HOSTILE, example
from report.parallel import LATENCY, cores, machine, parallel
from report.processor import processor
from report.storage_runs import curve, failed, storage, workload
from report.unet_runs import unet
from stend.report import write_report


def _with_inference(run):
    return replace(run, cases=(*run.cases, *unet(peaks=False).cases))


RUNS = {
    "two runs": lambda: [example(1, processes=2), example(2, 1.05, processes=2)],
    "a processor": lambda: [_with_inference(processor(processes=2))],
    "threads and messages": lambda: [parallel(cpus=8)],
}


@pytest.fixture(scope="module", params=RUNS)
def report(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(RUNS[request.param](), path)
    return path


WINDOWS = {"desktop light": (1280, "light"), "phone dark": (390, "dark")}


def _open(browser, report, window, script=""):
    width, scheme = WINDOWS[window]
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.add_init_script(script)
    page.complaints, page.requests = [], []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda asked: page.requests.append(asked.url))
    page.goto(Path(report).as_uri())
    page.wait_for_selector("html[data-drawn]")
    page.evaluate("document.querySelectorAll('.family, .fold').forEach(one => one.open = true)")
    return page


@pytest.fixture(params=WINDOWS)
def opened(request, browser, report):
    page = _open(browser, report, request.param)
    yield page
    page.close()


@pytest.fixture(scope="module", params=WINDOWS)
def shared(request, browser, report):
    """For tests that leave the page as it was: drawing it takes most of their time."""
    page = _open(browser, report, request.param)
    yield page
    page.close()


def _drawn_whole(page):
    """Charts far from the window are drawn for the printer; afterwards for the screen again."""
    page.evaluate("['beforeprint', 'afterprint'].forEach(name => dispatchEvent(new Event(name)))")
    return page


def test_only_charts_near_the_window_are_drawn_at_first(browser, report):
    page = _open(browser, report, "desktop light", "window.requestIdleCallback = () => 0")
    drawn = page.locator("[data-chart] .plot.js-plotly-plot").count()
    assert drawn < page.locator("[data-chart] .plot").count()
    last = page.locator("[data-chart]").last
    last.scroll_into_view_if_needed()
    last.locator(".main-svg").first.wait_for()
    page.close()


def test_charts_out_of_sight_are_drawn_when_all_is_quiet(browser, report):
    page = _open(browser, report, "desktop light")
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-chart]')].every("
        "one => !one.checkVisibility() || one.querySelector('.main-svg'))"
    )
    assert page.evaluate("scrollY") == 0
    assert page.complaints == []
    page.close()


def test_every_chart_is_drawn_without_a_complaint_or_a_request(shared, report):
    _drawn_whole(shared)
    undrawn = shared.eval_on_selector_all(
        "[data-chart]", "all => all.filter(one => !one.querySelector('.main-svg')).length"
    )
    assert shared.locator("[data-chart]").count() > 8
    assert undrawn == 0
    assert shared.complaints == []
    assert shared.requests == [report.as_uri()]


def test_nothing_sticks_out_of_the_window(opened):
    """Not even a hidden heading of a table that is wider and scrolls by itself."""
    for cell in opened.locator(".figures td.n").all()[:40]:
        cell.evaluate("one => one.append(' ' + 'W'.repeat(60))")
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


FITS = """() => document.documentElement.scrollWidth <= innerWidth
    && [...document.querySelectorAll('.plot .main-svg')].every(
        one => one.getBoundingClientRect().right <= innerWidth + 1)"""


WHOLE = """selector => [...document.querySelectorAll(selector)].every(one => {
    const range = document.createRange();
    return [...one.childNodes].filter(node => node.nodeType === 3).every(node => {
        range.selectNodeContents(node);
        return new Set([...range.getClientRects()].map(box => box.top)).size === 1;
    });
})"""


OVERLAPPING = """() => [...document.querySelectorAll('.plot')].flatMap(plot => {
    const level = one => !/rotate\\((?!0)/.test(one.getAttribute('transform') || '');
    const words = [...plot.querySelectorAll('.main-svg text')]
        .filter(one => one.textContent.trim() && level(one) && one.checkVisibility())
        .map(one => [one.textContent, one.getBoundingClientRect()]);
    return words.flatMap(([a, x], i) => words.slice(i + 1).filter(([, y]) =>
        Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1
        && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 3
    ).map(([b]) => [a, b]));
})"""


def test_no_words_of_a_chart_overlap(shared):
    assert _drawn_whole(shared).evaluate(OVERLAPPING) == []


def test_a_table_that_goes_on_fades_at_that_side_until_its_end_is_seen(browser, report):
    page = _open(browser, report, "phone dark")
    fading = page.wait_for_selector(".scroll.more-right")
    fading.evaluate("one => { one.scrollLeft = one.scrollWidth; }")
    page.wait_for_function("one => one.matches('.more-left:not(.more-right)')", arg=fading)
    page.close()


def test_no_benchmark_breaks_within_a_word(shared):
    """Between two places where a name may break there is a text of its own."""
    assert shared.locator(".family h4").count() > 3
    assert shared.evaluate(WHOLE, ".family h4")


def test_no_caution_breaks_within_a_word(shared):
    """The longest word of all, in every row."""
    look = """cell => {
        const before = cell.textContent, words = document.createRange();
        cell.textContent = 'autocorrelated';
        words.selectNodeContents(cell);
        const seen = [words.getClientRects().length, cell.scrollWidth <= cell.clientWidth];
        cell.textContent = before;
        return seen;
    }"""
    cells = shared.locator("td.cautions:visible").all()
    assert cells or shared.viewport_size["width"] < 1280
    assert all(cell.evaluate(look) == [1, True] for cell in cells)


def test_every_headline_figure_and_finding_leads_to_a_row(shared):
    links = shared.locator(".headlines a, .findings a").evaluate_all(
        "all => all.map(one => document.getElementById(one.hash.slice(1))?.tagName)"
    )
    assert links
    assert set(links) == {"TR"}


def test_the_charts_shrink_with_the_window(opened):
    _drawn_whole(opened)
    opened.set_viewport_size({"width": 360, "height": 800})
    for _ in range(100):
        if opened.evaluate(FITS):
            break
        opened.wait_for_timeout(100)  # a chart is drawn anew some time after the resize
    assert opened.evaluate(FITS)


@pytest.mark.parametrize(("width", "written"), [(1280, 56), (390, 0)])
def test_a_heat_map_has_numbers_where_they_can_be_read(browser, tmp_path, width, written):
    path = tmp_path / "cores.html"
    where = machine(8, 4)
    cases = tuple(cores(np.random.default_rng(1), where))
    write_report([made.run(cases, machine=where)], path)
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]")
    _drawn_whole(page)
    assert page.locator(".heatmap-label").count() == written
    page.close()


def test_two_storage_systems_are_told_apart_without_colour(browser, tmp_path):
    both = [storage(i, speed=1 + i / 5, seconds=8, rounds=5) for i in (0, 1)]
    page = _on_a_phone(browser, both, tmp_path)
    words = page.locator(".systems").first.inner_text()
    assert "▲ faster" in words
    assert "→" in words
    page.close()


def test_storage_under_rising_load_is_drawn(browser, tmp_path):
    _on_a_phone(browser, [curve()], tmp_path).close()


def _on_a_phone(browser, runs, folder):
    """The page of a report on a narrow dark screen, drawn without a complaint."""
    path = folder / "storage.html"
    write_report(runs, path)
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]")
    _drawn_whole(page)
    assert page.eval_on_selector_all(
        "[data-chart]", "all => all.every(one => one.querySelector('.main-svg'))"
    )
    assert page.evaluate(FITS)
    assert complaints == []
    return page


def test_a_distribution_opens_and_closes_by_keyboard(shared):
    button = shared.locator("[data-case]").first
    button.focus()
    shared.keyboard.press("Enter")
    dialog = shared.locator("dialog[open]")
    assert dialog.locator(".main-svg").count() >= 3
    assert button.get_attribute("aria-label").endswith(dialog.locator("h2").inner_text())
    shared.keyboard.press("Escape")
    assert shared.locator("dialog[open]").count() == 0
    assert button.evaluate("one => one === document.activeElement")
    assert shared.complaints == []


def test_print_and_scheme_changes_draw_again(opened):
    opened.emulate_media(color_scheme="light")
    opened.emulate_media(media="print")
    opened.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false; })")
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    charts = opened.locator("[data-chart]")
    assert charts.count() > 8
    assert charts.evaluate_all("all => all.every(one => one.querySelector('.main-svg'))")
    rows = opened.locator(":is(.fold, .family) tbody tr:not(.behind *)")
    assert rows.count() > 8
    assert rows.evaluate_all("all => all.every(row => row.checkVisibility())")
    assert opened.complaints == []


A4 = (718, 1046)
"""Pixels of a page within margins of 1 cm, at 96 to the inch."""


def test_the_processor_card_is_printed_on_one_page(browser, tmp_path):
    path = tmp_path / "card.html"
    write_report([processor(processes=2)], path)
    page = browser.new_page(viewport={"width": A4[0], "height": A4[1]})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]")
    page.emulate_media(media="print")
    card = page.locator("section.processor")
    assert card.bounding_box()["height"] <= A4[1]
    assert card.evaluate("one => getComputedStyle(one).breakBefore") == "page"
    assert card.locator("table").evaluate_all(
        "all => all.every(one => one.scrollWidth <= one.parentElement.clientWidth)"
    )
    page.close()


def test_axe_finds_nothing_to_object_to(shared, axe):
    found = axe.run(shared).response["violations"]
    shared.locator("[data-case]:visible").first.click()
    found += axe.run(shared, context="dialog").response["violations"]
    shared.keyboard.press("Escape")
    assert [(v["id"], v["nodes"][0]["html"]) for v in found] == []


def test_the_keyboard_leads_from_the_skip_link_over_the_contents_into_the_text(browser, report):
    page = _open(browser, report, "desktop light")
    focused = "document.activeElement"
    page.keyboard.press("Tab")
    assert page.evaluate(f"{focused}.className") == "skip"
    stops = ".filter input, nav a"
    for n in range(page.locator(stops).locator("visible=true").count()):
        page.keyboard.press("Tab")
        assert page.evaluate(f"{focused}.matches('{stops}')"), n
        assert page.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    assert page.evaluate(f"Boolean({focused}.closest('main'))")
    page.close()


def test_the_contents_mark_the_section_in_view(shared):
    for top, link in (("0", "nav a >> nth=0"), ("1e9", "nav a >> nth=-1")):
        shared.evaluate(f"scrollTo({{top: {top}, behavior: 'instant'}})")
        marked = shared.locator(link).and_(shared.locator("[aria-current]"))
        marked.wait_for(state="attached")
        assert shared.locator("nav [aria-current]").count() == 1
        assert shared.locator("nav > ul > li:has([aria-current]) > a").is_visible()


def test_finding_figures_leaves_nothing_else_until_the_words_are_gone(browser, report):
    page = _open(browser, report, "desktop light")
    rows = "[data-family] tbody tr[id]"
    if not page.locator("#find").count():
        pytest.skip("too few figures for a search")
    all_rows, charts = page.locator(rows).count(), page.locator(".chart:visible").count()
    name = page.locator("[data-family] [data-family]").last.get_attribute("data-family")
    page.fill("#find", name.upper())
    found = page.locator(f"{rows}:visible").count()
    assert 0 < found < all_rows
    assert page.locator("output[for=find]").inner_text().split()[0] == str(found)
    assert page.locator(".chart:visible").count() == 0
    page.fill("#find", "nothing is called so")
    assert page.locator(f"{rows}:visible, main h2:visible").count() == 0
    page.fill("#find", "")
    assert page.locator(".chart:visible").count() == charts
    page.close()


def test_a_link_to_a_folded_figure_unfolds_it(browser, report):
    page = _open(browser, report, "desktop light")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false })")
    row = page.locator("[data-family] tbody tr[id]").last
    page.evaluate("id => { location.hash = id }", row.get_attribute("id"))
    row.wait_for(state="visible")
    page.close()


def test_hostile_names_run_nothing_and_load_nothing(browser, tmp_path):
    path = tmp_path / "hostile.html"
    run = example(label=HOSTILE, machine=made.machine(host=HOSTILE))
    hostile = made.case(parameters={"word": HOSTILE}, variant=HOSTILE, benchmark=f"a.{HOSTILE}")
    write_report([replace(run, cases=(*run.cases, *_hostile_everywhere(), hostile, hostile))], path)
    page = browser.new_page()
    seen = []
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: seen.append(message.text))
    page.on("request", lambda asked: seen.append(asked.url))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]")
    page.locator(".family > summary").last.click()
    page.locator("[data-case]").last.click()
    assert page.locator("dialog[open] .main-svg").count() >= 3
    assert seen == [path.as_uri()]
    page.close()


def _hostile_everywhere():
    """In the names of hosts, variants, loads and places, which charts of their own show."""
    pairs = (f"{HOSTILE}+b", f"b+{HOSTILE}", "b+c")
    where = [("mpi.pingpong", {"bytes": n, "place": HOSTILE, "hosts": pair})
             for pair in pairs for n in (8, 1024)]  # fmt: skip
    where += [("threads.wake.all", {"blocked": n, "load": HOSTILE}) for n in (100, 1000)]
    where += [("numa.copy", {"node": 0, "memory": n, "x": HOSTILE}) for n in (0, 1)]
    cases = [
        made.case(benchmark=b, parameters=p, variant=HOSTILE, metric=LATENCY) for b, p in where
    ]
    loaded = workload("read", 4096, 1, 1, 1e3, seconds=12, machines=((HOSTILE, True),), x=HOSTILE)
    return [*cases, loaded, failed(loaded, HOSTILE)]
