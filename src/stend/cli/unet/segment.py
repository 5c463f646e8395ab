"""`stend unet segment`: the class of each pixel of slices, counted, written and drawn."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stend.cli.options import Json, print_json
from stend.record.text import encodable, printable

if TYPE_CHECKING:
    from stend.cli.unet.images import Task
    from stend.cli.unet.slices import Found
    from stend_tomo import StoredVolume
    from stend_unet import Segmenter


class PrecisionName(StrEnum):
    """A name of `stend_unet.precisions()`."""

    FLOAT32 = "float32"
    BF16X3 = "bf16x3"
    BF16 = "bf16"


class FormatName(StrEnum):
    """A name of `stend_tomo.FORMATS`."""

    DICOM = "dicom"
    PNG = "png"
    TIFF = "tiff"
    HDF5 = "hdf5"
    ZARR = "zarr"


MODEL_HELP = "An ONNX file; by default the network that comes with stend, which finds inclusions."
Precision = Annotated[
    PrecisionName,
    typer.Option(
        "--precision",
        help="Precision of the products. bf16x3 and bf16 are less exact, need a processor "
        "that supports them, and are faster if layers have many channels: the classic "
        "network with 64, but not a small one with 8. Compare with `stend unet info "
        "MODEL --time`.",
    ),
]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="Default: one for each CPU.")
]
Model = Annotated[
    Path | None,
    typer.Option("--model", metavar="FILE.onnx", readable=False, help=MODEL_HELP),
]


def verb(
    images: Annotated[
        list[Path],
        typer.Argument(
            metavar="IMAGE…",
            readable=False,  # reading says in a sentence why it can't be
            help="Slices: TIFF, PNG, DICOM, HDF5, Zarr, NumPy, or a folder of images.",
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="PATH",
            help="Where to write labels: a folder, or a name that ends in .h5, .tif or "
            ".zarr; for several images a folder with a file each.",
        ),
    ] = None,
    format: Annotated[
        FormatName | None,
        typer.Option(
            "--format",
            help="Format of the labels; default: from the ending of OUTPUT, or tiff. DICOM "
            "can't hold them.",
        ),
    ] = None,
    overlay: Annotated[
        Path | None,
        typer.Option(
            "--overlay",
            metavar="FILE.png",
            help="Draw the slice with the most findings, in colour on grey.",
        ),
    ] = None,
    model: Model = None,
    precision: Precision = PrecisionName.FLOAT32,
    threads: Threads = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=1,
            metavar="BYTES",
            help="Limit on the size that a file may claim for its content, if that is out "
            "of proportion to the file.",
        ),
    ] = None,
    restart: Annotated[
        bool,
        typer.Option(
            "--restart", help="Start over after an interrupted call instead of continuing it."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Label each pixel of slices, one slice at a time, however many there are.

    The network that comes with stend finds inclusions in slices that `stend tomo reconstruct`
    wrote. Labels are bytes: 0 is the background. What an interrupted call finished stays in
    OUTPUT.unfinished, and the same command continues from there.

    Examples: `stend unet segment slices`,
    `stend unet segment slices.h5 -o labels.h5 --overlay found.png`,
    `stend unet segment a.png b.png -o labels --model cells.onnx`.
    """
    from stend.cli.unet.images import make_folder, tasks
    from stend.cli.unet.slices import segmented
    from stend_tomo.cli.pictures import require_png
    from stend_tomo.reading import read_volume
    from stend_unet import Segmenter

    if overlay is not None:
        require_png(overlay)
    todo = tasks(images, output, format, overlay)
    stored = [read_volume(task.image, limit=limit) for task in todo]
    work = Segmenter(model, threads=threads, precision=precision)
    if output is not None and len(todo) > 1:
        make_folder(output)
    about = {
        "network": model.name if model else "inclusions, of stend",
        "classes": ", ".join(work.classes),
        "precision": precision.value,
    }
    weights = _sum(work) if output is not None else ""
    listed = []
    for task, volume in zip(todo, stored, strict=True):
        found = segmented(task, volume, work, about, weights, restart)
        if task.overlay is not None:
            _draw(task.overlay, found, volume, work)
        if json:
            listed.append(_figures(found, work))
        else:
            _print(found, work)
    if json:
        print_json({"classes": work.classes, "images": listed})


def _sum(work: "Segmenter") -> str:
    """One that is another where a model of the same name was taught anew."""
    from hashlib import sha256

    from stend_unet import to_onnx

    return sha256(to_onnx(work.network.model)).hexdigest()


def _draw(path: Path, found: "Found", volume: "StoredVolume", work: "Segmenter") -> None:
    """Write a picture of the slice where most was found, in place of an earlier picture."""
    import io

    import numpy as np

    from stend.record.files import write_whole
    from stend_tomo.errors import library
    from stend_tomo.writing.png import SIGNATURE
    from stend_unet.picture import overlay

    values = np.asarray(volume.slices.frame(found.richest), np.float32)
    drawn = overlay(
        values,
        work.labels(values),
        work.classes,
        pixel=volume.pixel,
        unit=volume.unit,
    )
    content = io.BytesIO()
    library("PIL.Image").fromarray(drawn).save(content, format="PNG", optimize=True)
    write_whole(path, content.getvalue(), SIGNATURE)


def _figures(found: "Found", work: "Segmenter") -> dict[str, Any]:
    """The same figures for programs."""
    task, done = found.task, found.shape[0] - found.before
    pixels = found.pixels.sum(axis=0)
    return {
        "image": encodable(str(task.image)),
        "shape": found.shape,
        "pixels": pixels.tolist(),
        "shares": (pixels / pixels.sum()).tolist(),
        "pixels_by_slice": found.pixels.tolist(),
        "before": found.before,
        "seconds_a_slice": found.seconds / done if done else None,
        "variant": work.network.variant,
        "precision": work.network.precision,
        "threads": work.network.threads,
        "output": _named(task.output),
        "overlay": _named(task.overlay),
        "overlay_slice": found.richest if task.overlay else None,
    }


def _named(path: Path | None) -> str | None:
    return None if path is None else encodable(str(path))


def _print(found: "Found", work: "Segmenter") -> None:
    from rich.table import Table
    from rich.text import Text

    from stend.report.terminal.console import Console

    print(_done(found, work))
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in ("left", "right", "right"):
        table.add_column(justify=column)
    pixels = found.pixels.sum(axis=0)
    for name, count in zip(work.classes, pixels, strict=True):
        share = f"{count / pixels.sum():.2%}"
        table.add_row(Text(f"  {name}"), f"{count:,} pixels", share)
    Console().print(table)
    for line in _written(found.task, found):
        print(f"  {line}")


def _done(found: "Found", work: "Segmenter") -> str:
    slices, rows, columns = found.shape
    done, network = slices - found.before, work.network
    earlier = f" (and {found.before:,} before)" if found.before else ""
    speed = f", {found.seconds / done:.3g} s a slice" if done else ""
    threads = f"{network.threads} thread{'s' * (network.threads != 1)}"
    return (
        f"{printable(str(found.task.image))}: {done:,} slice{'s' * (done != 1)} of {rows} × "
        f"{columns}{earlier}{speed} ({network.variant}, {network.precision}, {threads})"
    )


def _written(task: "Task", found: "Found") -> list[str]:
    lines = []
    if task.output is not None:
        lines.append(f"labels: {printable(str(task.output))} ({task.format})")
    if task.overlay is not None:
        lines.append(f"overlay of slice {found.richest}: {printable(str(task.overlay))}")
    return lines
