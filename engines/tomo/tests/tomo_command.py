"""`stend-tomo` in this process, in an empty folder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stend_tomo.cli import run


def command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Give what calls a verb there and gives what it printed."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words: str) -> str:
        try:
            run(words)
        except SystemExit as ended:
            if ended.code:
                raise
        return capsys.readouterr().out

    return call
