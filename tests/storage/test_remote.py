"""One connection to a host that is this machine under another name: what its readings hold."""

import time
from pathlib import Path

import pytest

from needed import needs
from patience import comes_true
from stend.machine.sampling import Here, Reading
from stend.processes.remote_shell import shell_for
from stend.storage import remote
from stend.storage.remote import Remote
from storage.shells import HERE, remote_shell


@pytest.fixture
def link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Connects over this line of sh, and ends the connection afterwards."""
    made: list[Remote] = []

    def connected(line: str = HERE) -> Remote:
        monkeypatch.setenv("STEND_REMOTE_SHELL", str(remote_shell(tmp_path, line)))
        made.append(Remote("n1", shell_for(slurm=False)))
        made[-1].connect()
        return made[-1]

    yield connected
    for each in made:
        each.end()
        each.close(patience=5.0)


def next_reading(link: Remote) -> Reading:
    """Ask, and listen until the answer is there."""
    found: list[Reading] = []

    def heard() -> bool:
        if link.ready:
            link.ask()
        found.extend(filter(None, map(link.hear, link.outputs)))
        return bool(found)

    assert comes_true(heard), link.reason
    return found[0]


def whole(reading: Reading) -> set[str]:
    """The disks but those that other tests may be making."""
    return {name for name in reading.disks if not name.startswith("loop")}


@pytest.mark.parametrize("by_cat_above", [-1, 1 << 30])
def test_another_machine_tells_what_this_one_does(
    by_cat_above: int, link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "READ", by_cat_above)
    there = next_reading(link())
    here = Here()
    now = here.read()
    here.close()
    assert whole(there) == whole(now)
    assert there.cpu is not None
    assert there.memory is not None
    assert now.memory is not None
    assert there.memory.total == now.memory.total
    assert there.uptime is not None


def test_a_host_needs_no_program_but_its_shell(link) -> None:
    there = link('eval "set -- $*"; sh=$(command -v sh); PATH=/nowhere; exec "$sh" -c "$4"')
    first, second = next_reading(there), next_reading(there)
    assert first.cpu is not None
    assert second.memory is not None
    assert second.disks


def test_a_reading_lies_between_its_request_and_its_answer(link) -> None:
    there = link()
    begun = time.monotonic_ns()
    reading = next_reading(there)
    unsure = int(reading.unsure * 1e9) + 1
    assert begun <= reading.at - unsure + 2
    assert reading.at + unsure - 2 <= time.monotonic_ns()


def test_the_clock_that_is_compared_is_the_one_seen_soonest(link) -> None:
    there = link()
    sure = []
    for _ in range(3):
        next_reading(there)
        assert there.clock is not None
        sure.append(there.clock[1])
    assert sure == sorted(sure, reverse=True)


def test_a_clock_that_is_ahead_is_told(link, tmp_path: Path) -> None:
    dash = needs("dash", "dash")  # has no clock of its own
    (tmp_path / "date").write_text('#!/bin/sh\nPATH=/usr/bin:/bin; echo "$(($(date +%s) + 100))"\n')
    (tmp_path / "date").chmod(0o755)
    there = link(
        f'eval "set -- $*"; unset EPOCHREALTIME; PATH={tmp_path}:$PATH; exec {dash} -c "$4"'
    )
    next_reading(there)
    assert there.clock is not None
    offset, uncertainty = there.clock
    assert abs(offset - 100) <= uncertainty
    assert uncertainty >= 0.5  # it tells whole seconds
