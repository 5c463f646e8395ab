"""The site's addresses: pages, the API, the files that pages link to."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
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
    comparison,
    fleet,
    history,
    login,
    machines,
    run,
    runs,
    tomography,
)
from stend.web.site import TYPES, Site, static

PARTS = (
    runs,
    run,
    comparison,
    fleet,
    machines,
    history,
    benchmarks,
    tomography,
    login,
)
"""The pages."""

FOREVER = "public, max-age=31536000, immutable"


def application(site: Site) -> FastAPI:
    """Give the application; `Guard` stands before it."""
    routes = [
        *(route for part in PARTS for route in part.routes()),
        *api.routes(),
        Route("/static/{digest}/{name}", _static),
    ]
    errors = (HTTPException, RequestValidationError, StendError, Exception)
    made = FastAPI(
        routes=routes,
        openapi_url=None,  # api has its own
        redirect_slashes=False,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=4)],
        exception_handlers=dict.fromkeys(errors, refused),
    )
    made.state.site = site
    return made


def _static(asked: Request) -> Response:
    content = static().get(asked.scope["path"])
    if content is None:
        raise HTTPException(404)
    kind = TYPES[asked.path_params["name"].rpartition(".")[2]]
    return Response(content, media_type=kind, headers={"cache-control": FOREVER})
