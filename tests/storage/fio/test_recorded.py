"""Files that versions of fio left are read as they were when this was written."""

from pathlib import Path

import pytest

from stend.record import CaseRecord
from stend.storage.fio.results_import import run_of

RESULTS = Path(__file__).parent / "results"


def case(*names: str) -> CaseRecord:
    (made,) = run_of([RESULTS / name for name in names]).cases
    return made


def figures(made: CaseRecord) -> dict[str, tuple[int, int]]:
    """Operations and bytes of each direction."""
    load = made.samples[0].load
    assert load is not None
    return {flow.direction: (flow.operations, flow.bytes) for flow in load.runs[-1].flows}


def test_json_plus_of_fio_3() -> None:
    made = case("json_plus.json")
    assert made.name == (
        "storage.randrw block=4096 depth=1 jobs=2 target=null read_percent=50 engine=null "
        "direct=0 size=64k"
    )
    assert figures(made) == {"read": (15, 61440), "write": (17, 69632)}
    load = made.samples[0].load
    assert load is not None
    histograms = [flow.histogram for flow in load.runs[-1].flows]
    assert [(h.of, sum(h.counts)) for h in histograms if h] == [("total", 15), ("total", 17)]


def test_client_of_two_servers() -> None:
    made = case("client.json")
    assert made.parameters["jobs"] == 4
    assert figures(made) == {"read": (30, 122880), "write": (34, 139264)}


@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_terse(version: int) -> None:
    made = case(f"terse_{version}.txt")
    assert made.benchmark == "storage.rw"
    assert figures(made) == {"read": (15, 61440), "write": (17, 69632)}


def test_fio_2() -> None:
    made = case("fio_2.15.json")
    assert made.name == (
        "storage.rw block=524288 depth=1 jobs=1 target=file read_percent=50 engine=psync direct=0 "
        "size=5000m"
    )
    assert figures(made) == {"read": (4985, 4985 * 512 * 1024)}
    (sample,) = made.samples
    assert sample.values is not None
    assert sample.values[0] == pytest.approx(299.633362)
    assert sample.also["bandwidth B/s"][0] == pytest.approx(153412 * 1024, rel=1e-5)
    assert sample.also["latency s"][0] == pytest.approx(2892.6e-6)
    assert sample.also["p99 s"][0] == pytest.approx(38656e-6)


def test_logs_with_their_result() -> None:
    names = [f"logs/{path.name}" for path in sorted((RESULTS / "logs").iterdir())]
    load = case(*names).samples[0].load
    assert load is not None
    (flow,) = load.runs[-1].flows
    assert flow.operations == 50
    assert list(flow.at) == [250_000_000, 500_000_000, 750_000_000]
    assert list(flow.iops) == pytest.approx([50, 50, 50], abs=5)
    assert list(flow.latency) == [2982e-9, 2148e-9, 2588e-9]
    assert sum(flow.counts) == 27
