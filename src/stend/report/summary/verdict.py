"""One sentence about a run: was the machine quiet enough to believe its figures?"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stend.record import Disturbance, Run, Status
from stend.report.measured_case import Measured
from stend.report.quantities import share_in_words
from stend.report.summary.doubts import DISTURBED, WIDE, disturbed, is_alone, is_wide, said_of
from stend.report.summary.figures import Figures
from stend.report.views import enumerated

FEW = 0.05
"""Of the figures: as many miss the truth anyway, whose intervals are at 95%."""
MANY = 0.10
"""Of the figures: with more that are wide, or of too few processes, a reader who picks one at
random is often misled by its digits."""
_MOST_FAMILIES = 4
BROKEN = (Status.FAILED, Status.CRASHED, Status.TIMED_OUT)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be thought of a run as a whole."""

    word: str
    """"Quiet enough", "Disturbed", "Unsteady", "Too few processes", "Wrong results", "Published",
    "Only checked" or "No figure"."""
    said: str
    """The sentence, which begins with the word."""
    good: bool
    """Whether its figures can be read as they are."""


def verdict(figures: Figures) -> Verdict:
    """The gravest thing that is to be said, and beside it in how many cases."""
    run, measured = figures.run, figures.measured
    statuses = Counter(case.status for case in run.cases)
    ends = "" if run.finished else "; the run is in progress, or ended early"
    if statuses[Status.WRONG]:
        return _wrong(run, ends)
    if not measured:
        return _without(run, statuses, ends)
    met = disturbed(run, measured)
    hit = {m.index: m for members in met.values() for m in members}
    wide = [m for m in measured if is_wide(m)]
    rest = _broken(statuses) + ends
    if len(hit) > FEW * len(measured):
        causes = enumerated([_cause(run.conditions.during, kind) for kind in met])
        were = "was" if len(hit) == 1 else "were"
        return _verdict(
            "Disturbed",
            f"{causes} while {_of(len(hit), len(measured), 'figure')} {were} measured "
            f"({_families(hit.values())}){rest}",
        )
    if len(wide) > MANY * len(measured):
        seen = "little" if run.conditions.during else "nothing"
        return _verdict(
            "Unsteady",
            f"{_of(len(wide), len(measured), 'interval')} {_wider(len(wide))} "
            f"({_families(wide)}), though {seen} was seen to disturb the machine{rest}",
        )
    single = [m for m in measured if is_alone(m)]
    if len(single) > MANY * len(measured):
        are = "is" if len(single) == 1 else "are"
        return _verdict(
            "Too few processes",
            f"{_of(len(single), len(measured), 'figure')} {are} from only one or two processes "
            f"({_families(single)}), and another process may give another figure{rest}",
        )
    return _verdict(
        "Quiet enough",
        f"{_met(len(hit), len(measured))}, and {len(wide) or 'no'} "
        f"interval{'s' * (len(wide) > 1)} {_wider(len(wide))}{rest}",
        good=not rest,
    )


def _wrong(run: Run, ends: str) -> Verdict:
    wrong = [case.benchmark for case in run.cases if case.status is Status.WRONG]
    did = "gave a wrong result and has" if len(wrong) == 1 else "gave wrong results and have"
    return _verdict(
        "Wrong results",
        f"{_of(len(wrong), len(run.cases), 'case')} {did} no figure "
        f"({enumerated([*dict.fromkeys(wrong)])}){ends}",
    )


def _verdict(word: str, said: str, good: bool = False) -> Verdict:
    return Verdict(word, f"{word}: {said}.", good)


def _without(run: Run, statuses: Counter[Status], ends: str) -> Verdict:
    """No case has a figure: why."""
    count = len(run.cases)
    broken = sum(statuses[status] for status in BROKEN)
    if statuses[Status.PUBLISHED]:
        return _verdict("Published", f"{_of(statuses[Status.PUBLISHED], count, 'case')} are "
                        f"published figures: single numbers, none of which was measured "
                        f"here{ends}")  # fmt: skip
    if statuses[Status.CHECKED]:
        failed = f", and {broken} could not be run" if broken else ""
        right = "a correct result" if statuses[Status.CHECKED] == 1 else "correct results"
        return _verdict("Only checked", f"{_of(statuses[Status.CHECKED], count, 'case')} ran once, "
                        f"untimed, with {right}{failed}{ends}",
                        good=not broken and not ends)  # fmt: skip
    if not count:
        return _verdict("No figure", f"no case has ended{ends}" if ends else "it has no case")
    listed = [f"{n} {_ended(status)}" for status, n in statuses.items()]
    return _verdict("No figure", f"of {count} case{'s' * (count != 1)} {enumerated(listed)}{ends}")


def _ended(status: Status) -> str:
    return "gave no value" if status is Status.MEASURED else status.value


def _broken(statuses: Counter[Status]) -> str:
    count = sum(statuses[status] for status in BROKEN)
    return f"; {count} case{'s' * (count != 1)} failed" if count else ""


def _wider(count: int) -> str:
    return f"{'is' if count < 2 else 'are'} wider than ±{share_in_words(WIDE)}"


def _met(count: int, of: int) -> str:
    """`2 of 50 figures were disturbed for 10% of their time or more`."""
    were, their = ("was", "its") if count < 2 else ("were", "their")
    return (
        f"{count or 'none'} of {of} figure{'s' * (of != 1)} {were} disturbed for "
        f"{share_in_words(DISTURBED)} of {their} time or more"
    )


def _of(count: int, of: int, thing: str) -> str:
    """`2 of 50 figures`."""
    return f"{count} of {of} {thing}{'s' * (of != 1)}"


def _cause(spells: Sequence[Disturbance], kind: str) -> str:
    """What the longest spell of a kind says, as a part of a sentence."""
    said = said_of(spells, kind).rstrip(".")
    return said[:1].lower() + said[1:]


def _families(members: Iterable[Measured]) -> str:
    """`memory, stream and 2 other families`, those with the most cases first."""
    counts = Counter(m.case.family for m in members)
    names = [name for name, _ in counts.most_common()]
    if len(names) <= _MOST_FAMILIES:
        return enumerated(names)
    return f"{', '.join(names[: _MOST_FAMILIES - 1])} and {len(names) - _MOST_FAMILIES + 1} more"
