"""The phases of a profile, with a fio that is made up: which runs, in which order, what is kept."""

import re
from dataclasses import replace

import pytest

from stend.errors import MeasuringError
from stend.record import Integers, Numbers, Status
from stend.record.cautions import Caution
from stend.record.invariants import validate
from stend.record.loads import FioRun, Flow, Histogram, HostSamples, StorageTarget
from stend.storage.fio.profile import Profile, Rounds
from stend.storage.fio.results import FURTHER
from stend.storage.fio.workload import Workload
from stend.storage.fio_run import PhaseRun, Stopped
from stend.storage.phases import Campaign
from stend.storage.targets import Target

READ = Workload("read", "read", 4096, depth=8, jobs=2)
WRITE = Workload("write", "randwrite", 4096)
SECOND = 1_000_000_000


def profile(*workloads, **also):
    usual = Profile(
        name="mine", about="", source="", file_bytes=1 << 20, precondition=0, warm_up=0.0,
        steady=None, seconds=2.0, rounds=2, log_average_ms=None,
        workloads=workloads or (READ, WRITE),
    )  # fmt: skip
    return replace(usual, **also)


def target(own=True, kind="file"):
    record = StorageTarget(path="/mnt/x", kind=kind, bytes=1 << 24)
    return Target("/mnt/x", "/mnt/x", kind, 1 << 24, own, "", record)


def driven(phase, iops=1000.0, state="ok", began=0, reasons=()):
    flow = Flow(
        direction="read", operations=round(2 * iops), bytes=round(8192 * iops), seconds=2.0,
        mean=1e-3, histogram=Histogram(of="total", ns=Integers([10**6]), counts=Integers([2000])),
    )  # fmt: skip
    run = FioRun(
        phase=phase, state=state, reasons=reasons, began=began, asked=2.0, lasted=2.0,
        flows=(flow,) if iops else (),
    )  # fmt: skip
    return PhaseRun(run, {"jobs": [{"jobname": "x", "read": {"bins": {"1": 2}}}]}, "", ())


def beside(host, user, began):
    columns = dict.fromkeys(("waiting", "steal", "memory_used", "memory_cached"), Numbers([0, 0]))
    return HostSamples(
        host=host, remote=host != "here", at=Integers([began + SECOND // 2, began + SECOND]),
        user=Numbers(user), system=Numbers([0.1, 0.1]), interrupts=Numbers([0, 0]), **columns,
    )  # fmt: skip


class Fake:
    """Means whose runs end as the test wants, by name, phase and number."""

    fio = "fio-3.33"

    def __init__(self, **ends):
        self.ends = ends
        self.done = []
        self.jobs = []
        self.checks = 0
        self.changed = ""
        self.stopped = ()

    def drive(self, job, step):
        key = f"{step.name} {step.phase} {step.number}".strip()
        self.done.append(key)
        self.jobs.append(job)
        end = self.ends.get(key.replace(" ", "_").replace("-", "_"), {})
        found = driven(step.phase, began=len(self.done) * 10 * SECOND, **end)
        if found.run.state == "interrupted" or key in self.stopped:
            raise Stopped(found)
        return found

    def check(self, job):
        self.checks += 1
        if self.changed:
            raise MeasuringError(self.changed)

    def host_samples(self, began, ended):
        return (beside("here", [0.1, 0.3], began), beside("array", [0.5, 0.7], began))

    def cautions(self, workload):
        return (Caution.UNWRITTEN,) if workload.reads else ()


def run(asked, means, own=True, skips=None, kind="file"):
    reached = list(Campaign(asked, [target(own, kind)], means, skips or {}).run())
    for each in reached:
        for record in each.records:
            validate(record)
    return {each.place: each.records[0] for each in reached}, reached


def test_jobs_of_each_target_are_told_of_all_targets():
    each = replace(READ, jobs_per="target")
    means = Fake()
    reached = list(Campaign(profile(each), [target(), target(), target()], means, {}).run())
    assert reached[-1].records[0].parameters["jobs"] == 6
    assert "48 requests outstanding: depth 8, 2 jobs on each of 3 targets" in means.jobs[-1]


def test_all_workloads_are_measured_once_then_once_more():
    means = Fake()
    cases, reached = run(profile(), means, own=False)
    assert means.done == ["read measure 1", "write measure 1", "read measure 2", "write measure 2"]
    assert [each.share for each in reached] == [0.5, 0.5, 1.0, 1.0]
    assert [len(case.samples) for case in cases.values()] == [2, 2]
    assert [case.name for case in cases.values()] == [
        "storage.read block=4096 depth=8 jobs=2 target=file",
        "storage.randwrite block=4096 depth=1 jobs=1 target=file",
    ]


def test_each_workload_is_warmed_up_before_each_of_its_rounds():
    means = Fake()
    run(profile(READ, warm_up=1.0), means, own=False)
    assert means.done == ["read warm-up 1", "read measure 1", "read warm-up 1", "read measure 2"]


def test_an_own_file_is_filled_once_before_anything_is_read():
    means = Fake()
    run(profile(READ), means)
    assert means.done[0] == "precondition 1"
    assert "rw=write" in means.jobs[0]
    assert means.done.count("precondition 1") == 1


def test_what_exists_is_not_filled_unless_the_profile_preconditions():
    means = Fake()
    run(profile(READ), means, own=False)
    assert "precondition 1" not in means.done
    run(profile(READ, precondition=2), means, own=False)
    assert means.done.count("precondition 1") == means.done.count("precondition 2") == 1


def test_the_null_engine_is_given_nothing_to_fill_and_no_page_cache_to_pass():
    means = Fake()
    run(profile(READ), means, own=False, kind="null")
    assert means.done == ["read measure 1", "read measure 2"]
    assert "ioengine=null" in means.jobs[0]
    assert "direct=0" in means.jobs[0]


def test_rounds_go_on_until_five_in_a_row_are_steady_and_what_settled_is_measured_at_once():
    ends = {f"read_round_{n}": {"iops": 5000.0 / n} for n in (1, 2)}
    means = Fake(**ends)
    cases, _ = run(profile(steady=Rounds(2.0, 20)), means, own=False)
    rounds = [f"read round {n}" for n in range(1, 8)]
    assert means.done[:9] == [*rounds, "read measure 1", "read measure 2"]
    steady = cases[0].samples[0].load.steady
    assert (steady.reached, steady.rounds) == (True, 7)
    assert steady.values.tolist() == [5000, 2500, 1000, 1000, 1000, 1000, 1000]
    assert cases[0].samples[0].cautions == (Caution.UNWRITTEN,)


def test_what_never_settles_is_measured_and_marked():
    ends = {f"read_round_{n}": {"iops": 1000.0 * n} for n in range(1, 7)}
    cases, _ = run(profile(READ, steady=Rounds(2.0, 6)), Fake(**ends), own=False)
    load = cases[0].samples[0].load
    assert cases[0].status is Status.MEASURED
    assert (load.state, load.steady.reached, load.steady.rounds) == ("unsteady", False, 6)
    assert "had settled" in load.reasons[-1]
    assert Caution.UNSTEADY in cases[0].samples[0].cautions


def test_each_sample_holds_the_runs_that_led_to_it():
    cases, _ = run(profile(READ, warm_up=1.0), Fake())
    phases = [[each.phase for each in sample.load.runs] for sample in cases[0].samples]
    assert phases == [["precondition", "warm-up", "measure"], ["warm-up", "measure"]]


def test_a_share_of_the_maximum_is_asked_of_fio_as_a_rate_and_stays_the_same():
    half = replace(READ, name="half", load=50)
    means = Fake(read_measure_1={"iops": 5000.0}, read_measure_2={"iops": 9000.0})
    run(profile(READ, half), means, own=False)
    rates = [re.findall(r"^rate_iops=(\d+)$", job, re.MULTILINE) for job in means.jobs]
    assert rates == [[], ["1250"], [], ["1250"]]


@pytest.mark.parametrize("iops", [0.0, 12.0])
def test_a_share_of_a_maximum_that_failed_is_skipped(iops):
    half = replace(READ, name="half", load=50)
    means = Fake(read_measure_1={"iops": iops, "state": "failed", "reasons": ("Gone.",)})
    cases, _ = run(profile(READ, half), means, own=False)
    assert [case.status for case in cases.values()] == [Status.FAILED, Status.SKIPPED]
    assert "maximum is unknown" in cases[1].reason


@pytest.mark.parametrize("state", ["failed", "partial"])
def test_a_run_that_failed_or_ended_early_fails_its_case_alone_and_is_kept(state):
    means = Fake(read_measure_2={"state": state, "reasons": ("The disk is full.",)})
    cases, _ = run(profile(), means, own=False)
    assert (cases[0].status, cases[1].status) == (Status.FAILED, Status.MEASURED)
    assert "The disk is full." in cases[0].reason
    assert [sample.proof.right for sample in cases[0].samples] == [True, False]
    assert cases[0].samples[1].load.state == state


def test_a_warm_up_that_failed_fails_its_case():
    means = Fake(read_warm_up_1={"state": "failed", "reasons": ("Gone.",)})
    cases, _ = run(profile(warm_up=1.0), means, own=False)
    assert cases[0].status is Status.FAILED
    assert cases[0].reason == "The warm-up run failed: Gone."
    assert "read measure 1" not in means.done


def test_a_fill_that_failed_fails_everything():
    means = Fake(precondition_1={"state": "failed", "reasons": ("The disk is full.",)})
    cases, _ = run(profile(), means)
    assert [case.status for case in cases.values()] == [Status.FAILED] * 2
    assert all("The disk is full." in case.reason for case in cases.values())


def test_ctrl_c_keeps_what_was_done_until_then_and_ends_all():
    means = Fake(write_measure_1={"state": "interrupted", "iops": 700.0})
    cases, _ = run(profile(), means, own=False)
    assert means.done[-1] == "write measure 1"
    assert [case.status for case in cases.values()] == [Status.MEASURED, Status.INTERRUPTED]
    assert cases[1].samples[0].values.tolist() == [700.0]
    assert cases[1].samples[0].load.state == "interrupted"


def test_ctrl_c_while_it_fills_ends_all_without_a_figure():
    cases, _ = run(profile(), Fake(precondition_1={"state": "interrupted"}))
    assert [case.status for case in cases.values()] == [Status.INTERRUPTED] * 2
    assert not any(case.samples for case in cases.values())


def test_ctrl_c_before_fio_is_started_ends_all_too(monkeypatch):
    means = Fake()

    def never(job, step):
        raise KeyboardInterrupt

    monkeypatch.setattr(means, "drive", never)
    cases, _ = run(profile(), means, own=False)
    assert [case.status for case in cases.values()] == [Status.INTERRUPTED]


def test_a_run_that_failed_while_it_was_stopped_ends_all():
    means = Fake(read_measure_1={"state": "failed", "reasons": ("Gone.",)})
    means.stopped = ("read measure 1",)
    cases, _ = run(profile(), means, own=False)
    assert means.done == ["read measure 1"]
    assert [case.status for case in cases.values()] == [Status.INTERRUPTED]


def test_targets_are_checked_before_every_run_of_fio():
    means = Fake()
    run(profile(warm_up=1.0), means)
    assert means.checks == len(means.done)


def test_a_target_that_is_another_by_now_is_not_touched():
    means = Fake()
    means.changed = "/dev/sdb isn't what it was a moment ago."
    cases, _ = run(profile(), means)
    assert not means.done
    assert {case.reason for case in cases.values()} == {means.changed}


def test_what_may_not_be_run_is_skipped_with_its_reason():
    means = Fake()
    cases, _ = run(profile(), means, own=False, skips={"write": "It writes."})
    assert (cases[1].status, cases[1].reason) == (Status.SKIPPED, "It writes.")
    assert means.done == ["read measure 1", "read measure 2"]


def test_what_else_is_compared_is_what_was_measured_and_cpu_is_that_of_the_machine_named_last():
    cases, _ = run(profile(READ), Fake(), own=False)
    also = cases[0].samples[0].also
    assert also.keys() == cases[0].further.keys() < FURTHER.keys()
    assert also["cpu share"][0] == pytest.approx(0.7)


def test_cpu_is_that_of_samples_which_lie_wholly_within_the_measured_run():
    class Sampled(Fake):
        def host_samples(self, began, ended):
            at = [began + half * SECOND // 2 for half in (1, 3, 19, 21, 23, 25)]
            user = [0.1, 0.1, 0.1, 0.1, 0.5, 0.1]
            rest = ("system", "interrupts", "waiting", "steal", "memory_used", "memory_cached")
            columns = dict.fromkeys(rest, Numbers([0.0] * 6))
            return (
                HostSamples(host="a", remote=True, at=Integers(at), user=Numbers(user), **columns),
            )

    cases, _ = run(profile(READ, warm_up=1.0, rounds=1), Sampled(), own=False)
    assert cases[0].samples[0].also["cpu share"].tolist() == [0.5]


def test_the_job_file_and_fios_own_report_are_kept():
    cases, _ = run(profile(READ), Fake(), own=False)
    assert "[read]" in cases[0].detail["job file"]
    assert "jobname" in cases[0].detail["fio result"]


def test_no_two_runs_begin_with_the_same_random_numbers():
    means = Fake()
    run(profile(warm_up=1.0), means)
    seeds = [re.search(r"^randseed=(\d+)$", job, re.MULTILINE)[1] for job in means.jobs]
    assert len(set(seeds)) == len(seeds)
