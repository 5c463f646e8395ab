"""Messages between MPI ranks, with each MPI of the site, after Golenkov et al. 2015.

Each message is timed individually, which shows the distribution; only one-sided accesses are
batched. Each rank's own durations are kept with the value; clocks of two ranks are never compared.
native/mpi/README.md says what is timed.
"""

from collections.abc import Callable, Sequence

from stend.benchmarks.definition import ALL, DEFAULT, About, Case, benchmark
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import (
    CPUS,
    Parameter,
    Size,
    choice,
    most_threads,
    size_in_bytes,
    whole,
)
from stend.errors import BadValue
from stend.processes.mpi import (
    INSTALLABLE,
    Layout,
    Mpi,
    command,
    environment,
    last_words,
    libraries,
    library,
    parted,
    program,
)
from stend.processes.packages import install
from stend.record import Machine, Metric, Scalar, Work
from stend.running.job import Job

TIME = Metric(name="time", unit="s", better="lower")
LATENCY = Metric(name="latency", unit="s", better="lower")
BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher")
RATE = Metric(name="message rate", unit="op/s", better="higher")

PLACES = ("socket", "sockets", "nodes")
GOLENKOVS = 128_000_000
LARGEST = 1 << 27
"""Bytes of the largest message of a full run."""
MOST = (1 << 31) - 1
"""MPI counts elements in an int."""
SLOWEST = 10e6
"""Bytes a second that a network brings at least: an answer is awaited as long as that takes."""
BUFFERS = 2
"""A rank sends from one and receives into another."""


def _doubling(least: int) -> tuple[int, ...]:
    counts = [least]
    while counts[-1] < LARGEST:
        counts.append(2 * counts[-1])
    return tuple(counts)


def _bytes(
    what: str, quick: Sequence[int], full: Sequence[int], least: int, of: int = 1
) -> Parameter:
    def defaults(machine: Machine, size: Size) -> Sequence[int]:
        return tuple(full) if size == "full" else tuple(quick[:1] if size == "check" else quick)

    sized = size_in_bytes(what, defaults, least=least, most=MOST)

    def parse(word: str) -> Scalar:
        value = sized.parse(word)
        if int(value) % of:
            raise BadValue(f"{value} is not a multiple of {of} bytes.")
        return value

    return Parameter(sized.help, parse, sized.defaults, sized.accepts, sized.unit)


def _places(machine: Machine, size: Size) -> Sequence[str]:
    return PLACES[:2] if (machine.packages or 1) > 1 else PLACES[:1]


PLACE = choice(
    "socket (two ranks in one socket), sockets (in two sockets of one node) or nodes (one rank on "
    "each of two hosts)",
    _places,
    depends="the sockets",
)
HOSTS = choice(
    "hosts of the ranks: names joined by +, such as n1+n2; empty: this machine",
    lambda machine, size: ("",),
)


def _counts(machine: Machine, size: Size) -> Sequence[int]:
    """All CPUs; with --full two, four and so on, too."""
    most = max(2, most_threads(machine))
    if size != "full":
        return (most,)
    return (*(n for n in (1 << i for i in range(1, 20)) if n < most), most)


RANKS = whole("ranks, each on a CPU of its own", _counts, least=2, most=1 << 20, depends=CPUS)


def _hosts(case: Case) -> tuple[str, ...]:
    return parted(case.hosts)


def _wrong_hosts(case: Case) -> str | None:
    for host in _hosts(case):
        if not all(c.isalnum() or c in ".-_" for c in host) or host.startswith("-"):
            return f"{host!r} is not a host's name; join names by +, as in --set hosts=n1+n2."
    return None


def _pair_needs(case: Case, machine: Machine) -> str | None:
    """What the plan can know; what another host lacks its ranks tell themselves."""
    hosts = _hosts(case)
    if case.place not in PLACES:
        return f"there is no place {case.place!r}; use one of {', '.join(PLACES)}."
    if wrong := _wrong_hosts(case):
        return wrong
    if case.place == "nodes" and len(hosts) != 2:
        return f"two ranks on two nodes need two hosts, not {len(hosts)}; use --set hosts=n1+n2."
    if case.place != "nodes" and len(hosts) > 1:
        return f"place={case.place} is on one host, and hosts names {len(hosts)}; use place=nodes."
    if case.place == "sockets" and not hosts and machine.packages == 1:
        return "this machine has one socket."
    messages = BUFFERS * int(case.bytes) * int(case.parameters.get("window", 1))
    return _here(case, machine, 2, 2 * messages)


def _all_needs(buffers: Callable[[int], int]) -> Callable[[Case, Machine], str | None]:
    """`buffers` tells how many messages long a rank's memory is, of so many ranks."""

    def needs(case: Case, machine: Machine) -> str | None:
        ranks, hosts = int(case.ranks), _hosts(case)
        if wrong := _wrong_hosts(case):
            return wrong
        if ranks < len(hosts):
            return f"{ranks} ranks are too few for {len(hosts)} hosts; use --set ranks=N."
        size = int(case.parameters.get("bytes", 0))
        return _here(case, machine, ranks, ranks * buffers(ranks) * size)

    return needs


def _here(case: Case, machine: Machine, ranks: int, memory: int) -> str | None:
    if _hosts(case):
        return None
    if lacking := cpus_lack(ranks, machine, "ranks"):
        return lacking.split(";")[0] + "." if "ranks" not in case.parameters else lacking
    return memory_lacks(f"messages of {ranks} ranks", memory, machine, "bytes=BYTES")


def _takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    return (ALL,) if size == "full" else (DEFAULT,)


def _job(operation: str, case: Case, ranks: int, place: str) -> Job:
    mpi: Mpi = library(str(case.variant))
    layout = Layout(ranks, _hosts(case))
    size = int(case.parameters.get("bytes", 0))
    window = int(case.parameters.get("window", 1))
    words = (operation, str(size), str(window), place)
    moved = 8 * size * window * (ranks * ranks if operation == "alltoall" else ranks)
    return Job(
        variant=mpi.name,
        command=command(mpi, layout, program(mpi), words),
        environment=environment(mpi, layout),
        answering=20.0 + moved / SLOWEST,
        last_words=last_words,
    )


_TIMED = {
    "pingpong": "half of a round trip; the ranks take turns in leading it.",
    "bidirectional": "both messages' bytes; a rank's duration is from posting its receive and its "
    "send until both are done, and the longer duration counts.",
    "message_rate": "the messages of a window, from the first send to the answer.",
    "put": "one access and its flush, out of a batch.",
    "get": "one access and its flush, out of a batch.",
}
_BETWEEN = (
    "Within a node, the MPI's path through shared memory, and from some size on the memory "
    "bandwidth; between nodes, the network and its adapters."
)
_INSTALLS = {name: install(name, "apt-get") for name in INSTALLABLE}


def _about(operation: str, proof: str, reading: str) -> About:
    return About(
        work=_TIMED.get(operation, "the call on the slowest rank, after a barrier."),
        proof=proof,
        bound=_BETWEEN,
        reading=reading,
        rooms=("native/mpi",),
        installs=_INSTALLS,
    )


def _on_pair(
    operation: str,
    question: str,
    metric: Metric,
    sizes: Parameter,
    *,
    window: Parameter | None = None,
    work: Callable[[Case], Work] = lambda case: Work(),
    quick: bool = False,
) -> None:
    """Register what two ranks do."""

    @benchmark(
        f"mpi.{operation}",
        question=question,
        parameters={"bytes": sizes}
        | ({"window": window} if window else {})
        | {"place": PLACE, "hosts": HOSTS},
        metric=metric,
        work=work,
        variants=libraries,
        takes=_takes,
        quick=quick,
        needs=_pair_needs,
        about=_about(
            operation,
            "Every repetition has its own contents, created before the timing and compared after "
            "it; at the end all of one repetition is compared, in both directions.",
            "The smallest messages show the latency, the largest the bandwidth; a step in between "
            "is a change of the MPI's protocol. Compare the site's MPIs with `--variant all`.",
        ),
    )
    def between_two(case: Case) -> Job:
        """Two ranks, each leading in turn or both at once."""
        return _job(operation, case, 2, str(case.place))


QUICK = (8, 1 << 10, 1 << 16, 1 << 20)

_on_pair(
    "pingpong",
    "How long does a message take from one rank to another?",
    LATENCY,
    _bytes(
        "bytes of each message",
        (*QUICK, GOLENKOVS),
        (0, *_doubling(1), GOLENKOVS),
        least=0,
    ),
    work=lambda case: Work(bytes=case.bytes),
    quick=True,
)
_on_pair(
    "bidirectional",
    "How many bytes a second move between two ranks that send to each other at once?",
    BANDWIDTH,
    _bytes("bytes of each message", QUICK, _doubling(1), least=1),
    work=lambda case: Work(bytes=2 * case.bytes),
)
_on_pair(
    "message_rate",
    "How many messages a second can one rank send to another?",
    RATE,
    _bytes("bytes of each message", (8,), (0, 1, 8, 64, 512, 4096, 1 << 15), least=0),
    window=whole(
        "messages in flight before an answer",
        lambda machine, size: (64,),
        least=1,
        most=1 << 16,
    ),
    work=lambda case: Work(operations=case.window),
    quick=True,
)
for _operation, _question in (
    ("put", "How long does writing another rank's memory take (MPI_Put and flush)?"),
    ("get", "How long does reading another rank's memory take (MPI_Get and flush)?"),
):
    _on_pair(
        _operation,
        _question,
        LATENCY,
        _bytes("bytes of each access", QUICK, _doubling(1), least=1),
        work=lambda case: Work(bytes=case.bytes),
    )


def _on_all(
    operation: str,
    question: str,
    sizes: Parameter | None,
    buffers: Callable[[int], int],
    quick: bool = False,
) -> None:
    """Register what all ranks do together."""

    @benchmark(
        f"mpi.{operation}",
        question=question,
        parameters=({"bytes": sizes} if sizes else {}) | {"ranks": RANKS, "hosts": HOSTS},
        metric=TIME,
        variants=libraries,
        takes=_takes,
        quick=quick,
        needs=_all_needs(buffers),
        about=_about(
            operation,
            "Up to four ranks arrive 20 ms late, each once; no rank may leave the barrier before "
            "the late one arrives."
            if operation == "barrier"
            else "The ranks' data is compared with the expected data, which differs between "
            "repetitions; at the end all of one repetition is compared.",
            "For small messages it should grow with the logarithm of the number of ranks. Each "
            "rank's own durations are kept: a rank that is always last points to a slow core or "
            "node.",
        ),
    )
    def together(case: Case) -> Job:
        """The slowest rank's own duration, after a barrier."""
        return _job(operation, case, int(case.ranks), "cores")


_EACH = "bytes that each rank sends to each"
_on_all("barrier", "How long does a barrier hold a rank?", None, lambda ranks: 0, quick=True)
_on_all(
    "bcast",
    "How long does it take to send one rank's bytes to all?",
    _bytes("bytes that each rank receives", QUICK, _doubling(1), least=1),
    lambda ranks: 1,
)
_on_all(
    "allreduce",
    "How long does it take to sum the numbers of all ranks?",
    _bytes("bytes of each rank's numbers, 8 per number", (1 << 10,), _doubling(8), least=8, of=8),
    lambda ranks: 2,
    quick=True,
)
_on_all(
    "alltoall",
    "How long does it take all ranks to send bytes to all?",
    _bytes(_EACH, QUICK, _doubling(1), least=1),
    lambda ranks: 2 * ranks,
)
_on_all(
    "gather",
    "How long does it take to collect the bytes of all ranks on one?",
    _bytes("bytes that each rank sends", QUICK, _doubling(1), least=1),
    lambda ranks: 2,
)
