"""Turns interleaved pairs into a table: medians, and how much the ratios vary.

    program | python pairs.py PEER HEADING…

Each line of standard input is a word for each heading, then bytes, the peer's seconds and
stend's.
"""

import statistics
import sys
from collections import defaultdict


def main(peer: str, headings: list[str]) -> None:
    """Read pairs from standard input, print the table."""
    pairs: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    for line in sys.stdin:
        *key, moved, theirs, ours = line.split()
        gigabytes = float(moved) / 1e9
        pairs[tuple(key)].append((gigabytes / float(theirs), gigabytes / float(ours)))
    columns = [*headings, f"{peer} GB/s", "stend GB/s", "ratio", "10% … 90%", "pairs"]
    print("| " + " | ".join(columns) + " |")
    print("| --- " * len(columns) + "|")
    for key, both in pairs.items():
        ratios = sorted(ours / theirs for theirs, ours in both)
        tenth = statistics.quantiles(ratios, n=10, method="inclusive")
        print(
            f"| {' | '.join(key)} "
            f"| {statistics.median(theirs for theirs, _ in both):.1f} "
            f"| {statistics.median(ours for _, ours in both):.1f} "
            f"| **{statistics.median(ratios):.2f}** "
            f"| {tenth[0]:.2f} … {tenth[-1]:.2f} | {len(both)} |"
        )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
