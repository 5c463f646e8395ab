"""`stend published`: every figure of the literature, with its source."""

import json

import pytest

from stend import published
from stend.cli.published import verb
from stend.errors import UsageError
from stend.report import literature


@pytest.mark.parametrize("family", literature.FAMILIES)
def test_every_figure_is_a_row_below_its_source(family):
    figures, shown = literature.FAMILIES[family](), literature.listing(family)
    assert len(shown.rows) == len(figures) > 0
    assert {len(row) for row in shown.rows} == {len(shown.columns)}
    assert all(f.cited in shown.caption for f in figures)


def test_a_family_is_shown_alone_and_in_full(capsys):
    verb(["unet"])
    said = capsys.readouterr().out
    for f in published.inference():
        assert f.processor in said
        assert f"{f.seconds:g} s" in said
    assert "cycles" not in said


def test_all_families_are_told_as_json(capsys):
    verb(json=True)
    told = json.loads(capsys.readouterr().out)
    assert {family: len(rows) for family, rows in told.items()} == {
        family: len(figures()) for family, figures in literature.FAMILIES.items()
    }


def test_another_name_is_one_sentence_with_those_there_are():
    with pytest.raises(UsageError, match="known of 'nix'; there are gost, tomo, unet, storage"):
        verb(["nix"])
