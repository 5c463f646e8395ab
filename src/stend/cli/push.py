"""`stend push`: sends stored runs to a team's server."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from stend.cli.options import INTERRUPTED, Json, Store, find_run, print_json, refuse_published
from stend.errors import BadValue, ServerError, UsageError
from stend.record.text import printable

if TYPE_CHECKING:
    from stend.record import Run
    from stend.store import Store as Runs
    from stend.web.push import Outcome, Sender

TOKEN = "STEND_TOKEN"
_LONGEST_TOKEN = 1000
"""Bytes that are read of a file with one."""


class Chosen(NamedTuple):
    """A run that the server is to have."""

    id: str
    load: "Callable[[], Run]"


def verb(
    to: Annotated[
        str,
        typer.Option("--to", metavar="URL", help="The server: https://… or http://localhost:PORT."),
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN…]", help="Stored runs or run files; default: last."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All stored runs that the server lacks.")
    ] = False,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", metavar="FILE", help="File with the token; default: $STEND_TOKEN."
        ),
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Send runs to a team's server; one that is there already changes nothing.

    The server runs `stend serve`; the token needs the right to write, and `stend token add` makes
    it there. After a broken connection or Ctrl-C the same command continues where it stopped; a
    server that does not answer is tried again for five minutes.

    Example: `stend push last --to https://perf.example.org --token-file ~/.stend-token`.
    """
    from stend.store import Store as Runs
    from stend.web.push import Patience, Sender, server_of

    if every and names:
        raise UsageError("--all sends all runs; give either --all or names.")
    server = server_of(to, _token(token_file))
    with Runs.open(store, create=False) as runs:
        chosen = _all(runs) if every else _named(names or ["last"], store)
        try:
            with Sender(server, Patience(), waits=_say) as sender:
                outcomes = list(_send(sender, chosen, shown=not json, briefly=every))
        except KeyboardInterrupt:
            _say("Stopped. The server keeps what was sent; the same command continues from there.")
            raise typer.Exit(INTERRUPTED) from None
    _conclude(outcomes, json, summed_up=every or len(outcomes) > 1)


def _token(file: Path | None) -> str:
    if file is None:
        return os.environ.get(TOKEN, "").strip()
    try:
        with file.open("rb") as opened:
            return opened.read(_LONGEST_TOKEN).decode("ascii", "replace").strip()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        said = error.strerror if isinstance(error, OSError) else error
        raise BadValue(f"The token's file {printable(str(file))} can't be read: {said}.") from error


def _named(names: Sequence[str], store: str | None) -> list[Chosen]:
    from stend.record.run_file import may_grow

    refuse_published(names, "sent")
    found = [find_run(name, store) for name in names]
    for run in found:
        if may_grow(run.started, run.finished):
            raise UsageError(
                f"The run {run.id[:8]} has not ended: it is still being measured, or was killed. "
                "A killed run can be sent a day after it began."
            )
    return [Chosen(run.id, lambda run=run: run) for run in found]  # type: ignore[misc]


def _all(runs: "Runs") -> list[Chosen]:
    """Those that have ended, the oldest first."""
    from stend.record.run_file import may_grow

    ids = [run.id for run in runs.find() if not may_grow(run.started, run.finished)]
    return [Chosen(run, lambda run=run: runs.load(run)) for run in reversed(ids)]  # type: ignore[misc]


def _send(
    sender: "Sender", chosen: Sequence[Chosen], shown: bool, briefly: bool
) -> "Iterator[Outcome]":
    """What becomes of each; `briefly`, of those that are there nothing is shown."""
    from stend.cli.progress import Sent
    from stend.web.push import Outcome

    known = sender.known([run.id for run in chosen])
    for run in chosen:
        if run.id in known:
            outcome = Outcome(run=run.id, what="was there already")
        else:
            with Sent(f"run {run.id[:8]}") as bar:
                sender.reached = bar.reached
                outcome = sender.send(run.load())
        if shown and not (briefly and run.id in known):
            print(_line(outcome), flush=True)
        yield outcome


def _line(outcome: "Outcome") -> str:
    if outcome.what == "refused":
        return f"Run {outcome.run[:8]} refused: {outcome.said}"
    size = f" ({outcome.bytes / 1e6:.1f} MB)" if outcome.what == "sent" else ""
    return f"Run {outcome.run[:8]} {outcome.what}{size}."


def _conclude(outcomes: "Sequence[Outcome]", json: bool, summed_up: bool) -> None:
    """Print the counts, and leave with the code of a server that refused some."""
    counts = Counter(outcome.what for outcome in outcomes)
    if json:
        print_json(outcomes)
    elif summed_up:
        print(", ".join(f"{count} {what}" for what, count in counts.items()) or "No run to send.")
    if counts["refused"]:
        raise typer.Exit(ServerError.exit_code)


def _say(text: str) -> None:
    print(f"stend: {text}", file=sys.stderr)
