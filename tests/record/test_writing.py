"""A run file is written whole or not at all, and nothing else is ever overwritten."""

import os
from pathlib import Path

import pytest

from made import case, run, sample
from stend.errors import BadValue, OutputError, RunFileError
from stend.record.run_file import from_run_file, read_run_file, write_run_file


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_an_earlier_run_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_run_file(run(label="first"), path)
    write_run_file(run(label="second"), path)
    assert read_run_file(path).label == "second"
    assert names(tmp_path) == ["a.json"]


def test_an_empty_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.touch()
    write_run_file(run(), path)
    assert read_run_file(path) == run()


@pytest.mark.parametrize("content", ["precious", '{"stend":"plan"}', "{"])
def test_a_file_that_is_something_else_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "thesis.tex"
    path.write_text(content)
    with pytest.raises(BadValue, match="not replaced"):
        write_run_file(run(), path)
    assert path.read_text() == content


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "target.json")
    write_run_file(run(), tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert read_run_file(tmp_path / "target.json") == run()


def test_a_pipe_is_written_to() -> None:
    reader, writer = os.pipe()
    write_run_file(run(), f"/dev/fd/{writer}")
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        assert from_run_file(pipe.read()) == run()


def test_a_full_disk_leaves_the_earlier_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    write_run_file(run(label="first"), path)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"No space is left for .*a.json; make room"):
        write_run_file(run(label="second"), path)
    assert read_run_file(path).label == "first"
    assert names(tmp_path) == ["a.json"]


def test_a_full_device_is_one_sentence() -> None:
    with pytest.raises(OutputError):
        write_run_file(run(), "/dev/full")


@pytest.mark.parametrize("name", ["no/such/folder.json", ".", "a\0b", "n" * 300])
def test_what_cannot_be_written_is_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="can't be written"):
        write_run_file(run(), tmp_path / name)


def test_a_run_that_nobody_could_read_is_not_written(tmp_path: Path) -> None:
    infinite = run((case((sample(hz=float("inf")),)),))
    with pytest.raises(RunFileError, match=r"cases\[0\].samples\[0\].hz"):
        write_run_file(infinite, tmp_path / "a.json")
    assert names(tmp_path) == []
