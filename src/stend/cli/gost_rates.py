"""How fast each variant is in each mode, as Python calls it: a few seconds for a table to read.

The benchmarks gost.kuznyechik and gost.magma measure the ciphers by the laboratory's method; here
the call from Python is inside each figure, and the best of many short batches stands for all, so
that what else the machine does meanwhile is left out.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import repeat

from stend_gost import OMAC, Cipher, Kuznyechik, KuznyechikMGM, Magma, MagmaMGM, modes
from stend_gost.native import variants

SIZES = (64, 1024, 16_384, 1_048_576)
"""Bytes of a call."""

BATCH_SECONDS = 0.0005
"""Short, so that some batches are disturbed by nothing; one call where that takes longer."""
FIGURE_SECONDS = 0.03
"""For all batches of a figure; a call that takes longer is made once."""

Call = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """A variant in a mode, and by the size of a call the rate and the cycles a byte.

    `rates` are 10⁶ bytes a second; `cycles` are None where the core's frequency can't be told.
    """

    cipher: str
    variant: str
    constant_time: bool
    mode: str
    rates: dict[int, float]
    cycles: dict[int, float | None]


def rows(cipher: str) -> Iterator[Row]:
    """Measure all variants of a cipher that run here, in each mode."""
    from stend.native import clock

    for variant in variants(cipher):
        if not variant.available:
            continue
        for mode, made in _modes(cipher, variant.name).items():
            rates: dict[int, float] = {}
            cycles: dict[int, float | None] = {}
            for size in SIZES:
                seconds = _best(made(bytearray(size)))
                hz = clock.core_frequency(0.001)
                rates[size] = size / seconds / 1e6
                cycles[size] = None if math.isnan(hz) else seconds * hz / size
            yield Row(cipher, variant.name, variant.constant_time, mode, rates, cycles)


def _modes(cipher: str, variant: str) -> dict[str, Callable[[bytearray], Call]]:
    """Mode → a function that makes a call over a buffer."""
    key = bytes(range(32))
    algorithm = (Kuznyechik if cipher == "kuznyechik" else Magma)(key, variant=variant)
    mgm = (KuznyechikMGM if cipher == "kuznyechik" else MagmaMGM)(key, variant=variant)
    block = algorithm.block_size

    def stream(mode: modes.StreamMode, *, decrypts: bool = False) -> Callable[[bytearray], Call]:
        def made(buffer: bytearray) -> Call:
            with_mode = Cipher(algorithm, mode)
            context = with_mode.decryptor() if decrypts else with_mode.encryptor()
            return partial(context.update_into, buffer, buffer)

        return made

    def sealing(buffer: bytearray) -> Call:
        room = bytearray(len(buffer) + mgm.tag_length)
        return partial(mgm.encrypt_into, bytes(block), buffer, None, room)

    def tagging(buffer: bytearray) -> Call:
        return partial(OMAC(algorithm).update, buffer)

    return {
        "ECB": stream(modes.ECB()),
        "ECB decryption": stream(modes.ECB(), decrypts=True),
        "CTR": stream(modes.CTR(bytes(block))),
        "CBC": stream(modes.CBC(bytes(block))),
        "CBC decryption": stream(modes.CBC(bytes(block)), decrypts=True),
        "MGM": sealing,
        "OMAC": tagging,
    }


def _best(call: Call) -> float:
    """Seconds of one call, by the best batch."""
    begin = time.perf_counter()
    best = _of_each(call, 1)
    if best < BATCH_SECONDS:  # the first call is slower than all others
        best = _of_each(call, 10)
    count = math.ceil(BATCH_SECONDS / max(best, 1e-9))
    while time.perf_counter() - begin < FIGURE_SECONDS:
        best = min(best, _of_each(call, count))
    return best


def _of_each(call: Call, count: int) -> float:
    """Seconds of one of some calls."""
    start = time.perf_counter()
    for _ in repeat(None, count):
        call()
    return (time.perf_counter() - start) / count
