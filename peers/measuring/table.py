"""Tables of what was simulated: rows in, Markdown out, and a count of the targets missed."""

from collections.abc import Callable, Sequence


class Table:
    """A table that is printed row by row and remembers the targets that were missed."""

    missed: int = 0

    def __init__(self, title: str, columns: Sequence[str]) -> None:
        print(f"\n## {title}\n")
        print("| " + " | ".join(columns) + " |")
        print("| " + " | ".join("---" for _ in columns) + " |", flush=True)

    def row(self, *cells: str) -> None:
        print("| " + " | ".join(cells) + " |", flush=True)


def held(value: float, target: Callable[[float], bool], form: str) -> str:
    """The value, bold when it misses its target."""
    if target(value):
        return format(value, form)
    Table.missed += 1
    return f"**{value:{form}}**"
