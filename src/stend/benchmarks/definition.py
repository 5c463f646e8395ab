"""How a benchmark is defined: its question, parameters, metric, work, variants and what it runs.

Defining one registers it by name; `registry.py` finds the modules that define them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from stend.benchmarks.parameters import Parameter, Size
from stend.benchmarks.runner import Runner
from stend.errors import BadValue, DefinitionError
from stend.record import Machine, Metric, Scalar, Work, from_json, to_json

if TYPE_CHECKING:
    from stend import native


DEFAULT = "default"
"""Stands for the best variant that the machine supports."""
ALL = "all"
"""Stands for every variant, also those that the machine lacks, as skips."""


@dataclass(frozen=True, slots=True)
class Case:
    """A benchmark with its parameters and variant; parameters read as attributes."""

    benchmark: str
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    variant: str | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.parameters[name]
        except KeyError:
            raise AttributeError(f"{self.benchmark} has no parameter {name!r}") from None

    def __str__(self) -> str:
        words = [self.benchmark, *(f"{k}={v}" for k, v in self.parameters.items() if v != "")]
        return " ".join(words) + (f" [{self.variant}]" if self.variant else "")


class Variant(Protocol):
    """One implementation of a benchmark's work; the compiled ones are `native.Variant`."""

    @property
    def name(self) -> str:
        """What `--variant` takes."""

    @property
    def available(self) -> bool:
        """Whether it can run here."""

    @property
    def reason(self) -> str:
        """A sentence when it can't."""


Make = Callable[[Case], "native.Kernel | Runner"]
"""What measures a case: a kernel, which the worker samples, or a runner of its own."""
Takes = Callable[[Case, Machine, Size], Sequence[str]]
"""Which variants a run of that size measures of a case of default values; none: not this case."""
Needs = Callable[[Case, Machine], str | None]
"""Why the case can't run on the machine, in a sentence; None: it can."""


def best_or_all(size: Size) -> tuple[str, ...]:
    """What a run of that size takes where a benchmark has no better idea."""
    return (ALL,) if size == "full" else (DEFAULT,)


@dataclass(frozen=True, slots=True)
class About:
    """What a reader of the figure asks and no figure tells, each in a sentence or a few."""

    program: str = ""
    """The program that is executed, where its figures are what it prints."""
    work: str = ""
    """What is counted as the work of one execution."""
    proof: str = ""
    """What shows that the work was done, and rightly."""
    bound: str = ""
    """What limits the figure."""
    reading: str = ""
    """What to make of a value, and what to set beside it."""
    rooms: tuple[str, ...] = ()
    """Folders of the sources whose README says more: "native/kernels/stream"."""
    installs: Mapping[str, str] = field(default_factory=dict)
    """What it uses that may be missing, or the variant that needs it → the command for it."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A registered definition. `make` gives a fresh kernel, or job, for a case."""

    name: str
    question: str
    metric: Metric
    make: Make
    work: Callable[[Case], Work]
    parameters: Mapping[str, Parameter]
    variants: Callable[[], Sequence[Variant]] | None
    takes: Takes
    quick: bool
    card: bool
    needs: Needs
    further: Mapping[str, Metric]
    module: str
    about: About = About()
    longest: float = 0.0

    def available(self) -> Sequence[Variant]:
        """The variants, slowest first; empty for a benchmark that has none."""
        try:
            return self.variants() if self.variants else ()
        except ValueError as error:  # STEND_DISABLE_ISA names what there isn't
            raise BadValue(str(error)) from error


_registered: dict[str, Benchmark] = {}


def benchmark(
    name: str,
    *,
    question: str,
    metric: Metric,
    work: Callable[[Case], Work] = lambda case: Work(),
    parameters: Mapping[str, Parameter] | None = None,
    variants: Callable[[], Sequence[Variant]] | None = None,
    takes: Takes = lambda case, machine, size: best_or_all(size),
    quick: bool = True,
    card: bool = False,
    needs: Needs = lambda case, machine: None,
    further: Mapping[str, Metric] | None = None,
    about: About | None = None,
    longest: float = 0.0,
) -> Callable[[Make], Make]:
    """Register the decorated function as the benchmark `name`.

    Args:
        name: dotted, lower case: "family.what".
        question: what the figure answers, a sentence that ends with a question mark.
        metric: what is reported, with unit and direction.
        work: bytes, flops, operations or blocks that one execution does.
        parameters: by name; each combination of their values is a case.
        variants: the kernel's implementations, slowest first.
        takes: the variants that a run of some size measures of a case, by name, "default" or
            "all"; of a benchmark without variants, anything but none. It is asked for each
            combination of default values; one that the user named is measured with every
            variant that any of those takes.
        quick: whether a quick run takes it even when nothing but its suite is asked for.
        card: whether it has a figure that the machine's card shows; a run measures those first.
        needs: why a case can't run on a machine, or None.
        further: what else is compared: the name of a column of `Sample.also` → its metric.
        about: what its page says of the work, the proof and the figure.
        longest: seconds that a process may take, beyond what every benchmark is given.

    Raises:
        DefinitionError: the name is taken or malformed, the question isn't one, or the metric
            is not what a Metric has to be.
    """
    _check_definition(name, question)
    for each in (metric, *(further or {}).values()):
        _check_metric(name, each)
    if taken := {"benchmark", "parameters", "variant"} & set(parameters or {}):
        raise DefinitionError(
            f"{name!r} has a parameter {min(taken)!r}, which a case already has; rename it."
        )

    def register(make: Make) -> Make:
        _registered[name] = Benchmark(
            name,
            question,
            metric,
            make,
            work,
            dict(parameters or {}),
            variants,
            takes,
            quick,
            card,
            needs,
            dict(further or {}),
            make.__module__,
            about or About(),
            longest,
        )
        return make

    return register


def registered() -> Mapping[str, Benchmark]:
    """Everything defined so far, by name."""
    return _registered


def _check_metric(name: str, metric: Metric) -> None:
    try:
        from_json(to_json(metric), Metric)
    except (msgspec.MsgspecError, TypeError, AttributeError) as error:
        raise DefinitionError(f"the metric of {name!r} can't be kept: {error}.") from error


def _check_definition(name: str, question: str) -> None:
    if not all(
        part.replace("_", "").isalnum() and part == part.lower() for part in name.split(".")
    ):
        raise DefinitionError(
            f"{name!r} is not a benchmark name; use lower-case words joined by dots, as in "
            "'stream.triad'."
        )
    if name in _registered:
        raise DefinitionError(
            f"the benchmark {name!r} is defined twice, first in {_registered[name].module}; "
            "rename one."
        )
    if not question.endswith("?"):
        raise DefinitionError(f"the question of {name!r} is {question!r}; end it with '?'.")
