"""Who is let in: tokens that are borne, browsers that showed one, and nobody else."""

from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest

from stend import __version__
from stend.errors import StoreError
from stend.store import Right, Store
from stend.web.pages.login import own_path
from stend.web.settings import Limits, Rate
from web.served import HOST, ORIGIN, ask, served

FORM = {"Content_Type": "application/x-www-form-urlencoded"}
OWNER = "<b>here</b>"
FEW = Limits(wrong=Rate(3, 0.001))


@pytest.fixture
def team(store):
    with served(store, origin=ORIGIN, limits=FEW) as running:
        yield running


def token(store, right=Right.READ, name="maria", until=None):
    return store.access.add(name, right, until, by="admin")[1]


def sign_in(url, text, then="/"):
    body = urlencode({"token": text, "next": then}).encode()
    return ask(url, "/login", "POST", body, Origin=ORIGIN, **FORM, **HOST)


def cookies(answer):
    return SimpleCookie(", ".join(answer.headers.get_all("set-cookie") or []))


def cookie(answer):
    return "; ".join(f"{name}={one.value}" for name, one in cookies(answer).items())


@pytest.mark.parametrize("path", ["/runs", "/runs?limit=3"])
def test_a_stranger_is_led_to_the_login_page_and_back(team, path):
    answer = ask(team.url, path, **HOST)
    assert answer.status == 303
    assert answer.headers["location"] == "/login?" + urlencode({"next": path})
    assert b"stend" in ask(team.url, answer.headers["location"], **HOST).body


@pytest.mark.parametrize("path", ["/login", "/nothing"])
def test_a_stranger_does_not_learn_the_version(team, store, path):
    assert __version__ not in ask(team.url, path, **HOST).text
    assert __version__ in ask(team.url, path, token=token(store), **HOST).text


def test_a_program_without_a_token_is_told_so(team):
    answer = ask(team.url, "/api/v1/runs", **HOST)
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "token" in answer.json["detail"]


@pytest.mark.parametrize("path", ["/api/v1/runs", "/runs", "/login", "/nothing"])
def test_nothing_that_a_token_shows_is_kept_for_others(team, store, path):
    answer = ask(team.url, path, token=token(store), **HOST)
    (said,) = answer.headers.get_all("cache-control")
    assert said in ("no-store", "private, no-cache")


@pytest.mark.parametrize("right", [Right.READ, Right.WRITE, Right.ADMIN])
def test_a_token_lets_in(team, store, right):
    assert ask(team.url, "/api/v1/runs", token=token(store, right), **HOST).status == 200


def test_who_reads_everything_needs_no_token_where_that_is_public(store):
    with served(store, origin=ORIGIN, public_read=True) as running:
        assert ask(running.url, "/runs", **HOST).status == 200


def wrong(store):
    return "stend_" + "a" * 12 + "_" + "b" * 43


def expired(store):
    text = token(store, until=datetime.now(UTC) + timedelta(milliseconds=30))
    while store.access.tokens()[0].live:
        pass
    return text


def revoked(store):
    text = token(store)
    store.access.revoke("maria", by="admin")
    return text


def another_secret(store):
    text = token(store)
    return text[:-43] + text[-43:][::-1]


WRONG = [wrong, expired, revoked, another_secret]


@pytest.mark.parametrize("kind", WRONG)
def test_all_wrong_tokens_get_one_answer(team, store, kind):
    answer = ask(team.url, "/api/v1/runs", token=kind(store), **HOST)
    assert answer.status == 401
    assert answer.json["detail"] == (
        "This token is wrong, expired or revoked; ask for another one."
    )
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'


@pytest.mark.parametrize("text", ["", "x", "Ω", "stend_", "stend_a_b", "a" * 5000, "\x7f"])
def test_what_is_no_token_at_all_is_a_wrong_one(team, text):
    said = f"Bearer {text}".encode().decode("latin-1")
    assert ask(team.url, "/api/v1/runs", Authorization=said, **HOST).status == 401


def test_a_wrong_token_is_noted_without_its_secret(team, store):
    ask(team.url, "/api/v1/runs", token=revoked(store), X_Forwarded_For="192.0.2.7", **HOST)
    entry = store.audit.read(1)[0]
    assert (entry.did, entry.address, entry.said) == ("token refused", "192.0.2.7", "revoked")
    assert entry.to == store.access.tokens()[0].id


def test_many_wrong_tokens_of_one_address_are_slowed_and_others_are_not(team, store):
    def status(address, text):
        asked = {"X_Forwarded_For": address, **HOST}
        return ask(team.url, "/api/v1/runs", token=text, **asked).status

    said = [status("192.0.2.7", "wrong") for _ in range(5)]
    assert said == [401, 401, 401, 429, 429]
    assert status("192.0.2.8", "wrong") == 401
    assert status("192.0.2.7", token(store)) == 200
    assert len(store.audit.read(10, did="token refused")) == 4


def test_a_browser_signs_in_and_out(team, store):
    answer = sign_in(team.url, token(store, name="maria <b>"), "/runs?limit=3")
    assert (answer.status, answer.headers["location"]) == (303, "/runs?limit=3")
    (name,) = cookies(answer)
    kept = cookies(answer)[name]
    assert name == "__Host-stend"
    assert (kept["secure"], kept["httponly"], kept["path"]) == (True, True, "/")
    assert kept["samesite"] == "lax"
    page = ask(team.url, "/runs", Cookie=cookie(answer), **HOST)
    assert page.status == 200
    assert "maria &lt;b&gt;" in page.text
    out = ask(team.url, "/logout", "POST", b"", Cookie=cookie(answer), Origin=ORIGIN, **HOST)
    assert cookies(out)[name].value == ""
    assert ask(team.url, "/runs", Cookie=cookie(answer), **HOST).status == 303


def test_a_revoked_token_ends_its_visits(team, store):
    shown = cookie(sign_in(team.url, token(store)))
    store.access.revoke("maria", by="admin")
    assert ask(team.url, "/runs", Cookie=shown, **HOST).status == 303


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_token_signs_nobody_in(team, store, kind):
    answer = sign_in(team.url, kind(store))
    assert answer.status == 401
    assert "wrong, expired or revoked" in answer.text
    assert "set-cookie" not in answer.headers


def test_a_wrong_token_counts_though_the_cookie_is_good(team, store):
    shown = cookie(sign_in(team.url, token(store)))
    assert ask(team.url, "/runs", token="wrong", Cookie=shown, **HOST).status == 401


@pytest.mark.parametrize("right", [Right.READ, Right.WRITE, Right.ADMIN])
def test_the_cookie_of_a_server_is_none_to_another_kind(store, right):
    """What is made up, is a token, or is a former start's key lets nobody in."""
    text = token(store, right)
    with served(store, origin=ORIGIN) as running:
        for said in (text, "here", "", "%00", "a" * 4000):
            shown = f"__Host-stend={said}"
            assert ask(running.url, "/runs", Cookie=shown, **HOST).status == 303


ELSEWHERE = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/runs\r\nSet-Cookie: a=b",
    "\\\\evil.example",
    "/ü",
    "",
]


@pytest.mark.parametrize("then", ELSEWHERE)
def test_nobody_is_led_elsewhere(team, store, then):
    assert own_path(then) == "/"
    assert sign_in(team.url, token(store), then).headers["location"] == "/"


@pytest.mark.parametrize("then", ["/", "/runs", "/runs?search=a%20b&x=1", "/runs/0123"])
def test_one_is_led_back_on_the_same_server(then):
    assert own_path(then) == then


def test_on_the_own_machine_everybody_reads_and_the_printed_address_makes_one_its_owner(store):
    with served(store) as running:
        stranger = ask(running.url, "/runs")
        assert "Sign in" in stranger.text
        answer = ask(running.url, "/" + running.address.rpartition("/")[2])
        assert (answer.status, answer.headers["location"]) == (303, "/")
        owner = ask(running.url, "/runs", Cookie=cookie(answer))
        assert OWNER in owner.text
        assert "admin" in owner.text


def test_a_wrong_key_makes_nobody_the_owner(store):
    with served(store) as running:
        answer = ask(running.url, "/?key=wrong")
        assert answer.status == 403
        assert "set-cookie" not in answer.headers
        assert OWNER not in ask(running.url, "/runs", Cookie="stend-1=wrong").text


def test_the_key_is_worth_nothing_behind_a_proxy(store):
    with served(store, origin=ORIGIN) as running:
        assert "key" not in running.address
        assert ask(running.url, "/?key=", **HOST).headers["location"] == "/runs"


def test_two_servers_of_one_machine_do_not_take_each_others_cookies(store):
    with served(store) as one, served(store) as other:
        path = "/" + one.address.rpartition("/")[2]
        shown = cookie(ask(one.url, path))
        assert "admin" in ask(one.url, "/runs", Cookie=shown).text
        assert "admin" not in ask(other.url, "/runs", Cookie=shown).text


def test_strangers_are_not_told_where_a_store_is_that_fails(store, team, monkeypatch, capsys):
    def fail(*_, **__):
        raise StoreError("The store postgresql://stend@db.internal/stend could not be used.")

    monkeypatch.setattr(Store, "find", fail)
    answer = ask(team.url, "/api/v1/health", **HOST)
    assert answer.status == 503
    assert "db.internal" not in answer.text
    assert "db.internal" in capsys.readouterr().err
    with served(store) as own:
        assert "db.internal" in ask(own.url, "/api/v1/health").text
