"""What a path leads to is exchanged after the last check; fio loads what was claimed."""

import os
from pathlib import Path

import pytest

from needed import needs
from stend.errors import BadValue, MeasuringError
from stend.storage.fio.installation import Fio
from stend.storage.fio.jobfile import JobTarget, fill_job
from stend.storage.gates import by_descriptor, by_path, claimed
from stend.storage.phases import Step
from stend.storage.rig import Rig
from stend.storage.targets import resolve

MIB = 1 << 20
FILL = Step("", "precondition", 1, 1, None)


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file that nobody names."""
    path = tmp_path / "victim"
    path.write_bytes(b"precious" * (MIB // 4))
    return path


@pytest.mark.parametrize("by", ["symlink", "hard link"])
def test_fio_never_opens_what_took_the_place_of_a_claimed_file(
    tmp_path: Path, victim: Path, by: str
) -> None:
    folder, run = tmp_path / "target", tmp_path / "run"
    folder.mkdir()
    run.mkdir()
    before = victim.read_bytes()
    none = lambda told: None  # noqa: E731
    with claimed(resolve([str(folder)], 2 * MIB, direct=False), writing=False, direct=False) as it:
        (target,) = it.targets
        rig = Rig(Fio(needs("fio", "fio"), "fio-3"), it, run, None, none, none)  # type: ignore[arg-type]
        job = fill_job([JobTarget(target.path, target.bytes)], direct=False)
        rig.check(job)
        Path(target.path).rename(folder / "aside")
        (Path.symlink_to if by == "symlink" else Path.hardlink_to)(Path(target.path), victim)
        with pytest.raises(MeasuringError, match=r"replaced it \(found right after the run\)"):
            rig.drive(job, FILL)
        assert victim.read_bytes() == before
        assert (folder / "aside").read_bytes() != bytes(2 * MIB)  # fio wrote what was claimed
    assert victim.read_bytes() == before


def test_a_job_names_descriptors_and_tells_their_paths() -> None:
    job = fill_job([JobTarget("/mnt/a:b", 2 * MIB)])
    handed = by_descriptor(job, {"/mnt/a:b": 7, "/mnt/c": 8})
    assert "filename=/dev/fd/7\n" in handed
    assert "description=/mnt/a\\:b\n" in handed
    assert by_path("fio: /dev/fd/7: Input/output error", {"/mnt/a:b": 7}) == (
        "fio: /mnt/a:b: Input/output error"
    )
    with pytest.raises(BadValue, match="no descriptor is held"):
        by_descriptor(job, {"/mnt/c": 8})


def test_fio_says_the_path_of_what_fails_and_not_its_descriptor(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    none = lambda told: None  # noqa: E731
    with claimed(
        resolve([str(tmp_path / "load")], 2 * MIB, direct=False), writing=False, direct=False
    ) as it:
        rig = Rig(Fio(needs("fio", "fio"), "fio-3"), it, run, None, none, none)  # type: ignore[arg-type]
        (target,) = it.targets
        job = f"[load]\nrw=read\nsize=4m\nfilename={target.path}\nallow_file_create=0\noffset=3m\n"
        driven = rig.drive(job, FILL)
    assert "/dev/fd" not in driven.stderr + str(driven.detail)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can load what others may exchange")
@pytest.mark.parametrize(
    ("owner", "mode", "refused"),
    [
        (0, 0o755, ""),
        (0, 0o1777, ""),
        (0, 0o777, "other users"),
        (0, 0o775, "other users"),
        (1234, 0o755, "user 1234, who owns it,"),
        (1234, 0o1777, "user 1234, who owns it,"),
    ],
)
def test_root_makes_no_file_where_others_can_exchange_it(
    tmp_path: Path, owner: int, mode: int, refused: str
) -> None:
    folder = tmp_path / "target"
    folder.mkdir()
    os.chown(folder, owner, -1)
    folder.chmod(mode)
    if not refused:
        assert resolve([str(folder)], 2 * MIB, direct=False)
        return
    with pytest.raises(BadValue, match=f"can be changed by {refused} while root loads a file"):
        resolve([str(folder)], 2 * MIB, direct=False)
