"""Which fio there is: found in PATH, or a sentence of what to install."""

import pytest

from needed import needs
from stend.errors import SetupError
from stend.storage.fio import installation


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A PATH of one folder; gives a function that puts a program `fio` into it."""
    monkeypatch.setenv("PATH", f"{tmp_path}")

    def put(script):
        (tmp_path / "fio").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "fio").chmod(0o755)

    return put


def test_without_fio_the_install_command_is_told(path):
    assert "sudo apt-get install fio" in installation.lacking()
    with pytest.raises(SetupError, match=r"fio is not installed.*sudo apt-get install fio"):
        installation.find()
    with pytest.raises(SetupError, match="not installed"):
        installation.engines()


def test_a_program_that_is_another_fio_is_told(path):
    path("echo 2.0 of another fio")
    assert (
        "is another program: it gives its version as '2.0 of another fio'" in installation.lacking()
    )


@pytest.mark.parametrize("script", ["exit 3", "kill -9 $$"])
def test_a_fio_that_does_not_start_is_told(path, script):
    path(script)
    assert "does not start: " in installation.lacking()


def test_a_missing_engine_is_a_sentence(path):
    path(
        'case $1 in --version) echo fio-9.9;; *) printf "Available:\\n\\tpsync\\n\\tnull\\n";; esac'
    )
    assert installation.find().version == "fio-9.9"
    assert installation.engines() == {"psync", "null"}
    installation.refuse_missing_engine("psync")
    with pytest.raises(SetupError, match=r"fio-9\.9 at .* was built without the engine io_uring"):
        installation.refuse_missing_engine("io_uring")


def test_the_installed_fio_has_the_engines_of_profiles():
    needs("fio", "fio")
    assert installation.lacking() is None
    assert installation.find().version.startswith("fio-")
    assert {"libaio", "psync", "null"} <= installation.engines()
