"""`stend-gost` as a user meets it: files, pipes, keys, exit codes, what an end leaves."""

import os
import shlex
import signal
import stat
import subprocess
import sys
import time

import pytest

from gost_support import PATIENCE, on_terminal
from stend_gost import OMAC, Kuznyechik

COMMAND = [sys.executable, "-m", "stend_gost"]
KEY = bytes(range(32))
MESSAGE = bytes(i * 17 % 239 for i in range(239)) * 10_461
"""More than two chunks of both ciphers."""


@pytest.fixture
def gost(tmp_path):
    (tmp_path / "k").write_bytes(KEY)
    (tmp_path / "k").chmod(0o600)
    (tmp_path / "m").write_bytes(MESSAGE)

    def call(*words, code=0, input=b"", env=None, key=("--key-file", "k")):
        env = os.environ | {"COLUMNS": "80"} | (env or {})
        done = subprocess.run(
            [*COMMAND, *words, *key],
            env=env,
            cwd=tmp_path,
            input=input,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
        said = done.stderr.decode()
        assert done.returncode == code, f"{done.returncode}\n{said}"
        assert "Traceback" not in said
        return done

    return call


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("cipher", ["kuznyechik", "magma"])
def test_a_file_is_encrypted_beside_itself_and_decrypted_again(gost, tmp_path, cipher):
    gost("encrypt", "m", "--cipher", cipher)
    assert (tmp_path / "m.gost").stat().st_size > len(MESSAGE)
    (tmp_path / "m").unlink()
    done = gost("decrypt", "m.gost")
    assert (tmp_path / "m").read_bytes() == MESSAGE
    assert (done.stdout, done.stderr) == (b"", b"")
    assert names(tmp_path) == ["k", "m", "m.gost"]


@pytest.mark.parametrize("threads", ["1", "3"])
def test_pipes_take_and_give_the_same(gost, tmp_path, threads):
    encrypted = gost("encrypt", "--threads", threads, input=MESSAGE).stdout
    assert gost("decrypt", "-", "--threads", threads, input=encrypted).stdout == MESSAGE
    gost("decrypt", "-o", "copy", input=encrypted)
    assert (tmp_path / "copy").read_bytes() == MESSAGE
    assert gost("decrypt", "-", "-o", "-", input=gost("encrypt", input=b"").stdout).stdout == b""


def test_an_output_that_exists_is_replaced_by_force_only(gost, tmp_path):
    (tmp_path / "m.gost").write_bytes(b"precious")
    said = gost("encrypt", "m", code=2).stderr.decode()
    assert "m.gost exists; give --force" in said
    assert (tmp_path / "m.gost").read_bytes() == b"precious"
    gost("encrypt", "m", "--force")
    gost("encrypt", "m", "-o", "m", "--force")
    gost("decrypt", "m", "-o", "m", "--force")
    assert (tmp_path / "m").read_bytes() == MESSAGE


@pytest.mark.parametrize("name", ["k", "./k", "link"])
@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_the_key_file_is_never_overwritten(gost, tmp_path, verb, name):
    (tmp_path / "link").symlink_to("k")
    gost("encrypt", "m")
    file = "m" if verb == "encrypt" else "m.gost"
    said = gost(verb, file, "-o", name, "--force", code=2).stderr.decode()
    assert "is the key file and would be overwritten" in said
    assert (tmp_path / "k").read_bytes() == KEY


@pytest.mark.parametrize("redirected", [">>", "1<>"])
def test_the_key_file_is_no_standard_output(tmp_path, redirected):
    (tmp_path / "k").write_bytes(KEY)
    line = f"echo a letter | {shlex.join(COMMAND)} encrypt --key-file k {redirected} k"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, capture_output=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert b"The standard output is the key file" in done.stderr
    assert (tmp_path / "k").read_bytes() == KEY


@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
@pytest.mark.parametrize("given", ["{0} {1} -o -", "{0} < {1}"])
@pytest.mark.parametrize("redirected", [">>", "1<>"])
def test_what_is_read_is_no_standard_output(gost, tmp_path, verb, given, redirected):
    """With >> the end would never come: each piece makes the file longer."""
    gost("encrypt", "m")
    file = {"encrypt": "m", "decrypt": "m.gost"}[verb]
    before = (tmp_path / file).read_bytes()
    words = given.format(f"{shlex.join(COMMAND)} {verb} --key-file k", file)
    done = subprocess.run(
        ["bash", "-c", f"{words} {redirected} {file}"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 2
    assert b"is also the standard output" in done.stderr
    assert (tmp_path / file).read_bytes() == before


def test_a_file_whose_name_is_a_dash_is_no_standard_input(gost, tmp_path):
    (tmp_path / "-").write_bytes(MESSAGE)
    gost("encrypt", "./-")
    gost("decrypt", "./-.gost", "-o", "./-", "--force")
    assert (tmp_path / "-").read_bytes() == MESSAGE
    sums = gost("mac", "./-").stdout
    assert sums.endswith(b"  ./-\n")
    (tmp_path / "sums").write_bytes(sums)
    assert gost("mac", "--check", "sums").stdout == b"./-: OK\n"


def test_a_device_and_a_named_pipe_are_written_to_as_they_are(gost, tmp_path):
    gost("encrypt", "m", "-o", "/dev/null")
    os.mkfifo(tmp_path / "p")
    with subprocess.Popen(["sh", "-c", "cat p > q"], cwd=tmp_path) as reader:
        gost("encrypt", "m", "-o", "p")
        reader.wait(60)
    assert gost("decrypt", "q", "-o", "-").stdout == MESSAGE


@pytest.mark.parametrize("held", [KEY.hex(), KEY.hex().upper() + "\n", f"  {KEY.hex()}\r\n"])
def test_a_key_may_be_written_in_hex(gost, tmp_path, held):
    encrypted = gost("encrypt", input=b"x").stdout
    (tmp_path / "hex").write_text(held)
    (tmp_path / "hex").chmod(0o600)
    assert gost("decrypt", input=encrypted, key=("--key-file", "hex")).stdout == b"x"
    by_name = ("--key-env", "MINE")
    assert gost("decrypt", input=encrypted, key=by_name, env={"MINE": held}).stdout == b"x"


@pytest.mark.parametrize("mode", ["0640", "0604"])
def test_who_may_read_the_key_is_looked_at(gost, tmp_path, mode):
    (tmp_path / "k").chmod(int(mode, 8))
    said = gost("encrypt", "m").stderr.decode()
    assert (
        f"other users may read the key file k (mode {mode}); restrict it with `chmod 600`" in said
    )


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (b"", "has 0 bytes"),
        (KEY + b"\n", "has 33 bytes"),
        (b"00" * 31, "has 62 bytes"),
        (b"0g" * 32, "has 64 bytes"),
        (bytes(10_000_000), "has more than 128 bytes"),
    ],
)
def test_what_is_no_key_is_refused_and_not_shown(gost, tmp_path, held, said):
    (tmp_path / "k").write_bytes(held)
    told = gost("encrypt", "m", code=2).stderr.decode()
    assert said in told
    assert "30" * 8 not in told
    assert not (tmp_path / "m.gost").exists()


def test_keys_are_named_by_exactly_one_option(gost):
    said = gost("encrypt", "m", code=2, key=()).stderr.decode()
    assert "--key-file FILE, or --key-env NAME" in said
    said = gost("encrypt", "m", "--key-env", "MINE", code=2).stderr.decode()
    assert "--key-file and --key-env exclude each other" in said
    no_variable = gost("encrypt", "m", code=2, key=("--key-env", "NONE_SUCH")).stderr.decode()
    assert "variable NONE_SUCH is not set" in no_variable
    wrong = gost("encrypt", "m", code=2, key=("--key-env", "MINE"), env={"MINE": "secret words"})
    assert "12 bytes" in wrong.stderr.decode()
    assert "secret" not in wrong.stderr.decode()
    assert (
        "can't be read" in gost("encrypt", "m", code=4, key=("--key-file", "none")).stderr.decode()
    )


def test_a_key_on_the_command_line_is_no_option(gost):
    gost("encrypt", "m", "--key", KEY.hex(), code=2)


def test_another_key_gives_nothing(gost, tmp_path):
    gost("encrypt", "m")
    (tmp_path / "k").write_bytes(bytes(32))
    said = gost("decrypt", "m.gost", "-o", "out", code=4).stderr.decode()
    assert "encrypted with another key" in said
    assert gost("decrypt", "m.gost", "-o", "-", code=4).stdout == b""
    assert names(tmp_path) == ["k", "m", "m.gost"]


def test_nothing_of_a_damaged_file_is_left(gost, tmp_path):
    gost("encrypt", "m")
    whole = (tmp_path / "m.gost").read_bytes()
    for name, damaged in {
        "cut": whole[:-1],
        "cut between chunks": whole[: 64 + (1 << 20) + 16],
        "changed": whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:],
        "longer": whole + b"\0",
    }.items():
        (tmp_path / "d").write_bytes(damaged)
        said = gost("decrypt", "d", "-o", "out", code=4).stderr.decode()
        assert "No output was written." in said, name
        assert not (tmp_path / "out").exists(), name
        assert names(tmp_path) == ["d", "k", "m", "m.gost"], name


def test_on_a_pipe_the_true_beginning_comes_out_and_then_the_error(gost):
    encrypted = bytearray(gost("encrypt", input=MESSAGE).stdout)
    encrypted[64 + (1 << 20) + 16 + 5] ^= 1
    done = gost("decrypt", input=bytes(encrypted), code=4)
    assert done.stdout == MESSAGE[: 1 << 20]
    assert "Chunk 1, from byte 1,048,656 on, is not authentic" in done.stderr.decode()
    assert "Everything released before is authentic" in done.stderr.decode()


def test_what_was_given_out_by_a_device_or_named_pipe_is_not_denied(gost, tmp_path):
    encrypted = gost("encrypt", input=MESSAGE).stdout
    done = gost("decrypt", "-o", "/proc/self/fd/1", input=encrypted[:-1], code=4)
    assert MESSAGE.startswith(done.stdout)
    assert len(done.stdout) >= 1 << 20
    assert "Everything released before is authentic" in done.stderr.decode()


def test_files_that_are_not_there_or_not_encrypted(gost, tmp_path):
    assert "none can't be read: No such file" in gost("encrypt", "none", code=4).stderr.decode()
    assert "can't be read" in gost("encrypt", ".", "-o", "x", code=4).stderr.decode()
    assert (
        "not a file of `stend-gost encrypt`"
        in gost("decrypt", "m", "-o", "x", code=4).stderr.decode()
    )
    for name in ("m", ".gost", "folder/.gost"):
        assert f"{name} does not end in .gost" in gost("decrypt", name, code=2).stderr.decode()
    assert "can't be written" in gost("encrypt", "m", "-o", "no/x", code=4).stderr.decode()
    assert names(tmp_path) == ["k", "m"]


def test_a_full_disk_is_a_sentence(gost):
    said = gost("encrypt", "m", "-o", "/dev/full", code=4).stderr.decode()
    assert "No space is left for /dev/full; free some space" in said


def test_a_size_beyond_magma_s_limit_is_refused_without_reading(gost, tmp_path):
    with (tmp_path / "huge").open("wb") as file:
        file.truncate((64 << 30) + 1)
    said = gost("encrypt", "huge", "--cipher", "magma", code=2).stderr.decode()
    assert "68,719,476,737 bytes; magma encrypts up to 68,719,476,736" in said


def begun(tmp_path, *words, source):
    """A verb under way whose input never ends."""
    process = subprocess.Popen(
        [*COMMAND, *words, "--key-file", "k"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(source)
    process.stdin.flush()
    deadline = time.monotonic() + PATIENCE
    while not list(tmp_path.glob(".stend-*.part")) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_ended_in_the_middle_leaves_no_file(gost, tmp_path, verb, number):
    source = MESSAGE if verb == "encrypt" else gost("encrypt", input=MESSAGE).stdout
    with begun(tmp_path, verb, "-o", "out", source=source[:-5]) as process:
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (130, b"")
    assert names(tmp_path) == ["k", "m"]


def test_mac_of_a_file_without_end_is_ended_by_one_signal(gost, tmp_path):
    with subprocess.Popen(
        [*COMMAND, "mac", "m", "/dev/zero", "--key-file", "k"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline().endswith(b"  m\n")  # the other file is being read
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, printed, said) == (130, b"", b"")


def test_a_replaced_file_keeps_who_may_read_it(gost, tmp_path):
    gost("encrypt", "m")
    (tmp_path / "m").chmod(0o600)
    gost("decrypt", "m.gost", "--force")
    assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == 0o600


def test_an_empty_name_of_an_output_is_no_default(gost, tmp_path):
    assert "the name is empty" in gost("encrypt", "m", "-o", "", code=2).stderr.decode()
    assert names(tmp_path) == ["k", "m"]


def test_killed_in_the_middle_leaves_no_file_of_that_name(gost, tmp_path):
    source = gost("encrypt", input=MESSAGE).stdout
    with begun(tmp_path, "decrypt", "-o", "out", source=source[:-5]) as process:
        process.kill()
        process.communicate(timeout=PATIENCE)
    left = [name for name in names(tmp_path) if name not in ("k", "m")]
    assert [(n.startswith(".stend-"), n.endswith(".part")) for n in left] == [(True, True)]
    assert MESSAGE.startswith((tmp_path / left[0]).read_bytes())


def test_a_pipe_that_nobody_reads_ends_it_as_sigpipe_does(gost, tmp_path):
    words = " ".join(map(repr, COMMAND))
    line = f"{words} encrypt m -o - --key-file k | head -c 10 | wc -c; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, capture_output=True, check=False, timeout=PATIENCE
    )
    assert (done.stdout, done.stderr) == (b"10\n141\n", b"")


def test_encrypted_bytes_are_not_shown_on_a_terminal(gost, tmp_path):
    import pty

    leader, follower = pty.openpty()
    done = subprocess.run(
        [*COMMAND, "encrypt", "m", "-o", "-", "--key-file", "k"],
        cwd=tmp_path,
        stdout=follower,
        stderr=subprocess.PIPE,
        check=False,
        timeout=PATIENCE,
    )
    os.close(follower)
    os.close(leader)
    assert done.returncode == 2
    assert b"Refusing to write ciphertext to a terminal" in done.stderr


def test_progress_is_shown_on_a_terminal_only(gost, tmp_path):
    command = [*COMMAND, "encrypt", "m", "--key-file", "k"]
    code, printed, shown = on_terminal(command, columns=80, cwd=tmp_path)
    assert (code, printed) == (0, b"")
    assert "encrypting" in shown


def test_memory_stays_what_it_was_however_long_the_input_is(gost, tmp_path):
    """The resident set at its peak, for 2 MB and for 40 MB through both verbs."""

    def peak(megabytes):
        line = (
            f"head -c {megabytes}000000 /dev/zero | {shlex.join(COMMAND)} encrypt --key-file k "
            f"--cipher magma | {shlex.join(COMMAND)} decrypt --key-file k > /dev/null"
        )
        program = (
            "import resource, subprocess, sys; "
            "subprocess.run(['bash', '-ec', sys.argv[1]], check=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, line],
            cwd=tmp_path,
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        )
        return int(done.stdout)

    assert peak(40) - peak(2) < 10_000  # kB


# ---- mac ---------------------------------------------------------------------------------------


def test_mac_is_omac_and_is_checked(gost, tmp_path):
    mac = OMAC(Kuznyechik(KEY))
    mac.update(MESSAGE)
    tag = mac.finalize().hex()
    odd = ["m", "a b", "new\nline", "back\\slash", os.fsdecode(b"\xff"), "é"]
    for name in odd[1:]:
        (tmp_path / name).write_bytes(MESSAGE)
    sums = gost("mac", *odd).stdout
    lines = sums.splitlines()
    assert lines[0] == f"{tag}  m".encode()
    assert lines[2] == f"\\{tag}  new\\nline".encode()
    assert gost("mac", "-", input=MESSAGE).stdout == f"{tag}  -\n".encode()
    (tmp_path / "sums").write_bytes(sums)
    told = gost("mac", "--check", "sums").stdout.decode().splitlines()
    assert len(told) == len(odd)
    assert all(line.endswith(": OK") for line in told)
    assert gost("mac", "--check", "-", input=sums).stdout.decode().splitlines() == told


def test_magma_s_lines_are_told_by_their_tags(gost, tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    sums = gost("mac", "m", "empty", "--cipher", "magma").stdout + gost("mac", "m").stdout
    assert [len(line.split()[0]) for line in sums.splitlines()] == [16, 16, 32]
    told = gost("mac", "--check", "-", input=sums).stdout
    assert told == b"m: OK\nempty: OK\nm: OK\n"


def test_a_file_that_differs_or_is_gone_fails_the_check(gost, tmp_path):
    (tmp_path / "n").write_bytes(b"other")
    (tmp_path / "last").write_bytes(b"as it was")
    sums = gost("mac", "m", "n", "last").stdout
    (tmp_path / "m").write_bytes(MESSAGE + b"!")
    (tmp_path / "n").unlink()
    told = gost("mac", "--check", "-", input=sums, code=1).stdout.decode().splitlines()
    assert told[0] == "m: FAILED"
    assert told[1].startswith("n: FAILED (n can't be read: No such file")
    assert told[2] == "last: OK"


def test_what_can_t_be_read_is_told_and_the_others_are_done(gost, tmp_path):
    sums = gost("mac", "m", "k").stdout
    done = gost("mac", "m", "none", ".", "k", code=1)
    assert done.stdout == sums
    assert done.stderr.decode().splitlines() == [
        "stend-gost: none can't be read: No such file or directory.",
        "stend-gost: . can't be read: Is a directory.",
    ]


@pytest.mark.parametrize(
    "line", [b"nonsense", b"00" * 16, b"00" * 15 + b"  m", b"zz" * 16 + b"  m", b"00" * 16 + b"  "]
)
def test_a_line_that_is_none_is_named(gost, line):
    good = gost("mac", "m").stdout
    said = gost("mac", "--check", "-", input=good + line + b"\n", code=4).stderr.decode()
    assert "Line 2 of the standard input is not a line of `stend-gost mac`" in said


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(gost):
    said = gost("mac", "--check", "/dev/zero", code=4).stderr.decode()
    assert "Line 1 of /dev/zero is not a line of `stend-gost mac`" in said


def test_a_list_of_nothing_is_no_success(gost, tmp_path):
    (tmp_path / "sums").write_bytes(b"")
    said = gost("mac", "--check", "sums", code=4).stderr.decode()
    assert "There is no line of `stend-gost mac` to check in sums." in said


def test_check_takes_no_other_files(gost):
    assert "name no other files" in gost("mac", "m", "--check", "sums", code=2).stderr.decode()


@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "mac"])
def test_every_verb_teaches_itself(gost, verb):
    assert b"usage: stend-gost" in gost(verb, "--help", key=()).stdout


def test_files_are_made_with_the_user_s_mask(gost, tmp_path):
    before = os.umask(0o027)
    try:
        gost("encrypt", "m")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "m.gost").stat().st_mode) == 0o640
