"""What was measured once is read for ever: run files of every version, kept in tests/old_runs."""

from math import isnan
from pathlib import Path

import pytest

from stend.record import SCHEMA, Status
from stend.record.cautions import Caution
from stend.record.run_file import from_run_file, read_run_file, to_run_file

OLD = Path(__file__).parents[1] / "old_runs"


@pytest.mark.parametrize(
    "path", sorted(OLD.glob("*/*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_an_old_run_file_is_read(path: Path) -> None:
    old = read_run_file(path)
    assert from_run_file(to_run_file(old)) == old


def test_every_version_has_a_kept_run_file() -> None:
    kept = {path.parent.name for path in OLD.glob("*/*.json")}
    assert kept == {str(version) for version in range(1, SCHEMA + 1)}


def test_version_1_means_today_what_it_meant_then() -> None:
    old = read_run_file(OLD / "1" / "every_field.json")
    power = old.cases[1]
    assert (old.label, old.finished, old.machine.cpu_limit) == ("ночь 1", None, 1.5)
    assert power.parameters == {"threads": 2, "sync": True, "size": 1.5, "path": "disk"}
    assert power.samples[0].ticks.tolist() == [500_000, 550_000, 450_000]
    assert power.samples[0].cautions == (Caution.NOISY, Caution.TIME_LIMIT)
    assert power.samples[0].values is not None
    assert isnan(power.samples[0].values[1])
    assert [case.status for case in old.cases[2:4]] == [Status.SKIPPED, Status.CRASHED]
    assert old.conditions.watched is not None
    assert old.conditions.watched.steal.tolist() == [0.0, 0.03]
