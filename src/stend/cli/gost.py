"""`stend gost`: the verbs of `stend-gost`, and how fast the ciphers are on this machine."""

import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from stend.cli.engine import forward
from stend.cli.options import Json, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from stend.cli.gost_rates import Row


class CipherName(StrEnum):
    """A cipher's name."""

    KUZNYECHIK = "kuznyechik"
    MAGMA = "magma"


def verb(
    cipher: Annotated[
        CipherName | None, typer.Option("--cipher", help="Only this one; default: both.")
    ] = None,
    json: Json = False,
) -> None:
    """Print the speed of each variant in each mode on one core, called from Python.

    A quick look, in MB/s (10⁶) and cycles per byte (c/B) at the core's true frequency; for figures
    with intervals use `stend run gost`.
    """
    from stend.cli.gost_rates import rows

    measured = (row for name in ([cipher] if cipher else CipherName) for row in rows(name))
    if json:
        print_json({"rows": list(measured)})
    else:
        _print(measured)


def _print(measured: "Iterator[Row]") -> None:
    """Print each variant's table as soon as it was measured."""
    from stend.report.terminal.console import Console

    console = Console()
    for (cipher, variant), of_variant in groupby(measured, lambda row: (row.cipher, row.variant)):
        rows = list(of_variant)
        note = "" if rows[0].constant_time else " (not constant time)"
        console.print(f"[bold]{cipher} {variant}[/]{note}")
        console.print(_table(rows))
        sys.stdout.flush()


def _table(rows: "list[Row]") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", min_width=14, no_wrap=True)
    for size in rows[0].rates:
        table.add_column(f"{_size(size)}\nMB/s", justify="right", min_width=6, no_wrap=True)
        table.add_column("\nc/B", justify="right", style="dim", min_width=5, no_wrap=True)
    for row in rows:
        table.add_row(row.mode, *_cells(row))
    return table


def _cells(row: "Row") -> list[str]:
    cells = []
    for size, rate in row.rates.items():
        cycles = row.cycles[size]
        cells += [f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"]
        cells += ["" if cycles is None else f"{cycles:,.2f}" if cycles < 100 else f"{cycles:,.0f}"]
    return cells


def _size(size: int) -> str:
    if size >= 1 << 20:
        return f"{size >> 20} MiB"
    return f"{size >> 10} KiB" if size >= 1 << 10 else f"{size} B"


HELP = "The GOST ciphers Kuznyechik and Magma on files and pipes, the same as `stend-gost`."
VERBS: dict[str, Callable[..., None]] = {
    name: forward("gost", name, about)
    for name, about in (
        ("encrypt", "Encrypt a file or a pipe; decryption detects any change."),
        ("decrypt", "Decrypt what `stend gost encrypt` wrote; only authentic data is output."),
        ("mac", "Print each file's OMAC (GOST R 34.13-2015, 5.6) and name, or check such lines."),
    )
} | {"speed": verb}
