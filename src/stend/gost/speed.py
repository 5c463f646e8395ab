"""How fast each variant is in each mode, as Python calls it: a few seconds for a table to read.

The benchmarks gost.kuznyechik and gost.magma measure the ciphers by the laboratory's method; here
the call from Python is inside each figure, and the best of some batches stands for all.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stend.gost import OMAC, Cipher, Kuznyechik, KuznyechikMGM, Magma, MagmaMGM, modes
from stend.gost.native import variants

SIZES = (64, 1024, 16_384, 1_048_576)
"""Bytes of a call."""

BATCHES = 5
BATCH_SECONDS = 0.004

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
            hz = clock.core_frequency(0.002)
            seconds = {size: _best(made(bytearray(size))) for size in SIZES}
            cycles = {
                size: None if math.isnan(hz) else taken * hz / size
                for size, taken in seconds.items()
            }
            rates = {size: size / taken / 1e6 for size, taken in seconds.items()}
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
            return lambda: context.update_into(buffer, buffer)

        return made

    def sealing(buffer: bytearray) -> Call:
        room = bytearray(len(buffer) + mgm.tag_length)
        return lambda: mgm.encrypt_into(bytes(block), buffer, None, room)

    def tagging(buffer: bytearray) -> Call:
        mac = OMAC(algorithm)
        return lambda: mac.update(buffer)

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
    """Seconds of one call: the best batch of some."""
    call()
    count = max(1, math.ceil(BATCH_SECONDS / max(_batch(call, 1), 1e-7)))
    return min(_batch(call, count) for _ in range(BATCHES)) / count


def _batch(call: Call, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start
