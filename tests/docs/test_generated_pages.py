"""The pages that are made from the sources hold what those give today, and they say enough."""

import contextlib
import platform
import re

import pytest
from msgspec.structs import replace

import commands_page
import folder_tables
import generate
import server_api_page
from made import benchmark
from stend.benchmarks import pages
from stend.benchmarks.definition import About
from stend.benchmarks.parameters import whole
from stend.benchmarks.registry import load
from stend.cli import GROUPS, VERBS, app
from stend.record import Cache

OURS = [b for b in load()[0].values() if b.module.startswith("stend.benchmarks.")]
SMALL = replace(
    pages.EXAMPLE,
    packages=1,
    usable=(0, 1),
    caches=tuple(
        Cache(level=n, kind="data", bytes=n << 18, line_bytes=64, ways=8, shared_by=1, count=1)
        for n in (1, 2)
    ),
    numa=pages.EXAMPLE.numa[:1],
    memory_available=1 << 30,
    clocks=(),
)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the pages list x86-64's variants")
def test_the_pages_are_what_the_definitions_give_today():
    there = {file.name: file.read_text("utf-8") for file in generate.FOLDER.glob("*.md")}
    wanted = generate.documents()
    assert sorted(there) == sorted(wanted)
    stale = [name for name in wanted if there[name] != wanted[name]]
    assert stale == [], "run `make docs`"


def test_the_page_of_commands_is_what_the_verbs_say_today():
    there = (generate.DOCS / "commands.md").read_text("utf-8")
    assert there == commands_page.text(), "run `make docs`"


def test_the_page_of_the_servers_api_is_what_the_operations_say_today():
    there = (generate.DOCS / "server-api.md").read_text("utf-8")
    assert there == server_api_page.text(), "run `make docs`"


def test_each_large_folder_has_a_table_of_its_files_that_is_true_today():
    wanted = folder_tables.tables()
    stale = [path for path, text in wanted.items() if _read(path) != text]
    assert stale == [], "run `make docs`"
    assert len(wanted) > 10
    there = [path for package in folder_tables.PACKAGES for path in _readmes(package)]
    assert [path for path in there if path not in wanted] == []


def _read(path):
    return path.read_text("utf-8") if path.exists() else ""


def _readmes(package):
    made = "`make docs` writes this table"
    return [p for p in (folder_tables.ROOT / package).rglob("README.md") if made in _read(p)]


@pytest.mark.parametrize(
    "verb", [*VERBS, *(f"{group} {verb}" for group, (_, verbs) in GROUPS.items() for verb in verbs)]
)
def test_the_page_of_commands_has_every_option_that_help_shows(verb, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with contextlib.suppress(SystemExit):
        app([*verb.split(), "--help"], standalone_mode=False)
    options = set(
        re.findall(
            r"^(?:│ +(?:\* +)?|  (?:-\w(?: [A-Z]+)?, )?)(--[a-z-]+)", capsys.readouterr().out, re.M
        )
    ) - {"--help"}
    section = commands_page.text().partition(f"## stend {verb}\n")[2].partition("\n#")[0]
    assert options == set(re.findall(r"^\| `(--[a-z-]+)", section, re.M))


def test_every_family_is_in_the_index():
    assert {b.name.partition(".")[0] for b in OURS} == set(generate.FAMILIES)


@pytest.mark.parametrize("one", OURS, ids=lambda b: b.name)
def test_a_definition_says_how_it_is_proved_what_bounds_it_and_how_to_read_it(one):
    assert one.about.proof
    assert one.about.bound
    assert one.about.reading
    assert one.make.__doc__
    assert one.about.rooms


@pytest.mark.parametrize("one", OURS, ids=lambda b: b.name)
def test_a_default_that_follows_the_machine_says_what_of_it(one):
    silent = [
        name
        for name, parameter in one.parameters.items()
        for size in ("quick", "full")
        if not parameter.depends
        and parameter.defaults(pages.EXAMPLE, size) != parameter.defaults(SMALL, size)
    ]
    assert silent == []


def test_a_page_tells_a_parameters_meaning_its_values_and_what_they_follow():
    threads = whole("how many work", lambda m, s: (1, len(m.usable)), most=64, depends="the CPUs")
    page = pages.page(benchmark(module="made", parameters={"threads": threads}))
    assert (
        "- `--set threads=…`: how many work. Accepts a whole number from 1 to 64. "
        "Quick and full: `1`, `16`. They follow the CPUs."
    ) in page


def test_a_page_of_a_definition_that_says_little_has_no_empty_section():
    page = pages.page(benchmark(module="made"))
    titles = [line for line in page.splitlines() if line.startswith("## ")]
    assert titles == ["## What is measured", "## To run it"]


def test_a_page_names_what_has_to_be_installed():
    page = pages.page(benchmark(module="made", about=About(installs={"fio": "apt install fio"})))
    assert "## What it needs\n\n- fio: `apt install fio`\n" in page


def test_list_prints_the_page_of_one_benchmark(capsys):
    app(["list", "threads.barrier"], standalone_mode=False)
    shown = capsys.readouterr().out
    assert shown.startswith("threads.barrier\n")
    assert "How it is proved" in shown
    assert "threads that meet" in shown
