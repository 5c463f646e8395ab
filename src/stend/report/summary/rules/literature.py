"""Beside the literature: how many times the fastest published figure this machine is.

A published figure is one number of other code, in another year, without an interval: a factor
beside it tells the size of things and decides nothing.
"""

from collections.abc import Iterator

from stend import published
from stend.comparing.limits import threads_of
from stend.report.inference import is_inference
from stend.report.measured import Measured
from stend.report.quantities import figure, parameter
from stend.report.summary.figures import Figures, better, over_processes, shown
from stend.report.summary.finding import Finding

_SIDE = 256
"""Pixels of a side of the published images."""
_MATTERS = 1.5
"""Times: compilers, sizes of messages and years of the same processor make less than that."""
_CAVEAT = "one number, of other code"


def beside_published(figures: Figures) -> Iterator[Finding]:
    """Ciphers and U-Net on one core, surely 1.5 times as fast as the fastest that was published.

    Or surely as much slower. Only the same work on one core is set beside it, and the interval
    has to lie beyond that factor wholly, as the published figure has none of its own.
    """
    yield from _ciphers(figures)
    yield from _inference(figures)


def _ciphers(figures: Figures) -> Iterator[Finding]:
    for name in ("kuznyechik", "magma"):
        told = [f for f in published.ciphers() if f.cipher == name and f.processing == "parallel"]
        fastest = max(told, key=lambda f: f.aligned, default=None)
        alone = [
            m
            for m in figures.of(f"gost.{name}")
            if threads_of(m.case) == 1
            and m.case.parameters.get("mode") == "ecb"
            and not m.case.parameters.get("offset")
        ]
        largest = max((_size(m) for m in alone), default=0)
        best = better(m for m in alone if _size(m) == largest)
        if fastest and best:
            what = f"{name.capitalize()} (ECB, one core, messages of {parameter('size', largest)})"
            other = f"{published.in_full(fastest.processor)}, {figure(fastest.aligned, 'B/s')}"
            yield from _beside(best, best.estimate.value / fastest.aligned, what, other)


def _size(m: Measured) -> int:
    """Bytes; the published figures are of about 1 GB."""
    size = m.case.parameters.get("size")
    return size if type(size) is int else 0


def _inference(figures: Figures) -> Iterator[Finding]:
    fastest = min(published.inference(), key=lambda f: f.seconds, default=None)
    best = better(
        m
        for m in figures.of("unet.float32")
        if is_inference(m) and threads_of(m.case) == 1 and m.case.parameters.get("side") == _SIDE
    )
    if fastest and best:
        other = f"{published.in_full(fastest.processor)}, {figure(fastest.seconds, 's')}"
        yield from _beside(best, fastest.seconds / best.estimate.value, "U-Net (one core)", other)


def _beside(m: Measured, speed: float, what: str, other: str) -> Iterator[Finding]:
    """Only where the interval lies wholly beyond the factor that matters."""
    ends = over_processes(m)
    if not ends:
        return
    widths = [end / m.estimate.value for end in ends if end > 0]
    factors = widths if m.case.metric.better == "higher" else [1 / width for width in widths]
    least, most = speed * min(factors, default=0.0), speed * max(factors, default=float("inf"))
    if least > _MATTERS:
        said, size = f"{speed:.1f} times as fast as", least / _MATTERS
    elif most < 1 / _MATTERS:
        said, size = f"{100 * speed:.0f}% of the speed of", 1 / (_MATTERS * most)
    else:
        return
    yield Finding(
        f"{what}: {shown(m)}, {said} the fastest published figure ({other}; {_CAVEAT}).",
        m.index,
        size,
    )
