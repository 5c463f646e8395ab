"""A manual page's parts → its source in roff, for groff and mandoc."""

import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version

Rows = list[tuple[str, str]]
"""Terms, such as `--pairs N`, with what they mean."""
ESCAPES = (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("~", "\\(ti"), ("^", "\\(ha"))
"""Of what is typed: roff makes typographic signs of the plain ones."""
OPTION = r"(?<![\w-])--?[a-z][a-z-]*"
TERM = rf"{OPTION}|<[^>]*>|[A-Z][A-Z0-9]*(?:\.\w+)?|[a-z][a-z-]*"


@dataclass(frozen=True)
class Manual:
    """One page. `words` are what is typed; `rows` are sections of terms, by their titles."""

    words: str
    usage: str
    about: str
    rows: dict[str, Rows]
    examples: tuple[str, ...]
    see_also: tuple[str, ...]
    section: str = "1"

    @property
    def file(self) -> str:
        """Its name in the folder of pages."""
        return f"{self.words.replace(' ', '-')}.{self.section}"

    def roff(self) -> str:
        """Give its source."""
        return "\n".join([*_opening(self), *_sections(self), ""])


def _opening(manual: Manual) -> Iterator[str]:
    name, product = manual.words.replace(" ", "-"), manual.words.partition(" ")[0]
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    day = time.strftime("%Y-%m-%d", time.gmtime(moment))
    source = f'"{product} {version(product)}" "User Commands"'
    summary, *rest = manual.about.split("\n\n")
    yield ".\\\" Made from the command's own help by docs/man_pages.py."
    yield f".TH {_typed(name.upper())} {manual.section} {day} {source}"
    yield ".nh\n.ad l"
    yield f".SH NAME\n{_typed(name)} \\- {_text(_lower(summary))}"
    yield f".SH SYNOPSIS\n\\fB{_typed(manual.words)}\\fR {_term(manual.usage)}"
    yield ".SH DESCRIPTION\n" + "\n.PP\n".join(_text(paragraph) for paragraph in (summary, *rest))


def _sections(manual: Manual) -> Iterator[str]:
    for title, rows in manual.rows.items():
        if rows:
            yield f".SH {title}"
            yield from (f".TP\n{_term(term)}\n{_text(about)}" for term, about in rows)
    if manual.examples:
        examples = (f"\\fB{_typed(example.strip())}\\fR" for example in manual.examples)
        yield ".SH EXAMPLES\n" + "\n.PP\n".join(examples)
    pages = (re.fullmatch(r"(.*)\((.*)\)", page) for page in manual.see_also)
    yield ".SH SEE ALSO\n" + ",\n".join(f".BR {_typed(p[1])} ({p[2]})" for p in pages if p)


def _text(text: str) -> str:
    """Prose; options and what stands between backticks are bold."""
    parts = " ".join(text.split()).split("`")
    parts[1::2] = [f"\\fB{_typed(code)}\\fR" for code in parts[1::2]]
    parts[::2] = [re.sub(OPTION, _bold, _plain(part)) for part in parts[::2]]
    return _no_request("".join(parts))


def _term(term: str) -> str:
    """A term; options, choices and exit codes are bold, values italic."""
    return _no_request(re.sub(rf"{TERM}|^\d+$", _styled, _plain(term)))


def _styled(found: re.Match[str]) -> str:
    word = found[0]
    if word.startswith("<"):
        return re.sub(r"[\w-]+", _bold, word)
    return f"\\fI{_typed(word)}\\fR" if word[0].isupper() else _bold(found)


def _bold(found: re.Match[str]) -> str:
    return f"\\fB{_typed(found[0])}\\fR"


def _plain(text: str) -> str:
    return text.replace("\\", "\\e")


def _typed(text: str) -> str:
    for sign, escape in ESCAPES:
        text = text.replace(sign, escape)
    return text


def _no_request(line: str) -> str:
    return f"\\&{line}" if line.startswith((".", "'")) else line


def _lower(sentence: str) -> str:
    """As `man -k` lists it: without capital and full stop."""
    sentence = sentence.rstrip(".")
    return (
        sentence[:1].lower() + sentence[1:] if re.match(r"[A-Z]([a-z]| )", sentence) else sentence
    )
