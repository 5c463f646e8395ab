"""The worker process: one task from standard input, its outcome to the given descriptor.

It is started fresh for every process of every case, so that page placement and address
layout differ between them, and so that a crash takes nothing else along.
"""

import faulthandler
import importlib
import os
import sys
import traceback

from stend.definition import registered
from stend.errors import MeasuringError, StendError, WrongResult
from stend.record import Sample, Status, from_json, to_json
from stend.running.death import die_with_parent
from stend.running.kernel import measure_kernel
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
        sample, about = measure(task)
    except WrongResult as error:
        return Outcome(status=Status.WRONG, reason=str(error))
    except native.Unavailable as lacking:
        return Outcome(status=Status.SKIPPED, reason=str(lacking))
    except StendError as error:
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
    return Outcome(status=done, sample=sample, detail={"about": about} if about else {})


def measure(task: Task) -> tuple[Sample, str]:
    """Make the kernel and measure it by the task's rule; what it says about itself goes along.

    Raises:
        WrongResult: another variant would run than the one asked for.
        MeasuringError: the kernel can't be made with these parameters.
    """
    importlib.import_module(task.module)
    try:
        kernel = registered()[task.benchmark].make(task.case)
    except ValueError as error:  # how a kernel refuses what it is asked for
        raise MeasuringError(str(error)) from error
    if task.variant is not None and kernel.variant != task.variant:
        raise WrongResult(
            f"The variant {task.variant!r} was asked for, {kernel.variant!r} would run."
        )
    return measure_kernel(kernel, task.clock, task.rule, task.process), kernel.about


if __name__ == "__main__":
    main(sys.argv[1:])
