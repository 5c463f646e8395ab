"""The site, built strictly, in a browser: search, the dark switch, nothing from another server."""

import importlib
import importlib.util
import re
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import site_build
import site_pages
from documents import ROOT
from needed import missing

pytestmark = pytest.mark.full
OLDER = "0.0.9"
SHAPES = ("li", "tr", "pre", "h2", "strong", "blockquote")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def mkdocs() -> None:
    """MkDocs and what the site's settings name, or a skip."""
    if not all(importlib.util.find_spec(name) for name in ("mkdocs", "material", "mkdocstrings")):
        missing("MkDocs is not installed: run `make site`")


@pytest.fixture(scope="module")
def site(mkdocs: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    older = folder / "site" / OLDER
    older.mkdir(parents=True)
    (older / "index.html").write_text("<p>an older version</p>", encoding="utf-8")
    return site_build.build(folder / "site", folder / "work")


@pytest.fixture
def page(site: Path, browser: Any) -> Iterator[Any]:
    """A page at the site's first one; `foreign` are requests to other servers."""
    handler = partial(Quiet, directory=str(site.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        own = f"http://127.0.0.1:{server.server_port}/"
        context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="light")
        opened, foreign = context.new_page(), []
        opened.on("request", lambda asked: foreign.append(asked.url))
        opened.goto(own)
        opened.wait_for_url(f"{own}{site.name}/")
        yield opened
        context.close()
        server.shutdown()
    assert [url for url in foreign if not url.startswith((own, "data:"))] == []


def test_search_finds_a_section(page: Any) -> None:
    page.locator("label.md-header__button[for=__search]").click()
    page.get_by_role("textbox", name="Search").fill("constant time")
    page.locator(".md-search-result__link", has_text="The GOST ciphers").first.click()
    page.wait_for_url(re.compile("/engines/gost/native/gost/"))


def test_the_dark_switch_changes_the_page_and_is_remembered(page: Any) -> None:
    scheme = "document.body.dataset.mdColorScheme"
    assert page.evaluate(scheme) == "default"
    page.locator("label[title='Switch to light mode']").click()
    page.locator("label[title='Switch to dark mode']").click()
    assert page.evaluate(scheme) == "slate"
    page.reload()
    assert page.evaluate(scheme) == "slate"
    assert page.locator("article img[src$='only-dark']").first.is_visible()
    assert not page.locator("article img[src$='only-light']").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_links_have_enough_contrast(page: Any, axe: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{page.url}docs/api/")
    found = axe.run(page, options={"runOnly": ["color-contrast", "link-in-text-block"]})
    assert found.response["passes"]
    assert [node["html"] for fault in found.response["violations"] for node in fault["nodes"]] == []


def test_the_version_can_be_switched(page: Any, site: Path) -> None:
    assert page.locator(".md-version__current").inner_text() == site.name
    page.locator(".md-version__current").focus()
    page.get_by_role("link", name=OLDER).click()
    page.wait_for_selector("text=an older version")


@pytest.mark.parametrize(
    "path", ["", "docs/commands/", "docs/benchmarks/", "reference/stend_gost/"]
)
def test_pages_fit_a_phone_and_their_pictures_load(page: Any, path: str) -> None:
    page.goto(page.url + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shown = "[...document.querySelectorAll('article img')].filter(i => i.offsetParent)"
    assert page.evaluate(f"{shown}.filter(i => !i.naturalWidth).map(i => i.src)") == []


def test_pages_have_the_lists_tables_and_blocks_that_github_shows(site: Path) -> None:
    from markdown_it import MarkdownIt

    github = MarkdownIt("commonmark").enable("table")
    unlike = []
    for name in (name for name in site_pages.names() if name.endswith(".md")):
        path = Path(name)
        built = site / (path.parent if path.name == "README.md" else path.with_suffix(""))
        article = (built / "index.html").read_text("utf-8").partition("<article")[2]
        ours = article.partition("</article>")[0]
        theirs = github.render((ROOT / name).read_text("utf-8"))
        counts = [
            [len(re.findall(f"<{tag}[ >]", html)) for tag in SHAPES] for html in (ours, theirs)
        ]
        if counts[0] != counts[1]:
            unlike.append((name, *counts))
    assert unlike == []


def test_the_reference_has_every_public_name(site: Path) -> None:
    for package in site_pages.REFERENCE:
        html = (site / f"reference/{package}/index.html").read_text("utf-8")
        names = set(importlib.import_module(package).__all__) - {"__version__"}
        assert {name for name in names if f'id="{package}.{name}"' not in html} == set(), package


def test_a_link_that_leads_nowhere_stops_the_build(
    mkdocs: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    links = "[a](no.md) [b](#nowhere) ![c](no.png) [d](/absolute.md)"
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/README.md").write_text(f"# A page\n\n{links}\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        site_build.render(tmp_path, tmp_path / "site", ["README.md"])
    assert "Aborted with 4 warnings in strict mode" in capfd.readouterr().out
