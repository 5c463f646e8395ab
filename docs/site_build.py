"""Build the site of this version into build/site/VERSION, next to those of other versions there.

`build/site/versions.json` lists them for the switch in the header; build/site/index.html leads to
this version. Any web server of files can serve build/site.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import site_pages
from site_pages import ROOT

SETTINGS = ROOT / "docs/site"
SOURCES = [ROOT / "src", *sorted(ROOT.glob("engines/*/python"))]
REDIRECT = '<!doctype html><title>stend</title><meta http-equiv="refresh" content="0; url={0}/">\n'


def build(site: Path, work: Path) -> Path:
    """Build the site by way of a working folder, and give its folder."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    site_pages.write(work / "pages")
    shutil.copy(SETTINGS / "site.css", work / "pages")
    render(work, site / version, site_pages.menu())
    _list_versions(site, version)
    return site / version


def render(work: Path, site: Path, menu: list[object]) -> None:
    """Let MkDocs make a site of the pages in a working folder.

    Raises:
        CalledProcessError: MkDocs warned of something, such as a link that leads nowhere.
    """
    settings = {
        "INHERIT": str(SETTINGS / "mkdocs.yml"),
        "nav": menu,
        "site_dir": str(site),
        "plugins": {"mkdocstrings": {"handlers": {"python": {"paths": [*map(str, SOURCES)]}}}},
    }
    (work / "mkdocs.yml").write_text(json.dumps(settings), encoding="utf-8")
    subprocess.run(  # with --quiet it would not count warnings, and so not be strict
        [sys.executable, "-m", "mkdocs", "build", "-f", work / "mkdocs.yml"],
        check=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # what it says is in docs/decisions.md
    )


def _list_versions(site: Path, this: str) -> None:
    there = sorted((path.parent.name for path in site.glob("*/index.html")), key=_order)
    listed = [{"version": name, "title": name, "aliases": []} for name in reversed(there)]
    (site / "versions.json").write_text(json.dumps(listed), encoding="utf-8")
    (site / "index.html").write_text(REDIRECT.format(this), encoding="utf-8")


def _order(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


if __name__ == "__main__":
    SITE = ROOT / "build/site"
    build(SITE, ROOT / "build/site-pages")
    print(f"To look at it: python3 -m http.server -b 127.0.0.1 -d {SITE.relative_to(ROOT)}")
