"""The 64 bytes that an encrypted file begins with, the keys of its chunks, and the chunks.

The key derivation is SP 800-108's in counter mode with OMAC of Kuznyechik. KDF_TREE of
R 50.1.113-2016 would need the hash function Streebog, which stend does not have.

A chunk is sealed or opened in place in a buffer, after STREAM of Hoang et al. (2015): its number
and whether it is the last one are in its nonce, and its key is its own, so that it is authentic in
one place of one file only.
"""

import hmac
import os
from dataclasses import dataclass
from typing import Self

from stend_gost.aead import KuznyechikMGM, MagmaMGM
from stend_gost.algorithms import Kuznyechik
from stend_gost.cipher import Cipher
from stend_gost.errors import BadOption, DamagedFile, InvalidTag, NotEncrypted, WrongKey
from stend_gost.modes import ECB
from stend_gost.native import omac_many

MAGIC = b"\x8fSTGOST\n"
"""No text begins so, and a transfer that rewrites line ends changes it."""

VERSION = 1
HEADER_BYTES = 64
_SALT = slice(16, 48)
_CHECK = slice(48, 64)


@dataclass(frozen=True)
class Suite:
    """A cipher as files use it. Sizes are powers of two, so a header has their logarithms."""

    name: str
    number: int
    mgm: type[KuznyechikMGM] | type[MagmaMGM]
    tag_bytes: int
    usual_chunk: int
    largest_chunk: int
    largest_message: int


# Magma's blocks have 64 bits: its limits keep the chance that anything shows through below
# 2^-16 (docs/gost-file.md has the sum). Kuznyechik's largest chunk is what a reader has to hold.
CIPHERS = {
    suite.name: suite
    for suite in (
        Suite("kuznyechik", 1, KuznyechikMGM, 16, 20, 22, 1 << 62),
        Suite("magma", 2, MagmaMGM, 8, 17, 17, 1 << 36),
    )
}
SMALLEST_CHUNK = 12


@dataclass(frozen=True)
class Header:
    """What a file says of itself, and the key that its chunks' keys come from."""

    data: bytes
    suite: Suite
    chunk_bytes: int
    key: bytes

    def __repr__(self) -> str:
        return f"<Header of {self.suite.name}, chunks of {self.chunk_bytes:,} bytes>"

    @classmethod
    def new(cls, key: bytes, cipher: str, chunk: int | None = None) -> Self:
        """Make a header for a new file; `chunk` is the logarithm of the chunks' size."""
        if cipher not in CIPHERS:
            raise BadOption(f"There is no cipher {cipher!r}; there is {' and '.join(CIPHERS)}.")
        suite = CIPHERS[cipher]
        power = suite.usual_chunk if chunk is None else chunk
        if not SMALLEST_CHUNK <= power <= suite.largest_chunk:
            raise BadOption(
                f"Chunks of {cipher} have 2^{SMALLEST_CHUNK} to 2^{suite.largest_chunk} bytes, not "
                f"2^{power}."
            )
        start = MAGIC + bytes([VERSION, suite.number, power]) + bytes(5) + os.urandom(32)
        made, check = file_key(key, start)
        return cls(start + check, suite, 1 << power, made)

    @classmethod
    def read(cls, data: bytes, key: bytes) -> Self:
        """Read the first 64 bytes of a file.

        Raises:
            NotEncrypted: they are no header, or one that this version can't read.
            WrongKey: the key is not the one that made it, or it was changed.
        """
        suite, power = _parsed(data)
        made, check = file_key(key, data[: _SALT.stop])
        if not hmac.compare_digest(check, data[_CHECK]):
            raise WrongKey(
                "This file was encrypted with another key, or its first 64 bytes were changed."
            )
        return cls(data, suite, 1 << power, made)


def _parsed(data: bytes) -> tuple[Suite, int]:
    if not data:
        raise NotEncrypted("This is not a file of `stend-gost encrypt`: it is empty.")
    if data[:8] != MAGIC[: len(data[:8])]:
        raise NotEncrypted(
            f"This is not a file of `stend-gost encrypt`: it begins with {data[:8]!r}."
        )
    if len(data) < HEADER_BYTES:
        raise NotEncrypted(
            f"The file was cut within its header: it has {len(data)} of {HEADER_BYTES} bytes."
        )
    version, number, power = data[8:11]
    if version != VERSION:
        raise NotEncrypted(
            f"The file has format version {version}; this stend reads version {VERSION}."
        )
    for suite in CIPHERS.values():
        if suite.number == number:
            break
    else:
        raise NotEncrypted(f"The file names cipher number {number}, which does not exist.")
    if not SMALLEST_CHUNK <= power <= suite.largest_chunk:
        raise NotEncrypted(
            f"The file's chunks have 2^{power} bytes, outside of 2^{SMALLEST_CHUNK} to "
            f"2^{suite.largest_chunk} for {suite.name}."
        )
    if any(data[11:16]):
        raise NotEncrypted(f"The file's header has {data[11:16].hex()} where zeros are required.")
    return suite, power


KEY_BYTES = 32
CHECK_BYTES = 16

# RFC 8645, 6.2.1: what ACPKM encrypts to have the next key.
ACPKM = bytes(range(0x80, 0xA0))


def file_key(key: bytes, start: bytes) -> tuple[bytes, bytes]:
    """Derive a file's key from the user's, with a check value; `start` is the header before that.

    The user's key goes through ACPKM first. So nothing that is authenticated with the same key
    elsewhere (`stend-gost mac`) can be what is authenticated here.
    """
    context = Cipher(Kuznyechik(key), ECB()).encryptor()
    derived = expand(context.update(ACPKM), b"stend gost file", start, KEY_BYTES + CHECK_BYTES)
    return derived[:KEY_BYTES], derived[KEY_BYTES:]


def chunk_key(key: Kuznyechik, number: int) -> bytes:
    """Derive the key of one chunk; `key` is made with the file's."""
    return _expand(key, b"chunk", number.to_bytes(8, "big"), KEY_BYTES)


def expand(key: bytes, label: bytes, context: bytes, size: int) -> bytes:
    """SP 800-108r1, 4.1, with r = 8 and L as 16 bits: `size` bytes, at most 255 blocks of 16."""
    return _expand(Kuznyechik(key), label, context, size)


def _expand(key: Kuznyechik, label: bytes, context: bytes, size: int) -> bytes:
    fixed = b"%b\0%b%b" % (label, context, (8 * size).to_bytes(2, "big"))
    blocks = range(1, -(-size // key.block_size) + 1)
    return b"".join(omac_many(key, [bytes([i]) + fixed for i in blocks]))[:size]


class Chunks:
    """The chunks of one file; any number of threads may work on different ones."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._key = Kuznyechik(header.key)
        self._nonce_bytes = 8 if header.suite.mgm is MagmaMGM else 16
        self.plain_bytes = header.chunk_bytes
        self.sealed_bytes = header.chunk_bytes + header.suite.tag_bytes

    def seal(self, number: int, last: bool, buffer: memoryview, size: int) -> None:
        """Encrypt the first `size` bytes of the buffer, and put the tag behind them."""
        nonce = self.nonce(number, last)
        self._mgm(number).encrypt_into(nonce, buffer[:size], self._header.data, buffer)

    def open(self, number: int, last: bool, buffer: memoryview) -> memoryview:
        """Decrypt a sealed chunk where it lies, and give the part of the buffer with the message.

        Raises:
            DamagedFile: it is not authentic; of the message nothing is left in the buffer.
        """
        mgm = self._mgm(number)
        tag = self._header.suite.tag_bytes
        size = len(buffer) - tag
        if size < 0 or (size == 0 and number > 0):
            raise DamagedFile(
                f"The file was cut: its chunk {number:,}, from byte {self._place(number):,} on, "
                f"has {len(buffer)} bytes, which is too few."
            )
        sealed = bytes(buffer) if last else b""  # opening in place leaves nothing to look at
        try:
            mgm.decrypt_into(self.nonce(number, last), buffer, self._header.data, buffer[:size])
        except InvalidTag:
            raise self._damaged(number, mgm, sealed) from None
        return buffer[:size]

    def nonce(self, number: int, last: bool) -> bytes:
        """Whether it is the last one, then which one it is."""
        return bytes([last]) + number.to_bytes(self._nonce_bytes - 1, "big")

    def _mgm(self, number: int) -> KuznyechikMGM | MagmaMGM:
        return self._header.suite.mgm(chunk_key(self._key, number))

    def _place(self, number: int) -> int:
        return HEADER_BYTES + number * self.sealed_bytes

    def _damaged(self, number: int, mgm: KuznyechikMGM | MagmaMGM, sealed: bytes) -> DamagedFile:
        """Say what happened; `sealed` is what stands at the end of the file, if it is that."""
        try:
            if sealed:
                mgm.decrypt(self.nonce(number, False), sealed, self._header.data)
                return DamagedFile(
                    f"The file was cut: it ends after chunk {number:,}, which is not the last one."
                )
        except InvalidTag:
            pass
        return DamagedFile(
            f"Chunk {number:,}, from byte {self._place(number):,} on, is not authentic: the file "
            "was changed or cut there, or data was inserted or appended."
        )
