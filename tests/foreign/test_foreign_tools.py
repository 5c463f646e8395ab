"""Real files of each tool become runs that say what the tool measured, and what it doesn't tell."""

from pathlib import Path

import numpy as np
import pytest

from stend.foreign import read_results
from stend.record import Status

RESULTS = Path(__file__).parent / "results"


def cases(name):
    """The cases of a file, by their names."""
    run = read_results(RESULTS / name)
    found = {case.name: case for case in run.cases}
    assert len(found) == len(run.cases)
    return found


def values(case, process=0):
    return np.array(case.samples[process].values)


@pytest.mark.parametrize("name", ["google-1.7.json", "google-1.9.json"])
def test_google_benchmarks_repetitions_are_seconds(name):
    for case in cases(name).values():
        if case.status is Status.MEASURED:
            (sample,) = case.samples
            assert case.metric.unit == "s"
            assert 1e-9 < np.median(sample.values) < 0.1
            assert len(sample.values) in (3, 6)


def test_google_benchmarks_counters_and_cpu_time_stand_beside_the_time():
    case = cases("google-1.7.json")["googlebenchmark.BM_Sort arg1=1000"]
    (sample,) = case.samples
    rate = np.array(sample.also["items_per_second"])
    np.testing.assert_allclose(rate * np.array(sample.also["CPU s"]), 1000, rtol=1e-6)
    assert list(sample.also["swaps"]) == [3, 3, 3]
    assert case.further["bytes_per_second"].unit == "B/s"
    assert "swaps" not in case.further  # nothing says which direction is better
    ticks = np.array(sample.ticks) / sample.batch
    np.testing.assert_allclose(ticks * 1e-9, sample.values, rtol=1e-3)


def test_google_benchmarks_names_are_taken_apart():
    assert {
        "googlebenchmark.BM_Sort n=512 timer=real_time threads=2",
        "googlebenchmark.BM_Manual iterations=3 timer=manual_time",
        "googlebenchmark.BM_Order arg1=64",
    } <= cases("google-1.7.json").keys()


def test_google_benchmarks_errors_are_failures_with_their_reason():
    broken = cases("google-1.7.json")["googlebenchmark.BM_Broken"]
    assert broken.status is Status.FAILED
    assert broken.reason == "The benchmark skipped itself: no data to sort."


def test_google_benchmarks_aggregates_alone_are_one_value_that_says_so():
    (case,) = cases("google-aggregates.json").values()
    assert len(case.samples[0].values) == 1
    assert case.detail["instead of samples"] == "The median of 5 repetitions."


def test_google_benchmarks_machine_and_time_are_kept():
    run = read_results(RESULTS / "google-1.7.json")
    assert run.machine.host == "bench1"
    assert run.machine.threads == 2
    assert [cache.bytes for cache in run.machine.caches] == [32768, 32768, 524288, 33554432]
    assert run.started.startswith("2026-11-29T10:")
    newer = read_results(RESULTS / "google-1.9.json").machine
    assert newer.versions == {"Google Benchmark": "1.9.5"}


def test_hyperfines_commands_are_what_stend_time_makes():
    found = cases("hyperfine-1.15.json")
    case = found["time command=sleep 0.002"]
    assert case.is_program
    assert case.samples[0].proof.said == "Every execution exited with code 0."
    assert len(values(case)) == 10
    assert values(case).min() > 0.002


def test_hyperfines_failing_commands_have_no_figure():
    case = cases("hyperfine-failing.json")['time n=1 command=sh -c "exit 1"']
    assert case.status is Status.FAILED
    assert case.reason == "5 of 5 executions failed; the first exited with code 1."


def test_pytests_rounds_are_seconds_with_their_parameters():
    run = read_results(RESULTS / "pytest.json")
    found = {case.name: case for case in run.cases}
    sort = found["pytest.test_sorting.py::test_sort n=1000"]
    assert len(values(sort)) >= 6
    assert 1e-6 < np.median(values(sort)) < 1e-2
    assert found["pytest.test_sorting.py::test_once"].samples[0].batch == 10
    assert run.machine.cpu_model == "AMD EPYC"
    assert run.machine.versions["Python"] == "3.11.7"


def test_pytests_statistics_alone_are_a_median():
    case = cases("pytest-summary.json")["pytest.test_sorting.py::test_sort n=100"]
    assert len(values(case)) == 1
    assert case.detail["instead of samples"].startswith("The median of ")


def test_jmhs_forks_are_processes():
    sort = cases("jmh.json")["jmh.org.example.Sorting.sort mode=avgt threads=1 n=100"]
    assert [len(sample.values) for sample in sort.samples] == [4, 4]
    assert 1e-6 < np.median(values(sort)) < 1e-3  # the file has µs


def test_jmhs_throughput_is_better_when_it_is_higher():
    clones = cases("jmh.json")["jmh.org.example.Sorting.clones mode=thrpt threads=1 n=1000"]
    assert (clones.metric.unit, clones.metric.better) == ("op/s", "higher")
    assert 1e4 < np.median(values(clones)) < 1e7


def test_jmhs_histograms_are_the_means_of_their_iterations():
    sampled = cases("jmh.json")["jmh.org.example.Sorting.sampled mode=sample threads=1 n=100"]
    assert [len(sample.values) for sample in sampled.samples] == [4, 4]
    assert values(sampled).min() > 1e-6


def test_criterions_samples_are_seconds_of_one_execution():
    found = cases("criterion")
    sort = found["criterion.sort/stable value=1000"]
    assert len(values(sort)) == 20
    assert 1e-6 < np.median(values(sort)) < 1e-3
    assert sort.work.operations == 1000
    assert "criterion.sum of 1000" in found


def test_one_sample_of_criterion_can_be_named():
    (case,) = cases("criterion/sort/stable/100/new/sample.json").values()
    assert case.name == "criterion.sort/stable value=100"


def test_asvs_samples_units_and_parameters_are_read():
    found = cases("asv/results/bench1/17ccba2e-py.json")
    assert len(values(found["asv.bench.Sort.time_sort n=100"])) == 8
    memory = found["asv.bench.Sort.peakmem_sort n=1000"]
    assert memory.metric.unit == "B"
    assert values(memory)[0] == 24723456
    assert found["asv.bench.track_answer"].metric.unit == "answers"
    assert found["asv.bench.time_broken"].reason == "asv kept no result of it."


def test_catch2s_means_are_seconds():
    case = cases("catch2-2.13.xml")["catch2.sorting: std::sort of 1000"]
    assert values(case) == pytest.approx([12895.8e-9])
    assert case.detail["instead of samples"] == "The mean of 20 samples."
    assert "catch2.sorting: stable: std::stable_sort of 1000" in cases("catch2-2.13.xml")


@pytest.mark.parametrize("name", sorted(p.name for p in RESULTS.glob("*.*")))
def test_every_run_says_what_its_file_lacks(name):
    run = read_results(RESULTS / name)
    (first, *_) = run.conditions.before
    assert first.kind == "imported"
    assert "nothing of what else the machine did" in first.said
    proved = name.startswith("hyperfine")
    assert ("no proof" in first.said) != proved


def test_hyperfines_memory_stands_beside_the_time():
    (sample,) = cases("hyperfine-1.20.json")["time command=true"].samples
    assert len(sample.also["peak memory B"]) == 8
    assert min(sample.also["peak memory B"]) > 1 << 19
