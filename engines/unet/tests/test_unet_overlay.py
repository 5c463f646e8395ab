"""The picture of what was found: grey where nothing was, colour elsewhere, a legend below."""

import numpy as np
import pytest

import stend_unet as unet
from stend_unet.picture import COLOURS, LEAST_SHOWN

CLASSES = ("background", "grain", "pore")
VALUES = np.linspace(0, 1, 64 * 64).reshape(64, 64).astype(np.float32)
LABELS = np.zeros((64, 64), np.uint8)
LABELS[10:20, 10:20] = 1
LABELS[40:50, 30:60] = 2
LARGER = LEAST_SHOWN // 64


def colours_in(picture):
    return {tuple(int(part) for part in colour) for colour in picture.reshape(-1, 3)}


def test_what_was_not_found_stays_grey_from_black_to_white():
    picture = unet.overlay(VALUES, LABELS, CLASSES)[:LEAST_SHOWN]
    outside = picture[np.kron(LABELS, np.ones((LARGER, LARGER))) == 0]
    assert (outside == outside[:, :1]).all()
    assert (outside.min(), outside.max()) == (0, 255)


def test_classes_have_outlines_of_their_colours_and_a_tint():
    picture = unet.overlay(VALUES, LABELS, CLASSES)[:LEAST_SHOWN]
    for box, colour in (((10, 20, 10, 20), COLOURS[0]), ((40, 50, 30, 60), COLOURS[1])):
        top, bottom, left, right = (LARGER * side for side in box)
        assert tuple(picture[top, left]) == colour
        assert tuple(picture[bottom - 1, right - 1]) == colour
        inside = picture[(top + bottom) // 2, (left + right) // 2]
        assert tuple(inside) != colour
        assert len(set(inside.tolist())) > 1


def test_the_legend_has_the_colours_of_the_classes():
    legend = unet.overlay(VALUES, LABELS, CLASSES, pixel=0.01, unit="1/mm")[LEAST_SHOWN:]
    assert set(COLOURS[:2]) <= colours_in(legend)
    assert COLOURS[2] not in colours_in(legend)


def bar(picture, rows):
    """How long the white bar of the legend is, in the picture's pixels."""
    white = (picture[rows:] == 255).all(axis=2)
    return max(len(run) for line in white for run in "".join("01"[int(x)] for x in line).split("0"))


def test_the_bar_is_as_long_as_it_says():
    assert bar(unet.overlay(VALUES, LABELS, CLASSES), LEAST_SHOWN) == 10 * LARGER  # 10 pixels
    found = unet.overlay(VALUES, LABELS, CLASSES, pixel=0.02)
    assert bar(found, LEAST_SHOWN) == 10 * LARGER  # 0.2 mm


@pytest.mark.parametrize("shape", [(1, 1), (1, 700), (700, 1), (3, 5), (700, 600)])
def test_slices_of_any_shape_have_a_picture(shape):
    picture = unet.overlay(np.ones(shape), np.zeros(shape, int), CLASSES)
    assert picture.dtype == np.uint8
    assert picture.shape[1] >= LEAST_SHOWN
    assert picture.shape[0] > shape[0]
    assert picture.size < 5e6


@pytest.mark.parametrize(
    ("values", "labels", "said"),
    [
        (VALUES, LABELS[1:], "labels of the same shape"),
        (VALUES[None], LABELS[None], "needs one slice"),
        (VALUES, LABELS + 1, "from 0 to 2"),
        (VALUES, LABELS * 0.5, "whole numbers"),
        (VALUES * np.nan, LABELS, "value nan"),
    ],
)
def test_what_is_no_slice_with_labels_is_a_sentence(values, labels, said):
    with pytest.raises(unet.BadImages, match=said):
        unet.overlay(values, labels, CLASSES)


@pytest.mark.parametrize("pixel", [-1.0, 0.0, float("nan"), float("inf"), 1e308])
def test_a_pixel_of_no_size_is_a_sentence(pixel):
    with pytest.raises(unet.BadOption, match="give one from 1e-30 to 1e\\+30, or none"):
        unet.overlay(VALUES, LABELS, CLASSES, pixel=pixel)


def test_values_from_end_to_end_of_float32_have_the_greys_of_others():
    wide = ((VALUES - 0.5) * np.float32(6.6e38 / 2) * 2).astype(np.float32)
    with np.errstate(all="raise"):
        picture = unet.overlay(wide, LABELS, CLASSES)[:LEAST_SHOWN]
    close = picture.astype(int) - unet.overlay(VALUES, LABELS, CLASSES)[:LEAST_SHOWN]
    assert np.abs(close).max() <= 1
