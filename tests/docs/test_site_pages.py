"""The repository's Markdown becomes the site's pages, and the menu has all of them."""

from collections.abc import Iterator

import site_pages
from documents import ROOT, slugs

KNOWN = {"README.md", "docs/a.md", "native/README.md", "docs/b.png"}


def page(text: str) -> str:
    return site_pages.page(text, "docs/a.md", KNOWN)


def listed(menu: object) -> Iterator[str]:
    if isinstance(menu, str):
        yield menu
    elif isinstance(menu, dict):
        yield from listed(list(menu.values()))
    elif isinstance(menu, list):
        for entry in menu:
            yield from listed(entry)


def test_links_between_pages_stay_as_they_are() -> None:
    text = "[a](../README.md#use) ![b](b.png) [c](#here) [d](https://example.org/x.py)"
    assert page(text) == text


def test_a_link_to_a_source_becomes_its_text() -> None:
    assert page("see [the `hooks`](../tests/gates.sh), [x](../src)") == "see the `hooks`, x"


def test_a_link_to_a_folder_leads_to_its_readme() -> None:
    assert page("[native](../native/#x)") == "[native](../native/README.md#x)"


def test_a_link_that_leads_nowhere_is_left_for_the_strict_build_to_find() -> None:
    assert page("[no](../no.md)") == "[no](../no.md)"


def test_what_stands_in_a_block_of_code_is_left_alone() -> None:
    text = "```md\n[x](../src)\n| `a\\|b` |\n```\n"
    assert page(text) == text


def test_a_bar_in_a_cells_code_needs_no_backslash() -> None:
    assert page("| `a\\|b` | c \\| d |\n") == "| `a|b` | c \\| d |\n"


def test_a_picture_follows_the_pages_own_switch() -> None:
    text = (
        '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="d.png">\n'
        '  <img alt="A report" src="l.png">\n</picture>'
    )
    assert page(text) == "![A report](l.png#only-light)![A report](d.png#only-dark)"


def test_the_menu_has_every_page_once() -> None:
    pages = [name for name in site_pages.names() if name.endswith(".md")]
    reference = [f"reference/{package}.md" for package in site_pages.REFERENCE]
    assert sorted(listed(site_pages.menu())) == sorted([*pages, *reference])


def test_the_pages_are_found_that_the_index_by_task_names() -> None:
    assert {"docs/tutorial.md", "METHODOLOGY.md", "engines/gost/docs/gost.md"} <= set(
        site_pages.names()
    )


def test_no_link_needs_githubs_number_of_a_second_heading() -> None:
    """The site numbers headings of one name `name_1`, GitHub `name-1`."""
    doubled = {
        slug
        for name in site_pages.names()
        if name.endswith(".md")
        for slug in slugs((ROOT / name).read_text("utf-8"))
        if slug[-2:] == "-1"
    }
    text = "".join(
        (ROOT / name).read_text("utf-8") for name in site_pages.names() if name[-1] == "d"
    )
    assert [slug for slug in doubled if f"#{slug})" in text] == []
