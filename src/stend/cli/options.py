"""What several verbs share: options, how a run is named, what is done with a finished run."""

import os
import pwd
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stend.errors import BadValue, StoreError, UnknownName, UsageError
from stend.record import Run, Status
from stend.record.text import printable, refuse_unfit

if TYPE_CHECKING:
    from stend.comparing import Medians
    from stend.record import Run


STORE_HELP = (
    "Where runs are kept: a file, or postgresql://… for a team. Default: $STEND_STORE, "
    "else a file in your data folder."
)
Store = Annotated[str | None, typer.Option("--store", metavar="URL", help=STORE_HELP)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


_TIME = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7}(?:\.\d{1,3})?)s?)?")


def time_of(word: str) -> float:
    """Seconds of `90`, `90s`, `4m` or `1h30m`."""
    found = _TIME.fullmatch(word.strip())
    parts = [float(part or 0) for part in found.groups()] if found else [0.0]
    seconds = sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=False))
    if not seconds:
        raise BadValue(f"{printable(word)!r} is not a time; write it like 90s, 4m or 1h30m.")
    return seconds


def one_of(*words: str) -> Callable[[str], str]:
    """Give the parser of an option that takes one of these words; typer 0.15 knows no Literal."""

    def word(text: str) -> str:
        if text not in words:
            known = ", ".join(f"'{one}'" for one in words)
            raise typer.BadParameter(f"'{text}' is not one of {known}.")
        return text

    return word


def print_json(value: object) -> None:
    """What `--json` prints, indented."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value)).decode())


Label = Annotated[
    str,
    typer.Option(
        "--label", metavar="NAME", help="A label to find the run by.", callback=refuse_unfit
    ),
]
RunName = Annotated[
    str,
    typer.Argument(
        metavar="[RUN]",
        help="A stored run (its id or the first digits of it, its label, last, last~1), a "
        "run file, or published:NAME (`stend published` lists those).",
    ),
]


def size_of(path: Path) -> str:
    """`4.6 MB`, or `870 kB` of a small file; empty where a pipe or a device was written to."""
    if not path.is_file():
        return ""
    size = path.stat().st_size
    return f" ({size / 1e6:.1f} MB)" if size >= 1e6 else f" ({size / 1e3:.0f} kB)"


HTML = (".html", ".htm")
"""How names of pages end."""


def refuse_ending(output: Path | None, known: Sequence[str], written: str) -> None:
    """Refuse a file's name that promises another kind of file than what is `written`.

    Raises:
        UsageError: it ends in none of the known ways; the sentence names them.
    """
    ending = output.suffix.lower() if output else ""
    if output and ending and ending not in known:
        raise UsageError(
            f"{printable(str(output))} ends in {printable(ending)}, but {written}; give a name "
            f"that ends in {known[0]}."
        )


def find_run(name: str, store: str | None) -> "Run":
    """The run that `name` means: `published:NAME`, a run file if there is one, else a stored run.

    Raises:
        UnknownName: there is none.
        RunFileError: the file is not a run file.
    """
    from stend import laboratory

    try:
        return laboratory.load(name, store)
    except UnknownName as error:
        from stend.comparing.selection import LABEL

        if not name.startswith(LABEL):
            raise
        raise UnknownName(
            f"No stored run is called '{printable(name)}'. Only `stend compare` takes all runs "
            "of a label, and its `-o` writes a page; the label by itself names its newest run."
        ) from error


def refuse_published(names: Sequence[str], what: str) -> None:
    """Refuse names of published runs where only what was measured can be meant.

    Raises:
        UsageError: a name is that of a published run.
    """
    from stend.laboratory import PUBLISHED

    for name in names:
        if name.startswith(PUBLISHED):
            raise UsageError(
                f"{printable(name)!r} can't be {what}: published runs are part of stend and "
                "read-only; use them with `show`, `compare`, `report` and `export`."
            )


INTERRUPTED = 130
"""As a shell says of a program that Ctrl-C ended: 128 and the signal's number."""


def show(run: Run, json: bool) -> None:
    """Print its figures; of interleaved pairs also the verdicts."""
    from stend.comparing import compare_sides, has_sides
    from stend.report import figures, terminal

    if json:
        print(figures.to_json(run))
    else:
        terminal.print_run(run)
        if has_sides(run):
            terminal.print_comparison(compare_sides(run))
    if exit_code(run) == INTERRUPTED:
        print(
            f"\nStopped. What was measured is stored: `stend show {run.id[:8]}`.", file=sys.stderr
        )


def exit_code(run: Run) -> int:
    """130 after Ctrl-C, 5 when something could not be measured or was wrong, else 0."""
    ended = {case.status for case in run.cases}
    if Status.INTERRUPTED in ended:
        return INTERRUPTED
    return 5 if ended & {Status.FAILED, Status.WRONG, Status.CRASHED, Status.TIMED_OUT} else 0


class StoredHistory:
    """What runs of these machines differ by when nothing was changed, for `compare`.

    It can be read through several times. A store that can't be read tells nothing: run files can
    be compared without any.
    """

    def __init__(self, store: str | None, of: "Sequence[Run]") -> None:
        self._store = store
        self._of = of

    def __iter__(self) -> "Iterator[Medians]":
        """Those that were made as the compared ones were, then others."""
        from stend.comparing import stored_history
        from stend.store import Store as Runs

        try:
            with Runs.open(self._store, create=False) as runs:
                past = stored_history(runs, self._of)
        except StoreError:
            return
        yield from past


def whoever() -> str:
    """`maria@bench`; a user whom the machine has no name for is called by number."""
    number = os.getuid()
    try:
        user = pwd.getpwuid(number).pw_name
    except KeyError:
        user = str(number)
    return printable(f"{user}@{os.uname().nodename}")
