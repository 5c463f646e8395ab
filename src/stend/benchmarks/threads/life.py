"""Making, joining and chaining threads, after Golenkov et al. 2015.

Threads have the default attributes; the record says how much stack those give. Bound, a thread is
given its CPU by its attributes, which is then part of making it.
"""

from typing import TYPE_CHECKING

from stend.benchmarks.threads.conditions import CONDITIONS, conditions_lack, usual
from stend.definition import Case, benchmark
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

TIME = Metric(name="time", unit="s", better="lower")


def _one_thread(case: Case, machine: Machine) -> str | None:
    return conditions_lack(case, machine, threads=1)


@benchmark(
    "threads.create",
    question="How long does making a thread take?",
    parameters=CONDITIONS,
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=usual("none"),
    needs=_one_thread,
)
def create(case: Case) -> "native.Kernel":
    """One repetition is one pthread_create; the thread ends at once and is joined untimed.

    Published as "create one thread".
    """
    from stend import native

    return native.threads.create(str(case.load), str(case.affinity))


@benchmark(
    "threads.create_join",
    question="How long does making a thread that ends at once take, with waiting for its end?",
    parameters=CONDITIONS,
    metric=TIME,
    work=lambda case: Work(operations=1),
    takes=usual("none"),
    needs=_one_thread,
)
def create_join(case: Case) -> "native.Kernel":
    """One repetition is one pthread_create and pthread_join.

    Published as "create and join one thread".
    """
    from stend import native

    return native.threads.create_join(str(case.load), str(case.affinity))
