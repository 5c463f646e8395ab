"""The site's addresses: pages, the API, the files that pages link to."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stend.errors import StendError
from stend.web import api
from stend.web.answers import refused
from stend.web.pages import (
    benchmarks,
    changes,
    comparison,
    distributions,
    fleet,
    history,
    live,
    login,
    machines,
    run,
    runs,
    tomography,
    trash,
)
from stend.web.site import TYPES, Site, static

PARTS = (
    runs,
    run,
    distributions,
    comparison,
    trash,
    live,
    fleet,
    machines,
    history,
    changes,
    benchmarks,
    tomography,
    login,
)
"""The pages."""

FOREVER = "public, max-age=31536000, immutable"


def application(site: Site) -> Starlette:
    """Give the application; `Guard` stands before it."""
    routes = [
        *(route for part in PARTS for route in part.routes()),
        *api.routes(),
        Route("/static/{digest}/{name}", _static),
    ]
    made = Starlette(
        routes=routes,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=4)],
        exception_handlers={HTTPException: refused, StendError: refused, Exception: refused},
    )
    made.router.redirect_slashes = False
    made.state.site = site
    return made


def _static(asked: Request) -> Response:
    content = static().get(asked.scope["path"])
    if content is None:
        raise HTTPException(404)
    kind = TYPES[asked.path_params["name"].rpartition(".")[2]]
    return Response(content, media_type=kind, headers={"cache-control": FOREVER})
