"""U-Nets as PyTorch's two exporters write them: what they pad, cut and enlarge by.

Each graph here has the nodes that an exporter wrote for one line of a common U-Net, around one
level; what stend makes of it is what ONNX Runtime makes of it, at two sizes.
"""

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from stend_unet import ModelFileError, Network, read_model, to_onnx

SIZES = ((16, 12), (8, 22))
ODD = ((17, 12), (8, 23), (15, 9), (2, 3))
"""Sides of which one or both can't be halved evenly."""


class Exported:
    """A graph in the making: one level of a U-Net, with something between."""

    def __init__(self, operator_set: int = 17, sides: tuple[Any, Any] = ("h", "w")) -> None:
        self._rng = np.random.default_rng(4)
        self._set, self._sides = operator_set, sides
        self._nodes: list[onnx.NodeProto] = []
        self._held: list[onnx.TensorProto] = []

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """A node; gives the name of what it makes."""
        output = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def hold(self, values: Any, kind: str = "i8") -> str:
        """An initializer."""
        name = f"held{len(self._held)}"
        self._held.append(numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def constant(self, values: Any) -> str:
        """A node that is a constant of whole numbers."""
        return self.add("Constant", value=numpy_helper.from_array(np.asarray(values, "i8")))

    def convolve(self, value: str, inputs: int, outputs: int, **attributes: Any) -> str:
        weights = self.hold(self._rng.uniform(-1, 1, (outputs, inputs, 3, 3)), "f4")
        return self.add(
            "Relu", self.add("Conv", value, weights, **(attributes or {"pads": [1, 1, 1, 1]}))
        )

    def down(self) -> tuple[str, str]:
        """The upper level of two, 4 channels, and the lower one of 8."""
        upper = self.convolve("input", 1, 4)
        pooled = self.add("MaxPool", upper, kernel_shape=[2, 2], strides=[2, 2])
        return upper, self.convolve(pooled, 4, 8)

    def enlarged(self, value: str, inputs: int = 8) -> str:
        """By a transposed convolution, of 8 channels to 4."""
        weights = self.hold(self._rng.uniform(-1, 1, (inputs, 4, 2, 2)), "f4")
        return self.add("ConvTranspose", value, weights, kernel_shape=[2, 2], strides=[2, 2])

    def file(self, first: str, second: str, channels: int = 8) -> bytes:
        """Join both, and a last convolution of 1×1."""
        joined = self.add("Concat", first, second, axis=1)
        weights = self.hold(self._rng.uniform(-1, 1, (2, channels, 1, 1)), "f4")
        self._nodes.append(helper.make_node("Conv", [joined, weights], ["output"], name="last"))
        ends = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", channels, *self._sides])
            for name, channels in (("input", 1), ("output", 2))
        ]
        graph = helper.make_graph(self._nodes, "g", ends[:1], ends[1:], self._held)
        model = helper.make_model(
            graph, ir_version=8, opset_imports=[helper.make_opsetid("", self._set)]
        )
        onnx.checker.check_model(model)
        return model.SerializeToString()


def agrees(file: bytes, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
    """Whether ONNX Runtime gives the same, of images of these sizes."""
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    network = Network(read_model(file))
    for size in sizes:
        images = np.random.default_rng(7).standard_normal((2, 1, *size)).astype("f4")
        (expected,) = session.run(None, {"input": images})
        np.testing.assert_allclose(
            network(images), expected, rtol=0, atol=5e-6 * np.abs(expected).max()
        )


def side_of(graph: Exported, value: str, axis: int) -> str:
    return graph.add("Gather", graph.add("Shape", value), graph.constant(axis), axis=0)


def halves(graph: Exported, skip: str, up: str) -> list[str]:
    """F.pad's [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2], as TorchScript has them."""
    made = []
    for axis in (3, 2):
        less = graph.add("Sub", side_of(graph, skip, axis), side_of(graph, up, axis))
        half = graph.add("Cast", graph.add("Div", less, graph.constant(2)), to=TensorProto.INT64)
        made += [half, graph.add("Sub", less, half)]
    return [graph.add("Unsqueeze", each, graph.constant([0])) for each in made]


def pads_of(graph: Exported, given: str) -> str:
    """TorchScript's way from F.pad's order of sides to ONNX's."""
    missing = graph.add("Sub", graph.constant([8]), graph.add("Shape", given))
    zeros = graph.add("ConstantOfShape", missing, value=numpy_helper.from_array(np.zeros(1, "i8")))
    table = graph.add("Reshape", graph.add("Concat", given, zeros, axis=0), graph.constant([-1, 2]))
    ends = [graph.constant([each]) for each in (-1, -np.iinfo("i8").max, 0, -1)]
    turned = graph.add("Transpose", graph.add("Slice", table, *ends), perm=[1, 0])
    flat = graph.add("Reshape", turned, graph.constant([-1]))
    return graph.add("Cast", flat, to=TensorProto.INT64)


@pytest.mark.parametrize("operator_set", [13, 18])
def test_padding_to_fit_is_computed_of_odd_sides_too(operator_set: int) -> None:
    graph = Exported(operator_set)
    upper, lower = graph.down()
    up = graph.enlarged(lower)
    pads = pads_of(graph, graph.add("Concat", *halves(graph, upper, up), axis=0))
    file = graph.file(upper, graph.add("Pad", up, pads, "", mode="constant"))
    assert read_model(file).pads_to_fit
    agrees(file, SIZES + ODD)


def test_padding_to_fit_is_computed_through_four_levels() -> None:
    graph = Exported(17)
    value, beside, channels = "input", [], 1
    for _ in range(4):
        beside.append(graph.convolve(value, channels, 4))
        value = graph.add("MaxPool", beside[-1], kernel_shape=[2, 2], strides=[2, 2])
        channels = 4
    while len(beside) > 1:
        skip, up = beside.pop(), graph.enlarged(value, 4)
        pads = pads_of(graph, graph.add("Concat", *halves(graph, skip, up), axis=0))
        value = graph.convolve(graph.add("Concat", skip, graph.add("Pad", up, pads), axis=1), 8, 4)
    up = graph.enlarged(value, 4)
    pads = pads_of(graph, graph.add("Concat", *halves(graph, beside[0], up), axis=0))
    agrees(graph.file(beside[0], graph.add("Pad", up, pads)), ((251, 333), (31, 16), (46, 37)))


def test_padding_to_fit_is_written_again(tmp_path) -> None:
    graph = Exported(17)
    upper, lower = graph.down()
    up = graph.enlarged(lower)
    pads = pads_of(graph, graph.add("Concat", *halves(graph, upper, up), axis=0))
    model = read_model(graph.file(upper, graph.add("Relu", graph.add("Pad", up, pads))))
    written = to_onnx(model)
    onnx.checker.check_model(onnx.load_from_string(written))
    assert read_model(written).pads_to_fit
    agrees(written, SIZES + ODD)


def test_padding_by_another_level_is_not_taken_to_fit() -> None:
    """By what the input lacks: right where that is odd at every level, and not elsewhere."""
    graph, value, channels = Exported(17), "input", 1
    for _ in range(2):
        value = graph.convolve(value, channels, 4)
        value = graph.add("MaxPool", value, kernel_shape=[2, 2], strides=[2, 2])
        channels = 4
    two = graph.constant([2])
    less = []
    for axis in (2, 3):
        side = graph.add("Unsqueeze", side_of(graph, "input", axis), graph.constant([0]))
        halved = graph.add("Mul", graph.add("Div", side, two), two)
        less.append(graph.add("Sub", side, halved))
    zero = graph.constant([0])
    pads = graph.add("Concat", *[zero] * 6, *less, axis=0)
    for _ in range(2):
        value = graph.add("Pad", graph.enlarged(value, 4), pads)
    file = graph.file(value, value)
    assert not read_model(file).pads_to_fit
    agrees(file, ((16, 12), (8, 24)))


def test_a_border_that_is_wider_at_odd_sides_is_not_taken_to_fit() -> None:
    graph = Exported(17)
    two, zero, one = (graph.constant([each]) for each in (2, 0, 1))
    wider = []
    for axis in (2, 3):
        side = graph.add("Unsqueeze", side_of(graph, "input", axis), graph.constant([0]))
        odd = graph.add("Sub", side, graph.add("Mul", graph.add("Div", side, two), two))
        wider.append(graph.add("Add", odd, one))
    border = graph.add("Concat", zero, zero, one, one, zero, zero, *wider, axis=0)
    upper, lower = graph.down()
    up = graph.enlarged(lower)
    fit = pads_of(graph, graph.add("Concat", *halves(graph, upper, up), axis=0))
    bordered = graph.add("Pad", upper, border)
    skip = graph.convolve(bordered, 4, 4, pads=[0, 0, 0, 0])
    file = graph.file(skip, graph.add("Pad", up, fit))
    assert not read_model(file).pads_to_fit
    agrees(file)


@pytest.mark.parametrize("change", ["before", "one side", "normalized", "read unpadded"])
def test_what_does_not_pad_to_fit_is_not_taken_to(change: str) -> None:
    graph = Exported(17)
    upper, lower = graph.down()
    up = graph.enlarged(lower)
    (x, more_x), (y, more_y) = (halves(graph, upper, up)[at : at + 2] for at in (0, 2))
    order = {"before": (more_x, x, more_y, y), "one side": (x, x, y, more_y)}
    ends = graph.add("Concat", *order.get(change, (x, more_x, y, more_y)), axis=0)
    made = graph.add("Pad", up, pads_of(graph, ends))
    if change == "normalized":
        four = [graph.hold(np.ones(4), "f4") for _ in range(4)]
        made = graph.add("BatchNormalization", made, *four)
    if change == "read unpadded":
        made = graph.add("Pad", graph.convolve(up, 4, 4), pads_of(graph, ends))
    file = graph.file(upper, made)
    assert not read_model(file).pads_to_fit
    agrees(file)


def test_sizes_may_be_computed_of_the_input_alone() -> None:
    graph = Exported(18)
    two, flat = graph.hold(2), graph.hold([-1])
    sides = [
        graph.add("Squeeze", graph.add("Shape", "input", start=axis, end=axis + 1))
        for axis in (2, 3)
    ]
    upper, lower = graph.down()
    up = graph.enlarged(lower)
    twice = [graph.add("Mul", two, graph.add("Div", each, two)) for each in sides]
    cut = upper
    for axis, each in zip((2, 3), twice, strict=True):
        end = graph.add("Reshape", each, flat, allowzero=0)
        cut = graph.add("Slice", cut, graph.hold([0]), end, graph.hold([axis]), graph.hold([1]))
    zero = graph.hold([0])
    less = [
        graph.add("Reshape", graph.add("Sub", side, each), flat)
        for side, each in zip(sides, twice, strict=True)
    ]
    pads = graph.add("Concat", *[zero] * 6, *less, axis=0)
    agrees(graph.file(cut, graph.add("Pad", up, pads)))


def test_a_cut_to_the_size_that_the_file_fixes_keeps_all() -> None:
    graph = Exported(sides=(16, 12))
    upper, lower = graph.down()
    ends = [graph.constant([each]) for each in (0, 16, 2, 1)]
    cut = graph.add("Slice", upper, *ends)
    agrees(graph.file(cut, graph.enlarged(lower)), SIZES[:1])


@pytest.mark.parametrize(
    ("operator_set", "attributes"),
    [
        (9, {}),
        (10, {}),
        (11, {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}),
        (18, {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}),
        (18, {"antialias": 0, "keep_aspect_ratio_policy": "stretch"}),
        (13, {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_ceil"}),
    ],
)
def test_enlarging_to_the_nearest_pixel_is_computed(
    operator_set: int, attributes: dict[str, Any]
) -> None:
    graph = Exported(operator_set)
    upper, lower = graph.down()
    twice = graph.hold([1, 1, 2, 2], "f4")
    kind = "Upsample" if operator_set < 10 else "Resize"
    empty = [graph.hold([], "f4")] if operator_set > 10 else []
    up = graph.add(kind, lower, *empty, twice, mode="nearest", **attributes)
    agrees(graph.file(upper, graph.convolve(up, 8, 4)))


def test_enlarging_to_the_size_of_another_tensor_is_computed() -> None:
    graph = Exported(18)
    upper, lower = graph.down()
    sizes = graph.add(
        "Concat",
        graph.add("Shape", lower, start=0, end=2),
        graph.add("Shape", upper, start=2),
        axis=0,
    )
    up = graph.add(
        "Resize", lower, "", "", sizes, mode="nearest", nearest_mode="floor",
        coordinate_transformation_mode="asymmetric",
    )  # fmt: skip
    agrees(graph.file(upper, up, 12))


@pytest.mark.parametrize("operator_set", [9, 17])
def test_zeros_that_a_node_pads_are_the_convolutions(operator_set: int) -> None:
    graph = Exported(operator_set)
    upper, lower = graph.down()
    up, around = graph.enlarged(lower), [0, 0, 1, 1, 0, 0, 1, 1]
    if operator_set < 11:
        padded = graph.add("Pad", up, pads=around)
    else:
        padded = graph.add("Pad", up, graph.hold(around), graph.hold(0, "f4"))
    agrees(graph.file(upper, graph.convolve(padded, 4, 4, pads=[0, 0, 0, 0])))


def test_casts_between_types_of_floating_point_change_nothing() -> None:
    graph = Exported()
    upper, lower = graph.down()
    cast = graph.add("Cast", graph.enlarged(lower), to=TensorProto.DOUBLE)
    agrees(graph.file(upper, graph.add("Cast", cast, to=TensorProto.FLOAT)))


def cut_to(graph: Exported, upper: str, lower: str) -> bytes:
    ends = [graph.constant([each]) for each in (0, 16, 2, 1)]
    return graph.file(graph.add("Slice", upper, *ends), graph.enlarged(lower))


def padded_by(*pads: int, mode: str = "constant") -> Any:
    def made(graph: Exported, upper: str, lower: str) -> bytes:
        up = graph.add("Pad", graph.enlarged(lower), graph.hold(pads), mode=mode)
        return graph.file(upper, up)

    return made


def resized(factor: float, **attributes: Any) -> Any:
    def made(graph: Exported, upper: str, lower: str) -> bytes:
        scales = graph.hold([1, 1, factor, factor], "f4")
        return graph.file(upper, graph.add("Resize", lower, "", scales, **attributes), 12)

    return made


def by_the_shape_of_weights(graph: Exported, upper: str, lower: str) -> bytes:
    shape = graph.add("Shape", graph.hold(np.ones((4, 1)), "f4"))
    ends = [graph.constant([0]), shape, graph.constant([0, 1])]
    return graph.file(graph.add("Slice", upper, *ends), graph.enlarged(lower))


def ended(kind: str, **attributes: Any) -> Any:
    def made(graph: Exported, upper: str, lower: str) -> bytes:
        up = graph.add(kind, graph.enlarged(lower), **attributes)
        return graph.file(upper, up)

    return made


def group_normalized(graph: Exported, upper: str, lower: str) -> bytes:
    """As PyTorch exports GroupNorm before the operator set 18."""
    up = graph.enlarged(lower)
    flat = graph.add("Reshape", up, graph.hold([0, 2, -1]))
    ones, zeros = graph.hold(np.ones(2), "f4"), graph.hold(np.zeros(2), "f4")
    same = graph.add("InstanceNormalization", flat, ones, zeros)
    back = graph.add("Reshape", same, graph.add("Shape", up))
    return graph.file(upper, graph.add("Mul", back, graph.hold(np.ones((4, 1, 1)), "f4")))


def silu(graph: Exported, upper: str, lower: str) -> bytes:
    up = graph.enlarged(lower)
    return graph.file(upper, graph.add("Mul", up, graph.add("Sigmoid", up)))


def quantized(graph: Exported, upper: str, lower: str) -> bytes:
    """As quantizers make it: integers, back by a Cast and a Mul."""
    up = graph.enlarged(lower)
    taken = graph.add("QuantizeLinear", up, graph.hold(0.5, "f4"), graph.hold(0, "u1"))
    whole = graph.add("ConvInteger", taken, graph.hold(np.ones((4, 4, 1, 1)), "u1"))
    back = graph.add("Cast", whole, to=TensorProto.FLOAT)
    return graph.file(upper, graph.add("Mul", back, graph.hold([0.5], "f4")))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (group_normalized, "InstanceNormalization, which .*only BatchNormalization is.*GroupNorm"),
        (silu, r"Mul of a tensor by its own Sigmoid \(SiLU.*has to be taught"),
        (quantized, "QuantizeLinear, as networks quantized to integers"),
        (cut_to, r"Slice that keeps 0 to 16 of \d+ along the axis 2.*can be halved"),
        (padded_by(0, 0, 0, 0, 0, 0, 1, 1), r"Pad that adds \[0, 0, 0, 0\] before and \[0, 0, 1"),
        (padded_by(0, 0, 1, 1, 0, 0, 1, 1), r"around which zeros are padded; only a convolution"),
        (padded_by(0, 0, 1, 1, 0, 0, 1, 1, mode="reflect"), '"mode" is "reflect"; zeros alone'),
        (resized(2, mode="linear"), '"mode" is "linear"; images are enlarged here by 2'),
        (resized(2, nearest_mode="ceil"), '"nearest_mode" is "ceil"'),
        (resized(3, mode="nearest"), "does not double height and width"),
        (by_the_shape_of_weights, "which is no image of the graph; simplify the file first"),
        (ended("ArgMax", axis=1), "ArgMax, which .* export the model without it"),
        (ended("LogSoftmax", axis=1), "LogSoftmax, which .* classes are told by what goes into"),
        (ended("LeakyRelu"), "LeakyRelu, which .* has to be taught"),
        (ended("Transpose", perm=[0, 2, 3, 1]), "Transpose, which .*inputs-as-nchw"),
        (ended("Cast", to=TensorProto.INT64), "Cast of images to the type 7"),
    ],
)  # fmt: skip
def test_what_is_not_computed_says_what_to_do(made: Any, said: str) -> None:
    graph = Exported(18)
    with pytest.raises(ModelFileError, match=f"^The node .* is an? .*{said}"):
        read_model(made(graph, *graph.down()))
