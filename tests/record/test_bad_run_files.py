"""A bad run file is one sentence with the place, whatever is wrong with it."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from made import case, run, sample
from stend.errors import RunFileError
from stend.record.run_file import from_run_file, read_run_file, to_run_file

GOOD = to_run_file(run())
SAMPLE = "$.run.cases[0].samples[1]"


def first_case(**fields: Any) -> Callable[[Any], None]:
    return lambda file: file["run"]["cases"][0].update(fields)


def second_sample(**fields: Any) -> Callable[[Any], None]:
    return lambda file: file["run"]["cases"][0]["samples"][1].update(fields)


def every_sample(**fields: Any) -> Callable[[Any], None]:
    def change(file: Any) -> None:
        for one in file["run"]["cases"][0]["samples"]:
            one.update(fields)

    return change


def several(*changes: Callable[[Any], None]) -> Callable[[Any], None]:
    def change(file: Any) -> None:
        for one in changes:
            one(file)

    return change


IOPS = {"name": "IOPS", "unit": "IOPS", "better": "higher"}
WRITTEN = {"name": "written", "unit": "B/s", "better": "higher"}


def published(**fields: Any) -> Callable[[Any], None]:
    told = {"value": 1.0, "source": "a book", "date": "2015"} | fields
    return first_case(status="published", samples=[], published=told)


def whole_run(**fields: Any) -> Callable[[Any], None]:
    return lambda file: file["run"].update(fields)


FAULTS: dict[str, tuple[Callable[[Any], None], str]] = {
    "columns of unequal length": (second_sample(core=[1]), f"{SAMPLE}.core"),
    "an unequal further column": (second_sample(also={"x": [1.0]}), f"{SAMPLE}.also['x']"),
    "negative ticks": (second_sample(ticks=[1, -5, 3]), f"{SAMPLE}.ticks"),
    "a fraction among ticks": (second_sample(ticks=[1, 2.5, 3]), f"{SAMPLE}.ticks"),
    "true among ticks": (second_sample(ticks=[1, True, 3]), f"{SAMPLE}.ticks"),
    "ticks beyond 64 bits": (second_sample(ticks=[1, 2**63, 3]), f"{SAMPLE}.ticks"),
    "ticks that are no list": (second_sample(ticks=3), f"{SAMPLE}.ticks"),
    "lists in a column": (second_sample(ticks=[[], [], []]), f"{SAMPLE}.ticks"),
    "text among values": (second_sample(values=["1", 2, 3]), f"{SAMPLE}.values"),
    "a core below none": (second_sample(core=[0, -2, 0]), f"{SAMPLE}.core"),
    "preempted twice": (second_sample(preempted=[0, 2, 0]), f"{SAMPLE}.preempted"),
    "a clock that stands": (second_sample(hz=0), f"{SAMPLE}.hz"),
    "a clock that runs backwards": (second_sample(hz=-1.0), f"{SAMPLE}.hz"),
    "no clock frequency": (second_sample(hz=None), f"{SAMPLE}.hz"),
    "a core that stands": (second_sample(core_hz=[1.0, 0.0]), f"{SAMPLE}.core_hz"),
    "a clock of denormal frequency": (second_sample(hz=5e-324), f"{SAMPLE}.hz"),
    "a clock faster than any": (second_sample(hz=1e308), f"{SAMPLE}.hz"),
    "a batch of centuries": (second_sample(batch=2**62), f"{SAMPLE}.batch"),
    "repetitions of no time": (second_sample(ticks=[0, 0, 0]), f"{SAMPLE}.ticks"),
    "a repetition before the last": (second_sample(started=[5, 3, 9]), f"{SAMPLE}.started"),
    "work beyond measure": (first_case(work={"bytes": 1e308}), "$.run.cases[0].work.bytes"),
    "work too small to reckon with": (
        first_case(work={"bytes": 5e-324}), "$.run.cases[0].work.bytes",
    ),
    "values too large to be squared": (second_sample(values=[1e308, 1, 2]), f"{SAMPLE}.values"),
    "values too small to divide by": (second_sample(values=[5e-324, 1, 2]), f"{SAMPLE}.values"),
    "a further column too large": (
        second_sample(also={"injected B/s": [-1e300, 0, 0]}), f"{SAMPLE}.also['injected B/s']",
    ),
    "a mean beyond measure": (
        second_sample(stop={"rule": "rounds", "criterion": "tight", "mean": 1e308}),
        f"{SAMPLE}.stop.mean",
    ),
    "less than nothing read in a second": (
        several(first_case(metric=IOPS), every_sample(values=[5.0, -5.0, 5.0])),
        "$.run.cases[0].samples[0].values",
    ),
    "bandwidth of less than nothing": (second_sample(values=[1.0, -1.0, 1.0]), f"{SAMPLE}.values"),
    "a rate of less than nothing among further figures": (
        several(
            first_case(further={"written B/s": WRITTEN}),
            every_sample(also={"written B/s": [1.0, 1.0, -1.0]}),
        ),
        "$.run.cases[0].samples[0].also['written B/s']",
    ),
    "a mean rate below nothing": (
        second_sample(stop={"rule": "rounds", "criterion": "tight", "mean": -1.0}),
        f"{SAMPLE}.stop.mean",
    ),
    "a published rate of less than nothing": (
        published(value=-1.0), "$.run.cases[0].published",
    ),
    "memory of no bandwidth to speak of": (
        lambda file: file["run"]["machine"].update(memory_bandwidth=5e-324),
        "$.run.machine.memory_bandwidth",
    ),
    "less memory than none": (
        lambda file: file["run"]["machine"].update(memory_bytes=-1), "$.run.machine.memory_bytes",
    ),
    "a batch of none": (second_sample(batch=0), f"{SAMPLE}.batch"),
    "a batch beyond 64 bits": (second_sample(batch=10**25), f"{SAMPLE}.batch"),
    "a warm-up of less than none": (second_sample(warm_up=-1), f"{SAMPLE}.warm_up"),
    "a process before the first": (second_sample(process=-1), f"{SAMPLE}.process"),
    "a process twice": (second_sample(process=0), "$.run.cases[0].samples"),
    "a sample of nothing": (
        second_sample(started=[], ticks=[], core=[], preempted=[]), f"{SAMPLE}.ticks",
    ),
    "a wrong proof of a measured case": (
        second_sample(proof={"right": False, "said": ""}), f"{SAMPLE}.proof.right",
    ),
    "an unknown caution": (second_sample(cautions=["tired"]), f"{SAMPLE}.cautions[0]"),
    "a round that begins after the end": (
        second_sample(stop={"rule": "rounds", "criterion": "tight", "accepted_from": 4}),
        f"{SAMPLE}.stop.accepted_from",
    ),
    "an unknown status": (first_case(status="splendid"), "$.run.cases[0].status"),
    "a failure without a reason": (first_case(status="failed"), "$.run.cases[0].reason"),
    "a measured case without samples": (first_case(samples=[]), "$.run.cases[0].samples"),
    "a published figure beyond measure": (
        published(value=1e300), "$.run.cases[0].published.value",
    ),
    "a published figure of nothing to speak of": (
        published(value=5e-324), "$.run.cases[0].published.value",
    ),
    "a published spread whose end is beyond measure": (
        published(high=1e300), "$.run.cases[0].published.high",
    ),
    "a published spread that descends": (
        published(low=2.0, high=0.5), "$.run.cases[0].published.low",
    ),
    "bandwidth of no bytes": (first_case(work={"flops": 1.0}), "$.run.cases[0].work.bytes"),
    "less work than none": (first_case(work={"bytes": -1.0}), "$.run.cases[0].work.bytes"),
    "a unit nobody reported": (
        first_case(metric={"name": "power", "unit": "W", "better": "lower"}),
        "$.run.cases[0].samples[0].values",
    ),
    "a case without a name": (first_case(benchmark=""), "$.run.cases[0].benchmark"),
    "a parameter that is a list": (first_case(parameters={"n": []}), "$.run.cases[0].parameters"),
    "an escape sequence in a name": (first_case(variant="\x1b[2J"), "$.run.cases[0].variant"),
    "an escape sequence in a text": (
        first_case(detail={"stderr": "\x1b]0;gotcha\x07"}), "$.run.cases[0].detail['stderr']",
    ),
    "a line break in a name": (first_case(benchmark="a\nb"), "$.run.cases[0].benchmark"),
    "an escape sequence in a key": (
        first_case(parameters={"\x1b[2J": 1}), "$.run.cases[0].parameters['\\x1b[2J']",
    ),
    "writing turned round": (whole_run(label="\u202egnp.exe"), "$.run.label"),
    "half a surrogate pair": (whole_run(label="\ud800"), "byte"),
    "a name of ten megabytes": (whole_run(label="x" * 10**7), "$.run.label"),
    "a text of ten megabytes": (first_case(question="x" * 10**7), "$.run.cases[0].question"),
    "an id like a path": (whole_run(id="../../../../../../etc/passwd"), "$.run.id"),
    "an id in capitals": (whole_run(id="0123456789ABCDEF" * 2), "$.run.id"),
    "a time of day that is none": (whole_run(started="2026-13-01T00:00:00Z"), "$.run.started"),
    "a time in another zone": (whole_run(finished="2026-11-21T10:00:00+03:00"), "$.run.finished"),
    "an unknown size": (whole_run(size="huge"), "$.run.size"),
    "a record of another version": (whole_run(schema=2), "$.run.schema"),
    "a hundred thousand and one words": (whole_run(command=["x"] * 100_001), "$.run.command"),
    "a cache shared by nobody": (
        lambda file: file["run"]["machine"]["caches"][0].update(shared_by=0),
        "$.run.machine.caches[0].shared_by",
    ),
    "a watch of unequal columns": (
        lambda file: file["run"]["conditions"].update(
            watched={"at": [1, 2], "steal": [0], "others": [0, 0], "mhz": [0, 0]}
        ),
        "$.run.conditions.watched.steal",
    ),
    "no run": (lambda file: file.pop("run"), "`run`"),
    "no version": (lambda file: file.pop("schema"), "`schema`"),
    "another kind of file": (lambda file: file.update(stend="plan"), "$.stend"),
    "a version before the first": (lambda file: file.update(schema=0), "version 0"),
    "a version that is no integer": (lambda file: file.update(schema=1.5), "$.schema"),
}  # fmt: skip

TEXTS = {
    "nothing": b"",
    "spaces": b" \n ",
    "binary": bytes(range(256)),
    "a list": b"[]",
    "null": b"null",
    "a byte-order mark": b"\xef\xbb\xbf" + GOOD,
    "two runs": GOOD + GOOD,
    "half a character": GOOD.replace(b'"made"', b'"\xff"'),
    "an infinite frequency": GOOD.replace(b'"hz":1000000000.0', b'"hz":1e999'),
    "Infinity": GOOD.replace(b'"hz":1000000000.0', b'"hz":Infinity'),
    "NaN": GOOD.replace(b'"hz":1000000000.0', b'"hz":NaN'),
    "an integer of 5,000 digits": GOOD.replace(b'"batch":1', b'"batch":' + b"1" * 5000),
    "a depth bomb": b"[" * 1_000_000,
    "a depth bomb in a field nobody knows": GOOD.replace(
        b'"label"', b'"x":' + b"[" * 100_000 + b"]" * 100_000 + b',"label"'
    ),
    "a depth bomb in a column": GOOD.replace(b'"ticks":[', b'"ticks":[' + b"[" * 100_000),
}


def sentence(text: bytes) -> str:
    with pytest.raises(RunFileError) as caught:
        from_run_file(text, "theirs.json")
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 400
    assert "theirs.json" in said
    return said


@pytest.mark.parametrize("fault", FAULTS)
def test_an_unsound_run_file_is_one_sentence_with_the_place(fault: str) -> None:
    spoil, place = FAULTS[fault]
    file = json.loads(GOOD)
    spoil(file)
    assert place in sentence(json.dumps(file).encode())


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_no_run_file_is_one_sentence(text: str) -> None:
    sentence(TEXTS[text])


def test_a_run_file_cut_anywhere_is_one_sentence() -> None:
    for length in range(len(GOOD.rstrip()) - 1):
        with pytest.raises(RunFileError):
            from_run_file(GOOD[:length])


def test_a_newer_run_file_names_both_versions() -> None:
    said = sentence(b'{"stend":"run","schema":7,"run":{"everything":"is different"}}')
    assert "version 7" in said
    assert "versions 1 to 1" in said


def test_a_swarm_of_tiny_strings_is_refused_before_it_takes_memory() -> None:
    swarm = GOOD.replace(b'"isa":[', b'"isa":[' + b'"",' * 10_000_001)
    assert "more than 10,000,000" in sentence(swarm)


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(GOOD)
    assert read_run_file(path, limit=len(GOOD)) == run()
    with pytest.raises(RunFileError, match=f"has {len(GOOD):,} bytes; at most 1,000 are read"):
        read_run_file(path, limit=1000)


def test_a_sparse_file_of_a_terabyte_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sparse.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(RunFileError, match="too large"):
        read_run_file(path)


def test_a_device_without_end_is_read_up_to_the_limit() -> None:
    with pytest.raises(RunFileError, match="it goes on; at most 5,000 are read"):
        read_run_file("/dev/zero", limit=5000)


def test_a_pipe_is_read(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, GOOD)
    os.close(writer)
    assert read_run_file(f"/dev/fd/{reader}") == run()
    os.close(reader)


@pytest.mark.parametrize("name", ["missing.json", ".", "a/b.json", "a\0b", "\x1b[2J" + "n" * 300])
def test_what_cannot_be_opened_is_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="can't be read") as caught:
        read_run_file(tmp_path / name)
    assert str(caught.value).isprintable()


def test_many_honest_cases_are_read() -> None:
    many = run(tuple(case((sample([1e-3]),), parameters={"n": n}) for n in range(2000)))
    assert from_run_file(to_run_file(many)) == many
