"""A page in a site's frame: what it links, and that all of it works under the strictest policy."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from jinja2 import DictLoader
from msgspec.structs import replace

from planted import planted
from report.example import example
from report.parallel import parallel
from report.processor import processor
from report.test_page import Seen
from report.test_trend_page import followed
from report.unet_runs import unet
from stend.comparing import compare
from stend.errors import UnknownName
from stend.report import comparison_page, trend_page
from stend.report.frame import Frame, environment, render, static
from stend.report.page import distribution_of, page

SITE = """{% extends "base.html" %}
{% block head %}{% include "linked.html" %}{% endblock %}
{% block site %}<p id="visitor">{{ visitor }}</p>{% endblock %}"""

EMPTY = (
    """{% extends frame %}{% block main %}<div id="later" class="panels n1"></div>{% endblock %}"""
)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


def frame(visitor="somebody", distribution=None):
    loader = DictLoader({"site.html": SITE, "empty.html": EMPTY})
    values = {"linked": "/static/{}".format, "visitor": visitor}
    return Frame("site.html", environment(loader), values, distribution)


def test_a_page_in_a_site_links_what_a_file_contains():
    seen = Seen(page([example()], frame=frame()))
    assert seen.open == []
    linked = [value for name, value in seen.attributes if name in {"src", "href", "data-plotly"}]
    assert {one.removeprefix("/static/") for one in linked if "static" in one} == set(static())
    assert "style" not in seen.tags
    assert "Everything is in this file" not in seen.text
    assert "Content-Security-Policy" not in [value for _, value in seen.attributes]


def _main(text):
    return text[text.index("<main") : text.index("</main>")]


def test_every_page_can_stand_in_a_site_and_says_the_same_there(tmp_path):
    one, other = example(1), example(2)
    for written in (
        lambda frame: page([one, other], frame=frame),
        lambda frame: comparison_page.to_html(["B"], [compare(one, other)], frame),
        lambda frame: trend_page.page(followed(tmp_path, planted(12)), frame),
    ):
        assert _main(written(frame())) == _main(written(None))


@contextmanager
def site(pages):
    """The address of a server of `pages` by their paths, and of the static files, with `POLICY`."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.rpartition("/")[2]
            content = static().get(name) or pages.get(self.path, "").encode(errors="replace")
            kind = {"css": "text/css", "js": "text/javascript"}.get(name.rpartition(".")[2])
            self.send_response(200 if content else 204)
            self.send_header("Content-Type", kind or "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _inferring(run):
    return replace(run, cases=(*run.cases, *unet(peaks=False).cases))


PAGES = {
    "runs": lambda _: page([example(1, processes=2), example(2, processes=2)], frame=frame()),
    "processor": lambda _: page([_inferring(processor(processes=2))], frame=frame()),
    "matrices": lambda _: page([parallel(cpus=8)], frame=frame()),
    "comparison": lambda _: comparison_page.to_html(
        ["B"], [compare(example(1), example(2, 1.05))], frame()
    ),
    "trend": lambda path: trend_page.page(followed(path, planted(12)), frame()),
}


@pytest.fixture
def opened(browser):
    """A function: an address → its page in the browser, with what it complained of."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))

    def open(address):
        page.goto(address)
        page.wait_for_selector("html[data-drawn]")
        return page

    yield open
    page.close()


@pytest.mark.parametrize("kind", PAGES)
def test_every_chart_is_drawn_under_a_policy_without_exceptions(opened, tmp_path, kind):
    with site({"/": PAGES[kind](tmp_path)}) as address:
        page = opened(address)
        page.evaluate("['beforeprint', 'afterprint'].map(name => dispatchEvent(new Event(name)))")
        assert page.locator("[data-chart]").count() > 0
        assert page.locator("[data-chart]:not(:has(.main-svg))").count() == 0
        page.evaluate("document.querySelectorAll('.family').forEach(one => { one.open = true; })")
        if page.locator("[data-case]:visible").count():
            page.locator("[data-case]:visible").first.click()
            assert page.locator("dialog[open] .main-svg").count() >= 3
        page.locator("[data-chart] .nsewdrag").first.hover(force=True)
        assert page.complaints == []


def test_a_distribution_at_an_address_of_its_own_is_fetched_when_it_is_asked_for(opened):
    run = example()
    place = next(i for i, case in enumerate(run.cases) if case.has_figure)
    text = page([run], frame=frame(distribution="/{}/{}".format))
    assert len(text) < len(page([run], frame=frame())) * 0.8
    with site(
        {"/": text, f"/{run.id}/{place}": json.dumps(distribution_of(run, place))}
    ) as address:
        shown = opened(address)
        shown.locator(f"[data-case=run-0-case-{place}]").dispatch_event("click")
        shown.wait_for_selector("dialog[open] .main-svg")
        assert shown.locator("dialog h2").inner_text() == run.cases[place].name
        assert shown.complaints == []


@pytest.mark.parametrize("place", [-1, 10_000])
def test_a_case_that_is_not_there_has_no_distribution(place):
    with pytest.raises(UnknownName, match="no figure"):
        distribution_of(example(), place)


def test_pages_of_many_threads_are_what_they_are_alone():
    runs = [example(seed) for seed in range(4)]
    alone = [page([run], frame=frame()) for run in runs]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda run: page([run], frame=frame()), runs)) == alone


PANEL = "{data: [{type: 'scatter', x: [1, 2], y: [1, %d], line: {color: '--s0'}}], layout: {}}"


def test_a_script_draws_panels_and_updates_them_in_place(opened):
    with site({"/": _empty()}) as address:
        page = opened(address)
        page.evaluate(
            f"stend.draw(document.getElementById('later'), [{PANEL % 2}])",
        )
        page.wait_for_selector("#later .main-svg")
        page.evaluate("document.querySelector('#later .plot').known = true")
        page.evaluate(f"stend.draw(document.getElementById('later'), [{PANEL % 9}])")
        assert page.evaluate("document.querySelector('#later .plot').known")
        assert page.evaluate("document.querySelector('#later .plot').data[0].y[1]") == 9
        assert page.complaints == []


def test_a_part_that_came_later_has_its_charts_once_it_says_so(opened):
    with site({"/": _empty()}) as address:
        page = opened(address)
        assert page.evaluate("typeof Plotly") == "undefined"
        page.evaluate(
            """panel => {
                const later = document.getElementById("later");
                later.innerHTML = `<div data-chart="one"></div>
                    <script type="application/json" data-charts>{"one": [${panel}]}</script>`;
                later.dispatchEvent(new Event("replaced", { bubbles: true }));
            }""",
            '{"title": "", "data": [{"type": "bar", "x": [1], "y": [2]}], "layout": {}}',
        )
        page.wait_for_selector("#later .main-svg")
        assert page.complaints == []


def _empty():
    """A page of the site without a chart."""
    return render("empty.html", "Nothing yet", (), {}, frame())
