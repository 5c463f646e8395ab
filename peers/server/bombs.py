"""What a gzip bomb costs a server: 1 GiB of zeros in 1 MiB, sent whole and in parts.

    python bombs.py

It prints what is answered, and the most memory that the server had before and after.
"""

import gzip
import platform
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

from stend.store import Store
from stend.web.push.sender import PART
from web import sent
from web.killing import Serving
from web.served import Answer

TIMES = 8


def main() -> None:
    bomb = gzip.compress(bytes(1 << 30), 9)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "stend.db"))
        with Store.open(path) as store:
            tokens = [sent.token(store, f"bench{i}") for i in range(TIMES)]
        serving = Serving(path)
        assert sent.put(serving, tokens[0], sent.packed(sent.run())).status == 201
        print(f"> {date.today()}, {platform.machine()}, Python {platform.python_version()}; "
              f"{1 << 30:,} bytes in {len(bomb):,}, {TIMES} times\n")  # fmt: skip
        print("| sent | answers | peak before, MB | after, MB |\n|" + " --- |" * 4)
        ways: dict[str, Callable[[str], Answer]] = {
            "whole": lambda shown: sent.put(serving, shown, bomb),
            "in parts": lambda shown: in_parts(serving, shown, bomb),
        }
        for at_once in (1, TIMES):
            for said, send in ways.items():
                before = serving.peak
                with ThreadPoolExecutor(at_once) as pool:
                    answers = Counter(answer.status for answer in pool.map(send, tokens))
                told = ", ".join(f"{status}: {count}" for status, count in answers.items())
                print(f"| {said}, {at_once} at once | {told} | {before / 1e6:.0f} "
                      f"| {serving.peak / 1e6:.0f} |")  # fmt: skip
        serving.kill()


def in_parts(serving: Serving, shown: str, content: bytes) -> Answer:
    upload = sent.begin(serving, shown, content).json["id"]
    for first in range(0, len(content), PART):
        part = content[first : first + PART]
        assert sent.append(serving, shown, upload, first, part).status == 200
    return sent.finish(serving, shown, upload)


if __name__ == "__main__":
    main()
