"""Runs stend's kernels and likwid-bench by turns, a process each, and prints a line a pair.

    python interleave.py MEASURED ROUNDS THREADS FILTER

MEASURED is the program of measured.cpp; FILTER chooses the lines of WORK whose operation begins so.
A line: level, operation, variant, likwid's kernel, threads, then bytes, likwid-bench's seconds for
them and stend's. Both move the same bytes of the same kind: neither counts the line that an
ordinary store reads before it writes.
"""

import re
import subprocess
import sys

SECONDS = 0.15
"""Of each measurement."""
LEVELS = {"L1": 24_000, "L2": 1_000_000, "memory": 960_000_000}
"""Bytes for one thread; memory: for all together."""
WORK = (
    ("L1", "read", "avx512", "load_avx512", 400e9),
    ("L1", "write", "avx512", "store_avx512", 200e9),
    ("L1", "copy", "avx512", "copy_avx512", 400e9),
    ("L2", "read", "avx512", "load_avx512", 170e9),
    ("L2", "write", "avx512", "store_avx512", 60e9),
    ("L2", "copy", "avx512", "copy_avx512", 90e9),
    ("memory", "read", "avx512", "load_avx512", 16e9),
    ("memory", "write", "avx512", "store_avx512", 13e9),
    ("memory", "write", "nontemporal-avx512", "store_mem_avx512", 24e9),
    ("memory", "copy", "avx512", "copy_avx512", 16e9),
    ("memory", "copy", "nontemporal-avx512", "copy_mem_avx512", 20e9),
    ("memory", "stream.copy", "nontemporal-avx512", "copy_mem_avx512", 20e9),
    ("memory", "stream.triad", "nontemporal-avx512", "stream_mem_avx512", 20e9),
)
"""Level, operation, stend's variant, likwid's kernel, and the B/s from which its loops are set."""


def stend(program: str, operation: str, variant: str, size: int, threads: int) -> float:
    """B/s of stend's kernel."""
    size -= size % (128 * threads)
    words = [program, operation, variant, str(size), str(threads), str(SECONDS)]
    moved, seconds = subprocess.run(
        words, capture_output=True, text=True, check=True
    ).stdout.split()
    return float(moved) / float(seconds)


def likwid(kernel: str, size: int, threads: int, guess: float) -> float:
    """B/s of a kernel of likwid-bench."""
    loops = max(2, round(SECONDS * guess / size))
    words = ["likwid-bench", "-t", kernel, "-w", f"N:{size // 1000}kB:{threads}", "-i", str(loops)]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found = re.search(r"MByte/s:\s+([\d.]+)", said)
    if not found:
        raise SystemExit(f"likwid-bench said no rate: {said}")
    return float(found[1]) * 1e6


def main(program: str, rounds: int, threads: int, chosen: str) -> None:
    """Print the pairs; which of the two comes first alternates."""
    for level, operation, variant, kernel, guess in WORK:
        if not f"{level} {operation}".startswith(chosen):
            continue
        size = LEVELS[level] * (1 if level == "memory" else threads)
        for turn in range(rounds):
            rates = {}
            for who in ("likwid", "stend") if turn % 2 else ("stend", "likwid"):
                rates[who] = (
                    stend(program, operation, variant, size, threads)
                    if who == "stend"
                    else likwid(kernel, size, threads, guess * threads)
                )
            took = (size / rates["likwid"], size / rates["stend"])
            print(level, operation, variant, kernel, threads, size, *took, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
