"""What the terminal shows: words and signs with or without colour, safe text, 80 columns."""

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console

import made
from report.example import example
from report.parallel import parallel
from report.processor import processor
from stend.comparing import compare, compare_sides, estimate
from stend.comparing.estimate import Mode
from stend.record import Disturbance, Metric, Status
from stend.record.cautions import Caution
from stend.report import figures, terminal, views
from stend.report.terminal.tables import LETTERS

TIME = Metric(name="time", unit="s", better="lower")


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
    assert "median of two modes, 100.0 (70%) and 130 (30%)" in text


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


@pytest.mark.parametrize("width", [80, 60, 40, 20])
def test_no_line_is_wider_than_the_terminal(width):
    texts = [
        shown(terminal.print_run, example(), width=width),
        shown(terminal.print_run, processor(), width=width),
        shown(terminal.print_run, parallel(), width=width),
        shown(terminal.print_comparison, compare(example(1), example(2, 1.1)), width=width),
    ]
    assert max(len(line) for text in texts for line in text.splitlines()) <= width


@pytest.mark.parametrize("width", [40, 60])
def test_no_figure_is_broken_however_narrow_the_terminal(width):
    text = shown(terminal.print_run, processor(), width=width)
    for row in (row for table in views.tables(processor(), "") for row in table.rows):
        assert row.shown in text, row.name
    text = shown(terminal.print_comparison, compare(example(1), example(2, 1.1)), width=width)
    assert re.search(r"\d GB/s → \d.* GB/s", text)
    assert "▲ faster" in text


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize(
    "run", [example(), processor(), parallel()], ids=["example", "processor", "parallel"]
)
def test_each_case_is_one_line_with_its_whole_figure(run, width):
    lines = shown(terminal.print_run, run, width=width).splitlines()
    for row in (row for table in views.tables(run, "") for row in table.rows):
        said = {words for words in row.parameters.values() if words != "none"}
        whole = [*said, row.shown, *row.limits.values()]
        assert any(all(words in line for words in whole) for line in lines), row.name


def small(name, metric="time", **parameters):
    metric = Metric(name=metric, unit="s", better="lower")
    return made.case(benchmark=name, parameters=parameters, variant=None, metric=metric)


def test_the_small_tables_of_a_family_are_one():
    cases = [
        small("threads.create", load="none", affinity="none"),
        small("threads.chain", length=15000, keep="joined", load="none", affinity="none"),
        small("threads.mutex.lock", load="none", affinity="bound"),
        small("threads.false_sharing", threads=2, apart=8, load="none", affinity="bound"),
        small("threads.wake", blocked=1, load="none", affinity="none"),
    ]
    text = shown(terminal.print_run, made.run(tuple(cases)))
    assert text.count("threads  with load none") == 1
    assert "`stend list threads` says what each of them answers." in text
    assert re.search(r"^create  +\d", text, re.M)
    assert re.search(r"^chain  +length 15\u202f000, keep joined  +\d", text, re.M)
    assert re.search(r"^mutex.lock  +bound  +\d", text, re.M)
    assert re.search(r"^false_sharing  +2 threads, apart 8 B, bound  +\d", text, re.M)
    assert re.search(r"^wake  +1 blocked  +\d", text, re.M)


def test_tables_of_another_metric_or_with_many_rows_stand_alone():
    cases = [small(f"threads.{name}", load="none") for name in ("create", "join", "switch")]
    cases += [small("threads.spinlock", threads=n, load="none") for n in (1, 2, 4, 8)]
    cases += [small("threads.delay", "latency", load="none")]
    text = shown(terminal.print_run, made.run(tuple(cases)))
    heads = [line.split()[0] for line in text.splitlines() if line.startswith("threads")]
    assert heads[:2] == ["threads", "threads.spinlock"]
    assert "threads.delay" in heads


def test_a_letter_stands_for_each_caution_and_is_told_below():
    assert len(set(LETTERS.values())) == len(Caution) == len(LETTERS)
    text = shown(terminal.print_run, cautious(Caution.NOISY, Caution.TIME_LIMIT))
    assert re.search(r"MB/s.* t n *$", text, re.M)
    assert "  n  noisy, 1 case" in text
    assert "→ Many repetitions are far above the median" in text


def cautious(*cautions):
    return made.run((made.case((made.sample(cautions=cautions),)),))


def test_two_modes_stand_beside_the_figure_or_where_there_is_no_room_below_it():
    said = "median of two modes, 100.0 (70%) and 130 (30%)"
    row = re.compile(rf"µs .*{re.escape(said)}")
    assert row.search(shown(terminal.print_run, example(), width=140))
    narrow = shown(terminal.print_run, example(), width=60)
    assert f"\n    {said}" in narrow
    (case,) = [c for c in example().cases if (e := estimate(c)) and e.modes]
    assert said in terminal.case_line(case)


def test_modes_that_three_digits_do_not_tell_apart_have_more():
    near = (Mode(value=1.0001e-3, weight=0.5), Mode(value=1.0004e-3, weight=0.5))
    found = replace(estimate(made.case(metric=TIME)), modes=near)
    assert views.modes(found) == "median of two modes, 1.0001 (50%) and 1.0004 (50%)"


def skipped(name, variant, reason, **parameters):
    return made.case((), benchmark=name, variant=variant, parameters=parameters,
                     status=Status.SKIPPED, reason=reason)  # fmt: skip


def test_libraries_that_are_not_installed_are_one_line():
    mkl = "MKL is not on this machine; install it with `pip install mkl`."
    atlas = "The library atlas is not installed; install it with `apt-get install libatlas3-base`."
    cases = [skipped("fft.complex2d", "mkl", mkl, rows=n) for n in (511, 512)]
    text = shown(terminal.print_run, made.run(tuple(cases)))
    assert "fft.complex2d [mkl], 2 cases: skipped. MKL is not on this machine" in text
    cases += [skipped("linpack.lu", "atlas", atlas, n=1000)]
    text = " ".join(shown(terminal.print_run, made.run(tuple(cases))).split())
    assert "atlas and mkl, 3 cases: skipped. Not installed." in text
    assert "MKL" not in text
    command = "sudo apt-get install libatlas3-base && pip install mkl"
    assert text.endswith(f"For 3 more cases: `{command}`")


def sided(seconds, side, variant, block):
    return made.case(
        tuple(made.sample([seconds * (1 + 0.001 * i)] * 9, i) for i in range(12)),
        benchmark="memory.write", parameters={"block": block, "threads": 1},
        side=side, variant=variant, metric=TIME,
    )  # fmt: skip


def test_sides_are_named_with_their_parameters_units_and_which_is_faster():
    cases = [
        sided(s, side, v, block)
        for block in (1 << 20, 1 << 24)
        for s, side, v in ((2e-3, "A", "plain"), (1e-3, "B", "avx512"))
    ]
    text = shown(terminal.print_comparison, compare_sides(made.run(tuple(cases))))
    assert "memory.write  with threads 1" in text
    assert "A is plain, B is avx512; time, lower is better" in text
    assert re.search(r"^ *block +A +B +change +99% interval +B is", text, re.M)
    assert re.search(r"^ *1 MiB +2\.\d+.* ms +1\.\d+.* ms +−50\.0% .*▲ faster", text, re.M)


def test_cases_of_one_side_only_are_counted_by_benchmark():
    more = example(1)
    fewer = made.run(tuple(c for c in more.cases if c.benchmark == "stream.triad"), id="b" * 32)
    text = " ".join(shown(terminal.print_comparison, compare(more, fewer)).split())
    assert "cases are only in A: 4 of stream.copy, 4 of stream.scale" in text
    assert text.count("only in A") == 1


def test_a_processor_shows_shares_of_its_peak_and_its_card():
    text = " ".join(shown(terminal.print_run, processor(), width=120).split())
    assert "of peak" in text
    assert "62.2%" in text
    assert "31.7 FLOP/cycle at 2.40 GHz" in text
    assert "Peak by instruction set" in text
    assert (
        "The OS reports an L3 of 480 MiB, but the curve leaves it between 32 MiB and 64 MiB"
    ) in text
    assert "The speed-ups of" in text
    assert "Peak by instruction set" not in shown(terminal.print_run, example())


def test_pairs_of_cores_and_of_nodes_are_small_matrices():
    text = shown(terminal.print_run, parallel(cpus=4, nodes=2), width=80)
    assert re.search(r"latency between cores, ns.*\nCPU +0 +1 +2 +3\n0 +– +4\d\.\d", text)
    assert re.search(r"copying, GB/s.*\nnode +0 +1\n0 +19\.\d +12\.\d\n1", text)
    one = shown(terminal.print_run, parallel(cpus=2, nodes=1))
    assert "bandwidth of copying" not in one


def test_a_matrix_that_is_too_large_for_a_terminal_is_in_the_report():
    text = shown(terminal.print_run, parallel(cpus=32, nodes=1))
    assert "The latency between cores of 32 is in `stend report`." in text


def test_of_many_columns_only_the_ends_are_told():
    text = shown(terminal.print_run, parallel(cpus=16, nodes=1))
    assert re.search(r"4\d\.\d ns \(to CPU \d+\) to 4\d\.\d ns \(to CPU \d+\)", text)
    assert "to CPU 3 4" not in text


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
    verdicts = json.loads(figures.comparisons_to_json([compare(example(1), example(2, 1.5))]))
    assert verdicts["rows"][0]["verdict"] == "faster"
