"""The application asked in this process, without a network, by whom a test wants."""

import asyncio
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote

from starlette.datastructures import Headers

from made import case, machine, run
from stend.store import Right, Store
from stend.web import Settings
from stend.web.application import application
from stend.web.site import Site
from stend.web.visitor import Visitor
from web.served import Answer

IDS = tuple(digit * 32 for digit in "abc")
"""Of the runs in `stocked`: two of bench, then one of other."""


def stocked(store: Store) -> Store:
    """With three runs, the last one with sides A and B."""
    sides = tuple(case(side=side) for side in "AB")
    store.add(run(id=IDS[0], label="before"))
    store.add(run(id=IDS[1], label="after", started="2026-11-21T11:00:00Z"))
    other = {"machine": machine(host="other"), "started": "2026-11-21T12:00:00Z"}
    store.add(run(sides, id=IDS[2], label="sides", **other))
    return store


def _visitor(right: Right) -> Visitor:
    name = "" if right is Right.NONE else f"the {right}"
    return Visitor(name, right, address="192.0.2.7")


class Asking:
    """The application (ASGI), to which `Bearer admin` shows a token of that right."""

    def __init__(self, store: Store, right: Right = Right.ADMIN) -> None:
        """By default `ask` shows a token of this right."""
        self.store = store
        self.app = application(Site(store, Settings()))
        self._shown = {"authorization": f"Bearer {right}"}

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        shown = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ")
        right = Right(shown) if shown in list(Right) else Right.NONE
        scope["visitor"] = _visitor(right)
        await self.app(scope, receive, send)

    def __getitem__(self, address: str) -> Any:
        """What is at an address below the API."""
        answer = self.ask(address)
        assert answer.status == 200, answer.body
        return answer.json

    def ask(
        self,
        address: str,
        method: str = "GET",
        body: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send one request; the address is as a browser sends it, percent-encoded."""
        headers = {**self._shown, **(headers or {})}
        if body:
            headers = {"content-type": "application/json", **headers}
        return asyncio.run(self._ask(f"/api/v1{address}", method, body, headers))

    async def _ask(self, address: str, method: str, body: bytes, headers: dict[str, str]) -> Answer:
        path, _, query = address.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
            "client": ("192.0.2.1", 50000),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
        }
        told: list[MutableMapping[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            told.append(message)

        await self(scope, receive, send)
        found = Headers(raw=list(told[0]["headers"]))
        content = b"".join(message.get("body", b"") for message in told[1:])
        return Answer(told[0]["status"], found, content)
