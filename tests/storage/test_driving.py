"""fio driven: what a run gives, and what its folder keeps."""

import json
import math
from pathlib import Path
from time import monotonic

import pytest

from needed import needs
from stend.errors import OutputError
from stend.storage import fio_run
from stend.storage.fio.documents import scan
from stend.storage.fio_run import Moment, PhaseRun, drive
from storage.fio_jobs import asked, job

TEXT = "[load]\nioengine=null\nsize=1g\nrw=randrw\niodepth=4\nthinktime=200\nruntime=2\n" + (
    "time_based=1\nlat_percentiles=1\n"
)
BETWEEN: list[float] = []
"""The clock before and behind the run."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[PhaseRun, list[Moment], Path]:
    folder = tmp_path_factory.mktemp("run")
    moments: list[Moment] = []
    BETWEEN.append(monotonic())
    driven = drive(TEXT, folder, asked(2.0), moments.append)
    BETWEEN.append(monotonic())
    return driven, moments, folder


def test_a_run_that_went_well_is_ok_and_has_its_whole_course(run):
    driven, _, _ = run
    assert (driven.run.state, driven.run.reasons) == ("ok", ())
    assert [flow.direction for flow in driven.run.flows] == ["read", "write"]
    for flow in driven.run.flows:
        at = [0, *flow.at]
        made = [r * (b - a) / 1e9 for r, a, b in zip(flow.iops, at, at[1:], strict=False)]
        assert len(made) >= 2
        assert sum(made) == pytest.approx(flow.operations, rel=1e-6)
        assert sum(flow.counts) == flow.operations == sum(flow.histogram.counts)


def test_each_second_is_told_while_it_goes_on(run):
    _, moments, _ = run
    known = [moment for moment in moments if moment.ways]
    assert len(known) >= 2
    assert [moment.elapsed for moment in known] == sorted({moment.elapsed for moment in known})
    assert all(set(moment.ways) == {"read", "write"} for moment in known)
    assert known[0].asked == 2.0
    first = known[0].ways["read"]
    # fio counts an operation before its bytes: some are under way when it is asked.
    assert first.iops * 4096 == pytest.approx(first.bandwidth, rel=0.1)
    assert 0 < first.latency < math.inf
    assert first.p99 >= first.latency / 2


def test_the_folder_keeps_the_job_and_every_document(run):
    driven, _, folder = run
    assert (folder / fio_run.JOB).read_text() == TEXT
    found = scan((folder / fio_run.STATUS).read_bytes())
    assert len(found.documents) >= 2
    assert found.documents[-1] == driven.document


def test_what_goes_into_the_record_has_no_bins(run):
    driven, _, _ = run
    result = json.loads(driven.detail["fio result"])
    assert result["jobs"][0]["read"]["total_ios"] == driven.run.flows[0].operations
    assert '"bins"' not in driven.detail["fio result"]


def test_the_load_began_and_ended_within_the_run_by_the_clock_of_samples(run):
    driven, _, _ = run
    rounded = 5e-3  # fio tells ms
    began = driven.run.began / 1e9
    assert BETWEEN[0] - rounded <= began
    assert began + driven.run.lasted <= BETWEEN[1] + rounded


def test_a_workload_that_writes_is_refused_where_only_reading_is_allowed(tmp_path):
    driven = drive(job(1.0), tmp_path, asked(1.0, read_only=True), lambda moment: None)
    assert driven.run.state == "failed"
    assert "rw" in driven.stderr or "read" in driven.stderr
    assert not (tmp_path / "data").exists()


def test_a_job_that_fio_does_not_understand_is_failed_with_its_words(tmp_path):
    driven = drive("[load]\nrw=sideways\n", tmp_path, asked(1.0), lambda moment: None)
    assert driven.run.state == "failed"
    assert any("sideways" in reason for reason in driven.run.reasons)


def test_notes_before_the_documents_are_kept_and_harm_nothing(tmp_path):
    text = (
        TEXT.replace("null", "psync")
        .replace("size=1g", "size=64k")
        .replace("runtime=2", "runtime=1")
    )
    driven = drive(text, tmp_path, asked(1.0), lambda moment: None)
    assert driven.run.state == "ok"
    assert any("queue depth will be capped" in note for note in driven.stray)
    assert "queue depth" in driven.detail["fio notes"]


def test_a_fio_that_is_not_there_is_a_failed_run(tmp_path):
    driven = drive(job(), tmp_path, asked(fio=str(tmp_path / "no-fio")), lambda moment: None)
    assert driven.run.state == "failed"
    assert "can't be started: No such file or directory" in driven.stderr


def test_documents_cut_short_leave_what_was_whole(tmp_path):
    real = needs("fio", "fio")
    cut = tmp_path / "cut"
    cut.write_text(
        f'#!/bin/sh\n{real} "$@" > whole\nhead -c $(($(wc -c < whole) - 500)) whole\nkill -9 $$\n'
    )
    cut.chmod(0o755)
    driven = drive(TEXT, tmp_path, asked(2.0, fio=str(cut)), lambda moment: None)
    assert driven.run.state == "partial"
    assert any("cut off" in reason for reason in driven.run.reasons)
    assert sum(driven.run.flows[0].counts) == sum(driven.run.flows[0].histogram.counts) > 0


def test_a_fio_that_does_not_end_is_stopped_and_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(fio_run, "_PATIENCE", 0.0)
    monkeypatch.setattr(fio_run, "_SILENCE", 0.0)
    hangs = tmp_path / "hangs"
    hangs.write_text("#!/bin/sh\nexec sleep 600\n")
    hangs.chmod(0o755)
    moments: list[Moment] = []
    driven = drive(job(), tmp_path, asked(0.1, fio=str(hangs)), moments.append)
    assert driven.run.state == "failed"
    assert "fio was stopped: it had not ended" in driven.run.reasons[0]
    assert moments
    assert not any(moment.ways for moment in moments)


def test_a_folder_that_can_not_be_written_is_one_sentence(tmp_path):
    with pytest.raises(OutputError, match=r"can't be written to .*missing"):
        drive(job(), tmp_path / "missing", asked(), lambda moment: None)
