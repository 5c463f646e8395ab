"""A made-up run of U-Net inference: the classic network's layers, times that are known."""

import made
from report.processor import RATE
from stend.record import CaseRecord, Metric, Numbers, Run, Work

PEAK = 265e9
"""FLOP/s of a core in float32."""
SIDE = 256


def classic(side: int = SIDE, fused: bool = True) -> dict[str, float]:
    """FLOP of each layer by direct convolution, in the order they run."""
    flops = {}
    for level in range(5):
        pixels, channels = (side >> level) ** 2, 64 << level
        flops[f"down{level}.conv1"] = 18.0 * pixels * channels * (channels // 2 if level else 1)
        pool = f" + pool{level + 1}" if fused and level < 4 else ""
        flops[f"down{level}.conv2{pool}"] = 18.0 * pixels * channels**2
        if not fused and level < 4:
            flops[f"pool{level + 1}"] = 0.0
    for level in reversed(range(4)):
        pixels, channels = (side >> level) ** 2, 64 << level
        flops[f"up{level}.transposed"] = 4.0 * pixels * channels**2
        flops[f"up{level}.conv1"] = 36.0 * pixels * channels**2
        flops[f"up{level}.conv2"] = 18.0 * pixels * channels**2
    return flops | {"output": 4.0 * side**2 * 64}


FLOPS = sum(classic().values())


def case(
    variant: str,
    seconds: float,
    precision: str = "float32",
    threads: int = 1,
    layers: dict[str, float] | None = None,
    multiplied: float | None = None,
    side: int = SIDE,
) -> CaseRecord:
    """Each layer takes the share of `seconds` that its operations are of all."""
    also = {}
    for name, flops in (layers or {}).items():
        also[f"{name} s"] = seconds * flops / sum(layers.values())
        also[f"{name} FLOP"] = flops
    if multiplied is not None:
        also["multiplied FLOP"] = multiplied
    times = [seconds * (1 + 0.002 * (i - 2)) for i in range(5)]
    samples = tuple(
        made.sample(
            [t * (1 + 0.005 * (process - 1)) for t in times],
            process,
            also={name: Numbers([value] * 5) for name, value in also.items()},
        )
        for process in range(3)
    )
    return made.case(
        samples,
        benchmark=f"unet.{precision}",
        question="How long does U-Net take for an image?",
        variant=variant,
        parameters={"side": side, "threads": threads},
        metric=Metric(name="time", unit="s", better="lower"),
        work=Work(flops=FLOPS, precision="float32"),
    )


def peak(threads: int = 1, rate: float = PEAK) -> CaseRecord:
    """The best of so many threads in float32."""
    samples = tuple(made.sample([1e9 / rate] * 5, process) for process in range(3))
    return made.case(
        samples, benchmark="peak.float32", variant="avx512", parameters={"threads": threads},
        metric=RATE, work=Work(flops=1e9, precision="float32"),
    )  # fmt: skip


def unet(peaks: bool = True) -> Run:
    """What a processor with wide vectors and bfloat16 makes of it."""
    own, apart = classic(), classic(fused=False)
    cases = (
        case("reference", 31.0, layers=apart, multiplied=FLOPS),
        case("onnxruntime", 0.384),
        case("blas", 0.41, layers=apart, multiplied=FLOPS),
        case("direct", 0.5, layers=own, multiplied=FLOPS),
        case("winograd-avx512", 0.134, layers=own, multiplied=30e9),
        case("onnxruntime", 0.2, threads=2),
        case("winograd-avx512", 0.07, threads=2, layers=own, multiplied=30e9),
        case("amx-bf16x3", 0.1, "bf16x3", layers=own, multiplied=90e9),
        case("avx512-bf16", 0.2, "bf16", layers=own, multiplied=FLOPS),
        case("amx-bf16", 0.04, "bf16", layers=own, multiplied=FLOPS),
    )
    return made.run((*([peak(), peak(2, 2 * PEAK)] if peaks else []), *cases), label="unet")
