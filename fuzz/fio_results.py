"""Fuzz the import of results of fio; seeds: tests/storage/fio/results; out: a file that broke it.

The promise: any bytes give a run that keeps the invariants, or one RunFileError whose sentence
is short and printable. Each round mutates good files: in the text, where JSON, terse lines and
logs break, or in the tree of the JSON, where its meaning breaks.

    python fuzz/fio_results.py [SECONDS] [SEED]
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from run_file import HOSTILE, PIECES, _mutated_text, _mutated_tree

from stend.errors import RunFileError
from stend.record.run_file import from_run_file, to_run_file
from stend.storage.fio.results_import import run_of

RESULTS = Path(__file__).parents[1] / "tests" / "storage" / "fio" / "results"
SEEDS = sorted(path for path in RESULTS.rglob("*") if path.suffix in (".json", ".txt", ".log"))

HOSTILE += [2**62, 1e15, -1e-9, "4k", "read", [{}], {"jobs": []}, {"1": 2**40}, {"x": -1}]
PIECES += [b"{\n ", b"\n}", b"\n{\n", b'{"jobs"', b"3;fio;", b";", b"1, 2, 0, 4096\n", b"-nan"]


def mutants(random: random.Random) -> Iterator[tuple[str, bytes]]:
    """Give names and contents without end."""
    seeds = [(path.name, path.read_bytes()) for path in SEEDS]
    written = [text[text.index(b"{\n") :] for name, text in seeds if name.endswith(".json")]
    trees = [json.loads(text.replace(b"-nan", b"0")) for text in written]
    while True:
        if random.random() < 0.5:
            name, text = random.choice(seeds)
            yield name, _mutated_text(text, random)
        else:
            made = [
                _mutated_tree(random.choice(trees), random) for _ in "ab"[random.randrange(2) :]
            ]
            indent = random.choice([None, 2])
            yield "x.json", "\n".join(json.dumps(tree, indent=indent) for tree in made).encode()


def try_one(folder: Path, name: str, text: bytes, beside: list[Path]) -> bool:
    """Import a file, alone or beside logs; True when it is a sound run. Else only the promise."""
    path = folder / name
    path.write_bytes(text)
    try:
        run = run_of([path, *beside])
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
    chosen = random.Random(seed)
    logs = sorted((RESULTS / "logs").glob("*.log"))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in mutants(chosen):
            if time.monotonic() > end:
                break
            try:
                beside = chosen.sample(logs, chosen.choice([0, 0, 1, 3]))
                sound += try_one(Path(folder), name, text, beside)
            except BaseException:
                kept = Path(f"fio_results.crash.{name}")
                kept.write_bytes(text)
                print(f"fio_results: seed {seed}, file {tried}: kept in {kept}")
                raise
            tried += 1
    print(f"fio_results: {tried:,} files from seed {seed}, {sound:,} of them sound; none broke it.")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
