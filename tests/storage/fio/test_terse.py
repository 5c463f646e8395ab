"""Terse lines of every version become documents, to the precision that they have."""

import pytest

from stend.storage.fio.documents import documents_of, looks_terse
from stend.storage.fio.results import flows, printed_percentiles

WAYS = {2: 3, 3: 2, 4: 3, 5: 3}


def way(
    kib: int = 0, iops: int = 0, ms: int = 0, mean: float = 0.0, five: bool = False
) -> list[object]:
    percentiles = ["99.000000%=250", *["0%=0"] * 19]
    fields: list[object] = [kib, 0, iops, ms, 0, 0, 0.0, 0.0, 1, 2, 3.0, 4.0, *percentiles]
    fields += [10, 900, mean, 5.0, 0, 0, "0.0%", 0.0, 0.0]
    return fields + ([0, 0, 0, 0.0, 0.0, 0] if five else [])


def line(version: int, name: str = "one", read: dict[str, object] | None = None) -> str:
    told = [version, *(["fio-3.33"] if version > 2 else []), name, 0, 0]
    first = way(
        **(read or {"kib": 4096, "iops": 512, "ms": 2000, "mean": 190.5}), five=version == 5
    )  # type: ignore[arg-type]
    rest = way(five=version == 5) * (WAYS[version] - 1)
    behind = ["1.0%", "2.0%", 3, 0, 9, *["0.0%"] * 29, "sda", *[0] * 7, "1.0%"]
    return ";".join(map(str, [*told, *first, *rest, *behind])) + "\n"


@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_every_version_is_read(version: int) -> None:
    text = "one: (g=0): rw=read\nStarting 1 process\n\n" + line(version) + "A description\n"
    assert looks_terse(text)
    (document,) = documents_of(text)
    (flow,) = flows(document)
    assert (flow.direction, flow.operations, flow.bytes) == ("read", 1024, 4 << 20)
    assert (flow.seconds, flow.mean) == (2.0, pytest.approx(190.5e-6))
    assert (flow.least, flow.most) == pytest.approx((10e-6, 900e-6))
    assert printed_percentiles(document)[99.0] == pytest.approx(250e-6)
    assert document["fio version"] == ("" if version == 2 else "fio-3.33")


def test_jobs_of_one_report_and_reports_of_one_run_are_told_apart() -> None:
    def lines(ms: int) -> str:
        return "".join(line(3, name, {"iops": 10, "ms": ms}) for name in ("a", "b", "b"))

    found = documents_of(lines(1000) + lines(2000) + lines(3000))
    names = [[job["jobname"] for job in document["jobs"]] for document in found]
    assert names == [["a", "b", "b"]] * 3
    alone = documents_of(line(3, "a", {"ms": 1000}) + line(3, "a", {"ms": 2000}))
    assert len(alone) == 2


@pytest.mark.parametrize(
    "text", ["3;fio-3.33;one;0;0\n", "3", "", "6;" + "0;" * 200, "1, 2, 0, 0\n"]
)
def test_other_text_is_not_terse(text: str) -> None:
    assert not looks_terse(text)
    assert documents_of(text) == []


def test_a_field_that_is_no_number_is_none() -> None:
    (document,) = documents_of(line(3).replace("4096", "4e3").replace("190.5", "nan"))
    assert flows(document)[0].mean is None
    assert flows(document)[0].bytes == 0
