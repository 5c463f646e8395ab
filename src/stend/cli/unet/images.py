"""Files of slices as they are named on the command line, and where the labels of each go."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stend.errors import BadValue, OutputError
from stend.record.text import printable
from stend_tomo.cli.output import ENDINGS, OF_A_FILE, FormatName, format_of
from stend_tomo.cli.scan_options import refuse_among_images

SUFFIXES = {
    FormatName.TIFF: ".tif",
    FormatName.HDF5: ".h5",
    FormatName.ZARR: ".zarr",
    FormatName.PNG: "",
}
"""Of the labels of one file of several."""


@dataclass(frozen=True)
class Task:
    """One file of slices, and what is to be made of it."""

    image: Path
    output: Path | None
    """Of labels."""
    format: FormatName
    overlay: Path | None


def tasks(
    images: list[Path], output: Path | None, named: str | None, overlay: Path | None
) -> list[Task]:
    """Say for each file where its labels and its picture go.

    Raises:
        BadValue: a place is taken, or two files would share one.
        OutputError: a picture can't be written where it is asked for.
    """
    format = None if named is None else FormatName(named)
    if format == FormatName.DICOM:
        raise BadValue("Labels cannot be written as DICOM; give another --format.")
    if output is None and format is not None:
        raise BadValue(f"--format {format} requires -o; give both.")
    if len(images) == 1:
        form = FormatName.TIFF if output is None else format_of(output, format)
        made = [Task(images[0], output, form, overlay)]
    else:
        made = list(_of_several(images, output, format, overlay))
    where = {Path(os.path.realpath(image)): image for image in images}
    for task in made:
        _check_places(task, where)
    return made


def _of_several(
    images: list[Path], output: Path | None, format: FormatName | None, overlay: Path | None
) -> Iterator[Task]:
    """Labels lie in a folder, by the names of the images; so do the pictures, beside each other."""
    names = [_name(image) for image in images]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice and (output or overlay):
        raise BadValue(
            f"Several images are named {printable(twice[0])}, so their labels would share a "
            "place; segment them in separate calls."
        )
    form = format or FormatName.TIFF
    if output is not None:
        _check_folder(output)
    for image, name in zip(images, names, strict=True):
        yield Task(
            image,
            output and output / (name + SUFFIXES[form]),
            form,
            overlay and overlay.with_name(f"{overlay.stem}-{name}{overlay.suffix}"),
        )


def _check_folder(output: Path) -> None:
    ending = output.suffix.lower()
    if not output.is_dir() and (ending in ENDINGS or OF_A_FILE.fullmatch(ending)):
        raise BadValue(
            f"{printable(str(output))} is the name of a file, but labels of several images need "
            "a folder; give a name without an ending."
        )


def make_folder(output: Path) -> None:
    """Make the folder of several images' labels, when all of them could be opened.

    Raises:
        OutputError: it can't be made.
    """
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"{printable(str(output))} can't be a folder for the labels of several images: "
            f"{error.strerror}."
        ) from None


def _name(image: Path) -> str:
    """Of a file without its ending, of a folder the whole name."""
    whole = image.absolute()
    return whole.name if whole.is_dir() and whole.suffix != ".zarr" else whole.stem


def _check_places(task: Task, images: dict[Path, Path]) -> None:
    """Refuse a place that is taken, is an image, or lies where labels would be read as slices."""
    if task.output is not None and os.path.lexists(task.output):
        raise BadValue(f"{printable(str(task.output))} exists; give another name or remove it.")
    if task.overlay is not None and not os.access(task.overlay.parent, os.W_OK | os.X_OK):
        raise OutputError(
            f"{printable(str(task.overlay))} can't be written: its folder is missing or not "
            "writable."
        )
    for place in filter(None, (task.output, task.overlay)):
        real = Path(os.path.realpath(place))  # resolve() fails at a link to itself
        if real in images:
            raise BadValue(
                f"{printable(str(place))} is one of the images and would be overwritten. Give "
                "another name for the picture."
            )
        for folder in real.parents:
            if folder in images:
                refuse_among_images(images[folder], place)
