"""Links between documents lead to headings that are there; tests/walls holds those to files."""

import re
from pathlib import Path

from documents import DOCUMENTS, ROOT, slugs


def lost(document: Path) -> list[str]:
    """Links of a document to headings that there are not."""
    found = []
    for target, anchor in re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", document.read_text("utf-8")):
        page = document.parent / target if target else document
        if page.suffix == ".md" and anchor not in slugs(page.read_text("utf-8")):
            found.append(f"{document.name}: {target}#{anchor}")
    return found


def test_links_lead_to_headings() -> None:
    assert [link for document in DOCUMENTS for link in lost(document)] == []


def test_pictures_are_there() -> None:
    lacking = [
        f"{document.name}: {source}"
        for document in DOCUMENTS
        for source in re.findall(r"(?:src|srcset)=\"([^\"]+)\"", document.read_text("utf-8"))
        if not (document.parent / source).is_file()
    ]
    assert lacking == []


def test_a_link_to_no_heading_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text(
        "# The `stend` way\n## Twice\n## Twice\n[a](#the-stend-way) [b](a.md#twice-1) [c](#no)"
    )
    assert lost(page) == ["a.md: #no"]


def test_every_page_of_docs_is_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert {name for name in pages if f"]({name})" not in index} == set()
    assert "](benchmarks/README.md)" in index
