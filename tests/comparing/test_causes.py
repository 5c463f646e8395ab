"""What differs between two sides, what of it can be a cause, and what it is told beside."""

import pytest
from msgspec.structs import replace

import made
from stend.comparing import Comparison, Family, Judgement, Verdict, differences, likely_causes
from stend.comparing.judgement import Side
from stend.record import Cache, Conditions, Disk, Disturbance, Metric, NumaNode

TIME = Metric(name="time", unit="s", better="lower")
OLD = made.machine(kernel="Linux 5.10.0", mitigations={"spectre_v2": "Not affected"})
NEW = made.machine(kernel="Linux 6.1.0", mitigations={"spectre_v2": "Mitigation: Retpolines"})


def run(machine=OLD, seen=(), hz=None, **also):
    said = {
        "steal": "The hypervisor took 9% of the CPU time.",
        "load": "Others kept 0.9 cores busy.",
    }
    during = tuple(Disturbance(kind=kind, said=said[kind]) for kind in seen)
    samples = (made.sample(core_hz=(hz, hz) if hz else None),)
    return made.run(
        (made.case(samples),), machine=machine, conditions=Conditions(during=during), **also
    )


def named(found):
    return {d.what: d for d in found}


def compared(rows, found, b="b"):
    sides = (Side(id=i * 32, label="", started="", host=None) for i in ("a", b))
    a, b = sides
    return Comparison(a=a, b=b, confidence=0.99, smallest=0.01, rows=rows, differences=found)


def row(benchmark, verdict, ratio, metric=TIME, **parameters):
    return Judgement(
        name=benchmark,
        benchmark=benchmark,
        parameters=parameters,
        variants=("", ""),
        metric=metric,
        verdict=verdict,
        ratio=ratio,
        p=ratio and 0.001,
    )


def test_a_kernel_update_is_told_with_what_it_moves():
    found = differences(run(OLD), run(NEW))
    assert [(d.what, d.kind, d.a, d.b) for d in found] == [
        ("kernel", "kernel", "Linux 5.10.0", "Linux 6.1.0"),
        ("mitigation of spectre_v2", "mitigations", "Not affected", "Mitigation: Retpolines"),
    ]
    assert all(d.cause and d.why.endswith(".") for d in found)
    assert {"threads", "storage"} <= set(found[0].concerns) & set(found[1].concerns)


def test_what_can_be_a_cause_comes_first():
    other = replace(NEW, host="elsewhere", governor="performance")
    found = differences(run(replace(OLD, governor=None)), run(other))
    assert [d.what for d in found] == [
        "kernel",
        "mitigation of spectre_v2",
        "governor",
        "host",
    ]
    assert [d.cause for d in found] == [True, True, False, False]
    assert found[2].why == "It is not known for both sides."


def test_a_fact_that_runs_of_both_sides_share_is_no_cause():
    found = differences([run(OLD), run(NEW)], [run(NEW), run(NEW)])
    kernel = named(found)["kernel"]
    assert not kernel.cause
    assert kernel.a == "Linux 5.10.0 or Linux 6.1.0"
    assert kernel.why == "It varies within a side, too."


def test_a_fact_that_parts_the_sides_is_a_cause_though_one_varies():
    newest = replace(NEW, kernel="Linux 6.2.0")
    kernel = named(differences([run(OLD)], [run(NEW), run(newest)]))["kernel"]
    assert kernel.cause
    assert kernel.b == "Linux 6.1.0 or Linux 6.2.0"


def test_sides_whose_runs_have_the_same_values_do_not_differ():
    assert differences([run(OLD), run(NEW)], [run(NEW), run(OLD), run(OLD)]) == ()


def test_a_disturbance_of_one_side_alone_is_told():
    (steal,) = differences([run(), run()], [run(seen=["steal"]), run()])
    assert (steal.what, steal.kind, steal.a) == ("condition: steal", "conditions", "–")
    assert steal.b == "In 1 of 2 runs: The hypervisor took 9% of the CPU time."
    assert steal.cause


def test_a_disturbance_that_runs_of_both_sides_saw_is_no_cause():
    assert differences(run(seen=["load"]), run(seen=["load"])) == ()
    (load,) = differences([run(seen=["load"]), run()], [run(seen=["load"])])
    assert not load.cause


@pytest.mark.parametrize(("hz", "told"), [(2.8e9, True), (3.05e9, False)])
def test_cores_that_ran_at_another_frequency_are_told(hz, told):
    found = named(differences(run(hz=3.1e9), run(hz=hz)))
    assert ("core frequency" in found) == told
    if told:
        d = found["core frequency"]
        assert (d.a, d.b, d.kind) == ("3.10 GHz", "2.80 GHz", "clock")


def test_frequencies_that_runs_of_a_side_differ_by_are_no_difference():
    assert differences([run(hz=3.1e9), run(hz=2.7e9)], [run(hz=2.8e9)]) == ()


def test_a_program_that_changed_is_told_by_the_beginning_of_its_sum():
    details = [{"program": f"triad, SHA-256 {digest}"} for digest in ("a1" * 32, "b2" * 32)]
    runs = [made.run((made.case(benchmark="own.triad", detail=detail),)) for detail in details]
    (found,) = differences(*runs)
    assert found.what == "program of own.triad"
    assert (found.a, found.b) == ("triad, SHA-256 a1a1a1a1a1a1", "triad, SHA-256 b2b2b2b2b2b2")
    assert found.concerns == ("own",)


@pytest.mark.parametrize(
    ("benchmark", "variant", "old", "new"),
    [
        ("linpack.lu", "openblas", "OpenBLAS 0.3.21", "OpenBLAS 0.3.28"),
        ("fft.complex2d", "fftw", "FFTW 3.3.8", "FFTW 3.3.10"),
        ("mpi.pingpong", "openmpi", "Open MPI 4.1.4; one node", "Open MPI 5.0.1; two nodes"),
    ],
)
def test_the_version_of_a_library_concerns_its_family(benchmark, variant, old, new):
    runs = [
        made.run((made.case(benchmark=benchmark, variant=variant, detail={"about": about}),))
        for about in (old, new)
    ]
    (found,) = differences(*runs)
    family = benchmark.partition(".")[0]
    assert found.what == f"library of {family} {variant}"
    assert (found.a, found.b) == (old.partition(";")[0], new.partition(";")[0])
    assert (found.kind, found.concerns) == ("library", (family,))


def test_a_library_that_only_one_side_measured_is_no_difference():
    one = made.case(benchmark="fft.complex2d", variant="mkl", detail={"about": "MKL 2024"})
    assert differences(made.run((one,)), made.run()) == ()


def test_markup_and_control_characters_of_facts_stay_text():
    strange = replace(NEW, kernel="<script>alert(1)</script>\x1b[31m\n", mitigations={})
    kernel = named(differences(run(OLD), run(strange)))["kernel"]
    assert kernel.b == r"<script>alert(1)</script>\x1b[31m\n"


def test_facts_are_told_as_people_read_them():
    cache = Cache(level=1, kind="data", bytes=48 << 10, ways=12, count=2)
    node = NumaNode(index=0, bytes=8 << 30, cpus=(0, 1, 2, 5), distances=(10,))
    disk = Disk(name="vda", bytes=256 << 30, rotational=False, scheduler="none")
    machine = made.machine(
        usable=(0, 1, 2, 5),
        caches=(cache,),
        numa=(node,),
        disks=(disk,),
        sockets=(((0, 2), (1, 5)),),
        memory_bandwidth=51.2e9,
    )
    said = {d.what: d.b for d in differences(run(made.machine()), run(machine))}
    assert said["usable"] == "0–2, 5"
    assert said["caches"] == "2 × L1d 48 KiB, 12 ways"
    assert said["numa"] == "node 0: 8 GiB, CPUs 0–2, 5, 10 far"
    assert said["disks"] == "vda 256 GiB solid scheduler none"
    assert said["sockets"] == "2 cores (0+2, 1+5)"
    assert said["memory bandwidth"] == "51.2 GB/s"


def test_memory_that_a_kernel_counts_a_page_less_of_has_not_changed():
    fewer = replace(OLD, memory_bytes=OLD.memory_bytes - 4096)
    assert differences(run(OLD), run(fewer)) == ()


def test_nothing_is_told_where_nothing_moved():
    rows = (row("threads.create", Verdict.SAME, 1.0), row("noise.lost", Verdict.CANNOT_TELL, 2.0))
    assert likely_causes(compared(rows, differences(run(OLD), run(NEW)))) == ()


def test_what_moved_is_told_beside_what_differs():
    rows = (
        row("threads.create", Verdict.SLOWER, 1.12),
        row("threads.switch", Verdict.SLOWER, 1.12),
        row("threads.barrier", Verdict.SAME, 1.0),
    )
    (told,) = likely_causes(compared(rows, differences(run(OLD), run(NEW))))
    assert told.said == (
        "threads: slower by 12% in 2 of 3 cases; differences between the sides that can affect "
        "it: kernel (Linux 5.10.0 → Linux 6.1.0), mitigation of spectre_v2 (Not affected → "
        "Mitigation: Retpolines)."
    )
    assert told.speed == pytest.approx(1 / 1.12)
    assert [d.what for d in told.causes] == ["kernel", "mitigation of spectre_v2"]


def test_what_is_not_known_to_move_a_family_is_not_named_for_it():
    found = differences(run(OLD), run(NEW))
    (told,) = likely_causes(compared((row("gost.magma", Verdict.FASTER, 0.5),), found))
    assert told.causes == ()
    assert told.said == (
        "gost: faster by a factor of 2; no difference between the sides is known to affect it."
    )


def test_what_varies_within_a_side_is_named_for_nothing():
    found = differences([run(OLD), run(NEW)], [run(NEW)])
    (told,) = likely_causes(compared((row("threads.create", Verdict.SLOWER, 1.2),), found))
    assert told.causes == ()


def test_a_family_that_moved_both_ways_is_told_twice():
    rows = (
        row("threads.create", Verdict.SLOWER, 1.12),
        row("threads.switch", Verdict.FASTER, 0.5),
        row("threads.wake", Verdict.ONLY_A, None),
    )
    told = likely_causes(compared(rows, ()))
    assert [(t.verdict, t.moved, t.cases) for t in told] == [
        (Verdict.SLOWER, 1, 2),
        (Verdict.FASTER, 1, 2),
    ]


def test_a_case_counts_once_however_many_of_its_figures_moved():
    rows = (
        row("storage.read", Verdict.SLOWER, 1.5),
        row("storage.read", Verdict.SLOWER, 4.0, figure="p99"),
        row("storage.read", Verdict.SAME, 1.0, figure="cpu"),
        row("storage.write", Verdict.SAME, 1.0),
        row("storage.write", Verdict.SLOWER, 2.0, figure="p99"),
        row("storage.randread", Verdict.SAME, 1.0),
        row("storage.randread", Verdict.SAME, 1.0, figure="p99"),
    )
    (told,) = likely_causes(compared(rows, ()))
    assert (told.moved, told.cases) == (2, 3)
    assert told.speed == pytest.approx((1.5 * 2.0) ** -0.5)


def test_each_benchmark_of_what_moved_has_the_same_weight():
    sizes = tuple(row("fft.a", Verdict.FASTER, 0.5, size=size) for size in range(9))
    (told,) = likely_causes(compared((*sizes, row("fft.b", Verdict.FASTER, 0.125)), ()))
    assert told.speed == pytest.approx(4)


def family(name, verdict, speed, cases):
    return Family(name=name, cases=cases, counts={}, verdict=verdict, speed=speed)


def test_where_all_of_a_family_moved_it_moved_by_what_the_family_did():
    rows = (row("fft.a", Verdict.FASTER, 0.5), row("fft.b", Verdict.FASTER, 0.5))
    whole = replace(compared(rows, ()), families=(family("fft", Verdict.FASTER, 1.9, 2),))
    (told,) = likely_causes(whole)
    assert told.said.startswith("fft: faster by 90%; ")


def test_one_case_of_a_family_moved_by_what_its_row_shows():
    whole = family("fft", Verdict.SLOWER, 1 / 1.25, 1)
    one = replace(compared((row("fft.a", Verdict.SLOWER, 1.25),), ()), families=(whole,))
    (told,) = likely_causes(one)
    assert told.said.startswith("fft: slower by 25%; ")


def test_a_family_that_moved_as_a_whole_alone_is_told_too():
    rows = tuple(row(f"fft.{x}", Verdict.CANNOT_TELL, 1.04) for x in "abc")
    whole = replace(compared(rows, ()), families=(family("fft", Verdict.SLOWER, 0.96, 3),))
    (told,) = likely_causes(whole)
    assert (told.moved, told.cases) == (0, 3)
    assert told.said.startswith("fft: slower by 4% over all 3 cases, though in no single one; ")


@pytest.mark.parametrize(("verdict", "ratio", "named"), [
    (Verdict.FASTER, 0.9, ["core frequency"]), (Verdict.SLOWER, 1.1, []),
])  # fmt: skip
def test_a_clock_that_rose_made_nothing_slower(verdict, ratio, named):
    moved = replace(row("peak.int32", verdict, ratio), hz=(2.8e9, 3.1e9))
    (told,) = likely_causes(compared((moved,), differences(run(hz=2.8e9), run(hz=3.1e9))))
    assert [d.what for d in told.causes] == named


def test_of_two_variants_in_turn_no_machine_is_blamed():
    rows = (row("threads.create", Verdict.SLOWER, 1.12),)
    assert likely_causes(compared(rows, (), b="a")) == ()
