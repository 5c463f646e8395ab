"""The cost of another memory node's memory: bandwidth of copies and latency of loads.

Every pair of nodes, a node with itself included, after Golenkov et al. 2015, who copied blocks of
500 MB from memory of one to memory of the other. The thread is bound to a CPU of the first node and
memory strictly to its node; the kernel is asked where the pages are.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from stend.benchmarks.definition import DEFAULT, About, Case, benchmark
from stend.benchmarks.needs import memory_lacks
from stend.benchmarks.parameters import MIB, Size, rounded_down, size_in_bytes, whole
from stend.record import Machine, Metric, NumaNode, Work

if TYPE_CHECKING:
    from stend import native

GOLENKOVS_BLOCK = 500_000_000
LINE = 64
MOST_NODES = 4
"""Of which a quick run measures every pair."""
NONTEMPORAL = "nontemporal-"
"""How the names of the variants begin that store past the caches."""


def _has_cpus(node: NumaNode, machine: Machine) -> bool:
    """Whether a thread of this process may run there."""
    return bool(set(node.cpus) & set(machine.usable) if machine.usable else node.cpus)


def _has_memory(node: NumaNode) -> bool:
    """Whether there is any, as far as is known."""
    return node.bytes != 0


def _threads_on(machine: Machine, size: Size) -> tuple[int, ...]:
    return tuple(n.index for n in machine.numa if _has_cpus(n, machine)) or (0,)


def _memories(machine: Machine, size: Size) -> tuple[int, ...]:
    return tuple(n.index for n in machine.numa if _has_memory(n)) or (0,)


def _copied_from(machine: Machine, size: Size) -> tuple[int, ...]:
    """Nodes with a thread and with memory."""
    memories = _memories(machine, size)
    return tuple(n for n in _threads_on(machine, size) if n in memories) or memories[:1]


NODE = "the memory node on whose first usable CPU the thread runs"
NODES = "the memory nodes"
MEMORY = whole(
    "the memory node whose memory is used", _memories, least=0, most=1 << 16, depends=NODES
)


_PLACED = (
    "The kernel is asked for the place of every page, after memory is filled and again at the "
    "end; a page on another node invalidates the result."
)


def _is_taken(case: Case, machine: Machine, size: Size) -> bool:
    """All pairs; in a quick run over many nodes each with itself, and the first with each other."""
    first = _threads_on(machine, size)[0]
    if size == "full" or (size == "quick" and len(machine.numa) <= MOST_NODES):
        return True
    if size == "quick":
        return bool(case.node == case.memory or first in (case.node, case.memory))
    return bool(case.node == first)


def _pair_lacks(case: Case, machine: Machine) -> str | None:
    """Why there is no thread on `node` or no memory of `memory`."""
    there = {n.index: n for n in machine.numa}
    for name in ("node", "memory") if there else ():
        if case.parameters[name] not in there:
            return (
                f"there is no memory node {case.parameters[name]}; use --set {name}=N with one of "
                f"{', '.join(map(str, there))}."
            )
    node, memory = there.get(case.node), there.get(case.memory)
    if node and not node.cpus:
        return f"memory node {node.index} has no CPUs; use another one as node."
    if node and not _has_cpus(node, machine):
        return f"this process may not use any CPU of memory node {node.index}; allow it one."
    return _no_memory(memory)


def _no_memory(node: NumaNode | None) -> str | None:
    if node is None or _has_memory(node):
        return None
    return f"node {node.index} has no memory; use another one."


def _room_lacks(
    what: str, wanted: float, index: int, machine: Machine, parameter: str
) -> str | None:
    """Why so many bytes don't fit on a node: what is bound to it never goes elsewhere."""
    there = next((n.available for n in machine.numa if n.index == index), None)
    left = [n for n in (there, machine.memory_available) if n is not None]
    alone = replace(machine, memory_available=min(left, default=None))
    return memory_lacks(f"{what} on memory node {index}", wanted, alone, parameter)


def _blocks(machine: Machine, size: Size) -> tuple[int, ...]:
    """Golenkov's, or what takes half of a node's share of the available memory twice."""
    if size == "check":
        return (MIB,)
    room = (machine.memory_available or 1 << 30) // 4 // len(_memories(machine, size))
    return (GOLENKOVS_BLOCK if room >= GOLENKOVS_BLOCK else max(4096, rounded_down(room)),)


def _copy_lacks(case: Case, machine: Machine) -> str | None:
    block, node, memory = int(case.block), int(case.node), int(case.memory)
    if block % LINE:
        return (
            f"a block of {block} bytes is not a whole number of cache lines; use a multiple of 64."
        )
    source = next((n for n in machine.numa if n.index == node), None)
    lacking = _pair_lacks(case, machine) or _no_memory(source)
    if lacking or node == memory:
        return lacking or _room_lacks("two blocks", 2 * block, node, machine, "block=BYTES")
    return (
        _room_lacks("a block", block, node, machine, "block=BYTES")
        or _room_lacks("a block", block, memory, machine, "block=BYTES")
        or memory_lacks("two blocks", 2 * block, machine, "block=BYTES")
    )


def _copy_takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """The stores past the caches, where there are any; with --full ordinary ones too."""
    if not _is_taken(case, machine, size):
        return ()
    past = [v.name for v in _copies() if v.available and v.name.startswith(NONTEMPORAL)][-1:]
    return past if past and size == "quick" else [DEFAULT, *past]


def _copies() -> Sequence["native.Variant"]:
    from stend import native

    return native.bandwidth.copy_variants()


def _copied(case: Case) -> Work:
    """Bytes read and bytes written, of every pass."""
    from stend import native

    both = 2 * int(case.block)
    return Work(bytes=both * native.bandwidth.passes(both, 1))


@benchmark(
    "numa.copy",
    question="How many bytes a second does a thread copy from one memory node to another?",
    parameters={
        "node": whole(f"{NODE} and whose memory is read", _copied_from, 0, 1 << 16, NODES),
        "memory": MEMORY,
        "block": size_in_bytes(
            "bytes that are copied; by default 500 MB, at most a quarter of the available memory "
            "shared out among the nodes",
            _blocks,
            least=4096,
            depends="the available memory where it is short",
            scales="memory",
        ),
    },
    metric=Metric(name="bandwidth", unit="B/s", better="higher"),
    work=_copied,
    variants=_copies,
    takes=_copy_takes,
    needs=_copy_lacks,
    about=About(
        work="the bytes read and the bytes written, once a pass.",
        proof=f"As for `memory.bandwidth.copy`. {_PLACED}",
        bound="Within a node, the cache lines that a core can have in flight; between nodes, the "
        "link, which one thread rarely saturates.",
        reading="The diagonal of the matrix is each node's own memory. The difference to a far "
        "node is what a program loses if its thread is moved away from its memory.",
        rooms=("native/ground/nodes", "native/kernels/bandwidth"),
    ),
)
def copy(case: Case) -> "native.Kernel":
    """One execution copies the block; bytes read and bytes written are counted."""
    from stend import native

    return native.nodes.copy(case.block, case.node, case.memory, str(case.variant))


def _sizes(machine: Machine, size: Size) -> tuple[int, ...]:
    """A power of two, twice the largest last-level cache that a CPU has; with --full four times.

    At most an eighth of a node's share of the available memory, with --full a quarter.
    """
    if size == "check":
        return (MIB,)
    more = 2 if size == "full" else 1
    data = [c for c in machine.caches if c.kind != "instruction"]
    last = max((c.level for c in data), default=0)
    wanted = 2 * more * max((c.bytes for c in data if c.level == last), default=32 * MIB)
    room = (machine.memory_available or 1 << 30) * more // 8 // len(_memories(machine, size))
    return (1 << min((wanted - 1).bit_length(), max(room, MIB).bit_length() - 1),)


def _latency_lacks(case: Case, machine: Machine) -> str | None:
    size = int(case.size)
    if size % LINE or size > LINE << 32:
        return f"{size} bytes are not a multiple of {LINE} up to {LINE << 32}; use one of those."
    return (
        _pair_lacks(case, machine)
        or _room_lacks("the cycle", size, int(case.memory), machine, "size=BYTES")
        or memory_lacks("the cycle and its order", size + size // 16, machine, "size=BYTES")
    )


@benchmark(
    "numa.latency",
    question="How long does a load from a memory node take whose address the last one gave?",
    parameters={
        "node": whole(NODE, _threads_on, least=0, most=1 << 16, depends=NODES),
        "memory": MEMORY,
        "size": size_in_bytes(
            "bytes of memory that the loads go through, up to beyond the largest last-level cache "
            "of a CPU: at most an eighth of a node's share of the available memory, with --full a "
            "quarter",
            _sizes,
            least=4096,
            depends="the largest last-level cache of a CPU and the available memory",
        ),
    },
    metric=Metric(name="latency", unit="s", better="lower"),
    work=lambda case: Work(operations=1),
    takes=lambda case, machine, size: [DEFAULT] if _is_taken(case, machine, size) else (),
    needs=_latency_lacks,
    about=About(
        work="one load.",
        proof=f"As for `memory.latency`. {_PLACED}",
        bound="The latency of memory; between nodes also that of the link, in both directions.",
        reading="Compare the far nodes with the near one. The distances in `stend machine` "
        "come from the firmware and are not measured.",
        rooms=("native/ground/nodes", "native/kernels/latency"),
    ),
)
def latency(case: Case) -> "native.Kernel":
    """One execution is one load, in huge pages where the system gives them."""
    from stend import native

    return native.nodes.latency(case.size, case.node, case.memory)
