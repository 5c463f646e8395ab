"""`stend published`: every figure of the literature, with its source."""

import json
from pathlib import Path

import pytest

from stend.cli import outliers, runs
from stend.cli.catalogue import published_verb
from stend.cli.options import find_run
from stend.comparing import publications
from stend.errors import UnknownName, UsageError
from stend.report import literature


@pytest.mark.parametrize("family", literature.SUBJECTS)
def test_every_figure_is_a_row_below_its_source(family):
    figures, shown = (
        literature.SUBJECTS[family].figures(),
        literature.listing(literature.SUBJECTS[family]),
    )
    assert len(shown.rows) == len(figures) > 0
    assert {len(row) for row in shown.rows} == {len(shown.columns)}
    assert all(f.cited in shown.caption for f in figures)


def test_a_family_is_shown_alone_and_in_full(capsys):
    published_verb(["unet"])
    said = capsys.readouterr().out
    for f in publications.inference():
        assert publications.in_full(f.processor) in said
        assert f"{f.seconds:g} s" in said
    assert "cycles" not in said


def test_notes_that_have_no_room_stand_below_their_lines(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    published_verb(["gost"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert sum("Elbrus-16C" in line for line in lines) == 3
    below = lines[lines.index("ECB through memory; AVX tables") - 1]
    assert "i7-9700K" in below
    assert "note" not in " ".join(lines).split()


def test_families_and_runs_are_told_as_json(capsys):
    published_verb(["gost", "elbrus-16c"], json=True)
    told = json.loads(capsys.readouterr().out)
    assert len(told["gost"]) == len(publications.ciphers())
    assert [case["published"]["value"] for case in told["elbrus-16c"]] == [
        case.published.value for case in publications.run("elbrus-16c").cases
    ]


def test_without_a_name_every_run_is_listed_with_its_sources(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    published_verb()
    said = " ".join(capsys.readouterr().out.split())
    for run in publications.runs():
        assert run.label.removeprefix("published:") in said
        assert run.machine.cpu_model in said
    for source in publications.SOURCES.values():
        assert source.cited in said
    published_verb(json=True)
    told = json.loads(capsys.readouterr().out)
    assert sum(sum(one["figures"].values()) for one in told) == sum(
        len(run.cases) for run in publications.runs()
    )


def test_names_to_type_are_whole_on_a_narrow_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    published_verb()
    begun = {line.split(" ")[0] for line in capsys.readouterr().out.splitlines()}
    assert {run.label.removeprefix("published:") for run in publications.runs()} <= begun


def test_a_run_is_shown_with_its_notes_and_sources(capsys):
    published_verb(["elbrus-8cb"])
    said = " ".join(capsys.readouterr().out.split())
    for case in publications.run("elbrus-8cb").cases:
        assert case.published.note in said
        assert case.published.source in said


def test_aligned_data_stands_before_unaligned():
    offsets = [c.parameters["offset"] for c in publications.run("elbrus-16c").cases]
    assert offsets == [0, 1] * 3


def test_short_names_become_those_that_people_know():
    assert publications.in_full("elbrus-2c3") == "Elbrus-2C3"
    computer = "elbrus-804 (4 x elbrus-8c, 1.2 GHz)"
    assert publications.in_full(computer) == "Elbrus-804 (4 × Elbrus-8C, 1.2 GHz)"
    assert publications.in_full("athlon-xp-1800+") == "AMD Athlon XP 1800+"


def test_another_name_is_one_sentence_with_those_there_are():
    with pytest.raises(UsageError, match=r"called 'nix'.* families are gost, tomo, unet, threads"):
        published_verb(["nix"])


def test_a_published_run_is_found_by_its_name_without_a_store(tmp_path):
    missing = str(tmp_path / "none.db")
    assert find_run("published:elbrus-16c", missing) == publications.run("elbrus-16c")
    with pytest.raises(UnknownName, match="No published run is called 'elbrus'; there are elbrus"):
        find_run("published:elbrus", missing)


def test_a_published_run_is_neither_removed_nor_imported(tmp_path):
    store = str(tmp_path / "runs.db")
    with pytest.raises(UsageError, match="can't be removed: published runs are part of stend"):
        runs.remove_verb(["published:elbrus-16c"], store)
    with pytest.raises(UsageError, match="can't be imported: published runs are part of stend"):
        runs.import_verb([Path("published:elbrus-16c")], store)
    with pytest.raises(UsageError, match="can't be nodes of a fleet"):
        outliers.outliers_verb(["published:elbrus-16c", "published:elbrus-8c"], store=store)
    assert not list(tmp_path.iterdir())


def test_an_exported_one_is_read_again_and_stored_as_any_other(tmp_path, capsys):
    file, store = tmp_path / "elbrus.json", str(tmp_path / "runs.db")
    runs.export_verb("published:elbrus-16c", file, store)
    assert find_run(str(file), store) == publications.run("elbrus-16c")
    runs.import_verb([file], store)
    runs.show_verb("8fc4862b", store)
    assert "455 MB/s" in capsys.readouterr().out


def test_show_tells_figures_and_sources_of_a_published_run(capsys):
    runs.show_verb("published:i7-6700")
    said = capsys.readouterr().out
    assert "22.4 cycles a byte" in said
    assert "Magma and Kuznyechik on Elbrus" in said
    runs.show_verb("published:i7-6700", json=True)
    told = json.loads(capsys.readouterr().out)
    assert [case["estimate"]["value"] for case in told["cases"]] == [170 * 2**20, 360 * 2**20]


@pytest.mark.parametrize("columns", ["60", "0"])
def test_a_family_is_told_whole_on_any_terminal(columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    published_verb(["gost"])
    said = " ".join(capsys.readouterr().out.split())
    for cipher in publications.ciphers():
        assert f"{cipher.cycles_per_byte:g}" in said
    if columns == "60":
        assert "processor Elbrus-16C · GHz 2 · unaligned MiB/s 671" in said
