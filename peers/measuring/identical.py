"""A against A, measured: how often a real benchmark is called different from itself.

STREAM's triad, the plain variant interleaved with the plain variant, 50 times; prints every
verdict that claims a difference, and how many there were. At 99% one in a hundred may.

    python identical.py TIMES PAIRS
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

CASE = ["stream.triad", "--set", "threads=1", "--set", "elements=4000000", "--seconds", "0.15"]
SIDES = ["--variant", "plain", "--versus", "plain"]


def judged(store: Path, pairs: int) -> dict[str, object]:
    """One interleaved run of a variant against itself: its judgement."""
    stend = [sys.executable, "-c", "from stend.cli import main; main()"]
    env = os.environ | {"STEND_STORE": str(store)}
    run = [*stend, "run", *CASE, *SIDES, "--pairs", str(pairs), "--json"]
    subprocess.run(run, env=env, check=True, capture_output=True)
    compare = [*stend, "compare", "last", "--json"]
    done = subprocess.run(compare, env=env, check=True, capture_output=True)
    (row,) = json.loads(done.stdout)["rows"]
    return row


def main(times: int, pairs: int) -> None:
    """Repeat and count."""
    verdicts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(times):
            row = judged(Path(folder) / "runs.db", pairs)
            verdicts[str(row["verdict"])] += 1
            if row["verdict"] in {"faster", "slower"}:
                print(
                    f"run {number}: {row['verdict']}, {row['ratio']} ({row['low']} to "
                    f"{row['high']})",
                    flush=True,
                )
    false = verdicts["faster"] + verdicts["slower"]
    print(f"{times} times, {pairs} pairs each: {dict(verdicts)}; {false} false")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
