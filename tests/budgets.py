"""How long the first gate and each test may take, on this machine's own speed."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

GATE = 600.0
"""Seconds of `make test` on two cores, from a bare clone."""
BROWSER = 300.0
"""Seconds more where there is a browser, and with it most of the tests that need a program."""
SECOND_GATE = ("services", "full")
"""The stages that `make test-all` adds."""
TEST = 20.0
"""Seconds of one test."""
LONGER = {
    "tests/native/test_alone.py": "builds an engine anew, with sanitizers",
    "tests/native/test_constant_time.py": "builds the ciphers anew, and traces each instruction",
    "tests/native/test_memcheck.py": "runs under valgrind",
    "tests/native/test_other_architectures.py": "builds everything anew and runs it emulated",
    "tests/native/test_several_nodes.py": "boots a virtual machine",
    "tests/cli/test_check.py": "starts a process a case, of which a family has up to 216",
    "tests/running/test_mpi": "MPI's ranks spin on every core, beside other tests",
}
"""Beginnings of the names of tests that may take longer, with the reason."""
CALIBRATION = """
import ast
text = "".join(f"def f{n}(a, b=({n}, 1)):\\n    return [a + c for c in b]\\n" for n in range(1000))
for _ in range(6):
    sum(1 for _ in ast.walk(ast.parse(text)))
"""
"""A fixed work of two processes at once, as the budgets are of two cores: on shared hardware two
may be hardly faster than one."""
REFERENCE = 0.53
"""Its seconds where the budgets were set, a guest of two Zen 5 cores: those of a Zen 3 guest, by
how much longer the first gate takes there."""


def slowness() -> float:
    """Give how many times longer than there a fixed work takes here and now; at least 1."""
    begun = time.perf_counter()
    running = [subprocess.Popen([sys.executable, "-c", CALIBRATION]) for _ in range(2)]
    for process in running:
        process.wait()
    return max(1.0, (time.perf_counter() - begun) / REFERENCE)


def broken(
    stages: dict[str, dict[str, Any]], browser: bool, alone: Callable[[str], float]
) -> list[str]:
    """Give a sentence for each budget that was broken.

    A test that took too long beside others is run again: `alone` gives its seconds by itself.
    """
    first = [stage for name, stage in stages.items() if name not in SECOND_GATE]
    spent = sum(stage["seconds"] for stage in first)
    allowed = (GATE + BROWSER * browser) * max((stage["slowness"] for stage in first), default=1.0)
    found = []
    if spent > allowed:
        found.append(f"make test took {spent:.0f} s; it may take {allowed:.0f} s on this machine.")
    for stage in stages.values():
        allowed = TEST * stage["slowness"]
        for name, (_, seconds) in stage["tests"].items():
            if seconds <= allowed or name.startswith(tuple(LONGER)):
                continue
            if (least := min(seconds, alone(name))) > allowed:
                found.append(
                    f"{name} took {least:.0f} s; it may take {allowed:.0f} s on this machine. Make "
                    "it shorter, or list it with a reason in tests/budgets.py."
                )
    return found
