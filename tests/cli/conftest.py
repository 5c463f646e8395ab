"""`stend tomo` called in this process, in a folder of its own."""

import pytest

from stend.cli import app


@pytest.fixture
def stend(tmp_path, monkeypatch, capsys):
    """Call a verb in this process; gives what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words):
        app(["tomo", *words], standalone_mode=False)
        return capsys.readouterr().out

    return call
