"""Runs as machines send them: tokens, run files whose bytes are hard to pack, uploads by hand."""

import gzip
import random
from hashlib import sha256

import made
from stend.record import Run
from stend.record.run_file import to_run_file
from stend.store import Right, Store
from web.served import Answer, Served, ask


def token(store: Store, name: str = "bench1", right: Right = Right.WRITE) -> str:
    """What a machine of this name shows."""
    return store.access.add(name, right, None, "test")[1]


def run(number: int = 1, repetitions: int = 50) -> Run:
    """A run of its own, whose figures are too random to be packed well."""
    chance = random.Random(number)
    times = [chance.uniform(1e-3, 2e-3) for _ in range(repetitions)]
    return made.run(cases=(made.case(samples=(made.sample(times),)),), id=f"{number:032x}")


def packed(run: Run) -> bytes:
    """Its file, as it is sent."""
    return gzip.compress(to_run_file(run), 3, mtime=0)


def put(site: Served, shown: str, content: bytes, run_id: str = f"{1:032x}", **more: str) -> Answer:
    """Send a file whole."""
    return ask(site.url, f"/api/v1/runs/{run_id}", "PUT", content, shown, **more)


def begin(site: Served, shown: str, content: bytes, digest: str = "") -> Answer:
    """Begin to send a file in parts."""
    wanted = {"digest": digest or sha256(content).hexdigest(), "bytes": len(content)}
    return ask(site.url, "/api/v1/uploads", "POST", wanted, shown)


def append(site: Served, shown: str, upload: str, first: int, part: bytes) -> Answer:
    """Send a part."""
    return ask(site.url, f"/api/v1/uploads/{upload}?first={first}", "PATCH", part, shown)


def finish(site: Served, shown: str, upload: str) -> Answer:
    """Say that all parts are there."""
    return ask(site.url, f"/api/v1/uploads/{upload}/finish", "POST", None, shown)


def send(site: Served, shown: str, content: bytes, digest: str = "") -> Answer:
    """Send a file in one part, as if it were many."""
    upload = begin(site, shown, content, digest).json["id"]
    assert append(site, shown, upload, 0, content).json["received"] == len(content)
    return finish(site, shown, upload)
