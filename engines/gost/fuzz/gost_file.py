"""Fuzz the reading of encrypted files: mutated good ones in; out a file that broke the promise.

The promise: any bytes give the message that was encrypted, or one EncryptedFileError whose sentence
is short and printable, after a true beginning of that message. Chunks of several files are cut,
exchanged, repeated and changed, and so are headers.

    python engines/gost/fuzz/gost_file.py [SECONDS] [SEED]
"""

import io
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stend_gost.errors import EncryptedFileError
from stend_gost.file import CIPHERS, HEADER_BYTES, decrypt, encrypt

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
CHUNK = 1 << 12
BYTES = [0, 1, 2, 0x0C, 0x11, 0x14, 0x7F, 0x80, 0xFF]


@dataclass(frozen=True)
class Seed:
    """A good file, in its parts: the header, then each chunk with its tag."""

    message: bytes
    parts: tuple[bytes, ...]


def seeds(random: random.Random) -> list[Seed]:
    """Files of both ciphers, of the right key and of another one."""
    made = []
    for cipher, suite in CIPHERS.items():
        for size in (0, 1, 100, CHUNK, CHUNK + 5, 3 * CHUNK, 3 * CHUNK + 1):
            for key in (KEY, KEY, OTHER_KEY):
                message, out = random.randbytes(size), io.BytesIO()
                encrypt(io.BytesIO(message), out, key, cipher=cipher, chunk=12, threads=1)
                whole, step = out.getvalue(), CHUNK + suite.tag_bytes
                chunks = [whole[i : i + step] for i in range(HEADER_BYTES, len(whole), step)]
                made.append(Seed(message, (whole[:HEADER_BYTES], *chunks)))
    return made


def mutants(good: list[Seed], random: random.Random) -> Iterator[bytes]:
    """Give files, most of them mutated, without end."""
    while True:
        seed = random.choice(good)
        parts = list(seed.parts)
        for _ in range(random.randint(0, 2)):
            _mutate_parts(parts, random.choice(good), random)
        data = b"".join(parts)
        for _ in range(random.choice([0, 0, 1, 2])):
            data = _mutated_bytes(data, random)
        yield data


def _mutate_parts(parts: list[bytes], other: Seed, random: random.Random) -> None:
    place = random.randrange(len(parts) + 1)
    match random.randrange(4):
        case 0:
            parts.insert(place, random.choice([*parts, *other.parts, b"\0"]))
        case 1 if place < len(parts):
            del parts[place]
        case 2 if place < len(parts):
            parts[place] = random.choice(other.parts)
        case _:
            random.shuffle(parts)


def _mutated_bytes(data: bytes, random: random.Random) -> bytes:
    start = random.choice([0, len(data), random.randrange(len(data) + 1), random.randrange(80)])
    end = min(len(data), start + random.choice([0, 1, 1, 2, 8, 16, 5000]))
    put = random.choice(
        [b"", bytes([random.choice(BYTES)]), random.randbytes(random.randrange(40))]
    )
    return data[:start] + put + data[end:]


def try_one(message: bytes, data: bytes) -> bool:
    """Decrypt a file; True when `message` came out. Anything but the promise raises."""
    out = io.BytesIO()
    try:
        decrypt(io.BytesIO(data), out, KEY, threads=1)
    except EncryptedFileError as error:
        said = str(error)
        assert len(said) < 300, said
        assert said.isprintable(), said
        assert message.startswith(out.getvalue())
        return False
    assert out.getvalue() == message
    return True


def main(seconds: float = 60.0, seed: int | None = None) -> None:
    seed = random.randrange(2**32) if seed is None else seed
    source = random.Random(seed)
    good = seeds(source)
    whole = {b"".join(one.parts): one.message for one in good}
    of_header = {one.parts[0]: one.message for one in good}
    end = time.monotonic() + seconds
    tried = sound = 0
    for data in mutants(good, source):
        if time.monotonic() > end:
            break
        try:
            if try_one(of_header.get(data[:HEADER_BYTES], b""), data):
                assert data in whole
                sound += 1
        except BaseException:
            Path("gost_file.crash.gost").write_bytes(data)
            print(f"gost_file: seed {seed}, file {tried}: kept in gost_file.crash.gost")
            raise
        tried += 1
    print(f"gost_file: {tried:,} files from seed {seed}, {sound:,} of them sound; none broke it.")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
