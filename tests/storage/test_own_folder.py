"""The folder in which fio writes while it runs: it goes with the run, or is named by the next."""

import pytest

from stend.errors import OutputError
from stend.storage.own_files import left_by_killed_runs, own_folder


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def test_it_goes_with_all_that_is_in_it_and_is_held_meanwhile():
    with own_folder() as folder:
        (folder / "status.json").write_text("{}")
        assert left_by_killed_runs() == []
    assert not folder.exists()


def failing(text):
    with own_folder() as folder:
        if text:
            (folder / "status.json").write_text(text)
        raise OutputError("No space is left.")


def test_what_an_error_kept_from_being_stored_stays_and_is_named():
    with pytest.raises(OutputError):
        failing("{}")
    (left,) = left_by_killed_runs()
    assert (left / "status.json").read_text() == "{}"


def test_an_error_leaves_no_empty_folder():
    with pytest.raises(OutputError):
        failing("")
    assert left_by_killed_runs() == []


def test_a_folder_that_can_not_be_made_is_one_sentence(data, monkeypatch):
    (data / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(data / "file"))
    with pytest.raises(OutputError, match="XDG_DATA_HOME"), own_folder():
        pass
