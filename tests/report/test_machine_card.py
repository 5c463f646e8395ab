"""The machine card: what is known of the machine, and the figures people ask for first."""

import made
from report.figures_of import BANDWIDTH, TIME, case, summed, wide
from report.parallel import parallel
from report.processor import processor
from stend.machine import inspect
from stend.record import Machine
from stend.report import terminal
from stend.report.figures import to_json
from stend.running.plan import breadth_first
from stend.running.session import Asked


def headlines(run):
    return {line.what: line for line in summed(run).card.headlines}


def test_a_processor_run_has_its_headlines_with_interval_and_share_of_the_limit():
    told = headlines(processor())
    assert {"peak, float64", "LINPACK", "memory, STREAM triad",
            "latency of memory"} <= told.keys()  # fmt: skip
    assert all("±" in line.figure for line in told.values())
    assert "of the peak" in told["LINPACK"].note
    assert "2 threads" in told["peak, float64"].note
    assert "one thread" in told["memory, STREAM triad"].note
    assert "L1d 1.5" in told["latency of memory"].note


def test_a_run_over_threads_tells_core_to_core_and_the_mutex():
    told = headlines(parallel())
    assert {"core to core, one way", "mutex, lock and unlock"} <= told.keys()


def test_the_headlines_lead_to_their_cases():
    run = processor()
    for line in headlines(run).values():
        assert run.cases[line.case].has_figure


def test_what_was_not_measured_has_no_headline():
    assert headlines(made.run((case("a.b", 1e-3),))) == {}


def test_tomography_is_told_in_slices_a_second_too():
    metric = TIME.__class__(name="time", unit="s/slice", better="lower")
    found = headlines(made.run((case("tomo.fbp", 5e-3, metric, parameters={"threads": 1}),)))
    assert "200 slices/s" in found["tomography"].note


def test_tomography_is_told_by_the_usual_method_and_by_another_only_where_it_was_not_measured():
    metric = TIME.__class__(name="time", unit="s/slice", better="lower")

    def slices(method, seconds, threads=1):
        where = {"problem": "shepp-logan-3d", "threads": threads}
        return case(f"tomo.{method}", seconds, metric, parameters=where)

    others = slices("fbp", 5e-3), slices("dfr_half", 3e-4)
    both = slices("dfr", 1e-3), slices("dfr", 5e-4, threads=2)
    told = headlines(made.run((*others, *both)))["tomography"].note
    assert told == "2000 slices/s · dfr, the usual method · shepp-logan-3d · 2 threads"
    assert "dfr_half" in headlines(made.run(others))["tomography"].note


def test_the_frequency_is_that_which_was_measured():
    samples = tuple(made.sample(process=i, core_hz=(2.9e9, 2.9e9)) for i in range(3))
    facts = dict(summed(made.run((made.case(samples),))).card.facts)
    assert facts["frequency, measured"] == "2.90 GHz between samples"


def test_caches_are_told_as_reported_and_as_the_latency_shows_them():
    facts = dict(summed(processor()).card.facts)
    assert "L3 480 MiB" in facts["caches"]
    assert "L3 ends between" in facts["caches, as latency shows them"]


def test_the_terminal_ends_with_the_verdict_and_what_stands_out(capsys):
    fast = case("gost.kuznyechik", 2.38e9, BANDWIDTH,
                parameters={"mode": "ecb", "size": 1 << 26, "offset": 0, "threads": 1})  # fmt: skip
    terminal.print_run(made.run((fast,)))
    last = " ".join(capsys.readouterr().out.rpartition("In short")[2].split())
    assert last.startswith("Quiet enough: none of 1 figure was disturbed for 10%")
    assert "· Kuznyechik (ECB, one core, messages of 64 MiB)" in last


def test_the_json_has_the_verdict_and_what_stands_out():
    text = to_json(made.run((wide("a.b", 1e-3),)))
    assert '"verdict": "Unsteady: 1 of 1 interval is wider' in text
    assert '"stands_out": []' in text


def test_the_terminal_shows_runs_without_anything(capsys):
    for run in (made.run(()), made.run((), finished=None, machine=Machine())):
        terminal.print_run(run)
        assert "No figure: " in capsys.readouterr().out


def test_the_benchmarks_that_a_run_measures_first_fill_the_card():
    planned = [p for p in breadth_first(Asked().plan(inspect())) if not p.skip]
    early = [p for p in planned if p.benchmark.card]
    assert planned[: len(early)] == early

    def told(some):
        return set(headlines(made.run(tuple(
            made.case(benchmark=p.case.benchmark, parameters=dict(p.case.parameters),
                      variant=p.case.variant, metric=p.benchmark.metric,
                      work=p.benchmark.work(p.case))
            for p in some
        ))))  # fmt: skip

    assert told(early) == told(planned)
    assert {"peak, float64", "LINPACK", "latency of memory", "tomography"} <= told(early)
