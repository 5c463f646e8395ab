"""Debian's packages are those of the engines, by their sonames, with the header's symbols."""

import re
import tomllib

from documents import ROOT

DEBIAN = ROOT / "debian"
ENGINES = ("gost", "tomo", "unet")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def packages() -> set[str]:
    return set(re.findall(r"^Package: (.+)$", (DEBIAN / "control").read_text("utf-8"), re.M))


def test_each_engine_has_a_library_its_headers_and_a_module() -> None:
    wanted = {f"libstend-{name}0" for name in ENGINES} | {
        f"libstend-{name}-dev" for name in ENGINES
    }
    assert packages() == wanted | {f"python3-stend-{name}" for name in ENGINES} | {"stend"}
    assert packages() == {file.stem for file in DEBIAN.glob("*.install")}


def test_the_packages_of_libraries_have_the_names_of_their_sonames() -> None:
    major = PROJECT["version"].split(".")[0]
    for name in ENGINES:
        exports = (ROOT / f"engines/{name}/native/{name}/exports.map").read_text("utf-8")
        assert f"STEND_{name.upper()}_{major} {{" in exports
        assert f"libstend-{name}{major}" in packages()


def test_the_symbols_are_the_functions_of_the_header() -> None:
    header = (ROOT / "engines/gost/include/stend/gost.h").read_text("utf-8")
    symbols = (DEBIAN / "libstend-gost0.symbols").read_text("utf-8")
    declared = set(re.findall(r"\b(stend_gost_[a-z_0-9]+)\(", header))
    assert declared == set(re.findall(r"^ (stend_gost_\w+)@STEND_GOST_0 ", symbols, re.M))
