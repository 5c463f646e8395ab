"""Addresses → answers: the page's own files, what is shown as JSON, and planes as raw float32.

Nothing of a request is ever a path: indices are numbers, and the page's files are read beforehand.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib.resources import files
from typing import Any, Protocol, TypeAlias

import numpy as np
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from stend_tomo.errors import ScanFileError, TomoError, UsageError
from stend_tomo.view.volume_view import Overview, Plane

TYPES = {
    "index.html": "text/html; charset=utf-8",
    "view.css": "text/css; charset=utf-8",
    "view.js": "text/javascript; charset=utf-8",
    "pane.js": "text/javascript; charset=utf-8",
    "alive.js": "text/javascript; charset=utf-8",
    "levels.js": "text/javascript; charset=utf-8",
    "method.js": "text/javascript; charset=utf-8",
    "planes.js": "text/javascript; charset=utf-8",
    "profile.js": "text/javascript; charset=utf-8",
}
CACHED = "private, max-age=3600"
"""A scan does not change while it is shown, and the next server's addresses have another secret."""


class Shown(Protocol):
    """A scan or a volume."""

    def about(self) -> dict[str, Any]:
        """What the page has to know."""

    def slice(self, index: int, asked: Mapping[str, str]) -> Plane:
        """One slice in full."""

    def overview(self, asked: Mapping[str, str]) -> Overview:
        """What planes across the slices are cut from."""

    def close(self) -> None:
        """End what is under way."""


class Followed(Protocol):
    """What is shown, as it was when it was opened."""

    def fault(self) -> str | None:
        """Say what happened to it since; None while it is the same."""

    def said(self, text: str) -> str:
        """Tell what went wrong with it by the name that people know."""


Turn: TypeAlias = Callable[[], AbstractContextManager[None]]
"""What is held while something is computed; it may raise HTTPException."""


def application(
    shown: Shown, watched: Followed | None = None, home: str = "", turn: Turn = nullcontext
) -> Starlette:
    """Give the application; a guard stands before it, and `home` is the page that led here.

    Its addresses have to be below one that is new whenever what is shown is opened: browsers
    keep planes.
    """
    page = files("stend_tomo.view") / "page"
    routes = [_file(name, (page / name).read_bytes()) for name in TYPES]
    routes.append(
        Route("/about.json", _told(lambda _: JSONResponse(shown.about() | {"home": home})))
    )
    routes.append(Route("/state.json", _told(lambda _: _state(watched))))
    answers = {
        name: _plain(getattr(shown, name))
        for name in ("projection", "sinogram", "slice")
        if hasattr(shown, name)
    }
    answers |= {name: _across(shown, name) for name in ("coronal", "sagittal")}
    routes += [_indexed(name, answer, watched, turn) for name, answer in answers.items()]
    made = Starlette(
        routes=routes,
        exception_handlers={HTTPException: _refused, Exception: _unexpected},
    )
    made.router.redirect_slashes = False  # else /slice/3/ leads to an address without the secret
    return made


def _file(name: str, content: bytes) -> Route:
    path = "/" if name == "index.html" else f"/{name}"
    # Not kept: the next version of stend may have other files at the same address.
    headers = {"cache-control": "no-store"}
    return Route(path, _told(lambda _: Response(content, headers=headers, media_type=TYPES[name])))


def _state(watched: Followed | None) -> Response:
    """What the page asks every now and then: whether all is as it was, and the server there."""
    fault = watched.fault() if watched else None
    return JSONResponse({"fault": fault}, headers={"cache-control": "no-store"})


def _indexed(
    name: str, answer: Callable[[Request, int], Response], watched: Followed | None, turn: Turn
) -> Route:
    def answered(asked: Request) -> Response:
        if watched and (fault := watched.fault()):
            raise ScanFileError(fault)
        if known := _cached(asked):
            return known
        with turn():
            return answer(asked, _index(asked))

    return Route(f"/{name}/{{index}}", _told(answered, watched.said if watched else str))


def _plain(
    read: Callable[[int, Mapping[str, str]], Plane],
) -> Callable[[Request, int], Response]:
    return lambda asked, index: _plane(asked, read(index, _words(asked)))


def _across(shown: Shown, name: str) -> Callable[[Request, int], Response]:
    """A plane of the overview; while that is made, how far it is."""

    def answer(asked: Request, index: int) -> Response:
        overview = shown.overview(_words(asked))
        if not overview.ready:
            state = {"done": overview.done, "of": overview.of}
            return JSONResponse(state, 202, {"cache-control": "no-store"})
        return _plane(asked, getattr(overview, name)(index))

    return answer


def _index(asked: Request) -> int:
    said = asked.path_params["index"]
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise UsageError("An index is a whole number from 0 on.")
    return int(said)


def _words(asked: Request) -> dict[str, str]:
    return dict(asked.query_params)


def _tag(asked: Request) -> str:
    """By the address alone: what is shown does not change, and the secret is the server's."""
    return f'"{hashlib.blake2b(str(asked.url).encode(), digest_size=8).hexdigest()}"'


def _cached(asked: Request) -> Response | None:
    if asked.headers.get("if-none-match") != _tag(asked):
        return None
    return Response(status_code=304, headers={"etag": _tag(asked), "cache-control": CACHED})


def _plane(asked: Request, plane: Plane) -> Response:
    values = np.ascontiguousarray(plane.values, dtype="<f4")
    headers = {
        "stend-plane": json.dumps(
            {"shape": values.shape, "step": plane.step, "origin": plane.origin}
        ),
        "etag": _tag(asked),
        "cache-control": CACHED,
    }
    return Response(values.tobytes(), headers=headers, media_type="application/octet-stream")


def _told(
    answer: Callable[[Request], Response], said: Callable[[str], str] = str
) -> Callable[[Request], Response]:
    """What can't be given is a sentence: 400 when the request is to blame, else 500."""

    def told(asked: Request) -> Response:
        try:
            return answer(asked)
        except TomoError as error:
            wrong = error.exit_code == 2
            return PlainTextResponse(f"{said(str(error))}\n", 400 if wrong else 500)

    return told


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    lost = error.status_code in (404, 405)
    said = "There is nothing at this address." if lost else error.detail
    return PlainTextResponse(f"{said}\n", error.status_code, error.headers)


def _unexpected(_: Request, error: Exception) -> Response:
    return PlainTextResponse(f"This failed: {type(error).__name__}.\n", 500)
