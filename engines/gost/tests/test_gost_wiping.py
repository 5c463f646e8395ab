"""Nothing of a key is left in the memory of a process whose objects are gone."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import standard

KEY = bytes.fromhex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")

PROGRAM = """
import gc, sys
from stend_gost import Cipher, Kuznyechik, KuznyechikMGM, OMAC, modes

def work():
    key = Kuznyechik(bytearray.fromhex(sys.stdin.readline()), variant="reference")
    context = Cipher(key, modes.CTR_ACPKM(bytes(8), 32)).encryptor()
    context.update(bytes(20))
    mac = OMAC(key)
    mac.update(b"x")
    return key, context, mac, mac.copy(), Cipher(key, modes.MGM(bytes(16))).encryptor()

held = work()
print("held", flush=True)
sys.stdin.readline()
del held
gc.collect()
print("gone", flush=True)
sys.stdin.readline()
"""


def count(pid: int, wanted: bytes) -> int:
    """How often the bytes stand in the writable memory of a process."""
    found = 0
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            start, end, access = re.split("[- ]", line, maxsplit=3)[:3]
            if access.startswith("rw") and "[v" not in line:
                memory.seek(int(start, 16))
                found += memory.read(int(end, 16) - int(start, 16)).count(wanted)
    return found


def test_the_schedule_is_wiped_when_the_last_user_of_a_key_is_gone():
    """The third round key is in no Python object: only the schedule has it."""
    wanted = standard.kuznyechik_keys(KEY)[2]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            process.stdin.write(KEY.hex().encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"held\n"
            try:
                held = count(process.pid, wanted)
            except PermissionError:
                pytest.skip("The kernel lets nobody read another process's memory here.")
            process.stdin.write(b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"gone\n"
            gone = count(process.pid, wanted)
        finally:
            process.stdin.close()
    assert held > 0
    assert gone == 0
