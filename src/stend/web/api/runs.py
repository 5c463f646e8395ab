"""Runs over the API."""

from typing import Annotated

import msgspec
from starlette.responses import Response

from stend.exchange import to_run_file
from stend.store import Right, Summary
from stend.web.api.operation import Asked, Operation


class Wanted(msgspec.Struct):
    """Which runs."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 50


class Listed(msgspec.Struct):
    """Runs, newest first."""

    runs: list[Summary]


def _listed(asked: Asked) -> Listed:
    return Listed(asked.site.store.find(limit=asked.query.limit))


def _one(asked: Asked) -> Response:
    run = asked.site.store.load(asked.path["run"])
    return Response(to_run_file(run), media_type="application/json")


OPERATIONS = (
    Operation("list_runs", "GET", "/runs", "The stored runs, newest first", Right.READ,
              _listed, Listed, Wanted),
    Operation("get_run", "GET", "/runs/{run}", "A run with every sample, as a run file",
              Right.READ, _one, dict),
)  # fmt: skip
