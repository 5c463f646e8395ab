"""docs/tomo.md and its pages don't lie: examples run, and every public name is on one."""

import re
from pathlib import Path
from typing import Any

import pytest

import stend_tomo as tomo
from stend_tomo.cli import run

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("name", ["tomo.md", "tomo-files.md"])
def test_the_examples_run_one_after_another(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    words = "phantom may-beetle -o beetle.h5 --columns 64 --rows 30:34 --noise 20000"
    run([*words.split(), "--offset", "-3.4"])
    namespace: dict[str, Any] = {}
    page = (DOCS / name).read_text("utf-8")
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, f"docs/{name}", "exec"), namespace)
    assert namespace


def test_every_name_is_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in DOCS.glob("tomo*.md"))
    for name in tomo.__all__:
        assert re.search(rf"\b{name}\b", pages), name
