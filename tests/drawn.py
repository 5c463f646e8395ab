"""Runs drawn by hypothesis: every field filled, every invariant kept."""

import math
from functools import cache
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from stend import record
from stend.record import Integers, Numbers, Status, loads
from stend.record.cautions import Caution

finite = st.floats(allow_nan=False, allow_infinity=False)
positive = st.floats(min_value=0, exclude_min=True, allow_infinity=False)
not_negative = st.floats(min_value=0, allow_infinity=False)
int64 = st.integers(-(2**63), 2**63 - 1)
counts = st.integers(0, 2**63 - 1)
names = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters="\u2028\u2029"),
    min_size=1, max_size=8,
)  # fmt: skip
texts = st.text(
    st.characters(exclude_categories=("C", "Zl", "Zp")) | st.sampled_from("\n\t"), max_size=9
)
hertz = st.floats(1, 1e12)
amounts = st.floats(1e-30, 1e30)
reported = st.just(0.0) | st.floats(1e-100, 1e30) | st.floats(-1e30, -1e-100)
times = st.datetimes().map(lambda t: t.isoformat() + "Z")
scalars = st.booleans() | int64 | finite | names
facts = st.dictionaries(names, texts, max_size=2)


@cache
def perhaps(drawn: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | drawn


@cache
def few(drawn: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.lists(drawn, max_size=2).map(tuple)


@cache
def integers(n: int, least: int = -(2**63), most: int = 2**63 - 1) -> SearchStrategy[Integers]:
    return st.lists(st.integers(least, most), min_size=n, max_size=n).map(Integers)


@cache
def numbers(n: int) -> SearchStrategy[Numbers]:
    return st.lists(reported | st.just(math.nan), min_size=n, max_size=n).map(Numbers)


@cache
def not_below_0(n: int) -> SearchStrategy[Numbers]:
    return numbers(n).map(lambda column: Numbers([abs(x) for x in column]))


stops = st.builds(
    record.Stop,
    rule=st.sampled_from(["precision", "rounds", "once"]),
    criterion=names,
    half_width=perhaps(not_negative),
    effective=perhaps(not_negative),
    rounds=counts,
    restarts=counts,
    mean=perhaps(reported),
    accepted_from=st.just(0),
)


@cache
def ascending(n: int) -> SearchStrategy[Integers]:
    return st.lists(counts, min_size=n, max_size=n, unique=True).map(sorted).map(Integers)


histograms = st.integers(0, 3).flatmap(
    lambda n: st.builds(
        loads.Histogram,
        of=st.sampled_from(["total", "completion", "submission"]),
        ns=ascending(n),
        counts=integers(n, least=0),
    )
)
WATTS = record.Metric(name="power", unit="W", better="lower")
states = st.sampled_from(["ok", "partial", "failed", "interrupted"])


@st.composite
def flows(draw: DrawFn) -> loads.Flow:
    intervals = draw(st.integers(0, 3))
    bins = draw(st.integers(0, 3)) if intervals else 0
    return loads.Flow(
        direction=draw(st.sampled_from(["read", "write", "trim"])),
        operations=draw(counts),
        bytes=draw(counts),
        seconds=draw(not_negative),
        mean=draw(perhaps(not_negative)),
        least=draw(perhaps(not_negative)),
        most=draw(perhaps(not_negative)),
        histogram=draw(perhaps(histograms)),
        at=draw(ascending(intervals)),
        iops=draw(not_below_0(intervals)),
        bandwidth=draw(not_below_0(intervals)),
        latency=draw(not_below_0(intervals)),
        interval=draw(integers(bins, 0, max(0, intervals - 1))),
        ns=draw(integers(bins, least=0)),
        counts=draw(integers(bins, least=0)),
    )


fio_runs = st.builds(
    loads.FioRun,
    phase=st.sampled_from(["precondition", "warm-up", "round", "measure"]),
    state=states,
    reasons=few(texts),
    began=int64,
    asked=perhaps(not_negative),
    lasted=not_negative,
    flows=few(flows()),
)


@st.composite
def machines_beside(draw: DrawFn) -> loads.HostSamples:
    n = draw(st.integers(0, 3))
    columns = ("user", "system", "interrupts", "waiting", "steal", "memory_used", "memory_cached")
    of_disk = ("reads", "writes", "read", "written", "busy")
    return loads.HostSamples(
        host=draw(names),
        remote=draw(st.booleans()),
        offset=draw(perhaps(finite)),
        uncertainty=draw(perhaps(not_negative)),
        cpus=draw(perhaps(st.integers(1, 2**40))),
        memory_bytes=draw(perhaps(counts)),
        at=draw(integers(n)),
        disks=tuple(
            loads.DiskCourse(name=draw(names), **{name: draw(numbers(n)) for name in of_disk})
            for _ in range(draw(st.integers(0, 1)))
        ),
        **{name: draw(numbers(n)) for name in columns},
    )


some_loads = st.builds(
    loads.Load,
    fio=texts,
    state=states | st.just("unsteady"),
    reasons=few(texts),
    targets=few(
        st.builds(
            loads.StorageTarget,
            path=texts,
            kind=st.sampled_from(["file", "block device", "null"]),
            bytes=perhaps(counts),
            model=perhaps(names),
            serial=perhaps(texts),
            filesystem=perhaps(texts),
        )
    ),
    runs=few(fio_runs),
    steady=perhaps(
        st.builds(
            loads.Steady,
            reached=st.booleans(),
            rounds=counts,
            values=numbers(2),
            spread=perhaps(finite),
            excursion=perhaps(finite),
        )
    ),
    beside=few(machines_beside()),
    unread=few(texts),
)


@st.composite
def samples(draw: DrawFn, process: int, n: int, right: bool, rate: bool) -> record.Sample:
    stop = draw(stops)
    return record.Sample(
        process=process,
        clock=draw(names),
        hz=draw(hertz),
        origin=draw(int64),
        batch=draw(st.integers(1, 2**40)),
        started=draw(integers(n).map(sorted).map(Integers)),
        ticks=draw(integers(n, least=0)),
        core=draw(integers(n, least=-1)),
        preempted=draw(integers(n, 0, 1)),
        values=draw(not_below_0(n) if rate else numbers(n)),
        also=draw(st.dictionaries(names, numbers(n), max_size=2)),
        warm_up=draw(counts),
        core_hz=draw(perhaps(st.tuples(hertz, hertz))),
        stop=msgspec.structs.replace(stop, mean=abs(stop.mean)) if rate and stop.mean else stop,
        proof=record.Proof(right=right, said=draw(texts)),
        cautions=draw(few(st.sampled_from(Caution))),
        load=None if process else draw(perhaps(some_loads)),
    )


@st.composite
def figures(draw: st.DrawFn) -> record.Published:
    """A published figure, with or without ends."""
    ends = sorted(draw(st.tuples(amounts, amounts)))
    return record.Published(
        value=draw(amounts),
        low=draw(st.sampled_from([None, ends[0]])),
        high=draw(st.sampled_from([None, ends[1]])),
        source=draw(names),
        date=draw(names),
        note=draw(texts),
    )


@st.composite
def cases(draw: DrawFn) -> record.CaseRecord:
    status = draw(st.sampled_from(Status))
    printed = status is Status.PUBLISHED
    proved = status in {Status.MEASURED, Status.INTERRUPTED}
    least = int(status is Status.MEASURED)
    sizes = draw(
        st.lists(st.integers(int(proved), 5), min_size=least, max_size=0 if printed else 3)
    )
    work = record.Work(
        bytes=draw(amounts),
        flops=draw(amounts),
        operations=draw(amounts),
        blocks=draw(amounts),
        precision=draw(st.sampled_from(["float64", "float32"])),
    )
    unit = draw(st.sampled_from(["s", "B/s", "FLOP/s", "op/s", "block/s", "IOPS", "W"]))
    return record.CaseRecord(
        benchmark=draw(names),
        question=draw(texts),
        parameters=draw(st.dictionaries(names, scalars, max_size=3)),
        variant=draw(perhaps(names)),
        metric=record.Metric(
            name=draw(names),
            unit=unit,
            better=draw(st.sampled_from(["higher", "lower"])),
        ),
        further=draw(st.dictionaries(names, st.just(WATTS), max_size=1)),
        work=work,
        status=status,
        reason=draw(texts.filter(bool)),
        samples=tuple(
            draw(samples(i, n, right=proved, rate=unit not in ("s", "W")))
            for i, n in enumerate(sizes)
        ),
        side=draw(st.sampled_from(["", "A", "B"])),
        detail=draw(facts),
        published=draw(figures()) if printed else None,
    )  # fmt: skip


caches = st.builds(
    record.Cache,
    level=st.integers(1, 9),
    kind=st.sampled_from(["data", "instruction", "unified"]),
    bytes=counts,
    line_bytes=perhaps(st.integers(1, 512)),
    ways=perhaps(counts),
    shared_by=perhaps(st.integers(1, 512)),
    count=perhaps(st.integers(1, 512)),
)
nodes = st.builds(
    record.NumaNode, index=counts, bytes=perhaps(counts), cpus=few(counts), distances=few(counts)
)
disks = st.builds(
    record.Disk,
    name=names,
    bytes=perhaps(counts),
    model=perhaps(names),
    rotational=perhaps(st.booleans()),
    scheduler=perhaps(names),
)
clocks = st.builds(
    record.ClockFacts,
    name=names,
    available=st.booleans(),
    reason=texts,
    hz=perhaps(not_negative),
    hz_uncertainty=perhaps(not_negative),
    resolution=perhaps(not_negative),
    overhead=perhaps(finite),
)
machines = st.builds(
    record.Machine,
    host=perhaps(names),
    architecture=perhaps(names),
    isa=few(names),
    usable=few(counts),
    smt=perhaps(st.booleans()),
    caches=few(caches),
    numa=few(nodes),
    sockets=few(few(few(counts))),
    memory_bytes=perhaps(counts),
    memory_modules=perhaps(names),
    memory_bandwidth=perhaps(reported.map(abs)),
    cpu_limit=perhaps(not_negative),
    process_limit=perhaps(counts),
    threads_free=perhaps(counts),
    threads_limit=perhaps(names),
    disks=few(disks),
    clocks=few(clocks),
    mitigations=facts,
    versions=facts,
    unknown=facts,
)
disturbances = st.builds(
    record.Disturbance,
    kind=names,
    said=texts,
    advice=texts,
    start=perhaps(int64),
    end=perhaps(int64),
)
watches = st.integers(0, 4).flatmap(
    lambda n: st.builds(
        record.Watched,
        at=integers(n),
        steal=numbers(n),
        others=numbers(n),
        mhz=numbers(n),
        throttles=numbers(n) | numbers(0),
        stops=numbers(n) | numbers(0),
        cost=perhaps(finite),
    )
)
conditions = st.builds(
    record.Conditions,
    before=few(disturbances),
    during=few(disturbances),
    watched=perhaps(watches),
)
runs = st.builds(
    record.Run,
    id=st.binary(min_size=16, max_size=16).map(bytes.hex),
    label=names | st.just(""),
    group=st.binary(min_size=16, max_size=16).map(bytes.hex) | st.just(""),
    started=times,
    finished=perhaps(times),
    stend=names,
    command=few(texts),
    size=st.sampled_from(["quick", "full", "check"]),
    machine=machines,
    conditions=conditions,
    cases=few(cases()),
)
