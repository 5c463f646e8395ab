"""A table of the published figures for each family of benchmarks that has any."""

from collections.abc import Callable, Mapping, Sequence

from stend.comparing import publications
from stend.comparing.publications import MIB, in_full
from stend.report.charts.chart import Listing
from stend.report.quantities import figure, share_in_words
from stend.report.workloads import published_load

FAMILIES: Mapping[str, Callable[[], Sequence[publications.Figure]]] = {
    "gost": publications.ciphers,
    "tomo": publications.volumes,
    "unet": publications.inference,
    "threads": publications.operations,
    "linpack": publications.equations,
    "fft": publications.transforms,
    "storage": publications.storage,
}
"""The names that `stend run` takes as well."""


def listing(family: str) -> Listing:
    """All published figures of a family, in the order of the source, which the caption cites."""
    figures = FAMILIES[family]()
    return Listing(
        f"{family}: {'; '.join(dict.fromkeys(f.cited for f in figures))}",
        _COLUMNS[family],
        tuple(_row(f) for f in figures),
    )


_COLUMNS = {
    "gost": (
        "cipher", "blocks", "processor", "GHz", "unaligned MiB/s", "aligned MiB/s", "cycles a byte",
        "note",
    ),
    "tomo": ("problem", "algorithm", "machine", "threads", "volume"),
    "unet": ("processor", "GHz", "image of 256×256, one core"),
    "threads": ("operation", "processor", "time"),
    "linpack": ("n", "variant", "machine", "condition", "MFLOPS"),
    "fft": ("512×512, complex, Elbrus-8CB", "time"),
    "storage": (
        "workload", "system", "kernel", "method", "under way", "rate", "bandwidth", "latency",
        "CPU",
    ),
}  # fmt: skip


def _row(f: publications.Figure) -> tuple[str, ...]:
    match f:
        case publications.CipherFigure():
            cycles = f"{f.cycles_per_byte:g}"
            unaligned = "–" if f.unaligned is None else f"{f.unaligned / MIB:g}"
            rates = (unaligned, f"{f.aligned / MIB:g}")
            what = (f.cipher, f.processing, in_full(f.processor), f"{f.ghz:g}")
            return *what, *rates, cycles, f.note or "–"
        case publications.VolumeFigure():
            return f.problem, f.algorithm, in_full(f.machine), str(f.threads), f"{f.seconds:g} s"
        case publications.InferenceFigure():
            return in_full(f.processor), f.clock, f"{f.seconds:g} s"
        case publications.OperationFigure():
            return f.operation, in_full(f.processor), figure(f.seconds, "s")
        case publications.EquationsFigure():
            spread = f"{f.low / 1e6:g}–{f.high / 1e6:g}"
            return str(f.n), f.variant, in_full(f.machine), f.condition, spread
        case publications.TransformFigure():
            return f.library, f"{f.seconds * 1e3:g} ms"
        case publications.StorageFigure():
            cpu = "–" if f.cpu is None else share_in_words(f.cpu)
            told = ((f.iops, "IOPS"), (f.bandwidth, "B/s"), (f.latency, "s"))
            words = ("–" if value is None else figure(value, unit) for value, unit in told)
            system = (f.workload.replace("-", " "), in_full(f.system), f.kernel or "–")
            return *system, f.method, published_load(f), *words, cpu
