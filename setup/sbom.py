"""Writes dist/stend-VERSION.cdx.json: what a release holds and needs (CycloneDX 1.6, ECMA-424).

It lists the four distributions with the checksums of their files, the third-party code that is
compiled into the wheels or packed with them, and what pip installs with each. Its timestamp is the
time of the commit.
"""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from archives import DIST, ENGINES, ROOT
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement

PLOTLY = ROOT / "src" / "stend" / "report" / "plotly" / "plotly-cartesian.min.js"


def main(python: Path) -> None:
    """Write the bill of materials.

    Args:
        python: of an environment that the wheels were built in.
    """
    described = [read_project(ROOT / "engines" / name) for name in ENGINES] + [read_project(ROOT)]
    distributions = [distribution(project) for project in described]
    *engines, stend = distributions
    bom = Bom(components=engines)
    bom.metadata.component = stend
    bom.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    for project, component in zip(described, distributions, strict=True):
        parts = [needed(name) for name in project.get("dependencies", [])] + compiled_in(python)
        parts += [plotly()] if component is stend else []
        for part in parts:
            bom.components.add(part)
        bom.register_dependency(component, parts + (engines if component is stend else []))
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, " ".join(sums(packages("stend"))))
    out = DIST / f"stend-{stend.version}.cdx.json"
    out.write_text(JsonV1Dot6(bom).output_as_string(indent=1) + "\n", "utf-8")


def read_project(folder: Path) -> dict[str, Any]:
    """Read what a distribution's pyproject.toml says."""
    return tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]


def distribution(project: dict[str, Any]) -> Component:
    """Describe a distribution and its files in dist/."""
    name, version = project["name"], project["version"]
    files = packages(f"{name.replace('-', '_')}-")
    return Component(
        type=ComponentType.APPLICATION if name == "stend" else ComponentType.LIBRARY,
        name=name,
        version=version,
        bom_ref=f"{name}@{version}",
        description=project["description"],
        licenses=[DisjunctiveLicense(id=project["license"])],
        purl=PackageURL("pypi", name=name, version=version),
        external_references=[
            ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION,
                url=XsUri(file.name),
                hashes=[HashType(alg=HashAlgorithm.SHA_256, content=checksum)],
            )
            for file, checksum in zip(files, sums(files), strict=True)
        ],
    )


def packages(name: str) -> list[Path]:
    """Give the wheels and archives whose names begin so."""
    return [file for file in sorted(DIST.glob(f"{name}*")) if file.suffix in (".whl", ".gz")]


def sums(files: Iterable[Path]) -> list[str]:
    """Give the SHA-256 of each file."""
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


def needed(requirement: str) -> Component:
    """Describe what pip installs with a distribution; which version is not settled here."""
    asked = Requirement(requirement)
    return Component(
        name=asked.name,
        bom_ref=asked.name,
        purl=PackageURL("pypi", name=asked.name),
        description=f"installed with it: {requirement}",
    )


def compiled_in(python: Path) -> list[Component]:
    """Describe the third-party code in every compiled module."""
    words = [python, "-c", "import nanobind; print(nanobind.__version__)"]
    nanobind = subprocess.check_output(words, text=True).strip()
    clang = subprocess.check_output([python, "-m", "ziglang", "c++", "--version"], text=True)
    return [
        bundled("nanobind", nanobind, "BSD-3-Clause"),
        bundled("libc++", first(r"clang version (\S+)", clang), "Apache-2.0 WITH LLVM-exception"),
    ]


def plotly() -> Component:
    """Describe the script that draws a report's charts."""
    return bundled("plotly.js", first(r"plotly\.js .* v(\S+)", PLOTLY.read_text("utf-8")), "MIT")


def bundled(name: str, version: str, terms: str) -> Component:
    """Describe third-party code inside a wheel."""
    return Component(
        name=name,
        version=version,
        bom_ref=f"{name}@{version}",
        licenses=[LicenseExpression(terms) if " " in terms else DisjunctiveLicense(id=terms)],
    )


def first(pattern: str, text: str) -> str:
    """Give what the first group of a pattern matches."""
    found = re.search(pattern, text)
    if not found:
        sys.exit(
            f"setup/sbom.py: found no version: nothing matches {pattern!r}. Correct the pattern."
        )
    return found[1]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
