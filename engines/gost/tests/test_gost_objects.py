"""Algorithms and contexts as Python objects: keys unseen, variants, threads, imports."""

import ast
import contextlib
import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

import stend_gost
from gost_kinds import ALGORITHMS, KEY, MGM, NEW
from gost_support import PATIENCE
from stend_gost import (
    GOST28147,
    OMAC,
    OMAC_ACPKM,
    BadKey,
    BadNonce,
    BadOption,
    BadTagSize,
    BadVariant,
    Cipher,
    ContextInUse,
    GostError,
    Imitovstavka,
    Kuznyechik,
    KuznyechikMGM,
    Magma,
    MagmaMGM,
    errors,
    kexp15,
    modes,
    omac_many,
)

KINDS = [Kuznyechik, Magma, KuznyechikMGM, MagmaMGM]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [0, 16, 31, 33, 64])
def test_a_key_of_another_size_is_refused(kind, size):
    with pytest.raises(BadKey, match=f"has 32 bytes, not {size}"):
        kind(bytes(size))


@pytest.mark.parametrize("kind", KINDS)
def test_every_variant_can_be_asked_for_and_is_the_one_that_works(kind):
    listed = (Kuznyechik if "Kuz" in kind.__name__ else Magma).variants()
    assert listed[0].name == "reference"
    for variant in listed:
        if variant.available:
            assert kind(KEY, variant=variant.name).variant == variant.name
            assert variant.reason == ""
        else:
            assert variant.reason.startswith("this machine lacks ")
            with pytest.raises(BadVariant, match="can't run here"):
                kind(KEY, variant=variant.name)
    with pytest.raises(BadVariant, match=r"no variant 'turbo'; it has reference"):
        kind(KEY, variant="turbo")
    for name in ("reference\0", "\ud800", "", "Reference"):
        with pytest.raises(BadVariant, match="no variant '"):
            kind(KEY, variant=name)
    for name in (3, b"reference"):
        with pytest.raises(TypeError, match=f"named by a str, .* not {type(name).__name__}"):
            kind(KEY, variant=name)


@pytest.mark.parametrize("thing", [*ALGORITHMS.values(), *MGM.values()])
def test_no_key_is_shown_or_copied_out(thing):
    shown = repr(thing) + str(thing) + repr(Cipher(NEW["magma"], modes.CTR(KEY[:8])))
    assert KEY.hex() not in shown
    assert repr(KEY) not in shown
    for leave in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="pickle"):
            leave(thing)


def test_no_context_is_copied_but_a_mac_by_its_own_copy():
    cipher, mgm = Cipher(NEW["magma"], modes.ECB()), Cipher(NEW["magma"], modes.MGM(bytes(8)))
    for thing in (cipher.encryptor(), mgm.encryptor(), mgm.decryptor(), OMAC(NEW["magma"])):
        for leave in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="pickle"):
                leave(thing)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(cipher)
    assert copy.copy(cipher).encryptor().update(bytes(8)) == cipher.encryptor().update(bytes(8))


def test_a_key_is_made_once():
    key = Kuznyechik(KEY)
    context = Cipher(key, modes.ECB()).encryptor()
    before = context.update(bytes(16))
    with pytest.warns(RuntimeWarning, match="already-initialized"), pytest.raises(TypeError):
        key.__init__(bytes(32))
    assert context.update(bytes(16)) == before


@pytest.mark.parametrize(
    ("mode", "sizes"),
    [
        (lambda iv: modes.CTR(iv), {8, 16}),
        (lambda iv: modes.CTR_ACPKM(iv, 32), {8, 16}),
        (lambda iv: modes.OFB(iv), set(range(16, 257, 16))),
        (lambda iv: modes.CBC(iv), set(range(16, 257, 16))),
        (lambda iv: modes.CFB(iv), set(range(16, 257, 16))),
    ],
)
def test_initialisation_vectors_have_the_sizes_of_the_standard(mode, sizes):
    for size in range(300):
        if size in sizes:
            assert Cipher(NEW["kuznyechik"], mode(bytes(size))).encryptor().update(b"x" * 16)
        else:
            with pytest.raises(BadNonce, match=f"with Kuznyechik has .*, not {size}"):
                Cipher(NEW["kuznyechik"], mode(bytes(size)))


def test_what_does_not_go_together_is_refused():
    with pytest.raises(BadOption, match="GOST28147"):
        Cipher(NEW["magma"], modes.CFB(bytes(8), key_meshing=True))
    with pytest.raises(BadOption, match="not 12"):
        Cipher(NEW["magma"], modes.CTR_ACPKM(bytes(4), 12))
    with pytest.raises(BadOption, match="no parameter set 'x'"):
        GOST28147(KEY, "x")
    with pytest.raises(TypeError, match="not bytes"):
        Cipher(KEY, modes.ECB())
    with pytest.raises(TypeError, match="not str"):
        Cipher(NEW["magma"], "ecb")
    with pytest.raises(BadOption, match="not -1"):
        Cipher(NEW["magma"], modes.ECB(), threads=-1)
    with pytest.raises(BadOption, match="not 5000"):
        KuznyechikMGM(KEY, threads=5000)


NUMBERS = {
    "threads of a cipher": (lambda n: Cipher(NEW["magma"], modes.ECB(), threads=n), BadOption),
    "threads of MGM": (lambda n: KuznyechikMGM(KEY, threads=n), BadOption),
    "tag of MGM": (lambda n: KuznyechikMGM(KEY, n), BadTagSize),
    "tag of MGM in pieces": (
        lambda n: Cipher(NEW["magma"], modes.MGM(bytes(8), tag_length=n)),
        BadTagSize,
    ),
    "tag of OMAC": (lambda n: OMAC(NEW["magma"], n), BadTagSize),
    "tag of many": (lambda n: omac_many(NEW["magma"], [b""], n), BadTagSize),
    "section of CTR": (lambda n: Cipher(NEW["magma"], modes.CTR_ACPKM(bytes(4), n)), BadOption),
    "section of OMAC": (lambda n: OMAC_ACPKM(NEW["magma"], n, 80), BadOption),
    "master section of OMAC": (lambda n: OMAC_ACPKM(NEW["magma"], 64, n), BadOption),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_of_any_size_is_refused_with_a_typed_error_and_no_number_is_a_type_error(name):
    call, kind = NUMBERS[name]
    for wrong in (-1, (1 << 31) + 1, (1 << 63) - 1, 1 << 64, -(1 << 64), 1 << 100_000):
        with pytest.raises(kind, match="not"):
            call(wrong)
    for thing in ("8", 8.0, b"8", [8]):
        with pytest.raises(TypeError, match=f"a whole number, not {type(thing).__name__}"):
            call(thing)


@pytest.mark.parametrize("thing", [KEY, "kuznyechik", None, 5, KuznyechikMGM(KEY)])
def test_what_is_no_algorithm_is_a_type_error_that_names_it(thing):
    said = rf"has to be Kuznyechik\(key\), .* not .*{type(thing).__name__}"
    for call in (
        lambda: Cipher(thing, modes.ECB()),
        lambda: OMAC(thing),
        lambda: OMAC_ACPKM(thing, 64, 80),
        lambda: Imitovstavka(thing),
        lambda: kexp15(thing, NEW["magma"], bytes(4), KEY),
        lambda: omac_many([thing], [b""]),
    ):
        with pytest.raises(TypeError, match=said):
            call()
    with pytest.raises(TypeError, match="a list or another iterable, not int"):
        omac_many(NEW["magma"], 5)


@pytest.mark.skipif("gost28147" not in ALGORITHMS, reason="no variant of GOST 28147-89 is built")
def test_the_old_cipher_is_refused_where_it_has_no_mode():
    old = ALGORITHMS["gost28147"]
    for mode in (modes.OFB(bytes(8)), modes.CTR_ACPKM(bytes(4), 8)):
        with pytest.raises(BadOption, match="not for GOST28147"):
            Cipher(old, mode)
    with pytest.raises(BadOption, match="Imitovstavka"):
        OMAC(old)


@pytest.mark.filterwarnings("ignore:nanobind")
def test_what_was_never_made_is_refused():
    class Unmade(Kuznyechik):
        def __init__(self):
            pass

    with pytest.raises(TypeError, match="An algorithm has to be"):
        OMAC(Unmade())
    with pytest.raises(TypeError):
        Cipher(Unmade(), modes.ECB()).encryptor()
    for method in (OMAC.copy, OMAC.finalize):
        with pytest.raises(TypeError):
            method(5)
        with pytest.raises((TypeError, RuntimeError)):
            method(OMAC.__new__(OMAC))
    with pytest.raises((TypeError, RuntimeError)):
        KuznyechikMGM.encrypt(KuznyechikMGM.__new__(KuznyechikMGM), bytes(16), b"x")


def test_a_context_keeps_its_key_alive():
    context = Cipher(Kuznyechik(KEY), modes.CTR(bytes(16))).encryptor()
    mac = OMAC(Kuznyechik(KEY))
    gc.collect()
    junk = [bytearray(b"\xff" * 6208) for _ in range(50)]
    expected = Cipher(NEW["kuznyechik"], modes.CTR(bytes(16))).encryptor().update(bytes(64))
    assert context.update(bytes(64)) == expected
    mac.update(b"x")
    same = OMAC(NEW["kuznyechik"])
    same.update(b"x")
    assert mac.finalize() == same.finalize()
    del junk


def test_a_key_is_freed_with_its_last_user():
    class Watched(Kuznyechik):
        pass

    key = Watched(KEY)
    gone = weakref.ref(key)
    mac = OMAC(key)
    del key
    assert gone() is not None
    del mac
    assert gone() is None


def test_others_run_while_a_large_buffer_is_worked_on():
    """The interpreter's lock is given away: this thread counts while another one encrypts."""
    context = Cipher(NEW["kuznyechik"], modes.CFB(bytes(16))).encryptor()
    data = bytes(1 << 20)
    spent = []

    def work():
        start = time.monotonic()
        for _ in range(3):
            context.update(data)
        spent.append(time.monotonic() - start)

    before = sys.getswitchinterval()
    sys.setswitchinterval(10)  # a thread that keeps the lock would keep it to its end
    try:
        worker = threading.Thread(target=work)
        worker.start()
        seen = 0
        while worker.is_alive():
            seen += 1
            time.sleep(0)
    finally:
        sys.setswitchinterval(before)
    assert seen > 3


def test_one_context_in_two_threads_is_refused_and_not_broken():
    context = Cipher(NEW["kuznyechik"], modes.CFB(bytes(16))).encryptor()
    data = bytes(8 << 20)
    refused = []

    def work():
        try:
            refused.append(len(context.update(data)))
        except ContextInUse as error:
            refused.append(str(error))

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(data) in refused
    assert all(r == len(data) or "a context of its own" in r for r in refused)
    assert context.update(b"x" * 16)


def test_shared_keys_work_in_many_threads_at_once():
    mgm, data = MGM["magma"], bytes(range(256)) * 300
    expected = mgm.encrypt(bytes(8), data)
    wrong = []

    def work():
        wrong.extend(1 for _ in range(5) if mgm.encrypt(bytes(8), data) != expected)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []


def test_calls_keep_neither_arguments_nor_results():
    data, buffer, nonce, forged = bytes(1000), bytearray(1100), bytes(16), bytes(40)
    context, mac = Cipher(NEW["kuznyechik"], modes.CTR(nonce)).encryptor(), OMAC(NEW["magma"])

    def calls():
        context.update(data)
        context.update_into(data, buffer)
        mac.update(buffer)
        mac.copy().finalize()
        MGM["kuznyechik"].encrypt(nonce, data, data)
        MGM["kuznyechik"].encrypt_into(nonce, data, data, buffer)
        omac_many(NEW["kuznyechik"], [data, buffer])
        sealing = Cipher(NEW["kuznyechik"], modes.MGM(nonce)).encryptor()
        sealing.authenticate_additional_data(data)
        sealed = sealing.update(data) + sealing.finalize()
        opening = Cipher(NEW["kuznyechik"], modes.MGM(nonce, sealing.tag)).decryptor()
        opening.authenticate_additional_data(data)
        opening.update_into(sealed, buffer)
        opening.finalize()
        for wrong in (
            lambda: MGM["kuznyechik"].decrypt(nonce, forged, data),
            lambda: context.update_into(data, forged),
            lambda: Kuznyechik(data),
            lambda: opening.finalize_with_tag(data),
            lambda: sealing.authenticate_additional_data(None),
            lambda: context.update(buffer[::2].decode("latin-1")),
        ):
            with contextlib.suppress(GostError, TypeError):
                wrong()

    things = (data, buffer, nonce, forged, NEW["kuznyechik"], NEW["magma"])
    for _ in range(50):
        calls()
    gc.collect()
    counts, blocks = [sys.getrefcount(thing) for thing in things], sys.getallocatedblocks()
    for _ in range(1000):
        calls()
    gc.collect()
    assert [sys.getrefcount(thing) for thing in things] == counts
    assert sys.getallocatedblocks() - blocks < 500
    buffer.extend(b"resizable: nobody holds it")


def test_the_stubs_name_what_is_there():
    from stend_gost import _gost

    stubs = ast.parse((Path(stend_gost.__file__).parent / "_gost.pyi").read_text("utf-8"))
    told = {
        node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        if isinstance(node, ast.ClassDef)
        else set()
        for node in stubs.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    assert set(told) == {name for name in vars(_gost) if not name.startswith("__")}
    for name, members in told.items():
        if members:
            public = {m for m in vars(getattr(_gost, name)) if not m.startswith("_")}
            assert members - {"__init__"} == public, name


def test_importing_is_light():
    program = (
        "import sys; import stend_gost; "
        "print(*sorted({m.partition('.')[0] for m in sys.modules} & "
        "{'numpy', 'scipy', 'msgspec', 'rich', 'typer', 'sqlalchemy', 'concurrent'})); "
        "print('stend._native' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert done.stdout.split("\n")[:2] == ["", "False"]


def test_every_error_is_in_the_tree_that_is_drawn():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert all(issubclass(kind, GostError) for kind in kinds)
    for kind in kinds:
        assert kind.__name__ in (errors.__doc__ or "")
        assert kind.__name__ in errors.__all__


def test_a_padding_of_another_library_is_refused_with_those_there_are():
    with pytest.raises(BadOption, match=r"no padding 'pkcs7'; there are Padding\.NONE"):
        modes.CBC(bytes(8), padding="pkcs7")


def test_threads_at_work_do_not_disturb_the_interpreter_s_end():
    """CPython before 3.14 ends a daemon thread when it takes the lock back."""
    program = """
import threading, time
from stend_gost import Cipher, Kuznyechik, modes

def work():
    context = Cipher(Kuznyechik(bytes(32)), modes.CTR(bytes(8))).encryptor()
    while True:
        context.update(bytes(1 << 20))

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("size", [-16, 0, 8, 17])
def test_a_section_is_one_whole_block_or_more(size):
    said = f"whole blocks of 16 bytes, at least one, not {size}"
    with pytest.raises(BadOption, match=said):
        Cipher(Kuznyechik(KEY), modes.CTR_ACPKM(bytes(8), size)).encryptor()
    with pytest.raises(BadOption, match=said):
        OMAC_ACPKM(Kuznyechik(KEY), size, 240)


@pytest.mark.parametrize(
    ("value", "word"),
    [("bogus", "bogus"), ("avx2,AVX512", "AVX512"), ("avx512 gfni", "avx512 gfni")],
)
def test_an_unknown_extension_to_switch_off_is_named_with_the_known_ones(value, word):
    program = "from stend_gost import Kuznyechik; Kuznyechik(bytes(32))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE,
        env=os.environ | {"STEND_DISABLE_ISA": value},
    )  # fmt: skip
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f'stend_gost.errors.BadVariant: STEND_DISABLE_ISA names "{word}"')
    assert said.endswith("pmull, rvv.")
