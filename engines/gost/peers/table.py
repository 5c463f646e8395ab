"""Turns the pairs of `versus` into tables: cycles a byte of theirs and ours, by size.

A cell is "theirs / ours", medians, and the median of the pairs' ratios.
"""

import statistics
import sys
from collections import defaultdict

Pairs = dict[tuple[str, str], dict[int, list[tuple[float, float]]]]


def named(size: int) -> str:
    """As people write it: 16 Ki for 16384."""
    for factor, unit in ((1 << 20, " Mi"), (1 << 10, " Ki")):
        if size >= factor:
            return f"{size // factor}{unit}"
    return str(size)


def number(value: float) -> str:
    """Three digits at least."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(value: float) -> str:
    """Two digits, and whole numbers from ten on."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def cell(pairs: list[tuple[float, float]]) -> str:
    """The medians and the median of the ratios, bold where ours is behind."""
    theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    mark = "" if ratio >= 1 else "**"
    return f"{number(theirs)} / {number(ours)} {mark}×{times(ratio)}{mark}"


def main() -> None:
    """Read pairs from standard input, print the tables."""
    tables: dict[str, Pairs] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for line in sys.stdin:
        peer, cipher, mode, direction, kind, size, theirs, ours = line.split()
        what = f"{mode} {direction}" if mode not in {"mac", "ofb"} else mode
        if mode.startswith("ctr"):
            what = mode
        tables[f"{peer}, {kind}"][cipher, what][int(size)].append((float(theirs), float(ours)))
    counts = [
        len(pairs) for rows in tables.values() for row in rows.values() for pairs in row.values()
    ]
    print(f"\n{min(counts)} to {max(counts)} pairs a cell." if counts else "\nNothing was timed.")
    for peer, rows in tables.items():
        sizes = sorted({size for row in rows.values() for size in row})
        print(
            f"\n| {peer} | {' | '.join(map(named, sizes))} |\n" + "| --- " * (len(sizes) + 1) + "|"
        )
        for (cipher, what), row in rows.items():
            cells = [cell(row[size]) if size in row else "" for size in sizes]
            print(f"| {cipher} {what} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
