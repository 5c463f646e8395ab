"""Run by test_mpi_between_hosts.py on the first of two hosts: measures between them, prints JSON.

between_hosts.py MPI → a line {case: {"status", "reason", "about", "medians"}}.
"""

import json
import statistics
import sys

from stend.benchmarks import registry
from stend.benchmarks.runner import Rule
from stend.machine import default_clock
from stend.running.launch import launch
from stend.running.task import Task

ONCE = 0.0
"""Seconds that stand for one repetition, neither warmed up nor repeated."""
PAIR = {"place": "nodes", "hosts": "n1+n2"}
CASES = {
    "1 KB": ("mpi.pingpong", {"bytes": 1000, **PAIR}, 0.05),
    "128 MB": ("mpi.pingpong", {"bytes": 128_000_000, **PAIR}, ONCE),
    "both ways": ("mpi.bidirectional", {"bytes": 65536, **PAIR}, 0.05),
    "put": ("mpi.put", {"bytes": 8, **PAIR}, 0.05),
    "allreduce": ("mpi.allreduce", {"bytes": 1024, "ranks": 2, "hosts": "n1+n2"}, 0.05),
    "one node": ("mpi.pingpong", {"bytes": 8, "place": "socket", "hosts": "n2"}, 0.05),
}


def told(name: str, parameters: dict[str, object], seconds: float, variant: str):
    task = Task(
        benchmark=name,
        module="stend.benchmarks.families.mpi",
        parameters=parameters,
        variant=variant,
        process=0,
        rule=Rule(seconds=seconds) if seconds else Rule(name="once"),
        clock=default_clock(),
    )
    done = launch(task)
    columns = done.sample.also if done.sample else {}
    return {
        "status": done.status,
        "reason": done.reason,
        "about": done.detail.get("about", ""),
        "medians": {column: statistics.median(values) for column, values in columns.items()},
    }


if __name__ == "__main__":
    registry.load()
    variant = sys.argv[1]
    print(json.dumps({key: told(*case, variant) for key, case in CASES.items()}))
