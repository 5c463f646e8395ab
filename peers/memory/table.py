"""Turns the pairs that `versus` prints into a table: medians, and how much the ratios vary."""

import statistics
import sys
from collections import defaultdict


def main(region: int) -> None:
    """Read pairs from standard input, print the table."""
    pairs: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    for line in sys.stdin:
        variant, block, theirs, ours = line.split()
        written = region // int(block) * int(block) / 1e9
        pairs[variant, int(block)].append((written / float(theirs), written / float(ours)))
    print("| block MiB | variant | memset GB/s | stend GB/s | ratio | 10% … 90% | pairs |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for (variant, block), both in pairs.items():
        ratios = sorted(ours / theirs for theirs, ours in both)
        tenth = statistics.quantiles(ratios, n=10, method="inclusive")
        print(
            f"| {block / 2**20:g} | {variant} "
            f"| {statistics.median(theirs for theirs, _ in both):.1f} "
            f"| {statistics.median(ours for _, ours in both):.1f} "
            f"| **{statistics.median(ratios):.2f}** "
            f"| {tenth[0]:.2f} … {tenth[-1]:.2f} | {len(both)} |"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
