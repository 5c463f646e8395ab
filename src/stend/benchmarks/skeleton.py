"""How to add a benchmark: copy this file, rename it, change every line that says so.

A file in families/ is found by itself. A package of your own registers its module:

    [project.entry-points."stend.benchmarks"]
    mine = "my_package.my_benchmarks"

A kernel is anything that the sampler can repeat. Fast ones are C++ (native/kernel.h says
what they owe); this one calls Python, which costs about 50 ns a call beside the work.
"""

from typing import TYPE_CHECKING

from stend.benchmarks.definition import Case, benchmark
from stend.benchmarks.parameters import whole
from stend.record import Metric, Work

if TYPE_CHECKING:
    from stend import native


@benchmark(
    "skeleton.sum",  # family.what
    question="How many additions a second does Python's sum make?",
    parameters={
        # help, then the values of a run: here more with --full than with --quick
        "numbers": whole(
            "how many numbers are added",
            lambda machine, size: (1_000, 100_000) if size == "full" else (1_000,),
        ),
    },
    metric=Metric(name="rate", unit="op/s", better="higher"),
    work=lambda case: Work(operations=case.numbers),  # of one execution
)
def add_up(case: Case) -> "native.Kernel":
    """Return a fresh kernel; what is prepared here is not timed."""
    from stend import native

    numbers = list(range(int(case.numbers)))
    expected = len(numbers) * (len(numbers) - 1) // 2  # the proof: every sum has to equal it
    return native.sampler.call(lambda: sum(numbers), expected)
