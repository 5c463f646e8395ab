"""The worker process: one task from standard input, its outcome to the given descriptor.

It is started fresh for every process of every case, so that page placement and address
layout differ between them, and so that a crash takes nothing else along.
"""

import faulthandler
import importlib
import os
import sys
import traceback

from stend.benchmarks.definition import registered
from stend.errors import Crashed, MeasuringError, StendError, TimedOut, WrongResult
from stend.processes.child import die_with_parent
from stend.record import Sample, Status, from_json, to_json
from stend.running.kernel import KernelRunner
from stend.running.task import Outcome, Task


def main(arguments: list[str]) -> None:
    """Measure the task on standard input; write the outcome to descriptor `arguments[0]`."""
    die_with_parent(int(arguments[1]))
    faulthandler.enable()
    task = from_json(sys.stdin.buffer.read(), Task)
    with os.fdopen(int(arguments[0]), "wb") as answer:
        answer.write(to_json(_attempt(task)))


def _attempt(task: Task) -> Outcome:
    from stend import native

    try:
        sample, detail = measure(task)
    except MeasuringError as error:
        return Outcome(status=_ENDINGS[type(error)], reason=str(error), detail=error.detail)
    except native.Unavailable as lacking:
        return Outcome(status=Status.SKIPPED, reason=str(lacking))
    except (StendError, native.Failed) as error:
        return Outcome(status=Status.FAILED, reason=str(error))
    except MemoryError as error:
        return Outcome(status=Status.FAILED, reason=f"Memory ran out: {error}")
    except Exception as error:
        return Outcome(
            status=Status.FAILED,
            reason=f"{type(error).__name__}: {error}",
            detail={"traceback": traceback.format_exc()},
        )
    if not sample.proof.right:
        return Outcome(status=Status.WRONG, reason=sample.proof.said, sample=sample)
    done = Status.CHECKED if task.rule.name == "once" else Status.MEASURED
    return Outcome(status=done, sample=sample, detail=detail)


_ENDINGS = {
    MeasuringError: Status.FAILED,
    WrongResult: Status.WRONG,
    Crashed: Status.CRASHED,
    TimedOut: Status.TIMED_OUT,
}


def measure(task: Task) -> tuple[Sample, dict[str, str]]:
    """Make the kernel or runner and measure by the task's rule; what it says of itself goes along.

    Raises:
        WrongResult: another variant would run than the one asked for.
        MeasuringError: the kernel can't be made with these parameters.
    """
    from stend import native

    importlib.import_module(task.module)
    try:
        made = registered()[task.benchmark].make(task.case)
    except ValueError as error:  # how a kernel refuses what it is asked for
        raise MeasuringError(str(error)) from error
    if task.variant is not None and made.variant != task.variant:
        raise WrongResult(
            f"Variant {task.variant!r} was requested, but {made.variant!r} would run."
        )
    runner = KernelRunner(made, task.clock) if isinstance(made, native.Kernel) else made
    return runner.measure(task.rule, task.process)


if __name__ == "__main__":
    main(sys.argv[1:])
