"""`stend gost speed`: each variant and mode, and each table as soon as it is measured."""

import json
from itertools import islice

import pytest

from stend.cli import gost, gost_rates
from stend.cli.gost import CipherName
from stend_gost import Magma


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(gost_rates, "SIZES", (64, 4096))
    monkeypatch.setattr(gost_rates, "FIGURE_SECONDS", 0)


def test_speed_has_each_variant_and_mode(quick, capsys):
    gost.verb(CipherName.MAGMA, json=True)
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["mode"] for row in rows} >= {"ECB", "CTR", "MGM", "OMAC"}
    assert {row["cipher"] for row in rows} == {"magma"}
    assert all(rate > 0 for row in rows for rate in row["rates"].values())
    assert {row["variant"] for row in rows} == {v.name for v in Magma.variants() if v.available}


def test_speed_prints_each_table_when_it_is_measured(quick, monkeypatch, capsys):
    seen = []

    def measured(cipher):
        for row in islice(rows(cipher), 15):
            seen.append(capsys.readouterr().out)
            yield row

    rows = gost_rates.rows
    monkeypatch.setattr(gost_rates, "rows", measured)
    gost.verb(CipherName.MAGMA)
    assert "magma reference" in "".join(seen)
    assert "magma reference" not in "".join(seen[:7])
    assert "4 KiB" in "".join(seen)
