"""ncnn as what computes the network (stend.benchmarks.families.unet.peer.Library)."""

import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path

import ncnn
import numpy as np
from classic import DEPTH, Image, layers

from stend.benchmarks.families.unet.peer import Array

MAGIC = 7767517
RAW = struct.pack("<I", 0)
"""Before weights that are kept as float32."""


class Graph:
    """Lines of its text format, a layer each, and the weights in their order.

    Numbered parameters are those of ncnn's operators: of a convolution 0 its channels, 1 the
    kernel's side, 3 the stride, 4 the margin, 5 whether it has biases, 6 the weights' count, 9 an
    activation (1: ReLU).
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.weights = bytearray()
        self._tensors = 0
        self._rest = layers()

    def add(self, operator: str, inputs: list[str], parameters: str = "", outputs: int = 1) -> str:
        """Add a layer; its first output, the others have the next numbers."""
        made = [str(self._tensors + i) for i in range(outputs)]
        counts = f"{len(inputs)} {outputs}"
        name = f"layer{len(self.lines)}"
        self.lines.append(" ".join([operator, name, counts, *inputs, *made, parameters]))
        self._tensors += outputs
        return made[0]

    def convolved(self, tensor: str, activation: str = "9=1") -> str:
        weights, bias = self._next()
        channels, side = weights.shape[0], weights.shape[2]
        shape = f"0={channels} 1={side} 4={side // 2} 5=1 6={weights.size} {activation}"
        self._keep(weights, bias)
        return self.add("Convolution", [tensor], shape)

    def enlarged(self, tensor: str) -> str:
        weights, bias = self._next()
        shape = f"0={weights.shape[1]} 1=2 3=2 5=1 6={weights.size}"
        self._keep(weights.swapaxes(0, 1), bias)
        return self.add("Deconvolution", [tensor], shape)

    def twice(self, tensor: str) -> tuple[str, str]:
        """The tensor as two of them."""
        first = self.add("Split", [tensor], outputs=2)
        return first, str(int(first) + 1)

    def file(self) -> str:
        return "\n".join([str(MAGIC), f"{len(self.lines)} {self._tensors}", *self.lines, ""])

    def _next(self) -> tuple[Image, Image]:
        return next(self._rest)

    def _keep(self, weights: Image, bias: Image) -> None:
        self.weights += RAW + weights.tobytes() + bias.tobytes()


def classic() -> tuple[Graph, str, str]:
    """The network with the names of its input and output."""
    graph = Graph()
    x = image = graph.add("Input", [])
    beside = []
    for level in range(DEPTH + 1):
        if level:
            kept, x = graph.twice(x)
            beside.append(kept)
            x = graph.add("Pooling", [x], "0=0 1=2 2=2")
        x = graph.convolved(graph.convolved(x))
    for _ in range(DEPTH):
        x = graph.add("Concat", [beside.pop(), graph.enlarged(x)])
        x = graph.convolved(graph.convolved(x))
    return graph, image, graph.convolved(x, activation="")


class Ncnn:
    """As it comes: Winograd where it thinks it faster, channels packed for the lanes."""

    name = "ncnn"

    def __init__(self, precision: str) -> None:
        self._bf16 = precision == "bf16"

    @property
    def about(self) -> str:
        return f"ncnn {ncnn.__version__}, {'bf16 storage' if self._bf16 else 'float32'}"

    def ready(self, images: Sequence[Array], outputs: Sequence[Array], threads: int) -> None:
        self._images, self._outputs = images, outputs
        self._network = ncnn.Net()
        options = self._network.opt
        options.num_threads = threads
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = False
        options.use_bf16_storage = self._bf16
        graph, self._input, self._output = classic()
        with tempfile.TemporaryDirectory() as folder:
            text, weights = Path(folder, "classic.param"), Path(folder, "classic.bin")
            text.write_text(graph.file(), encoding="ascii")
            weights.write_bytes(graph.weights)
            if self._network.load_param(str(text)) or self._network.load_model(str(weights)):
                raise SystemExit("ncnn did not take the network that was written for it.")

    def take(self, which: int) -> None:
        extractor = self._network.create_extractor()
        extractor.input(self._input, ncnn.Mat(self._images[which][0]))
        _, output = extractor.extract(self._output)
        self._outputs[which][0] = np.asarray(output)
