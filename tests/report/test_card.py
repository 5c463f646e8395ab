"""The processor card: there when it can be filled, every figure beside its limit, gaps named."""

import pytest

import made
from report.example import example
from report.processor import processor
from stend.report import views
from stend.report.card import card
from stend.report.measured_case import limits


def card_of(run):
    found = [row.measured for table in views.tables(run, "") for row in table.rows]
    return card(found, limits(run.machine, found))


def only(*prefixes):
    run = processor()
    return made.run(
        tuple(c for c in run.cases if c.benchmark.startswith(prefixes)), machine=run.machine
    )


def test_a_whole_run_has_a_card_without_a_gap():
    found = card_of(processor())
    assert found.missing == ()
    assert [t.caption.split(",")[0] for t in found.tables] == [
        "Peak by instruction set",
        "Real work compared with the peak",
        "The levels of the memory",
        "Memory bandwidth and noise; the theoretical one is unknown",
    ]
    peaks, work, levels, _ = found.tables
    assert [row[0] for row in peaks.rows] == ["portable", "avx2", "avx512"]
    assert [float(row[1]) for row in peaks.rows] == pytest.approx([4, 16, 32], rel=0.02)
    assert [row[2] for row in peaks.rows] == ["3.00 GHz", "2.80 GHz", "2.40 GHz"]
    assert ("FFT 512×512", "23.3%", "mkl") in [(r[0], *r[2:]) for r in work.rows]
    assert [row[0] for row in levels.rows] == ["L1d", "L2", "L3", "memory"]


def test_every_figure_of_the_card_has_its_interval():
    for table in card_of(processor()).tables:
        for row in table.rows:
            assert any("±" in cell for cell in row), row


def test_the_notes_are_the_frequency_that_is_lost_and_what_the_os_has_wrong():
    first, second = card_of(processor()).notes
    assert "2.40 GHz with avx512 (−20.0%)" in first
    assert "480 MiB" in second


def test_what_was_not_measured_is_named_with_its_command():
    found = card_of(only("peak.", "stream."))
    assert dict(found.missing) == {
        "LINPACK n = 100, plain": "stend run linpack.plain",
        "LINPACK n = 1000": "stend run linpack.lu",
        "FFT 512×512": "stend run fft",
        "memory latency by level": "stend run memory.latency",
        "core lost to the system": "stend run noise",
    }


def test_without_a_peak_there_are_figures_and_no_shares():
    found = card_of(only("linpack.", "fft."))
    assert found.tables[0].columns == ("", "figure", "by")
    assert ("peak", "stend run peak") in found.missing


def test_one_family_alone_or_none_has_no_card():
    assert card_of(only("stream.")) is None
    assert card_of(only("memory.")) is None
    assert card_of(example()) is None
    assert card_of(made.run(())) is None
