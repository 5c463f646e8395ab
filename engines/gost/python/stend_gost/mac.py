"""Message authentication codes: a message in pieces in, a tag out, or one that is verified.

Each has `update(data)`, then `finalize()` or `verify(tag)`, and `copy()`.
"""

from stend_gost.algorithms import GOST28147, require_key
from stend_gost.errors import BadOption
from stend_gost.modes import MESHING, checked_section
from stend_gost.native import Key, Mac
from stend_gost.validation import LARGEST, in_words, number


class OMAC(Mac):
    """OMAC of Kuznyechik or Magma (GOST R 34.13-2015, 5.6); CMAC is another name for it.

    `tag_length` is 1 byte to a block, which is the default.
    """

    __slots__ = ()

    def __init__(self, algorithm: Key, tag_length: int | None = None) -> None:
        _refuse_28147(algorithm, "OMAC")
        super().__init__(algorithm, tag_length, 0, 0)


class OMAC_ACPKM(Mac):  # noqa: N801 - its name in RFC 8645
    """OMAC with a new key every `section` bytes (RFC 8645, 6.3.6).

    The keys come from CTR-ACPKM with its own new key every `master_section` bytes, which is whole
    keys of sections: 32 bytes and a block each.
    """

    __slots__ = ()

    def __init__(
        self, algorithm: Key, section: int, master_section: int, tag_length: int | None = None
    ) -> None:
        _refuse_28147(algorithm, "OMAC_ACPKM")
        super().__init__(
            algorithm,
            tag_length,
            checked_section(section, algorithm, "A section of OMAC_ACPKM"),
            _checked_master(master_section, algorithm),
        )


class Imitovstavka(Mac):
    """The imitovstavka of GOST 28147-89 (RFC 5830, 8): a tag of 4 bytes, or of 1 to 8.

    The tag of an empty message is zeros under every key, as gost-engine has it. With `key_meshing`
    under a new key every 1024 bytes (RFC 4357, 2.3.2).
    """

    __slots__ = ()

    def __init__(
        self, algorithm: GOST28147, tag_length: int | None = None, *, key_meshing: bool = False
    ) -> None:
        require_key(algorithm)
        if not isinstance(algorithm, GOST28147):
            raise BadOption(
                f"An imitovstavka is made with GOST28147, not with {type(algorithm).__name__}; "
                "OMAC is for that."
            )
        super().__init__(algorithm, tag_length, MESHING if key_meshing else 0, 0)


def _checked_master(size: int, algorithm: Key) -> int:
    size, material = number(size, "A master section of OMAC_ACPKM"), 32 + algorithm.block_size
    if not 1 <= size <= LARGEST or size % material:
        raise BadOption(
            f"A master section of OMAC_ACPKM is a multiple of {material} bytes, key and block "
            f"together, not {in_words(size)}."
        )
    return size


def _refuse_28147(algorithm: Key, mac: str) -> None:
    require_key(algorithm)
    if isinstance(algorithm, GOST28147):
        raise BadOption(f"{mac} is for Kuznyechik and Magma; GOST28147 has Imitovstavka.")
