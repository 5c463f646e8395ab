"""Which hosts a hostfile or an allocation names, and what is wrong with one, in a sentence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.errors import BadValue, SetupError
from stend.fleet.hosts import find_hosts, pairs_of, read_hostfile, ring, tournament
from stend.processes.remote_shell import shell_for


@pytest.mark.parametrize(
    "text",
    [
        "n1 slots=2\nn2 slots=4 max_slots=8\nn3",  # Open MPI
        "n1:2\nn2:4 binding=user:0,1\nn3 ifname=eth1",  # MPICH
        "# a comment\n\n  n1   # the first\nn2\t\nn3 slots = 2 # spaces",
        "n1\r\nn2\r\nn3\r\n",
    ],
)
def test_open_mpi_and_mpich_name_the_same_hosts(text):
    assert read_hostfile(text).names == ("n1", "n2", "n3")


def test_a_host_on_several_lines_is_measured_once_and_that_is_said():
    found = read_hostfile("n1\nn1\nnode-2.example.org\nn1\n")  # as PBS writes it, a line a core
    assert found.names == ("n1", "node-2.example.org")
    assert found.notes == ("Named more than once, measured once: n1 (3 lines).",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no host"),
        ("# nothing\n", "names no host"),
        (
            "n1\n-oProxyCommand=sh\n",
            "Line 2 of hosts, '-oProxyCommand=sh', does not begin with a host",
        ),
        ("$(reboot)", "does not begin with a host name"),
        ("n1:two", "can't be read from ':two' on"),
        ("n1 2", "can't be read from '2' on"),
        ("n1 n2", "give each host its own line"),
        ("n1;reboot", "can't be read from ';reboot' on"),
        ("n1+n2", "can't be read from '+n2' on"),
        ("n1 slots=many", "slots must be a whole number, not 'many'"),
        ("n1 slots=0", "gives its host no slot"),
        ("n1:0", "gives its host no slot"),
        ("n\x1b[31m1", r"\x1b[31m1"),
        ("\n".join(f"n{i}" for i in range(2000)), "2,000 hosts; at most 1,024"),
    ],
)
def test_what_is_no_hostfile_is_one_sentence(text, said):
    with pytest.raises(BadValue) as error:
        read_hostfile(text, "hosts")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text(max_size=60) | st.from_regex(r"(n[0-9]+( slots=[0-9]+|:[0-9]+)?\n){1,5}"))
def test_any_text_gives_safe_names_or_one_sentence(text):
    said = ""
    names = ()
    try:
        names = read_hostfile(text).names
    except BadValue as error:
        said = str(error)
    assert len(said.splitlines()) == (not names)
    assert all(re.fullmatch("[A-Za-z0-9_][A-Za-z0-9_.-]*", name) for name in names)


def test_a_hostfile_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(BadValue, match="can't be read: No such file"):
        find_hosts(str(tmp_path / "none"))
    with pytest.raises(BadValue, match="can't be read: Is a directory"):
        find_hosts(str(tmp_path))


def test_slurm_outside_an_allocation_says_how_to_get_one(monkeypatch):
    monkeypatch.delenv("SLURM_JOB_NODELIST", raising=False)
    monkeypatch.delenv("SLURM_NODELIST", raising=False)
    with pytest.raises(BadValue, match="salloc -N4 stend run --hosts slurm"):
        find_hosts("slurm")


def test_a_remote_shell_is_called_as_ssh_is(monkeypatch):
    monkeypatch.setenv("STEND_REMOTE_SHELL", "env -i 'a b'")
    assert shell_for(False)("n1", ["x", "y z"]) == ["env", "-i", "a b", "n1", "x 'y z'"]
    monkeypatch.setenv("STEND_REMOTE_SHELL", "'")
    with pytest.raises(BadValue, match="check its quotes"):
        shell_for(False)
    monkeypatch.setenv("STEND_REMOTE_SHELL", "/no/such/shell")
    with pytest.raises(SetupError, match="no other host can be reached"):
        shell_for(False)


@pytest.mark.parametrize("count", [2, 3, 4, 7, 16])
def test_in_a_tournament_each_pair_meets_once_and_nobody_twice_in_a_round(count):
    hosts = [f"n{i}" for i in range(count)]
    found = tournament(hosts)
    assert len(found) == len(set(found)) == count * (count - 1) // 2
    assert all(hosts.index(a) < hosts.index(b) for a, b in found)
    a_round = count // 2
    for i in range(0, len(found), a_round):
        players = [host for pair in found[i : i + a_round] for host in pair]
        assert len(set(players)) == len(players)


def test_of_many_hosts_each_has_eight_partners_and_that_is_said():
    hosts = [f"n{i}" for i in range(40)]
    found, said = pairs_of(hosts)
    assert found == ring(hosts)
    assert len({frozenset(pair) for pair in found}) == 160
    assert all(sum(host in pair for pair in found) == 8 for host in hosts)
    assert "paired with those 1, 2, 4, 8 places away (160 pairs)" in said
    assert pairs_of(hosts[:16]) == (tournament(hosts[:16]), "")


def test_a_hostfile_as_windows_writes_it_is_read(tmp_path):
    (tmp_path / "hosts").write_bytes("n1 slots=2\r\nn2\r\n".encode("utf-8-sig"))
    assert find_hosts(str(tmp_path / "hosts")).names == ("n1", "n2")
