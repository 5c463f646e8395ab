"""Facts of a machine: their labels, the figures that each is known to move, and comparing two.

Families are the first words of benchmarks' names. What is not here may move any of them.

Two facts that read the same are the same: memory that a new kernel counts a page less of has not
changed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from stend.record import Cache, Disk, Machine, NumaNode, Run

Kind = Literal[
    "hardware", "clock", "kernel", "mitigations", "compiler", "library", "stend", "conditions",
    "other",
]  # fmt: skip


class Known(NamedTuple):
    """What is known of a fact."""

    kind: Kind = "other"
    concerns: tuple[str, ...] = ()
    """Families; none: it may move any."""
    why: str = ""
    cause: bool = True
    """Whether it can move anything."""


VERSION, MITIGATION, CONDITION = "version of ", "mitigation of ", "condition: "
"""How the names of facts begin that are rows of a table."""

_ENTERING = ("threads", "storage", "mpi", "noise", "time")
"""What enters the kernel often, or waits for it."""
_IN_MEMORY = ("memory", "stream", "numa", "tomo", "fft", "linpack", "unet")
"""What goes over more memory than the first caches hold."""
_COMPUTING = ("peak", "linpack", "fft", "gost", "tomo", "unet", "stream", "memory", "numa")
"""What has variants for instruction sets."""

_PROCESSOR = Known("hardware", (), "It is another processor.")
_COUNTED = Known("hardware", (), "Work on all cores has a different number of cores to share.")
_MODULES = Known("hardware", _IN_MEMORY, "Modules and channels limit the memory's bandwidth.")
_FREQUENCY = Known("clock", (), "It sets the frequency of the cores.")

_FACTS = {
    "host": Known(cause=False, why="A name affects nothing."),
    "architecture": _PROCESSOR,
    "cpu vendor": _PROCESSOR,
    "cpu model": _PROCESSOR,
    "cpu family": _PROCESSOR,
    "microcode": Known("hardware", (), "Microcode changes clocks, instructions and mitigations."),
    "isa": Known("hardware", _COMPUTING, "Different instruction sets run different variants."),
    "packages": _COUNTED,
    "cores": _COUNTED,
    "threads": _COUNTED,
    "usable": _COUNTED,
    "sockets": _COUNTED,
    "smt": Known("hardware", (), "Two threads on one core share its resources."),
    "caches": Known("hardware", _IN_MEMORY, "Data in a cache need not come from memory."),
    "numa": Known("hardware", (*_IN_MEMORY, "mpi", "cores"), "Memory of another node is slower."),
    "memory bytes": Known("hardware", _IN_MEMORY, "Default sizes depend on the amount of memory."),
    "memory modules": _MODULES,
    "memory bandwidth": _MODULES,
    "memory limit": Known("conditions", _IN_MEMORY, "Default sizes depend on usable memory."),
    "cpu limit": Known("conditions", (), "A quota pauses processes in mid-work."),
    "process limit": Known("conditions", ("threads",), "It limits the number of threads."),
    "page bytes": Known("kernel", (*_IN_MEMORY, "threads"), "Larger pages cause fewer TLB misses."),
    "huge pages": Known("kernel", _IN_MEMORY, "Larger pages cause fewer TLB misses."),
    "disks": Known("hardware", ("storage",), "They are what is measured."),
    "kernel": Known(
        "kernel", (*_ENTERING, "memory", "numa", "stream"),
        "It schedules threads, places pages and answers system calls.",
    ),
    "os": Known("other", (), "Another system has other libraries and settings."),
    "virtualisation": Known("hardware", (), "A hypervisor takes time and hides the hardware."),
    "container": Known("conditions", _ENTERING, "It has its own limits and file systems."),
    "clock source": Known(
        "clock", ("clock", *_ENTERING),
        "If the time is read often, the figure includes the cost of reading it.",
    ),
    "governor": _FREQUENCY,
    "turbo": _FREQUENCY,
    "core frequency": Known("clock", (), "Cores did more, or less, work per second."),
    "stend": Known("stend", (), "Its kernels and its method may have changed."),
    "size": Known("conditions", (), "A full run measures longer, in more processes."),
}  # fmt: skip

_VERSIONS = {
    "python": Known("library", ("fft",), "Work that is timed in Python runs in it."),
    "numpy": Known("library", ("fft",), "Its transform is a variant."),
    "scipy": Known("library", ("fft",), "Its transform is a variant."),
    "libc": Known(
        "library", ("threads", "memory", "storage", "time"),
        "It provides threads, locks and memory allocation.",
    ),
    "hwloc": Known("library", ("numa", "threads", "cores", "mpi"), "It places threads and memory."),
    "fio": Known("library", ("storage",), "It makes the I/O requests."),
    "mpicc": Known("compiler", ("mpi",), "It identifies the site's MPI."),
}  # fmt: skip
_COMPILER = Known("compiler", (), "It compiles what is built on the machine.")
_COMPILERS = {"cc", "gcc", "clang", "lcc"}

_GATHERS = Known(
    "mitigations", ("fft", "linpack", "tomo", "unet"), "It makes gathers of vectors slow."
)
_ENTRIES = Known("mitigations", _ENTERING, "Mitigations lengthen every entry to the kernel.")

_CONDITIONS = {
    "huge pages": _IN_MEMORY,
    "memory": _IN_MEMORY,
    "swap": _IN_MEMORY,
    "clock": ("clock", *_ENTERING),
}
_SEEN = "It was seen on one side only."

LIBRARY = "library of "
"""How the name begins of what cases tell of the library that did their work."""
PROGRAM_OF = "program of "
"""And of the program that a project's benchmark executes."""


def known_of(what: str) -> Known:
    """What is known of the fact that a difference names."""
    if what.startswith(VERSION):
        name = what.removeprefix(VERSION)
        return _VERSIONS.get(name, _COMPILER if name in _COMPILERS else Known("library"))
    if what.startswith(MITIGATION):
        return _GATHERS if what.endswith("gather_data_sampling") else _ENTRIES
    if what.startswith(CONDITION):
        kind = what.removeprefix(CONDITION)
        return Known("conditions", _CONDITIONS.get(kind, ()), _SEEN)
    if what.startswith(LIBRARY):
        family = what.removeprefix(LIBRARY).split(" ")[0]
        return Known("library", (family,), "It does the work that is measured.")
    if what.startswith(PROGRAM_OF):
        family = what.removeprefix(PROGRAM_OF).split(".")[0]
        return Known("compiler", (family,), "It is what was measured: another program.")
    return _FACTS.get(what, Known())


UNKNOWN = "unknown"


def fact_in_words(machine: Machine, field: str) -> str:
    """One of its facts, without what changes from minute to minute; "unknown" where unreadable."""
    value = getattr(machine, field)
    return _SAID[field](value) if value is not None and field in _SAID else words(value)


def words(value: Any) -> str:
    """Any value; None is unknown."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(words, value)) or "none"
    return str(value)


def _size(count: int) -> str:
    """Four digits: `256 KiB`, `15.62 GiB`."""
    for exponent, prefix in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 1 << exponent:
            return f"{count / (1 << exponent):.4g} {prefix}"
    return f"{count} B"


def _ranges(cpus: Iterable[int]) -> str:
    """`0–3, 8`."""
    numbered = enumerate(sorted(set(cpus)))
    runs = [[cpu for _, cpu in group] for _, group in groupby(numbered, lambda x: x[1] - x[0])]
    said = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return ", ".join(said) or "none"


def _caches(caches: Sequence[Cache]) -> str:
    """`2 × L1d 48 KiB, L3 256 MiB`."""
    return ", ".join(map(_cache, caches)) or "none"


def _cache(cache: Cache) -> str:
    kind = {"data": "d", "instruction": "i"}.get(cache.kind, "")
    many = f"{cache.count} × " if cache.count and cache.count > 1 else ""
    ways = f", {cache.ways} ways" if cache.ways else ""
    return f"{many}L{cache.level}{kind} {_size(cache.bytes)}{ways}"


def _nodes(nodes: Sequence[NumaNode]) -> str:
    return "; ".join(map(_node, nodes)) or "none"


def _node(node: NumaNode) -> str:
    there = UNKNOWN if node.bytes is None else _size(node.bytes)
    return f"node {node.index}: {there}, CPUs {_ranges(node.cpus)}, {words(node.distances)} far"


def _sockets(sockets: Sequence[Sequence[Sequence[int]]]) -> str:
    return "; ".join(map(_socket, sockets)) or "none"


def _socket(cores: Sequence[Sequence[int]]) -> str:
    """`2 cores (0+2, 1+3)`: which threads share one, where some do."""
    shared = ["+".join(map(str, core)) for core in cores if len(core) > 1]
    return f"{len(cores)} cores" + (f" ({', '.join(shared)})" if shared else "")


def _disks(disks: Sequence[Disk]) -> str:
    return ", ".join(map(_disk, disks)) or "none"


def _disk(disk: Disk) -> str:
    turns = None if disk.rotational is None else "rotating" if disk.rotational else "solid"
    size = None if disk.bytes is None else _size(disk.bytes)
    scheduler = f"scheduler {disk.scheduler}" if disk.scheduler else None
    return " ".join(filter(None, [disk.name, size, disk.model, turns, scheduler]))


_SAID: Mapping[str, Callable[[Any], str]] = {
    "usable": _ranges,
    "caches": _caches,
    "numa": _nodes,
    "sockets": _sockets,
    "disks": _disks,
    "memory_bytes": _size,
    "memory_limit": _size,
    "page_bytes": _size,
    "memory_bandwidth": lambda value: f"{value / 1e9:.4g} GB/s",
}


_SETTINGS = ("kernel", "os", "governor", "turbo", "clock_source", "cpu_limit", "usable")


def same_machine(a: Machine, b: Machine) -> bool:
    """Whether both are one machine, by its name and what stays when it is set up anew."""
    return a.host is not None and _identity(a) == _identity(b)


def _identity(machine: Machine) -> tuple[object, ...]:
    return (
        machine.host,
        machine.architecture,
        machine.cpu_model,
        machine.packages,
        machine.threads,
        machine.virtualisation,
    )


def configuration(run: Run) -> tuple[object, ...]:
    """What a run was made with that can move its figures: runs alike in it ought to agree."""
    machine = run.machine
    return (
        run.stend,
        run.size,
        *(getattr(machine, field) for field in _SETTINGS),
        tuple(sorted(machine.mitigations.items())),
        tuple(sorted(machine.versions.items())),
    )
