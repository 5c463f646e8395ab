"""Documents that can't lie: links lead somewhere, commands exist, exit codes are the real ones."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from stend import cli, errors
from walls.tree import ROOT, everything, plant


def broken_links(root: Path) -> list[str]:
    """Links in the documents to files that aren't there."""
    return [
        f"{document.relative_to(root)}: {target}"
        for document in everything(root)
        if document.suffix == ".md"
        for target in links(document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]


def links(text: str) -> Iterator[str]:
    """Targets of links to files, without what stands after #."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:|#", target):
            yield target.split("#")[0]


def unknown_targets(root: Path) -> list[str]:
    """`make …` in the documents that the Makefile doesn't know."""
    rules = re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(encoding="utf-8"), re.M)
    return [
        f"{document.name}: make {target}"
        for document in root.glob("*.md")
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", document.read_text("utf-8"), re.M)
        if target not in rules
    ]


def codes() -> set[int]:
    """Exit codes that stend's errors leave with."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    return {kind.exit_code for kind in kinds if issubclass(kind, errors.StendError)}


def test_links_lead_to_files() -> None:
    assert broken_links(ROOT) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    text = "[x](b.md#y) [z](https://example.org) [a](a.md#here) [b](#there)"
    assert broken_links(plant(tmp_path, "a.md", text)) == ["a.md: b.md"]


def test_documented_make_targets_exist() -> None:
    assert unknown_targets(ROOT) == []


def test_an_unknown_make_target_is_found(tmp_path: Path) -> None:
    plant(tmp_path, "Makefile", "test: ## runs\n")
    assert unknown_targets(plant(tmp_path, "a.md", "`make test`, then `make tea`")) == [
        "a.md: make tea"
    ]


def test_each_pattern_of_the_makefile_names_a_file() -> None:
    """Of one that names none, the shell would take the pattern itself for a file."""
    loops = re.findall(r"for \w+ in ([^;]+);", (ROOT / "Makefile").read_text("utf-8"))
    patterns = [pattern for loop in loops for pattern in loop.split()]
    assert patterns
    assert [pattern for pattern in patterns if not any(ROOT.glob(pattern))] == []


def test_the_readme_lists_every_extra_and_make_report_installs_known_ones() -> None:
    extras = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
            "optional-dependencies"
        ]
    )
    install = (
        (ROOT / "README.md").read_text("utf-8").partition("## Install")[2].partition("## Use")[0]
    )
    assert set(re.findall(r"^\| `(\w+)` \|", install, re.M)) == extras
    script = (ROOT / "setup/environment.sh").read_text("utf-8")
    (installed,) = re.findall(r"^examples=(\S+)", script, re.M)
    assert {"tomo", "web"} <= set(installed.split(",")) <= extras


def test_the_readme_of_native_lists_every_folder() -> None:
    readme = (ROOT / "native/README.md").read_text("utf-8")
    native = ROOT / "native"
    folders = {path for path in native.iterdir() if path.is_dir()}
    halls = {native / "ground", native / "kernels"}
    folders |= {path for hall in halls for path in hall.iterdir()}
    listed = re.findall(r"^\| `([\w/]+)/` \|", readme, re.M)
    assert {native / name for name in listed} == folders - halls - {native / "include"} | {
        native / "include/stend"
    }


def test_every_exit_code_is_in_the_readme() -> None:
    table = re.findall(r"^\| (\d+) \|", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert codes() | {0, 130, 141} == {int(code) for code in table}


def test_the_readme_shows_every_verb_and_no_other() -> None:
    shown = re.findall(r"(?:^|`)stend ([a-z]+)", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert set(shown) | set(cli.GROUPS) == set(cli.VERBS) | set(cli.GROUPS)
