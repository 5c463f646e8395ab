"""Figures for programs (`--json`) and for people."""

import json
import math
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Annotated, Any

from stend_tomo.cli.arguments import Option

Json = Annotated[bool, Option("--json", help="Print JSON for programs to read.")]


def print_json(value: object) -> None:
    """Print what `--json` asks for, indented; what is no number is null."""
    print(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def size_of(path: Path) -> str:
    """Give ` (4.6 MB)`, or ` (870 kB)` of a small file; nothing of a pipe or a device."""
    if not path.is_file():
        return ""
    size = path.stat().st_size
    return f" ({size / 1e6:.1f} MB)" if size >= 1e6 else f" ({size / 1e3:.0f} kB)"
