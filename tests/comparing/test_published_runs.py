"""The literature's figures as runs: every one once, in the units and words of the benchmarks."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from stend.benchmarks.pages import EXAMPLE
from stend.benchmarks.registry import find, load
from stend.comparing import publications
from stend.comparing.publications.runs import SLICES
from stend.errors import UnknownName
from stend.record import Status
from stend.record.invariants import validate
from stend.record.run_file import from_run_file, to_run_file
from stend.running.plan import Choice, plan

FILES = Path(publications.__file__).parent
CASES = [case for run in publications.runs() for case in run.cases]


def rows(name):
    lines = (FILES / name).read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def case(run, benchmark, **parameters):
    (found,) = [
        c
        for c in publications.run(run).cases
        if c.benchmark == benchmark and all(c.parameters.get(k) == v for k, v in parameters.items())
    ]
    return found


def numbers(name, *columns):
    return [float(row[c]) for row in rows(name) for c in columns if row[c]]


FIGURES = {
    "gost": (numbers("ciphers.csv", "unaligned_mb_s", "aligned_mb_s"), lambda c, v: v / 2**20),
    "tomo": (
        numbers("tomography.csv", "seconds"),
        lambda c, v: v * SLICES[c.parameters["problem"]],
    ),
    "unet": (numbers("unet.csv", "seconds"), lambda c, v: v),
    "threads": (
        numbers("threads.csv", "opteron-6164he", "opteron-6174", "xeon-l5609"),
        lambda c, v: v,
    ),
    "fft": (numbers("fft.csv", "milliseconds"), lambda c, v: 1e3 * 5 * 512 * 512 * 18 / v),
    "storage": (
        numbers("storage.csv", "iops", "bandwidth_gb_s", "latency_ms", "cpu_percent"),
        lambda c, v: v * {"IOPS": 1, "B/s": 1e-9, "s": 1e3, "share": 100}[c.metric.unit],
    ),
}
"""What the files print of each family, and how a case's value is turned back into it."""


@pytest.mark.parametrize("family", FIGURES)
def test_every_figure_of_a_file_is_in_exactly_one_case(family):
    printed, turned_back = FIGURES[family]
    own = [c for c in CASES if c.benchmark.partition(".")[0] == family]
    found = [float(f"{turned_back(c, c.published.value):.10g}") for c in own]
    assert Counter(found) == Counter(printed)


def test_a_spread_is_its_middle_and_both_ends():
    own = [c.published for c in CASES if c.benchmark.startswith("linpack.")]
    ends = [
        (float(r["mflops_low"]) * 1e6, float(r["mflops_high"]) * 1e6) for r in rows("linpack.csv")
    ]
    assert sorted((f.low, f.high) for f in own) == sorted(ends)
    assert all(f.value == pytest.approx((f.low + f.high) / 2) for f in own)
    others = [c.published for c in CASES if not c.benchmark.startswith("linpack.")]
    assert all(f.low is f.high is None for f in others)


def test_cycles_a_byte_are_told_beside_each_aligned_figure():
    aligned = [c for c in CASES if c.benchmark.startswith("gost.") and c.parameters["offset"] == 0]
    told = [float(re.search(r"([\d.]+) cycles a byte", c.published.note)[1]) for c in aligned]
    assert Counter(told) == Counter(numbers("ciphers.csv", "cycles_per_byte"))


@pytest.mark.parametrize(
    "figure", publications.ciphers(), ids=lambda f: f"{f.processor}-{f.cipher}"
)
def test_rates_agree_with_cycles_at_the_clock_when_their_mb_are_of_2_to_the_20_bytes(figure):
    rounding = 0.5 if figure.cycles_per_byte == 11 else 0.05
    least = figure.ghz * 1e9 / (figure.cycles_per_byte + rounding)
    most = figure.ghz * 1e9 / (figure.cycles_per_byte - rounding)
    half = 0.5 * 2**20  # the printed rate is rounded, too
    assert least - half <= figure.aligned <= most + half
    assert figure.aligned / 2**20 * 1e6 < least - 0.5e6  # and not of 10⁶


def test_known_figures_are_those_of_their_sources():
    kuznyechik = case("elbrus-16c", "gost.kuznyechik", mode="ecb", offset=0)
    assert kuznyechik.published.value == 455 * 2**20
    assert kuznyechik.published.value == pytest.approx(2.0e9 / 4.2, rel=0.012)
    assert kuznyechik.published.note.startswith("4.2 cycles a byte at 2 GHz")
    assert case("i7-6700", "gost.kuznyechik", mode="ecb").published.value == 360 * 2**20
    apart = case("i7-9700k", "gost.kuznyechik", mode="ecb-out-of-place")  # "through memory"
    assert apart.published.value == 411 * 2**20
    chain = case("opteron-6174", "threads.chain", length=15000)
    assert chain.published.value == 0.000167
    volume = case("threadripper-3970x", "tomo.hfbp", problem="may-beetle", threads=64)
    assert volume.published.value * 1261 == pytest.approx(41)
    assert case("elbrus-8cb", "unet.float32").published.value == 0.81
    load = case("vostok-elbrus-8c-5.4", "storage.read", block=4096, figure="cpu")
    assert (load.published.value, load.metric.unit) == (0.69, "share")


@pytest.mark.parametrize("run", publications.runs(), ids=lambda run: run.label)
def test_a_published_run_is_sound_and_survives_a_file(run):
    validate(run)
    assert from_run_file(to_run_file(run)) == run
    assert {c.status for c in run.cases} == {Status.PUBLISHED}
    assert len({c.key for c in run.cases}) == len(run.cases)


def test_cases_are_those_of_the_benchmarks_in_their_own_words():
    known = load()[0]
    for c in CASES:
        definition = known[c.benchmark]
        metrics = [definition.metric, *definition.further.values()]
        assert c.metric in metrics
        assert c.question == definition.question
        assert set(c.parameters) - {"figure"} <= set(definition.parameters)
        assert (c.metric != definition.metric) == ("figure" in c.parameters)


def test_sources_have_titles_and_dates_and_all_are_used():
    assert {f.source for f in (c.published for c in CASES)} == {
        s.cited for s in publications.SOURCES.values()
    }
    assert all(re.fullmatch(r"\d{4}(-\d\d-\d\d)?", s.date) for s in publications.SOURCES.values())
    assert publications.run("elbrus-8cb").started == "2021-06-17T00:00:00Z"  # the newest of two
    assert publications.run("athlon-700").started == "2002-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("name", "level", "bytes_", "count"),
    [
        ("opteron-6164he", 3, 6 << 20, 2 * 4),  # two of 6 MB a processor, four processors
        ("opteron-6174", 3, 6 << 20, 2 * 4),
        ("elbrus-16c", 2, 1 << 20, 8),
        ("ryzen-2700", 3, 16 << 20, None),  # in how many parts is not told
    ],
)
def test_caches_are_as_printed(name, level, bytes_, count):
    caches = publications.run(name).machine.caches
    (found,) = [cache for cache in caches if (cache.level, cache.kind) == (level, "unified")]
    assert (found.bytes, found.count) == (bytes_, count)


def test_engine_n2_has_two_processors_of_six_cores():
    machine = publications.run("engine-n2-xeon-e5-2603v4").machine
    assert (machine.packages, machine.cores) == (2, 12)


def test_a_machine_is_what_its_sources_tell_and_nothing_else():
    machine = publications.run("elbrus-8cb").machine
    assert (machine.cpu_model, machine.architecture, machine.cores) == (
        "Elbrus-8CB (8SV)", "E2Kv5", 8,
    )  # fmt: skip
    assert [c.bytes for c in machine.caches] == [64 << 10, 128 << 10, 512 << 10, 16 << 20]
    assert (machine.host, machine.kernel, machine.memory_bytes) == (None, None, None)
    node = publications.run("opteron-6174").machine
    assert (node.packages, node.cores) == (4, 48)
    assert publications.run("vostok-elbrus-8c-5.4").machine.kernel == "5.4"


def test_each_source_keeps_its_clock():
    notes = " ".join(c.published.note for c in publications.run("elbrus-8cb").cases)
    assert "at 1.55 GHz" in notes
    assert "1.5 GHz)" in notes


def test_ids_and_labels_are_of_the_name_and_stay():
    run = publications.run("elbrus-16c")
    assert run.id == "8fc4862babfa731c3475324aa6b2734d"
    assert publications.run("published:Elbrus-16C") == run
    assert len({run.id for run in publications.runs()}) == len(publications.names())


def test_a_wrong_name_tells_near_ones():
    with pytest.raises(UnknownName, match=r"'elbrs-16c'; there are elbrus-16c, .* lists them"):
        publications.run("elbrs-16c")
    with pytest.raises(UnknownName, match=r"\\x1b"):
        publications.run("\x1b[31m")


def test_each_figure_of_storage_says_under_which_load_it_was_measured():
    def notes(name):
        return {c.published.note.rpartition("settings of")[2] for c in publications.run(name).cases}

    assert notes("vostok-elbrus-8c-4.19") == {
        " the profile aerodisk-2020: 8 jobs of depth 32 on each of 8 LUNs, 2,048 requests "
        "outstanding, 60 min after 7 min of warm-up"
    }
    assert (
        " the profile aerodisk-2021: 2 jobs of depth 64 on each of 8 LUNs, 1,024 requests "
        "outstanding, 40 min"
    ) in notes("vostok-elbrus-8c-5.4")
    assert notes("engine-n2-xeon-e5-2603v4") == {
        " the profile aerodisk-2020: 8 jobs of depth 32 on each LUN, 60 min after 7 min of warm-up"
    }


def test_a_published_latency_is_of_so_many_requests_outstanding():
    told = case("vostok-elbrus-8c-5.4", "storage.randread", figure="latency").parameters
    assert (told["depth"], told["jobs"]) == (64, 16)
    rates = [c for c in CASES if c.metric.unit == "IOPS" and c.benchmark.startswith("storage.")]
    assert not any("depth" in c.parameters for c in rates)


def test_a_quick_run_meets_every_published_machine_but_the_storage_systems():
    quick = [
        (planned.benchmark.name, planned.case.parameters)
        for planned in plan(find([], quick=True), EXAMPLE, Choice(size="quick"))
    ]

    def is_met(case):
        return any(
            name == case.benchmark and case.parameters.items() <= parameters.items()
            for name, parameters in quick
        )

    without = {run.label for run in publications.runs() if not any(map(is_met, run.cases))}
    assert without == {
        # whose sequential loads are of `stend storage run`
        "published:vostok-elbrus-8c-4.19", "published:engine-n2-xeon-e5-2603v4",
    }  # fmt: skip
