"""Every file: a name that says what is in it, an opening, a readable length, no loose ends."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from walls.tree import CODE, ROOT, WORDS, code, everything, is_code, plant

ANYTHING = {"utils", "util", "helpers", "helper", "core", "common", "misc"}
PREPOSITIONS = re.compile(
    r"(^|_)(about|above|across|after|against|ahead|along|among|apart|around|at|before|behind|below|"
    r"beside|between|by|during|for|from|in|into|near|of|off|on|onto|out|over|past|per|through|till|"
    r"to|toward|under|until|up|via|with|within|without)(_|$)"
)
PARTICIPLES = re.compile(
    r"(?<!e)(ed|(?<!filter)(?<!interleav)(?<!list)(?<!match)(?<!mean)(?<!offspr)(?<!open)(?<!sampl)"
    r"(?<!scal)(?<!stitch)(?<!compar)(?<!read)(?<!runn)(?<!writ)ing)$"
)
"""The exceptions are rooms named by what is done in them, and words that name a thing."""
LONGEST = 500
OPENINGS = {
    ".h": ("//", "/*"),
    ".hpp": ("//", "/*"),
    ".c": ("//", "/*"),
    ".cpp": ("//", "/*"),
    ".js": ("//", "/*"),
    ".css": ("/*",),
    ".html": ("{#", "<!--"),
    ".j2": ("{#", "<!--"),
}
# Bracketed, so that this file doesn't find itself.
LOOSE_ENDS = re.compile(r"\b([T]ODO|[F]IXME|[X]XX|[H]ACK)\b")
ELSEWHERE = re.compile(
    r"(?<![\w.])/(root|work|home/[a-z]\w*|Users/[a-z]\w*)/|[p]ypi\.org|[d]eb\.debian\.org"
)


def wrong_names(root: Path) -> list[str]:
    """Files and folders whose name could hold anything."""
    return [str(p.relative_to(root)) for p in everything(root) if p.stem.lower() in ANYTHING]


def no_nouns(root: Path) -> list[str]:
    """Modules of Python named by a participle or a preposition; a verb's file is named as it is."""
    packages = [root / "src", *root.glob("engines/*/python")]
    paths = [path for package in packages if package.exists() for path in everything(package)]
    return [
        str(path.relative_to(root))
        for path in paths
        if (path.suffix == ".py" or path.is_dir()) and path.parent.name != "cli" and _no_noun(path)
    ]


def _no_noun(path: Path) -> bool:
    return bool(PREPOSITIONS.search(path.stem) or PARTICIPLES.search(path.stem))


def too_long(root: Path) -> list[str]:
    """Sources of more lines than one reads at a sitting."""
    return [
        f"{p.relative_to(root)}: {n} lines"
        for p in code(root)
        if (n := p.read_text(encoding="utf-8").count("\n")) > LONGEST
    ]


def without_opening(root: Path) -> list[str]:
    """Sources that don't say at the top what they are for."""
    lists = {
        *root.glob("native/**/CMakeLists.txt"),
        *root.glob("engines/*/native/*/CMakeLists.txt"),
    }  # a room's list of its files explains itself
    return [str(p.relative_to(root)) for p in code(root) if p not in lists and not opens_well(p)]


def opens_well(path: Path) -> bool:
    """A docstring in Python, a comment elsewhere, after a script's first line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in {".py", ".pyi"}:
        return text.startswith("#") or ast.get_docstring(ast.parse(text)) is not None
    if text.startswith("#!"):
        text = text.partition("\n")[2]
    return text.startswith(OPENINGS.get(path.suffix, ("#",)))


def loose_ends(root: Path) -> list[str]:
    """Lines that put something off, or that know one machine or one registry."""
    found = []
    for path in everything(root):
        if not path.is_file() or not (is_code(path) or path.suffix in WORDS):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if said := LOOSE_ENDS.search(line) or ELSEWHERE.search(line):
                found.append(f"{path.relative_to(root)}:{number}: {said[0]}")
    return found


def test_every_name_says_what_is_inside() -> None:
    assert wrong_names(ROOT) == []


def test_a_module_is_named_by_a_noun() -> None:
    assert no_nouns(ROOT) == []


@pytest.mark.parametrize("name", ["told_by", "of_run", "measured", "store/taking", "beside"])
def test_a_module_named_by_a_participle_or_a_preposition_is_found(
    tmp_path: Path, name: str
) -> None:
    plant(tmp_path, "src/stend/running/published_runs.py", "")
    assert len(no_nouns(plant(tmp_path, f"src/stend/{name}.py", ""))) == 1


def test_no_source_is_too_long() -> None:
    assert too_long(ROOT) == []


def test_every_source_opens_by_saying_what_it_is_for() -> None:
    assert without_opening(ROOT) == []


def test_nothing_is_put_off_and_nothing_knows_one_machine() -> None:
    assert loose_ends(ROOT) == []


@pytest.mark.parametrize("name", ["src/stend/utils.py", "native/core/kernel.h", "tests/helpers.py"])
def test_a_name_for_anything_is_found(tmp_path: Path, name: str) -> None:
    assert len(wrong_names(plant(tmp_path, name, ""))) == 1


def test_a_long_source_is_found(tmp_path: Path) -> None:
    assert too_long(plant(tmp_path, "a.py", "x = 1\n" * LONGEST)) == []
    assert len(too_long(plant(tmp_path, "a.py", "x = 1\n" * (LONGEST + 1)))) == 1


@pytest.mark.parametrize("suffix", sorted(CODE))
def test_a_missing_opening_is_found(tmp_path: Path, suffix: str) -> None:
    assert len(without_opening(plant(tmp_path, f"a{suffix}", "\nx = 1\n"))) == 1


def test_a_script_opens_below_its_first_line(tmp_path: Path) -> None:
    assert without_opening(plant(tmp_path, "go", "#!/bin/sh\n# Goes.\ntrue\n")) == []
    assert without_opening(plant(tmp_path, "go", "#!/bin/sh\ntrue\n")) == ["go"]


@pytest.mark.parametrize(
    "line", ["# TO" + "DO later", "p = '/ro" + "ot/stend'", "see /ho" + "me/ada/x", "py" + "pi.org"]
)
def test_a_loose_end_is_found(tmp_path: Path, line: str) -> None:
    assert len(loose_ends(plant(tmp_path, "a.py", line))) == 1


def test_what_a_user_makes_in_the_clone_is_no_source(tmp_path: Path) -> None:
    plant(tmp_path, "src/a.py", '"""Ours."""\n')
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "src"], check=True)
    for name in ("report.html", "mine.json", "slices/volume.py", "src/new.py"):
        plant(tmp_path, name, ("x = '/ho" + "me/ada/x'\n") * (LONGEST + 1))
    assert [line.split(":")[0] for line in too_long(tmp_path)] == ["src/new.py"]
    assert without_opening(tmp_path) == ["src/new.py"]
    assert {line.split(":")[0] for line in loose_ends(tmp_path)} == {"src/new.py"}


def test_every_test_file_has_a_name_of_its_own() -> None:
    """Pytest imports files of one name as one module, and fails when it collects both."""
    names = [path.name for path in code(ROOT, ".py") if path.name.startswith("test_")]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
