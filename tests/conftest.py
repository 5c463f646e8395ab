"""Fixtures that rooms share: a PostgreSQL server, an empty store, a browser, CPU affinity."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chromium import chromium
from needed import missing


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
