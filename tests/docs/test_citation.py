"""CITATION.cff and SECURITY.md agree with the project they are of."""

import re
import tomllib

from documents import ROOT

CITATION = (ROOT / "CITATION.cff").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def field(name: str) -> str:
    (value,) = re.findall(rf"^{name}: (.*)$", CITATION, re.M)
    return value


def test_the_version_and_the_licence_are_the_projects() -> None:
    assert field("version") == PROJECT["version"]
    assert field("license") == PROJECT["license"]


def test_every_distribution_has_the_security_policy() -> None:
    policy = (ROOT / "SECURITY.md").read_text("utf-8")
    projects = [ROOT / "pyproject.toml", *ROOT.glob("engines/*/pyproject.toml")]
    names = {tomllib.loads(path.read_text("utf-8"))["project"]["name"] for path in projects}
    assert names == set(re.findall(r"`(stend(?:-\w+)?)`", policy))
