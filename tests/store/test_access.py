"""Tokens and visits: who is let in, and that nobody else is."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from stend.errors import BadValue, InvalidToken, UnknownName
from stend.store import Right, Store
from stend.store.access import Access
from stend.store.opening import open_database

DAY = 24 * 3600 * 1_000_000
HOSTILE = [
    "",
    " ",
    " before",
    "after ",
    "a\nb",
    "\x1b[31mred",
    "nul\0",
    "\u202eturned",
    "zero\u200bwidth",
    "\ud800",
    "x" * 101,
    "x" * 10_000,
]


class Clock:
    """Stands still until it is set."""

    now = 1_700_000_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(store_url: str, clock: Clock) -> Iterator[Access]:
    database = open_database(store_url)
    yield Access(database, clock)
    database.close()


def at(clock: Clock, later: timedelta) -> datetime:
    return datetime.fromtimestamp(clock.now / 1e6, UTC) + later


def refused(access: Access, text: str) -> str:
    with pytest.raises(InvalidToken) as caught:
        access.who(text)
    assert str(caught.value) == "This token is wrong, expired or revoked; ask for another one."
    return caught.value.reason


def test_rights_are_ordered() -> None:
    assert [r for r in Right if Right.WRITE.includes(r)] == [Right.NONE, Right.READ, Right.WRITE]


def test_a_tokens_text_says_whose_it_is(access: Access) -> None:
    token, text = access.add("bench", Right.WRITE, None, "admin")
    assert text.startswith(f"stend_{token.id}_")
    found = access.who(text)
    assert (found.name, found.right, found.by, found.live) == ("bench", "write", "admin", True)


def test_the_secret_is_not_stored(access: Access) -> None:
    _, text = access.add("bench", Right.WRITE, None, "admin")
    with access._database.reading() as connection:
        rows = connection.exec_driver_sql("select * from stend_tokens").all()
    assert text[-43:] not in repr(rows)


@pytest.mark.parametrize("change", ["", "-", "\0", "\n", "ж", "x" * 100_000, "' or 1=1 --"])
def test_another_text_is_a_wrong_token(access: Access, change: str) -> None:
    _, text = access.add("bench", Right.WRITE, None, "admin")
    assert refused(access, text[:-1] + change) == "wrong"
    assert refused(access, change) == "wrong"


def test_a_secret_opens_its_own_token_only(access: Access) -> None:
    one, _ = access.add("one", Right.READ, None, "admin")
    _, text = access.add("two", Right.ADMIN, None, "admin")
    assert refused(access, f"stend_{one.id}_{text[-43:]}") == "wrong"
    assert refused(access, text[:-1] + ("1" if text[-1] == "0" else "0")) == "wrong"


def test_an_expired_token_is_refused(access: Access, clock: Clock) -> None:
    token, text = access.add("bench", Right.READ, at(clock, timedelta(days=1)), "admin")
    assert token.expires == "2023-11-15T22:13:20Z"
    access.who(text)
    clock.now += DAY
    assert refused(access, text) == "expired"
    assert refused(access, text[:-1] + "-") == "wrong"
    assert [found.live for found in access.tokens()] == [False]


def test_a_revoked_token_is_refused_and_stays_listed(access: Access) -> None:
    token, text = access.add("bench", Right.READ, None, "admin")
    assert access.revoke("bench", "admin").id == token.id
    assert refused(access, text) == "revoked"
    [found] = access.tokens()
    assert found.revoked is not None
    assert access.revoke(token.id, "admin") == found


def test_what_is_not_there_is_not_revoked(access: Access) -> None:
    with pytest.raises(UnknownName, match=r"No token is called 'a\\x00b'"):
        access.revoke("a\0b", "admin")


def test_a_name_is_one_live_tokens(access: Access, clock: Clock) -> None:
    token, _ = access.add("bench", Right.READ, at(clock, timedelta(days=1)), "admin")
    with pytest.raises(BadValue, match=f"The token {token.id} is called bench already"):
        access.add("bench", Right.READ, None, "admin")
    clock.now += DAY
    second, _ = access.add("bench", Right.READ, None, "admin")
    assert access.revoke("bench", "admin").id == second.id
    access.add("bench", Right.READ, None, "admin")


def test_of_many_who_take_a_name_at_once_one_has_it(store_url: str) -> None:
    def take(store: Store) -> bool:
        try:
            store.access.add("bench", Right.READ, None, "admin")
        except BadValue:
            return False
        return True

    with Store.open(store_url) as one, Store.open(store_url) as other:
        with ThreadPoolExecutor(8) as threads:
            assert sum(threads.map(take, [one, other] * 4)) == 1
        assert len(one.access.tokens()) == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_can_be_read_by_people(access: Access, name: str) -> None:
    with pytest.raises(BadValue, match="A token can't be called") as caught:
        access.add(name, Right.READ, None, "admin")
    assert str(caught.value).isprintable()
    assert access.tokens() == []


@pytest.mark.parametrize("name", ["here", "HERE", "root@bench", "maria@example.org"])
def test_no_token_is_called_as_the_log_calls_who_has_none(access: Access, name: str) -> None:
    with pytest.raises(BadValue, match="in the audit log `here` is who opened"):
        access.add(name, Right.READ, None, "admin")
    assert access.tokens() == []


@pytest.mark.parametrize("name", ["'; drop table stend_tokens --", "%", "Мария", "stend_x", "-rf"])
def test_any_other_name_is_kept_as_it_is(access: Access, name: str) -> None:
    _, text = access.add(name, Right.READ, None, "admin")
    assert access.who(text).name == name
    assert access.revoke(name, "admin").name == name


def test_a_token_allows_something_for_some_time(access: Access, clock: Clock) -> None:
    with pytest.raises(BadValue, match="without a right it opens nothing"):
        access.add("bench", Right.NONE, None, "admin")
    with pytest.raises(BadValue, match="which has passed"):
        access.add("bench", Right.READ, at(clock, timedelta()), "admin")


def test_use_is_noted_once_a_minute(access: Access, clock: Clock) -> None:
    _, text = access.add("bench", Right.READ, None, "admin")
    seen = []
    for _ in range(4):
        access.who(text)
        seen.append(access.tokens()[0].used)
        clock.now += 30_000_000
    assert seen == ["2023-11-14T22:13:20Z"] * 2 + ["2023-11-14T22:14:20Z"] * 2


def test_a_visitor_is_who_showed_the_token(access: Access) -> None:
    token, _ = access.add("reader", Right.READ, None, "admin")
    cookie = access.visit(token)
    found = access.visitor(cookie)
    assert found is not None
    assert (found.id, found.right) == (token.id, "read")
    assert access.visitor(cookie[:-1]) is None
    assert access.visitor("\ud800\0") is None
    access.leave(cookie)
    assert access.visitor(cookie) is None


def test_visits_end_with_their_token(access: Access, clock: Clock) -> None:
    until = at(clock, timedelta(days=1))
    brief = access.visit(access.add("brief", Right.READ, until, "admin")[0])
    ended, _ = access.add("ended", Right.READ, None, "admin")
    cookie = access.visit(ended)
    access.revoke("ended", "admin")
    assert access.visitor(cookie) is None
    with pytest.raises(InvalidToken):
        access.visit(ended)
    clock.now += DAY
    assert access.visitor(brief) is None


def test_a_visit_lasts_thirty_days(access: Access, clock: Clock) -> None:
    token, _ = access.add("reader", Right.READ, None, "admin")
    cookie = access.visit(token)
    clock.now += 30 * DAY - 1
    assert access.visitor(cookie) is not None
    clock.now += 1
    assert access.visitor(cookie) is None


def test_ended_visits_are_cleared(access: Access, clock: Clock) -> None:
    token, _ = access.add("reader", Right.READ, None, "admin")
    for _ in range(3):
        access.visit(token)
        clock.now += 31 * DAY
    access.visit(token)
    with access._database.reading() as connection:
        assert connection.exec_driver_sql("select count(*) from stend_visits").scalar() == 1


def test_what_is_done_to_tokens_is_in_the_audit_log(store_url: str) -> None:
    with Store.open(store_url) as store:
        token, _ = store.access.add("bench", Right.READ, None, "admin", "10.0.0.1")
        with pytest.raises(BadValue):
            store.access.add("bench", Right.READ, None, "admin", "10.0.0.1")
        store.access.revoke("bench", "other", "10.0.0.2")
        store.access.revoke("bench", "other", "10.0.0.2")
        told = [(e.who, e.address, e.did, e.to, e.said) for e in store.audit.read(10)]
    assert told == [
        ("other", "10.0.0.2", "token revoke", "bench", token.id),
        ("admin", "10.0.0.1", "token add", "bench", f"read, {token.id}"),
    ]
