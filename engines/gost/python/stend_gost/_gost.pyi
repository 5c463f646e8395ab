"""The compiled ciphers; `stend_gost` is what users import.

Errors are those of `stend_gost.errors`, and TypeError for what is no buffer at all.
"""

from collections.abc import Iterable
from typing import Self, final

from stend_gost.validation import Data

@final
class Variant:
    """One implementation of a cipher."""

    @property
    def name(self) -> str: ...
    @property
    def available(self) -> bool:
        """Whether this machine runs it."""
    @property
    def reason(self) -> str:
        """A sentence when it does not; else empty."""
    @property
    def constant_time(self) -> bool:
        """Whether no branch and no address of it depends on key or data."""

def variants(cipher: str) -> list[Variant]:
    """All implementations: those not constant time, then the others, each slowest first."""

def checked_threads(threads: int) -> int:
    """How many threads shall work, 0 to 4096; raises when it is no such number."""

class Key:
    """A cipher with its key and variant."""

    def __init__(self, cipher: str, key: Data, variant: str | None) -> None: ...
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
    @property
    def block_size(self) -> int:
        """Bytes."""

class Stream:
    """One message through a mode of encryption; for one thread at a time."""

    def __init__(
        self,
        algorithm: Key,
        mode: int,
        decrypts: bool,
        iv: Data,
        padding: int,
        section: int,
        threads: int,
    ) -> None: ...
    def update(self, data: Data) -> bytes:
        """Take in all of the data; give what can be given of the result."""
    def update_into(self, data: Data, buffer: Data) -> int:
        """Write the result into a buffer, which may be the data's; give how many bytes."""
    def finalize(self) -> bytes:
        """End the message; give the rest of the result."""

class Mac:
    """The tag of one message; for one thread at a time."""

    def __init__(
        self, algorithm: Key, tag_length: int | None, section: int, master_section: int
    ) -> None: ...
    @property
    def tag_length(self) -> int:
        """Bytes."""
    def update(self, data: Data) -> None:
        """Take in more of the message."""
    def finalize(self) -> bytes:
        """End the message; give its tag."""
    def verify(self, tag: Data) -> None:
        """End the message; raise InvalidTag unless the tag is its, compared in constant time."""
    def copy(self) -> Self:
        """Make another context that goes on from here."""

def omac_many(
    algorithms: Key | Iterable[Key], messages: Iterable[Data], tag_length: int | None = None
) -> list[bytes]:
    """OMAC of many messages at once, faster than one after the other.

    With one algorithm for all of them, or one for each, of one cipher and variant.
    """

class Mgm:
    """Whole messages, encrypted with authentication; any number of threads may share it."""

    def __init__(
        self, cipher: str, key: Data, tag_length: int | None, variant: str | None, threads: int
    ) -> None: ...
    @property
    def tag_length(self) -> int:
        """Bytes."""
    @property
    def variant(self) -> str:
        """The implementation that works for this object."""
    def encrypt(self, nonce: Data, data: Data, associated_data: Data | None = None) -> bytes:
        """Give the ciphertext with the tag behind it."""
    def decrypt(self, nonce: Data, data: Data, associated_data: Data | None = None) -> bytes:
        """Give the message of a ciphertext with its tag; raise InvalidTag, and give nothing."""
    def encrypt_into(
        self, nonce: Data, data: Data, associated_data: Data | None, buffer: Data
    ) -> int:
        """Write ciphertext and tag into a buffer, which may begin with the data; give how many."""
    def decrypt_into(
        self, nonce: Data, data: Data, associated_data: Data | None, buffer: Data
    ) -> int:
        """Write the message into a buffer, which may be the data's; give how many bytes.

        When the tag is wrong, that part of the buffer is filled with zeros.
        """

class MgmEncryption:
    """One message, encrypted with authentication in pieces; for one thread at a time."""

    def __init__(
        self, algorithm: Key, nonce: Data, tag_length: int | None, threads: int
    ) -> None: ...
    def authenticate_additional_data(self, data: Data) -> None:
        """Take in associated data, all of it before the message."""
    def update(self, data: Data) -> bytes:
        """Take in more of the message; give it encrypted."""
    def update_into(self, data: Data, buffer: Data) -> int:
        """Write it encrypted into a buffer, which may be the data's; give how many bytes."""
    def finalize(self) -> bytes:
        """End the message; give nothing more: `tag` is made then."""
    @property
    def tag(self) -> bytes:
        """The message's tag, once it has ended."""

class MgmDecryption:
    """One message, taken in pieces and given at the end; for one thread at a time.

    Nothing of it is given before its tag was checked, so all of it is kept until then.
    """

    def __init__(
        self,
        algorithm: Key,
        nonce: Data,
        tag: Data | None,
        tag_length: int | None,
        threads: int,
    ) -> None: ...
    def authenticate_additional_data(self, data: Data) -> None:
        """Take in associated data, all of it before the message."""
    def update(self, data: Data) -> bytes:
        """Take in more of what is encrypted, and keep it; give nothing yet."""
    def update_into(self, data: Data, buffer: Data) -> int:
        """As update; the buffer stays as it is."""
    def finalize(self) -> bytes:
        """Give the message, if the mode's tag is its; else raise InvalidTag."""
    def finalize_with_tag(self, tag: Data) -> bytes:
        """Give the message, if this tag is its; else raise InvalidTag."""

def check_mgm(algorithm: Key, nonce: Data, tag_length: int | None) -> int:
    """The length of MGM's tags with an algorithm; raises unless it takes them and the nonce."""

def kexp15(mac_key: Key, cipher_key: Key, iv: Data, key: Data) -> bytes:
    """KExp15 (R 1323565.1.017-2018; RFC 9189, 8.2.1): a key of any size, protected by two others.

    `iv` is half a block, never the same twice with these keys.
    """

def kimp15(mac_key: Key, cipher_key: Key, iv: Data, exported: Data) -> bytes:
    """KImp15: the key that KExp15 was given; raises InvalidTag when it was changed."""
