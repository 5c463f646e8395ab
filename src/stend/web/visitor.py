"""Who a request is of: a token, a browser's cookie, or neither; and what they may do.

On the own machine everybody reads, and who opened the printed address may do everything.
"""

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from stend.errors import InvalidToken, StoreError
from stend.store import OWNER, Right, Store, Token
from stend.web.origins import address_of, counted_as
from stend.web.settings import Counted, Settings, TooMany


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever sent a request."""

    name: str
    """Of the token; empty of who showed none."""
    right: Right
    by_cookie: bool = False
    """Whether a browser says it by itself, so that another site could have made it ask."""
    address: str = ""
    """The IP address it came from; behind a proxy the one that the proxy tells."""
    token: str = ""
    """The id of the token; empty of who showed none, and of who opened the printed address."""


MONTH = 30 * 24 * 60 * 60
"""Seconds: as long as the store knows a visit."""


class Authentication:
    """One server's. All of it may wait for the database."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self.key = secrets.token_urlsafe(16)
        """What is in the printed address on the own machine; new with each start."""
        self._wrong, self._noted = Counted(settings.limits.wrong), Counted(settings.limits.noted)
        self._signing_in = Counted(settings.limits.signing_in)

    def visitor(self, asked: Request) -> Visitor:
        """Find out who asks; what bears a token counts by that alone.

        Raises:
            InvalidToken: the token is wrong, expired or revoked.
            TooMany: and so were many before it, from the same address.
        """
        address = address_of(asked, self._settings)
        if (said := bearer(asked)) is not None:
            return _visitor(self.shown(said, address), address, by_cookie=False)
        if said := asked.cookies.get(self._settings.cookie):
            if self._settings.own_machine and self.is_key(said):
                return Visitor(OWNER, Right.ADMIN, by_cookie=True, address=address)
            if token := self._store.access.visitor(said):
                return _visitor(token, address, by_cookie=True)
        everybody = self._settings.own_machine or self._settings.public_read
        return Visitor("", Right.READ if everybody else Right.NONE, address=address)

    def shown(self, text: str, address: str) -> Token:
        """The live token with this text; raises as `visitor` does, and that is noted."""
        try:
            return self._store.access.who(text)
        except InvalidToken as error:
            seconds = self._wrong.wait(counted_as(address))
            if seconds:
                raise TooMany(seconds) from None
            self._note(text, address, error.reason)
            raise

    def is_key(self, said: str) -> bool:
        """Whether it is the printed address's secret."""
        return secrets.compare_digest(said.encode("utf-8", "replace"), self.key.encode())

    def let_in(self, answer: Response, token: Token, address: str) -> None:
        """Have the browser show a cookie of this token from now on.

        Raises:
            TooMany: it was shown so very often.
        """
        seconds = self._signing_in.wait(token.id)
        if seconds:
            raise TooMany(seconds)
        self._set(answer, self._store.access.visit(token, address), MONTH)

    def let_owner_in(self, answer: Response) -> None:
        """The same on the own machine, until the browser or the server ends."""
        self._set(answer, self.key, None)

    def _set(self, answer: Response, cookie: str, seconds: int | None) -> None:
        answer.set_cookie(
            self._settings.cookie,
            cookie,
            max_age=seconds,
            httponly=True,
            secure=self._settings.secure,
            samesite="lax",  # strict, a link from elsewhere would lead to the login page
        )

    def let_out(self, asked: Request, answer: Response) -> None:
        """End the visit, and have the browser forget its cookie."""
        said = asked.cookies.get(self._settings.cookie, "")
        if said and not self.is_key(said):
            self._store.access.leave(said)
        answer.delete_cookie(
            self._settings.cookie, httponly=True, secure=self._settings.secure, samesite="lax"
        )

    def _note(self, text: str, address: str, reason: str) -> None:
        """Never the secret; a store that can't be written to lets nobody in all the same."""
        if self._noted.wait(""):
            return
        identity = re.match(r"stend_([A-Za-z0-9]{12})_", text)
        with suppress(StoreError):
            self._store.audit.note(
                "", address, "token refused", identity[1] if identity else "", reason
            )


def bearer(asked: Request) -> str | None:
    """The token that a request bears (RFC 6750)."""
    scheme, _, said = asked.headers.get("authorization", "").partition(" ")
    return said.strip() if scheme.lower() == "bearer" else None


def _visitor(token: Token, address: str, *, by_cookie: bool) -> Visitor:
    return Visitor(token.name, token.right, by_cookie, address, token.id)
