"""Where a browser shows a token, and where it takes it back."""

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from stend.errors import InvalidToken
from stend.store import Right
from stend.web.form import Form, taking
from stend.web.guard import needs
from stend.web.site import site_of, visitor_of

LARGEST = 64 << 10
"""Bytes of a form that anybody can send."""
_OWN = re.compile(r"/(?:[!-.0-\[\]-~][!-\[\]-~]*)?")
"""Paths of this server as they stand in an address. Browsers take `//` and `/\\` for the
beginning of another's."""


def routes() -> list[BaseRoute]:
    """The form, and what it sends."""
    return [
        Route("/login", needs(Right.NONE, _form), methods=["GET"]),
        Route("/login", taking(Right.NONE, _show, LARGEST), methods=["POST"]),
        Route("/logout", needs(Right.NONE, _leave), methods=["POST"]),
    ]


def _form(asked: Request) -> Response:
    return _page(asked, own_path(asked.query_params.get("next", "/")))


def _show(asked: Request, given: Form) -> Response:
    known, address = site_of(asked).authentication, visitor_of(asked).address
    then = own_path(given.one("next"))
    try:
        token = known.shown(given.one("token").strip(), address)
    except InvalidToken as error:
        return _page(asked, then, str(error))
    answer = RedirectResponse(then, 303)
    known.let_in(answer, token, address)
    return answer


def _leave(asked: Request) -> Response:
    answer = RedirectResponse("/", 303)
    site_of(asked).authentication.let_out(asked, answer)
    return answer


def _page(asked: Request, then: str, wrong: str = "") -> Response:
    site = site_of(asked)
    values = {
        "title": "Sign in",
        "then": then,
        "wrong": wrong,
        "own_machine": site.settings.own_machine,
    }
    return site.page(asked, "login.html", values, 401 if wrong else 200)


def own_path(said: str) -> str:
    """The same, if it is a path of this server; else the beginning: nobody is led elsewhere."""
    return said if _OWN.fullmatch(said) else "/"
