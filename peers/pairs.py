"""Turns interleaved pairs into a table: medians, and how much the ratios vary.

    program | python pairs.py [--unit UNIT] [--tail] PEER HEADING…

Each line of standard input is a word for each heading, then the work of one repetition (bytes,
operations), the peer's seconds and stend's. UNIT is what 10⁹ of it a second are: GB/s. With
"ns" the table is of what each of it takes, a load for instance: there, less is better. With --tail
two numbers follow, stend's 99th and 99.9th percentiles of its process in seconds a unit of work, or
nan where it made too few; the table has their medians.
"""

import argparse
import math
import statistics
import sys
from collections import defaultdict


def tails(values: list[tuple[float, ...]]) -> str:
    """The cells of the percentiles, ns; a dash where there is none."""
    middles = [statistics.median(column) for column in zip(*values, strict=True)]
    return "".join(" – |" if math.isnan(each) else f" {1e9 * each:.1f} |" for each in middles)


def main(peer: str, headings: list[str], unit: str, with_tail: bool) -> None:
    """Read pairs from standard input, print the table."""
    pairs: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    far: dict[tuple[str, ...], list[tuple[float, ...]]] = defaultdict(list)
    for line in sys.stdin:
        words = line.split()
        tail = [float(words.pop()) for _ in range(2 * with_tail)]
        *key, work, theirs, ours = words
        far[tuple(key)].append(tuple(reversed(tail)))
        billions = float(work) / 1e9
        rates = billions / float(theirs), billions / float(ours)
        pairs[tuple(key)].append((1 / rates[0], 1 / rates[1]) if unit == "ns" else rates)
    columns = [*headings, f"{peer} {unit}", f"stend {unit}", "ratio", "10% … 90%", "pairs"]
    columns += ["stend p99 ns", "p99.9 ns"] * with_tail
    print("| " + " | ".join(columns) + " |")
    print("| --- " * len(columns) + "|")
    for key, both in pairs.items():
        ratios = sorted(ours / theirs for theirs, ours in both)
        several = ratios if len(ratios) > 1 else ratios * 2
        tenth = statistics.quantiles(several, n=10, method="inclusive")
        print(
            f"| {' | '.join(key)} "
            f"| {statistics.median(theirs for theirs, _ in both):.1f} "
            f"| {statistics.median(ours for _, ours in both):.1f} "
            f"| **{statistics.median(ratios):.2f}** "
            f"| {tenth[0]:.2f} … {tenth[-1]:.2f} | {len(both)} |{tails(far[key])}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--unit", default="GB/s")
    parser.add_argument("--tail", action="store_true")
    parser.add_argument("peer")
    parser.add_argument("headings", nargs="+")
    asked = parser.parse_args()
    main(asked.peer, asked.headings, asked.unit, asked.tail)
