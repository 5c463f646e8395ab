"""Turns interleaved pairs into a table: medians, and how much the ratios vary.

    program | python pairs.py [--unit UNIT] PEER HEADING…

Each line of standard input is a word for each heading, then the work of one repetition (bytes,
operations), the peer's seconds and stend's. UNIT is what 10⁹ of it a second are: GB/s. With
"ns" the table is of what each of it takes, a load for instance: there, less is better.
"""

import argparse
import statistics
import sys
from collections import defaultdict


def main(peer: str, headings: list[str], unit: str) -> None:
    """Read pairs from standard input, print the table."""
    pairs: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    for line in sys.stdin:
        *key, work, theirs, ours = line.split()
        billions = float(work) / 1e9
        rates = billions / float(theirs), billions / float(ours)
        pairs[tuple(key)].append((1 / rates[0], 1 / rates[1]) if unit == "ns" else rates)
    columns = [*headings, f"{peer} {unit}", f"stend {unit}", "ratio", "10% … 90%", "pairs"]
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
    parser = argparse.ArgumentParser()
    parser.add_argument("--unit", default="GB/s")
    parser.add_argument("peer")
    parser.add_argument("headings", nargs="+")
    asked = parser.parse_args()
    main(asked.peer, asked.headings, asked.unit)
