"""A cipher in a mode: contexts that take a message in pieces and give it encrypted or decrypted."""

from stend.gost.modes import Mode
from stend.gost.native import Key, Stream


class Cipher:
    """An algorithm and a mode, from which contexts are made, one for each message.

    A context has `update(data)`, `update_into(data, buffer)` and `finalize()`. Nothing here is
    authenticated: who changes the ciphertext changes the message. `KuznyechikMGM` prevents that.
    """

    __slots__ = ("_algorithm", "_mode", "_settings", "_threads")

    def __init__(self, algorithm: Key, mode: Mode, *, threads: int = 1) -> None:
        """`threads` share large updates where the mode allows it; 0: all CPUs of this process.

        That is ECB, CTR, and decryption of CBC and CFB.
        """
        if not isinstance(algorithm, Key):
            raise TypeError(
                "An algorithm has to be Kuznyechik(key), Magma(key) or GOST28147(key), not "
                f"{type(algorithm).__name__}."
            )
        if not isinstance(mode, Mode):
            raise TypeError(f"A mode is one of stend.gost.modes, not {type(mode).__name__}.")
        self._settings = mode.settings(algorithm)
        self._algorithm = algorithm
        self._mode = mode
        self._threads = threads

    def encryptor(self) -> Stream:
        """Make a context that encrypts one message."""
        return self._context(decrypts=False)

    def decryptor(self) -> Stream:
        """Make a context that decrypts one message."""
        return self._context(decrypts=True)

    def __repr__(self) -> str:
        return f"<Cipher {self._algorithm!r} {self._mode!r}>"

    def _context(self, *, decrypts: bool) -> Stream:
        number, iv, padding, section = self._settings
        return Stream(self._algorithm, number, decrypts, iv, padding, section, self._threads)
