"""Job files as text: how jobs and targets are shared out, rates, sizes, what can't be written."""

import configparser
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.errors import BadValue
from stend.storage.fio.jobfile import JobTarget, escaped, fill_job, job_file, region, share_out
from stend.storage.fio.workload import Workload

MIB = 1 << 20


def targets(*sizes):
    return [JobTarget(f"/dev/lun{n}", size) for n, size in enumerate(sizes)]


def written(workload, over, **more):
    return job_file(workload, over, **{"seconds": 2, "phase": "measure", "seed": 1} | more)


def sections(text):
    """Sections by name, the paths of each as a list; [global] apart."""
    reader = configparser.RawConfigParser(strict=False)
    reader.read_string(text.replace("filename=", "file="))
    found = {name: dict(reader[name]) for name in reader.sections()}
    for name, lines in itertools.groupby(named_lines(text), key=lambda pair: pair[0]):
        found[name]["paths"] = [line for _, line in lines]
    return found


def named_lines(text):
    name = ""
    for line in text.splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        if line.startswith("filename="):
            yield name, line.removeprefix("filename=")


@given(st.integers(1, 40), st.integers(1, 40))
def test_each_target_gets_as_many_jobs_as_any_other(count, jobs):
    over = targets(*[MIB] * count)
    groups = share_out(over, jobs)
    assert sum(group.jobs for group in groups) == jobs
    assert sorted(t.path for g in groups for t in g.targets) == sorted(t.path for t in over)
    assert len({(len(group.targets), group.jobs) for group in groups}) == 1


@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 64),
    st.sampled_from([512, 4096, 65536]),
    st.sampled_from(["100%", "80%", "33%"]),
)
def test_slices_of_sequential_jobs_lie_in_the_region_and_do_not_overlap(
    count, jobs, mib, block, size
):
    load = Workload("a", "write", block, jobs=jobs, size=size)
    over = targets(*[mib * MIB + n * 512 for n in range(count)])
    found = sections(written(load, over))
    del found["global"]
    assert sum(int(section["numjobs"]) for section in found.values()) == jobs
    for section in found.values():
        paths, here = section["paths"], int(section["numjobs"])
        each, left = divmod(int(section["size"]), len(paths))
        step = int(section.get("offset_increment", each))
        assert left == 0
        assert each > 0
        assert each % block == step % block == 0
        assert each <= step
        ends = [region(load, t) for t in over if t.path in paths]
        assert step * (here - 1) + each <= min(ends)


def test_random_jobs_go_anywhere_in_the_region():
    load = Workload("a", "randread", 4096, jobs=4, size="50%")
    found = sections(written(load, targets(8 * MIB, 8 * MIB)))
    assert {found["a.1"]["size"], found["a.2"]["size"]} == {f"{4 * MIB}"}
    assert "offset_increment" not in found["a.1"]


def test_jobs_of_each_target_are_a_section_a_target_and_go_over_one_region():
    over = targets(*[8 * MIB] * 8)
    for rw in ("read", "randread"):
        load = Workload("a", rw, 4096, depth=64, jobs=2, jobs_per="target", size="80%")
        text = written(load, over)
        found = sections(text)
        assert found.pop("global")["iodepth"] == "64"
        assert [section["paths"] for section in found.values()] == [[t.path] for t in over]
        assert {(s["numjobs"], s["size"]) for s in found.values()} == {("2", f"{1638 * 4096}")}
        assert "offset_increment" not in text
        assert "1,024 requests outstanding: depth 64, 2 jobs on each of 8 targets\n" in text


def test_shared_jobs_say_how_many_requests_are_outstanding():
    text = written(Workload("a", "randread", 4096, depth=64, jobs=2), targets(*[8 * MIB] * 8))
    assert "128 requests outstanding: depth 64, 2 jobs shared out over 8 targets\n" in text
    alone = written(Workload("a", "randread", 4096), targets(MIB))
    assert "1 request outstanding: depth 1, 1 job shared out over 1 target\n" in alone


def test_the_rate_is_parted_among_the_jobs_of_all_targets():
    load = Workload("a", "randread", 4096, jobs=2, jobs_per="target")
    found = sections(written(load, targets(*[MIB] * 8), rate_iops=1600))["global"]
    assert found["rate_iops"] == "100"


def test_on_large_targets_jobs_keep_no_map_of_the_blocks_that_they_have_had():
    load = Workload("a", "randread", 4096, jobs=4)
    for over in (targets(1 << 38), targets(*[1 << 38] * 4)):
        assert "norandommap" not in sections(written(load, over))["global"]
    each = Workload("a", "randread", 4096, jobs=4, jobs_per="target")
    assert "norandommap" in sections(written(each, targets(*[1 << 38] * 4)))["global"]
    for over in (targets(1 << 41), targets(*[1 << 38] * 9)):
        assert sections(written(load, over))["global"]["norandommap"] == "1"


def test_of_unlike_targets_that_share_jobs_the_smallest_decides():
    load = Workload("a", "write", 4096)
    found = sections(written(load, targets(8 * MIB, 2 * MIB, 4 * MIB)))
    assert found["a"]["size"] == f"{6 * MIB}"


def test_a_region_too_small_for_the_jobs_is_told():
    with pytest.raises(BadValue, match="a needs 16 blocks of 128KiB of each target, but 80% of"):
        written(Workload("a", "read", 131072, jobs=16, size="80%"), targets(2 * MIB))


def test_a_target_shorter_than_the_size_that_is_asked_for_is_told():
    load = Workload("a", "read", 4096, size=f"{4 * MIB}")
    with pytest.raises(BadValue, match="a needs 4MiB of each target, but /dev/lun0 has 2MiB"):
        written(load, targets(2 * MIB))


@given(st.floats(1, 1e7), st.integers(1, 64))
def test_the_rate_is_never_above_what_is_asked_but_for_one_a_job(asked, jobs):
    load = Workload("a", "randread", 4096, jobs=jobs)
    each = int(sections(written(load, targets(99 * MIB), rate_iops=asked))["global"]["rate_iops"])
    assert each >= 1
    assert each * jobs <= max(asked, jobs)
    assert (each + 1) * jobs > asked


def test_a_mixed_rate_is_parted_between_reads_and_writes():
    load = Workload("a", "randrw", 4096, jobs=2, read_percent=70)
    found = sections(written(load, targets(MIB), rate_iops=1000))["global"]
    assert found["rate_iops"] == "350,150"
    assert found["rwmixread"] == "70"


def test_no_job_file_lets_fio_make_a_file():
    over = targets(MIB)
    for text in (written(Workload("a", "write", 4096), over), fill_job(over)):
        assert sections(text)["global"]["allow_file_create"] == "0"


def test_a_part_of_a_second_is_told_in_milliseconds():
    text = written(Workload("a", "read", 4096), targets(MIB), seconds=0.25)
    assert "runtime=250ms\n" in text


def test_no_job_of_a_run_has_the_random_numbers_of_a_job_of_another_run():
    load = Workload("a", "randread", 4096)
    texts = [written(load, targets(MIB), seed=seed) for seed in range(100)]
    seeds = [int(sections(text)["global"]["randseed"]) for text in texts]
    assert len({seed * number for seed in seeds for number in range(1, 17)}) == 1600


def test_the_file_says_what_it_is():
    text = written(Workload("a", "read", 4096, size="80%"), targets(MIB), profile="my\nown")
    assert text.startswith("# stend: measure of a, profile my\\nown\n# stend: 4KiB blocks, 80% of")


def test_an_option_of_the_workload_is_in_it():
    text = written(Workload("a", "read", 4096, options={"fsync": "1"}), targets(MIB))
    assert sections(text)["global"]["fsync"] == "1"


def test_logs_are_asked_for_only_where_a_profile_does():
    load = Workload("a", "read", 4096)
    assert "_log" not in written(load, targets(MIB))
    found = sections(written(load, targets(MIB), log_average_ms=30000))["global"]
    assert found["log_avg_msec"] == "30000"
    assert [found[f"write_{log}_log"] for log in ("bw", "iops", "lat")] == ["a", "a", "a"]


def test_a_fill_ends_with_a_sync_and_its_data_is_ever_new():
    found = sections(fill_job(targets(3 * MIB, 5 * MIB + 12800)))
    common = found.pop("global")
    assert (common["end_fsync"], common["refill_buffers"]) == ("1", "1")
    assert "time_based" not in common
    assert [(s["bs"], s["offset"], s["size"]) for s in found.values()] == [
        (f"{MIB}", "0", f"{3 * MIB}"),
        (f"{MIB}", "0", f"{5 * MIB}"),
        ("512", f"{5 * MIB}", "12800"),
    ]


@pytest.mark.parametrize(
    "path",
    ["/a;b", "/a#b", "/a$b", "/a\nb", "/a\0b", "/a ", "/a\\", "/a\udcffb", "a/b", "-", "",
     "/" + "a" * 4001, "/" + "я" * 2001],
)  # fmt: skip
def test_a_path_that_fio_would_take_for_another_is_refused(path):
    with pytest.raises(BadValue) as told:
        written(Workload("a", "read", 4096), [JobTarget(path, MIB)])
    assert "\n" not in str(told.value)


def test_colons_are_escaped():
    assert escaped("/dev/disk/by-path/pci-0000:00:1f.2") == r"/dev/disk/by-path/pci-0000\:00\:1f.2"
