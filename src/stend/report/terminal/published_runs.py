"""Published runs on the terminal: a list of them, or one with its figures and sources."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from stend.record import Run
from stend.report import facts
from stend.report.literature import printed, summary
from stend.report.terminal.console import SOFT, Console, Line, print_grid, text

if TYPE_CHECKING:
    pass


def print_published_runs(runs: Sequence[Run], console: Console | None = None) -> None:
    """A line a run: its name, processor, year, its figures by family; the sources below all."""
    out = console or Console()
    found = [summary(run) for run in runs]
    sources = list(dict.fromkeys(source for one in found for source in one.sources))
    lines = []
    for one in found:
        own = ", ".join(str(sources.index(source) + 1) for source in one.sources)
        figures = ", ".join(f"{family} {count}" for family, count in one.figures.items())
        cells = (one.name, one.processor or "–", str(one.year or "–"), figures, own)
        lines.append(Line(tuple(map(text, cells))))
    print_grid(out, ("name", "processor", "year", "figures", "from"), lines, typed=(0,))
    out.print()
    for i, source in enumerate(sources, 1):
        out.print(text(f"{i}  {source}", SOFT))
    out.print(text("`stend published NAME` shows the figures of one; published:NAME is taken as a "
            "run by `show`, `compare`, `report` and `export`.", SOFT))  # fmt: skip


def print_published(run: Run, console: Console | None = None) -> None:
    """A published run: the machine, a table a benchmark, the sources."""
    out = console or Console()
    out.print(Text.assemble(text(run.label, "bold"), text(f"  {run.id[:12]}", SOFT)))
    out.print(text(facts.headline(run.machine)))
    found = printed(run)
    for benchmark in dict.fromkeys(line.benchmark for line in found.lines):
        out.print(text(f"\n{benchmark}", "bold"))
        own = [line for line in found.lines if line.benchmark == benchmark]
        with_variant = any(line.variant for line in own)
        rows = [
            Line(
                (
                    text(line.where),
                    *([text(line.variant)] if with_variant else []),
                    text(line.shown),
                ),
                line.note,
            )
            for line in own
        ]
        print_grid(out, ("case", *(["variant"] if with_variant else []), "figure"), rows)
    out.print(text("\nSingle figures of the literature, without intervals:", SOFT))
    for source in found.sources:
        out.print(text(f"  {source}", SOFT))
