"""The encrypted file is what docs/gost-file.md says, and what is encrypted comes back."""

import io
import os
import tracemalloc
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import file_by_the_book
from stend_gost.errors import BadKey, BadOption, OutputError, TooLong, UnreadableFile
from stend_gost.file import CIPHERS, Header, decrypt, encrypt
from stend_gost.file_format import Chunks

KEY = bytes(range(100, 132))
SALT = bytes(range(32))
BOTH = pytest.mark.parametrize("cipher", CIPHERS)
SMALL = 12


class Raw:
    """A stream that gives as little at a time as it likes, as a pipe may."""

    def __init__(self, data, most=None):
        self.stream, self.most = io.BytesIO(data), most

    def readinto(self, buffer):
        return self.stream.readinto(buffer[: self.most])


def sealed(data, cipher="kuznyechik", chunk=SMALL, key=KEY, threads=1):
    out = io.BytesIO()
    encrypt(Raw(data), out, key, cipher=cipher, chunk=chunk, threads=threads)
    return out.getvalue()


def opened(data, key=KEY, threads=1, most=None):
    out = io.BytesIO()
    decrypt(Raw(data, most), out, key, threads=threads)
    return out.getvalue()


def message(size):
    return bytes(i * 31 % 241 for i in range(size))


@BOTH
@pytest.mark.parametrize("size", [0, 1, 17, 4096, 4100])
def test_it_is_what_the_page_says(cipher, size):
    with mock.patch("os.urandom", return_value=SALT):
        made = sealed(message(size), cipher)
    number, power = CIPHERS[cipher].number, SMALL
    assert made == file_by_the_book.encrypted(KEY, number, power, SALT, message(size))


@BOTH
def test_a_file_of_this_version_is_read_for_ever(cipher):
    """Version 1 wrote these, with the salt 00 01 … 1f."""
    start = {
        "kuznyechik": "8f5354474f53540a01010c0000000000",
        "magma": "8f5354474f53540a01020c0000000000",
    }
    rest = {
        "kuznyechik": "ea1c4abd39045cb142f7095ad871ca0624c8e7fa3d8c52e7c9afe90222979ece"
        "0cb8d9269ff38e75",
        "magma": "d6f1b2c8fd0d58e6686b52b9a8325d8f080260cf2bddaebd9eb418481a2fa4fa",
    }
    assert opened(bytes.fromhex(start[cipher]) + SALT + bytes.fromhex(rest[cipher])) == b"for ever"


SIZES = [0, 1, 15, 4095, 4096, 4097, 8191, 8192, 8193, 12288, 40000]


@BOTH
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("threads", [1, 3])
def test_what_was_encrypted_comes_back(cipher, size, threads):
    made = sealed(message(size), cipher, threads=threads)
    chunks = max(1, -(-size // 4096))
    assert len(made) == 64 + size + chunks * CIPHERS[cipher].tag_bytes
    assert opened(made, threads=threads) == message(size)


@BOTH
@given(size=st.integers(0, 30000), most=st.integers(1, 9000), pieces=st.integers(1, 5))
def test_pipes_may_give_little_at_a_time(cipher, size, most, pieces):
    with mock.patch("stend_gost.file.PIECE", pieces * 4096):
        made = sealed(message(size), cipher, threads=2)
        assert opened(made, threads=2, most=most) == message(size)


@BOTH
def test_every_chunk_size_that_may_be_written_is_read(cipher):
    for power in range(12, CIPHERS[cipher].largest_chunk + 1):
        made = sealed(message(5000), cipher, chunk=power)
        assert made[10] == power
        assert opened(made) == message(5000)


def test_two_files_of_one_message_have_nothing_in_common():
    a, b = sealed(message(5000)), sealed(message(5000))
    assert a[16:48] != b[16:48]
    assert sum(x == y for x, y in zip(a[48:], b[48:], strict=True)) < 100


@BOTH
def test_memory_does_not_grow_with_the_message(cipher):
    class Endless:
        left = 24 << 20

        def readinto(self, buffer):
            count = min(len(buffer), self.left)
            self.left -= count
            return count

    class Nowhere:
        size = 0

        def write(self, data):
            self.size += len(data)

    tracemalloc.start()
    try:
        encrypt(Endless(), Nowhere(), KEY, cipher=cipher, threads=2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20


def test_a_message_beyond_the_cipher_s_limit_is_refused_where_it_passes_it():
    header = Header.new(KEY, "magma")
    assert header.suite.largest_message == 64 << 30
    assert CIPHERS["kuznyechik"].largest_message == 1 << 62
    with mock.patch.object(Header, "new") as new:
        suite = mock.Mock(wraps=header.suite, largest_message=2 * 4096, tag_bytes=8)
        suite.mgm = header.suite.mgm
        new.return_value = Header(header.data, suite, 4096, header.key)
        encrypt(Raw(bytes(8192)), io.BytesIO(), KEY, cipher="magma")
        with pytest.raises(TooLong, match="at most 8,192 bytes"):
            encrypt(Raw(bytes(8193)), io.BytesIO(), KEY, cipher="magma")


@BOTH
def test_chunks_of_large_numbers_have_keys_and_nonces_of_their_own(cipher):
    header = Header.new(KEY, cipher)
    chunks, by_the_book = Chunks(header), file_by_the_book.CIPHERS[header.suite.number]
    numbers = [0, 1, 255, 256, 2**16, 2**32, 2**42, 2**56 - 1]
    nonces = {chunks.nonce(n, last) for n in numbers for last in (False, True)}
    assert len(nonces) == 2 * len(numbers)
    assert all(nonce[0] < 2 for nonce in nonces)
    for number in numbers:
        buffer = memoryview(bytearray(50 + header.suite.tag_bytes))
        chunks.seal(number, False, buffer, 50)
        assert buffer == file_by_the_book.sealed_chunk(
            by_the_book, header.key, header.data, number, False, bytes(50)
        )
        assert bytes(chunks.open(number, False, buffer)) == bytes(50)


@BOTH
def test_a_raw_file_may_take_a_part_at_a_time(cipher):
    class Raw3000(io.BytesIO):
        def write(self, data):
            return super().write(bytes(data)[:3000])

    out = Raw3000()
    encrypt(Raw(message(20_000)), out, KEY, cipher=cipher, chunk=SMALL)
    back = Raw3000()
    decrypt(Raw(out.getvalue()), back, KEY)
    assert back.getvalue() == message(20_000)


def test_what_does_not_wait_for_more_is_not_taken_for_its_end():
    class Slow(Raw):
        def readinto(self, buffer):
            return super().readinto(buffer) or None

    for work in (encrypt, decrypt):
        with pytest.raises(UnreadableFile, match="non-blocking"):
            work(Slow(sealed(message(5000))), io.BytesIO(), KEY)


def test_what_is_full_and_does_not_wait_is_an_error():
    reading, writing = os.pipe2(os.O_NONBLOCK)
    with io.FileIO(reading), io.FileIO(writing, "w") as full, pytest.raises(OutputError):
        encrypt(Raw(bytes(3 << 20)), full, KEY)


@pytest.mark.parametrize("count", [-1, 1 << 40])
def test_a_stream_that_counts_wrongly_is_refused(count):
    class Wrong:
        def readinto(self, buffer):
            return count

        def write(self, data):
            return count

    with pytest.raises(UnreadableFile, match=f"read {count} bytes"):
        encrypt(Wrong(), io.BytesIO(), KEY)
    with pytest.raises(OutputError, match=f"written {count} bytes"):
        encrypt(Raw(b"x"), Wrong(), KEY)


def test_what_can_not_be_is_refused():
    with pytest.raises(TypeError, match=r"A key has to be bytes .* not str"):
        sealed(b"", key="k" * 32)
    assert opened(sealed(b"x", key=memoryview(KEY)), key=bytearray(KEY)) == b"x"
    with pytest.raises(BadOption, match="not -1"):
        sealed(b"", threads=-1)
    with pytest.raises(BadKey, match="not 31"):
        sealed(b"", key=bytes(31))
    with pytest.raises(BadKey, match="not 0"):
        opened(b"", key=b"")
    for cipher, chunk in (("kuznyechik", 11), ("kuznyechik", 23), ("magma", 18)):
        with pytest.raises(BadOption, match=f"2\\^12 to .* not 2\\^{chunk}"):
            sealed(b"", cipher=cipher, chunk=chunk)
    with pytest.raises(BadOption, match="no cipher 'aes'"):
        sealed(b"", cipher="aes")


def test_no_key_is_shown():
    header = Header.new(KEY, "kuznyechik")
    assert header.key.hex() not in repr(header)
    assert repr(header.key) not in repr(header)


def test_how_much_was_read_in_all_is_told():
    told = []
    encrypt(Raw(bytes(5_000_000)), io.BytesIO(), KEY, chunk=SMALL, told=told.append)
    assert told == sorted(told)
    assert told[0] < told[-1] == 5_000_000
