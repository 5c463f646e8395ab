"""Fuzz sending runs to a server: run files mutated, packed, cut, in parts that may be wrong.

The promise: every answer is one that the API's document has, each refusal is a sentence, what was
acknowledged is stored and is what was sent, and nothing else is. Seeds from tests/old_runs; out
the requests of a round that broke it.

    python fuzz/uploads.py [SECONDS] [SEED]
"""

import gzip
import json
import random
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from run_file import SEEDS, mutants

from stend.errors import RunFileError
from stend.record.run_file import from_run_file
from stend.record.text import tidied
from stend.store import Right, Store
from stend.web import Server, Settings

EXPECTED = {
    "PUT": {200, 201, 400, 409, 413, 415, 422},
    "POST": {200, 201, 400, 404, 409, 413, 422},
    "PATCH": {200, 400, 404, 409, 413},
}


class Client:
    """Sends requests, keeps those of a round, and checks each answer."""

    def __init__(self, port: int, token: str) -> None:
        self._to = HTTPConnection("127.0.0.1", port)
        self._token = token
        self.asked: list[tuple[str, str, bytes]] = []

    def ask(self, method: str, path: str, body: bytes = b"", **more: str) -> tuple[int, Any]:
        self.asked.append((method, path, body))
        headers = {"Authorization": f"Bearer {self._token}", **more}
        self._to.request(method, f"/api/v1{path}", body, headers)
        answer = self._to.getresponse()
        said = json.loads(answer.read())
        assert answer.status in EXPECTED[method], (answer.status, said)
        if answer.status >= 400:
            assert said["detail"].isprintable(), said
        return answer.status, said

    def ask_json(self, path: str, body: Any) -> tuple[int, Any]:
        return self.ask(
            "POST", path, json.dumps(body).encode(), **{"Content-Type": "application/json"}
        )


def as_sent(text: bytes, chance: random.Random) -> bytes:
    """A file as it may arrive: as it is or packed, and then perhaps broken."""
    if chance.random() < 0.7:
        text = gzip.compress(text, chance.choice([1, 6, 9]))
    match chance.randrange(8):
        case 0:
            text = text[: chance.randrange(len(text) + 1)]
        case 1:
            place = chance.randrange(len(text) + 1)
            text = text[:place] + chance.randbytes(chance.randint(1, 4)) + text[place:]
        case 2:
            text += chance.choice([b"\0", text, gzip.compress(b" ")])
    return text


def send_whole(client: Client, content: bytes, chance: random.Random) -> str | None:
    """The id of the run that was acknowledged."""
    run = chance.choice([_id_in(content), f"{chance.randrange(16**32):032x}", "0000"])
    status, said = client.ask("PUT", f"/runs/{run}", content)
    return said["run"] if status < 300 else None


def send_in_parts(client: Client, content: bytes, chance: random.Random) -> str | None:
    digest = sha256(content if chance.random() < 0.9 else b"other").hexdigest()
    status, said = client.ask_json("/uploads", {"digest": digest, "bytes": len(content)})
    if status >= 300:
        return None
    upload, received = said["id"], said["received"]
    for _ in range(12):
        first = received if chance.random() < 0.8 else chance.randrange(len(content) + 10)
        size = chance.choice([1, len(content) // 3 + 1, len(content)])
        part = content[first : first + size]
        status, said = client.ask("PATCH", f"/uploads/{upload}?first={first}", part)
        received = said.get("received", received)
        assert 0 <= received <= len(content)
        if received == len(content) or chance.random() < 0.1:
            status, said = client.ask("POST", f"/uploads/{upload}/finish")
            if status < 300 or status != 409:
                return said["run"] if status < 300 else None
    return None


def _id_in(content: bytes) -> str:
    try:
        return from_run_file(_plain(content)).id
    except (RunFileError, OSError, EOFError, zlib.error):
        return "0" * 32


def _plain(content: bytes) -> bytes:
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def rounds(client: Client, store: Store, chance: random.Random) -> Iterator[bool]:
    """Send one file after the other; whether it was stored."""
    there: set[str] = set()
    sound = [path.read_bytes() for path in SEEDS]
    for mutant in mutants(chance):
        client.asked.clear()
        content = as_sent(mutant if chance.random() < 0.7 else chance.choice(sound), chance)
        send = chance.choice([send_whole, send_in_parts])
        acknowledged = send(client, content, chance)
        if acknowledged is not None:
            sent = tidied(from_run_file(_plain(content)))
            stored = store.load(acknowledged)
            assert stored.id == sent.id
            if acknowledged not in there:
                assert stored == sent
            there.add(acknowledged)
        assert {run.id for run in store.find()} == there
        if len(there) > 20:
            for run in there:
                store.remove(run)
            there.clear()
        yield acknowledged is not None


def main(seconds: float = 60.0, seed: int | None = None) -> None:
    seed = random.randrange(2**32) if seed is None else seed
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/stend.db") as store:
        server = Server(store, Settings())
        thread = threading.Thread(target=server.run)
        thread.start()
        port = int(server.url.rpartition(":")[2])
        client = Client(port, store.access.add("fuzz", Right.WRITE, None, "fuzz")[1])
        tried = stored = 0
        try:
            for was_stored in rounds(client, store, random.Random(seed)):
                tried, stored = tried + 1, stored + was_stored
                if time.monotonic() > end:
                    break
        except BaseException:
            Path("uploads.crash.txt").write_text("\n".join(map(repr, client.asked)))
            print(f"uploads: seed {seed}, file {tried}: its requests are in uploads.crash.txt")
            raise
        finally:
            server.stop()
            thread.join()
    print(f"uploads: {tried:,} files from seed {seed}, {stored:,} of them stored; none broke it.")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
