"""A block cipher with its key: a key of 32 bytes in, what modes and MACs are made with out.

The key's schedule is made once; any number of contexts and threads may share it.
"""

from typing import TYPE_CHECKING

from stend_gost.errors import BadOption
from stend_gost.native import Key, Variant, variants

if TYPE_CHECKING:
    from stend_gost.validation import Data

SBOXES = ("tc26-z", "cryptopro-a", "cryptopro-b", "cryptopro-c", "cryptopro-d")


def require_key(algorithm: Key) -> None:
    """Refuse anything but an algorithm with its key, such as the key's bytes alone."""
    if not isinstance(algorithm, Key):
        raise TypeError(
            "An algorithm has to be Kuznyechik(key), Magma(key) or GOST28147(key), not "
            f"{type(algorithm).__name__}."
        )


class Kuznyechik(Key):
    """Kuznyechik (GOST R 34.12-2015, section 4; RFC 7801): blocks of 16 bytes."""

    __slots__ = ()

    def __init__(self, key: "Data", *, variant: str | None = None) -> None:
        """Without `variant`, the fastest constant-time implementation that runs here."""
        super().__init__("kuznyechik", key, variant)

    def __repr__(self) -> str:
        return f"<Kuznyechik, variant {self.variant!r}>"

    @staticmethod
    def variants() -> list[Variant]:
        """All implementations: those not constant time, then the others, each slowest first."""
        return variants("kuznyechik")


class Magma(Key):
    """Magma (GOST R 34.12-2015, section 5; RFC 8891): blocks of 8 bytes."""

    __slots__ = ()

    def __init__(self, key: "Data", *, variant: str | None = None) -> None:
        """Without `variant`, the fastest constant-time implementation that runs here."""
        super().__init__("magma", key, variant)

    def __repr__(self) -> str:
        return f"<Magma, variant {self.variant!r}>"

    @staticmethod
    def variants() -> list[Variant]:
        """All implementations: those not constant time, then the others, each slowest first."""
        return variants("magma")


class GOST28147(Key):
    """GOST 28147-89 (RFC 5830), for data from before 2015: blocks of 8 bytes.

    `sbox` names the parameter set: cryptopro-a to cryptopro-d (RFC 4357, 11.1) or tc26-z
    (RFC 7836, annex C). Magma is this cipher with tc26-z and another order of bytes.
    """

    __slots__ = ("_sbox",)

    def __init__(
        self, key: "Data", sbox: str = "cryptopro-a", *, variant: str | None = None
    ) -> None:
        """Without `variant`, the fastest constant-time implementation that runs here."""
        if sbox not in SBOXES:
            raise BadOption(
                f"GOST 28147-89 has no parameter set {sbox!r}; it has {', '.join(SBOXES)}."
            )
        super().__init__(f"gost28147-{sbox}", key, variant)
        self._sbox = sbox

    @property
    def sbox(self) -> str:
        """The parameter set."""
        return self._sbox

    def __repr__(self) -> str:
        return f"<GOST28147 with {self._sbox}, variant {self.variant!r}>"

    @staticmethod
    def variants() -> list[Variant]:
        """All implementations: those not constant time, then the others, each slowest first."""
        return variants("gost28147-cryptopro-a")
