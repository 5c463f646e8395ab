"""The GOST ciphers: bytes per second encrypted by one core, or all, and cycles per byte.

Messages are encrypted through the library's public interface with the key set up, each with its own
nonce: in place, except for `ecb-out-of-place`, which alternates between two buffers. Blocks of
`ecb`, `ctr`, `mgm` and of decryption are independent of each other (parallel processing in the
literature); each block of `cbc` and `omac` waits for the one before (sequential processing). Each
repetition reads the core's frequency right after its work, for the cycles per byte.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from stend.benchmarks.definition import ALL, DEFAULT, About, Case, benchmark
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import MIB, Size, choice, size_in_bytes, up_to_all_cores, whole
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

BLOCK = {"kuznyechik": 16, "magma": 8}
MODES = ("ecb", "ctr", "mgm", "cbc")
"""What the literature and the report compare; the others are measured with --full."""
OUT_OF_PLACE = "ecb-out-of-place"
"""As the literature measured one processor, of messages that no cache holds."""
USUAL, LARGE, HUGE = 16 << 10, 64 * MIB, 10**9
"""Bytes of a message: in the first cache, in no core's own caches, as in the literature."""
REFERENCE = "reference"
SIZES = (16, 64, 256, 1 << 10, 4 << 10, USUAL, MIB, LARGE, HUGE)


Variants = Callable[[], Sequence["native.Variant"]]


def _modes(machine: Machine, size: Size) -> Sequence[str]:
    from stend import native

    return (*MODES, OUT_OF_PLACE) if size == "quick" else native.gost.modes()


def _sizes(machine: Machine, size: Size) -> Sequence[int]:
    return {"check": (4096,), "quick": (USUAL, LARGE), "full": SIZES}[size]


PARAMETERS = {
    "mode": choice(
        "ecb, ctr, mgm, cbc and ecb-out-of-place (from one buffer to another), with --full also "
        "ecb-decrypt, mgm-decrypt, cbc-decrypt and omac",
        _modes,
    ),
    "size": size_in_bytes("bytes of a message, a whole number of blocks", _sizes, least=8),
    "offset": whole(
        "offset of the message from the beginning of a cache line, in bytes",
        lambda machine, size: (0, 1) if size == "full" else (0,),
        least=0,
        most=63,
    ),
    "threads": up_to_all_cores,
}


def _takes(variants: Variants) -> Callable[[Case, Machine, Size], Sequence[str]]:
    """Quick: each mode on one core, large messages out of place, and all cores by CTR alone.

    Full: every mode at every size by the best variant; the modes that are compared also by all
    variants, off a cache line and on all cores, at sizes within and beyond the caches. Beyond
    them the reference tells nothing new: it waits for no memory, and for one message takes half
    a minute.
    """

    def takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
        if size == "check":
            return (ALL,)
        plain = case.threads == 1 and case.offset == 0
        if size == "quick":
            large = case.mode == "ctr" or (plain and case.mode == OUT_OF_PLACE)
            taken = large if case.size == LARGE else plain and case.mode in MODES
            return (DEFAULT,) if taken else ()
        compared = case.mode in MODES and case.size in (USUAL, LARGE, HUGE)
        if plain and compared and case.size == USUAL:
            return (ALL,)
        if plain and compared and case.size == LARGE:
            return [v.name for v in variants() if v.name != REFERENCE]
        apart = compared and (case.threads == 1 or case.offset == 0)
        return (DEFAULT,) if plain or apart else ()

    return takes


def _needs(cipher: str) -> Callable[[Case, Machine], str | None]:
    def lacks(case: Case, machine: Machine) -> str | None:
        from stend import native

        size, modes = int(case.size), native.gost.modes()
        if case.mode not in modes:
            return f"there is no mode {case.mode!r} to measure; there are {', '.join(modes)}."
        if size % BLOCK[cipher]:
            return f"{size} bytes are not a whole number of blocks of {BLOCK[cipher]} bytes."
        if lacking := cpus_lack(int(case.threads), machine):
            return lacking
        buffers = 4 if case.mode == OUT_OF_PLACE else 2
        bytes = buffers * (size + 64) * int(case.threads)
        return memory_lacks("the messages and their copies", bytes, machine, "size=BYTES")

    return lacks


ABOUT = About(
    work="the bytes of all threads' messages. Cycles per byte are shown as well, from the "
    "frequency read right after the work.",
    proof="The variant must reproduce the example of GOST R 34.12-2015 (A.1.5 for Kuznyechik, "
    "A.2.4 for Magma), both ways. After each batch every byte of every message must equal "
    "the result of another variant that encrypts the same messages as often.",
    bound="The cipher's arithmetic: with many blocks in flight, the table loads, shuffles or "
    "Galois-field instructions per cycle. `cbc` and `omac` wait for each block, so they are "
    "bound by the latency of a block.",
    reading="Compare cycles per byte with the literature, and megabytes per second with a disk or "
    "a network. Short messages pay for the call and the nonce; messages larger than the "
    "caches should lose little. The room's README names the variants that are not "
    "constant time.",
    rooms=("engines/gost/native/gost",),
)


def _encryption(cipher: str, question: str) -> None:
    """Register the benchmark of one cipher."""

    def variants() -> Sequence["native.Variant"]:
        from stend import native

        return native.gost.variants(cipher)

    @benchmark(
        f"gost.{cipher}",
        question=question,
        parameters=PARAMETERS,
        metric=Metric(name="rate", unit="B/s", better="higher"),
        work=lambda case: Work(bytes=case.size * case.threads),
        variants=variants,
        takes=_takes(variants),
        card=cipher == "kuznyechik",
        needs=_needs(cipher),
        about=ABOUT,
    )
    def kernel(case: Case) -> "native.Kernel":
        """One execution encrypts one message on each thread."""
        from stend import native

        return native.gost.kernel(
            cipher, str(case.mode), case.size, case.offset, case.threads, str(case.variant)
        )


_encryption("kuznyechik", "How many bytes a second does Kuznyechik encrypt?")
_encryption("magma", "How many bytes a second does Magma encrypt?")
