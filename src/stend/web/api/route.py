"""The API's class of routes: FastAPI's, with answers by msgspec and stricter about requests.

FastAPI reads a body before it asks a route's dependencies. So the right, the form of the answer and
the names in the query are checked first, here.
"""

import gzip
import hashlib
import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import groupby
from typing import Any, get_origin

from fastapi import Depends
from fastapi.datastructures import DefaultPlaceholder
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from stend.record.columns import to_json
from stend.store import Right
from stend.web.api.request import check_accept, check_parameters, read_json
from stend.web.guard import missing_right
from stend.web.site import site_of, visitor_of

Handler = Callable[..., Any]


class Requires(HTTPBearer):
    """A dependency that refuses visitors who lack a right."""

    def __init__(self, right: Right) -> None:
        super().__init__(scheme_name="token", auto_error=False)
        self.right = right

    async def __call__(self, request: Request) -> None:
        """Return, or raise 401 or 403."""
        if error := missing_right(visitor_of(request), self.right):
            raise error


READ, WRITE, ADMIN = (Depends(Requires(one)) for one in (Right.READ, Right.WRITE, Right.ADMIN))


def in_turn(handler: Handler) -> Handler:
    """Hold a compute slot while a handler computes and its result is rendered."""

    @wraps(handler)
    def respond(request: Request, **values: Any) -> Response:
        with site_of(request).turns.taken():
            return render(request, handler(request=request, **values))

    return respond


class ApiRoute(APIRoute):
    """One operation: its id is the handler's name, its text the handler's docstring.

    Every handler takes `request`. What it returns is no pydantic model, and rendered by msgspec.
    """

    def __init__(self, path: str, endpoint: Handler, **options: Any) -> None:
        needs = (one.dependency for one in options["dependencies"])
        self.right = next((one.right for one in needs if isinstance(one, Requires)), Right.NONE)
        self.result_type = options["response_model"]
        if isinstance(self.result_type, DefaultPlaceholder):
            self.result_type = inspect.signature(endpoint).return_annotation
        status = options["status_code"] or (204 if self.result_type is None else 200)

        @wraps(endpoint)
        def respond(request: Request, **values: Any) -> Response:
            return render(request, endpoint(request=request, **values), status)

        options |= {"response_model": None, "status_code": status}
        super().__init__(path, respond, **options | {"operation_id": endpoint.__name__})

    @property
    def query(self) -> dict[str, bool]:
        """The names in the models of its query, and whether there can be several of each."""
        parts = (self.dependant, *self.dependant.dependencies)
        models = [one.field_info.annotation for part in parts for one in part.query_params]
        return {
            field.alias or name: get_origin(field.annotation) is list
            for model in models
            for name, field in model.model_fields.items()
        }

    def get_route_handler(self) -> Callable[[Request], Any]:
        """Give the function that answers a request (FastAPI)."""
        handle, query, reads = super().get_route_handler(), self.query, self.body_field is not None

        async def check_and_handle(request: Request) -> Response:
            await Requires(self.right)(request)
            check_accept(request)
            check_parameters(request, query)
            response: Response = await handle(await read_json(request) if reads else request)
            return response

        return check_and_handle


class _Address:
    """Answers every method at one address (ASGI)."""

    def __init__(self, routes: Iterable[ApiRoute]) -> None:
        self._routes = {method: route for route in routes for method in route.methods}
        if "GET" in self._routes:
            self._routes["HEAD"] = self._routes["GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in self._routes:
            raise HTTPException(405, headers={"allow": ", ".join(self._routes)})
        await self._routes[scope["method"]].app(scope, receive, send)


def addresses(routes: Iterable[ApiRoute]) -> list[Route]:
    """One route for each address; those whose names are parameters come last.

    Side by side, FastAPI's routes would take GET /runs/known, where there is POST alone, for
    GET /runs/{run}, and tell one method of several as allowed.
    """
    in_order = sorted(routes, key=lambda route: route.path.replace("{", "~"))
    grouped = groupby(in_order, key=lambda route: route.path)
    return [Route(path, _Address(some)) for path, some in grouped]


_WORTH_PACKING = 1000
"""Bytes: less is hardly smaller packed."""
_LEVEL = 3
"""Of gzip: a run file of 11 MB takes 0.2 s, at 6 it takes 0.6 s and is 4% smaller."""


def render(request: Request, result: Any, status: int = 200) -> Response:
    """Encode a result, unless it is bytes of JSON or a response already.

    It is packed here, in the handler's thread: the site's middleware would keep all others waiting.
    """
    if isinstance(result, Response):
        return result
    if result is None:
        return Response(status_code=204)
    content = result if isinstance(result, bytes) else to_json(result)
    headers = {"cache-control": "no-store"}
    if request.method in ("GET", "HEAD"):
        # Weak: it is the same packed.
        tag = f'W/"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
        headers = {"cache-control": "private, no-cache", "etag": tag, "vary": _VARY}
        if _is_known(tag, request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
    if len(content) >= _WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        content = gzip.compress(content, _LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(content, status, headers, media_type="application/json")


_VARY = "authorization, cookie"


def _is_known(tag: str, header: str) -> bool:
    known = {one.strip().removeprefix("W/") for one in header.split(",")}
    return header.strip() == "*" or tag.removeprefix("W/") in known
