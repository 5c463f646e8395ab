"""Which cases of message passing are planned, and why others are not."""

import pytest

import made
from stend.benchmarks import registry
from stend.benchmarks.definition import Case
from stend.errors import BadValue


def why_not(name: str, machine=None, **parameters) -> str | None:
    benchmark = registry.load()[0][name]
    given = {"bytes": 8, "place": "socket", "hosts": ""} | parameters
    return benchmark.needs(Case(name, given, "openmpi"), machine or made.machine(packages=1))


def test_a_pair_on_one_socket_is_possible_anywhere_with_two_cpus() -> None:
    assert why_not("mpi.pingpong") is None
    assert "2 ranks need as many CPUs" in why_not("mpi.pingpong", made.machine(usable=(3,)))


def test_two_sockets_need_two_sockets() -> None:
    assert why_not("mpi.pingpong", place="sockets") == "this machine has one socket."
    assert why_not("mpi.pingpong", made.machine(packages=2), place="sockets") is None


@pytest.mark.parametrize("hosts", ["", "n1", "n1+n2+n3"])
def test_two_nodes_need_two_hosts(hosts: str) -> None:
    assert "hosts=n1+n2" in why_not("mpi.pingpong", place="nodes", hosts=hosts)


def test_a_pair_of_hosts_is_possible_whatever_this_machine_is() -> None:
    alone = made.machine(usable=(0,))
    assert why_not("mpi.pingpong", alone, place="nodes", hosts="n1+n2.example.org") is None


def test_two_hosts_are_not_one_socket() -> None:
    assert "place=nodes" in why_not("mpi.pingpong", hosts="n1+n2")


@pytest.mark.parametrize("hosts", ["n1+;rm", "-oProxyCommand=x+n2", "n 1+n2"])
def test_what_is_no_hosts_name_never_reaches_a_command(hosts: str) -> None:
    assert "not a host's name" in why_not("mpi.pingpong", place="nodes", hosts=hosts)


def test_an_unknown_place_names_those_there_are() -> None:
    assert "socket, sockets, nodes" in why_not("mpi.pingpong", place="rack")


def test_more_ranks_than_cpus_are_refused_here() -> None:
    assert "--set ranks=N" in why_not("mpi.barrier", ranks=10_000)
    assert why_not("mpi.barrier", ranks=10_000, hosts="n1+n2") is None


def test_messages_that_memory_can_not_hold_are_refused() -> None:
    small = made.machine(memory_available=1 << 30)
    assert "bytes=BYTES" in why_not("mpi.pingpong", small, bytes=1 << 30)
    assert "bytes=BYTES" in why_not("mpi.alltoall", small, bytes=1 << 28, ranks=2)


def test_sums_are_of_whole_numbers() -> None:
    sizes = registry.load()[0]["mpi.allreduce"].parameters["bytes"]
    assert sizes.parse("1KiB") == 1024
    with pytest.raises(BadValue, match="multiple of 8"):
        sizes.parse("12")


def test_a_quick_run_takes_golenkovs_sizes_and_a_full_one_all_powers_of_two() -> None:
    sizes = registry.load()[0]["mpi.pingpong"].parameters["bytes"]
    quick, full = (sizes.defaults(made.machine(), size) for size in ("quick", "full"))
    assert {1024, 128_000_000} <= set(quick)
    assert {0, *(1 << i for i in range(28))} <= set(full)


def test_a_quick_run_has_eight_cases_of_messages_on_one_socket() -> None:
    from stend.running.plan import Choice, plan

    machine = made.machine(packages=1, usable=(0, 1), memory_available=1 << 34)
    chosen = [b for b in registry.find((), quick=True) if b.name.startswith("mpi.")]
    assert sum(1 for _ in plan(chosen, machine, Choice())) in (0, 8)  # 0: no MPI
