"""The families of a comparison → a table of their geometric means."""

from collections.abc import Sequence

from stend.comparing import Comparison, Family
from stend.console import Console
from stend.report import answer, per_hardware
from stend.report.quantities import percent, span
from stend.report.terminal.grid import Line, fits, print_grid
from stend.report.terminal.verdicts import signed
from stend.report.terminal.words import SOFT, text


def print_families(out: Console, comparison: Comparison) -> None:
    """How many times as good B is by family; nothing where each is a single case."""
    families = comparison.families
    if all(family.cases < 2 for family in families):
        return
    by = per_hardware.columns(families, comparison.smallest)
    out.print(text("\nFamilies, by the geometric mean of how many times as good B is", "bold"))
    for apart in (by, ()):
        heads = ["", "cases", "better by", f"{comparison.confidence:.0%} interval", *apart]
        heads += ["B is", "of its cases"]
        lines = [_line(one, by, apart, answer.family_word(comparison, one)) for one in families]
        if fits(out, heads, lines):
            break
    print_grid(out, heads, lines, right=range(1, len(heads) - 2))


def _line(family: Family, by: Sequence[str], apart: Sequence[str], word: str) -> Line:
    said, style = signed(family.verdict, word)
    low, high = family.low, family.high
    cells = (
        text(family.name),
        text(str(family.cases)),
        text(percent(family.speed) if family.speed else "–", style),
        text(span(low, high) if low and high else "–"),
        *(text(per_hardware.cell(family, name)) for name in apart),
        text(said, style),
        text(answer.tally(family), SOFT),
    )
    return Line(cells, "" if apart else per_hardware.note(family, by))
