"""The page's style: texts can be read, series told apart by any eye, no rule is dead."""

import itertools
import re
from importlib.resources import files

import numpy as np
import pytest

from stend.comparing import Verdict

CSS = (files("stend.report") / "template" / "style.css").read_text("utf-8")
SCHEMES = {
    name: {variable: np.array([int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)])
           for variable, c in re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)}
    for name, block in zip(("light", "dark"), re.findall(r":root[^{]*\{([^}]*)\}", CSS)[:2],
                           strict=True)
}  # fmt: skip
SERIES = [f"s{i}" for i in range(8)]

# Machado, Oliveira, Fernandes 2009, severity 1, for linear RGB.
VISIONS = {
    "usual": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                   [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour):
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2.2's contrast ratio."""
    low, high = sorted(TO_XYZ[1] @ linear(c) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour, vision):
    """CIE L*a*b* as that vision has the colour."""
    xyz = TO_XYZ @ np.clip(vision @ linear(colour), 0, 1) / WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("text", "behind"),
    [*itertools.product(("ink", "soft", "quiet", "link", "better", "worse"), ("paper", "card")),
     ("better", "better-back"), ("worse", "worse-back")],
)  # fmt: skip
def test_every_text_can_be_read(scheme, text, behind):
    assert contrast(SCHEMES[scheme][text], SCHEMES[scheme][behind]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_series_stands_out_of_its_card(scheme):
    colours = SCHEMES[scheme]
    assert min(contrast(colours[name], colours["card"]) for name in SERIES) >= 3


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("vision", VISIONS)
def test_any_two_series_differ_for_every_colour_vision(scheme, vision):
    """By 15 of CIE 1976: 2.3 is what is just noticed, side by side on large fields."""
    seen = [lab(SCHEMES[scheme][name], VISIONS[vision]) for name in SERIES]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) >= 15


TEMPLATES = [p for p in (files("stend.report") / "template").iterdir() if p.name != "style.css"]
WRITTEN = " ".join(p.read_text("utf-8") for p in TEMPLATES)
MADE = {
    *SERIES, *(f"n{i}" for i in range(1, 5)), *(v.value.replace(" ", "-") for v in Verdict),
}  # fmt: skip
"""Classes that a template makes of a number or a verdict."""


def test_every_class_of_the_style_is_one_that_a_template_or_script_gives():
    rules = re.sub(r"/\*.*?\*/", "", CSS, flags=re.DOTALL)
    styled = set(re.findall(r"\.([a-z][\w-]*)", rules))
    given = re.findall(r'class(?:Name)?(?:=|: | = |List\.\w+\()"([^"]*)"', WRITTEN)
    words = {word for text in given for word in re.findall(r"[\w-]+", text)}
    assert styled - words - MADE == set()
