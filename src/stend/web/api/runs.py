"""Stored runs over the API: the list, one whole, its figures."""

import msgspec

from stend.errors import UnknownName
from stend.exchange import to_run_file
from stend.record import Run
from stend.report.figures import Figures, figures
from stend.store import Right, Summary
from stend.web.api.operation import Asked, Operation
from stend.web.api.parameters import Most, Text


class Wanted(msgspec.Struct):
    """Which runs."""

    label: Text | None = None
    host: Text | None = None
    limit: Most = 50


class Listed(msgspec.Struct):
    """Runs, newest first."""

    runs: list[Summary]


class RunFile(msgspec.Struct):
    """A run file, as `stend export` writes it; docs/formats.md has every field."""

    stend: str
    """"run": what the file is."""
    schema: int
    """The version of the records."""
    run: Run


def _listed(asked: Asked) -> Listed:
    wanted = asked.query
    return Listed(asked.site.store.find(label=wanted.label, host=wanted.host, limit=wanted.limit))


def _one(asked: Asked) -> bytes:
    return to_run_file(asked.site.store.load(head(asked).id))


def _figures(asked: Asked) -> bytes:
    run = head(asked)

    def made() -> bytes:
        return msgspec.json.encode(figures(asked.site.store.load(run.id)))

    if run.finished is None:
        return made()
    return asked.site.kept.get(("figures", run.id, run.label), made)


def head(asked: Asked) -> Run:
    """The run of the path, without its cases."""
    name = asked.path["run"]
    run = asked.site.store.head(name)
    if not run.id.startswith(name):  # a label that looks like an id
        raise UnknownName(f"No stored run's id begins with {name}.")
    return run


OPERATIONS = (
    Operation(
        "list_runs", "GET", "/runs", "The stored runs, newest first", Right.READ,
        _listed, Listed, Wanted,
    ),
    Operation(
        "get_run", "GET", "/runs/{run}",
        "A run with every sample, as a run file\n\n`stend import` reads it.",
        Right.READ, _one, RunFile, heavy=True,
    ),
    Operation(
        "get_figures", "GET", "/runs/{run}/figures",
        "A run's figures without its samples\n\nAs `stend show --json` prints them.",
        Right.READ, _figures, Figures, heavy=True,
    ),
)  # fmt: skip
