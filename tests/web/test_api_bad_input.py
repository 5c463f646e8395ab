"""Whatever is sent to the API, the answer is a sentence of the 400s, and nothing has changed."""

import json
from urllib.parse import quote

import pytest

from stend.store import Query
from stend.web.compute_slots import Turns
from stend.web.site import Site
from web.asking import IDS, Asking, stocked
from web.served import ask, served

RUN = IDS[0]
SQL = (
    "'; DROP TABLE stend_runs; --",
    "' OR '1'='1",
    '" OR ""="',
    "1) UNION SELECT 1",
    "%",
    "_",
    "\\",
)


@pytest.fixture(scope="module")
def api(shared):
    return Asking(stocked(shared))


@pytest.fixture(autouse=True)
def nothing_changes(api):
    def state():
        found = api.store.listing(Query(), 10).runs
        return found, api.store.trash.list(), api.store.audit.read(10), api.store.access.tokens()

    before = state()
    yield
    assert state() == before


def refused(answer, *statuses):
    assert answer.status in (statuses or (400,)), answer.body
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["detail"].endswith((".", "?"))
    return answer.json["detail"]


@pytest.mark.parametrize(
    "run",
    [
        "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "aaaa%00", "aaaa%0a", "%c0%ae%c0%ae",
        "%ff%fe", "AAAA", "aaa", "last", "label:before", "published:elbrus-16c", "a" * 33,
        "a" * 100_000, "%27%20OR%201=1", "٤٤٤٤",
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_path_that_is_no_id_names_no_run(api, run, method):
    refused(api.ask(f"/runs/{quote(run, safe='%/')}", method), 400, 404)


@pytest.mark.parametrize("name", ["stream", "memory", "processor", "nothing", "stream.", "a" * 100])
def test_what_is_no_benchmark_has_no_page(api, name):
    assert name in refused(api.ask(f"/benchmarks/{name}"), 404)


@pytest.mark.parametrize(
    "address",
    [
        "/machines/nobody", "/machines/..%2f..%2fetc", "/machines/%00", "/machines/%ff", "/changes",
        "/changes?from=2026-01-02&to=2026-01-01", "/changes?from=0001-01-01&to=9999-12-31",
        "/changes?from=yesterday&to=today", "/changes?from=20260101&to=2026-01-02",
        "/changes?from=2026-W01-1&to=2026-01-02", "/changes?from=1&to=2",
        "/changes?from=2026-01-01T00:00&to=2026-01-02", "/changes?first=2026-01-01&last=2026-01-02",
        "/machines?host=x", "/runs/choices?x=1", "/changes/aaaa/zzzz", "/changes/aaaa/bbbbb%00",
        "/fleet?days=-1", "/fleet?days=1e9", "/fleet?size=check", "/fleet?session=%00",
    ],
)  # fmt: skip
def test_machines_and_days_that_are_not_there_are_told(api, address):
    refused(api.ask(address), 400, 404)


@pytest.mark.parametrize("text", SQL)
@pytest.mark.parametrize("field", ["label", "host", "group", "search", "benchmark"])
def test_a_filter_is_text_and_never_sql(api, field, text):
    assert api[f"/runs?{field}={quote(text)}"]["runs"] == []


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=501", "limit=1e2", "limit=%31%30%00", "limit=1&limit=2", "limit=",
        "limit", "finished=yes", "size=huge", "status=fine", "since=yesterday", "since=2026-13-45",
        "after=x", f"after={'A' * 5000}", "nothing=1", "label=%00", "label=a%0Ab", "label=%ff",
        "label=%c0%ae", f"label={'x' * 100_000}", f"search={'+'.join(map(str, range(17)))}",
        "Label=x", "limit=+1", "limit=01", "limit=1_0", "limit=1.0", "limit=%201", "limit=true",
        "finished=1", "finished=on", "finished=", "since=2026-02-01%0A",
        "&".join(f"status=failed&x{i}=1" for i in range(300)), "limit=99999999999999999999",
    ],
)  # fmt: skip
def test_a_parameter_that_is_wrong_is_told(api, query):
    refused(api.ask(f"/runs?{query}"))


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b'"x"', b"null", b"{}", b'{"label": 1}', b'{"label": null}',
        b'{"label": "a", "label": "b"}', b'{"label": "a", "id": "b"}', b'{"label": "\\ud800"}',
        b'{"label": "a", "\\u001b[1m": 1}',
        b'{"label": "\xff"}', b"[" * 60_000, b'{"label": ' + b"[" * 60_000,
        b'{"x": ' + b"[" * 30_000 + b"]" * 30_000 + b', "label": "a"}',
        b'\xef\xbb\xbf{"label":"a"}',
        b'{"label": "a"}{"label": "b"}', b'{"label": NaN}', b'{"label": "last"}',
        b'{"label": "last~3"}', json.dumps({"label": "x" * 201}).encode(),
        '{"label": "a"}'.encode("utf-16"),
    ],
    ids=lambda body: repr(body[:24]),
)  # fmt: skip
def test_a_body_that_is_wrong_is_told(api, body):
    answer = api.ask(
        f"/runs/{RUN}", "PATCH", body, {"content-type": "application/json", "content-length": "9"}
    )
    assert refused(answer).isprintable()


@pytest.mark.parametrize(
    "form",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/json"],
)
def test_a_body_of_another_form_is_refused_as_pages_of_others_could_send_it(api, form):
    refused(api.ask(f"/runs/{RUN}", "PATCH", b'{"label": "x"}', {"content-type": form}), 415)


@pytest.mark.parametrize("size", [b'"10"', b"10.0", b"1e1", b"true", b"null", b"0", b"9" * 40])
def test_a_number_of_a_body_is_not_made_of_something_else(api, size):
    body = b'{"digest": "%s", "bytes": %s}' % (b"a" * 64, size)
    refused(api.ask("/uploads", "POST", body))


@pytest.mark.parametrize(
    ("method", "address"),
    [("POST", "/tokens"), ("PATCH", "/runs/no-id"), ("PUT", f"/runs/{RUN}"), ("GET", "/runs?x=1")],
)
def test_who_may_not_learns_nothing_of_what_else_is_wrong(api, method, address):
    stranger = {"authorization": "none", "accept": "text/html", "content-type": "text/plain"}
    refused(api.ask(address, method, b"x" * 100_000, stranger), 401)


def test_a_body_that_goes_on_is_not_read_to_its_end(api):
    body = b'{"label": "' + b"x" * 100_000
    refused(api.ask(f"/runs/{RUN}", "PATCH", body), 413)


@pytest.mark.parametrize("expires", ["2001-01-01", "never", "2026-02-30", "9999-12-31T23:59-23:59"])
def test_a_token_can_not_end_before_it_begins(api, expires):
    body = json.dumps({"name": "x", "right": "read", "expires": expires}).encode()
    refused(api.ask("/tokens", "POST", body))


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "x", "right": "none"}', b'{"name": "", "right": "read"}',
        b'{"name": "a\\u0000b", "right": "read"}',
    ],
)  # fmt: skip
def test_a_token_for_nobody_or_nothing_is_refused(api, body):
    refused(api.ask("/tokens", "POST", body))


@pytest.mark.parametrize(
    "sides",
    [
        "", "a=", "b=last", "a=last&b=last", "a=/etc/passwd", "a=last&b=run.json", "a=label:",
        "a=label:nobody", "a=before,after", "a=last~9", "a=published:..%2F..%2Fx",
        f"a={RUN}&b={RUN}&b={RUN}", f"a={RUN}",
    ],
)  # fmt: skip
def test_sides_that_can_not_be_compared_are_told(api, sides):
    said = refused(api.ask(f"/compare?{sides}"), 400, 404)
    assert "Traceback" not in said


def test_a_file_of_the_server_is_no_run(api, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.json").write_bytes(api.ask(f"/runs/{RUN}").body)
    assert "mine.json" in refused(api.ask("/compare?a=mine.json&b=last"), 404)


def test_who_computes_too_much_at_once_waits_or_is_sent_away(api):
    site: Site = api.app.state.site
    site.turns = Turns(at_once=1, waiting=0)
    with site.turns.taken():
        answer = api.ask(f"/runs/{RUN}/figures")
        refused(answer, 503)
        assert int(answer.headers["retry-after"]) > 0
        assert api.ask("/runs").status == 200
    assert api.ask(f"/runs/{RUN}/figures").status == 200


def test_what_reaches_a_server_raw_is_refused_as_well(api):
    with served(api.store) as site:
        for path in ("/api/v1/runs/..%2f..%2fetc", "/api/v1/runs?label=%00", "/api/v1/../../etc"):
            assert 400 <= ask(site.url, path).status < 500
