"""Fixtures that rooms share: a PostgreSQL server, an empty store, a browser, CPU affinity."""

import gc
import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from chromium import chromium
from needed import missing

pytest_plugins = ["journal"]

# The same examples every time: a failure in CI is a failure here.
settings.register_profile("stend", derandomize=True, deadline=None)
settings.load_profile("stend")

# A shell ignores these for what it starts in the background, nohup ignores SIGHUP, and what is
# ignored stays so in every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """Exempt collected objects from garbage collection, which took a tenth of all time."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def affinity_is_given_back() -> Iterator[None]:
    """A kernel pins its threads; afterwards this thread must have its old affinity back."""
    before = os.sched_getaffinity(0)
    yield
    assert os.sched_getaffinity(0) == before


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of an empty database of a real server, which lives as long as the session."""
    from postgresql import Postgresql

    server = Postgresql()
    yield server.url
    server.remove()


@pytest.fixture
def postgresql_schema(postgresql: str) -> str:
    """Where an empty store can be: a new schema of the server's database."""
    import psycopg

    schema = f"store_{uuid.uuid4().hex}"
    with psycopg.connect(postgresql) as connection:
        connection.execute(f"create schema {schema}")
    return f"{postgresql}&options=-csearch_path%3D{schema}"


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store can be: a file, or a schema."""
    if request.param == "sqlite":
        return str(tmp_path / "stend.db")
    url: str = request.getfixturevalue("postgresql_schema")
    return url


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium; a module's, since asyncio.run fails while Playwright runs."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: run `make test`")
    with sync_playwright() as playwright, chromium(playwright.chromium) as running:
        yield running


@pytest.fixture
def axe() -> Any:
    """Checks a page's accessibility: `axe.run(page)`."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        missing("axe is not installed: run `make test`")
    return Axe()
