"""`stend list`: the benchmarks, their questions, parameters and variants."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stend.cli.options import Json

if TYPE_CHECKING:
    from stend.definition import Benchmark


def verb(
    patterns: Annotated[
        list[str] | None, typer.Argument(metavar="[PATTERN]…", help="Names, families or globs.")
    ] = None,
    json: Json = False,
) -> None:
    """List the benchmarks: what each answers; named ones with parameters and variants.

    Examples: `stend list`, `stend list stream`, `stend list memory.write`.
    """
    from stend.registry import find, load

    chosen = find(patterns or [])
    _, broken = load()
    if json:
        _print_json(chosen, broken)
    else:
        _print(chosen, broken, in_full=bool(patterns))


def _print(chosen: tuple["Benchmark", ...], broken: Mapping[str, str], in_full: bool) -> None:
    from rich.markup import escape

    from stend.console import Console

    console = Console()
    width = max(len(b.name) for b in chosen)
    for benchmark in chosen:
        console.print(f"[bold]{benchmark.name:<{width}}[/bold]  {escape(benchmark.question)}")
        if in_full:
            for line in _details(benchmark):
                console.print(f"{'':<{width}}  {escape(line)}", style="dim")
    for name, why in broken.items():
        console.print(f"[bold]{escape(name)}[/bold]  could not be loaded: {escape(why)}")


def _details(benchmark: "Benchmark") -> list[str]:
    metric = benchmark.metric
    lines = [f"{metric.name} in {metric.unit}, {metric.better} is better"]
    lines += [f"--set {name}=…  {p.help}" for name, p in benchmark.parameters.items()]
    lines += [
        f"--variant {v.name}" + ("" if v.available else f"  (not here: {v.reason})")
        for v in benchmark.available()
    ]
    return lines


def _print_json(chosen: tuple["Benchmark", ...], broken: Mapping[str, str]) -> None:
    import msgspec

    listed: dict[str, Any] = {
        "benchmarks": [
            {
                "name": b.name,
                "question": b.question,
                "metric": b.metric,
                "parameters": {name: p.help for name, p in b.parameters.items()},
                "variants": [
                    {"name": v.name, "available": v.available, "reason": v.reason}
                    for v in b.available()
                ],
            }
            for b in chosen
        ],
        "broken": dict(broken),
    }
    print(msgspec.json.format(msgspec.json.encode(listed)).decode())
