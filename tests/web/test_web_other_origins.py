"""Pages of another origin, open in the browser of who may do everything here."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import made
from chromium import chromium

NAMES = ["127.0.0.1", "localhost"]
"""Of the other origin: on the same site, since ports don't part sites, and on another."""
LABEL = "before-the-update"


class Elsewhere(BaseHTTPRequestHandler):
    """A page of somebody else."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title>")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def elsewhere():
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def store(empty):
    empty.add(made.run(label=LABEL))
    return empty


@pytest.fixture
def owner(browser, site):
    """A browser in which the printed address was opened."""
    context = browser.new_context()
    context.new_page().goto(site.address)
    yield context
    context.close()


def is_owner(context, site):
    page = context.new_page()
    page.goto(f"{site.url}/runs")
    return "here" in page.locator("header").first.inner_text()


@pytest.mark.parametrize("name", NAMES)
def test_a_form_that_another_page_sends_is_refused(owner, site, elsewhere, name):
    page = owner.new_page()
    page.goto(f"http://{name}:{elsewhere}/")
    with page.expect_navigation(url=f"{site.url}/logout") as answer:
        page.evaluate(
            """to => {
                const form = document.createElement("form");
                form.method = "post";
                form.action = to;
                document.body.append(form);
                form.submit();
            }""",
            f"{site.url}/logout",
        )
    assert answer.value.status == 403
    assert "not sent by a page of this server" in page.inner_text("main")
    assert is_owner(owner, site)


@pytest.mark.parametrize("name", NAMES)
def test_a_script_of_another_page_reads_and_changes_nothing(owner, site, elsewhere, name):
    page = owner.new_page()
    sent = []
    page.on("request", lambda one: one.url.startswith(site.url) and sent.append(one.url))
    page.goto(f"http://{name}:{elsewhere}/")
    read = page.evaluate(
        """async site => {
            const all = {credentials: "include"};
            const tries = [
                ["/logout", {method: "POST", mode: "no-cors", ...all}],
                ["/logout", {method: "POST", ...all}],
                ["/api/v1/runs", all],
                ["/api/v1/runs", {headers: {Authorization: "Bearer x"}, ...all}],
                ["/runs", {mode: "no-cors", ...all}],
            ];
            const said = await Promise.all(tries.map(([path, how]) =>
                fetch(site + path, how).then(answer => answer.text(), () => "")));
            return said.join("");
        }""",
        site.url,
    )
    assert read == ""
    assert len(sent) >= 4
    assert is_owner(owner, site)


@pytest.mark.parametrize("name", NAMES)
def test_no_other_page_shows_this_server_in_a_frame(owner, site, elsewhere, name):
    page = owner.new_page()
    page.goto(f"http://{name}:{elsewhere}/")
    page.evaluate(
        """to => new Promise(done => {
            const frame = document.createElement("iframe");
            frame.onload = done;
            frame.src = to;
            document.body.append(frame);
        })""",
        f"{site.url}/runs",
    )
    assert all(LABEL not in frame.content() for frame in page.frames)


@pytest.mark.parametrize("name", NAMES)
def test_a_link_from_elsewhere_is_followed(owner, site, elsewhere, name):
    page = owner.new_page()
    page.goto(f"http://{name}:{elsewhere}/")
    page.evaluate("to => { location.href = to }", f"{site.url}/runs")
    page.wait_for_url(f"{site.url}/runs")
    assert "here" in page.locator("header").first.inner_text()


def test_a_name_that_is_made_to_resolve_to_loopback_leads_nowhere(browser, site):
    rule = "--host-resolver-rules=MAP evil.example 127.0.0.1"
    with chromium(browser.browser_type, rule) as misled:
        page = misled.new_page()
        answer = page.goto(site.url.replace("127.0.0.1", "evil.example") + "/runs")
        assert answer.status == 421
        assert LABEL not in page.content()
