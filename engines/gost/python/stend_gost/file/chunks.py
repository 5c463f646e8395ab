"""One chunk of a message, sealed or opened in place in a buffer; STREAM of Hoang et al. (2015).

A chunk's number and whether it is the last one are in its nonce, and its key is its own, so that a
chunk is authentic in one place of one file only.
"""

from stend_gost.aead import KuznyechikMGM, MagmaMGM
from stend_gost.algorithms import Kuznyechik
from stend_gost.errors import DamagedFile, InvalidTag
from stend_gost.file.header import HEADER_BYTES, Header, chunk_key


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
                    f"The file was cut: it ends after chunk {number:,}, and there were more."
                )
        except InvalidTag:
            pass
        return DamagedFile(
            f"Chunk {number:,}, from byte {self._place(number):,} on, is not authentic: the file "
            "was changed or cut there, or something was put in or added."
        )
