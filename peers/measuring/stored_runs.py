"""Stored runs of one thing, where nothing changed: how often `compare` calls them different.

Takes a store of runs of the same cases on one machine and prints, for one, two and three runs a
side, with and without the other runs as history: the share of suites with any false verdict, how
wide the intervals are, and how often a case is found that was made faster by a known factor.

    python stored_runs.py STORE LABEL [SINCE]

Since a time, as in 2026-11-23T03:40: only runs that began later, such as those that no constant was
fitted to.
"""

import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from msgspec.structs import replace
from table import Table, held

from stend.comparing import Comparison, Verdict, compare, estimate
from stend.comparing.estimate import FASTER, values_of
from stend.comparing.noise import Medians, medians
from stend.record import CaseRecord, Numbers, Run, Sample
from stend.statistics import finite, holm, middle, unpaired, within
from stend.store import Store

FEWEST = 6
"""Runs: three a side."""
REPETITIONS = 11
"""Of a process, that its median and its faster tenth are kept in."""
SUITES = 150
"""At most, of each kind."""
CHANGED = 93
"""Suites with one changed case, of each kind."""
FACTORS = (1.02, 1.05, 1.1, 1.2)
DIFFERENT = {Verdict.FASTER, Verdict.SLOWER}
Split = tuple[tuple[int, ...], tuple[int, ...]]


def slim(run: Run) -> Run:
    """The run with few repetitions a process, of its median and unrest: judged alike, and fast."""
    return replace(run, cases=tuple(_slim(case) for case in run.cases if case.has_figure))


def _slim(case: CaseRecord) -> CaseRecord:
    found = estimate(case)
    known = found.medians if found else {}
    kept = [sample for sample in case.samples if sample.process in known]
    return replace(case, further={}, samples=tuple(_few(case, s) for s in kept))


def _few(case: CaseRecord, sample: Sample) -> Sample:
    values = finite(values_of(case, sample))
    if len(values) < len(sample.ticks) or len(values) < REPETITIONS:
        return replace(sample, values=Numbers(values_of(case, sample)), also={}, load=None)
    usual = middle(values)
    faster = within(values, 1 - FASTER if case.metric.better == "higher" else FASTER)
    columns = {
        name: type(column := getattr(sample, name))([*column[: REPETITIONS - 1], column[-1]])
        for name in ("started", "ticks", "core", "preempted")
    }
    kept = Numbers([faster, faster, *[usual] * 9])
    return replace(sample, values=kept, also={}, load=None, **columns)


def splits(runs: int, each: int) -> list[Split]:
    """Disjoint choices of so many runs a side: all of them, or `SUITES` by chance."""
    if each == 1:
        pairs = [((i,), (j,)) for i, j in itertools.combinations(range(runs), 2)]
        return [pairs[k] for k in np.random.default_rng(1).permutation(len(pairs))[:SUITES]]
    random = np.random.default_rng(each)
    orders = (random.permutation(runs)[: 2 * each].tolist() for _ in range(SUITES))
    return [(tuple(order[:each]), tuple(order[each:])) for order in orders]


@dataclass(frozen=True, slots=True)
class Field:
    """All runs, and what each tells as history."""

    runs: Sequence[Run]
    past: Sequence[Medians]

    def judged(self, split: Split, history: bool, changed: tuple[str, float] | None) -> Comparison:
        a, b = ([self.runs[i] for i in side] for side in split)
        if changed:
            b = [_faster(run, *changed) for run in b]
        others = [m for i, m in enumerate(self.past) if i not in (*split[0], *split[1])]
        return compare(a, b, history=others if history else ())


def _faster(run: Run, key: str, factor: float) -> Run:
    """The run with one case that is better by a factor."""
    return replace(run, cases=tuple(_scaled(c, factor) if c.key == key else c for c in run.cases))


def _scaled(case: CaseRecord, factor: float) -> CaseRecord:
    by = factor if case.metric.better == "higher" else 1 / factor
    scaled = (replace(s, values=Numbers([x * by for x in s.values or ()])) for s in case.samples)
    return replace(case, samples=tuple(scaled))


def by_processes(a: Run, b: Run) -> list[bool]:
    """What was done before: processes of one run against those of the other, Holm at 99%."""
    found = []
    other = {case.key: case for case in b.cases}
    both = [(case, other[case.key]) for case in a.cases if case.key in other]
    for pair in both:
        x, y = (list(e.medians.values()) for case in pair if (e := estimate(case)))
        usual = unpaired(x, y, 0.99)
        strict = unpaired(x, y, 1 - 0.01 / len(both))
        found.append((usual, strict.p if strict.p is not None else usual.p))
    return [
        p is not None
        and p <= 0.01 + 1e-12
        and ratio.low is not None
        and not ratio.low <= 1 <= ratio.high
        and abs(log(ratio.value)) > log(1.01)
        for (ratio, _), p in zip(found, holm([p for _, p in found]), strict=True)
    ]


def false_alarms(field: Field, which: str) -> None:
    """Suites in which nothing changed."""
    cases = len(field.runs[0].cases)
    table = Table(
        f"{len(field.runs)} stored runs of {cases} cases in which nothing changed{which}",
        [
            "runs a side", "known from", "suites", "with a false verdict %",
            "with a false family %", "half-width of a case, median ± %", "of a family ± %",
        ],
    )  # fmt: skip
    before = [
        any(by_processes(field.runs[i], field.runs[j])) for (i,), (j,) in splits(len(field.runs), 1)
    ]
    table.row("1", "processes alone, as before", str(len(before)), f"({100 * np.mean(before):.1f})",
              "–", "–", "–")  # fmt: skip
    for each, history in itertools.product((1, 2, 3), (False, True)):
        done = [field.judged(split, history, None) for split in splits(len(field.runs), each)]
        rates = [100 * float(np.mean([any(x.verdict in DIFFERENT for x in part) for part in parts]))
                 for parts in ([c.rows for c in done], [c.families for c in done])]  # fmt: skip
        widths = [_width([x for part in parts for x in part])
                  for parts in ([c.rows for c in done], [c.families for c in done])]  # fmt: skip
        table.row(
            str(each),
            f"{len(field.runs) - 2 * each} other runs" if history else "these runs",
            str(len(done)),
            *(held(rate, lambda r: r <= 5, ".1f") for rate in rates),
            *(f"{width:.1f}" for width in widths),
        )


def _width(found: Sequence[object]) -> float:
    ends = ((x.low, x.high) for x in found)
    return 100 * float(
        np.median([exp(log(high / low) / 2) - 1 for low, high in ends if low and high])
    )


def found(field: Field) -> None:
    """Suites in which one case is faster by a factor, each case in turn."""
    table = Table(
        f"One case of {len(field.runs[0].cases)} of these made better: found, %, in brackets of "
        "the half of the cases whose runs differ least",
        ["runs a side", "known from", *(f"by {100 * (f - 1):.0f}%" for f in FACTORS)],
    )
    quiet = _quieter(field)
    for each, history in itertools.product((1, 2, 3), (False, True)):
        cells = []
        for factor in FACTORS:
            hits = dict(_hits(field, each, history, factor))
            quieter = [hit for (key, _), hit in hits.items() if key in quiet]
            cells.append(f"{100 * np.mean(list(hits.values())):.0f} ({100 * np.mean(quieter):.0f})")
        table.row(str(each), "other runs" if history else "these runs", *cells)


def _hits(
    field: Field, each: int, history: bool, factor: float
) -> Iterator[tuple[tuple[str, int], bool]]:
    keys = [case.key for case in field.runs[0].cases]
    chosen = splits(len(field.runs), each)
    random = np.random.default_rng(1)
    for number in range(CHANGED):
        key = keys[number % len(keys)]
        done = field.judged(chosen[random.integers(len(chosen))], history, (key, factor))
        yield (key, number), any(r.name == key and r.verdict is Verdict.FASTER for r in done.rows)


def _quieter(field: Field) -> set[str]:
    """Half of the cases: those whose runs differ least."""
    values: dict[str, list[float]] = {}
    for run in field.runs:
        for case in run.cases:
            values.setdefault(case.key, []).append(log(estimate(case).value))
    spread = sorted(values, key=lambda key: float(np.std(values[key])))
    return set(spread[: len(spread) // 2])


def _left_alone(run: Run) -> bool:
    """Whether others slowed at most a tenth of its figures."""
    slowed = [figure.slowed > 0 for figure in medians(run).figures.values()]
    return sum(slowed) <= 0.1 * len(slowed)


def main(place: str, label: str, since: str = "") -> int:
    """Read, judge, print; 1 where more than 5% of suites deceive."""
    with Store.open(place, create=False) as store:
        known = [s.id for s in store.find(label=label) if s.finished and s.started > since]
        runs = [slim(store.load(name)) for name in known]
    wanted = {case.key for case in runs[0].cases}.intersection(
        *({case.key for case in run.cases} for run in runs)
    )
    runs = [replace(r, cases=tuple(c for c in r.cases if c.key in wanted)) for r in runs]
    quiet = [run for run in runs if _left_alone(run)]
    fields = [Field(some, [medians(run) for run in some]) for some in (runs, quiet)]
    if len(runs) >= FEWEST:
        false_alarms(fields[0], "")
    if len(quiet) >= FEWEST:
        false_alarms(fields[1], ", of which others slowed at most a tenth of the figures")
        found(fields[1])
    return 1 if Table.missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
