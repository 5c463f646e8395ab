"""Shells complete `stend` and the engines' commands: verbs, options, and what an option takes."""

import os
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
import typer

from documents import ROOT
from needed import needs
from stend.cli import app

WORDS = {
    "stend-gost": [("de", "decrypt"), ("mac --ci", "--cipher"), ("mac --cipher ma", "magma")],
    "stend-tomo": [("ph", "phantom"), ("fdk --pit", "--pitch"), ("fdk --format di", "dicom")],
    "stend-unet": [("se", "segment"), ("info --ti", "--time"), ("info --precision f", "float32")],
}
"""What is typed, and what it has to become."""
ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='ready> '; source $1"
zpty -r shell seen '*ready> *ready> *'
zpty -n -w shell "$2"$'\\t'
zpty -r shell seen "*$3*" && print completed
"""

typed = pytest.mark.parametrize(
    ("command", "words", "wanted"),
    [(command, *pair) for command, pairs in WORDS.items() for pair in pairs],
)


def script(command: str, shell: str, folder: Path) -> Path:
    """Write what the command prints for a shell."""
    engine = import_module(f"{command.replace('-', '_')}.cli")
    completion = import_module(f"{engine.__name__}.completion")
    path = folder / shell
    path.write_text(completion.script(engine.parser(command), shell))
    return path


def output(*command: str | Path, **environment: str) -> str:
    """Give what a program prints."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=30,
        env=os.environ | environment, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


@typed
def test_bash_completes(command: str, words: str, wanted: str, tmp_path: Path) -> None:
    path, count = script(command, "bash", tmp_path), len(words.split())
    call = f"source {path}; COMP_WORDS=({command} {words}); COMP_CWORD={count}"
    call += f'; _{command.replace("-", "_")}; echo "${{COMPREPLY[*]}}"'
    assert output("bash", "-c", call).split() == [wanted]


@typed
def test_fish_completes(command: str, words: str, wanted: str, tmp_path: Path) -> None:
    path = script(command, "fish", tmp_path)
    call = f"source {path}; complete -C '{command} {words}'"
    found = output(needs("fish", "fish"), "-N", "-c", call, HOME=str(tmp_path))
    assert [line.partition("\t")[0] for line in found.splitlines()] == [wanted]


@typed
def test_zsh_completes(command: str, words: str, wanted: str, tmp_path: Path) -> None:
    zsh, path = needs("zsh", "zsh"), script(command, "zsh", tmp_path)
    line = f"{command} {words}"
    found = output(zsh, "-fc", ZSH, "zsh", path, line, wanted, ZDOTDIR=str(tmp_path))
    assert found == "completed\n"


def test_a_file_is_completed_where_the_command_knows_nothing(tmp_path: Path) -> None:
    path = script("stend-gost", "bash", tmp_path)
    call = f"source {path}; COMP_WORDS=(stend-gost encrypt let); COMP_CWORD=2; _stend_gost"
    assert output("bash", "-c", f'{call}; echo "${{#COMPREPLY[@]}}"; complete -p') == (
        "0\ncomplete -o default -F _stend_gost stend-gost\n"
    )


def test_the_option_prints_the_script_and_ends(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        import_module("stend_gost.cli").main(["--print-completion", "bash"])
    assert left.value.code == 0
    assert "complete -o default -F _stend_gost stend-gost\n" in capsys.readouterr().out


def test_the_engines_copies_are_the_same_file() -> None:
    copies = ROOT.glob("engines/*/python/*/cli/completion.py")
    assert len({path.read_text("utf-8") for path in copies}) == 1


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("stend comp", "compare"),
        ("stend run --vers", "--versus"),
        ("stend token re", "revoke"),
        ("stend gost mac --ci", "--cipher"),
        ("stend gost mac --cipher ma", "magma"),
        ("stend tomo fdk --pit", "--pitch"),
    ],
)
def test_typer_completes_stend(
    words: str, wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_STEND_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    with pytest.raises((SystemExit, typer.Exit)):
        app(prog_name="stend")
    assert capsys.readouterr().out.split() == [wanted]
