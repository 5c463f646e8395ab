"""ONNX files that stend writes satisfy ONNX's checker and Runtime; it reads those of others."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from stend_unet import Network, classic, read_model, to_onnx
from stend_unet.errors import ModelFileError

SIDE = 16


def images(channels: int) -> Any:
    """Two images, [2][channels][side][side]."""
    random = np.random.default_rng(7)
    return random.standard_normal((2, channels, SIDE, SIDE)).astype("f4")


def by_runtime(model: bytes, given: Any) -> Any:
    """What ONNX Runtime makes of these images."""
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: given})[0]


def exported(rng: Any, *, last: str = "Softmax", operator_set: int = 17) -> onnx.ModelProto:
    """A graph with what exporters leave in it: BatchNormalization, Dropout, Identity, Constant.

    Returns:
        Of 2 channels, with one pooling and 3 channels out.
    """
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []

    def hold(name: str, *shape: int, least: float = -0.5) -> str:
        values = rng.uniform(least, 0.5 if least < 0 else 2, shape).astype("f4")
        weights.append(numpy_helper.from_array(values, name))
        return name

    def add(kind: str, *inputs: str, **attributes: Any) -> str:
        output = f"{kind}_{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def normal(value: str, channels: int) -> str:
        at = f"bn{len(nodes)}."
        given = [hold(at + each, channels) for each in ("scale", "shift", "mean")]
        return add(
            "BatchNormalization", value, *given, hold(at + "variance", channels, least=0.1),
            epsilon=1e-3, momentum=0.9,
        )  # fmt: skip

    def convolve(value: str, inputs: int, outputs: int) -> str:
        weight = hold(f"w{len(nodes)}", outputs, inputs, 3, 3)
        made = add("Conv", value, weight, pads=[1, 1, 1, 1], group=1, dilations=[1, 1])
        return add("Relu", normal(made, outputs))

    wide = add("Dropout", convolve("input", 2, 4))
    deep = convolve(add("MaxPool", wide, kernel_shape=[2, 2], strides=[2, 2]), 4, 8)
    up = add(
        "ConvTranspose", add("Identity", deep), hold("up.w", 8, 4, 2, 2), hold("up.b", 4),
        kernel_shape=[2, 2], strides=[2, 2],
    )  # fmt: skip
    joined = add("Concat", normal(up, 4), wide, axis=-3)
    constant = numpy_helper.from_array(rng.uniform(-1, 1, (3, 8, 1, 1)).astype("f4"))
    logits = add("Conv", joined, add("Constant", value=constant), hold("last.b", 3))
    axis: dict[str, Any] = {"axis": 1} if last == "Softmax" else {}
    nodes.append(helper.make_node(last, [logits], ["output"], **axis))
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", channels, "h", "w"])
        for name, channels in (("input", 2), ("output", 3))
    ]
    graph = helper.make_graph(nodes, "exported", ends[:1], ends[1:], weights)
    model = helper.make_model(
        graph, ir_version=8, opset_imports=[helper.make_opsetid("", operator_set)]
    )
    helper.set_model_props(model, {"stend.classes": "a, b, c"})
    return model


@pytest.mark.parametrize("depth", [1, 3])
def test_written_files_satisfy_onnx_and_give_the_same_output(depth: int) -> None:
    model = classic(inputs=2, outputs=3, channels=4, depth=depth)
    file = to_onnx(model, {"who": "мы"})
    parsed = onnx.load_from_string(file)
    onnx.checker.check_model(parsed, full_check=True)
    assert [(p.key, p.value) for p in parsed.metadata_props] == [("who", "мы")]
    given = images(2)
    ours, theirs = Network(model, variant="reference")(given), by_runtime(file, given)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=2e-6 * np.abs(theirs).max())


@pytest.mark.parametrize("last", ["Softmax", "Sigmoid", "Relu", "Identity"])
def test_exported_files_give_what_onnx_runtime_gives(last: str) -> None:
    theirs = exported(np.random.default_rng(3), last=last)
    onnx.checker.check_model(theirs, full_check=True)
    given, file = images(2), theirs.SerializeToString()
    model = read_model(file)
    assert len(model.layers) == 5
    expected = by_runtime(file, given)
    close = {"rtol": 0, "atol": 2e-6 * np.abs(expected).max()}
    np.testing.assert_allclose(Network(model, variant="reference")(given), expected, **close)
    again = to_onnx(model)
    onnx.checker.check_model(onnx.load_from_string(again), full_check=True)
    np.testing.assert_allclose(by_runtime(again, given), expected, **close)
    assert to_onnx(read_model(again)) == again
    assert model.properties == {"stend.classes": "a, b, c"}


@pytest.mark.parametrize("operator_set", [7, 9, 11, 13, 22])
def test_operator_sets_differ_in_nothing_that_is_computed(operator_set: int) -> None:
    given = images(2)
    made, newest = (
        exported(np.random.default_rng(5), last="Sigmoid", operator_set=version)
        for version in (operator_set, 17)
    )
    onnx.checker.check_model(made)
    assert to_onnx(read_model(made.SerializeToString())) == to_onnx(
        read_model(newest.SerializeToString())
    )
    assert np.isfinite(by_runtime(made.SerializeToString(), given)).all()


def test_the_newest_of_the_installed_onnx_is_read() -> None:
    weight = numpy_helper.from_array(np.ones((1, 1, 1, 1), "f4"), "w")
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 1, 8, 8]) for name in "xy"]
    node = helper.make_node("Conv", ["x", "w"], ["y"])
    model = helper.make_model(helper.make_graph([node], "g", ends[:1], ends[1:], [weight]))
    assert read_model(model.SerializeToString()).parameters == 2


@pytest.mark.parametrize("raw", [True, False])
@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "BFLOAT16"])
def test_weights_of_every_type_are_those_that_onnx_reads(kind: str, raw: bool) -> None:
    element = getattr(TensorProto, kind)
    numbers = np.random.default_rng(1).uniform(-2, 2, 18).astype("f4")
    if raw:
        stored = numbers.astype(helper.tensor_dtype_to_np_dtype(element))
        weight = helper.make_tensor("w", element, [2, 1, 3, 3], stored.tobytes(), raw=True)
    else:
        weight = helper.make_tensor("w", element, [2, 1, 3, 3], numbers.tolist())
    ends = [
        helper.make_tensor_value_info(name, element, ["n", channels, "h", "w"])
        for name, channels in (("x", 1), ("y", 2))
    ]
    node = helper.make_node("Conv", ["x", "w"], ["y"], auto_pad="SAME_UPPER")
    graph = helper.make_graph([node], "g", ends[:1], ends[1:], [weight])
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 22)])
    read = onnx.load_from_string(to_onnx(read_model(model.SerializeToString())))
    expected = numpy_helper.to_array(weight).astype("f4")
    np.testing.assert_array_equal(numpy_helper.to_array(read.graph.initializer[0]), expected)


def test_weights_beside_the_file_are_read(tmp_path: Path) -> None:
    model = exported(np.random.default_rng(3))
    inside = to_onnx(read_model(model.SerializeToString()))
    file = tmp_path / "model.onnx"
    onnx.save_model(model, file, save_as_external_data=True, location="w.bin", size_threshold=0)
    assert file.stat().st_size < len(inside)
    assert to_onnx(read_model(file)) == inside
    (tmp_path / "w.bin").rename(tmp_path / "elsewhere")
    with pytest.raises(ModelFileError, match=r'the file "w.bin", but it can\'t be opened'):
        read_model(file)


@pytest.mark.parametrize("kind", ["LRN", "Add", "LayerNormalization"])
def test_what_is_not_computed_is_named(kind: str) -> None:
    model = exported(np.random.default_rng(3))
    next(node for node in model.graph.node if node.op_type == "Relu").op_type = kind
    with pytest.raises(ModelFileError, match=f'The node "Relu_2" is an? {kind}, which'):
        read_model(model.SerializeToString())
