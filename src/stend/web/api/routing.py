"""Operations → the routes at which Starlette finds them, one an address."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.web.api.giving import given
from stend.web.api.operation import BASE, Asked, Operation
from stend.web.api.taking import taken
from stend.web.guard import refusal


def routes_of(operations: Sequence[Operation]) -> list[BaseRoute]:
    """A route for each address; those whose names are parameters come last."""
    at: dict[str, list[Operation]] = {}
    for one in operations:
        at.setdefault(one.path, []).append(one)
    return [Route(BASE + path, _Address(at[path])) for path in sorted(at, key=_order)]


def _order(path: str) -> str:
    return path.replace("{", "~")  # behind all letters


class _Address:
    """Answers every method at one address (ASGI)."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._of = {one.method: one for one in operations}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        answer = await self._answer(Request(scope, receive))
        await answer(scope, receive, send)

    async def _answer(self, asked: Request) -> Response:
        of = self._of.get("GET" if asked.method == "HEAD" else asked.method)
        if of is None:
            raise HTTPException(405, headers={"allow": ", ".join(self._methods())})
        refused = refusal(asked, of.right)
        if refused is not None:
            return refused
        async with taken(asked, of) as found:
            return await run_in_threadpool(_in_turn, of, found)

    def _methods(self) -> list[str]:
        return [*self._of, *(["HEAD"] if "GET" in self._of else [])]


def _in_turn(of: Operation, asked: Asked) -> Response:
    with asked.site.turns.taken() if of.heavy else nullcontext():
        return given(of, asked)
