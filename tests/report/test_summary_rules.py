"""What stands out: each rule speaks where it is sure, and keeps silent else."""

import pytest

import made
from report.figures_of import BANDWIDTH, RATE, SHARE, TIME, case, figures, told, wide
from stend.benchmarks.definition import _registered
from stend.record import Conditions, Integers, Metric, NumaNode, Numbers, Watched, Work
from stend.record.cautions import Caution
from stend.report.summary.figures import Finding
from stend.report.summary.rules import MOST, RULES, findings
from stend.report.summary.rules.figures import (
    core_apart,
    default_loses,
    link_apart,
    long_tail,
    slow_library,
    two_modes,
)
from stend.report.summary.rules.literature import cpu_full, published_comparison, storage_tail
from stend.report.summary.rules.processor import (
    cache_unlike_reported,
    core_lost,
    far_from_bandwidth,
    far_from_peak,
    latency_under_load,
    poor_scaling,
    slower_clock,
)

MIB = 1 << 20


def lu(rate, variant="openblas", n=2000, threads=1, make=case, **also):
    return make("linpack.lu", rate, RATE, variant=variant, parameters={"n": n, "threads": threads},
                work=Work(flops=2 * n**3 / 3), **also)  # fmt: skip


def peak(rate=100e9):
    return case("peak.float64", rate, RATE, parameters={"threads": 1}, work=Work(flops=1e8))


def test_an_lu_far_below_the_measured_peak_stands_out():
    (said,) = told(far_from_peak, peak(), lu(33e9), lu(20e9, "atlas"))
    assert "by openblas" in said
    assert "32.9% of the peak" in said


@pytest.mark.parametrize(
    "cases", [(peak(), lu(80e9)), (peak(), lu(33e9, n=1000)), (lu(33e9),), (peak(), lu(50.1e9))]
)
def test_an_lu_near_the_peak_a_small_one_or_one_without_a_peak_does_not(cases):
    assert told(far_from_peak, *cases) == []


def test_of_more_threads_only_larger_systems_are_held_against_the_peak():
    where = {"n": 3000, "threads": 8}
    cases = [case("peak.float64", 8e11, RATE, parameters={"threads": 8}, work=Work(flops=8e8)),
             case("linpack.lu", 1e11, RATE, variant="openblas", parameters=where,
                  work=Work(flops=2 * 3000**3 / 3))]  # fmt: skip
    assert told(far_from_peak, *cases) == []


def test_an_lu_whose_interval_reaches_half_the_peak_does_not_stand_out():
    assert told(far_from_peak, peak(), lu(33e9, make=wide)) == []


def triad(rate, threads=1, make=case):
    return make("stream.triad", rate, BANDWIDTH, work=Work(bytes=24e6 * threads),
                parameters={"threads": threads, "elements": 16 * MIB})  # fmt: skip


def test_memory_at_a_third_of_its_theoretical_bandwidth_stands_out():
    fast = made.machine(memory_bandwidth=100e9)
    (said,) = told(far_from_bandwidth, triad(33e9, 2), machine=fast)
    assert "33% of the 100 GB/s" in said
    assert told(far_from_bandwidth, triad(80e9, 2), machine=fast) == []
    assert told(far_from_bandwidth, triad(33e9, 2, make=wide), machine=fast) == []
    assert told(far_from_bandwidth, triad(33e9), machine=fast) == []  # of one core of two
    assert told(far_from_bandwidth, triad(33e9, 2)) == []  # the modules are unknown


def chains(rate, threads=1, make=case, **also):
    return make("peak.float64", rate, RATE, parameters={"threads": threads}, **also)


def test_cores_that_give_little_together_stand_out():
    (said,) = told(poor_scaling, chains(46e9), chains(49e9, 2))
    assert said.startswith("2 threads on 2 cores are only 1.07 times as fast as one, 53.3%")
    assert said.endswith(" GFLOP/s.")


def test_a_virtual_machine_whose_cores_give_little_is_told_what_they_may_be():
    (said,) = told(poor_scaling, chains(46e9), chains(49e9, 2), machine=made.machine(
        virtualisation="KVM"))  # fmt: skip
    assert said.endswith("may be threads that share a core of the host.")


@pytest.mark.parametrize(
    "cases",
    [
        (chains(46e9), chains(90e9, 2)),
        (chains(46e9), chains(60e9, 2)),
        (chains(46e9), chains(49e9, 2, make=wide)),
        (chains(49e9, 2), chains(50e9, 4)),
        (chains(46e9),),
        (lu(40e9), lu(41e9, threads=2, n=1000)),
    ],
)
def test_cores_that_scale_or_may_scale_do_not(cases):
    assert told(poor_scaling, *cases) == []


def test_threads_that_share_a_core_are_not_expected_to_be_twice_as_fast():
    one_core = made.machine(cores=1, smt=True, sockets=(((0, 1),),))
    assert told(poor_scaling, chains(46e9), chains(49e9, 2), machine=one_core) == []
    unknown = made.machine(cores=None, smt=None)
    assert told(poor_scaling, chains(46e9), chains(49e9, 2), machine=unknown) == []


def test_four_threads_on_two_cores_are_held_to_two():
    two = made.machine(threads=4, usable=(0, 1, 2, 3), smt=True, sockets=(((0, 2), (1, 3)),))
    (said,) = told(poor_scaling, chains(46e9), chains(50e9, 4), machine=two)
    assert said.startswith("4 threads on 2 cores are only 1.09 times as fast")
    assert told(poor_scaling, chains(46e9), chains(60e9, 4), machine=two) == []


def test_a_quota_of_one_core_expects_no_more_of_two():
    assert told(poor_scaling, chains(46e9), chains(46e9, 2),
                machine=made.machine(cpu_limit=1.0)) == []  # fmt: skip


def test_what_the_memory_bounds_is_not_expected_to_scale():
    streamed = [triad(46e9), triad(47e9, 2)]
    assert told(poor_scaling, *streamed) == []
    ciphered = [kuznyechik(9e9, threads=t, work=Work(bytes=64 * MIB * t)) for t in (1, 2)]
    assert told(poor_scaling, *ciphered) == []
    within = [kuznyechik(9e9, threads=t, work=Work(bytes=16384 * t)) for t in (1, 2)]
    assert len(told(poor_scaling, *within)) == 1


def cores(*seconds, make=case):
    return [make("cores.latency", s, TIME, parameters={"cpu": i}) for i, s in enumerate(seconds)]


def test_a_core_unlike_all_others_stands_apart():
    (said,) = told(core_apart, *cores(50e-9, 51e-9, 50.5e-9, 49.5e-9, 50e-9, 90e-9))
    assert said.startswith("CPU 5 is an outlier: time 90.00 ± ")
    assert "1.80 times the median of the other 5 CPUs" in said


def test_cores_that_are_alike_few_or_all_different_do_not_stand_apart():
    assert told(core_apart, *cores(50e-9, 51e-9, 50.5e-9, 49.5e-9, 50e-9)) == []
    assert told(core_apart, *cores(50e-9, 50e-9, 90e-9)) == []
    assert told(core_apart, *cores(50e-9, 75e-9, 100e-9, 60e-9, 90e-9)) == []
    assert told(core_apart, *cores(50e-9, 51e-9, 50e-9, 49e-9, 0.0)) == []


def test_a_slow_link_between_memory_nodes_stands_apart():
    def links(slow):
        return [
            case("numa.copy", slow if (a, b) == (1, 0) else 20e9 if a != b else 40e9, BANDWIDTH,
                 parameters={"node": a, "memory": b, "block": 500_000_000})
            for a in range(3) for b in range(3)
        ]  # fmt: skip

    (said,) = told(link_apart, *links(10e9))
    assert said.startswith("The link from node 1 to the memory of node 0 is an outlier")
    assert "0.50 times the median of the other 5 links" in said
    assert told(link_apart, *links(20e9)) == []


def test_a_core_that_the_system_takes_a_part_of_stands_out():
    def lost(share, make=case):
        return make("noise.lost", share, SHARE, parameters={"cpu": 3})

    (said,) = told(core_lost, lost(0.034))
    assert said.startswith("The system and the hypervisor take 3.4")
    assert said.endswith("of CPU 3.")
    assert told(core_lost, lost(0.007)) == []
    assert told(core_lost, lost(0.012, make=wide)) == []


def curve(*latencies, make=case):
    return [
        make("memory.latency", s, TIME, parameters={"size": MIB << i, "pages": "huge"})
        for i, s in enumerate(latencies)
    ]


def test_a_last_cache_that_answers_like_memory_stands_out():
    # the made machine reports an L3 of 8 MiB
    (said,) = told(cache_unlike_reported, *curve(10e-9, 100e-9, 140e-9, 150e-9, 150e-9, 150e-9))
    assert said.startswith("The OS reports an L3 of 8 MiB, but at 2 MiB a load already takes 100")


def test_a_last_cache_that_is_there_does_not_nor_one_that_nobody_measured_beyond():
    assert told(cache_unlike_reported, *curve(10e-9, 11e-9, 13e-9, 60e-9, 140e-9, 150e-9)) == []
    assert told(cache_unlike_reported, *curve(10e-9, 100e-9, 140e-9)) == []
    beyond = curve(10e-9, 11e-9, 13e-9, 60e-9, 140e-9, 150e-9)[3:]
    assert told(cache_unlike_reported, *curve(10e-9, 100e-9, make=wide), *beyond) == []
    assert told(cache_unlike_reported, *curve(10e-9, 100e-9, 140e-9, 150e-9, 150e-9),
                machine=made.machine(caches=())) == []  # fmt: skip


def test_a_latency_that_load_doubles_stands_out():
    def loaded(*latencies):
        return [
            case("memory.loaded_latency", s, TIME, parameters={"delay": d, "size": 64 * MIB})
            for d, s in zip((0, 64, 1024), latencies, strict=True)
        ]

    (said,) = told(latency_under_load, *loaded(300e-9, 160e-9, 120e-9))
    assert "2.5 times as long" in said
    assert told(latency_under_load, *loaded(157e-9, 155e-9, 149e-9)) == []
    assert told(latency_under_load, *loaded(300e-9, 280e-9, 120e-9)[1:]) == []  # none at full speed


def test_a_core_that_wide_vectors_slow_down_stands_out():
    def at(variant, hz):
        known = case("peak.float64", 4 * hz, RATE, variant=variant, parameters={"threads": 1})
        return made.case(
            tuple(made.sample([1e-3] * 40, process=s.process, values=s.values,
                              also={"frequency Hz": Numbers([hz] * 40)}) for s in known.samples),
            benchmark="peak.float64", variant=variant, metric=RATE, parameters={"threads": 1},
        )  # fmt: skip

    (said,) = told(slower_clock, at("avx2", 3.0e9), at("avx512", 2.4e9))
    assert "2.40 GHz with avx512 (−20.0%)" in said
    assert told(slower_clock, at("avx2", 3.0e9), at("avx512", 2.97e9)) == []


@pytest.fixture
def ranked(monkeypatch):
    """A benchmark whose variants are, slowest first, older, old and new."""

    class Variant:
        available, reason = True, ""

        def __init__(self, name):
            self.name = name

    variants = [Variant("older"), Variant("old"), Variant("new")]
    monkeypatch.setitem(_registered, "a.b", made.benchmark(variants=lambda: variants))


def variant(name, seconds, make=case):
    return make("a.b", seconds, TIME, variant=name, parameters={"n": 1})


def ranked_told(*cases, monkeypatch):
    from stend.benchmarks import registry

    monkeypatch.setattr(registry, "load", lambda: (_registered, {}))
    return told(default_loses, *cases)


def test_a_default_that_loses_to_another_variant_stands_out(ranked, monkeypatch):
    (said,) = ranked_told(variant("new", 2e-3), variant("old", 1e-3), monkeypatch=monkeypatch)
    assert said.startswith("a.b (old) is 2.00 times as fast as new")


def test_a_default_that_wins_or_may_win_does_not(ranked, monkeypatch):
    for cases in (
        (variant("new", 1e-3), variant("old", 2e-3)),
        (variant("new", 2e-3, wide), variant("old", 1e-3)),
        (variant("new", 1.01e-3), variant("old", 1e-3)),
        (variant("new", 2e-3), variant("theirs", 2e-3)),
    ):
        assert ranked_told(*cases, monkeypatch=monkeypatch) == []


def test_of_variants_without_the_default_nobody_says_which_one_loses(ranked, monkeypatch):
    cases = variant("old", 2e-3), variant("older", 1e-3)
    assert ranked_told(*cases, monkeypatch=monkeypatch) == []


def test_a_benchmark_that_is_not_registered_here_has_no_default():
    assert told(default_loses, variant("new", 2e-3), variant("old", 1e-3)) == []


def test_a_library_far_behind_another_stands_out():
    (said,) = told(slow_library, lu(95e9, "own-avx512"), lu(15e9, "blis"), lu(4e9, "reference"))
    assert said.startswith("blis takes 6.3 times as long as own-avx512")
    assert told(slow_library, lu(48e9, "mkl"), lu(35e9, "openblas"), lu(4e9, "reference")) == []
    assert told(slow_library, lu(95e9, "own-avx512"), lu(15e9, "own-portable")) == []


def test_two_modes_that_are_often_taken_and_far_apart_stand_out():
    def modes(low, high, weight):
        count = round(40 * weight)
        samples = tuple(
            made.sample([low] * count + [high] * (40 - count), process=i,
                        cautions=(Caution.TWO_MODES,))
            for i in range(3)
        )  # fmt: skip
        return made.case(samples, benchmark="threads.create_join", metric=TIME, variant=None,
                         parameters={}, work=Work())  # fmt: skip

    jitter = modes(21e-6, 43e-6, 0.45)
    (said,) = told(two_modes, jitter)
    assert "21.0 µs (45%) or 43.0 µs (55%)" in said
    assert told(two_modes, modes(21e-6, 43e-6, 0.05)) == []
    assert told(two_modes, modes(21e-6, 22e-6, 0.45)) == []


def test_a_tail_far_above_the_median_in_every_process_stands_out():
    def tailed(slow, at):
        samples = tuple(
            made.sample([1e-5] * 480 + [slow] * (20 if i in at else 0), process=i) for i in range(3)
        )
        return made.case(samples, benchmark="threads.wake.one", metric=TIME, variant=None,
                         parameters={}, work=Work())  # fmt: skip

    (said,) = told(long_tail, tailed(1e-3, {0, 1, 2}))
    assert said == "threads.wake.one: one in a hundred takes 1.00 ms and longer, 100 times the " \
                   "median."  # fmt: skip
    assert told(long_tail, tailed(1e-3, {1})) == []
    assert told(long_tail, tailed(5e-5, {0, 1, 2})) == []


def test_rounds_of_many_operations_have_no_tail_of_one_in_a_hundred():
    values = Numbers([1e-8] * 480 + [1e-6] * 20)
    rounds = tuple(made.sample([1e-4] * 500, process=i, values=values) for i in range(3))
    locked = made.case(rounds, benchmark="threads.mutex.lock", metric=TIME, variant=None,
                       parameters={}, work=Work())  # fmt: skip
    assert told(long_tail, locked) == []


def storage(cpu, middle, far):
    columns = {"CPU share": cpu, "p50 s": middle, "p99 s": far}
    further = {
        "CPU share": Metric(name="CPU", unit="share", better="lower"),
        "p50 s": Metric(name="p50 latency", unit="s", better="lower"),
        "p99 s": Metric(name="p99 latency", unit="s", better="lower"),
    }
    samples = tuple(
        made.sample([1.0], process=i, values=Numbers([1e5 * (1 + i / 500)]),
                    also={n: Numbers([v * (1 + i / 500)]) for n, v in columns.items()})
        for i in range(3)
    )  # fmt: skip
    iops = Metric(name="IOPS", unit="IOPS", better="higher")
    return made.case(samples, benchmark="storage.randread", metric=iops, further=further,
                     variant=None, parameters={"block": 4096, "depth": 32, "jobs": 1})  # fmt: skip


def test_a_cpu_that_storage_fills_stands_out():
    (said,) = told(cpu_full, storage(0.96, 1e-4, 2e-4))
    assert said.startswith("Random read 4 KiB keeps 96")
    assert told(cpu_full, storage(0.5, 1e-4, 2e-4)) == []


def test_a_cpu_that_others_filled_does_not_bound_the_storage():
    def meanwhile(cores):
        seen = {n: Numbers([0.0] * 3) for n in ("steal", "mhz", "throttles", "stops")}
        others = Numbers([cores] * 3)
        watched = Watched(at=Integers([1, 2, 3]), others=others, **seen)
        return Conditions(watched=watched)

    full = storage(0.96, 1e-4, 2e-4)
    assert len(told(cpu_full, full, conditions=meanwhile(0.0))) == 1
    assert told(cpu_full, full, conditions=meanwhile(len(made.run(()).machine.usable))) == []


def test_storage_whose_99th_percentile_is_far_off_stands_out():
    (said,) = told(storage_tail, storage(0.5, 1e-4, 3e-3))
    assert "3.01 ms and longer, 30 times the median" in said
    assert told(storage_tail, storage(0.5, 1e-4, 5e-4)) == []


def kuznyechik(rate, size=64 * MIB, threads=1, make=case, **also):
    where = {"mode": "ecb", "size": size, "offset": 0, "threads": threads}
    return make("gost.kuznyechik", rate, BANDWIDTH, parameters=where, variant="avx512", **also)


def test_published_figures_that_are_surely_passed_or_missed_are_told_with_their_caveat():
    (passed,) = told(published_comparison, kuznyechik(2.38e9), kuznyechik(9e9, size=16 << 10))
    assert "Kuznyechik (ECB, one core, messages of 64 MiB): 2.380" in passed
    assert "5.0 times as fast as the fastest published figure (Elbrus-16C, 477 MB/s" in passed
    assert "one number, of other code" in passed
    (missed,) = told(published_comparison, kuznyechik(0.238e9))
    assert "50% of the speed" in missed
    assert told(published_comparison, kuznyechik(0.476e9, make=wide)) == []


@pytest.mark.parametrize("rate", [0.33e9, 0.476e9, 0.6e9, 0.71e9])
def test_published_figures_that_are_about_as_fast_are_not_told(rate):
    assert told(published_comparison, kuznyechik(rate)) == []


def test_u_net_is_set_beside_the_published_one_of_the_same_size():
    def image(side):
        return case("unet.float32", 0.305, TIME, parameters={"side": side, "threads": 1})

    (said,) = told(published_comparison, image(256))
    assert "2.0 times as fast" in said
    assert told(published_comparison, image(512)) == []


@pytest.mark.parametrize("spread", [(1.0,), (1.0, 1.001)])
def test_no_rule_speaks_of_one_or_two_processes(spread):
    """They are all silent who ask for an interval: what differs between processes is unknown."""

    def few(name, figure, metric=TIME, **also):
        return case(name, figure, metric, spread=spread, **also)

    machine = made.machine(memory_bandwidth=100e9)
    cases = (peak(), lu(20e9, make=few), lu(4e9, "blis", make=few), triad(20e9, make=few),
             triad(20e9, 2, make=few), *cores(1e-8, 1e-8, 1e-8, 1e-8, 9e-8, make=few),
             few("noise.lost", 0.5, SHARE), *curve(1e-8, 1e-7, 1e-7, 1e-7, 1e-7, make=few),
             kuznyechik(9e9, make=few))  # fmt: skip
    if len(spread) == 1:
        assert findings(figures(*cases, machine=machine)) == ()
    else:  # two processes tell their spread only to the rules that look at many cores
        assert told(far_from_peak, *cases, machine=machine) == []
        scaled = chains(20e9, make=few), chains(20e9, 2, make=few)
        assert told(poor_scaling, *scaled) == []


def test_nothing_stands_out_in_a_run_without_figures_nor_of_an_unknown_machine():
    assert findings(figures()) == ()
    unknown = made.machine(caches=(), numa=(NumaNode(index=0, bytes=None, cpus=()),), cores=None)
    assert findings(figures(case("a.b", 1e-3), machine=unknown)) == ()


def test_at_most_seven_findings_are_told_one_of_each_rule_before_a_second():
    def rule(name, count):
        return lambda _: (Finding(f"{name}{i}", 0, float(i)) for i in range(count))

    told = findings(figures(), [rule("a", 9), rule("b", 1), rule("c", 2)])
    assert [f.said for f in told] == ["a8", "b0", "c1", "a7", "c0", "a6", "a5"]
    assert len(told) == MOST


def test_every_rule_is_in_the_table_once():
    assert len({rule.__name__ for rule in RULES}) == len(RULES) == 16
