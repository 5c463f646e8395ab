"""The charting library in the package: what its authors published, and what the page needs."""

import hashlib
import re
from importlib.resources import files

from stend.report.frame import _plotly

FOLDER = files("stend.report") / "plotly"


def test_the_library_and_its_licence_are_as_they_were_fetched():
    sums = dict(
        reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text("utf-8").splitlines()
    )
    assert set(sums) == {"plotly-cartesian.min.js", "LICENSE"}
    for name, checksum in sums.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == checksum
    assert "MIT License" in (FOLDER / "LICENSE").read_text("utf-8")


def test_the_page_has_the_whole_library_and_nothing_that_ends_its_script():
    library = _plotly()
    assert re.match(r"/\*\*\n\* plotly\.js \(cartesian - minified\) v\d", library)
    assert "</script" not in library.lower()
    assert "<!--" not in library
