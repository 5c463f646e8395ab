"""`stend trend`: a metric over the runs of one machine, and where it changed."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from stend.cli.options import HTML, Json, Store, print_json, refuse_ending, size_of


def verb(
    metric: Annotated[
        list[str],
        typer.Argument(
            metavar="METRIC…",
            help="A benchmark or a pattern, then words that select cases: threads=2, a "
            "variant, another figure such as p99.",
        ),
    ],
    host: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The machine; default: this one, else the only one."),
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only runs with this label.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only runs since this date (UTC).", metavar="DATE")
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "-n",
            "--limit",
            metavar="N",
            min=1,
            max=1_000_000,
            help="Only this many of the newest runs.",
        ),
    ] = 100,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write an HTML page with charts to this file."
        ),
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Follow a metric over the runs of one machine: its levels, and where they changed.

    Each change is shown with its dates, its size, and what else changed with it; finding one takes
    ten runs. Examples: `stend trend stream.triad threads=2`, `stend trend 'stream.*'`,
    `stend trend storage.randread p99 --since 2026-03-01 -o trend.html`.
    """
    import platform

    from stend.comparing.selection import asked
    from stend.record.text import moment_of
    from stend.store import Store as Runs
    from stend.trends.machine import follow

    refuse_ending(output, HTML, "its charts are a page of HTML")
    with Runs.open(store, create=False) as runs:
        followed = follow(
            runs,
            asked(metric),
            here=platform.node(),
            host=host,
            label=label,
            since=moment_of(since) if since else None,
            limit=limit,
            now=datetime.now(UTC),
        )
    if output:
        from stend.report.trend_page import write

        write(followed, output)
    if json:
        print_json(followed)
    else:
        from stend.report import terminal

        terminal.print_trends(followed)
        if output:
            print(f"Wrote {output}{size_of(output)}; open it in a browser.")
