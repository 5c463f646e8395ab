"""What documents have from the sources: docs/benchmarks, commands, API, folders, examples.

`make docs` writes them; tests/docs/test_generated_pages.py holds them to be what
the sources give today, on x86-64, whose variants they list.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import commands_page
import examples
import folder_tables
import server_api_page
from stend.benchmarks.definition import Benchmark
from stend.benchmarks.pages import page
from stend.benchmarks.registry import load

DOCS = Path(__file__).parent
FOLDER = DOCS / "benchmarks"

FAMILIES = {
    "peak": "what the processor can do at all, and the frequency that leaves",
    "linpack": "systems of linear equations, by every BLAS that is found",
    "fft": "Fourier transforms, by every library that is found",
    "noise": "what the operating system and the hypervisor take of a core",
    "memory": "latency and bandwidth by how much memory is in use",
    "stream": "sustained bandwidth of memory",
    "numa": "what memory of another node costs",
    "cores": "from one CPU to another",
    "threads": "what making, waking and synchronising threads costs",
    "mpi": "messages between ranks",
    "storage": "what fio gets out of a file",
    "gost": "the ciphers Kuznyechik and Magma",
    "tomo": "slices from X-ray projections",
    "unet": "inference of a U-Net",
    "clock": "resolution and cost of the clocks used",
}
"""Every family, in the index's order."""


def documents() -> dict[str, str]:
    """What the folder has to hold: names of files → their text."""
    known, _ = load()
    ours = {name: b for name, b in known.items() if b.module.startswith("stend.benchmarks.")}
    pages = {f"{name}.md": _document(benchmark, ours) for name, benchmark in ours.items()}
    return {"README.md": _index(ours), **pages}


def _document(benchmark: Benchmark, known: Mapping[str, Benchmark]) -> str:
    return f"# {benchmark.name}\n\n{_linked(page(benchmark), known)}\n{_more(benchmark)}"


def _linked(text: str, known: Mapping[str, Benchmark]) -> str:
    """Names of documents and of other benchmarks lead to them."""
    text = re.sub(r"\bnative/(?:\w+/)+README\.md", r"[\g<0>](../../\g<0>)", text)
    return re.sub(
        r"`([a-z]+\.[a-z0-9_.]+)`",
        lambda found: f"[{found[0]}]({found[1]}.md)" if found[1] in known else found[0],
        text,
    )


def _more(benchmark: Benchmark) -> str:
    lines = [f"- {link}" for link in _links(benchmark)]
    return "\n".join(["## More", "", *lines, ""])


def _links(benchmark: Benchmark) -> Iterator[str]:
    for room in benchmark.about.rooms:
        where = room if room.endswith(".md") else f"{room}/README.md"
        yield f"[{where}](../../{where}): how it is done, and what bounds it, with figures"
    yield "[METHODOLOGY.md](../../METHODOLOGY.md): how samples are taken and compared"
    source = benchmark.module.replace(".", "/")
    path = f"src/{source}.py"
    if not (FOLDER.parents[1] / path).exists():
        path = f"src/{source}/__init__.py"
    yield f"[{path}](../../{path}): its definition, from which this page is made"
    yield "[all benchmarks](README.md)"


def _index(known: Mapping[str, Benchmark]) -> str:
    lines = [
        "# The benchmarks",
        "",
        "What each answers. Its page says what is measured, how it is proved, what bounds it and",
        "how to read it; `stend list NAME` prints the same page, with what this machine lacks.",
    ]
    for family, about in FAMILIES.items():
        members = [b for name, b in known.items() if name.partition(".")[0] == family]
        lines += ["", f"## {family}: {about}", "", "| benchmark | question |", "| --- | --- |"]
        lines += [f"| [{b.name}]({b.name}.md) | {b.question} |" for b in members]
    return "\n".join([*lines, ""])


def write() -> None:
    """Make the folder hold these documents and no other."""
    FOLDER.mkdir(exist_ok=True)
    wanted = documents()
    for there in FOLDER.glob("*.md"):
        if there.name not in wanted:
            there.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    (DOCS / "commands.md").write_text(commands_page.text(), encoding="utf-8")
    (DOCS / "server-api.md").write_text(server_api_page.text(), encoding="utf-8")
    for path, table in folder_tables.tables().items():
        path.write_text(table, encoding="utf-8")
    tutorial = DOCS / "tutorial.md"
    tutorial.write_text(examples.renewed(tutorial.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write()
