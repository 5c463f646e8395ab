"""What may be given as data and as a buffer: anything contiguous; the rest is refused."""

import array
import ctypes
import mmap
import threading

import numpy as np
import pytest

from gost_kinds import KEY, MGM, NEW
from stend_gost import OMAC, BadBuffer, Cipher, Kuznyechik, kexp15, modes, omac_many

DATA = bytes(range(200)) * 2
NONCE = bytes(16)


def mapped():
    memory = mmap.mmap(-1, len(DATA))
    memory[:] = DATA
    return memory


KINDS = {
    "bytes": lambda: DATA,
    "bytearray": lambda: bytearray(DATA),
    "memoryview": lambda: memoryview(DATA),
    "slice": lambda: memoryview(b"xx" + DATA + b"yy")[2:-2],
    "numpy": lambda: np.frombuffer(DATA, np.uint8),
    "numpy of doubles": lambda: np.frombuffer(DATA, np.float64),
    "numpy matrix": lambda: np.frombuffer(DATA, np.uint8).reshape(20, 20),
    "array": lambda: array.array("H", DATA),
    "ctypes": lambda: (ctypes.c_char * len(DATA)).from_buffer_copy(DATA),
    "mmap": mapped,
}


def encrypted():
    return Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor().update(DATA)


@pytest.mark.parametrize("kind", KINDS)
def test_any_contiguous_object_is_data(kind):
    data = KINDS[kind]()
    assert Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor().update(data) == encrypted()
    assert MGM["kuznyechik"].encrypt(NONCE, data, data) == MGM["kuznyechik"].encrypt(
        NONCE, DATA, DATA
    )
    assert omac_many(NEW["magma"], [data, data]) == omac_many(NEW["magma"], [DATA, DATA])


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in {"bytes", "memoryview", "slice"}])
def test_any_writable_contiguous_object_takes_the_result(kind):
    buffer = KINDS[kind]().copy() if kind.startswith("numpy") else KINDS[kind]()
    context = Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor()
    assert context.update_into(DATA, buffer) == len(DATA)
    assert bytes(memoryview(buffer).cast("B")) == encrypted()


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_is_any_contiguous_object(kind):
    key = memoryview(KINDS[kind]()).cast("B")[:32]
    assert Cipher(Kuznyechik(key), modes.ECB()).encryptor().update(bytes(16)) == (
        Cipher(Kuznyechik(DATA[:32]), modes.ECB()).encryptor().update(bytes(16))
    )


@pytest.mark.parametrize(
    "data",
    [
        memoryview(DATA)[::2],
        memoryview(DATA)[::-1],
        np.frombuffer(DATA, np.uint8)[::3],
        np.frombuffer(DATA, np.uint8).reshape(20, 20).T,
        np.frombuffer(DATA, np.uint8).reshape(20, 20)[:, :5],
    ],
)
def test_what_is_not_contiguous_is_refused(data):
    with pytest.raises(BadBuffer, match="has to be contiguous memory"):
        Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor().update(data)
    with pytest.raises(BadBuffer, match="The data has to be contiguous"):
        MGM["kuznyechik"].encrypt(NONCE, data)
    with pytest.raises(BadBuffer):
        OMAC(NEW["magma"]).update(data)
    writable = np.zeros((20, 20), np.uint8).T if not isinstance(data, memoryview) else data
    with pytest.raises(BadBuffer, match="contiguous and writable"):
        MGM["kuznyechik"].encrypt_into(NONCE, b"x", None, writable)


@pytest.mark.parametrize(
    "thing",
    [
        np.array([None, "text"], object),
        np.zeros(2, [("Open", "<u4"), ("b", "O")]),
        (ctypes.py_object * 4)(),
    ],
)
def test_python_objects_are_no_data_and_never_written_over(thing):
    """Their bytes are addresses: to write there would be the interpreter's end."""
    context = Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor()
    before = bytes(memoryview(thing))
    for call in (
        lambda: context.update(thing),
        lambda: context.update_into(b"x", thing),
        lambda: MGM["kuznyechik"].encrypt_into(NONCE, b"x", None, thing),
        lambda: omac_many(NEW["kuznyechik"], [thing]),
    ):
        with pytest.raises(TypeError, match=f"Python objects in this .*{type(thing).__name__}"):
            call()
    assert bytes(memoryview(thing)) == before
    named = np.zeros(2, [("Object", "<u8"), ("O", "<u8")])
    assert context.update_into(named, named) == 32


@pytest.mark.parametrize("thing", ["text", 5, 2.5, [1, 2], object(), None])
def test_what_is_no_buffer_is_a_type_error_that_names_it(thing):
    name = type(thing).__name__
    with pytest.raises(TypeError, match=f"buffer protocol, not {name}"):
        Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor().update(thing)
    if thing is not None:
        with pytest.raises(TypeError, match=f"Associated data has .* not {name}"):
            MGM["kuznyechik"].encrypt(NONCE, b"", thing)
    with pytest.raises(TypeError, match=f"A nonce has .* not {name}"):
        MGM["kuznyechik"].decrypt(thing, bytes(50))
    with pytest.raises(TypeError, match=f"A nonce has .* not {name}"):
        modes.MGM(thing)
    with pytest.raises(TypeError, match=f"A tag has .* not {name}"):
        OMAC(NEW["magma"]).verify(thing)
    with pytest.raises(TypeError, match=f"The output buffer has .* not {name}"):
        MGM["kuznyechik"].decrypt_into(NONCE, bytes(50), None, thing)
    with pytest.raises(TypeError, match=f"A message has .* not {name}"):
        omac_many(NEW["magma"], [thing])
    with pytest.raises(TypeError, match=f"An initialisation vector .* not {name}"):
        kexp15(NEW["magma"], NEW["magma"], thing, KEY)
    with pytest.raises(TypeError, match=f"A key has .* not {name}"):
        Kuznyechik(thing)
    with pytest.raises(TypeError, match=f"An initialisation vector has .* not {name}"):
        modes.CTR(thing)


@pytest.mark.parametrize("readonly", [bytes(500), memoryview(bytes(500)), mmap.PAGESIZE])
def test_a_buffer_that_can_not_be_written_is_refused(readonly):
    if readonly == mmap.PAGESIZE:
        readonly = mmap.mmap(-1, 4096, access=mmap.ACCESS_READ)
    with pytest.raises(BadBuffer, match="writable"):
        Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor().update_into(DATA, readonly)


def test_a_small_buffer_is_refused_and_the_context_goes_on():
    context = Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor()
    with pytest.raises(BadBuffer, match="399 bytes, too few for the result of 400"):
        context.update_into(DATA, bytearray(399))
    assert context.update(DATA) == encrypted()
    with pytest.raises(BadBuffer, match="415 bytes; 416"):
        MGM["kuznyechik"].encrypt_into(NONCE, DATA, None, bytearray(415))


@pytest.mark.parametrize("shift", [-300, -16, -1, 1, 16, 399])
def test_buffers_that_overlap_but_do_not_begin_together_are_refused(shift):
    memory = memoryview(bytearray(2000))
    data, buffer = memory[500:900], memory[500 + shift : 500 + shift + 450]
    with pytest.raises(BadBuffer, match="begin together or lie apart"):
        Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor().update_into(data, buffer)
    with pytest.raises(BadBuffer, match="overlap"):
        MGM["kuznyechik"].encrypt_into(NONCE, data, None, buffer)
    with pytest.raises(BadBuffer, match="overlap"):
        MGM["kuznyechik"].decrypt_into(NONCE, data, None, buffer)
    with pytest.raises(BadBuffer, match=r"The associated data .*; they have to lie apart"):
        MGM["kuznyechik"].encrypt_into(NONCE, DATA, data, buffer)


def test_buffers_side_by_side_are_no_overlap():
    memory = memoryview(bytearray(DATA * 3))
    context = Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor()
    assert context.update_into(memory[400:800], memory[:400]) == 400
    assert bytes(memory[:400]) == encrypted()
    context = Cipher(NEW["kuznyechik"], modes.CTR(NONCE)).encryptor()
    context.update_into(memory[400:800], memory[800:])
    assert bytes(memory[800:]) == encrypted()


def test_a_buffer_is_let_go_after_the_call():
    buffer = bytearray(DATA)
    context = Cipher(Kuznyechik(KEY), modes.CTR(NONCE)).encryptor()
    context.update_into(buffer, buffer)
    with pytest.raises(BadBuffer):
        context.update_into(buffer, buffer[:5])
    buffer.extend(b"resizable again")


def test_a_buffer_can_not_be_resized_while_it_is_worked_on():
    buffer, refused, ended = bytearray(4 << 20), [], threading.Event()
    context = Cipher(Kuznyechik(KEY), modes.CFB(NONCE)).encryptor()

    def work():
        for _ in range(3):
            context.update_into(buffer, buffer)
        ended.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not ended.wait(0.002):
        try:
            buffer.append(0)
            del buffer[-1]
        except BufferError as error:
            refused.append(error)
    worker.join()
    assert refused
