"""Contexts: pieces of any size, in place, into buffers, equal one piece and the standard."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import standard_modes
from gost_kinds import ALGORITHMS, KEY, WAYS, iv, mode_of
from stend_gost import AlreadyFinalized, BadPadding, Cipher, Padding, PartialBlock, modes

MODES = pytest.mark.parametrize(("cipher", "way", "any_length"), WAYS)
MESSAGE = bytes(i * 7 % 251 for i in range(3000))


def whole(context, data):
    return context.update(data) + context.finalize()


def pieces(data, cuts):
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


@MODES
@given(size=st.integers(0, 2500), cuts=st.lists(st.integers(0, 2500), max_size=6))
def test_pieces_of_any_size_equal_one_piece_both_ways(cipher, way, any_length, size, cuts):
    algorithm = ALGORITHMS[cipher]
    size -= 0 if any_length else size % algorithm.block_size
    data = MESSAGE[:size]
    made = Cipher(algorithm, mode_of(cipher, way))
    expected = whole(made.encryptor(), data)
    context = made.encryptor()
    parts = [context.update(piece) for piece in pieces(data, cuts)]
    assert b"".join(parts) + context.finalize() == expected
    context = made.decryptor()
    parts = [context.update(piece) for piece in pieces(expected, cuts)]
    assert b"".join(parts) + context.finalize() == data


@pytest.mark.parametrize("cipher", ["kuznyechik", "magma"])
@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 100])
def test_modes_are_what_the_standard_says_at_odd_lengths(cipher, size):
    algorithm = ALGORITHMS[cipher]
    data, start = MESSAGE[:size], iv(algorithm)
    expected = {
        modes.CTR: standard_modes.ctr(cipher, KEY, start, data),
        modes.CFB: standard_modes.cfb(cipher, KEY, start, data),
    }
    for mode, said in expected.items():
        assert whole(Cipher(algorithm, mode(start)).encryptor(), data) == said


@pytest.mark.parametrize("cipher", ["kuznyechik", "magma"])
@pytest.mark.parametrize("procedure", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 16, 23, 32])
def test_paddings_are_those_of_the_standard(cipher, procedure, size):
    algorithm = ALGORITHMS[cipher]
    if size == 0 and procedure != 2:
        return  # the standard pads messages of one bit or more
    data = standard_modes.padded(MESSAGE[:size], algorithm.block_size, procedure)
    plain = Cipher(algorithm, modes.ECB())
    padded = Cipher(algorithm, modes.ECB(padding=Padding(procedure)))
    assert whole(padded.encryptor(), MESSAGE[:size]) == whole(plain.encryptor(), data)


@MODES
@pytest.mark.parametrize("offset", [0, 1, 3])
def test_in_place_equals_apart_at_any_address(cipher, way, any_length, offset):
    algorithm = ALGORITHMS[cipher]
    made = Cipher(algorithm, mode_of(cipher, way))
    expected = whole(made.encryptor(), MESSAGE[:2048])
    buffer = bytearray(5000)
    place = memoryview(buffer)[offset : offset + 2048 + 32]
    place[:2048] = MESSAGE[:2048]
    context = made.encryptor()
    count = context.update_into(place[:2048], place)
    assert bytes(place[:count]) + context.finalize() == expected
    context = made.decryptor()
    place[: len(expected)] = expected
    count = context.update_into(place[: len(expected)], place)
    assert bytes(place[:count]) + context.finalize() == MESSAGE[:2048]


@MODES
def test_a_finished_context_takes_nothing_more(cipher, way, any_length):
    context = Cipher(ALGORITHMS[cipher], mode_of(cipher, way)).encryptor()
    context.finalize()
    with pytest.raises(AlreadyFinalized, match="make a new one"):
        context.update(b"x")
    with pytest.raises(AlreadyFinalized):
        context.update_into(b"x", bytearray(64))
    with pytest.raises(AlreadyFinalized):
        context.finalize()


@pytest.mark.parametrize("mode", [modes.ECB(), modes.CBC(bytes(16))])
def test_half_a_block_is_refused_at_the_end_and_ends_the_context(mode):
    context = Cipher(ALGORITHMS["kuznyechik"], mode).encryptor()
    assert context.update(bytes(17)) != b""
    with pytest.raises(PartialBlock):
        context.finalize()
    with pytest.raises(AlreadyFinalized):
        context.finalize()


def test_what_does_not_end_with_padding_is_refused():
    algorithm = ALGORITHMS["kuznyechik"]
    zeros = whole(Cipher(algorithm, modes.ECB()).encryptor(), bytes(16))
    context = Cipher(algorithm, modes.ECB(padding=Padding.PROCEDURE_2)).decryptor()
    assert context.update(zeros) == b""
    with pytest.raises(BadPadding):
        context.finalize()


@MODES
def test_threads_change_nothing(cipher, way, any_length):
    data = MESSAGE * 200
    data = data[: len(data) // 16 * 16]
    algorithm = ALGORITHMS[cipher]
    one = Cipher(algorithm, mode_of(cipher, way))
    for threads in (0, 2, 3):
        shared = Cipher(algorithm, mode_of(cipher, way), threads=threads)
        encrypted = whole(one.encryptor(), data)
        assert whole(shared.encryptor(), data) == encrypted
        assert whole(shared.decryptor(), encrypted) == data
