"""Comparisons made by hand: verdicts, intervals and families as a test wants them."""

from typing import Any

from msgspec.structs import replace

from stend.comparing import Comparison, Estimate, Family, Judgement, Normalised, Side, Verdict
from stend.record import Metric

RATE = Metric(name="rate", unit="B/s", better="higher")
TIME = Metric(name="time", unit="s", better="lower")


def estimate(value: float, unit: str) -> Estimate:
    return Estimate(
        unit=unit, value=value, interval=None, medians={0: value}, processes=1, repetitions=9,
        spread=(value, value),
    )  # fmt: skip


def judged(
    name: str, ratio: float, verdict: Verdict, width: float = 0.005, **also: Any
) -> Judgement:
    """A case of `name`, with a ratio whose interval reaches `width` to either side."""
    metric = also.pop("metric", RATE)
    fields: dict[str, Any] = {
        "name": name,
        "benchmark": name.split()[0],
        "parameters": {},
        "variants": ("", ""),
        "metric": metric,
        "verdict": verdict,
        "a": estimate(1e9, metric.unit),
        "b": estimate(1e9 * ratio, metric.unit),
        "ratio": ratio,
        "low": ratio - width,
        "high": ratio + width,
        "p": 0.001,
    }
    return Judgement(**(fields | also))


def alone(name: str, verdict: Verdict) -> Judgement:
    return replace(judged(name, 1.0, verdict), ratio=None, low=None, high=None, p=None)


def family(name: str, speed: float, verdict: Verdict, cases: int = 3, **also: Any) -> Family:
    fields: dict[str, Any] = {
        "counts": {"cannot tell": cases}, "speed": speed, "low": speed - 0.004,
        "high": speed + 0.004, "p": 0.001,
    }  # fmt: skip
    return Family(name=name, cases=cases, verdict=verdict, **(fields | also))


def side(id: str, **also: Any) -> Side:
    fields: dict[str, Any] = {"label": "", "started": "2026-11-21T10:00:00Z", "host": "bench"}
    return Side(id=id * 32, **(fields | also))


def comparison(*rows: Judgement, **also: Any) -> Comparison:
    fields: dict[str, Any] = {
        "a": side("a", label="before"), "b": side("b", label="after"), "confidence": 0.99,
        "smallest": 0.01,
    }  # fmt: skip
    return Comparison(rows=rows, **(fields | also))


def many(count: int, moved: int = 0) -> Comparison:
    """So many cases of ten families, the first of which moved, each by more than the next."""
    rows = [
        judged(f"family{i % 10}.work size={i}", 1.5 - 0.1 * i / max(1, moved), Verdict.FASTER)
        if i < moved
        else judged(f"family{i % 10}.work size={i}", 1.0, Verdict.CANNOT_TELL, reason=REASON)
        for i in range(count)
    ]
    return comparison(*rows)


REASON = "The interval includes both no change and one of more than 1%: measure more."


def per_clock(speed: float) -> Normalised:
    return Normalised(by="per clock", a=1.0, b=speed, unit="B per cycle", speed=speed)
