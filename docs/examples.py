"""A document whose examples show what they print → the same with what they print today.

A `text` block right behind a `sh` block of one command of stend is that command's output, on the
runs of example_runs.py, 96 columns wide.
"""

import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path

import example_runs
from stend.cli import app

WIDTH = "96"
SHOWN = re.compile(r"^```sh\nstend ([^\n]*)\n```\n\n```text\n(.*?)^```", re.M | re.S)
FIRST, LAST = 27, 11
"""Lines that are shown of an output; of what is much longer, `…` stands for those between."""


def renewed(text: str) -> str:
    """The document with every output as it is today."""
    with _beside_the_runs():
        return SHOWN.sub(
            lambda found: f"```sh\nstend {found[1]}\n```\n\n```text\n{printed(found[1])}```", text
        )


def printed(command: str) -> str:
    """What the command prints, without what fills its lines up."""
    said = StringIO()
    with redirect_stdout(said):
        app(shlex.split(command, comments=True), standalone_mode=False)
    lines = [line.rstrip() for line in said.getvalue().strip("\n").splitlines()]
    if len(lines) > FIRST + 2 * LAST:
        lines = [*lines[:FIRST], "…", *lines[-LAST:]]
    return "".join(f"{line}\n" for line in lines)


@contextmanager
def _beside_the_runs() -> Iterator[None]:
    """In an empty folder, with the example's runs in the store."""
    before, here = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "runs.db")
        example_runs.fill(store)
        os.environ |= {"STEND_STORE": str(store), "COLUMNS": WIDTH, "NO_COLOR": "1"}
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(before)
