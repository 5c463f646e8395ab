"""Stored runs over the API: the list, one whole, its figures."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from stend.errors import UnknownName
from stend.record import Run, Status
from stend.record.run_file import to_run_file
from stend.record.text import LONGEST
from stend.record.times import moment_of
from stend.report.figures import Figures, figures
from stend.store import Choices, Listing, Query, Right
from stend.web.api.operation import Asked, Date, Most, Operation, Page, Text


class Wanted(msgspec.Struct, kw_only=True):
    """Which runs: those for which all that is given holds."""

    search: Annotated[
        Text,
        Meta(
            description="Words, at most 16. Each is part of the run's label, its machine, its "
            "command or the name of one of its benchmarks, in capitals or not, or at least 4 "
            "digits of its id's beginning.",
            examples=["bench7 stream"],
        ),
    ] = ""
    label: Annotated[Text, Meta(description="It has this label.")] | None = None
    host: Annotated[Text, Meta(description="It was measured on this machine.")] | None = None
    group: Annotated[Text, Meta(description="It belongs to this session of a fleet.")] | None = None
    size: (
        Annotated[Literal["quick", "full", "check"], Meta(description="It has this size.")] | None
    ) = None
    status: Annotated[
        list[Status], Meta(description="One of its cases ended in this way; repeat for others.")
    ] = []
    finished: Annotated[bool, Meta(description="It has ended.")] | None = None
    benchmark: (
        Annotated[
            Text,
            Meta(
                description="A case is of this benchmark or family, or of one that a glob matches.",
                examples=["stream.*"],
            ),
        ]
        | None
    ) = None
    since: Annotated[Date, Meta(description="It began then or later.")] | None = None
    until: Annotated[Date, Meta(description="It began before.")] | None = None
    limit: Most = 50
    after: Page | None = None


class Label(msgspec.Struct, forbid_unknown_fields=True):
    """What to call a run."""

    label: Annotated[str, Meta(max_length=LONGEST, examples=["before"])]
    """Empty: no more."""


class Named(msgspec.Struct):
    """A run and what it is called."""

    id: str
    label: str


class RunFile(msgspec.Struct):
    """A run file, as `stend export` writes it; docs/formats.md has every field."""

    stend: str
    """"run": what the file is."""
    schema: int
    """The version of the records."""
    run: Run


def _listed(asked: Asked) -> Listing:
    wanted = asked.query
    query = Query(
        search=wanted.search,
        label=wanted.label,
        host=wanted.host,
        group=wanted.group,
        size=wanted.size,
        statuses=wanted.status or None,
        finished=wanted.finished,
        benchmark=wanted.benchmark,
        since=_moment(wanted.since),
        until=_moment(wanted.until),
    )
    return asked.site.store.listing(query, wanted.limit, wanted.after)


def _moment(said: str | None) -> datetime | None:
    return None if said is None else moment_of(said)


def _choices(asked: Asked) -> Choices:
    return asked.site.store.choices()


def _relabelled(asked: Asked) -> Named:
    label = asked.body.label
    by = asked.visitor
    return Named(asked.site.store.relabel(_id(asked), label, by.name, by.address), label)


def _removed(asked: Asked) -> None:
    asked.site.store.trash.put(_id(asked), asked.visitor.name, asked.visitor.address)


def _one(asked: Asked) -> bytes:
    return to_run_file(asked.site.store.load(_id(asked)))


def _figures(asked: Asked) -> bytes:
    run = head(asked)

    def made() -> bytes:
        with asked.site.turns.taken():
            return msgspec.json.encode(figures(asked.site.store.load(run.id)))

    if run.finished is None:
        return made()
    return asked.site.kept.get(("figures", asked.site.store.state(run.id)), made)


def head(asked: Asked) -> Run:
    """The run of the path, without its cases."""
    return asked.site.store.head(_id(asked))


def _id(asked: Asked) -> str:
    """The whole id of the run of the path, which may be damaged.

    Raises:
        UnknownName: no id begins so, or several do. A label that looks so is none.
    """
    name = asked.path["run"]
    found = asked.site.store.id_of(name)
    if not found.startswith(name):
        raise UnknownName(f"No stored run's id begins with {name}.")
    return found


OPERATIONS = (
    Operation(
        "list_runs", "GET", "/runs",
        "The stored runs, newest first\n\nPage by page: `after` of the next page is `next` of "
        "this one; runs that come or go meanwhile move nothing.",
        Right.READ, _listed, Listing, Wanted,
    ),
    Operation(
        "list_choices", "GET", "/runs/choices",
        "The labels, machines, benchmarks and families that stored runs have",
        Right.READ, _choices, Choices,
    ),
    Operation(
        "relabel_run", "PATCH", "/runs/{run}", "Give a run another label",
        Right.WRITE, _relabelled, Named, body=Label,
    ),
    Operation(
        "remove_run", "DELETE", "/runs/{run}",
        "Move a run to the trash\n\n`POST /trash/{run}/restore` puts it back.",
        Right.WRITE, _removed, refusals={409: "It may still be in progress."},
    ),
    Operation(
        "get_run", "GET", "/runs/{run}",
        "A run with every sample, as a run file\n\n`stend import` reads it.",
        Right.READ, _one, RunFile, heavy=True,
    ),
    Operation(
        "get_figures", "GET", "/runs/{run}/figures",
        "A run's figures without its samples\n\nAs `stend show --json` prints them.",
        Right.READ, _figures, Figures,
    ),
)  # fmt: skip
