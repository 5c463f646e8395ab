"""The stubs of the compiled modules: every function and property, and each parameter's name."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

MODULES = ["stend._native", "stend_tomo._tomo", "stend_unet._unet"]
"""Those that nanobind makes; the ciphers' module has a test of its own."""

Found = Iterator[tuple[str, tuple[str, ...] | None]]
"""What is there, by name: the parameters of a function's overload; None for a property."""


@pytest.mark.parametrize("name", MODULES)
def test_the_stub_says_what_the_module_has(name: str) -> None:
    module = import_module(name)
    path = Path(import_module(name.partition(".")[0]).__file__ or "")
    stub = ast.parse(path.with_name(name.rpartition(".")[2] + ".pyi").read_text("utf-8"))
    assert _by_name(_in_stub(stub.body)) == _by_name(_in_module(module))


def _by_name(found: Found) -> dict[str, set[tuple[str, ...] | None]]:
    kept = defaultdict(set)
    for name, parameters in found:
        kept[name].add(parameters)
    return kept


def _in_stub(body: list[ast.stmt], within: str = "") -> Found:
    for node in body:
        if isinstance(node, ast.ClassDef) and "Protocol" not in map(ast.unparse, node.bases):
            yield from _in_stub(node.body, f"{within}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            is_property = "property" in map(ast.unparse, node.decorator_list)
            takes = (*node.args.args, *node.args.kwonlyargs)
            parameters = tuple(a.arg for a in takes if a.arg != "self")
            yield within + node.name, None if is_property else parameters


def _in_module(thing: Any, within: str = "") -> Found:
    for name, value in vars(thing).items():
        if isinstance(value, ModuleType | type):
            yield from _in_module(value, f"{within}{name}.")
        elif isinstance(value, property):
            yield within + name, None
        elif signatures := getattr(value, "__nb_signature__", ()):
            for signature, *_ in signatures:
                yield within + name, _named(signature)


def _named(signature: str) -> tuple[str, ...]:
    """Parameters of nanobind's description, whose types are no Python: ndarray[shape=(*, *)]."""
    while (plain := re.sub(r"\[[^\[\]]*\]", "", signature)) != signature:
        signature = plain
    return tuple(re.findall(r"(\w+): ", signature))
