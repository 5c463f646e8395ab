"""Turns the pairs that `versus` prints into a table: medians, and how much the ratios vary."""

import statistics
import sys
from collections import defaultdict

BYTES = {"copy": 16, "scale": 16, "add": 24, "triad": 24}  # an element, as STREAM counts them


def main() -> None:
    """Read pairs from standard input, print the table."""
    pairs: dict[tuple[str, str, str], list[tuple[float, float]]] = defaultdict(list)
    for line in sys.stdin:
        operation, threads, variant, elements, classic, ours = line.split()
        gigabytes = BYTES[operation] * int(elements) / 1e9
        key = (threads, operation, variant)
        pairs[key].append((gigabytes / float(classic), gigabytes / float(ours)))
    print(
        "| threads | operation | variant | classic GB/s | stend GB/s | ratio | 10% … 90% | pairs |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for (threads, operation, variant), both in pairs.items():
        ratios = sorted(ours / classic for classic, ours in both)
        tenth = statistics.quantiles(ratios, n=10, method="inclusive")
        print(
            f"| {threads} | {operation} | {variant} "
            f"| {statistics.median(classic for classic, _ in both):.1f} "
            f"| {statistics.median(ours for _, ours in both):.1f} "
            f"| **{statistics.median(ratios):.2f}** "
            f"| {tenth[0]:.2f} … {tenth[-1]:.2f} | {len(both)} |"
        )


if __name__ == "__main__":
    main()
