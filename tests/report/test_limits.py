"""Shares of limits: of the same run's peak, on as many threads, of the same precision."""

import math

import pytest
from msgspec.structs import replace

import made
from report.processor import CACHES, HZ, MIB, processor
from stend.comparing import Interval, estimate
from stend.comparing.limits import footprint
from stend.record import Metric, Numbers, Work
from stend.report import views
from stend.report.charts.peak import cycles, frequency_drops
from stend.report.charts.roofline import house, roofline
from stend.report.measured_case import Limits, Measured, _with_intervals, latency_curve, limits
from stend.report.memory_levels import Level
from stend.report.speedup import speedups

RATE = Metric(name="rate", unit="FLOP/s", better="higher")
BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher")


def measured(*cases):
    return [Measured(i, c, estimate(c)) for i, c in enumerate(cases) if estimate(c)]


def working(name, seconds=1e-3, **also):
    """Three processes whose repetitions all took `seconds`."""
    samples = tuple(made.sample([seconds] * 9, process=i) for i in range(3))
    fields = {"metric": RATE, "work": Work(flops=1e6), "variant": None, "parameters": {}}
    return made.case(samples, benchmark=name, **(fields | also))


PEAK = working("peak.float64", 1e-4, parameters={"threads": 1}, variant="avx512")
"""10 GFLOP/s."""


def share(case, *others):
    found = measured(case, *others)
    return limits(made.machine(), found).of_peak(found[0])


def test_a_case_has_its_share_of_the_best_peak_of_its_run():
    lesser = working("peak.float64", 1e-3, parameters={"threads": 1}, variant="sse2")
    assert share(working("linpack.plain"), lesser, PEAK) == pytest.approx(0.1)


def test_a_time_has_a_share_too_when_it_declares_flops_but_not_a_bandwidth():
    time = Metric(name="time", unit="s", better="lower")
    assert share(working("a.b", metric=time), PEAK) == pytest.approx(0.1)
    work = Work(bytes=3e6, flops=1e6)
    assert share(working("stream.triad", metric=BANDWIDTH, work=work), PEAK) is None


def test_a_disturbed_process_does_not_lower_the_peak():
    slow = replace(PEAK, samples=(*PEAK.samples[:1], made.sample([1e-3] * 9, process=1)))
    assert share(working("linpack.plain"), slow) == pytest.approx(0.1)


def test_without_a_peak_of_as_many_threads_or_of_the_precision_there_is_no_share():
    assert share(working("linpack.plain")) is None
    assert share(working("linpack.lu", parameters={"threads": 2}), PEAK) is None
    assert share(working("stream.copies.add", parameters={"copies": 2}), PEAK) is None
    work = Work(flops=1e6, precision="float32")
    assert share(working("unet.run", work=work), PEAK) is None


def test_without_flops_there_is_no_share():
    assert share(working("stream.copy", metric=BANDWIDTH, work=Work(bytes=1e6)), PEAK) is None


def test_a_peak_is_told_by_the_cycle_of_one_core():
    (one, two) = [
        working("peak.float64", seconds, parameters={"threads": n}, work=Work(flops=n * 1e6))
        for n, seconds in ((1, 1e-4), (2, 1e-4))
    ]
    one, two = (replace(c, samples=tuple(_at(s, 2.5e9) for s in c.samples)) for c in (one, two))
    a, b = measured(one, two)
    assert cycles(a) == "4 FLOP/cycle at 2.50 GHz"
    assert cycles(b) == "4 FLOP/cycle a core at 2.50 GHz"
    assert cycles(measured(PEAK)[0]) == ""


def _at(sample, hz):
    return replace(sample, also={"frequency Hz": Numbers([hz] * len(sample.ticks))})


@pytest.mark.parametrize("odd", ["", "x", 0, -1, True, 1e300])
def test_a_count_that_is_none_counts_as_one(odd):
    peak = working("peak.float64", 1e-4, parameters={"threads": odd}, work=Work(flops=1e6))
    (m,) = measured(replace(peak, samples=tuple(_at(s, 2e9) for s in peak.samples)))
    assert cycles(m) == "5 FLOP/cycle at 2.00 GHz"
    assert footprint(replace(peak, parameters={"elements": 10, "copies": odd})) == 240


def test_the_table_of_figures_holds_the_shares():
    run = processor()
    shown = {row.name: row for table in views.tables(run, "") for row in table.rows}
    plain = shown["linpack.plain n=100 lda=200"]
    assert plain.limits == {"peak": "4.53%"}
    assert shown["peak.float64 threads=1 [avx512]"].limits == {}
    assert shown["peak.float64 threads=1 [avx512]"].notes == ("31.7 FLOP/cycle at 2.40 GHz",)
    assert shown["stream.copy threads=1 elements=80000000 [plain]"].limits == {}


def test_without_any_limit_the_table_has_no_such_column():
    assert not any(table.limits for table in views.tables(made.run(), ""))


class Known:
    """A machine whose memory's bandwidth is known."""

    memory_bandwidth = 20e9
    last_cache = 8 * MIB
    caches = CACHES


def test_only_what_works_in_memory_has_a_share_of_its_bandwidth():
    def stream(elements):
        where = {"threads": 1, "elements": elements}
        return working("stream.add", metric=BANDWIDTH, work=Work(bytes=1e7), parameters=where)

    small, large = measured(stream(1000), stream(10_000_000))
    bounds = Limits(machine=Known())
    assert bounds.of_memory(large) == pytest.approx(0.5)
    assert bounds.of_memory(small) is None
    assert Limits(made.machine()).of_memory(large) is None


def test_a_host_s_cache_does_not_make_memory_of_this_size_a_cache():
    run = processor()
    bounds = limits(run.machine, [r.measured for t in views.tables(run, "") for r in t.rows])
    assert bounds.caches == 64 * MIB
    assert run.machine.last_cache == 480 * MIB


def test_the_latency_curve_is_of_huge_pages_where_they_were_measured_as_often():
    def latency(size, pages):
        time = Metric(name="latency", unit="s", better="lower")
        where = {"size": size, "pages": pages}
        return working("memory.latency", 1e-8, metric=time, parameters=where)

    both = measured(*[latency(s, p) for p in ("normal", "huge") for s in (1024, 2048)])
    assert {m.case.parameters["pages"] for m in latency_curve(both)} == {"huge"}
    few = measured(latency(1024, "normal"), latency(2048, "normal"), latency(1024, "huge"))
    assert {m.case.parameters["pages"] for m in latency_curve(few)} == {"normal"}


def test_a_level_of_one_size_has_the_interval_of_that_size():
    run = processor()
    sparse = [
        m
        for m in measured(*run.cases)
        if m.case.benchmark == "memory.latency"
        and m.case.parameters["pages"] == "normal"
        and m.case.parameters["size"].bit_length() % 4 == 3
    ]
    found = limits(run.machine, sparse).levels
    ends = {m.estimate.value: m.estimate.ends for m in sparse}
    assert [x.name for x in found] == ["L1d", "L2", "L3", "memory"]
    assert [x.span for x in found] == [ends[x.latency] for x in found]
    assert all(x.span[0] < x.span[1] for x in found)


def test_a_level_of_several_sizes_is_known_no_better_than_these():
    level = Level("memory", None, None, 100.5e-9, (100e-9, 101e-9))
    known = {100e-9: (90e-9, 110e-9), 101e-9: (80e-9, 105e-9)}
    curve = [
        Measured(0, PEAK, replace(estimate(PEAK), value=value, interval=Interval(
            low=low, high=high, confidence=0.95, over="processes")))
        for value, (low, high) in known.items()
    ]  # fmt: skip
    (widened,) = _with_intervals([level], curve)
    assert widened.span == (80e-9, 110e-9)


def test_frequencies_that_differ_are_one_sentence_a_thread_count():
    run = processor()
    said = list(frequency_drops(measured(*run.cases)))
    assert said[0] == (
        "On 1 thread a core runs float64 at 3.00 GHz with portable, 2.80 GHz with avx2 (−6.7%) and "
        "2.40 GHz with avx512 (−20.0%)."
    )
    assert len(said) == 2
    alike = [c for c in run.cases if c.variant == "avx2"]
    assert list(frequency_drops(measured(*alike))) == []


def test_a_frequency_under_a_disturbed_peak_is_not_compared():
    def peak(variant, hz, slow):
        case = working("peak.float64", 1e-4, parameters={"threads": 1}, variant=variant)
        samples = (*case.samples[:2], made.sample([slow] * 9, process=2))
        return replace(case, samples=tuple(_at(s, hz) for s in samples))

    calm = [peak("sse2", 3.9e9, 1e-4), peak("avx512", 3.5e9, 1e-4)]
    disturbed = [calm[0], peak("avx512", 3.5e9, 2e-4)]
    assert len(list(frequency_drops(measured(*calm)))) == 1
    assert list(frequency_drops(measured(*disturbed))) == []


def test_the_ridge_is_where_the_best_peak_meets_the_memory():
    run = processor()
    found = measured(*run.cases)
    one = house(found, limits(run.machine, found), 1)
    assert one.peaks[0].name == "avx512"
    assert one.peaks[0].value == pytest.approx(HZ["avx512"] * 32, rel=0.02)
    assert [r.name for r in one.bandwidths] == ["memory", "L3", "L2", "L1d"]
    memory = max(m.estimate.value for m in found if m.case.name == one.bandwidths[0].of)
    assert one.ridge == pytest.approx(HZ["avx512"] * 32 / memory, rel=0.02)
    triad = next(p for p in one.points if p.measured.case.benchmark == "stream.triad")
    assert triad.intensity == pytest.approx(1 / 12)
    assert one.share(triad) == pytest.approx(14e9 / memory, rel=0.02)


def test_the_memory_roof_is_the_fastest_that_any_case_got_from_memory_and_names_it():
    def reading(name, rate, **parameters):
        work = Work(bytes=1e6)
        return working(name, 1e6 / rate, metric=BANDWIDTH, work=work, parameters=parameters)

    cases = [
        PEAK,
        reading("stream.triad", 10e9, threads=1, elements=100 * MIB),
        reading("memory.bandwidth.write", 20e9, threads=1, size=1024 * MIB),
        reading("memory.bandwidth.read", 90e9, threads=1, size=MIB),
        reading("memory.bandwidth.write", 50e9, threads=1, size=16 * MIB),
        reading("stream.copy", 30e9, threads=2, elements=100 * MIB),
    ]
    found = measured(*cases)
    roof = house(found, Limits(Known()), 1).bandwidths[0]
    assert (roof.name, roof.value) == ("memory", pytest.approx(20e9))
    drawn = roofline(found, limits(replace(made.machine(), caches=CACHES), found))
    assert f"the most that any case reached: {cases[2].name}." in drawn.notes[0]


@pytest.mark.parametrize("without", ["peak.", "stream.", "memory."])
def test_a_roofline_needs_a_peak_and_a_bandwidth(without):
    run = processor()
    cases = [c for c in run.cases if not c.benchmark.startswith(without)]
    if without != "peak.":
        cases = [
            c for c in cases if not c.benchmark.startswith(("memory.bandwidth", "memory.write"))
        ]
    found = measured(*cases)
    drawn = roofline(found, limits(run.machine, found))
    assert (drawn is None) == (without in {"peak.", "stream."})


def test_a_roofline_has_a_panel_for_one_thread_and_for_all():
    run = processor()
    found = measured(*run.cases)
    drawn = roofline(found, limits(run.machine, found))
    assert [p.title for p in drawn.panels] == ["1 thread", "2 threads"]
    assert len(drawn.rows) == len([m for m in found if m.case.work.flops and m.case.work.bytes])


def test_the_axis_of_a_roofline_ends_where_its_points_do():
    run = processor()
    found = measured(*run.cases)
    panel = roofline(found, limits(run.machine, found)).panels[0]
    at = [x for t in panel.traces if t["mode"] == "markers" for x in t["x"]]
    low, high = panel.layout["xaxis"]["range"]
    assert low == pytest.approx(math.log10(min(at) / 8))
    assert high == pytest.approx(math.log10(max(at) * 4))


def test_the_names_of_peaks_stand_beside_a_roofline_and_those_of_memory_hide_what_crosses_them():
    run = processor()
    found = measured(*run.cases)
    panel = roofline(found, limits(run.machine, found)).panels[0]
    names = panel.layout["annotations"]
    outside = [a["text"] for a in names if a.get("xref") == "paper" and a["x"] == 1]
    inside = [a["text"] for a in names if a.get("bgcolor")]
    assert len(outside) + len(inside) == len(names)
    assert any("avx512" in text for text in outside)
    assert any("memory" in text for text in inside)
    assert panel.layout["margin"]["r"] > 100
    assert not any("text" in t["mode"] for t in panel.traces)


def test_a_speedup_is_the_ratio_of_the_rates_and_its_share_of_the_threads():
    cases = [
        working("linpack.lu", 1e-3 / n**0.5, parameters={"n": 8, "threads": n}) for n in (1, 4)
    ]
    table = speedups(measured(*cases))
    assert table.columns == ("case", "1 thread", "4 threads")
    assert table.rows == (("linpack.lu", "1.00 GFLOP/s", "2.00 ×, 50%"),)


def test_a_case_without_one_thread_or_without_more_has_no_speedup():
    assert speedups(measured(working("a.b", parameters={"threads": 1}))) is None
    cases = [working("a.b", parameters={"threads": n}) for n in (2, 4)]
    assert speedups(measured(*cases)) is None
    time = Metric(name="latency", unit="s", better="lower")
    cases = [working("a.b", metric=time, parameters={"threads": n}) for n in (1, 2)]
    assert speedups(measured(*cases)) is None
