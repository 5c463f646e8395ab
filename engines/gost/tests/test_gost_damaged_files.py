"""Whatever is done to an encrypted file, what comes out is its true beginning, and an error."""

import pytest

from stend_gost.errors import DamagedFile, EncryptedFileError, NotEncrypted, WrongKey
from stend_gost.file import CIPHERS, decrypt
from test_gost_file_format import KEY, Raw, message, sealed

BOTH = pytest.mark.parametrize("cipher", CIPHERS)
CHUNK = 4096


class Kept:
    def __init__(self):
        self.data = b""

    def write(self, data):
        self.data += bytes(data)


def refused(data, true, kind=EncryptedFileError, key=KEY, said=None):
    """Decrypting this fails; what was given out is how `true` begins, in whole chunks."""
    out = Kept()
    with pytest.raises(kind, match=said) as caught:
        decrypt(Raw(data), out, key, threads=1)
    assert true.startswith(out.data)
    assert len(out.data) % CHUNK == 0
    assert len(out.data) < max(len(true), 1)
    assert str(caught.value).endswith(".")
    assert str(caught.value).isprintable()
    return out.data


def parts(data, cipher):
    size = CHUNK + CIPHERS[cipher].tag_bytes
    return data[:64], [data[i : i + size] for i in range(64, len(data), size)]


@BOTH
def test_cut_anywhere(cipher):
    true = message(CHUNK + 40)
    whole = sealed(true, cipher)
    ends = {*range(90), *range(CHUNK, CHUNK + 90), *range(len(whole) - 70, len(whole))}
    for size in sorted(ends.union(range(0, len(whole), 29))):
        refused(whole[:size], true, NotEncrypted if size < 64 else DamagedFile)


@BOTH
def test_cut_between_chunks_is_called_so(cipher):
    true = message(3 * CHUNK)
    header, chunks = parts(sealed(true, cipher), cipher)
    for count in (1, 2):
        cut = header + b"".join(chunks[:count])
        refused(cut, true, DamagedFile, said=f"cut: it ends after chunk {count - 1}")
    refused(header, true, DamagedFile, said="cut: its chunk 0, from byte 64 on, has 0 bytes")


@BOTH
def test_a_bit_changed_anywhere(cipher):
    true = message(CHUNK + 40)
    whole = sealed(true, cipher)
    for place in [*range(200), *range(200, len(whole), 61), *range(len(whole) - 70, len(whole))]:
        for bit in (1, 0x80):
            changed = bytearray(whole)
            changed[place] ^= bit
            refused(bytes(changed), true)


@BOTH
def test_chunks_exchanged_repeated_left_out_or_put_in(cipher):
    true = message(3 * CHUNK + 100)
    header, (a, b, c, d) = parts(sealed(true, cipher), cipher)
    other = parts(sealed(message(3 * CHUNK + 100), cipher), cipher)[1]
    for order in (
        [b, a, c, d], [a, c, b, d], [a, b, d, c], [a, b, c, c, d], [a, a, b, c, d],
        [a, b, d], [b, c, d], [d], [a, b, c], [a, b, c, d, d], [a, b, c, d, a],
        [other[0], b, c, d], [a, b, other[2], d], [a, b, c, other[3]], [],
    ):  # fmt: skip
        refused(header + b"".join(order), true, DamagedFile)


@BOTH
def test_the_header_of_another_file_of_the_same_key(cipher):
    true = message(CHUNK + 7)
    first, second = sealed(true, cipher), sealed(true, cipher)
    assert refused(first[:64] + second[64:], true, DamagedFile, said="Chunk 0, from byte 64") == b""


@BOTH
@pytest.mark.parametrize("rubbish", [b"\0", b"\n", bytes(16), bytes(5000), b"x" * (CHUNK + 16)])
@pytest.mark.parametrize("size", [0, 10, CHUNK, 2 * CHUNK])
def test_rubbish_at_the_end(cipher, rubbish, size):
    refused(sealed(message(size), cipher) + rubbish, message(size), DamagedFile)


@BOTH
def test_two_files_one_behind_the_other(cipher):
    whole = sealed(message(CHUNK), cipher)
    refused(whole + whole, message(CHUNK), DamagedFile)


@BOTH
def test_an_empty_last_chunk_is_refused_where_it_was_not_written(cipher):
    """A writer that ends a full chunk with an empty one: two files for one message."""
    from stend_gost.file_format import Chunks, Header

    header = Header.new(KEY, cipher, 12)
    chunks, tag = Chunks(header), CIPHERS[cipher].tag_bytes
    buffer = memoryview(bytearray(CHUNK + tag))
    chunks.seal(0, False, buffer, CHUNK)
    empty = memoryview(bytearray(tag))
    chunks.seal(1, True, empty, 0)
    refused(header.data + bytes(buffer) + bytes(empty), bytes(CHUNK), said="1, from byte")


@BOTH
def test_another_key(cipher):
    whole = sealed(message(100), cipher)
    assert refused(whole, message(100), WrongKey, bytes(32), "encrypted with another key") == b""


def test_the_other_cipher_s_number():
    for cipher in CIPHERS:
        whole = bytearray(sealed(message(100), cipher))
        whole[9] = 3 - whole[9]
        refused(bytes(whole), b"", WrongKey)


@pytest.mark.parametrize(
    ("place", "byte", "said"),
    [
        (0, 0, "not a file of"),
        (8, 0, "format version 0; this stend reads version 1"),
        (8, 2, "format version 2"),
        (9, 0, "number 0"),
        (9, 3, "number 3"),
        (10, 11, r"2\^11 bytes, outside of 2\^12 to 2\^22"),
        (10, 23, r"2\^23 bytes"),
        (10, 63, r"2\^63 bytes"),
        (10, 255, r"2\^255 bytes"),
        (15, 1, "0000000001 where zeros"),
    ],
)
def test_a_hostile_header_is_refused_before_memory_is_taken(place, byte, said):
    whole = bytearray(sealed(b"x"))
    whole[place] = byte
    refused(bytes(whole), b"", NotEncrypted, said=said)


def test_magma_s_chunks_are_smaller():
    whole = bytearray(sealed(b"x", "magma"))
    whole[10] = 18
    refused(bytes(whole), b"", NotEncrypted, said=r"to 2\^17 for magma")


@pytest.mark.parametrize("data", [b"", b"\x8f", b"\x8fSTGOST\n", b"\x89PNG\r\n", b"a" * 64])
def test_what_is_no_such_file_is_said_to_be_none(data):
    refused(data, b"", NotEncrypted, said=None if data else "it is empty")
