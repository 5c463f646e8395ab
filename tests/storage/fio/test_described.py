"""The options that fio repeats name the case as a workload of stend is named."""

from typing import Any

import pytest

from stend.storage.fio.job_group import Described, described
from stend.storage.fio.options import size
from stend.storage.fio.results import flows
from stend.storage.fio.workload import Workload
from storage.fio.reports import job, report, way

DID = way({1000: 100}, 2000)


def told(*jobs: dict[str, Any], **options: str) -> Described:
    document = report(*jobs) | {"global options": options}
    return described(document, document["jobs"], flows(document))


def options(**given: str) -> dict[str, Any]:
    return job(read=DID, **{"job options": given})


def wrote(**given: str) -> dict[str, Any]:
    return job(write=DID, **{"job options": given})


def test_the_name_is_that_of_the_same_workload_of_stend() -> None:
    made = Workload("w", "randrw", block=131072, depth=16, jobs=2, read_percent=70, size="80%")
    found = told(
        options(bs="128k", iodepth="16", numjobs="2", rwmixread="70", size="80%")
        | {"read": way({1000: 100}, block=131072)},
        rw="randrw", ioengine="libaio", direct="1", filename="/dev/sdx",
    )  # fmt: skip
    assert found.benchmark == made.benchmark
    assert found.parameters == made.parameters("block device")
    assert list(found.parameters) == list(made.parameters("block device"))


def test_what_is_not_told_has_fio_s_own_value() -> None:
    found = told(wrote(rw="write"))
    assert found.benchmark == "storage.write"
    assert found.parameters == {
        "block": 4096, "depth": 1, "jobs": 1, "target": "file", "engine": "psync", "direct": 0,
    }  # fmt: skip


def test_what_jobs_differ_in_or_give_as_a_range_is_left_out() -> None:
    other = options(bs="8k", iodepth="4") | {"read": way({1000: 100}, block=8192)}
    found = told(options(bs="4k", iodepth="4"), other, rw="randread", ioengine="libaio")
    assert "block" not in found.parameters
    assert (found.parameters["depth"], found.parameters["jobs"]) == (4, 2)
    assert found.parameters["mix"] == "1 × block=4096 + 1 × block=8192"
    assert "block" not in told(options(bsrange="4k-16k"), rw="read").parameters
    assert "block" not in told(options(bs="4k,8k"), rw="rw").parameters
    assert told(options(bs="4k,8k"), rw="read").parameters["block"] == 4096, "it writes nothing"


def test_jobs_of_several_patterns_are_no_mixed_load() -> None:
    found = told(options(rw="randread"), wrote(rw="write", iodepth="2"), ioengine="libaio")
    assert found.benchmark == "storage.several"
    assert "read_percent" not in found.parameters
    assert found.parameters["mix"] == "1 × randread depth=1 + 1 × write depth=2"


def test_without_options_it_is_said_that_the_order_is_unknown() -> None:
    found = told(job(write=DID))
    assert (found.benchmark, found.parameters) == ("storage.write", {"job": "one"})
    assert "whether the write was random is unknown" in found.unread[0]


def test_a_job_whose_own_options_are_left_out_is_not_taken_to_have_fio_s_usual_ones() -> None:
    untold = job(
        write=DID, hostname="n1"
    )  # as a client does of the second group with group_reporting
    del untold["job options"]
    found = told(untold, ioengine="libaio", size="16m")
    assert (found.benchmark, found.parameters) == ("storage.write", {"job": "one"})
    assert "whether the write was random is unknown" in found.unread[0]


def test_patterns_with_a_count_and_other_names_of_rw_are_known() -> None:
    assert told(options(rw="randread:8")).benchmark == "storage.randread"
    assert told(options(readwrite="readwrite")).benchmark == "storage.rw"
    assert told(options(rw="rw", rwmixwrite="10")).parameters["read_percent"] == 90


@pytest.mark.parametrize(
    ("text", "given"),
    [("4k", 4096), ("4096", 4096), ("4KB", 4096), ("4KiB", 4000),
     ("4096B", 4096), ("0x1000", 4096), ("1m", 1 << 20), ("2G", 2 << 30),
     ("x", None), ("80%", None), ("9" * 400, None)],
)  # fmt: skip
def test_sizes_are_read_as_fio_does(text: str, given: int | None) -> None:
    assert size(text) == given


def test_processes_are_counted_on_every_server() -> None:
    apart = [options(numjobs="2") | {"hostname": h, "port": 1} for h in ("n1", "n1", "n2", "n2")]
    assert told(*apart, rw="read").parameters["jobs"] == 4
    grouped = [options(numjobs="8") | {"hostname": h, "port": 1} for h in ("n1", "n2")]
    assert told(*grouped, rw="read").parameters["jobs"] == 16


def test_the_options_are_kept_as_a_job_file_with_each_job_once() -> None:
    found = told(options(numjobs="2"), options(numjobs="2"), rw="read", time_based="")
    assert found.job_file == "[global]\nrw=read\ntime_based\n[one]\nnumjobs=2\n"


def test_a_time_based_run_had_to_last() -> None:
    assert told(options(runtime="10s"), rw="read", time_based="").asked == 10
    assert told(options(runtime="2m", size="100k"), rw="read").asked == 120, "it went round"
    done = told(options(runtime="60", size="400k"), rw="read")
    assert done.asked is None
    assert "whether it was stopped or had finished its work is unknown" in done.unread[-1]


def test_a_part_of_the_run_that_was_not_looked_at_is_said() -> None:
    found = told(options(ramp_time="5s"), rw="read")
    assert found.unread == ("The load was run with ramp_time=5s.",)
    assert found.parameters == told(options(), rw="read").parameters


def test_targets_are_told_by_their_paths() -> None:
    found = told(options(filename="/dev/sda:/dev/sdb"), rw="read")
    assert [(t.path, t.kind) for t in found.targets] == [
        ("/dev/sda", "block device"),
        ("/dev/sdb", "block device"),
    ]
    assert told(options(ioengine="null"), rw="read").parameters["target"] == "null"


def test_an_engine_that_waits_has_one_request_under_way() -> None:
    assert told(options(iodepth="64"), rw="read", ioengine="psync").parameters["depth"] == 1
    assert told(options(iodepth="64"), rw="read", ioengine="io_uring").parameters["depth"] == 64


@pytest.mark.parametrize(
    ("name", "value"),
    [("rate_iops", "500"), ("rate", "10m"), ("random_distribution", "zipf:1.2"),
     ("percentage_random", "50"), ("fsync", "1"), ("sync", "dsync"), ("thinktime", "100"),
     ("verify", "crc32c"), ("offset", "1g"), ("io_size", "2g"), ("nrfiles", "4"),
     ("write_hint", "short"), ("an_option_of_a_later_fio", "7")],
)  # fmt: skip
def test_what_changes_the_load_identifies_it(name: str, value: str) -> None:
    found = told(options(**{name: value}), rw="randread")
    assert found.parameters == told(options(), rw="randread").parameters | {name: value}


@pytest.mark.parametrize(
    ("name", "value"),
    [("runtime", "10"), ("time_based", "1"), ("group_reporting", "1"), ("randseed", "7"),
     ("write_bw_log", "x"), ("log_avg_msec", "100"), ("lat_percentiles", "1"),
     ("random_distribution", "random"), ("percentage_random", "100"), ("fsync", "0"),
     ("verify", "none"), ("rate", "0"), ("numjobs", "1"), ("size", "100%")],
)  # fmt: skip
def test_what_changes_nothing_of_it_or_is_fio_s_own_value_does_not(name: str, value: str) -> None:
    found = told(options(**{name: value}), rw="randread")
    assert found.parameters == told(options(), rw="randread").parameters


def test_blocks_of_unequal_sizes_are_told_as_they_were_given() -> None:
    def sizes(rw: str = "randrw", **given: str) -> dict[str, Any]:
        found = told(options(rw=rw, **given)).parameters
        return {k: v for k, v in found.items() if k in ("block", "bs", "bssplit", "bsrange")}

    assert sizes(bs="4k,8k") == {"bs": "4096,8192"}
    assert sizes(bs=",8k") == {"bs": "4096,8192"}
    assert sizes(bssplit="4k/60:8k/40") == {"bssplit": "4k/60:8k/40"}
    assert sizes(bsrange="4k-8k") == {"bsrange": "4k-8k"}


def test_a_k_is_of_a_thousand_where_it_is_told() -> None:
    did = {"read": way({1000: 100}, block=4000)}
    assert told(options(bs="4k", kb_base="1000") | did, rw="read").parameters["block"] == 4000
    assert told(options(bs="4ki", kb_base="1000"), rw="read").parameters["block"] == 4096


def test_a_section_without_options_of_its_own_has_those_of_all() -> None:
    bare = job(read=DID)
    del bare["job options"]
    assert told(bare, rw="randread").parameters == told(options(), rw="randread").parameters


def test_the_order_of_options_changes_nothing() -> None:
    one = told(options(fsync="1", rate="10m", thinktime="5"), rw="randread")
    other = told(options(thinktime="5", rate="10m", fsync="1"), rw="randread")
    assert list(one.parameters.items()) == list(other.parameters.items())


def test_the_order_of_sections_changes_nothing() -> None:
    a, b = options(rw="randread"), wrote(rw="randwrite")
    assert told(a, b).parameters == told(b, a).parameters


def test_many_unlike_jobs_are_told_in_short_and_differently() -> None:
    def many(last: str) -> str:
        rates = [*map(str, range(1, 100)), last]
        return str(told(*(options(rate=r) for r in rates), rw="read").parameters["mix"])

    assert len(many("7000")) < 450
    assert many("7000") != many("7001")


def test_sequential_jobs_that_go_over_the_same_blocks_are_told_apart_from_slices() -> None:
    clones = {"rw": "read", "numjobs": "2", "size": "1g", "ioengine": "libaio", "direct": "1"}
    shared = told(options(filename="/dev/sdx"), **clones).parameters
    assert shared["clones"] == "overlap"
    sliced = told(options(filename="/dev/sdx", offset_increment="1g"), **clones).parameters
    assert sliced == {k: v for k, v in shared.items() if k != "clones"}
    made = Workload("w", "read", block=4096, jobs=2, jobs_per="target", size="1g")
    assert shared == made.parameters("block device")
    assert told(options(), **clones).parameters == sliced | {"files": "own", "target": "file"}


def test_one_report_of_a_timed_group_tells_how_many_processes_it_is_of() -> None:
    def grouped(ms: int, **given: str) -> Described:
        did = way({1000: 100}, 2000)
        report = job(read=did, job_runtime=ms, **{"job options": {"filename": "/dev/sdx"} | given})
        return told(report, rw="randread", numjobs="2", runtime="2s")

    assert grouped(4001).parameters["jobs"] == 2
    eight = grouped(32_030)
    assert eight.parameters["jobs"] == 16
    assert "One report is of 16 processes" in " ".join(eight.unread)
    assert "jobs" not in grouped(9_000).parameters, "they did not all run as long"
    verified = grouped(32_030, verify="crc32c", rw="randwrite")
    assert verified.parameters["jobs"] == 2, "that is the time to verify"
