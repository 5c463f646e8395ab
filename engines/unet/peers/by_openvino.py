"""OpenVINO as what computes the network (stend.benchmarks.families.unet.peer.Library)."""

from collections.abc import Sequence

import openvino

from stend import native
from stend.benchmarks.families.unet.peer import Array

HINTS = {"float32": "f32", "bf16": "bf16"}


class OpenVino:
    """One stream of all threads, which it does not bind, and arrays that are its own tensors."""

    name = "openvino"

    def __init__(self, precision: str) -> None:
        self._precision = HINTS[precision]

    @property
    def about(self) -> str:
        return f"OpenVINO {openvino.__version__}, {self._precision}"

    def ready(self, images: Sequence[Array], outputs: Sequence[Array], threads: int) -> None:
        core = openvino.Core()
        network = core.read_model(model=native.unet.model())
        network.reshape(list(images[0].shape))
        settings = {
            "INFERENCE_PRECISION_HINT": self._precision,
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            "ENABLE_CPU_PINNING": False,
        }
        compiled = core.compile_model(network, "CPU", settings)
        self._requests = [compiled.create_infer_request() for _ in images]
        for request, image, output in zip(self._requests, images, outputs, strict=True):
            request.set_input_tensor(openvino.Tensor(image, shared_memory=True))
            request.set_output_tensor(openvino.Tensor(output, shared_memory=True))

    def take(self, which: int) -> None:
        self._requests[which].infer()
