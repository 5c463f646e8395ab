"""The literature's tables of ciphers, with this machine."""

from collections.abc import Iterator, Sequence

from stend.comparing.limits import cycles_a_byte, frequency
from stend.comparing.publications import MIB, CipherFigure, ciphers, in_full
from stend.report.literature.table import (
    NOTHING,
    Row,
    Subject,
    Table,
    best,
    cited,
    has,
    ranked,
    times,
)
from stend.report.measured_case import Measured
from stend.report.quantities import parameter, three_digits

_MODES = {"parallel": ("ecb", "ecb-out-of-place"), "sequential": ("cbc",)}
_SAYS = (
    "One core; MB of 2²⁰ bytes, as the source's clocks and cycles imply. The published figures "
    "differ: about 1 GB at a time, single numbers without an interval, other code. "
)
_THROUGH_MEMORY = "“Through memory” is from one buffer to another, here out of place. "
_CHAIN = "Here the chain is CBC; the source doesn't name its own. "


def tables(measured: Sequence[Measured], here: str) -> list[Table]:
    """A table for each cipher and processing that the run measured on one thread."""
    found = []
    for cipher in dict.fromkeys(f.cipher for f in ciphers()):
        single = [m for m in measured if m.case.benchmark == f"gost.{cipher}" and has(m, threads=1)]
        for processing, modes in _MODES.items():
            published = [f for f in ciphers() if (f.cipher, f.processing) == (cipher, processing)]
            own = [row for mode in modes for row in _own(single, mode, here)]
            if published and own:
                found.append(_table(published, own))
    return found


def _own(single: Sequence[Measured], mode: str, here: str) -> Iterator[tuple[float, Row]]:
    """This machine's row of a mode, where it was measured, with its place."""
    members = [m for m in single if has(m, mode=mode)]
    aligned = _largest([m for m in members if has(m, offset=0)])
    if aligned is None:
        return
    unaligned = _largest([m for m in members if not has(m, offset=0)])
    size = parameter("size", aligned.case.parameters.get("size", 0))
    way = ", out of place" if mode.endswith("out-of-place") else ""
    cycles, hz = cycles_a_byte(aligned), frequency(aligned)
    cells = (
        f"{here}, {aligned.variant}, messages of {size}{way}",
        f"{hz / 1e9:.3g}" if hz else NOTHING,
        times(unaligned, 1 / MIB) if unaligned else NOTHING,
        times(aligned, 1 / MIB),
        three_digits(cycles) if cycles else NOTHING,
    )
    yield -aligned.estimate.value, Row(cells, here=True)


def _largest(members: Sequence[Measured]) -> Measured | None:
    """The best of the longest messages: those of the literature are longer than any cache."""
    sizes = [m.case.parameters.get("size") for m in members]
    most = max((size for size in sizes if type(size) is int), default=None)
    return best([m for m in members if m.case.parameters.get("size") == most])


def _table(published: Sequence[CipherFigure], own: Sequence[tuple[float, Row]]) -> Table:
    first = published[0]
    rows = [(-f.aligned, _row(f)) for f in published]
    return Table(
        title=f"{first.cipher.capitalize()}, {first.processing}",
        says=_SAYS
        + (_CHAIN if first.processing == "sequential" else "")
        + ("" if all(f.in_place for f in published) else _THROUGH_MEMORY)
        + f"The fastest first. {cited(published)}.",
        columns=("processor", "GHz", "unaligned, MB/s", "aligned, MB/s", "cycles a byte"),
        rows=ranked([*rows, *own]),
    )


def _row(f: CipherFigure) -> Row:
    name = in_full(f.processor) + (f", {f.note}" if f.note else "")
    unaligned = NOTHING if f.unaligned is None else f"{f.unaligned / MIB:g}"
    return Row((name, f"{f.ghz:g}", unaligned, f"{f.aligned / MIB:g}", f"{f.cycles_per_byte:g}"))


def _cells(f: CipherFigure) -> tuple[str, ...]:
    unaligned = NOTHING if f.unaligned is None else f"{f.unaligned / MIB:g}"
    what = (f.cipher, f.processing, in_full(f.processor), f"{f.ghz:g}")
    rates = (unaligned, f"{f.aligned / MIB:g}", f"{f.cycles_per_byte:g}")
    return *what, *rates, f.note or NOTHING


SUBJECT = Subject(
    family="gost",
    title="Ciphers",
    figures=ciphers,
    columns=(
        "cipher", "blocks", "processor", "GHz", "unaligned MiB/s", "aligned MiB/s", "cycles a byte",
        "note",
    ),
    cells=_cells,
    tables=tables,
)  # fmt: skip
