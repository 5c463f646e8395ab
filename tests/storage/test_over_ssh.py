"""Machines sampled over ssh: real OpenSSH on loopback, with a server and keys of the test's own."""

import getpass
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from needed import missing, needs
from patience import comes_true
from ports import free_port
from stend.errors import MeasuringError
from stend.storage import remote
from stend.storage.host_sampler import Sampler
from storage.shells import alive, kill
from storage.test_beside import PROGRAM, known

SOON = 0.05
SERVER = """
HostKey {folder}/host
AuthorizedKeysFile {folder}/own.pub
ListenAddress 127.0.0.1
Port {port}
PidFile none
StrictModes no
UsePAM {pam}
PasswordAuthentication no
Banner {folder}/banner
PrintMotd yes
"""
CLIENT = """
Host *
    HostName 127.0.0.1
    Port {port}
    User {user}
    IdentityFile {folder}/own
    IdentitiesOnly yes
    UserKnownHostsFile {folder}/known
    StrictHostKeyChecking accept-new
"""


class Server:
    """A server that runs, and what belongs to it."""

    def __init__(self, folder: Path, port: int, process: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.port = port
        self.process = process

    @property
    def shell(self) -> str:
        """What to name in STEND_REMOTE_SHELL to reach it."""
        return f"ssh -F {self.folder}/client -T -x -o BatchMode=yes"

    @property
    def processes(self) -> list[int]:
        """What serves connections here, the loops that it runs, and the clients."""
        return sorted({*below(self.process.pid), *named(f"{self.folder}/client")})

    @property
    def clients(self) -> list[int]:
        return named(f"{self.folder}/client")


def below(root: int) -> list[int]:
    """Processes that it started, and those that they started."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(place.parent.name)] = int(words[1])
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {root})


def named(word: str) -> list[int]:
    """Processes with that word in their command."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word in place.read_bytes().decode(errors="replace").split("\0"):
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server; afterwards it is gone, and neither a client nor a loop is left."""
    sshd = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin") or needs(
        "sshd", "openssh-server"
    )
    for name in ("host", "own"):
        command = [needs("ssh-keygen", "openssh-client"), "-q", "-t", "ed25519", "-N", "", "-f"]
        subprocess.run([*command, str(tmp_path / name)], check=True)
    port = free_port()
    (tmp_path / "banner").write_text("Whoever enters here is welcome.\n")
    # An ordinary user's server can't see without PAM whether the account is locked.
    pam = "no" if os.geteuid() == 0 else "yes"
    (tmp_path / "server").write_text(SERVER.format(folder=tmp_path, port=port, pam=pam))
    text = CLIENT.format(folder=tmp_path, port=port, user=getpass.getuser())
    (tmp_path / "client").write_text(text)
    made = Server(tmp_path, port, started([sshd, "-D", "-e", "-f", f"{tmp_path}/server"]))
    monkeypatch.setenv("STEND_REMOTE_SHELL", made.shell)
    try:
        yield made
        assert comes_true(lambda: not made.processes)
    finally:
        kill(*made.processes)
        made.process.kill()
        made.process.communicate()


def started(command: list[str]) -> subprocess.Popen[bytes]:
    """The server, once it listens. As root it wants a folder in /run: else one only it sees."""
    if os.geteuid() == 0 and not Path("/run/sshd").exists():
        needs("unshare", "util-linux")
        own = 'mount -t tmpfs none /run && mkdir /run/sshd && exec "$@"'
        command = ["unshare", "-m", "sh", "-c", own, "sh", *command]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = b""
    while b"listening on" not in said:
        line = process.stderr.readline()
        if not line:
            process.wait()
            missing(f"sshd does not start here: {said.decode(errors='replace').strip()[-200:]}")
        said += line
    return process


def test_another_machine_is_sampled_over_ssh(server: Server) -> None:
    with Sampler(["n1"], interval=SOON) as beside:
        assert comes_true(lambda: known(beside.records()[1].user))
    here, there = beside.records()
    assert (there.host, there.remote) == ("n1", True)
    assert (there.cpus, there.memory_bytes) == (here.cpus, here.memory_bytes)
    assert there.offset is not None
    assert there.uncertainty is not None
    assert abs(there.offset) <= there.uncertainty
    assert beside.said() == () or "late" in beside.said()[0]


def test_several_hosts_have_a_connection_each(server: Server) -> None:
    with Sampler(["n1", "n2"], interval=SOON) as beside:
        assert len(server.clients) == 2
        assert comes_true(lambda: all(known(each.user) for each in beside.records()))


def test_a_connection_that_was_cut_is_a_gap_and_is_made_anew(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "PAUSES", (0.2,))
    with Sampler(["n1"], interval=SOON) as beside:
        assert comes_true(lambda: known(beside.records()[1].user))
        kill(*below(server.process.pid)[:1])
        assert comes_true(lambda: math.isnan(beside.latest()["n1"]))
        lost = time.monotonic_ns()
        assert comes_true(lambda: known(beside.between(lost, 1 << 62)[1].user))
    assert "n1 over ssh" in " ".join(beside.said())
    assert "lost once" in " ".join(beside.said())


def test_a_host_that_refuses_is_one_sentence(server: Server) -> None:
    (server.folder / "own.pub").write_text("")
    with pytest.raises(MeasuringError, match=r"n1 can't be watched: .*Permission denied"):
        Sampler(["n1"]).__enter__()


def test_a_host_where_nobody_listens_is_one_sentence(server: Server) -> None:
    server.process.kill()
    server.process.wait()
    with pytest.raises(MeasuringError, match=r"n1 can't be watched: .*Connection refused"):
        Sampler(["n1"]).__enter__()


def test_a_killed_stend_leaves_neither_ssh_nor_loop_behind(server: Server) -> None:
    program = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        assert program.stdout.readline() == "sampling\n"
        left = server.processes
        assert len(left) >= 3  # a client, a server's part for it, the loop
    finally:
        program.kill()
        program.communicate()
    assert comes_true(lambda: not any(map(alive, left)))
