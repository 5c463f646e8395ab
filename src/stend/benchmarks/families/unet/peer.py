"""Another library as a kernel: the same network and images, held against the same known answers."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stend import native

Array = NDArray[np.float32]


def lacking() -> str:
    """Why ONNX Runtime can't be measured, in a sentence; empty when it can."""
    if find_spec("onnxruntime"):
        return ""
    return "ONNX Runtime is not installed; install it with `pip install onnxruntime`."


class Library(Protocol):
    """What computes the network."""

    name: str

    @property
    def about(self) -> str:
        """Itself with its version."""

    def ready(self, images: Sequence[Array], outputs: Sequence[Array], threads: int) -> None:
        """Load the network; arrays (1, channels, side, side) outlive it and stay the same."""

    def take(self, which: int) -> None:
        """Take that image through the network, its output into that array."""


class OnnxRuntime:
    """Made to be fast, for outputs in float32: all of its optimisations, threads that spin."""

    name = "onnxruntime"

    @property
    def about(self) -> str:
        """The library with its version."""
        import onnxruntime

        return f"ONNX Runtime {onnxruntime.__version__}, CPU"

    def ready(self, images: Sequence[Array], outputs: Sequence[Array], threads: int) -> None:
        """Load the network, and bind the arrays."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.enable_cpu_mem_arena = options.enable_mem_pattern = True
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        model, providers = native.unet.model(), ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(model, options, providers=providers)
        self._bound = [self._binding(*pair) for pair in zip(images, outputs, strict=True)]

    def take(self, which: int) -> None:
        """Take that image through the network."""
        self._session.run_with_iobinding(self._bound[which])

    def _binding(self, image: Array, output: Array) -> Any:
        binding = self._session.io_binding()
        binding.bind_cpu_input(self._session.get_inputs()[0].name, image)
        binding.bind_output(
            self._session.get_outputs()[0].name,
            element_type=np.float32,
            shape=output.shape,
            buffer_ptr=output.ctypes.data,
        )
        return binding


class Peer:
    """A kernel that takes images through a library's network (native.sampler.Work)."""

    loop: native.sampler.Loop | None = None

    def __init__(
        self, library: Library, side: int, threads: int, precision: str = "float32"
    ) -> None:
        self.variant = library.name
        self._library, self._side, self._threads = library, side, threads
        self._precision = precision

    @property
    def about(self) -> str:
        """The library with its version."""
        return self._library.about

    def prepare(self) -> None:
        """Load the network."""
        inference = native.unet
        self._turns = inference.Turns(self._side, inference.allowed(self._precision))
        self._images = [np.array(each[None, None]) for each in self._turns.images]
        self._outputs = [each[None] for each in self._turns.outputs]
        self._library.ready(self._images, self._outputs, self._threads)

    def __call__(self) -> None:
        """Take the next image through the network, and see that its output was written."""
        which = self._turns.turn
        self._turns.begin()
        self._library.take(which)
        self._turns.end()

    def check(self, executions: int) -> bool:
        """Whether each wrote its output, and the last of each image known answers."""
        return self._turns.asked == executions and self._turns.right()

    def prove(self, executions: int) -> tuple[bool, str]:
        """Tell how far outputs are from known answers."""
        return self.check(executions), self._turns.said()
