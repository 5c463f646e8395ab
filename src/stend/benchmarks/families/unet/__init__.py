"""Inference of the classic U-Net (Ronneberger 2015, padded): seconds per image.

Two images of side × side numbers alternate through a network of 31 million weights, all
pseudo-random and the same on every machine. Operations are counted as in the literature, those of
direct convolution (2·C·C'·k² per pixel), whatever an algorithm saves; the real number of
multiplications is shown as well. Each precision has its own benchmark, because products of bfloat16
numbers are not the same work.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from stend.benchmarks.definition import DEFAULT, About, Case, Variant, benchmark
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import Size, most_threads, up_to_all_cores, whole
from stend.machine.blas import libraries
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native
    from stend.machine import blas

SIDES = (16, 32, 64, 128, 256, 512)
"""Pixels; of these, what the output has to be is known."""
CHANNELS, DEPTH, OUTPUTS = 64, 4, 2
REFERENCE, BLAS, PEER = "reference", "blas", "onnxruntime"
WEIGHTS, OF_A_PIXEL = 900e6, 6e3
"""Bytes: Winograd's form of the weights beside the plain one, and the reference's tensors."""


def direct_flops(side: int) -> float:
    """Of one image: a multiplication and an addition of each weight for each pixel it is taken for.

    Of a transposed convolution these are the pixels before they become four.
    """
    pixels, before = float(side * side), 1
    products = CHANNELS * OUTPUTS * pixels
    for level in range(DEPTH + 1):
        channels = CHANNELS << level
        products += 9 * (before + channels) * channels * pixels
        if level < DEPTH:
            products += (2 + 9 * (2 + 1)) * channels**2 * pixels
        pixels, before = pixels / 4, channels
    return 2 * products


def best_blas() -> "blas.Library | None":
    """The last of `libraries()` that is here: they are listed slowest first."""
    return next((each for each in reversed(libraries()) if each.available), None)


def _variants(precision: str) -> Sequence[Variant]:
    """The engine's, and the peer where it stands among them."""
    from stend import native

    own: list[Variant] = []
    for variant in native.unet.variants(precision):
        if variant.name == BLAS and not best_blas():
            reasons = [each.reason for each in libraries()]
            own.append(native.Variant(BLAS, reasons[-1]))
            continue
        own.append(variant)
    if precision == "float32":
        from stend.benchmarks.families.unet.peer import lacking

        own.insert(_place(own), native.Variant(PEER, lacking()))
    return own


def _place(own: Sequence[Variant]) -> int:
    """Before Winograd's: ONNX Runtime multiplies as often as direct convolution does."""
    return next((i for i, each in enumerate(own) if each.name.startswith("winograd")), 0)


def _takes(
    precision: str, variants: Callable[[], Sequence[Variant]]
) -> Callable[[Case, Machine, Size], Sequence[str]]:
    """Quick: the best on one core and, in float32, on all, and there the peer where it is.

    Full: everything but the reference, which takes seconds, on one core and on all.
    """

    def takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
        there = [each.name for each in variants() if each.name != REFERENCE]
        if size == "full":
            return there if case.threads in (1, most_threads(machine)) else (DEFAULT,)
        if case.threads > 1:
            return (DEFAULT,) if precision == "float32" else ()
        with_peer = size == "quick" and any(v.name == PEER and v.available for v in variants())
        return (PEER, DEFAULT) if with_peer else (DEFAULT,)

    return takes


def _needs(case: Case, machine: Machine) -> str | None:
    if case.side not in SIDES:
        sides = ", ".join(map(str, SIDES))
        return (
            f"the expected output of an image {case.side} pixels wide is unknown; use --set "
            f"side=N with one of {sides}."
        )
    if lacking := cpus_lack(int(case.threads), machine):
        return lacking
    wanted = WEIGHTS + OF_A_PIXEL * int(case.side) ** 2
    return memory_lacks("weights and tensors", wanted, machine, "side=N")


def _sides(machine: Machine, size: Size) -> Sequence[int]:
    return (32,) if size == "check" else (256,)


PARAMETERS = {
    "side": whole("pixels along each side of the image: 16, 32, 64, 128, 256 or 512", _sides),
    "threads": up_to_all_cores,
}


ABOUT = About(
    work="the operations of direct convolution, 2·C·C'·k² per pixel; the real number of "
    "multiplications is shown as well.",
    proof="Each image's output must match that of an independent program within the rounding of "
    "this precision: the largest magnitude, the sum of each channel and 128 single values.",
    bound="Multiplications; if Winograd's algorithm avoids most of them, the movement of tiles "
    "between caches.",
    reading="Compare seconds per image with another library on as many cores (`onnxruntime` is "
    "measured if it is installed). A rate above the processor's peak is not an error: "
    "fewer operations are made than counted.",
    rooms=("engines/unet/native/unet",),
    installs={
        "onnxruntime": "pip install onnxruntime",
        "blas": "pip install scipy-openblas32",
    },
)


def _inference(precision: str, question: str) -> None:
    """Register the benchmark of one precision."""

    def variants() -> Sequence[Variant]:
        return _variants(precision)

    def needs(case: Case, machine: Machine) -> str | None:
        if not variants():
            return f"this architecture has no variant with precision {precision}."
        return _needs(case, machine)

    @benchmark(
        f"unet.{precision}",
        question=question,
        parameters=PARAMETERS,
        metric=Metric(name="time", unit="s", better="lower"),
        work=lambda case: Work(flops=direct_flops(int(case.side)), precision="float32"),
        variants=variants,
        takes=_takes(precision, variants),
        card=precision == "float32",
        needs=needs,
        about=ABOUT if precision == "float32" else replace(ABOUT, installs={}),
    )
    def kernel(case: Case) -> "native.Kernel":
        """One execution is one image."""
        from stend import native

        side, threads, variant = int(case.side), int(case.threads), str(case.variant)
        if variant == PEER:
            from stend.benchmarks.families.unet.peer import OnnxRuntime, Peer

            return native.sampler.work(Peer(OnnxRuntime(), side, threads))
        chosen = best_blas() if variant == BLAS else None
        library = chosen.to_load() if chosen else None
        return native.unet.kernel(precision, side, threads, variant, library)


_inference("float32", "How long does a U-Net take for an image?")
_inference(
    "bf16x3", "How long does a U-Net take for an image with products of bfloat16 numbers in pairs?"
)
_inference("bf16", "How long does a U-Net take for an image with products of bfloat16 numbers?")
