"""ONNX Runtime as a kernel: the same network and image, held against the same known answers."""

from importlib.util import find_spec
from typing import Any

import numpy as np

from stend import native

OUTPUTS = 2
SPOILT = 64
"""Numbers of the output before each execution, other ones each time; none may be left."""


def lacking() -> str:
    """Why it can't be measured, in a sentence; empty when it can."""
    if find_spec("onnxruntime"):
        return ""
    return "ONNX Runtime is not installed; `pip install 'stend[onnx]'` brings it."


def session(model: bytes, threads: int) -> Any:
    """Made to be fast, for outputs in float32: all of its optimisations, threads that spin."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = True
    options.add_session_config_entry("session.intra_op.allow_spinning", "1")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


class Session:
    """A kernel that takes the image through the network (native.sampler.Work)."""

    variant = "onnxruntime"
    loop: native.sampler.Loop | None = None

    def __init__(self, side: int, threads: int) -> None:
        self._side, self._threads = side, threads
        self._made = self._next = 0

    @property
    def about(self) -> str:
        """The library with its version."""
        import onnxruntime

        return f"ONNX Runtime {onnxruntime.__version__}, CPU"

    def prepare(self) -> None:
        """Load the network, and bind arrays that are the same for every execution."""
        self._allowed = native.inference.allowed("float32")
        self._session = session(native.inference.model(), self._threads)
        side = self._side
        self._image = np.zeros((1, 1, side, side), np.float32)
        native.inference.fill(self._image.ravel())
        self._output = np.full((1, OUTPUTS, side, side), np.nan, np.float32)
        self._flat = self._output.ravel()
        self._binding = self._session.io_binding()
        self._binding.bind_cpu_input(self._session.get_inputs()[0].name, self._image)
        self._binding.bind_output(
            self._session.get_outputs()[0].name,
            element_type=np.float32,
            shape=self._output.shape,
            buffer_ptr=self._output.ctypes.data,
        )

    def __call__(self) -> None:
        """Spoil a part of the output, take the image through, and see that it was written."""
        self._next = (self._next + SPOILT) % (self._flat.size - SPOILT)
        spoilt = self._flat[self._next : self._next + SPOILT]
        spoilt[:] = np.nan
        self._session.run_with_iobinding(self._binding)
        self._made += not np.isnan(spoilt).any()

    def check(self, executions: int) -> bool:
        """Whether each wrote the output, and the last one known answers."""
        return self._made == executions and self._error() <= self._allowed

    def prove(self, executions: int) -> tuple[bool, str]:
        """Tell how far the output is from known answers."""
        right = self.check(executions)
        return right, (
            f"The largest difference of the output from known answers is {self._error():.2e} of "
            f"its largest magnitude; {'allowed are' if right else 'allowed would be'} "
            f"{self._allowed:.1e}. {self._made} of {executions} repetitions wrote the output."
        )

    def _error(self) -> float:
        return native.inference.error(self._side, self._flat)
