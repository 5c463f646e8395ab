"""What another page in the same browser, another name or a careless proxy can't do."""

import http.client
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.requests import Request

from patience import PATIENCE
from stend.errors import BadValue
from stend.store import Right
from stend.web.settings import Settings
from stend.web.visitor import address_of, counted_as
from web.served import HOST, ORIGIN, ask, served


@pytest.fixture
def own(store):
    with served(store) as running:
        yield running


@pytest.fixture
def team(store):
    with served(store, origin=ORIGIN) as running:
        yield running


@pytest.fixture
def visit(store):
    token, _ = store.access.add("maria", Right.ADMIN, None, by="admin")
    return f"__Host-stend={store.access.visit(token)}"


def port(url):
    return urlsplit(url).port


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
@pytest.mark.parametrize("path", ["/runs", "/api/v1/runs", "/static/x/site.css"])
def test_on_the_own_machine_no_other_name_leads_to_the_server(own, host, path):
    answer = ask(own.url, path, Host=host)
    assert answer.status == 421
    assert "127.0.0.1 and localhost" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:8000"])
def test_loopback_by_any_port_leads_to_it(own, host):
    assert ask(own.url, "/runs", Host=host).status == 200


def test_behind_a_proxy_only_the_origins_name_and_loopback_lead_to_it(team):
    def status(host):
        return ask(team.url, "/login", Host=host).status

    assert [status("perf.example.org"), status("perf.example.org:443"), status("localhost")] == [
        200,
        200,
        200,
    ]
    assert status("other.example.org") == 421


@pytest.mark.parametrize(
    "said",
    [
        {"X_Forwarded_For": "192.0.2.7"},
        {"Forwarded": "for=192.0.2.7"},
        {"Via": "1.1 proxy"},
        {"X_Real_IP": "192.0.2.7"},
        {"X_Forwarded_Proto": "https"},
    ],
)
def test_what_a_proxy_passes_on_is_refused_where_no_proxy_was_told_of(own, said):
    answer = ask(own.url, "/api/v1/runs", **said)
    assert answer.status == 403
    assert "--origin" in answer.json["detail"]
    assert ask(own.url, "/" + own.address.rpartition("/")[2], **said).status == 403


FORGED = [
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
    {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"},
    {"Sec_Fetch_Site": "same-site", "Origin": ORIGIN},
    {"Sec_Fetch_Site": ""},
    {"Origin": "https://evil.example"},
    {"Origin": "http://perf.example.org"},
    {"Origin": "https://perf.example.org:444"},
    {"Origin": "null"},
    {},
]


@pytest.mark.parametrize("said", FORGED)
def test_what_a_page_of_elsewhere_makes_a_browser_send_changes_nothing(team, visit, said):
    answer = ask(team.url, "/logout", "POST", b"", Cookie=visit, **said, **HOST)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers
    assert ask(team.url, "/runs", Cookie=visit, **HOST).status == 200


@pytest.mark.parametrize(
    "said", [{"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}, {"Origin": ORIGIN}]
)
def test_what_our_own_page_sends_is_done(team, visit, said):
    assert ask(team.url, "/logout", "POST", b"", Cookie=visit, **said, **HOST).status == 303
    assert ask(team.url, "/runs", Cookie=visit, **HOST).status == 303


def test_nobody_is_signed_in_by_another_page(team, store):
    _, text = store.access.add("mallory", Right.READ, None, by="admin")
    body = urlencode({"token": text}).encode()
    kind = {"Content_Type": "application/x-www-form-urlencoded"}
    answer = ask(team.url, "/login", "POST", body, Sec_Fetch_Site="cross-site", **kind, **HOST)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


def test_on_the_own_machine_the_origin_is_the_name_that_was_asked_for(own):
    shown = ask(own.url, "/" + own.address.rpartition("/")[2]).headers["set-cookie"].split(";")[0]

    def status(origin):
        return ask(own.url, "/logout", "POST", b"", Cookie=shown, Origin=origin).status

    assert status(own.url) == 303
    assert status(f"http://localhost:{port(own.url)}") == 403
    assert status("http://127.0.0.1:1") == 403


def test_links_from_elsewhere_are_followed_and_nothing_is_embedded(team, visit):
    def status(mode, dest):
        said = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": mode, "Sec_Fetch_Dest": dest}
        return ask(team.url, "/runs", Cookie=visit, **said, **HOST).status

    assert status("navigate", "document") == 200
    assert [status("no-cors", "image"), status("cors", "empty"), status("navigate", "iframe")] == [
        403,
        403,
        403,
    ]


def test_a_program_with_a_token_needs_no_origin(team, store):
    _, text = store.access.add("bench7", Right.READ, None, by="admin")
    said = {"Sec_Fetch_Site": "cross-site", **HOST}
    assert ask(team.url, "/api/v1/runs", token=text, **said).status == 200


def request(peer, *said):
    headers = [(b"x-forwarded-for", one.encode()) for one in said]
    return Request({"type": "http", "client": (peer, 1), "headers": headers})


@pytest.mark.parametrize(
    ("peer", "said", "found"),
    [
        ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["10.0.0.1, 192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["10.0.0.1", "192.0.2.7"], "192.0.2.7"),
        ("::1", ["2001:db8::7"], "2001:db8::7"),
        ("127.0.0.1", ["<script>"], "127.0.0.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("::ffff:127.0.0.1", ["::ffff:192.0.2.7"], "192.0.2.7"),
        ("198.51.100.3", ["192.0.2.7"], "198.51.100.3"),
    ],
)
def test_only_a_proxy_of_the_same_machine_is_believed_whose_request_it_is(peer, said, found):
    assert address_of(request(peer, *said), Settings(origin=ORIGIN)) == found


def test_nobody_is_believed_where_no_proxy_was_told_of():
    settings = Settings(address="0.0.0.0")
    assert address_of(request("127.0.0.1", "192.0.2.7"), settings) == "127.0.0.1"


def test_addresses_of_one_ipv6_network_count_together():
    assert counted_as("2001:db8::1") == counted_as("2001:db8::ffff:2") != counted_as("2001:db9::1")
    assert counted_as("192.0.2.7") == "192.0.2.7"


@pytest.mark.parametrize(
    "origin",
    [
        "perf.example.org",
        "https://",
        "https://perf.example.org/",
        "https://perf.example.org/stend",
        "https://perf.example.org:443",
        "http://perf.example.org:80",
        "https://Perf.example.org",
        "https://a@perf.example.org",
        "ftp://perf.example.org",
        "https://perf.example.org\n",
        "https://пример.рф",
    ],
)
def test_an_origin_is_taken_only_as_browsers_write_it(origin):
    with pytest.raises(BadValue, match=r"such as https://perf\.example\.org"):
        Settings(origin=origin)


@pytest.mark.parametrize("origin", [ORIGIN, "http://10.0.0.1:8000", "https://[2001:db8::1]:8443"])
def test_an_origin_is_scheme_host_and_port(origin):
    assert Settings(origin=origin).url == origin


@pytest.mark.parametrize("address", ["localhost", "", "127.0.0.1:8000", "256.0.0.1", "example.org"])
def test_what_is_no_ip_address_is_not_listened_on(address):
    with pytest.raises(BadValue, match="not an IP address"):
        Settings(address=address)


def test_methods_that_a_page_lacks_are_refused_by_name(own):
    connection = http.client.HTTPConnection("127.0.0.1", port(own.url), timeout=PATIENCE)
    for method in ("DELETE", "PUT", "TRACE", "CONNECT", "BREW"):
        connection.request(method, "/login")
        answer = connection.getresponse()
        assert (answer.status, "GET" in answer.headers["allow"]) == (405, True)
        answer.read()
    connection.close()
