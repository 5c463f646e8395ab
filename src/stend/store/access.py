"""What one may do on a server: each right holds those before it.

A secret is told once, when it is made, and only its hash is kept. It has 256 random bits, so
nothing is guessed faster than by trying them all, and a slow hash would only cost the server.
"""

import re
import secrets
import string
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, insert, or_, select, update

from stend.errors import BadValue, InvalidToken, StoreError, UnknownName
from stend.record import Record
from stend.record.text import printable
from stend.store import audit, moments, opening
from stend.store.opening import Database
from stend.store.tables import tokens, visits


class Right(StrEnum):
    """In this order: who may write may read."""

    NONE = "none"
    READ = "read"
    """Look at runs and compare them."""
    WRITE = "write"
    """Send runs, label and remove them."""
    ADMIN = "admin"
    """Give and revoke tokens, read the audit log, remove runs for good."""

    def includes(self, other: "Right") -> bool:
        """Whether who has this may do what takes the other."""
        order = list(Right)
        return order.index(self) >= order.index(other)


class Token(Record, frozen=True, kw_only=True):
    """What is known of a token; times are ISO 8601 in UTC."""

    id: str
    """The part of its text that is no secret."""
    name: str
    right: Right
    made: str
    by: str
    """Who made it."""
    expires: str | None
    revoked: str | None
    used: str | None
    """When it was last seen, to the minute."""
    live: bool
    """Neither expired nor revoked."""


MONTH = 30 * moments.DAY
"""Microseconds that a visit lasts, unless its token ends before."""
MOST_VISITS = 100
"""Of one token: what a team that shares one has."""
LONGEST_NAME = 100
"""Characters."""

OWNER = "here"
"""How the log calls who opened the address that `stend serve` prints."""

_ALPHABET = string.ascii_letters + string.digits
_TOKEN = re.compile(r"stend_([A-Za-z0-9]{12})_([A-Za-z0-9]{43})")
"""43 of 62 characters hold 256 bits. The beginning is for programs that look for leaked secrets."""
_NOBODYS = sha256(b"").digest()
"""Stands for the hash of a token that is not there: no secret of 43 characters has it."""


class Access:
    """The tokens of one store and their visits. Each verb is one transaction, like the store's."""

    def __init__(self, database: Database, now: Callable[[], int] = moments.now) -> None:
        self._database, self._now = database, now

    def add(
        self, name: str, right: Right, expires: datetime | None, by: str, address: str = ""
    ) -> tuple[Token, str]:
        """Make a token, and give it with its text, which nothing can tell again.

        Args:
            name: whose it is; no other token that is live has it.
            right: what it allows.
            expires: when the token expires, with a zone; None: when it is revoked.
            by: who makes it, for the list and the audit log.
            address: from where.

        Raises:
            BadValue: the name can't be one, or is taken; the right is none; the time has passed.
        """
        now = self._now()
        until = None if expires is None else moments.counted(expires)
        _refuse(name, right, until, now)
        identity, secret = _random(12), _random(43)
        row = {
            "id": identity,
            "name": name,
            "rights": right.value,
            "hash": _hash(secret),
            "made": now,
            "by": printable(by),
            "expires": until,
        }
        with self._database.writing() as connection:
            opening.take(connection, opening.Turn.TOKENS)
            taken = select(tokens.c.id).where(tokens.c.name == name, _live(now))
            if found := connection.scalar(taken):
                raise BadValue(
                    f"The token {found} is called {name} already; revoke it, or give another name."
                )
            added = connection.execute(insert(tokens).values(**row).returning(tokens)).one()
            said = f"{right.value}, {identity}"
            audit.note(connection, by, address, "token add", name, said)
        return self._token(added), f"stend_{identity}_{secret}"

    def tokens(self) -> list[Token]:
        """All tokens, those that are expired or revoked too, the newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(select(tokens).order_by(tokens.c.number.desc())).all()
        return [self._token(row) for row in rows]

    def revoke(self, which: str, by: str, address: str = "") -> Token:
        """End a token that has this id or name, and all its visits; it stays in the list.

        One that was revoked already stays as it was. Of several of one name it is the one that
        is not, else the newest.

        Raises:
            UnknownName: there is none.
        """
        which = printable(which)
        named = select(tokens).where(or_(tokens.c.id == which, tokens.c.name == which))
        named = named.order_by(tokens.c.revoked.is_(None).desc(), tokens.c.number.desc())
        with self._database.writing() as connection:
            row = connection.execute(named.limit(1)).one_or_none()
            if row is None:
                raise UnknownName(f"No token is called '{which}'; `stend token list` lists them.")
            if row.revoked is None:
                ended = update(tokens).where(tokens.c.number == row.number)
                ended = ended.values(revoked=self._now()).returning(tokens)
                row = connection.execute(ended).one()
                connection.execute(delete(visits).where(visits.c.token == row.number))
                audit.note(connection, by, address, "token revoke", row.name, row.id)
        return self._token(row)

    def who(self, text: str) -> Token:
        """The live token whose text this is; that it was used is noted once a minute.

        Raises:
            InvalidToken: it is wrong, expired or revoked; a wrong secret learns of no other state.
        """
        parts = _TOKEN.fullmatch(text)
        if parts is None:  # no need to look
            raise InvalidToken("wrong")
        identity, secret = parts.groups()
        with self._database.reading() as connection:
            row = connection.execute(select(tokens).where(tokens.c.id == identity)).one_or_none()
        right_one = compare_digest(_hash(secret), _NOBODYS if row is None else row.hash)
        if row is None or not right_one:
            raise InvalidToken("wrong")
        token = self._token(row)
        if not token.live:
            raise InvalidToken("expired" if row.revoked is None else "revoked")
        self._note_use(row)
        return token

    def visit(self, token: Token, address: str = "") -> str:
        """Let a browser that showed this token in for 30 days, and give the text of its cookie.

        A token has at most a hundred visits: those that end first give way. Each is in the audit
        log.

        Raises:
            InvalidToken: it is live no more.
        """
        now, cookie = self._now(), _random(43)
        with self._database.writing() as connection:
            connection.execute(delete(visits).where(visits.c.expires <= now))
            row = connection.execute(
                select(tokens.c.number, tokens.c.expires).where(tokens.c.id == token.id, _live(now))
            ).one_or_none()
            if row is None:
                raise InvalidToken("revoked")
            until = min(now + MONTH, row.expires or now + MONTH)
            own = select(visits.c.hash).where(visits.c.token == row.number)
            too_many = own.order_by(visits.c.expires.desc()).offset(MOST_VISITS - 1)
            connection.execute(delete(visits).where(visits.c.hash.in_(too_many)))
            new = insert(visits).values(hash=_hash(cookie), token=row.number, expires=until)
            connection.execute(new)
            audit.note(connection, token.name, address, "sign in", "", token.id)
        return cookie

    def visitor(self, cookie: str) -> Token | None:
        """The live token that the visitor of this cookie showed."""
        now = self._now()
        shown = select(tokens).join(visits, visits.c.token == tokens.c.number)
        shown = shown.where(visits.c.hash == _hash(cookie), visits.c.expires > now, _live(now))
        with self._database.reading() as connection:
            row = connection.execute(shown).one_or_none()
        if row is None:
            return None
        self._note_use(row)
        return self._token(row)

    def leave(self, cookie: str) -> None:
        """End the visit of this cookie, if there is one."""
        with self._database.writing() as connection:
            connection.execute(delete(visits).where(visits.c.hash == _hash(cookie)))

    def _note_use(self, row: Row[Any]) -> None:
        """A store that is read only is read all the same."""
        now = self._now()
        before = now - moments.MINUTE
        if row.used is not None and row.used > before:
            return
        seen = update(tokens).where(tokens.c.number == row.number)
        seen = seen.where(or_(tokens.c.used.is_(None), tokens.c.used <= before)).values(used=now)
        with suppress(StoreError), self._database.writing() as connection:
            connection.execute(seen)

    def _token(self, row: Row[Any]) -> Token:
        now = self._now()
        return Token(
            id=row.id,
            name=row.name,
            right=Right(row.rights) if row.rights in set(Right) else Right.NONE,
            made=moments.shown(row.made),
            by=row.by,
            expires=_shown(row.expires),
            revoked=_shown(row.revoked),
            used=_shown(row.used),
            live=row.revoked is None and (row.expires is None or row.expires > now),
        )


def _live(now: int) -> ColumnElement[bool]:
    ends = tokens.c.expires
    return tokens.c.revoked.is_(None) & or_(ends.is_(None), ends > now)


def _refuse(name: str, right: Right, expires: int | None, now: int) -> None:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise BadValue(
            f"A token can't be called {name[:LONGEST_NAME]!r}: a name has 1 to {LONGEST_NAME} "
            "printable characters, and no space at either end."
        )
    if name.casefold() == OWNER or "@" in name:
        raise BadValue(
            f"A token can't be called {name!r}: in the audit log `{OWNER}` is who opened the "
            "server's printed address, and `user@machine` who typed a command."
        )
    if right is Right.NONE:
        raise BadValue(
            "A token's right must be read, write or admin; without a right it opens nothing."
        )
    if expires is not None and expires <= now:
        raise BadValue(f"A token can't expire at {moments.shown(expires)}, which has passed.")


def _random(length: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def _hash(secret: str) -> bytes:
    return sha256(secret.encode(errors="replace")).digest()


def _shown(moment: int | None) -> str | None:
    return None if moment is None else moments.shown(moment)
