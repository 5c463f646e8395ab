"""The documents → their fenced blocks, and the command lines in them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    document
    for folder in (
        ".",
        "docs",
        "docs/benchmarks",
        "native",
        "native/*",
        "peers",
        "peers/*",
        "engines/*",
        "engines/*/*",
        "engines/*/native/*",
    )
    for document in ROOT.glob(f"{folder}/*.md")
)


@dataclass(frozen=True)
class Block:
    """One fenced block: where it begins, what it is written in, what is in it."""

    document: str
    line: int
    language: str
    text: str


def blocks(document: Path) -> Iterator[Block]:
    """All fenced blocks, in order."""
    text = document.read_text("utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, found.start()) + 2
        yield Block(str(document.relative_to(ROOT)), line, found[1], found[2])


def commands(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each command of a shell block, and how many lines below its beginning it stands."""
    held = ""
    for number, line in enumerate(text.splitlines()):
        held += line
        if held.endswith("\\"):
            held = held[:-1]
            continue
        for words in _split(held):
            yield number, words
        held = ""


def _split(line: str) -> Iterator[list[str]]:
    """Commands between |, && and ;, without comments, redirections and what is set before."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split, lexer.commenters = True, "#"
    command: list[str] = []
    words = iter([*lexer, ";"])
    for word in words:
        if word in ("|", "&&", ";", "||"):
            if command:
                yield command
            command = []
        elif word in ("<", ">", ">>"):
            next(words)
        elif command or not re.match(r"[A-Z_]+=", word):
            command.append(word)


def inline(document: Path) -> Iterator[tuple[int, list[str]]]:
    """Whole commands of stend between backticks in the running text."""
    text = re.sub(r"^```.*?^```", _blank, document.read_text("utf-8"), flags=re.M | re.S)
    for found in re.finditer(r"`(stend(?:-gost)? [^`]*)`", text):
        if "…" not in found[1]:
            line = text.count("\n", 0, found.start()) + 1
            split = _split(found[1].replace("\n", " "))
            yield from ((line, words) for words in split if words[0].startswith("stend"))


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def slugs(text: str) -> set[str]:
    """What stands behind # in a link to each heading, as GitHub makes it; the second is name-1."""
    seen: dict[str, int] = {}
    found = set()
    plain = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for heading in re.findall(r"^#+ +(.*?) *$", plain, re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if slug in seen else slug)
        seen[slug] = seen.get(slug, 0) + 1
    return found
