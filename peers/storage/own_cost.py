"""stend's own CPU time while it samples at 1 Hz: seconds and hosts in, a table out.

    python peers/storage/own_cost.py [SECONDS] [HOST…]

Hosts are reached as `stend storage run --watch` reaches them. Without one, the loop that a host
would run runs here, in the shell that is sh, so that its cost is seen too.
"""

import os
import platform
import resource
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from stend.storage.host_sampler import Sampler

HERE = '#!/bin/sh\nshift\nexec sh -c "$*"\n'


def spent(who: int) -> float:
    """CPU time so far, s."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def cost(seconds: float, hosts: list[str]) -> tuple[float, float]:
    """Shares of one core: of this process, and of the programs it started for its connections."""
    children = spent(resource.RUSAGE_CHILDREN)
    with Sampler(hosts) as beside:
        before = spent(resource.RUSAGE_SELF)
        time.sleep(seconds)
        own = spent(resource.RUSAGE_SELF) - before
    for sentence in beside.said():
        print(sentence)
    return own / seconds, (spent(resource.RUSAGE_CHILDREN) - children) / seconds


def main() -> None:
    """Print a row for each number of hosts."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    hosts = sys.argv[2:]
    print(
        f"{date.today()}, {platform.machine()}, Linux {platform.release()}, {os.cpu_count()} CPUs, "
        f"Python {platform.python_version()}, {seconds:g} s each"
    )
    with tempfile.TemporaryDirectory() as folder:
        if not hosts:
            shell = Path(folder) / "shell"
            shell.write_text(HERE)
            shell.chmod(0o755)
            os.environ["STEND_REMOTE_SHELL"] = str(shell)
            hosts = ["n1"]
        print(f"{'sampled':32} {'stend':>10} {'its connections':>16}")
        for names, what in (([], "this machine"), (hosts, f"and {len(hosts)} over a connection")):
            own, others = cost(seconds, names)
            print(f"{what:32} {own:10.3%} {others:16.3%}")


if __name__ == "__main__":
    main()
