"""What accidents and intruders try on a server: each gets an answer, and others are served on."""

import asyncio
import socket
from contextlib import ExitStack
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

import made
from patience import PATIENCE
from stend.errors import BadValue
from stend.record.text import LONGEST
from stend.store import Right
from stend.store.access import MOST_VISITS
from stend.web.pages.runs import AT_ONCE
from stend.web.settings import Limits, Rate, Settings
from stend.web.spool import Spool
from stend.web.visitor import misdirected, published
from web.served import ask, served

ORIGIN = "https://perf.example.org"
HOST = {"Host": "perf.example.org"}
FORM = {"Content_Type": "application/x-www-form-urlencoded", "Origin": ORIGIN}


def sign_in(url, text):
    return ask(url, "/login", "POST", urlencode({"token": text}).encode(), **FORM, **HOST)


def asked(host, version="1.1"):
    return Request({"type": "http", "http_version": version, "headers": [(b"host", host.encode())]})


def names():
    machine = socket.gethostname()
    yield from ((one, True) for one in ("192.0.2.7", "192.0.2.7:8000", "[2001:db8::7]:8000"))
    yield from ((one, True) for one in (machine, f"{machine}:8000", "localhost:8000"))
    yield from ((one, False) for one in ("evil.example", f"{machine}.evil.example", "", "192.0.2"))


@pytest.mark.parametrize(("host", "ours"), [*names()])
@pytest.mark.parametrize("public_read", [True, False])
def test_on_a_network_a_server_answers_to_addresses_and_its_machines_name(host, ours, public_read):
    settings = Settings(address="0.0.0.0", public_read=public_read)
    assert (misdirected(asked(host), settings) is None) == ours


@pytest.mark.parametrize(
    ("settings", "version", "refused"),
    [
        (Settings(), "1.0", True),
        (Settings(), "1.1", False),
        (Settings(origin=ORIGIN), "1.0", False),
    ],
)
def test_who_speaks_as_a_proxy_does_is_no_user_of_this_machine(settings, version, refused):
    said = published(asked("127.0.0.1", version), settings)
    assert bool(said and "(HTTP/1.0)" in said) == refused


def test_a_proxy_that_says_nothing_of_itself_is_refused(site):
    port = urlsplit(site.url).port
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET /runs HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
        assert b" 403 " in connection.recv(1 << 16).partition(b"\r\n")[0]


def test_one_address_does_not_take_all_connections(store, monkeypatch):
    """As if this machine were another one, which only a network of two could show."""
    monkeypatch.setattr(
        "stend.web.connections.plain", lambda said: said.replace("127.0.0.1", "192.0.2.7")
    )
    with served(store, limits=Limits(of_each=3)) as running, ExitStack() as held:
        port = urlsplit(running.url).port
        for _ in range(3):
            held.enter_context(socket.create_connection(("127.0.0.1", port)))
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as one_more:
            assert b" 503 " in one_more.recv(1 << 16)
        with socket.create_connection(
            ("127.0.0.1", port), source_address=("127.0.0.2", 0)
        ) as other:
            other.sendall(b"GET /runs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b" 200 " in other.recv(1 << 16)


def test_what_strangers_send_to_sign_in_is_small(store):
    with served(store, origin=ORIGIN) as running:
        body = b"token=" + b"a" * (64 << 10)
        assert ask(running.url, "/login", "POST", body, **FORM, **HOST).status == 413


def test_signing_in_is_in_the_audit_log_and_failing_to_is(store):
    token, text = store.access.add("maria", Right.READ, None, by="admin")
    with served(store, origin=ORIGIN) as running:
        assert [sign_in(running.url, said).status for said in (text, "wrong")] == [303, 401]
    failed, done = store.audit.read(2)
    assert (failed.who, failed.did, failed.said) == ("", "token refused", "wrong")
    assert (done.who, done.address, done.did, done.said) == (
        "maria",
        "127.0.0.1",
        "sign in",
        token.id,
    )


def test_a_token_that_is_shown_again_and_again_fills_nothing(store):
    _, text = store.access.add("maria", Right.READ, None, by="admin")
    limits = Limits(signing_in=Rate(2, 0.01))
    with served(store, origin=ORIGIN, limits=limits) as running:
        said = [sign_in(running.url, text) for _ in range(4)]
        assert [one.status for one in said] == [303, 303, 429, 429]
        assert said[3].headers["retry-after"]
        _, other = store.access.add("ivan", Right.READ, None, by="admin")
        assert sign_in(running.url, other).status == 303
    assert len(store.audit.read(100, did="sign in")) == 3


def test_a_token_has_so_many_visits_and_the_newest_is_one_of_them(store):
    token, _ = store.access.add("maria", Right.READ, None, by="admin")
    cookies = [store.access.visit(token) for _ in range(MOST_VISITS + 2)]
    live = [cookie for cookie in cookies if store.access.visitor(cookie)]
    assert live == cookies[2:]


def test_removed_runs_are_shown_page_by_page(store):
    for number in range(AT_ONCE + 1):
        store.add(made.run((), id=f"{number:032x}", label=f"number-{number}"))
        store.trash.put(f"{number:032x}", "me")
    with served(store) as running:
        first = ask(running.url, "/trash").text
        assert first.count("number-") >= AT_ONCE
        assert ">number-0<" not in first
        api = ask(running.url, "/api/v1/trash?limit=3").json
        assert [run["label"] for run in api["runs"]] == ["number-50", "number-49", "number-48"]
        (older,) = [part for part in first.split('"') if part.startswith("/trash?after=")]
        assert ">number-0<" in ask(running.url, older).text
        assert ask(running.url, f"/trash?after={api['next']}").text.count("number-47") >= 1
        assert ask(running.url, "/trash?after=x").status == 400


class Body:
    """A request whose body comes in these parts."""

    def __init__(self, *parts, declared=None):
        self.parts, self.left = parts, False
        self.headers = {} if declared is None else {"content-length": str(declared)}

    async def stream(self):
        for part in self.parts:
            yield part
        if self.left:
            raise ClientDisconnect


async def received(spool, body, most=2 << 20):
    async with spool.body(body, most) as file:
        return file.read()


def test_a_body_comes_whole_whatever_its_parts():
    for parts in ([], [b"a"], [b"a" * 100_000] * 9, [b"a" * (300 << 10), b"b", b""]):
        assert asyncio.run(received(Spool(), Body(*parts))) == b"".join(parts)


def test_all_bodies_together_have_so_much_room_and_leave_it():
    async def several():
        spool = Spool(most=1000)
        async with spool.body(Body(b"a" * 600), 1000):
            with pytest.raises(HTTPException) as told:
                await received(spool, Body(b"b" * 600))
            assert (told.value.status_code, told.value.headers["retry-after"]) == (503, "5")
            assert await received(spool, Body(b"c" * 400)) == b"c" * 400
        left = Body(b"a" * 600)
        left.left = True
        with pytest.raises(ClientDisconnect):
            await received(spool, left)
        for body in (Body(b"a" * 11), Body(declared=11)):
            with pytest.raises(HTTPException, match="too large"):
                await received(spool, body, most=10)
        assert await received(spool, Body(b"d" * 1000)) == b"d" * 1000

    asyncio.run(several())


def test_a_label_is_as_long_everywhere(site):
    label = "a" * LONGEST
    assert site.store.relabel("last", label)
    with pytest.raises(BadValue, match="at most 200 characters, not 201"):
        site.store.relabel("last", label + "b")
    assert f'maxlength="{LONGEST}"' in ask(site.url, "/changes").text
    for said, status in ((label, 200), (label + "b", 400)):
        assert ask(site.url, f"/api/v1/runs?label={said}").status == status


@pytest.mark.parametrize("query", ["days=x", "days=-1", "size=<b>", "label=" + "a" * 201])
def test_a_wrong_word_of_an_address_is_told_in_a_sentence(site, query):
    answer = ask(site.url, f"/fleet?{query}")
    assert answer.status == 400
    name = query.partition("=")[0]
    assert f", at <code>{name}</code>; fix or remove that." in answer.text
