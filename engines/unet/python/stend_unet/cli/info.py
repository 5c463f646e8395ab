"""`stend-unet info`: a network's layers, parameters, work and memory, and its layers' times."""

import json
import re
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from stend_unet.errors import LIMIT, ModelFileError, UsageError, printable
from stend_unet.model import read_model, shipped
from stend_unet.native import Model, Timing
from stend_unet.network import Network


def table(rows: Sequence[Sequence[str]], left: int) -> str:
    """Set rows in columns: the first `left` of them to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if number < left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


LARGEST = 32768
"""Pixels a side."""
RUNS, SECONDS = 5, 1.0
"""At least so many images, and for so long: the first ones find caches empty and clocks low."""
SHORT = {"convolution": "conv", "transposed convolution": "transposed", "max pooling": "max pool"}
ENDING = {"none": "", "relu": ", ReLU", "sigmoid": ", sigmoid", "softmax": ", softmax"}


def show_network(options: Namespace) -> None:
    """Print a network's facts, and with --time how long its layers take."""
    height, width = _sides(options.size)
    network = Network(
        read_model(options.model) if options.model else shipped(),
        precision=options.precision,
        variant=options.variant,
        threads=options.threads,
    )
    found = _facts(options.model, network, height, width)
    if options.time:
        found["parts"] = _timed(network, height, width)
        found["seconds"] = sum(part["seconds"] for part in found["parts"])
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        _print(found)


def _sides(size: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,5})(?:[x×]([0-9]{1,5}))?", size)
    height, width = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= min(height, width) <= max(height, width) <= LARGEST:
        raise UsageError(
            f'"{printable(size)[:40]}" is not a size; give --size N or HEIGHTxWIDTH, each 1 to '
            f"{LARGEST:,}, as 512 or 480x640."
        )
    return height, width


def _facts(file: str | None, network: Network, height: int, width: int) -> dict[str, Any]:
    model = network.model
    made = network.ready(height, width)
    return {
        "model": printable(str(file)) if file else "inclusions (comes with stend-unet)",
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


def _use(model: Model) -> dict[str, Any]:
    """Classes that `segment` finds with it, or why it can't use it."""
    from stend_unet.segmentation import Meaning

    try:
        return {"classes": Meaning.of(model).classes, "not_for_slices": None}
    except ModelFileError as error:
        return {"classes": None, "not_for_slices": str(error)}


def _layers(model: Model, height: int, width: int) -> list[dict[str, Any]]:
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


def _timed(network: Network, height: int, width: int) -> list[dict[str, Any]]:
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
    print(table([[name, printable(said, 10 * LIMIT)] for name, said in _lines(found)], left=2))
    print()
    print(_timings(found) if "parts" in found else _described(found))


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
    return lines + [(printable(name), str(said)) for name, said in found["properties"].items()]


def _described(found: dict[str, Any]) -> str:
    rows = [["layer", "operation", "channels", "size", "parameters", "MFLOP"]]
    for layer in found["layers"]:
        kernel = f"{layer['kernel']}×{layer['kernel']}"
        rows.append(
            [
                layer["name"],
                f"{SHORT[layer['operation']]} {kernel}{ENDING[layer['activation']]}",
                f"{'+'.join(map(str, layer['inputs']))} → {layer['channels']}",
                f"{layer['height']}×{layer['width']}",
                f"{layer['parameters']:,}" if layer["parameters"] else "",
                f"{layer['flop'] / 1e6:,.1f}" if layer["flop"] else "",
            ]
        )
    return table(rows, left=2)


def _timings(found: dict[str, Any]) -> str:
    rows = [["computed as one", "ms", "share", "GFLOP/s"]]
    for part in found["parts"]:
        seconds, flop = part["seconds"], part["flop"]
        rows.append(
            [
                part["layers"],
                f"{seconds * 1e3:.3f}",
                f"{seconds / found['seconds']:.1%}",
                f"{flop / seconds / 1e9:,.1f}" if flop and seconds else "",
            ]
        )
    return table(rows, left=1)
