"""Engines answer to the names that they had when they were part of stend."""

import subprocess
import sys

import pytest

import stend
import stend_gost
import stend_gost.file
import stend_unet
from documents import ROOT


def test_the_ciphers_are_the_same_modules_under_both_names() -> None:
    import stend.gost.modes

    import stend.gost
    import stend.unet
    from stend.gost import errors, file

    assert stend.gost is stend_gost
    assert (file, errors) == (stend_gost.file, stend_gost.errors)
    assert stend.gost.modes.CTR is stend_gost.modes.CTR
    assert stend.errors.GostError is stend_gost.GostError
    assert stend.errors.UnetError is stend_unet.UnetError
    assert stend.unet.ModelFileError is stend.errors.ModelFileError
    assert stend_gost.__spec__.name == "stend_gost"
    assert stend_gost.modes.__spec__.name == "stend_gost.modes"


def test_the_old_name_works_first_and_a_wrong_one_is_said_to_be_missing() -> None:
    program = (
        "from stend.gost.aead import KuznyechikMGM\n"
        "import stend.gost, stend_gost\n"
        "assert stend.gost.KuznyechikMGM is KuznyechikMGM is stend_gost.KuznyechikMGM\n"
        "try:\n    import stend.gost.nothing\n"
        "except ModuleNotFoundError as error:\n    print(error.name)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert said.stdout == "stend_gost.nothing\n"


def test_modules_that_documents_named_are_found_where_they_were() -> None:
    from stend.definition import benchmark
    from stend.exchange import read_run_file
    from stend.needs import memory_lacks
    from stend.parameters import Size, choice

    import stend.benchmarks.definition
    import stend.record.run_file

    assert benchmark is stend.benchmark
    assert read_run_file is stend.record.run_file.read_run_file
    assert (choice, Size) == (stend.benchmarks.parameters.choice, stend.benchmarks.parameters.Size)
    assert memory_lacks.__module__ == "stend.benchmarks.needs"


@pytest.mark.parametrize("version", ["9.9.9", None])
def test_an_engine_of_another_version_is_one_sentence(version: str | None) -> None:
    hidden = "import importlib.metadata as m; found = m.version\n"
    hidden += "def version(name):\n    if name != 'stend-gost': return found(name)\n    "
    hidden += f"return {version!r}\n" if version else "raise m.PackageNotFoundError(name)\n"
    program = f"{hidden}m.version = version\nimport sys\nfrom stend.__main__ import main\nmain()"
    said = subprocess.run(
        [sys.executable, "-c", program, "gost", "mac", "x"],
        capture_output=True,
        text=True,
        check=False,
    )
    has = f"but {version} is installed" if version else "which is not installed"
    ours = stend.__version__
    assert said.stderr == (
        f"stend: stend {ours} needs stend-gost {ours}, {has}; install that version (in a checkout: "
        "`pip install .`).\n"
    )
    assert said.returncode == 6


def test_stend_is_imported_without_any_engine() -> None:
    program = "import sys, stend.cli; print([m for m in sys.modules if m.startswith('stend_')])"
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert said.stdout == "[]\n"


def test_the_engines_look_at_the_processor_alike() -> None:
    said = {
        path.read_text("utf-8")
        .replace(path.parent.name, "ENGINE")
        .replace(path.parent.name.removeprefix("stend"), "_ENGINE")
        for path in ROOT.glob("engines/*/python/*/processor.py")
    }
    assert len(said) == 1
