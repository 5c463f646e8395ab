"""Write what was trained as an ONNX file: `export.py STATE MODEL`.

Comes in: the file that train.py keeps; goes out: the model, with what stend_unet must know to use
it in the file's properties. Needs the package `onnx` beside what training needs.
"""

import argparse
import datetime
from pathlib import Path

import numpy as np
import onnx
from network import DEPTH, layers
from onnx import TensorProto, helper, numpy_helper
from patches import BATCH, SEED
from train import load

PROPERTIES = {"stend.normalization": "percentiles 1 99", "stend.classes": "inclusion"}


class Graph:
    """Nodes one after another, each giving a tensor of its own name."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.kept: list[onnx.TensorProto] = []

    def add(self, operator: str, name: str, inputs: list[str], **attributes: object) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, **attributes))
        return name

    def convolved(self, name: str, tensor: str) -> str:
        weights = self.weights[f"{name}.weights"].transpose(3, 2, 0, 1)
        margin = weights.shape[-1] // 2
        return self.weighted("Conv", name, tensor, weights, pads=[margin] * 4)

    def enlarged(self, name: str, tensor: str) -> str:
        weights = self.weights[f"{name}.weights"].transpose(0, 3, 1, 2)
        return self.weighted("ConvTranspose", name, tensor, weights, strides=[2, 2])

    def weighted(
        self, operator: str, name: str, tensor: str, weights: np.ndarray, **attributes: object
    ) -> str:
        for part, values in (("weights", weights), ("bias", self.weights[f"{name}.bias"])):
            whole = np.ascontiguousarray(values, np.float32)
            self.kept.append(numpy_helper.from_array(whole, f"{name}.{part}"))
        inputs = [tensor, f"{name}.weights", f"{name}.bias"]
        kernel = list(weights.shape[2:])
        return self.add(operator, name, inputs, kernel_shape=kernel, **attributes)

    def twice(self, name: str, tensor: str) -> str:
        for part in ("first", "second"):
            tensor = self.convolved(f"{name}.{part}", tensor)
            tensor = self.add("Relu", f"{tensor}.relu", [tensor])
        return tensor


def graph(weights: dict[str, np.ndarray]) -> onnx.GraphProto:
    drawn, seen, now = Graph(weights), [], "image"
    for level in range(DEPTH + 1):
        now = drawn.twice(f"down{level}", now)
        if level < DEPTH:
            seen.append(now)
            pool = {"kernel_shape": [2, 2], "strides": [2, 2]}
            now = drawn.add("MaxPool", f"pool{level}", [now], **pool)
    for level in reversed(range(DEPTH)):
        now = drawn.enlarged(f"up{level}.transposed", now)
        now = drawn.add("Concat", f"beside{level}", [seen[level], now], axis=1)
        now = drawn.twice(f"up{level}", now)
    drawn.add("Sigmoid", "inclusion", [drawn.convolved("last", now)])
    shape = ["count", 1, "height", "width"]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name in ("image", "inclusion")
    ]
    return helper.make_graph(drawn.nodes, "inclusions", ends[:1], ends[1:], drawn.kept)


def export(state: Path, file: Path) -> None:
    trained = load(state)
    weights = {name: np.asarray(each) for name, each in trained.weights.items()}
    assert {name.rpartition(".")[0] for name in weights} == set(layers())
    whole = helper.make_model(
        graph(weights), producer_name="stend", opset_imports=[helper.make_opsetid("", 17)]
    )
    whole.ir_version = 8
    today = datetime.datetime.now(datetime.UTC).date()
    source = (
        f"stend, peers/unet/train.py: seed {SEED}, {int(trained.step)} steps of {BATCH} patches, "
        f"{today}; peers/unet/TRAINING.md has its scores."
    )
    helper.set_model_props(whole, {**PROPERTIES, "stend.source": source})
    onnx.checker.check_model(whole, full_check=True)
    file.write_bytes(whole.SerializeToString())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("state", type=Path, help="what train.py keeps")
    parser.add_argument("model", type=Path, help="where the model goes, .onnx")
    given = parser.parse_args()
    export(given.state, given.model)


if __name__ == "__main__":
    main()
