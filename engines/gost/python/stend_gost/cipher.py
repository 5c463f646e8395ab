"""A cipher in a mode: contexts that take a message in pieces and give it encrypted or decrypted."""

from typing import Any, Generic, TypeVar, overload

from stend_gost.algorithms import require_key
from stend_gost.modes import MGM, Mode, StreamMode
from stend_gost.native import Key, MgmDecryption, MgmEncryption, Stream, checked_threads

M = TypeVar("M", bound=Mode, covariant=True)


class Cipher(Generic[M]):
    """An algorithm and a mode, from which contexts are made, one for each message.

    A context has `update(data)`, `update_into(data, buffer)` and `finalize()`; those of MGM also
    `authenticate_additional_data(data)` and a tag. No other mode authenticates: a change of the
    ciphertext changes the message, unnoticed.
    """

    __slots__ = ("_algorithm", "_context", "_mode")

    def __init__(self, algorithm: Key, mode: M, *, threads: int = 1) -> None:
        """`threads` share large updates where the mode allows it; 0: all CPUs of this process.

        That is ECB, CTR, MGM, and decryption of CBC and CFB.
        """
        require_key(algorithm)
        if not isinstance(mode, Mode):
            raise TypeError(f"A mode is one of stend_gost.modes, not {type(mode).__name__}.")
        self._algorithm = algorithm
        self._mode = mode
        self._context = mode.contexts(algorithm, checked_threads(threads))

    @overload
    def encryptor(self: "Cipher[MGM]") -> MgmEncryption: ...
    @overload
    def encryptor(self: "Cipher[StreamMode]") -> Stream: ...
    @overload
    def encryptor(self) -> MgmEncryption | Stream: ...
    def encryptor(self) -> Any:
        """Make a context that encrypts one message."""
        return self._context(False)

    @overload
    def decryptor(self: "Cipher[MGM]") -> MgmDecryption: ...
    @overload
    def decryptor(self: "Cipher[StreamMode]") -> Stream: ...
    @overload
    def decryptor(self) -> MgmDecryption | Stream: ...
    def decryptor(self) -> Any:
        """Make a context that decrypts one message; MGM's gives nothing of it before its end."""
        return self._context(True)

    def __repr__(self) -> str:
        return f"<Cipher {self._algorithm!r} {self._mode!r}>"
