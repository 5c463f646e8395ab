"""No single sign tells whether fio did what it was told: each of them is looked at."""

from typing import Any

import pytest

from stend.storage.fio.verdict import Ended, judge
from storage.fio.reports import job, report, way

DONE = way({1000: 500}, 3000)


def ended(*jobs: Any, **more: Any) -> Ended:
    return Ended(**({"code": 0, "documents": [report(*jobs)]} | more))


def said(how: Ended, *names: str, asked: float | None = 3) -> tuple[str, str]:
    state, reasons = judge(how, names, asked)
    return state, " ".join(reasons)


def test_a_run_with_nothing_wrong_is_ok() -> None:
    assert said(ended(job("a", read=DONE)), "a") == ("ok", "")


def test_nothing_done_is_failed_though_fio_says_error_0() -> None:
    assert said(ended(job("a")), "a") == ("failed", "fio did nothing: it counts 0 operations.")


def test_no_report_is_failed() -> None:
    state, reasons = said(Ended(code=1, stderr="fio: unrecognized option '--bogus'\n"))
    assert state == "failed"
    assert "exited with code 1" in reasons
    assert "unrecognized option '--bogus'" in reasons


def test_the_error_of_a_job_is_named() -> None:
    state, reasons = said(ended(job("a", read=DONE, error=28)), "a")
    assert (state, reasons) == (
        "failed",
        "The job a ended with error 28 (No space left on device).",
    )


@pytest.mark.parametrize("where", ["stderr", "stray"])
def test_a_killed_worker_is_found_in_the_text(where: str) -> None:
    text = "fio: pid=7, got signal=9"
    told = {"stderr": text} if where == "stderr" else {"stray": [text]}
    state, reasons = said(ended(job("a", read=DONE), **told), "a")
    assert (state, reasons) == (
        "failed",
        "A worker of fio was killed by signal 9, so its part is missing.",
    )


def test_a_killed_worker_is_found_by_its_missing_runtime() -> None:
    lost = job("a", read=DONE | {"runtime": 0}, job_runtime=892)
    state, reasons = said(ended(lost, job("a", read=DONE)), "a", "a")
    assert (state, reasons) == ("failed", "The job a has no runtime: its worker was lost.")


def test_a_missing_report_is_partial() -> None:
    state, reasons = said(ended(job("a", read=DONE)), "a", "a", "b")
    assert state == "partial"
    assert reasons == "1 report of the job a missing. 1 report of the job b missing."


def test_one_job_of_several_that_did_nothing_is_partial() -> None:
    assert said(ended(job("a", read=DONE), job("b")), "a", "b") == (
        "partial",
        "The job b did nothing.",
    )


@pytest.mark.parametrize(("asked", "state"), [(3.1, "ok"), (3.2, "partial"), (None, "ok")])
def test_95_percent_of_the_time_is_enough(asked: float | None, state: str) -> None:
    found, reasons = said(ended(job("a", read=DONE)), "a", asked=asked)
    assert found == state
    assert ("The job a ran 3.0 s of the 3.2 s" in reasons) == (state == "partial")


def test_a_job_ran_as_long_as_its_longest_direction() -> None:
    assert said(ended(job("a", read=DONE, write=way({1: 1}, 5))), "a")[0] == "ok"


def test_json_that_is_cut_off_is_partial() -> None:
    state, reasons = said(ended(job("a", read=DONE), truncated=True), "a")
    assert state == "partial"
    assert "cut off" in reasons


def test_signals_that_end_fio_leave_a_part() -> None:
    assert said(ended(job("a", read=DONE), code=None, signal=9), "a") == (
        "partial",
        "Signal 9 ended fio; what it had reported before is kept.",
    )
    text = ["fio: terminating on signal 15"]
    assert said(ended(job("a", read=DONE), code=128, stray=text), "a") == (
        "partial",
        "Signal 15 ended fio early.",
    )
    assert said(ended(job("a", read=DONE), code=128), "a")[0] == "partial"


def test_what_the_user_stopped_is_interrupted_and_nothing_worse() -> None:
    short = job("a", read=way({1000: 50}, 800))
    state, reasons = judge(ended(short, code=128, interrupted=True), ["a"], 3)
    assert (state, reasons) == ("interrupted", ("It was interrupted.",))
    assert judge(Ended(None, 9, interrupted=True), ["a"], 3)[0] == "interrupted"


def test_an_error_before_the_user_stopped_it_still_fails_it() -> None:
    broken = job("a", read=way({1000: 50}, 800), error=5)
    assert judge(ended(broken, code=128, interrupted=True), ["a"], 3)[0] == "failed"


@pytest.mark.parametrize(
    "text",
    [
        "fio: file hash not empty on exit",
        "fio: --latency-log is deprecated. Use per-job latency log options.",
        "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be "
        "capped at 1",
        "",
    ],
)
def test_harmless_text_on_stderr_is_no_fault(text: str) -> None:
    assert said(ended(job("a", read=DONE), stderr=text + "\n"), "a")[0] == "ok"


def test_other_text_on_stderr_is_quoted_a_few_lines_of_it() -> None:
    text = "".join(f"fio: io_u error {i} on file /x: \x1b[2JInput/output error\n" for i in range(9))
    state, reasons = said(ended(job("a", read=DONE), stderr=text), "a")
    assert state == "partial"
    assert "io_u error 0 on file" in reasons
    assert "\x1b" not in reasons
    assert "It wrote 6 more lines there." in reasons


def test_a_hundred_jobs_do_not_say_the_same_a_hundred_times() -> None:
    jobs = [job(f"j{i}", read=way({10: 1}, 10)) for i in range(100)]
    state, reasons = judge(ended(*jobs), [], 3)
    assert state == "partial"
    assert len(reasons) < 20
    assert reasons[-1] == "(88 more of this kind.)"
