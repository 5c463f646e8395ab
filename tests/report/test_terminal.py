"""What the terminal shows: words and signs with or without colour, safe text, 80 columns."""

import io

import pytest
from rich.console import Console

import made
from report.example import example
from report.processor import processor
from stend.comparing import compare
from stend.record import Disturbance, Status
from stend.report import figures, terminal


def shown(print_it, *what, **console):
    out = io.StringIO()
    options = {"file": out, "width": 80, "highlight": False} | console
    print_it(*what, Console(**options))
    return out.getvalue()


def test_a_run_shows_every_figure_and_every_reason():
    text = shown(terminal.print_run, example())
    assert "30.40 ± 0.21 GB/s" in text
    assert "crashed" in text
    assert "segmentation" in text
    assert "two modes: 100.0 µs (70%), 130 µs (30%)" in text


def test_verdicts_are_words_and_signs_without_colour():
    comparison = compare(example(1), example(2, 1.1))
    text = shown(terminal.print_comparison, comparison, no_color=True)
    assert "▲ faster" in text
    assert "\x1b" not in text
    text = shown(terminal.print_comparison, compare(example(1), example(2, 0.9)))
    assert "▼ slower" in text


def test_colour_stands_beside_the_words_on_a_terminal():
    comparison = compare(example(1), example(2, 1.1))
    text = shown(terminal.print_comparison, comparison, force_terminal=True)
    assert "\x1b[32m" in text


def test_the_reason_stands_once_for_all_cases_that_share_it():
    text = shown(terminal.print_comparison, compare(example(1), example(2)))
    assert text.count("A ratio takes positive values only.") == 1


@pytest.mark.parametrize("width", [80, 60])
def test_no_line_is_wider_than_the_terminal(width):
    texts = [
        shown(terminal.print_run, example(), width=width),
        shown(terminal.print_run, processor(), width=width),
        shown(terminal.print_comparison, compare(example(1), example(2, 1.1)), width=width),
    ]
    assert max(len(line) for text in texts for line in text.splitlines()) <= width


def test_a_processor_shows_shares_of_its_peak_and_its_card():
    text = " ".join(shown(terminal.print_run, processor(), width=120).split())
    assert "of its limit" in text
    assert "62.6% of peak" in text
    assert "31.7 FLOP/cycle at 2.40 GHz" in text
    assert "Peak by instruction set" in text
    assert "The OS reports an L3 of 480 MiB, the curve leaves it between 32 MiB and 64 MiB" in text
    assert "The speed-ups of" in text
    assert "Peak by instruction set" not in shown(terminal.print_run, example())


def test_control_sequences_and_markup_of_a_record_are_shown_as_text():
    machine = made.machine(host="\x1b[31mred", cpu_model="[bold]x[/bold]")
    text = shown(terminal.print_machine, machine, ())
    assert "\x1b" not in text
    assert r"\x1b[31mred" in text
    assert "[bold]x[/bold]" in text


def test_a_machine_shows_what_disturbs_it_with_advice():
    load = Disturbance(kind="load", said="The load is 3.2.", advice="Stop other work.")
    text = shown(terminal.print_machine, made.machine(), (load,))
    assert "The load is 3.2." in text
    assert "→ Stop other work." in text
    assert "governor" in text


def test_runs_are_listed_with_what_went_wrong():
    from stend.store import Summary

    run = Summary(
        id="0123456789abcdef" * 2,
        label="mine",
        host=None,
        started="2026-11-21T10:00:00Z",
        finished=None,
        stend="0.1.0",
        size="quick",
        command=("stend", "run", "stream"),
        cases=3,
        statuses={"measured": 2, "crashed": 1},
    )
    text = shown(terminal.print_runs, [run])
    assert "not finished, 1 crashed" in " ".join(text.split())
    assert "stend run" in shown(terminal.print_runs, [])


def test_a_case_in_one_line():
    assert terminal.case_line(made.case()).startswith("stream.triad threads=2")
    skipped = made.case((), status=Status.SKIPPED, reason="No AVX.")
    assert terminal.case_line(skipped).endswith("skipped: No AVX.")


def test_figures_as_json_hold_no_raw_samples_but_every_case():
    import json

    found = json.loads(figures.to_json(example()))
    assert len(found["cases"]) == len(example().cases)
    assert found["cases"][0]["estimate"]["processes"] == 5
    assert "ticks" not in found["cases"][0]
    verdicts = json.loads(figures.comparison_to_json(compare(example(1), example(2, 1.1))))
    assert verdicts["rows"][0]["verdict"] == "faster"
