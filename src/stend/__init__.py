"""stend: a performance laboratory for computers.

    stend.measure(function)      measure a Python function by the laboratory's method
    stend.estimate(record)       its figure with an interval
    @stend.benchmark(...)        define a benchmark of one's own
    stend.run("stream", …)       measure benchmarks on this machine
    stend.time(["sort", "a"])    measure a program
    stend.load("last")           a stored run, or a run file
    stend.compare(a, b)          two runs → verdicts

Everything is imported when it is first used, so `import stend` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stend.benchmarks.definition import benchmark
    from stend.comparing import compare
    from stend.comparing.estimate import estimate
    from stend.laboratory import load, run, time
    from stend.running.kernel import measure

from stend import aliases

__all__ = ["__version__", "benchmark", "compare", "estimate", "load", "measure", "run", "time"]

_HOME = {
    "benchmark": "stend.benchmarks.definition",
    "compare": "stend.comparing",
    "estimate": "stend.comparing",
    "load": "stend.laboratory",
    "measure": "stend.running.kernel",
    "run": "stend.laboratory",
    "time": "stend.laboratory",
}


aliases.install()


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("stend")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'stend' has no attribute {name!r}")
