"""Figures that the literature gives, to set a measured machine beside; each file names its source.

`ciphers.csv`: one core, ECB, about 1 GB without a change of the key.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

SOURCES = {
    "habr-gost-on-elbrus-2021": "“On the way to the top: Magma and Kuznyechik on Elbrus”, Habr, "
    "17.06.2021",
}
"""What the files' short names of sources stand for."""


@dataclass(frozen=True, slots=True)
class CipherFigure:
    """How fast one processor encrypted, as published."""

    processor: str
    ghz: float
    cipher: str
    processing: str
    """"parallel": independent blocks; "sequential": each waits for the one before."""
    cycles_per_byte: float
    note: str
    source: str

    @property
    def cited(self) -> str:
        """The source, as people cite it."""
        return SOURCES[self.source]


@cache
def ciphers() -> Sequence[CipherFigure]:
    """All published figures of Kuznyechik and Magma, in the file's order."""
    text = files(__name__).joinpath("ciphers.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return [
        CipherFigure(
            row["processor"],
            float(row["clock_ghz"]),
            row["cipher"],
            row["processing"],
            float(row["cycles_per_byte"]),
            row["note"],
            row["source"],
        )
        for row in rows
    ]
