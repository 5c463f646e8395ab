"""Small networks as ONNX files, with any ending and any properties."""

import onnx

import stend_unet as unet


def with_ending(operator=None, properties=None, *, outputs=1, inputs=1, seed=3):
    """Give the bytes of a classic network with an operator behind it: Sigmoid or Softmax."""
    small = unet.classic(inputs=inputs, outputs=outputs, channels=4, depth=2, seed=seed)
    file = onnx.load_from_string(unet.to_onnx(small, properties or {}))
    if operator:
        made = file.graph.output[0]
        axis = {"axis": 1} if operator == "Softmax" else {}
        node = onnx.helper.make_node(operator, [made.name], ["ending"], **axis)
        file.graph.node.append(node)
        made.name = "ending"
    return file.SerializeToString()
