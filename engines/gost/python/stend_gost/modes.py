"""Modes of encryption (GOST R 34.13-2015; RFC 8645) and what each takes.

A mode object holds no secret and may be used again, but with CTR, CTR_ACPKM, OFB and CFB never use
an initialisation vector twice under one key.
"""

from abc import ABC, abstractmethod
from enum import IntEnum
from typing import TYPE_CHECKING

from stend_gost.algorithms import GOST28147
from stend_gost.errors import BadNonce, BadOption
from stend_gost.native import Key, MgmDecryption, MgmEncryption, Stream, check_mgm
from stend_gost.validation import LARGEST, in_words, number, octets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stend_gost.validation import Data

MESHING = 1024
"""Bytes under one key with key meshing (RFC 4357, 2.3.2)."""


class Padding(IntEnum):
    """How the last block of ECB and CBC is filled up (GOST R 34.13-2015, 4.1).

    Only the padding of procedure 2 is taken off when decrypting: the other two can't be told from
    the message.
    """

    NONE = 0
    PROCEDURE_1 = 1
    PROCEDURE_2 = 2
    PROCEDURE_3 = 3

    @classmethod
    def _missing_(cls, value: object) -> "Padding":
        raise BadOption(
            f"There is no padding {value!r}; there are Padding.NONE and Padding.PROCEDURE_1 to "
            "PROCEDURE_3."
        )


class Mode(ABC):
    """What all modes have; made by one of the classes below."""

    __slots__ = ()

    @abstractmethod
    def contexts(self, algorithm: Key, threads: int) -> "Callable[[bool], object]":
        """Give what makes a context: one that decrypts when it is called with True.

        Raises:
            GostError: the algorithm has no such mode.
        """


class StreamMode(Mode):
    """A mode that authenticates nothing."""

    __slots__ = ("_iv", "_padding", "_section")
    _number: int

    def __init__(self, iv: "Data", padding: Padding = Padding.NONE, section: int = 0) -> None:
        self._iv = octets(iv, "An initialisation vector")
        self._padding = Padding(padding)
        self._section = section

    def __repr__(self) -> str:
        iv = f"an iv of {len(self._iv)} bytes" if self._iv else "no iv"
        return f"<{type(self).__name__} with {iv}>"

    def contexts(self, algorithm: Key, threads: int) -> "Callable[[bool], Stream]":
        """As in all modes."""
        way, iv, padding, section = self.settings(algorithm)

        def context(decrypts: bool) -> Stream:
            return Stream(algorithm, way, decrypts, iv, padding, section, threads)

        return context

    def settings(self, algorithm: Key) -> "tuple[int, bytes, int, int]":
        """Number, iv, padding and section as the compiled part takes them.

        Raises:
            BadNonce: the initialisation vector has another size than the cipher's blocks ask for.
            BadOption: the cipher has no such mode.
        """
        sizes = self._sizes(algorithm)
        if len(self._iv) not in sizes:
            raise BadNonce(
                f"An initialisation vector of {type(self).__name__} with "
                f"{type(algorithm).__name__} has {_either(sizes)} bytes, not {len(self._iv)}."
            )
        return self._number, self._iv, int(self._padding), self._section

    def _sizes(self, algorithm: Key) -> "Sequence[int]":
        block = algorithm.block_size
        if isinstance(algorithm, GOST28147):
            return (block,)
        return range(block, 16 * block + 1, block)


class ECB(StreamMode):
    """Each block by itself: equal blocks stay equal, so this is rarely what you want (5.1)."""

    __slots__ = ()
    _number = 0

    def __init__(self, *, padding: Padding = Padding.NONE) -> None:
        super().__init__(b"", padding)

    def _sizes(self, algorithm: Key) -> "Sequence[int]":
        return (0,)


class CTR(StreamMode):
    """A counter, encrypted, as the keystream (5.2).

    `iv` is half a block, or a whole first counter. GOST 28147-89 counts by its own rule
    (RFC 5830, 6) from 8 bytes, with `key_meshing` under a new key every 1024 bytes.
    """

    __slots__ = ()
    _number = 1

    def __init__(self, iv: "Data", *, key_meshing: bool = False) -> None:
        super().__init__(iv, section=MESHING if key_meshing else 0)

    def settings(self, algorithm: Key) -> "tuple[int, bytes, int, int]":
        """As in all modes; key meshing is GOST 28147-89's alone."""
        _meshed(self, algorithm, self._section)
        return super().settings(algorithm)

    def _sizes(self, algorithm: Key) -> "Sequence[int]":
        block = algorithm.block_size
        return (block,) if isinstance(algorithm, GOST28147) else (block // 2, block)


class CTR_ACPKM(StreamMode):  # noqa: N801 - its name in RFC 8645
    """CTR with a new key every `section` bytes, which is whole blocks (RFC 8645, 6.2.2)."""

    __slots__ = ()
    _number = 1

    def __init__(self, iv: "Data", section: int) -> None:
        super().__init__(iv, section=number(section, "A section of CTR_ACPKM"))

    def settings(self, algorithm: Key) -> "tuple[int, bytes, int, int]":
        """As in all modes; a section is whole blocks."""
        _refuse_28147(algorithm, "CTR_ACPKM")
        checked_section(self._section, algorithm, "A section of CTR_ACPKM")
        return super().settings(algorithm)

    def _sizes(self, algorithm: Key) -> "Sequence[int]":
        return (algorithm.block_size // 2, algorithm.block_size)


class OFB(StreamMode):
    """The keystream is the register encrypted again and again (5.3).

    `iv` is the register, 1 to 16 blocks.
    """

    __slots__ = ()
    _number = 2

    def __init__(self, iv: "Data") -> None:
        super().__init__(iv)

    def settings(self, algorithm: Key) -> "tuple[int, bytes, int, int]":
        """As in all modes; GOST 28147-89 has no such mode."""
        _refuse_28147(algorithm, "OFB")
        return super().settings(algorithm)


class CBC(StreamMode):
    """Each block is added to the one encrypted before it (5.4).

    `iv` is the register, 1 to 16 blocks (GOST 28147-89: one), and unpredictable.
    """

    __slots__ = ()
    _number = 3

    def __init__(self, iv: "Data", *, padding: Padding = Padding.NONE) -> None:
        super().__init__(iv, padding)


class CFB(StreamMode):
    """The keystream is the ciphertext before, encrypted (5.5, with s = n).

    `iv` is the register, 1 to 16 blocks (GOST 28147-89: one).
    """

    __slots__ = ()
    _number = 4

    def __init__(self, iv: "Data", *, key_meshing: bool = False) -> None:
        super().__init__(iv, section=MESHING if key_meshing else 0)

    def settings(self, algorithm: Key) -> "tuple[int, bytes, int, int]":
        """As in all modes; key meshing is GOST 28147-89's alone."""
        _meshed(self, algorithm, self._section)
        return super().settings(algorithm)


class MGM(Mode):
    """Encryption with authentication (RFC 9058); `KuznyechikMGM` does whole messages faster.

    `nonce` is one block whose first bit is 0. `tag` is given to decrypt, here or to
    `finalize_with_tag`; it has `tag_length` bytes, 4 to a block, which is the default. A decryptor
    gives the message at its end, when the tag was checked, and keeps it in memory until then.
    """

    __slots__ = ("_nonce", "_tag", "_tag_length")

    def __init__(
        self, nonce: "Data", tag: "Data | None" = None, *, tag_length: int | None = None
    ) -> None:
        self._nonce = octets(nonce, "A nonce")
        self._tag = None if tag is None else octets(tag, "A tag")
        self._tag_length = tag_length

    def contexts(
        self, algorithm: Key, threads: int
    ) -> "Callable[[bool], MgmEncryption | MgmDecryption]":
        """As in all modes."""
        _refuse_28147(algorithm, "MGM")
        nonce, tag, size = self._nonce, self._tag, self._tag_length
        check_mgm(algorithm, nonce, size)

        def context(decrypts: bool) -> MgmEncryption | MgmDecryption:
            if decrypts:
                return MgmDecryption(algorithm, nonce, tag, size, threads)
            if tag is not None:
                raise BadOption("A tag is for decryption; to encrypt, give the nonce alone.")
            return MgmEncryption(algorithm, nonce, size, threads)

        return context

    def __repr__(self) -> str:
        return f"<MGM with a nonce of {len(self._nonce)} bytes>"


def checked_section(size: int, algorithm: Key, what: str) -> int:
    """Give the size; raise unless it is one or more whole blocks."""
    size = number(size, what)
    if not 1 <= size <= LARGEST or size % algorithm.block_size:
        raise BadOption(
            f"{what} is whole blocks of {algorithm.block_size} bytes, at least one, not "
            f"{in_words(size)}."
        )
    return size


def _refuse_28147(algorithm: Key, mode: str) -> None:
    if isinstance(algorithm, GOST28147):
        raise BadOption(f"{mode} is for Kuznyechik and Magma, not for GOST28147.")


def _meshed(mode: Mode, algorithm: Key, section: int) -> None:
    if section and not isinstance(algorithm, GOST28147):
        raise BadOption(
            f"Key meshing is for GOST28147; {type(algorithm).__name__} has CTR_ACPKM "
            f"instead of {type(mode).__name__} with key_meshing."
        )


def _either(sizes: "Sequence[int]") -> str:
    if len(sizes) > 2:
        return f"{sizes[0]}, {sizes[1]}, … {sizes[-1]}"
    return " or ".join(map(str, sizes))
