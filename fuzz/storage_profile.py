"""Fuzz the reading of profiles: mutated good ones in; out a file that broke the promise.

The promise: any text is a profile, or one BadValue whose sentence is short and printable. And of
what is a profile, job files have no option but those that stend sets and those that are allowed.

    python fuzz/storage_profile.py [SECONDS] [SEED]
"""

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from stend.errors import BadValue
from stend.storage.fio.jobfile import JobTarget, job_file
from stend.storage.fio.options import ALLOWED
from stend.storage.fio.profile import NAMES, Profile, parsed, profile_text

TARGETS = [JobTarget(f"/dev/lun{number}", 1 << 44) for number in range(3)]
STENDS = """
    ioengine direct rw bs iodepth rwmixread norandommap time_based runtime allow_file_create
    randrepeat randseed group_reporting lat_percentiles clat_percentiles rate_iops
    filename numjobs size offset_increment
"""
ALL = {*STENDS.split(), *ALLOWED}
OPTIONS = '\n[workload.fio]\nprio = 3\ncpus_allowed = "0-3,8"\nrandom_distribution = "zipf:1.2"\n'
PIECES = [
    *("nan", "inf", "-1", "0", "1e999", "true", "[]", "{}", "[1, 2]", "9" * 30, "0x" + "f" * 5000),
    *('""', '"a\\nfilename=/dev/sda"', '"80%"', '"128k"', '"7m"', "'''", '"', "#", "\n", "\0", "="),
    *("\n[[workload]]\n", "\n[steady]\n", "\n[defaults]\n", "\n[workload.fio]\n", "a.b.c = 1\n"),
    *(f"\n{name} = 1\n" for name in ("filename", "exec_prerun", "ioengine", "rw", *ALLOWED)),
    *("[" * 2000, "a." * 2000),
]


def mutants(random: random.Random) -> Iterator[str]:
    """Give profiles, most of them mutated, without end."""
    good = [profile_text(name) for name in NAMES]
    good += [text + OPTIONS for text in good]
    while True:
        text = random.choice(good)
        for _ in range(random.choice([0, 1, 1, 1, 2, 5])):
            text = _mutated(text, random.choice(good), random)
        yield text


def _mutated(text: str, other: str, random: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    place = random.randrange(len(lines) + 1)
    match random.randrange(4):
        case 0:
            lines.insert(place, random.choice(other.splitlines(keepends=True)))
        case 1:
            del lines[place : place + random.choice([1, 1, 5])]
        case 2 if place < len(lines) and "=" in lines[place]:
            lines[place] = lines[place].partition("=")[0] + f"= {random.choice(PIECES)}\n"
        case _:
            start = random.randrange(len(text) + 1)
            end = start + random.choice([0, 0, 1, 8])
            return text[:start] + random.choice(PIECES) + text[end:]
    return "".join(lines)


def try_one(text: str) -> bool:
    """Read a profile; True when it is one. Anything but the promise raises."""
    try:
        profile = parsed(text, "my", "my.toml")
    except BadValue as error:
        said = str(error)
        assert len(said) < 1000, said
        assert said.isprintable(), said
        return False
    _written(profile)
    return True


def _written(profile: Profile) -> None:
    for workload in profile.workloads[:10]:
        try:
            text = job_file(workload, TARGETS, seconds=1, phase="measure", seed=1, rate_iops=9)
        except BadValue:  # targets too small for its blocks and jobs
            continue
        for line in text.splitlines():
            name, _, value = line.partition("=")
            assert value.isprintable(), text
            assert not value or name in ALL, text


def main(seconds: float = 60.0, seed: int | None = None) -> None:
    seed = random.randrange(2**32) if seed is None else seed
    end = time.monotonic() + seconds
    tried = sound = 0
    for text in mutants(random.Random(seed)):
        if time.monotonic() > end:
            break
        try:
            sound += try_one(text)
        except BaseException:
            Path("storage_profile.crash.toml").write_text(text, encoding="utf-8", newline="")
            print(f"storage_profile: seed {seed}, {tried}: kept in storage_profile.crash.toml")
            raise
        tried += 1
    print(f"storage_profile: {tried:,} files from seed {seed}, {sound:,} sound; none broke it.")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
