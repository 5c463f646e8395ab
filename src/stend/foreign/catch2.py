"""Catch2's XML report (`--reporter xml`), which has the mean of a benchmark and no samples."""

import math
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

from stend.errors import RunFileError
from stend.foreign.cases import Process, Result, Told

TOOL = "Catch2"
FAMILY = "catch2"
ROOTS = ("Catch", "Catch2TestRun")


def told(text: bytes) -> Told:
    """All that a file tells; it has no time of day and no machine.

    Raises:
        RunFileError: it is not well-formed, or declares entities.
    """
    if b"<!" in text.replace(b"<!--", b"").replace(b"<![CDATA[", b""):
        raise RunFileError("The XML declares a document type, which Catch2 never writes.")
    try:
        root = ElementTree.fromstring(text)  # without a document type no entity can grow
    except ElementTree.ParseError as error:
        raise RunFileError(f"The XML is not well-formed: {error}.") from error
    if root.tag not in ROOTS:
        raise RunFileError(f"The XML begins with <{root.tag}>; Catch2's with <{ROOTS[1]}>.")
    version = root.get("catch2-version", "")
    return Told(tool=f"{TOOL} {version}".strip(), results=list(_results(root, ())))


def _results(of: ElementTree.Element, within: tuple[str, ...]) -> Iterator[Result]:
    for child in of:
        name = child.get("name", "")
        if child.tag == "BenchmarkResults":
            yield _result(child, ": ".join((*within, name)))
        elif child.tag in ("TestCase", "Section"):
            yield from _results(child, (*within, name))
        else:
            yield from _results(child, within)


def _result(of: ElementTree.Element, name: str) -> Result:
    mean = of.find("mean")
    value = _number("" if mean is None else mean.get("value", "")) * 1e-9
    said = "" if math.isfinite(value) else "The file has no mean of it."
    return Result(
        f"{FAMILY}.{name}",
        (Process(np.array([value])),),
        failed=said,
        lacks="" if said else f"The mean of {of.get('samples', 'its')} samples.",
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
