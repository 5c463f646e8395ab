"""stend beside core-to-core-latency, by turns, a process each: a line a pair for ../pairs.py.

    interleave.py ROUNDS FROM TO BUILD CORE_TO_CORE_LATENCY

Each line: the CPUs, the peer, which statistic of it and of stend, 1 (operation), both in seconds.
The crate tells its mean alone, so both are means.
"""

import re
import subprocess
import sys


def run(*command: str) -> str:
    """What it printed."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def stend(build: str, a: str, b: str) -> float:
    """Its mean, ns."""
    return float(run("taskset", "-c", f"{a},{b}", f"{build}/cores-measured", a))


def crate(program: str, a: str, b: str) -> float:
    """Its mean, ns: the one number of its lower triangle."""
    told = run(program, "--csv", "--cores", f"{a},{b}")
    return float(re.findall(r"\d+\.\d+", told)[0])


def main(rounds: str, a: str, b: str, build: str, program: str) -> None:
    """Print the pairs; which of the two is first alternates."""
    for turn in range(int(rounds)):
        seen = {}
        for side in ("ours", "theirs") if turn % 2 else ("theirs", "ours"):
            seen[side] = stend(build, a, b) if side == "ours" else crate(program, a, b)
        print(f"{a}-{b} crate mean 1 {seen['theirs'] * 1e-9:.12f} {seen['ours'] * 1e-9:.12f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
