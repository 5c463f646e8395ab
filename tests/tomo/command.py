"""`stend tomo` in this process, in an empty folder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stend.cli import app


def command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Give what calls a verb there and gives what it printed."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words: str) -> str:
        app(["tomo", *words], standalone_mode=False)
        return capsys.readouterr().out

    return call
