"""`stend storage profiles`: a list to choose from, and files to be copied."""

import json

import pytest
from typer.testing import CliRunner

from stend.cli import app
from stend.errors import UnknownName
from stend.storage.fio.profile import NAMES, profile_text, read_profile


def said(*words):
    return (
        CliRunner(env={"COLUMNS": "100"})
        .invoke(app, ["storage", *words], catch_exceptions=False)
        .output
    )


def test_the_list_says_what_each_is_for_and_how_long_it_takes():
    lines = said("profiles").splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == list(NAMES)
    text = " ".join(" ".join(lines).split())
    assert "quick A first look: six workloads, about ten seconds each. 6 workloads, 63 s" in text
    assert "5 workloads, 50 min to 2.5 h" in text
    assert "6 workloads, 63 s, 64 requests outstanding" in text
    assert "6 workloads, 4.0 h, 32 to 2,048 requests outstanding on each target" in text


def test_a_named_one_is_printed_as_its_file_so_that_it_can_be_copied(tmp_path):
    text = said("profiles", "steady")
    assert text == profile_text("steady")
    (tmp_path / "steady.toml").write_text(text)
    assert read_profile(str(tmp_path / "steady.toml")) == read_profile("steady")


def test_programs_get_json():
    assert [each["name"] for each in json.loads(said("profiles", "--json"))] == list(NAMES)
    told = json.loads(said("profiles", "aerodisk-2021", "--json"))
    assert told["seconds"] == 2400
    assert told["workloads"][0]["size"] == "80%"
    assert told["workloads"][0]["jobs_per"] == "target"


def test_an_unknown_name_is_a_sentence():
    with pytest.raises(UnknownName, match="There is no profile 'stedy'; did you mean 'steady'"):
        said("profiles", "stedy")
