"""stend beside another program, by turns, a process each: a line a pair for ../pairs.py.

    interleave.py ROUNDS FROM TO BUILD [CORE_TO_CORE_LATENCY]

Each line: the CPUs, the peer, which statistic of it and of stend, 1 (operation), both in seconds.
The C program is compared by medians; core-to-core-latency, which tells means alone, by them.
"""

import re
import subprocess
import sys


def run(*command: str) -> str:
    """What it printed."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def both(program: str, a: str, b: str) -> tuple[float, float]:
    """Median and mean, ns."""
    median, mean = run("taskset", "-c", f"{a},{b}", program, a, b).split()
    return float(median), float(mean)


def crate(program: str, a: str, b: str) -> float:
    """Its mean, ns: the one number of its lower triangle."""
    told = run(program, "--csv", "--cores", f"{a},{b}")
    return float(re.findall(r"\d+\.\d+", told)[0])


def main(rounds: str, a: str, b: str, build: str, other: str = "") -> None:
    """Print the pairs; which of the two is first alternates."""
    peers = {"plain C": 0} | ({"crate": 1} if other else {})
    for turn in range(int(rounds)):
        for peer, statistic in peers.items():
            sides = {}
            for side in ("ours", "theirs") if turn % 2 else ("theirs", "ours"):
                if side == "ours":
                    sides[side] = both(f"{build}/cores-measured", a, b)[statistic]
                elif peer == "crate":
                    sides[side] = crate(other, a, b)
                else:
                    sides[side] = both(f"{build}/cores-pingpong", a, b)[statistic]
            name, which = peer.replace(" ", "-"), ("median", "mean")[statistic]
            ours, theirs = sides["ours"] * 1e-9, sides["theirs"] * 1e-9
            print(f"{a}-{b}", name, which, 1, f"{theirs:.12f}", f"{ours:.12f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
