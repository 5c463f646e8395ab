"""The scans of a folder, and the viewer of each that is looked at."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from stend.errors import UnknownName
from stend.record.text import clock, printable
from stend.report.quantities import figure as quantity
from stend.store import Right
from stend.web.addresses import of_scan
from stend.web.answers import problem
from stend.web.guard import Receive, Scope, Send, needs, refusal
from stend.web.site import site_of

if TYPE_CHECKING:
    from stend.web.scans import Entry, Scans


def routes() -> list[BaseRoute]:
    """The list, and the viewer of each."""
    return [
        Route("/tomography", needs(Right.READ, _listed)),
        Route("/tomography/{name}", needs(Right.READ, _opened)),
        Route("/tomography/{name}/{key}/{rest:path}", _Shown()),
    ]


def _listed(asked: Request) -> Response:
    scans = site_of(asked).scans
    values = {
        "title": "Tomography",
        "folder": None if scans is None else printable(scans.folder.name),
        "rows": [] if scans is None else [_row(one) for one in scans.entries()],
    }
    return site_of(asked).page(asked, "tomography.html", values)


def _row(one: "Entry") -> dict[str, str]:
    changed = datetime.fromtimestamp(one.changed, UTC).isoformat()
    return {
        "address": of_scan(one.name),
        "name": printable(one.name),
        "kind": one.kind,
        "size": "" if one.bytes is None else quantity(one.bytes, "B"),
        "changed": clock(changed),
    }


def _opened(asked: Request) -> Response:
    name = asked.path_params["name"]
    return RedirectResponse(of_scan(name, _scans(asked).viewer(name).key), 303)


class _Shown:
    """The viewer's own addresses, with planes of a scan (ASGI)."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the viewer that is open."""
        asked = Request(scope, receive)
        answer = refusal(asked, Right.READ)
        if answer is None and asked.method not in ("GET", "HEAD"):
            answer = problem(asked, 405, "A viewer is read-only: nothing can be changed here.")
        if answer is not None:
            await answer(scope, receive, send)
            return
        name, key, rest = (asked.path_params[part] for part in ("name", "key", "rest"))
        viewer = await run_in_threadpool(_scans(asked).viewer, name)
        if key == viewer.key:
            await viewer.application({**scope, "path": f"/{rest}"}, receive, send)
        elif rest:
            raise UnknownName("This was opened again since; reload the page.")
        else:
            await RedirectResponse(of_scan(name, viewer.key), 303)(scope, receive, send)


def _scans(asked: Request) -> "Scans":
    found = site_of(asked).scans
    if found is None:
        raise UnknownName("This server shows no scans; start it with `stend serve --scans FOLDER`.")
    return found
