"""MGM by contexts: pieces equal the whole, and nothing is given before its tag was checked."""

import itertools
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gost_kinds import ALGORITHMS, KEY, MGM, NEW
from stend_gost import (
    AlreadyFinalized,
    AlreadyUpdated,
    BadBuffer,
    BadNonce,
    BadOption,
    BadTagSize,
    Cipher,
    ContextInUse,
    EmptyMessage,
    InvalidTag,
    KuznyechikMGM,
    NotYetFinalized,
    modes,
)

BOTH = pytest.mark.parametrize("cipher", NEW)
NONCES = {"kuznyechik": bytes(range(16)), "magma": bytes(range(8))}
MESSAGE = bytes(i * 11 % 247 for i in range(3000))


def encryptor(cipher, **options):
    return Cipher(NEW[cipher], modes.MGM(NONCES[cipher], **options)).encryptor()


def decryptor(cipher, tag=None, **options):
    return Cipher(NEW[cipher], modes.MGM(NONCES[cipher], tag, **options)).decryptor()


def cut(data, places):
    places = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


CUTS = st.lists(st.integers(0, 3000), max_size=5)


@BOTH
@given(size=st.integers(0, 3000), beside=st.integers(0, 200), cuts=CUTS, other=CUTS)
def test_pieces_of_any_size_equal_the_whole_message(cipher, size, beside, cuts, other):
    if size + beside == 0:
        return
    message, associated = MESSAGE[:size], MESSAGE[:beside]
    context = encryptor(cipher)
    for piece in cut(associated, cuts):
        context.authenticate_additional_data(piece)
    made = b"".join([context.update(piece) for piece in cut(message, other)]) + context.finalize()
    assert made + context.tag == MGM[cipher].encrypt(NONCES[cipher], message, associated)
    context = decryptor(cipher, context.tag)
    for piece in cut(associated, other):
        context.authenticate_additional_data(piece)
    given_out = [context.update(piece) for piece in cut(made, cuts)]
    assert b"".join(given_out) == b""
    assert context.finalize() == message


@BOTH
@pytest.mark.parametrize("threads", [0, 1, 3])
def test_threads_change_nothing(cipher, threads):
    data = MESSAGE * 200
    mode = modes.MGM(NONCES[cipher])
    context = Cipher(NEW[cipher], mode, threads=threads).encryptor()
    made = context.update(data[:7]) + context.update(data[7:]) + context.finalize()
    assert made + context.tag == MGM[cipher].encrypt(NONCES[cipher], data)
    opened = Cipher(NEW[cipher], mode, threads=threads).decryptor()
    opened.update(made)
    assert opened.finalize_with_tag(context.tag) == data


@BOTH
def test_a_result_goes_into_a_buffer_also_into_the_data_s_own(cipher):
    expected = MGM[cipher].encrypt(NONCES[cipher], MESSAGE)
    context, buffer = encryptor(cipher), bytearray(MESSAGE)
    assert context.update_into(memoryview(buffer)[:1001], buffer) == 1001
    rest = memoryview(buffer)[1001:]
    assert context.update_into(rest, rest) == 1999
    context.finalize()
    assert buffer + context.tag == expected
    context = decryptor(cipher, context.tag)
    assert context.update_into(bytes(buffer), memoryview(buffer)[:3]) == 0
    assert buffer == expected[:3000]
    assert context.finalize() == MESSAGE


@BOTH
def test_a_buffer_too_small_or_overlapping_is_refused_and_the_context_goes_on(cipher):
    context = encryptor(cipher)
    with pytest.raises(BadBuffer, match="9 bytes; 10 are"):
        context.update_into(bytes(10), bytearray(9))
    memory = memoryview(bytearray(100))
    with pytest.raises(BadBuffer, match="begin together"):
        context.update_into(memory[:50], memory[1:])
    with pytest.raises(BadBuffer, match="writable"):
        decryptor(cipher).update_into(b"x", b"x")
    made = context.update(MESSAGE) + context.finalize()
    assert made + context.tag == MGM[cipher].encrypt(NONCES[cipher], MESSAGE)


@BOTH
@pytest.mark.parametrize("wrong", ["message", "tag", "associated", "cut"])
def test_nothing_is_given_of_a_forged_message(cipher, wrong):
    context = encryptor(cipher)
    context.authenticate_additional_data(b"beside")
    made, tag, beside = bytearray(context.update(MESSAGE)), context.finalize(), b"beside"
    tag = bytearray(context.tag)
    if wrong == "message":
        made[77] ^= 1
    elif wrong == "tag":
        tag[-1] ^= 1
    elif wrong == "associated":
        beside += b"s"
    else:
        del made[-1]
    context = decryptor(cipher, tag)
    context.authenticate_additional_data(beside)
    assert context.update(made) == b""
    with pytest.raises(InvalidTag):
        context.finalize()
    for go_on in (context.finalize, lambda: context.update(b""), lambda: context.update(made)):
        with pytest.raises(AlreadyFinalized):
            go_on()


@BOTH
def test_tags_may_be_shorter_if_both_sides_say_so(cipher):
    context = encryptor(cipher, tag_length=5)
    made = context.update(MESSAGE) + context.finalize()
    assert len(context.tag) == 5
    opened = decryptor(cipher, context.tag, tag_length=5)
    opened.update(made)
    assert opened.finalize() == MESSAGE
    longest = MGM[cipher].tag_length
    cheap = decryptor(cipher, context.tag)
    cheap.update(made)
    with pytest.raises(InvalidTag, match=f"5 bytes where {longest} were expected"):
        cheap.finalize()
    for size in (3, longest + 1, -1, 1 << 70):
        with pytest.raises(BadTagSize, match=f"4 to {longest} bytes, not"):
            encryptor(cipher, tag_length=size)


@BOTH
def test_the_order_of_calls_is_kept(cipher):
    context = encryptor(cipher)
    with pytest.raises(NotYetFinalized, match="finalize"):
        _ = context.tag
    context.authenticate_additional_data(b"before")
    made = context.update(b"x")
    with pytest.raises(AlreadyUpdated, match="come before the message"):
        context.authenticate_additional_data(b"behind")
    made += context.finalize()
    assert made + context.tag == MGM[cipher].encrypt(NONCES[cipher], b"x", b"before")
    for late in (context.finalize, lambda: context.update(b""),
                 lambda: context.authenticate_additional_data(b"x")):  # fmt: skip
        with pytest.raises(AlreadyFinalized):
            late()
    context = decryptor(cipher)
    context.update(made)
    with pytest.raises(AlreadyUpdated):
        context.authenticate_additional_data(b"behind")
    with pytest.raises(BadOption, match=r"finalize_with_tag\(tag\)"):
        context.finalize()


@BOTH
def test_nothing_at_all_is_neither_encrypted_nor_authentic(cipher):
    with pytest.raises(EmptyMessage):
        encryptor(cipher).finalize()
    with pytest.raises(InvalidTag):
        decryptor(cipher, bytes(MGM[cipher].tag_length)).finalize()


@BOTH
def test_a_context_that_failed_is_finished_whatever_is_asked_of_it(cipher):
    context = encryptor(cipher)
    context.update(b"")
    with pytest.raises(EmptyMessage):
        context.finalize()
    opened = decryptor(cipher)
    with pytest.raises(InvalidTag):
        opened.finalize_with_tag(bytes(MGM[cipher].tag_length))
    for failed in (context, opened):
        with pytest.raises(AlreadyFinalized):
            failed.finalize()
        for late in (failed.update, failed.authenticate_additional_data):
            with pytest.raises(AlreadyFinalized):
                late(b"x")


@BOTH
def test_what_does_not_go_together_is_refused_with_the_cipher(cipher):
    size = len(NONCES[cipher])
    for nonce in (bytes(size - 1), bytes(12), b"\x80" + bytes(size - 1)):
        with pytest.raises(BadNonce):
            Cipher(NEW[cipher], modes.MGM(nonce))
    with pytest.raises(BadOption, match="give the nonce alone"):
        Cipher(NEW[cipher], modes.MGM(NONCES[cipher], bytes(size))).encryptor()
    with pytest.raises(BadOption, match="not for GOST28147"):
        Cipher(ALGORITHMS["gost28147"], modes.MGM(bytes(8)))


def test_one_context_in_two_threads_is_refused_and_not_broken():
    context, data, seen = encryptor("magma"), bytes(8 << 20), []

    def work():
        try:
            seen.append(len(context.update(data)))
        except ContextInUse as error:
            seen.append(str(error))

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    count = seen.count(len(data))
    assert count + sum("a context of its own" in str(each) for each in seen) == 3
    context.finalize()
    whole = MGM["magma"].encrypt(NONCES["magma"], bytes(count * len(data)))
    assert context.tag == whole[-8:]


def test_a_random_key_is_made_as_in_cryptography():
    assert len({KuznyechikMGM.generate_key() for _ in range(5)}) == 5
    assert KuznyechikMGM(KuznyechikMGM.generate_key()).variant == KuznyechikMGM(KEY).variant
