"""The engines' public headers are clean with all warnings in the editions that they are for."""

import shutil
import subprocess

import pytest

from documents import ROOT
from needed import needs

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
HEADERS = {
    "gost.h": ["c11", "c17", "c++11", "c++17", "c++20"],
    "gost.hpp": ["c++17", "c++20", "c++2b"],
    "tomo.hpp": ["c++20", "c++2b"],
    "unet.hpp": ["c++20", "c++2b"],
}
CASES = [(header, edition) for header, editions in HEADERS.items() for edition in editions]


def compiled(compiler: str, header: str, edition: str) -> subprocess.CompletedProcess[str]:
    """Compile nothing but the header, from its folder in the sources."""
    program = shutil.which(compiler) or needs(f"{compiler}-16", f"{compiler}-16")
    language = "c++" if "+" in edition else "c"
    include = ROOT / "engines" / header.split(".")[0] / "include"
    return subprocess.run(
        [
            program,
            *WARNINGS,
            f"-std={edition}",
            "-x",
            language,
            "-fsyntax-only",
            f"-I{include}",
            "-",
        ],
        input=f"#include <stend/{header}>\n",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("header", "edition"), CASES)
def test_a_header_is_clean_in_each_edition(header: str, edition: str, compiler: str) -> None:
    done = compiled(compiler, header, edition)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("header", ["tomo.hpp", "unet.hpp"])
def test_an_older_edition_is_told_which_one_is_needed(header: str) -> None:
    done = compiled("gcc", header, "c++17")
    assert done.returncode != 0
    assert "needs C++20: compile with -std=c++20 or later" in done.stderr


def test_a_header_that_is_not_clean_is_found(tmp_path, monkeypatch) -> None:
    (tmp_path / "engines/bad/include/stend").mkdir(parents=True)
    header = tmp_path / "engines/bad/include/stend/bad.h"
    header.write_text("static inline short s(int i) { return i; }\n")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert "-Werror=conversion" in compiled("gcc", "bad.h", "c11").stderr
