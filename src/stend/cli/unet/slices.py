"""The slices of one file through a network: labels written as they come, pixels counted."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from stend.cli.unet.images import Task
from stend.record.text import printable
from stend_tomo.cli.output import sizes_and_dates
from stend_tomo.errors import ScanFileError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stend_tomo import StoredVolume, WrittenVolume
    from stend_unet import Segmenter


SECONDS, BYTES = 1.0, 64_000_000
"""After which labels are written: each time waits for the disk."""
EXACT_WINDOWS = (1, 3, 5, 15, 17, 51, 85, 255)
"""Labels that are white in a PNG, so that grey levels keep all below them apart."""


@dataclass(frozen=True)
class Found:
    """What was found in the slices of a file."""

    task: Task
    shape: tuple[int, int, int]
    pixels: "NDArray[np.int64]"
    """(slices, classes)."""
    before: int
    """Slices whose labels were there from an earlier call."""
    seconds: float
    """Of the others: read, computed and written."""

    @property
    def richest(self) -> int:
        """The slice with the most pixels of classes other than the first."""
        return int(self.pixels[:, 1:].sum(axis=1).argmax())


class _Labels:
    """Labels on their way to a volume, several slices at a time."""

    def __init__(self, volume: "WrittenVolume | None") -> None:
        self._volume = volume
        self._waiting: list[NDArray[np.uint8]] = []
        self._last = time.monotonic()

    def add(self, labels: "NDArray[np.uint8]") -> None:
        if self._volume is None:
            return
        self._waiting.append(labels)
        enough = len(self._waiting) * labels.nbytes >= BYTES
        if enough or time.monotonic() - self._last >= SECONDS:
            self.write()

    def write(self) -> None:
        if self._volume is None or not self._waiting:
            return
        import numpy as np

        self._volume.write(self._volume.written, np.stack(self._waiting))
        self._waiting.clear()
        self._last = time.monotonic()


def segmented(
    task: Task,
    stored: "StoredVolume",
    work: "Segmenter",
    about: dict[str, str],
    weights: str,
    restart: bool,
) -> Found:
    """Segment all slices of a file, and write labels where they are asked for.

    Labels are told `about`; those of an earlier call are gone on with if `weights` are the same.
    """
    import numpy as np

    shape = stored.slices.shape
    work.network.ready(*shape[1:])
    volume = _opened(task, stored, len(work.classes), about, weights, restart)
    before = volume.written if volume else 0
    pixels = np.zeros((shape[0], len(work.classes)), np.int64)
    labels, began = _Labels(volume), time.perf_counter()
    with _kept(task, volume, labels):
        _each(task, stored, work, before, labels, pixels)
    seconds = time.perf_counter() - began
    if volume is not None:
        volume.finish()
        pixels[:before] = _counted(task.output, before, len(work.classes))
    return Found(task, shape, pixels, before, seconds)


def _each(
    task: Task,
    stored: "StoredVolume",
    work: "Segmenter",
    before: int,
    labels: _Labels,
    pixels: "NDArray[np.int64]",
) -> None:
    import numpy as np

    from stend_tomo.cli.progress import SlicesShown

    count, began = stored.slices.shape[0], time.perf_counter()
    with SlicesShown("segmenting", count) as bar:
        for number in range(before, count):
            found = _labels(task, stored, work, number)
            labels.add(found)
            pixels[number] = np.bincount(found.ravel(), minlength=len(work.classes))
            done = number + 1 - before
            bar.reached(number + 1, count, done / (time.perf_counter() - began))


def _labels(
    task: Task, stored: "StoredVolume", work: "Segmenter", number: int
) -> "NDArray[np.uint8]":
    """Those of a slice; what is wrong with its values is a fault of the file, not of the call."""
    from stend_unet import BadImages

    name = f"Slice {number} of {printable(task.image.name)}"
    try:
        return work.labels(stored.slices.frame(number), name)
    except BadImages as error:
        said = str(error)
        raise ScanFileError(said if said.startswith(name) else f"{name}: {said}") from None


@contextmanager
def _kept(task: Task, volume: "WrittenVolume | None", labels: _Labels) -> Iterator[None]:
    """Write what is waiting, after Ctrl-C, too, which then is told how to go on."""
    try:
        yield
        labels.write()
    except KeyboardInterrupt:
        if volume is None:
            raise
        labels.write()
        kept = printable(f"{task.output}.unfinished")
        print(
            f"stend: labels of {volume.written:,} of {volume.shape[0]:,} slices are kept in "
            f"{kept}; the same command continues with the rest.",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None


def _opened(
    task: Task,
    stored: "StoredVolume",
    classes: int,
    about: dict[str, str],
    weights: str,
    restart: bool,
) -> "WrittenVolume | None":
    if task.output is None:
        return None
    from stend_tomo.reading.stack import files_of
    from stend_tomo.writing import open_volume

    parts = {str(part.relative_to(task.image)): part for part in files_of(task.image)}
    white = next(white for white in EXACT_WINDOWS if white >= classes - 1)
    return open_volume(
        task.output,
        task.format,
        stored.slices.shape,
        pixel=stored.pixel,
        spacing=stored.spacing if stored.pixel else None,
        window=(0, white),
        about={"labels of": task.image.name, **about},
        origin={
            "file": str(task.image.resolve()),
            "sizes and dates": sizes_and_dates(parts),
            "the network's weights": weights,
        },
        labels=True,
        resume=not restart,
    )


def _counted(output: Path | None, slices: int, classes: int) -> "NDArray[np.int64]":
    """Pixels of each class in the first slices of labels that are written."""
    import numpy as np

    from stend_tomo.reading import read_volume

    counts = np.zeros((slices, classes), np.int64)
    if slices:
        assert output is not None, "where labels were there before"
        written: Any = read_volume(output).slices
        for number in range(slices):
            labels = written.frame(number).astype(np.uint8).ravel()
            counts[number] = np.bincount(labels, minlength=classes)
    return counts
