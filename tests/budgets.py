"""How long the first gate and each test may take, on this machine's own speed."""

import hashlib
import time
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
CALIBRATION = 300_000, 0.095
"""Rounds of BLAKE2s and their seconds on a Sapphire Rapids guest, beside whose times the budgets
were set."""


def slowness() -> float:
    """Give how many times longer than there a fixed work takes here and now; at least 1."""
    rounds, seconds = CALIBRATION
    digest, begun = bytes(32), time.perf_counter()
    for _ in range(rounds):
        digest = hashlib.blake2s(digest).digest()
    return max(1.0, (time.perf_counter() - begun) / seconds)


def broken(stages: dict[str, dict[str, Any]], browser: bool) -> list[str]:
    """Give a sentence for each budget that was broken."""
    first = [stage for name, stage in stages.items() if name not in SECOND_GATE]
    spent = sum(stage["seconds"] for stage in first)
    allowed = (GATE + BROWSER * browser) * max((stage["slowness"] for stage in first), default=1.0)
    found = []
    if spent > allowed:
        found.append(f"make test took {spent:.0f} s; it may take {allowed:.0f} s on this machine.")
    for stage in stages.values():
        allowed = TEST * stage["slowness"]
        found += [
            f"{name} took {seconds:.0f} s; it may take {allowed:.0f} s on this machine. Make it "
            "shorter, or list it with a reason in tests/budgets.py."
            for name, (_, seconds) in stage["tests"].items()
            if seconds > allowed and not name.startswith(tuple(LONGER))
        ]
    return found
