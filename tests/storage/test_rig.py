"""What a run of fio is told of its targets, and what is known of them; with no fio."""

import os
from pathlib import Path

import pytest

from stend.machine.tree import Tree
from stend.record.cautions import Caution
from stend.record.loads import StorageTarget
from stend.storage import rig
from stend.storage.fio.installation import Fio
from stend.storage.fio.workload import Workload
from stend.storage.gates import Claim
from stend.storage.phases import Step
from stend.storage.targets import Target

SIZE = 1 << 20
READ = Workload("read", "read", 4096)
STEP = Step("read", "measure", 1, 1, 1.0)


def target(path: str, kind: str = "file", *, own: bool = False) -> Target:
    record = StorageTarget(path=path, kind=kind, bytes=SIZE)  # type: ignore[arg-type]
    return Target(path, path, kind, SIZE, own, "", record)  # type: ignore[arg-type]


def a_rig(folder: Path, *targets: Target) -> rig.Rig:
    claim = Claim(targets, writing=False, overwrite=frozenset(), tree=Tree())
    none = lambda told: None  # noqa: E731
    return rig.Rig(Fio("fio", "fio-3.33"), claim, folder, None, none, none)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("targets", "rw", "readonly"),
    [
        ([target("null", "null")], "randwrite", False),
        ([target("/own", own=True), target("/theirs")], "randread", True),
        ([target("/own", own=True)], "write", False),
    ],
)
def test_fio_is_forbidden_to_write_where_the_job_only_reads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, targets: list[Target], rw: str, readonly: bool
) -> None:
    told = []
    monkeypatch.setattr(
        rig, "_heeding_drive", lambda job, folder, asked, moment: told.append(asked)
    )
    monkeypatch.setattr(rig.Claim, "stay", lambda self: None)
    a_rig(tmp_path, *targets).drive(f"[global]\nrw={rw}\n[a]\nfilename=x\n", STEP)
    assert [asked.read_only for asked in told] == [readonly]


def test_what_fio_told_stays_until_the_sample_that_it_leads_to_is_stored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rig, "_heeding_drive", lambda job, folder, asked, moment: None)
    found = a_rig(tmp_path, target("null", "null"))
    there = []
    for phase in ("warm-up", "measure", "warm-up", "measure"):
        found.drive("[a]\nrw=read\n", STEP._replace(phase=phase))
        there.append(sorted(folder.name[:4] for folder in tmp_path.iterdir()))
    assert there == [["0001"], ["0001", "0002"], ["0003"], ["0003", "0004"]]


def test_what_the_run_itself_has_written_is_not_called_unwritten(tmp_path: Path) -> None:
    file = tmp_path / "disk"
    file.write_bytes(bytes(SIZE))
    found = a_rig(tmp_path, target(str(file)))
    assert found.cautions(READ) == (Caution.UNWRITTEN,)
    file.write_bytes(os.urandom(SIZE))
    assert found.cautions(READ) == ()
