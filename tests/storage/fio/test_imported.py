"""Results from elsewhere become one sound run, or one sentence; what is not understood is said."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from stend.comparing import compare
from stend.errors import RunFileError
from stend.record import Run, Status
from stend.record.run_file import from_run_file, to_run_file
from stend.storage.fio.results_import import run_of
from storage.fio.reports import Report, job, printed, report, way

BEGAN = 1_700_000_000_000


def write(path: Path, *reports: Report, before: bytes = b"", behind: bytes = b"") -> Path:
    path.write_bytes(before + b"".join(map(printed, reports)) + behind)
    return path


def read(*paths: Path) -> Run:
    run = run_of(paths)
    assert from_run_file(to_run_file(run)) == run
    return run


def after(ms: int, n: int, **more: Any) -> Report:
    return report(job(read=way({1000: n}, ms)), ms=BEGAN + ms, **more)


def unread(run: Run) -> list[str]:
    loads = [sample.load for case in run.cases for sample in case.samples]
    return [said for load in loads if load for said in load.unread]


def test_a_result_is_a_case_with_its_figures(tmp_path: Path) -> None:
    run = read(write(tmp_path / "a.json", after(2000, 4000)))
    assert (run.started, run.finished) == ("2023-11-14T22:13:20Z", "2023-11-14T22:13:22Z")
    assert run.machine.versions == {"fio": "3.33"}
    (case,) = run.cases
    assert case.name == "storage.randread block=4096 depth=1 jobs=1 target=file"
    assert case.status is Status.MEASURED
    (sample,) = case.samples
    assert sample.values is not None
    assert list(sample.values) == [2000]
    assert sample.load is not None
    assert sample.load.fio == "fio-3.33"
    assert case.detail["job file"].startswith("[global]\nrw=randread\nbs=4k\n")


def test_the_same_files_are_the_same_run(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", after(2000, 4000))
    assert run_of([path]) == run_of([path])
    assert run_of([path]).id != run_of([path], "other").id


def test_a_file_named_twice_is_no_repeat(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", after(2000, 4000))
    (case,) = run_of([path, tmp_path / ".." / tmp_path.name / "a.json"]).cases
    assert len(case.samples) == 1


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("a.json", "a_bw.1.log"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(RunFileError, match="is a pipe"):
            run_of([tmp_path / name])


def test_reports_made_while_it_ran_are_its_course(tmp_path: Path) -> None:
    reports = [after(1000 * s, 100 * s) for s in (1, 2, 3)]
    (case,) = read(write(tmp_path / "a.json", *reports)).cases
    assert len(case.samples) == 1
    assert case.samples[0].load is not None
    assert list(case.samples[0].load.runs[0].flows[0].iops) == [100, 100, 100]


def test_runs_one_after_another_in_a_file_are_repeats(tmp_path: Path) -> None:
    again = report(job(read=way({1000: 300}, 1000)), ms=BEGAN + 61_000)
    (case,) = read(write(tmp_path / "a.json", after(1000, 200), again)).cases
    assert [sample.values[0] for sample in case.samples if sample.values] == [200, 300]
    assert [sample.process for sample in case.samples] == [0, 1]


def test_another_workload_is_another_case_and_so_is_another_target(tmp_path: Path) -> None:
    other = after(1000, 300, **{"global options": {"rw": "read", "bs": "128k"}})
    run = read(write(tmp_path / "a.json", after(1000, 200), other))
    assert [case.benchmark for case in run.cases] == ["storage.randread", "storage.read"]
    on = [
        after(1000, 9, **{"global options": {"filename": f"/dev/{name}"}})
        for name in ("sda", "sdb")
    ]
    run = read(write(tmp_path / "a.json", on[0]), write(tmp_path / "b.json", on[1]))
    assert [case.parameters["path"] for case in run.cases] == ["/dev/sda", "/dev/sdb"]


def test_groups_of_jobs_that_ran_one_after_another_are_cases_of_their_own(tmp_path: Path) -> None:
    def groups(ms: int, *done: int) -> Report:
        ways = [("read", 0), ("write", 1)]
        jobs = [
            job(
                w, groupid=g, **{w: way({1000: n}, min(n * 10, 1000))}, **{"job options": {"rw": w}}
            )
            for (w, g), n in zip(ways, done, strict=True)
        ]
        return report(*jobs, ms=BEGAN + ms)

    path = write(
        tmp_path / "a.json", groups(500, 50, 0), groups(1000, 100, 0), groups(1500, 100, 50)
    )
    run = read(path)
    assert [case.benchmark for case in run.cases] == ["storage.read", "storage.write"]
    loads = [case.samples[0].load for case in run.cases]
    courses = [load.runs[0].flows[0] for load in loads if load]
    assert [list(flow.iops) for flow in courses] == [[100, 100], [100]]
    assert [case.status for case in run.cases] == [Status.MEASURED] * 2


def test_logs_beside_a_result_are_its_course(tmp_path: Path) -> None:
    (tmp_path / "x_iops.1.log").write_text("500, 90, 0, 0\n1000, 110, 0, 0\n")
    (tmp_path / "x_lat.1.log").write_text("500, 7, 0, 0\n1000, 9, 0, 0\n")
    old = after(1000, 100, **{"fio version": "fio-2.21"})
    paths = [write(tmp_path / "a.json", old), *sorted(tmp_path.glob("*.log"))]
    (case,) = read(*paths).cases
    load = case.samples[0].load
    assert load is not None
    (flow,) = load.runs[0].flows
    assert (flow.operations, list(flow.iops)) == (100, [90, 110])
    assert list(flow.latency) == pytest.approx([7e-6, 9e-6]), "fio 2 logs microseconds"
    assert load.unread == ()


def test_logs_go_to_the_result_that_names_them(tmp_path: Path) -> None:
    made = []
    for name, rw in (("p", "read"), ("q", "write")):
        told = {"rw": rw, "write_iops_log": f"logs/{name}"}
        result = report(job(**{rw: way({1000: 10}, 2000)}), **{"global options": told})
        made.append(write(tmp_path / f"{name}.json", result))
        made.append(tmp_path / f"{name}_iops.1.log")
        made[-1].write_text(f"1000, 5, {'pq'.index(name)}, 0\n2000, 5, {'pq'.index(name)}, 0\n")
    run = read(*made)
    assert len(run.cases) == 2
    for case in run.cases:
        assert case.samples[0].load is not None
        assert len(case.samples[0].load.runs[0].flows[0].at) == 2


def test_logs_alone_are_a_case_and_what_is_assumed_is_said(tmp_path: Path) -> None:
    for kind, value in (("iops", 50), ("lat", 7000)):
        (tmp_path / f"x_{kind}.1.log").write_text(f"1000, {value}, 1, 0\n2000, {value}, 1, 0\n")
    run = read(*tmp_path.glob("*.log"))
    (case,) = run.cases
    assert case.benchmark == "storage.write"
    assert case.samples[0].also["latency s"][0] == pytest.approx(7e-6)
    assert any("taken to be in ns" in said for said in unread(run))
    assert not any("run together" in said for said in unread(run))


def test_logs_of_several_jobs_alone_are_said_to_be_taken_together(tmp_path: Path) -> None:
    for number in (1, 2):  # behind a stonewall these would be 100 IOPS, for twice as long
        (tmp_path / f"x_iops.{number}.log").write_text("1000, 100, 1, 0\n2000, 100, 1, 0\n")
    run = read(*tmp_path.glob("*.log"))
    assert run.cases[0].samples[0].values[0] == pytest.approx(200)
    assert any("assumed to have run together" in said for said in unread(run))


def test_what_is_not_understood_is_kept_in_words(tmp_path: Path) -> None:
    strange = after(1000, 10, novelty={"x": [1]})
    strange["jobs"][0]["steadystate"] = {"attained": 1}
    strange["jobs"][0]["sync"] = {"total_ios": 12}
    said = unread(read(write(tmp_path / "a.json", strange, before=b"hello \x1b[2J\n")))
    assert 'Not read of the result: novelty = {"x":[1]}' in said
    assert 'Not read of the job one: steadystate = {"attained":1}' in said
    assert "Not read of the job one: 12 syncs and their times." in said
    assert "fio wrote outside its JSON: hello \\x1b[2J" in said


def test_a_result_that_fails_is_stored_as_failed(tmp_path: Path) -> None:
    killed = write(tmp_path / "a.json", after(1000, 10), behind=b"fio: pid=7, got signal=9\n")
    (case,) = read(killed).cases
    assert (case.status, case.has_figure) == (Status.FAILED, False)
    assert "killed by signal 9" in case.reason


def test_a_truncated_result_is_what_was_reported_before(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", after(1000, 10), behind=printed(after(2000, 20))[:300])
    (case,) = read(path).cases
    assert case.status is Status.FAILED
    assert "cut off" in case.reason
    assert case.samples[0].values is not None
    assert list(case.samples[0].values) == [10]


def test_a_client_s_result_names_the_host_it_drove(tmp_path: Path) -> None:
    document = after(1000, 10)
    document["client_stats"] = [j | {"hostname": "n1", "port": 8765} for j in document.pop("jobs")]
    run = read(write(tmp_path / "a.json", document, before=b"<n1> Starting 1 process\n"))
    assert run.machine.host == "n1"


def test_fio_s_own_percentiles_stand_where_there_are_no_bins(tmp_path: Path) -> None:
    plain = after(1000, 1000)
    told = plain["jobs"][0]["read"]
    told["lat_ns"] = {"mean": 5000.0, "N": 1000}
    told["clat_ns"] = {
        "mean": 4000.0,
        "N": 1000,
        "percentile": {"50.000000": 3000, "99.000000": 9000},
    }
    (case,) = read(write(tmp_path / "a.json", plain)).cases
    assert case.samples[0].also["p99 s"][0] == pytest.approx(9e-6)
    assert "p99.9 s" not in case.samples[0].also


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "neither JSON, nor terse output, nor a log"),
        (b"[global]\nrw=read\n", "neither JSON"),
        (b'{"fio version" : "fio-3.33", "jobs" : [', "cut off or broken"),
        (b'{"some": "json"}', "neither JSON"),
        (gzip.compress(b"x" * 1000, mtime=0), "neither JSON"),
        (b"1000, 5, 0, 0\n", "its name does not tell"),
    ],
)  # fmt: skip
def test_what_is_no_result_is_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "result"
    path.write_bytes(content)
    with pytest.raises(RunFileError, match=said) as raised:
        run_of([path])
    assert str(raised.value).isprintable()


def test_a_file_that_can_t_be_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="No such file"):
        run_of([tmp_path / "none.json"])
    with pytest.raises(RunFileError, match="Is a directory"):
        run_of([tmp_path])


def test_hostile_numbers_give_a_sound_run_or_one_sentence(tmp_path: Path) -> None:
    good = json.dumps(after(1000, 10))
    for hostile in ("1e308", "-1", "9" * 30, "null", '"x"', "[]", "true", "NaN", "1e-300"):
        for field in ("total_ios", "runtime", "io_bytes", "mean", "timestamp_ms", "min", "N"):
            before = json.dumps(field) + ": "
            at = good.index(before) + len(before)
            end = min(good.find(mark, at) for mark in ",}" if good.find(mark, at) > 0)
            path = tmp_path / "a.json"
            path.write_text(good[:at] + hostile + good[end:])
            read(path)


def test_what_tells_no_options_is_told_apart_by_the_jobs_names(tmp_path: Path) -> None:
    def untold(name: str, n: int) -> Report:
        told = report(job(name, read=way({1000: n}, 1000)))
        del told["global options"]
        return told

    one, other = (
        write(tmp_path / "a.json", untold("4k", 9)),
        write(tmp_path / "b.json", untold("128k", 5)),
    )
    assert [case.name for case in read(one, other).cases] == [
        "storage.read job=4k", "storage.read job=128k",
    ]  # fmt: skip
    for name in ("x", "y"):
        (tmp_path / f"{name}_iops.1.log").write_text("1000, 100, 1, 0\n2000, 100, 1, 0\n")
    logged = read(*sorted(tmp_path.glob("*.log")))
    assert [case.name for case in logged.cases] == ["storage.write job=x", "storage.write job=y"]


def test_a_case_that_an_older_stend_stored_meets_the_same_workload_imported_now(
    tmp_path: Path,
) -> None:
    new = read(write(tmp_path / "a.json", after(1000, 200)))
    stored = {"block": 4096, "depth": 1, "jobs": 1, "target": "file"}
    old = replace(new, id="0" * 32, cases=(replace(new.cases[0], parameters=stored),))
    assert [row.ratio for row in compare(old, new).rows if row.metric.name == "IOPS"] == [1]
