"""Fuzz the reading of run files: seeds from tests/old_runs in; out a file that broke the promise.

The promise: any bytes give a run that keeps the invariants, or one RunFileError whose sentence
is short and printable. Each round mutates a good file: in its text, where the JSON breaks, or in
its tree, where the JSON stays and its meaning breaks.

    python fuzz/run_file.py [SECONDS] [SEED]
"""

import copy
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stend.errors import RunFileError
from stend.record.run_file import from_run_file, to_run_file

SEEDS = sorted((Path(__file__).parents[1] / "tests" / "old_runs").glob("*/*.json"))

HOSTILE: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308,
    "", "x", "\x00", "\x1b[2J", "\u202e", "\ud800", "../..", "s", "measured", "NaN", "x" * 2000,
    [], [[]], [None], [0, 0], {}, {"": {}}, {"\x1b": 1},
]  # fmt: skip

PIECES = [
    b"", b"0", b"-", b"1e999", b"NaN", b"null", b'"', b"\\", b"\\ud800", b"[", b"]", b"{", b"}",
    b",", b":", b"\x00", b"\xff", b"\xef\xbb\xbf", b"9" * 400, b"[" * 3000,
]  # fmt: skip


def mutants(random: random.Random) -> Iterator[bytes]:
    """Give mutated run files without end."""
    texts = [path.read_bytes() for path in SEEDS]
    trees = [json.loads(text) for text in texts]
    while True:
        if random.random() < 0.3:
            yield _mutated_text(random.choice(texts), random)
        else:
            yield json.dumps(_mutated_tree(random.choice(trees), random)).encode()


def _mutated_text(text: bytes, random: random.Random) -> bytes:
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice([0, 0, 1, 2, 8, 1000]))
        text = text[:start] + random.choice([*PIECES, text[end : end + 50]]) + text[end:]
    return text


def _mutated_tree(tree: Any, random: random.Random) -> Any:
    tree = copy.deepcopy(tree)
    for _ in range(random.randint(1, 3)):
        parent, key = random.choice(list(_places(tree)))
        match random.randrange(4):
            case 0:
                del parent[key]
            case 1 if isinstance(parent, list):
                parent.insert(key, copy.deepcopy(parent[key]))
            case 2 if isinstance(parent, dict):
                parent[str(random.choice(HOSTILE))] = parent.pop(key)
            case _:
                parent[key] = copy.deepcopy(random.choice(HOSTILE))
    return tree


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    keys = tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def try_one(text: bytes) -> bool:
    """Read a file; True when it is a sound run. Anything but the promise raises."""
    try:
        run = from_run_file(text)
    except RunFileError as error:
        said = str(error)
        assert len(said) < 2000, said
        assert said.isprintable(), said
        return False
    assert from_run_file(to_run_file(run)) == run
    return True


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
            Path("run_file.crash.json").write_bytes(text)
            print(f"run_file: seed {seed}, file {tried}: kept in run_file.crash.json")
            raise
        tried += 1
    print(f"run_file: {tried:,} files from seed {seed}, {sound:,} of them sound; none broke it.")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
