"""The published examples in vectors/, each as a dictionary of what its lines say."""

from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"
WORDS = {"source", "does", "cipher"}
NUMBERS = {"section", "master_section", "zeros"}

Vector = dict[str, Any]


def value(name: str, said: str) -> str | int | bytes:
    if name in WORDS:
        return said
    return int(said) if name in NUMBERS else bytes.fromhex(said)


def read(text: str) -> list[Vector]:
    examples: list[Vector] = []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, said = line.partition(" =")
        if name == "source":
            examples.append({})
        examples[-1][name] = value(name, said.strip())
    return examples


def vectors() -> list[Vector]:
    return [v for path in sorted(FOLDER.glob("*.txt")) for v in read(path.read_text("utf-8"))]


def plain(vector: Vector) -> bytes:
    """The message, which may be so many zeros."""
    return vector["plain"] if "plain" in vector else bytes(vector["zeros"])
