"""Every verb has a manual page that renders without a warning and names every option."""

import os
import re
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

import man_pages
from needed import needs
from roff import Manual
from stend import cli

PAGES = {page.file: page for page in man_pages.manuals()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("man")
    man_pages.write(made)
    return made


def rendered(page: Manual) -> str:
    """Give a page's source as it is read: without fonts and escapes."""
    text = re.sub(r"\\f[BIR]", "", page.roff())
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\(ti", "~")


def shown(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Give what `--help` prints, by the command itself."""
    module = import_module("stend_" + words[0][6:] + ".cli") if words[0] != "stend" else cli
    command = cli.app if module is cli else module.main
    with pytest.raises(SystemExit):
        command([*words[1:], "--help"])
    return capsys.readouterr().out


def test_every_verb_has_a_page() -> None:
    wanted = {"stend.1", *(f"stend-{verb}.1" for verb in cli.VERBS)}
    for group, (_, verbs) in cli.GROUPS.items():
        wanted |= {f"stend-{group}.1", *(f"stend-{group}-{verb}.1" for verb in verbs)}
    for engine in man_pages.ENGINES:
        parser = import_module(f"stend_{engine}.cli").parser(f"stend-{engine}")
        verbs = re.findall(r"^    (\w+)", parser.format_help(), re.M)
        wanted |= {f"stend-{engine}-{verb}.1" for verb in verbs}
    assert wanted | {"stend-unet-segment.1stend"} == set(PAGES)


@pytest.mark.parametrize("file", PAGES)
def test_a_page_names_every_option_that_help_shows(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    help = shown(PAGES[file].words.split(), capsys)
    options = set(re.findall(r"^ {2}(?:-\w[^-]*, )?(--[a-z-]+)", help, re.M))
    page = rendered(PAGES[file])
    assert options
    assert {name for name in options if not re.search(rf"^(-\w, )?{name}\b", page, re.M)} == set()


def test_pages_have_what_their_verbs_say_of_themselves() -> None:
    page = rendered(PAGES["stend-compare.1"])
    assert ".SH NAME\nstend-compare - compare runs: B against A" in page
    assert "\nstend compare [OPTIONS] A [B]…\n" in page
    assert "\nstend compare last~1 last\n" in page
    assert ".TP\n5\nwith --fail-on: something in B failed or is missing\n" in page


def test_groff_renders_them_in_80_columns_without_a_warning(folder: Path) -> None:
    groff = needs("groff", "groff-base")
    done = subprocess.run(
        [groff, "-man", "-Tutf8", "-Kutf8", "-ww", "-rLL=80n", "-P-cbou", *folder.iterdir()],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_mandoc_has_no_warning(folder: Path) -> None:
    mandoc = needs("mandoc", "mandoc")
    command = [mandoc, "-T", "lint", "-W", "warning", *folder.iterdir()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "")


def test_what_roff_would_take_for_a_request_or_a_sign_is_text() -> None:
    page = Manual("stend x", "'a'", "First.\n\n.so /etc/passwd\\n", {}, ("a ~ 'b' -c",), ("x(1)",))
    assert ".PP\n\\&.so /etc/passwd\\en\n" in page.roff()
    assert "\\fBa \\(ti \\(aqb\\(aq \\-c\\fR" in page.roff()


def test_the_date_is_the_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SOURCE_DATE_EPOCH", "86400")
    assert " 1970-01-02 " in PAGES["stend.1"].roff()


def test_one_commands_pages_are_written_alone(tmp_path: Path) -> None:
    man_pages.write(tmp_path, ["stend-gost"])
    assert {path.name for path in tmp_path.iterdir()} == {
        "stend-gost.1", "stend-gost-encrypt.1", "stend-gost-decrypt.1", "stend-gost-mac.1",
    }  # fmt: skip
