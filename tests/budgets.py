"""How long the first gate and each test may take, on this machine's own speed."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

GATE = 600.0
"""Seconds of `make test` on two cores, from a bare clone."""
EVERYTHING = 1800.0
"""Seconds of all stages on two cores, where there are all programs that tests need."""
FIRST_GATE = ("prepare", "build", "native", "first")
"""The stages of `make test`."""
TEST = 20.0
"""Seconds of one test."""
LONGER = {
    "tests/docs/test_documentation_site.py": "builds the whole site",
    "tests/native/test_alone.py": "builds an engine anew, with sanitizers",
    "tests/native/test_constant_time.py": "builds the ciphers anew, and traces each instruction",
    "tests/native/test_memcheck.py": "runs under valgrind",
    "tests/native/test_other_architectures.py": "builds everything anew and runs it emulated",
    "tests/native/test_several_nodes.py": "boots a virtual machine",
    "tests/cli/test_check.py": "starts one process per case, up to 216 in a family",
    "tests/running/test_mpi": "MPI's ranks spin on every core, beside other tests",
}
"""Beginnings of the names of tests that may take longer, with the reason."""
CALIBRATION = """
import ast
text = "".join(f"def f{n}(a, b=({n}, 1)):\\n    return [a + c for c in b]\\n" for n in range(1000))
for _ in range(6):
    sum(1 for _ in ast.walk(ast.parse(text)))
"""
"""A fixed piece of work, done by two processes at once: two cores of a shared machine may do little
more than one."""
REFERENCE = 0.53
"""Its seconds, estimated, on the machine that set the budgets, a guest of two Zen 5 cores. A busy
Zen 3 guest took about 1.4 s, and 2.6 times as long for the first gate's tests."""


def slowness() -> float:
    """Give how many times slower than that machine this one is now; at least 1."""
    begun = time.perf_counter()
    running = [subprocess.Popen([sys.executable, "-c", CALIBRATION]) for _ in range(2)]
    for process in running:
        process.wait()
    return max(1.0, (time.perf_counter() - begun) / REFERENCE)


def broken(
    stages: dict[str, dict[str, Any]], everything: bool, alone: Callable[[str], float]
) -> list[str]:
    """Give a sentence for each budget that was broken.

    Where the machine has everything, `make test` does most of what `make test-all` does, and both
    share its budget.

    A test that took too long beside others is run again: `alone` gives its seconds by itself.
    """
    counted = [stage for name, stage in stages.items() if everything or name in FIRST_GATE]
    spent = sum(stage["seconds"] for stage in counted)
    allowed = EVERYTHING if everything else GATE
    allowed *= max((stage["slowness"] for stage in counted), default=1.0)
    command = "make test-all" if everything and "services" in stages else "make test"
    found = []
    if spent > allowed:
        found.append(
            f"`{command}` took {spent:.0f} s; the limit on this machine is {allowed:.0f} s. "
            "Make the slowest tests shorter."
        )
    for stage in stages.values():
        allowed = TEST * stage["slowness"]
        for name, (_, seconds, _) in stage["tests"].items():
            if seconds <= allowed or name.startswith(tuple(LONGER)):
                continue
            if (least := min(seconds, alone(name))) > allowed:
                found.append(
                    f"{name} took {least:.0f} s; the limit on this machine is {allowed:.0f} s. "
                    "Make it shorter, or list it with a reason in tests/budgets.py."
                )
    return found
