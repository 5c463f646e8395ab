"""MGM, encryption with authentication (RFC 9058): a whole message in, ciphertext and tag out."""

import os
from typing import TYPE_CHECKING

from stend_gost.native import Mgm

if TYPE_CHECKING:
    from stend_gost.validation import Data


class KuznyechikMGM(Mgm):
    """MGM with Kuznyechik: nonces of 16 bytes whose first bit is 0, tags of 4 to 16 bytes.

    Never use a nonce twice under one key: count messages, or use `generate_nonce()`. `threads`
    share large messages; 0: all CPUs of this process.
    """

    __slots__ = ()

    def __init__(
        self, key: "Data", tag_length: int = 16, *, variant: str | None = None, threads: int = 1
    ) -> None:
        super().__init__("kuznyechik", key, tag_length, variant, threads)

    @staticmethod
    def generate_key() -> bytes:
        """Make a random key of 32 bytes."""
        return os.urandom(32)

    @staticmethod
    def generate_nonce() -> bytes:
        """Make a random nonce of 16 bytes whose first bit is 0.

        After 2^48 messages under one key the probability of a repetition is 2^-32.
        """
        return _random_nonce(16)

    def __repr__(self) -> str:
        return f"<KuznyechikMGM, variant {self.variant!r}>"


class MagmaMGM(Mgm):
    """MGM with Magma: nonces of 8 bytes whose first bit is 0, tags of 4 to 8 bytes.

    Like `KuznyechikMGM`; but blocks of 8 bytes repeat after some gigabytes under one key, so change
    the key long before.
    """

    __slots__ = ()

    def __init__(
        self, key: "Data", tag_length: int = 8, *, variant: str | None = None, threads: int = 1
    ) -> None:
        super().__init__("magma", key, tag_length, variant, threads)

    @staticmethod
    def generate_key() -> bytes:
        """Make a random key of 32 bytes."""
        return os.urandom(32)

    @staticmethod
    def generate_nonce() -> bytes:
        """Make a random nonce of 8 bytes whose first bit is 0.

        After 65,536 messages under one key the probability of a repetition is 2^-32: use a counter
        for more.
        """
        return _random_nonce(8)

    def __repr__(self) -> str:
        return f"<MagmaMGM, variant {self.variant!r}>"


def _random_nonce(size: int) -> bytes:
    """RFC 9058, 4: the first bit tells the two counters apart that are made of a nonce."""
    first, *rest = os.urandom(size)
    return bytes([first & 0x7F, *rest])
