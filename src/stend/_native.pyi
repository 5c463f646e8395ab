"""What the compiled part offers; its rooms are modules inside it, written here as classes.

Errors: ValueError for a request that makes no sense here, MemoryError for memory that can't
be had; each with a sentence.
"""
# ruff: noqa: N801

from collections.abc import Callable
from typing import Any, Protocol, final, overload

import numpy as np
from numpy.typing import NDArray

class Unavailable(Exception):
    """This machine lacks what a kernel needs, as only trying shows; the case is skipped."""

class Failed(Exception):
    """The system refused what a kernel needs in the middle of its work; the case has failed."""

@final
class Proof:
    @property
    def right(self) -> bool: ...
    @property
    def said(self) -> str: ...

@final
class Variant:
    def __init__(self, name: str, reason: str = "") -> None:
        """One that needs nothing of the processor; available when there is no reason."""
    @property
    def name(self) -> str: ...
    @property
    def needs(self) -> tuple[str, ...]: ...
    @property
    def available(self) -> bool: ...
    @property
    def reason(self) -> str:
        """A sentence when it is not available."""

@final
class Kernel:
    """Work that can be timed. Its methods release the interpreter's lock."""

    @property
    def variant(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def about(self) -> str:
        """What else ran that belongs to the record: a library and its version."""
    def prepare(self) -> None:
        """Allocate, place and fill the data; once, before anything else."""
    def check(self) -> bool:
        """Whether the last batch left behind what it had to leave."""
    def prove(self) -> Proof:
        """Compare the whole result with an independent computation; once, at the end."""

@final
class isa:
    @staticmethod
    def features() -> list[str]:
        """Instruction-set extensions that kernels may use here."""
    @staticmethod
    def disabled() -> list[str]:
        """What STEND_DISABLE_ISA names."""
    @staticmethod
    def known() -> list[str]: ...

@final
class topology:
    @staticmethod
    def xml() -> str:
        """Give hwloc's export of this machine, version 2 of its XML; Unavailable says why not."""

@final
class clock:
    @final
    class Source:
        @property
        def name(self) -> str: ...
        @property
        def available(self) -> bool: ...
        @property
        def reason(self) -> str: ...

    @final
    class Calibration:
        @property
        def hz(self) -> float: ...
        @property
        def hz_uncertainty(self) -> float:
            """Half-width of the 95% interval of `hz`."""
        @property
        def resolution(self) -> float:
            """Smallest step seen between two readings, s."""
        @property
        def typical_step(self) -> float:
            """Median step between two readings in a row, s."""
        @property
        def overhead(self) -> float:
            """What timing nothing reads, s."""

    @final
    class Timer:
        @property
        def name(self) -> str: ...
        @property
        def available(self) -> bool: ...
        @property
        def reason(self) -> str: ...

    @staticmethod
    def sources() -> list[clock.Source]: ...
    @staticmethod
    def default() -> str: ...
    @staticmethod
    def calibrate(name: str, seconds: float) -> clock.Calibration:
        """Measure a clock against CLOCK_MONOTONIC_RAW for about `seconds`."""
    @staticmethod
    def core_frequency(seconds: float) -> float:
        """Cycles a second of the core that runs this, now; NaN where it can't be told."""
    @staticmethod
    def monotonic_ns() -> int: ...
    @staticmethod
    def timers() -> list[clock.Timer]: ...
    @staticmethod
    def read(timer: str) -> Kernel:
        """Timed: one reading of the timer."""
    @staticmethod
    def step(timer: str) -> Kernel:
        """Observe one step of the timer, s."""
    @staticmethod
    def error(timer: str, seconds: float) -> Kernel:
        """Observe the size of the relative error that it puts on work of about `seconds`."""

@final
class sampler:
    @final
    class Repetitions:
        """What was collected, one read-only column a fact, all equally long."""

        @property
        def started(self) -> NDArray[np.int64]:
            """Ticks since the sampler's origin."""
        @property
        def ticks(self) -> NDArray[np.int64]:
            """Duration."""
        @property
        def core(self) -> NDArray[np.int64]:
            """The core it ended on; -1 where the OS does not tell."""
        @property
        def preempted(self) -> NDArray[np.int64]:
            """1 when the scheduler or a signal came between."""
        @property
        def values(self) -> NDArray[np.float64] | None:
            """What a kernel that observes reported; None for one that is timed."""
        @property
        def also(self) -> dict[str, NDArray[np.float64]]:
            """What else it reported, by name."""
        @property
        def right(self) -> bool:
            """False when the check failed after the last repetition."""

    @final
    class Sampler:
        """Times a kernel that was prepared; raises ValueError for a clock that can't be used."""

        def __init__(self, kernel: Kernel, clock: str) -> None: ...
        @property
        def origin(self) -> int:
            """CLOCK_MONOTONIC when its ticks were 0, ns."""
        def collect(self, batch: int, count: int, seconds: float) -> sampler.Repetitions:
            """Make up to `count` repetitions of `batch` executions each.

            Ends early after `seconds`, though one is always made, and at the first failed
            check. Releases the interpreter's lock and looks for signals about every 50 ms.
            """

    @staticmethod
    def empty() -> Kernel: ...
    @staticmethod
    def spin() -> Kernel:
        """Give work that stays in registers: one execution multiplies 1,000 times."""
    @overload
    @staticmethod
    def call(function: Callable[[], Any]) -> Kernel: ...
    @overload
    @staticmethod
    def call(function: Callable[[], Any], expected: object) -> Kernel:
        """Call a Python function whose last result in a batch has to equal `expected`."""

    @staticmethod
    def work(work: sampler.Work) -> Kernel:
        """Time work that is written in Python and proves itself."""

    class Loop:
        """Work in C++ that a kernel in Python has repeated without the interpreter."""

        def repeat(self, times: int) -> None: ...

    class Work(Protocol):
        """What a kernel in Python owes: one call is one execution."""

        @property
        def variant(self) -> str: ...
        @property
        def about(self) -> str:
            """What ran, such as a library and its version; a line."""
        def prepare(self) -> None:
            """Allocate and fill the data; once, untimed."""
        @property
        def loop(self) -> sampler.Loop | None:
            """What is repeated in place of calls, once it is prepared; None: it is called."""
        def __call__(self) -> object: ...
        def check(self, executions: int) -> bool:
            """Tell, after each batch, whether all executions so far left what they had to."""
        def prove(self, executions: int) -> tuple[bool, str]:
            """Compare the whole result with an independent computation; and say so."""

@final
class linpack:
    @final
    class Library:
        """How a BLAS is loaded; stend.machine.blas knows the libraries."""

        def __init__(
            self,
            *,
            name: str,
            before: list[str],
            blas: str,
            lapack: str,
            prefix: str,
            suffix: str,
            wide: bool,
            set_threads: str,
            threads_variable: str,
            version: str,
        ) -> None: ...

    @staticmethod
    def plain_variants() -> list[Variant]: ...
    @staticmethod
    def plain(n: int, lda: int, variant: str) -> Kernel: ...
    @staticmethod
    def on_level(level: int, n: int, threads: int, library: linpack.Library) -> Kernel: ...
    @staticmethod
    def own_variants() -> list[Variant]: ...
    @staticmethod
    def own(n: int, threads: int, variant: str) -> Kernel: ...
    @staticmethod
    def lapack(n: int, threads: int, library: linpack.Library) -> Kernel: ...

@final
class stream:
    @staticmethod
    def variants() -> list[Variant]: ...
    @staticmethod
    def kernel(
        operation: str,
        elements: int,
        threads: int,
        variant: str,
    ) -> Kernel: ...
    @staticmethod
    def copies(operation: str, elements: int, copies: int, variant: str) -> Kernel:
        """Independent copies, each with `elements` elements in arrays of its own."""

@final
class memory:
    @staticmethod
    def write_variants() -> list[Variant]: ...
    @staticmethod
    def write(block_bytes: int, region_bytes: int, variant: str) -> Kernel: ...
    @staticmethod
    def write_parallel(block_bytes: int, threads: int, affinity: str, variant: str) -> Kernel:
        """Each thread writes its own block; affinity is "none", "scatter" or "compact"."""

@final
class peak:
    @staticmethod
    def variants() -> list[Variant]: ...
    @staticmethod
    def operations(type: str, variant: str) -> int:
        """Count what one execution does on each thread; for a variant that can run here."""
    @staticmethod
    def kernel(type: str, threads: int, variant: str) -> Kernel:
        """Chains that tell, after each batch, the core's "frequency Hz" under them."""

@final
class gost:
    @staticmethod
    def variants(cipher: str) -> list[Variant]: ...
    @staticmethod
    def modes() -> list[str]: ...
    @staticmethod
    def kernel(
        cipher: str, mode: str, size: int, offset: int, threads: int, variant: str
    ) -> Kernel:
        """One message a thread, in place; tells, after each batch, the core's "frequency Hz"."""

@final
class tomo:
    @staticmethod
    def variants(algorithm: str) -> list[Variant]: ...
    @staticmethod
    def kernel(problem: str, algorithm: str, slices: int, threads: int, variant: str) -> Kernel:
        """Slices of a phantom; tells, after each batch, their "RMSE" beside its exact pictures."""

@final
class unet:
    @staticmethod
    def variants(precision: str) -> list[Variant]: ...
    @staticmethod
    def kernel(
        precision: str,
        side: int,
        threads: int,
        variant: str,
        library: linpack.Library | None = None,
    ) -> Kernel:
        """The classic U-Net on an image; tells the seconds and the work of each part.

        Sides are those that there are known answers of; `library` is for the variant "blas".
        """
    @staticmethod
    def model() -> bytes:
        """That network as an ONNX file."""
    @staticmethod
    def allowed(precision: str) -> float:
        """How far an output may be from known answers, by any variant."""

    class Turns:
        """Images in turn through that network, by whatever computes it, and what proves them."""

        def __init__(self, side: int, allowed: float) -> None: ...
        @property
        def images(self) -> list[NDArray[np.float32]]:
            """(side, side) each."""
        @property
        def outputs(self) -> list[NDArray[np.float32]]:
            """(2, side, side) each: where that of the image is to be written."""
        @property
        def asked(self) -> int:
            """Repetitions so far."""
        @property
        def turn(self) -> int:
            """Which of them the next repetition takes."""
        def begin(self) -> None:
            """Spoil numbers of its output; before each repetition."""
        def end(self) -> None:
            """See that they were written; after each repetition."""
        def right(self) -> bool:
            """Whether all wrote their outputs, and the last of each image the right one."""
        def said(self) -> str:
            """How far outputs are from known answers, and how many were written; a sentence."""

@final
class noise:
    @staticmethod
    def multiplications(seconds: float) -> int:
        """Count the multiplications of a quantum that takes about `seconds`."""
    @staticmethod
    def quantum(seconds: float, cpu: int) -> Kernel:
        """Observe how long a fixed quantum of work takes on that CPU, s."""
    @staticmethod
    def lost(window: float, cpu: int) -> Kernel:
        """Observe the share of `window`, s, that passes in detours."""
    @staticmethod
    def detour(patience: float, cpu: int) -> Kernel:
        """Observe the length of the next detour, s; NaN when none came in `patience`, s."""

@final
class latency:
    @staticmethod
    def chase(bytes: int, pages: str) -> Kernel:
        """Timed: one of a chain of loads through `bytes` in pages "normal" or "huge"."""
    @staticmethod
    def loaded(bytes: int, readers: int, delay: int) -> Kernel:
        """Observe one load's time, s, in half of `bytes` while `readers` read the other half."""

@final
class bandwidth:
    @staticmethod
    def passes(bytes: int, threads: int) -> int:
        """How often one execution goes over its `bytes`."""
    @staticmethod
    def read_variants() -> list[Variant]: ...
    @staticmethod
    def write_variants() -> list[Variant]: ...
    @staticmethod
    def copy_variants() -> list[Variant]: ...
    @staticmethod
    def read(bytes: int, threads: int, variant: str) -> Kernel: ...
    @staticmethod
    def write(bytes: int, threads: int, variant: str) -> Kernel: ...
    @staticmethod
    def copy(bytes: int, threads: int, variant: str) -> Kernel: ...

@final
class cores:
    @staticmethod
    def row(cpu: int) -> Kernel:
        """Observe the median one-way time, s, from `cpu` to all others; each in "to CPU n s"."""

@final
class nodes:
    @staticmethod
    def copy(block: int, node: int, memory: int, variant: str) -> Kernel:
        """Copy `block` bytes by a thread on `node` from its memory to that of node `memory`.

        Variants are those of `bandwidth.copy`. Unavailable where memory can't be bound.
        """
    @staticmethod
    def latency(bytes: int, node: int, memory: int) -> Kernel:
        """Timed: one of a chain of loads by a thread on `node`, in memory of node `memory`."""

@final
class fft:
    @staticmethod
    def chain(
        function: int,
        plan: int,
        into: int,
        out: int,
        told: int,
        without: float,
        numbers: float,
    ) -> sampler.Loop:
        """Call `function(plan, into, out)`, all addresses, with `into`'s first number counting up.

        The number is read from element `told` of `out`, where `without` stands when it is 0, and
        counts modulo `numbers`.
        """

@final
class threads:
    """`load` is none, half, all or twice; `affinity` none or bound."""

    @staticmethod
    def create(load: str, affinity: str) -> Kernel:
        """Observe one pthread_create, s."""
    @staticmethod
    def create_join(load: str, affinity: str) -> Kernel:
        """Observe one pthread_create and pthread_join, s."""
    @staticmethod
    def chain(length: int, keep: str, load: str, affinity: str) -> Kernel:
        """Observe a chain of threads, each making the next, s a thread; joined or detached."""
    @staticmethod
    def wake_one(blocked: int, load: str, affinity: str) -> Kernel:
        """Observe how long a signal takes to have one of the blocked threads run, s."""
    @staticmethod
    def wake_all(blocked: int, load: str, affinity: str) -> Kernel:
        """Observe how long a broadcast takes until all blocked threads have run, s."""
    @staticmethod
    def mutex(step: str, load: str, affinity: str) -> Kernel:
        """Observe one step of a mutex's life, s: create, lock, unlock or destroy."""
    @staticmethod
    def lock_unlock(threads: int, load: str, affinity: str) -> Kernel: ...
    @staticmethod
    def spinlock(threads: int, load: str, affinity: str) -> Kernel: ...
    @staticmethod
    def semaphore(threads: int, load: str, affinity: str) -> Kernel: ...
    @staticmethod
    def atomic_add(threads: int, load: str, affinity: str) -> Kernel: ...
    @staticmethod
    def false_sharing(threads: int, apart: int, load: str, affinity: str) -> Kernel:
        """`apart` is bytes, a multiple of 8 from 8 to 4096."""
    @staticmethod
    def barrier_variants() -> list[Variant]: ...
    @staticmethod
    def barrier(threads: int, load: str, affinity: str, variant: str) -> Kernel: ...
    @staticmethod
    def switch_variants() -> list[Variant]: ...
    @staticmethod
    def switch(place: str, load: str, affinity: str, variant: str) -> Kernel:
        """Observe one hop of a number between two threads, s; `place` is same, other or any."""
    @staticmethod
    def ping_pong_variants() -> list[Variant]: ...
    @staticmethod
    def ping_pong(place: str, load: str, affinity: str, variant: str) -> Kernel:
        """Observe one hop of a number between two threads, s; `place` is same, other or any."""
