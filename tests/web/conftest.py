"""What tests of the site begin with: a store, the server that shows it, a page that is watched."""

import pytest

import made
from stend.store import Store
from web.served import served
from web.watched import WINDOWS, watched


@pytest.fixture
def empty(tmp_path):
    """A store of nothing."""
    with Store.open(str(tmp_path / "stend.db")) as opened:
        yield opened


@pytest.fixture
def store(empty):
    """A store of one run; a file that is about others fills its own."""
    empty.add(made.run())
    return empty


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A store of nothing, which all tests of a file have together once it is filled."""
    with Store.open(str(tmp_path_factory.mktemp("shared") / "stend.db")) as opened:
        yield opened


@pytest.fixture
def site(store):
    """Served to this machine's own users."""
    with served(store) as running:
        yield running


@pytest.fixture(params=WINDOWS)
def page(request, browser, site):
    """The first page as who opened the printed address sees it, at a desk and on a phone."""
    with watched(browser, site.address, request.param) as opened:
        yield opened
