"""docs/tomo.md doesn't lie: its examples run, and every public name is on a page."""

import re
from pathlib import Path
from typing import Any

from stend import tomo

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "tomo.md").read_text("utf-8")


def test_the_examples_run_one_after_another() -> None:
    namespace: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "docs/tomo.md", "exec"), namespace)
    assert "monitored" in namespace


def test_every_name_is_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in DOCS.glob("tomo*.md"))
    for name in tomo.__all__:
        assert re.search(rf"\b{name}\b", pages), name
