"""MGM from Python: what the standard says, nothing without its tag, buffers, lengths."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import standard
import standard_modes
import through_stend
from gost_kinds import KEY, MGM, NEW, OTHER_KEY
from stend_gost import (
    BadNonce,
    BadTagSize,
    Cipher,
    EmptyMessage,
    InvalidTag,
    KuznyechikMGM,
    MagmaMGM,
    modes,
)

BOTH = pytest.mark.parametrize("cipher", MGM)
CLASSES = {"kuznyechik": KuznyechikMGM, "magma": MagmaMGM}
MESSAGE = bytes(i * 11 % 253 for i in range(600))
NONCES = {"kuznyechik": bytes(range(16)), "magma": bytes(range(8))}


def said(cipher, nonce, data, associated):
    c = standard.cipher(cipher, KEY)
    encrypted = standard_modes.mgm_stream(c, nonce, data)
    return encrypted + standard_modes.mgm_tag(c, nonce, associated, encrypted)


@BOTH
@pytest.mark.parametrize(("size", "beside"), [(0, 1), (1, 0), (16, 16), (33, 7), (100, 40)])
def test_it_is_what_the_standard_says(cipher, size, beside):
    data, associated, nonce = MESSAGE[:size], MESSAGE[-beside:] if beside else b"", NONCES[cipher]
    sealed = MGM[cipher].encrypt(nonce, data, associated)
    assert sealed.hex() == said(cipher, nonce, data, associated).hex()


def nonce_of(cipher, counter):
    """A nonce whose encryption, Y or Z, runs over after three blocks."""
    c = standard.cipher(cipher, KEY)
    ones = b"\xff" * (c.block // 2 - 1) + b"\xfd"
    others = (number.to_bytes(len(ones), "big") for number in itertools.count())
    starts = (c.decrypt(other + ones if counter == "Y" else ones + other) for other in others)
    start = next(each for each in starts if (each[0] >= 0x80) == (counter == "Z"))
    return bytes([start[0] & 0x7F]) + start[1:]


@BOTH
@pytest.mark.parametrize("counter", ["Y", "Z"])
def test_counters_run_over_as_the_standard_says(cipher, counter):
    nonce = nonce_of(cipher, counter)
    for size in (90, 600):
        data, associated = MESSAGE[:size], MESSAGE[: size // 2]
        expected = said(cipher, nonce, data, associated)
        for variant in through_stend.variants(cipher):
            mgm = CLASSES[cipher](KEY, variant=variant)
            assert mgm.encrypt(nonce, data, associated).hex() == expected.hex(), variant
        context = Cipher(NEW[cipher], modes.MGM(nonce)).encryptor()
        context.authenticate_additional_data(associated)
        pieces = [context.update(data[at : at + 7]) for at in range(0, size, 7)]
        context.finalize()
        assert b"".join(pieces) + context.tag == expected
    data = MESSAGE * 1000
    sealed = MGM[cipher].encrypt(nonce, data, data)
    assert CLASSES[cipher](KEY, threads=3).encrypt(nonce, data, data) == sealed


def test_lengths_of_over_16_bits_are_authenticated():
    data, associated, nonce = bytes(8200), bytes(8300), NONCES["magma"]
    assert MGM["magma"].encrypt(nonce, data, associated) == said("magma", nonce, data, associated)


@BOTH
@given(size=st.integers(0, 600), beside=st.integers(0, 80))
def test_what_was_encrypted_is_decrypted(cipher, size, beside):
    if size + beside == 0:
        return
    mgm, nonce, associated = MGM[cipher], NONCES[cipher], MESSAGE[:beside]
    sealed = mgm.encrypt(nonce, MESSAGE[:size], associated)
    assert len(sealed) == size + mgm.tag_length
    assert mgm.decrypt(nonce, sealed, associated) == MESSAGE[:size]


@BOTH
def test_every_changed_bit_is_noticed(cipher):
    mgm, nonce = MGM[cipher], NONCES[cipher]
    sealed = mgm.encrypt(nonce, b"attack at dawn, all of you", b"beside")
    for place in range(len(sealed)):
        for bit in (1, 0x80):
            changed = bytearray(sealed)
            changed[place] ^= bit
            with pytest.raises(InvalidTag):
                mgm.decrypt(nonce, changed, b"beside")
    for key, n, beside in (
        (OTHER_KEY, nonce, b"beside"),
        (KEY, bytes(len(nonce)), b"beside"),
        (KEY, nonce, b"besides"),
        (KEY, nonce, None),
    ):
        with pytest.raises(InvalidTag):
            CLASSES[cipher](key).decrypt(n, sealed, beside)


@BOTH
def test_every_cut_is_noticed(cipher):
    mgm, nonce = MGM[cipher], NONCES[cipher]
    sealed = mgm.encrypt(nonce, MESSAGE[:50])
    for size in range(len(sealed)):
        with pytest.raises(InvalidTag):
            mgm.decrypt(nonce, sealed[:size])


@BOTH
@pytest.mark.parametrize("size", [10, 100_000])
@pytest.mark.parametrize("threads", [1, 3])
def test_nothing_of_a_forged_message_is_left_in_the_buffer(cipher, size, threads):
    mgm, nonce = CLASSES[cipher](KEY, threads=threads), NONCES[cipher]
    sealed = bytearray(mgm.encrypt(nonce, bytes([0x55]) * size))
    sealed[-1] ^= 1
    buffer = bytearray(b"\xaa" * (size + 8))
    with pytest.raises(InvalidTag):
        mgm.decrypt_into(nonce, sealed, None, buffer)
    assert buffer == bytes(size) + b"\xaa" * 8
    with pytest.raises(InvalidTag):
        mgm.decrypt_into(nonce, sealed, None, sealed)
    assert sealed[:size] == bytes(size)


@BOTH
def test_in_place_and_into_larger_buffers(cipher):
    mgm, nonce = MGM[cipher], NONCES[cipher]
    expected = mgm.encrypt(nonce, MESSAGE, b"a")
    buffer = bytearray(len(expected) + 50)
    buffer[: len(MESSAGE)] = MESSAGE
    view = memoryview(buffer)
    assert mgm.encrypt_into(nonce, view[: len(MESSAGE)], b"a", buffer) == len(expected)
    assert buffer == expected + bytes(50)
    assert mgm.decrypt_into(nonce, view[: len(expected)], b"a", buffer) == len(MESSAGE)
    assert buffer[: len(MESSAGE)] == MESSAGE


@BOTH
@pytest.mark.parametrize("tag", [4, 5, 7, 8, 12, 16])
def test_tags_may_be_shorter(cipher, tag):
    longest = MGM[cipher].tag_length
    if tag > longest:
        with pytest.raises(BadTagSize, match=f"4 to {longest} bytes, not {tag}"):
            CLASSES[cipher](KEY, tag)
        return
    mgm, nonce = CLASSES[cipher](KEY, tag), NONCES[cipher]
    sealed = mgm.encrypt(nonce, MESSAGE)
    assert sealed == MGM[cipher].encrypt(nonce, MESSAGE)[: len(MESSAGE) + tag]
    assert mgm.decrypt(nonce, sealed) == MESSAGE


@BOTH
def test_threads_change_nothing(cipher):
    data, nonce = MESSAGE * 500, NONCES[cipher]
    expected = MGM[cipher].encrypt(nonce, data, MESSAGE)
    for threads in (0, 2, 5):
        mgm = CLASSES[cipher](KEY, threads=threads)
        assert mgm.encrypt(nonce, data, MESSAGE) == expected
        assert mgm.decrypt(nonce, expected, MESSAGE) == data


@BOTH
def test_refusals_name_the_value(cipher):
    mgm, nonce = MGM[cipher], NONCES[cipher]
    with pytest.raises(BadNonce, match=f"{len(nonce)} bytes, not 12"):
        mgm.encrypt(bytes(12), b"x")
    with pytest.raises(BadNonce, match="128, at most 127"):
        mgm.encrypt(b"\x80" + nonce[1:], b"x")
    with pytest.raises(BadNonce, match="255, at most 127"):
        mgm.decrypt(b"\xff" + nonce[1:], bytes(50))
    with pytest.raises(EmptyMessage):
        mgm.encrypt(nonce, b"")
    with pytest.raises(InvalidTag, match="3 bytes"):
        mgm.decrypt(nonce, b"abc")


@pytest.mark.parametrize(("kind", "size"), [(KuznyechikMGM, 16), (MagmaMGM, 8)])
def test_a_generated_nonce_is_always_taken_and_never_the_same(kind, size):
    nonces = [kind.generate_nonce() for _ in range(64)]
    assert len(set(nonces)) == 64
    assert {len(nonce) for nonce in nonces} == {size}
    for nonce in nonces:
        assert (
            kind(KEY).decrypt(nonce, kind(KEY).encrypt(nonce, b"message", None), None) == b"message"
        )
