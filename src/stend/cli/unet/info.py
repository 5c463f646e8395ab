"""`stend unet info`: what a network is made of, what it costs, and how long each layer takes."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stend.cli.options import Json, print_json
from stend.cli.unet.chosen import MODEL_HELP, Precision, PrecisionName
from stend.errors import BadValue, ModelFileError
from stend.printable import encodable, printable

if TYPE_CHECKING:
    from rich.table import Table

    from stend.unet import Model, Network, Timing

LARGEST = 32768
"""Pixels a side."""
RUNS, SECONDS = 5, 1.0
"""At least so many images, and for so long: the first ones find caches empty and clocks low."""


def verb(
    model: Annotated[
        Path | None,
        typer.Argument(metavar="[MODEL.onnx]", readable=False, help=MODEL_HELP),
    ] = None,
    *,
    size: Annotated[
        str, typer.Option("--size", metavar="N|HEIGHTxWIDTH", help="Of an image, in pixels.")
    ] = "256",
    time: Annotated[
        bool, typer.Option("--time", help="Run it on an image of noise and time its layers.")
    ] = False,
    precision: Precision = PrecisionName.FLOAT32,
    variant: Annotated[
        str | None,
        typer.Option("--variant", help="What computes it; default: the machine's fastest."),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="How many work at the same time.")] = 1,
    json: Json = False,
) -> None:
    """Show a network: its layers, parameters, work and memory for images of a size.

    Work is counted as literature does, by direct convolution; with --time its layers are shown as
    they are computed here, some of them as one, in the fastest of 5 images or more.

    Examples: `stend unet info`, `stend unet info model.onnx --size 512`,
    `stend unet info model.onnx --size 480x640 --time --json`.
    """
    from stend.unet import Network, read_model, shipped

    height, width = _sides(size)
    network = Network(
        read_model(model) if model else shipped(),
        precision=precision,
        variant=variant,
        threads=threads,
    )
    found = _facts(model, network, height, width)
    if time:
        found["parts"] = _timed(network, height, width)
        found["seconds"] = sum(part["seconds"] for part in found["parts"])
    if json:
        print_json(found)
    else:
        _print(found)


def _sides(size: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,5})(?:[x×]([0-9]{1,5}))?", size)
    height, width = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= min(height, width) <= max(height, width) <= LARGEST:
        raise BadValue(
            f'"{printable(size)[:40]}" is no size; give --size N or HEIGHTxWIDTH, each 1 to '
            f"{LARGEST:,}, as 512 or 480x640."
        )
    return height, width


def _facts(file: Path | None, network: "Network", height: int, width: int) -> dict[str, Any]:
    model = network.model
    made = network.ready(height, width)
    return {
        "model": encodable(str(file)) if file else "inclusions (comes with stend)",
        "height": height,
        "width": width,
        "inputs": model.tensors[0].channels,
        "outputs": model.tensors[model.output].channels,
        "parameters": model.parameters,
        "flop": model.direct_flops(height, width),
        "memory": made.bytes,
        "granularity": model.granularity,
        "pads_to_fit": model.pads_to_fit,
        "precision": network.precision,
        "variant": network.variant,
        "threads": network.threads,
        "properties": dict(model.properties),
        **_use(model),
        "layers": _layers(model, height, width),
    }


def _use(model: "Model") -> dict[str, Any]:
    """Classes that `segment` finds with it, or why it can't use it."""
    from stend.unet.meaning import Meaning

    try:
        return {"classes": Meaning.of(model).classes, "not_for_slices": None}
    except ModelFileError as error:
        return {"classes": None, "not_for_slices": str(error)}


def _layers(model: "Model", height: int, width: int) -> list[dict[str, Any]]:
    sides = [model.computed_side(side) for side in (height, width)]
    flops = model.layer_flops(height, width)
    return [
        {
            "name": printable(layer.name),
            "operation": layer.operation,
            "kernel": layer.kernel,
            "activation": layer.activation,
            "inputs": [model.tensors[number].channels for number in layer.inputs],
            "channels": model.tensors[layer.output].channels,
            "height": sides[0] >> model.tensors[layer.output].level,
            "width": sides[1] >> model.tensors[layer.output].level,
            "parameters": layer.weights + layer.biases,
            "flop": flop,
        }
        for layer, flop in zip(model.layers, flops, strict=True)
    ]


def _timed(network: "Network", height: int, width: int) -> list[dict[str, Any]]:
    """What is computed as one, as it went in the fastest of several runs."""
    import numpy as np

    channels = network.model.tensors[0].channels
    image = np.random.default_rng(1).random((channels, height, width), np.float32)
    runs: list[list[Timing]] = []
    spent = 0.0
    while len(runs) < RUNS or spent < SECONDS:
        network(image)
        runs.append(network.timings())
        spent += sum(part.seconds for part in runs[-1])
    best = min(runs, key=lambda parts: sum(part.seconds for part in parts))
    return [
        {
            "layers": printable(part.layers),
            "seconds": part.seconds,
            "flop": part.direct_flops,
            "multiplied_flop": part.flops,
        }
        for part in best
    ]


def _print(found: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from stend.console import Console

    console = Console()
    head = Table.grid(padding=(0, 2, 0, 0))
    for name, said in _lines(found):
        head.add_row(Text(printable(name), "bold", no_wrap=True), Text(printable(said, name=False)))
    console.print(head)
    console.print()
    console.print(_timings(found) if "parts" in found else _described(found))


def _lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    work = f"{found['flop'] / 1e9:.4g} GFLOP by direct convolution"
    lines = [
        ("model", found["model"]),
        ("parameters", f"{found['parameters']:,} ({4 * found['parameters'] / 1e6:.3g} MB)"),
        ("channels", f"{found['inputs']} in, {found['outputs']} out"),
        ("an image", f"{found['height']} × {found['width']}: {work}"),
        ("memory", f"{found['memory'] / 1e6:.1f} MB"),
        ("computed by", f"{found['variant']}, {found['precision']}, threads: {found['threads']}"),
    ]
    if "seconds" in found:
        speed = found["flop"] / found["seconds"] / 1e9
        lines += [("time", f"{found['seconds'] * 1e3:.4g} ms an image, {speed:.4g} GFLOP/s")]
    if found["classes"]:
        lines += [("segment finds", ", ".join(found["classes"]))]
    else:
        lines += [("segment", f"can't use it: {found['not_for_slices']}")]
    return lines + [(name, str(said)) for name, said in found["properties"].items()]


def _described(found: dict[str, Any]) -> "Table":
    table = _table("layer", "operation", "channels", "size", "parameters", "MFLOP")
    for layer in found["layers"]:
        kernel = f"{layer['kernel']}×{layer['kernel']}"
        inputs = "+".join(map(str, layer["inputs"]))
        table.add_row(
            layer["name"],
            f"{SHORT[layer['operation']]} {kernel}{ENDING[layer['activation']]}",
            f"{inputs} → {layer['channels']}",
            f"{layer['height']}×{layer['width']}",
            f"{layer['parameters']:,}" if layer["parameters"] else "",
            f"{layer['flop'] / 1e6:,.1f}" if layer["flop"] else "",
        )
    return table


def _timings(found: dict[str, Any]) -> "Table":
    table = _table("computed as one", "ms", "share", "GFLOP/s")
    for part in found["parts"]:
        seconds, flop = part["seconds"], part["flop"]
        table.add_row(
            part["layers"],
            f"{seconds * 1e3:.3f}",
            f"{seconds / found['seconds']:.1%}",
            f"{flop / seconds / 1e9:,.1f}" if flop and seconds else "",
        )
    return table


SHORT = {"convolution": "conv", "transposed convolution": "transposed", "max pooling": "max pool"}
ENDING = {"none": "", "relu": ", ReLU", "sigmoid": ", sigmoid", "softmax": ", softmax"}


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for place, column in enumerate(columns):
        words = place < (2 if "operation" in columns else 1)
        table.add_column(column, justify="left" if words else "right", overflow="fold")
    return table
