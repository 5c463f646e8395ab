"""The five profiles: published settings as published, readable, distinct, packaged."""

import tomllib

import pytest

from stend.comparing import publications
from stend.errors import UnknownName
from stend.storage.fio.profile import NAMES, profile_text, profiles, read_profile

PUBLISHED_2021 = {
    ("read", 4096): (128, 16),
    ("write", 4096): (128, 16),
    ("randread", 4096): (64, 2),
    ("randwrite", 4096): (16, 2),
    ("read", 131072): (128, 16),
    ("write", 131072): (16, 2),
}


def test_aerodisk_2021_has_the_published_settings():
    profile = read_profile("aerodisk-2021")
    assert {(w.rw, w.block): (w.depth, w.jobs) for w in profile.workloads} == PUBLISHED_2021
    assert {(w.engine, w.direct, w.size) for w in profile.workloads} == {("libaio", True, "80%")}
    assert {w.jobs_per for w in profile.workloads} == {"target"}
    assert (profile.seconds, profile.log_average_ms) == (2400, 30000)
    assert (profile.warm_up, profile.rounds, profile.steady) == (0, 1, None)


def test_aerodisk_2020_has_the_published_settings():
    profile = read_profile("aerodisk-2020")
    assert {(w.rw, w.block) for w in profile.workloads} == set(PUBLISHED_2021)
    assert {(w.jobs, w.depth, w.jobs_per) for w in profile.workloads} == {(8, 32, "target")}
    assert (profile.warm_up, profile.seconds) == (420, 3600)


@pytest.mark.parametrize(("rw", "requests"), [("randread", 1024), ("randwrite", 256)])
def test_aerodisk_2021_keeps_on_eight_luns_what_little_s_law_gives_of_the_published_figures(
    rw, requests
):
    """118,000 IOPS × 8 ms are 944 requests under way, 84,000 × 3 ms 252."""
    (load,) = [w for w in read_profile("aerodisk-2021").workloads if w.rw == rw]
    assert load.depth * load.processes(8) == requests
    (f,) = [f for f in publications.storage() if f.load == load]
    assert 0.9 < f.iops * f.latency / requests <= 1


def test_quick_takes_about_ten_seconds_a_workload_and_has_rounds_to_compare():
    profile = read_profile("quick")
    assert len(profile.workloads) == 6
    assert profile.least_seconds == profile.most_seconds == 63
    assert profile.rounds >= 3
    assert profile.file_bytes == 1 << 30


def test_curve_finds_the_maximum_before_each_load_and_sweeps_the_depth():
    profile = read_profile("curve")
    loads = [w for w in profile.workloads if w.load is not None]
    assert {w.rw for w in loads} == {"randread", "randwrite"}
    for rw in ("randread", "randwrite"):
        assert [w.load for w in loads if w.rw == rw] == list(range(10, 101, 10))
    order = list(profile.workloads)
    for each in loads:
        unlimited = profile.unlimited(each)
        assert unlimited.load is None
        assert unlimited.parameters("file") | {"load": each.load} == each.parameters("file")
        assert order.index(unlimited) < order.index(each)
    assert [w.depth for w in order if w.jobs == 1] == [1, 2, 4, 8, 16, 32, 64, 128, 256]


def test_steady_writes_the_target_twice_and_runs_rounds_of_a_minute():
    profile = read_profile("steady")
    assert profile.precondition == 2
    assert profile.steady is not None
    assert (profile.steady.seconds, profile.steady.most) == (60, 25)
    assert profile.least_seconds < profile.most_seconds


def test_each_says_what_it_is_for_and_has_a_file():
    assert [profile.name for profile in profiles()] == list(NAMES)
    for profile in profiles():
        assert profile.about.endswith(".")
        assert tomllib.loads(profile_text(profile.name))["about"] == profile.about


def test_a_copy_is_the_same_profile_but_for_its_name(tmp_path):
    for profile in profiles():
        copy = tmp_path / f"my {profile.name}.toml"
        copy.write_text(profile_text(profile.name))
        read = read_profile(str(copy))
        assert read.name == f"my {profile.name}"
        assert (read.workloads, read.seconds) == (profile.workloads, profile.seconds)


@pytest.mark.parametrize("name", ["quik", "aerodisk", "", "../quick"])
def test_a_text_is_given_of_no_other_name(name):
    with pytest.raises(UnknownName):
        profile_text(name)


def test_a_near_miss_of_a_name_is_told():
    with pytest.raises(UnknownName, match="'quik'; did you mean 'quick'"):
        read_profile("quik")
