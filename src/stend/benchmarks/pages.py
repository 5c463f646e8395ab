"""The page of a benchmark in Markdown: its question, its method, and how to read its figures.

The same on every machine of one architecture: values that follow the machine are those of an
example. `make docs` writes the pages into docs/benchmarks, `stend list NAME` prints one.
"""

import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from stend.benchmarks.definition import Benchmark, Variant
from stend.benchmarks.parameters import Parameter, SameAs, Size
from stend.record import Cache, ClockFacts, Machine, NumaNode, Scalar

_FIRST, _SECOND = tuple(range(8)), tuple(range(8, 16))
EXAMPLE = Machine(
    architecture="x86_64",
    packages=2,
    cores=16,
    threads=16,
    usable=_FIRST + _SECOND,
    caches=(
        Cache(level=1, kind="data", bytes=48 << 10, line_bytes=64, ways=12, shared_by=1, count=16),
        Cache(level=2, kind="unified", bytes=1 << 20, line_bytes=64, ways=8, shared_by=1, count=16),
        Cache(
            level=3, kind="unified", bytes=32 << 20, line_bytes=64, ways=16, shared_by=8, count=2
        ),
    ),
    numa=tuple(
        NumaNode(index=i, bytes=64 << 30, available=60 << 30, cpus=cpus, distances=distances)
        for i, (cpus, distances) in enumerate(((_FIRST, (10, 21)), (_SECOND, (21, 10))))
    ),
    memory_bytes=128 << 30,
    memory_available=120 << 30,
    page_bytes=4096,
    clocks=tuple(
        ClockFacts(name=name, available=name == "tsc") for name in ("tsc", "cntvct", "rdtime")
    ),
)
EXAMPLE_IN_WORDS = (
    "a machine with two sockets of 8 cores, one memory node per socket, 48 KiB and 1 MiB of cache "
    "per core and 32 MiB per socket, and 120 GiB of available memory"
)

RATES = {
    "s": "the time of one execution, or of one operation in it",
    "s/slice": "the time of one execution, divided by the slices made",
    "B/s": "the bytes of the work, divided by the time",
    "FLOP/s": "the floating-point operations of the work, divided by the time",
    "op/s": "the operations of the work, divided by the time",
    "IOPS": "the completed requests, divided by the time, as fio counts both",
    "relative": "a part of the true value, 0.01 being one per cent",
    "share": "a part of the whole, from 0 to 1",
}
"""By unit: what a repetition's value is; of any other, the kernel tells it."""
MOST_VALUES = 8
"""That a page lists of a parameter."""


def page(benchmark: Benchmark) -> str:
    """Everything that the definition says, in sections with headings of level 2."""
    return "\n\n".join(_sections(benchmark)) + "\n"


def _sections(benchmark: Benchmark) -> Iterator[str]:
    about = benchmark.about
    yield f"**{benchmark.question}**"
    yield _family_says(benchmark)
    yield _section("What is measured", _measured(benchmark))
    yield _section("To run it", _commands(benchmark))
    if benchmark.parameters:
        yield _section("Parameters", _parameters(benchmark))
    if rows := _variants(benchmark):
        yield _section("Variants", rows)
    for title, said in (
        ("How it is proved", about.proof),
        ("What bounds it", about.bound),
        ("How to read it", about.reading),
    ):
        if said:
            yield _section(title, said)
    if needs := _needs(benchmark):
        yield _section("What it needs", needs)


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}"


def _family_says(benchmark: Benchmark) -> str:
    """The module's docstring: what the benchmarks in it have in common, and whose idea it was."""
    said = inspect.getdoc(importlib.import_module(benchmark.module)) or ""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", said)


def _measured(benchmark: Benchmark) -> str:
    metric, about = benchmark.metric, benchmark.about
    how = RATES.get(metric.unit, "what the kernel itself reports for a repetition")
    if about.program:
        how = "what the program prints, or the time of an execution if it prints nothing"
    lines = [
        f"- **{metric.name}** ({metric.unit}), {metric.better} is better: {how}.",
        *(f"- {line}" for line in _execution(benchmark)),
    ]
    if about.program:
        lines.append(f"- The program: {about.program}")
    if about.work:
        lines.append(f"- Counted as work: {about.work}")
    if benchmark.further:
        named = ", ".join(f"{m.name} ({m.unit})" for m in benchmark.further.values())
        lines.append(f"- Also compared, each separately: {named}.")
    lines.append(
        "- Part of a quick run of everything."
        if benchmark.quick
        else "- Not part of a quick run of everything: give its name or its family, or use "
        "`--full`."
    )
    return "\n".join(lines)


def _execution(benchmark: Benchmark) -> list[str]:
    """The docstring of what makes the kernel, a line a paragraph."""
    said = inspect.getdoc(benchmark.make) or ""
    return [" ".join(paragraph.split()) for paragraph in said.split("\n\n") if paragraph]


def _commands(benchmark: Benchmark) -> str:
    name = benchmark.name
    lines = [f"stend run {name}", f"stend run {name} --full"]
    for parameter, value in _one_setting(benchmark):
        lines.append(f"stend run {name} --set {parameter}={value}")
    names = [variant.name for variant in _on_the_page(benchmark)]
    if len(names) > 1:
        lines.append(f"stend run {name} --variant {names[-2]} --versus {names[-1]}")
    return "\n".join(["```sh", *lines, "```"])


def _one_setting(benchmark: Benchmark) -> Iterator[tuple[str, Scalar]]:
    """The first parameter with a default to name, and that value."""
    for name, parameter in benchmark.parameters.items():
        value = _defaults(parameter, "quick")[0]
        if not isinstance(value, SameAs) and value != "":
            yield name, value
            return


def _defaults(parameter: Parameter, size: Size) -> Sequence[Scalar | SameAs]:
    return parameter.defaults(EXAMPLE, size)


def _parameters(benchmark: Benchmark) -> str:
    lines = [_parameter(name, p) for name, p in benchmark.parameters.items()]
    if any(p.depends for p in benchmark.parameters.values()):
        lines.append(f"\nValues that follow the machine are given for {EXAMPLE_IN_WORDS}.")
    combined = (
        "Each combination of values is a case, except those that would show nothing new. "
        "`--set` takes several values: `--set NAME=1,2`."
    )
    return "\n".join([*lines, "", combined])


def _parameter(name: str, parameter: Parameter) -> str:
    quick, full = (_values(parameter, size) for size in ("quick", "full"))
    taken = f"Quick and full: {quick}" if quick == full else f"Quick: {quick}; full: {full}"
    follows = f" They follow {parameter.depends}." if parameter.depends else ""
    accepts = parameter.accepts and f" Accepts {parameter.accepts}."
    return f"- `--set {name}=…`: {parameter.help}.{accepts} {taken}.{follows}"


def _values(parameter: Parameter, size: Size) -> str:
    words = [_value(value, parameter.unit) for value in _defaults(parameter, size)]
    if len(words) > MOST_VALUES:
        return f"{', '.join(words[:3])} … {words[-1]} ({len(words)} values)"
    return ", ".join(words)


def _value(value: Scalar | SameAs, unit: str) -> str:
    """As the command line takes it, bytes and seconds with their units."""
    if isinstance(value, SameAs):
        return f"as `{value.parameter}`"
    if unit == "B":
        return _bytes(int(value))
    if unit == "s":
        return _seconds(float(value))
    return f"`{value}`" if value != "" else "nothing"


def _bytes(count: int) -> str:
    for power, name in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count and count % (1 << power) == 0:
            return f"{count >> power} {name}"
    return f"{count:,} B"


def _seconds(value: float) -> str:
    for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= scale:
            return f"{value / scale:g} {name}"
    return f"{value:g} s"


def _on_the_page(benchmark: Benchmark) -> list[Variant]:
    """The same on every machine: not an MPI of its own, which `stend list` alone tells.

    Two forms of one instruction set (`avx512`, `avx512-words`) of which the processor decides which
    is the faster stand by name.
    """
    known = benchmark.about.installs
    there = [v for v in benchmark.available() if hasattr(v, "needs") or v.name in known]
    return [v for _, forms in groupby(there, _set_of) for v in sorted(forms, key=lambda v: v.name)]


def _set_of(variant: Variant) -> tuple[str, tuple[str, ...]]:
    return variant.name.partition("-")[0], tuple(getattr(variant, "needs", ()))


def _variants(benchmark: Benchmark) -> str:
    installs = benchmark.about.installs
    lines = []
    for variant in _on_the_page(benchmark):
        needs = ", ".join(getattr(variant, "needs", ()))
        if not needs and variant.name in installs:
            needs = f"`{installs[variant.name]}`"
        lines.append(f"| `{variant.name}` | {needs or 'nothing'} |")
    if not lines:
        return ""
    return "\n".join(["| slowest first | needs |", "| --- | --- |", *lines])


def _needs(benchmark: Benchmark) -> str:
    """What is not told of a variant already."""
    told = {variant.name for variant in _on_the_page(benchmark)}
    installs = benchmark.about.installs.items()
    return "\n".join(f"- {what}: `{how}`" for what, how in installs if what not in told)
