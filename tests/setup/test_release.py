"""What a release is made by: one version everywhere, source archives that build alone, wheels."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / "setup"
sys.path.insert(0, str(SETUP))

import archives  # noqa: E402
import version  # noqa: E402
import wheels  # noqa: E402


def test_every_place_names_the_same_version():
    assert len(set(version.versions().values())) == 1, version.versions()


def test_a_tag_says_what_the_changelog_says_of_its_version(tmp_path, monkeypatch):
    text = "# Changes\n\n## 2.0.0 - 2027-01-02\n\nNew.\n\n## 1.0.0 - 2026-01-02\n\nOld.\n"
    (tmp_path / "CHANGELOG.md").write_text(text)
    monkeypatch.setattr(version, "ROOT", tmp_path)
    assert version.section("2.0.0") == "New."
    assert version.section("1.0.0") == "Old."
    assert version.section("3.0.0") == ""


@pytest.mark.parametrize("name", archives.ENGINES)
def test_an_engines_archive_has_what_its_project_names(name, tmp_path):
    archives.copy_engine(name, tmp_path)
    described = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))
    settings = described["tool"]["scikit-build"]
    assert settings["cmake"]["source-dir"] == "."
    assert (tmp_path / described["project"]["readme"]).is_file()
    assert all(
        (tmp_path / package / "__init__.py").is_file() for package in settings["wheel"]["packages"]
    )
    assert (tmp_path / "CMakeLists.txt").is_file()
    assert (tmp_path / "LICENSE").is_file()
    others = {"gost", "tomo", "unet"} - {name}
    assert not any((tmp_path / "engines" / other).exists() for other in others)


@pytest.mark.parametrize("name", archives.ENGINES)
def test_an_engines_archive_has_each_file_that_its_build_includes(name, tmp_path):
    archives.copy_engine(name, tmp_path)
    lists = [*tmp_path.rglob("CMakeLists.txt"), *tmp_path.rglob("*.cmake")]
    included = [
        (path, file)
        for path in lists
        for file in re.findall(r"include\(([\w./]+/[\w.]+\.cmake)\)", path.read_text("utf-8"))
    ]
    assert included
    assert [(path, file) for path, file in included if not (tmp_path / file).is_file()] == []


@pytest.fixture
def build_wheels(tmp_path):
    """Runs the script where no other Python is installed."""

    def run(*words):
        return subprocess.run(
            [sys.executable, SETUP / "wheels.py", *words],
            env={"PATH": str(tmp_path), "PYENV_ROOT": str(tmp_path), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )

    return run


def test_an_unknown_architecture_is_one_sentence(build_wheels):
    done = build_wheels("sparc")
    assert done.returncode == 1
    assert done.stderr == "setup/wheels.py: sparc is not one of x86_64, aarch64, riscv64.\n"


def test_a_missing_python_is_one_sentence(build_wheels):
    done = build_wheels("x86_64")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "with headers is on PATH" in done.stderr


def test_an_environment_is_made_anew_when_what_a_build_needs_changed(tmp_path, monkeypatch):
    commands = []

    def run(words, check):
        commands.append(words)
        (tmp_path / "python3.11").mkdir(exist_ok=True)

    def installed(requirement):
        monkeypatch.setattr(wheels.subprocess, "check_output", lambda *_, **__: f"{requirement}\n")
        commands.clear()
        assert wheels.environment(Path(sys.executable)) == tmp_path / "python3.11/bin/python"
        return commands[1][-1] if commands else None

    monkeypatch.setattr(wheels, "WORK", tmp_path)
    monkeypatch.setattr(wheels, "version_with_headers", lambda python: (3, 11))
    monkeypatch.setattr(wheels.subprocess, "run", run)
    assert installed("nanobind>=2.4") == "nanobind>=2.4"
    assert installed("nanobind>=2.4") is None
    assert installed("nanobind>=2.5") == "nanobind>=2.5"
