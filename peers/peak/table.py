"""Turns interleaved pairs of rates into a table: medians, operations a cycle, ratios.

Each line of standard input: type, variant, likwid's kernel, its operations a second, stend's,
and the core's frequency under the variant, Hz.
"""

import statistics
import sys
from collections import defaultdict

HEADINGS = (
    "type", "variant", "likwid-bench", "likwid GFLOP/s", "stend GFLOP/s", "ratio", "10% … 90%",
    "GHz", "likwid a cycle", "stend a cycle", "pairs",
)  # fmt: skip


def main() -> None:
    """Read pairs from standard input, print the table."""
    pairs: dict[tuple[str, ...], list[tuple[float, float, float]]] = defaultdict(list)
    for line in sys.stdin:
        *key, theirs, ours, hz = line.split()
        pairs[tuple(key)].append((float(theirs), float(ours), float(hz)))
    print("| " + " | ".join(HEADINGS) + " |")
    print("| --- " * len(HEADINGS) + "|")
    for key, rounds in pairs.items():
        theirs, ours, hz = map(statistics.median, zip(*rounds, strict=True))
        ratios = [own / peer for peer, own, _ in rounds]
        tenths = statistics.quantiles(ratios, n=10, method="inclusive")
        print(
            f"| {' | '.join(key)} | {theirs / 1e9:.2f} | {ours / 1e9:.2f} "
            f"| **{statistics.median(ratios):.3f}** | {tenths[0]:.3f} … {tenths[-1]:.3f} "
            f"| {hz / 1e9:.3f} | {theirs / hz:.2f} | {ours / hz:.2f} | {len(rounds)} |"
        )


if __name__ == "__main__":
    main()
