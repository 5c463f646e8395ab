"""What can't be is one sentence, which names the value seen, and nothing is computed."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stend_tomo as tomo
from blobs import each_algorithm, half_turn, volume
from stend_tomo.errors import TomoError
from stend_tomo.memory import bytes_of, least_cap, rows_that_fit, usable
from stend_tomo.reading.frames import Chosen, Held

ANGLES = half_turn(12)
PROJECTIONS = volume(3, ANGLES, 16)


def refused(projections: Any = PROJECTIONS, angles: Any = ANGLES, **options: Any) -> str:
    """The sentence that this is refused with."""
    with pytest.raises(tomo.TomoError) as raised:
        tomo.reconstruct(projections, angles, **{"algorithm": "fbp", **options})
    assert isinstance(raised.value, TomoError)
    assert isinstance(raised.value, ValueError)
    return str(raised.value)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [(0, 0, 0), (11, 2, 15), (7, 1, 3)])
def test_a_value_that_is_no_number_is_named(value: float, at: tuple[int, int, int]) -> None:
    spoilt = PROJECTIONS.copy()
    spoilt[at] = value
    spoilt[11, 2, 15] = value
    angle, row, column = at
    assert f"projections[{angle}, {row}, {column}] is {value}" in refused(spoilt)
    turned = spoilt.transpose(1, 0, 2)
    assert f"projections[{row}, {angle}, {column}]" in refused(turned, sinogram_order=True)


@each_algorithm
@pytest.mark.parametrize("center", [None, 3.0, -4.0])
def test_every_variant_of_every_algorithm_finds_it(algorithm: str, center: float | None) -> None:
    for variant in tomo.variants(algorithm):
        made = tomo.Reconstructor(
            16, ANGLES, algorithm=algorithm, variant=variant, center=center, size=21
        )
        for at in [(0, 0, 0), (0, 2, 15), (5, 1, 7), (11, 0, 4), (11, 2, 15)]:
            for value in (np.nan, np.inf):
                spoilt = PROJECTIONS.copy()
                spoilt[at] = value
                with pytest.raises(tomo.BadProjections, match=f"{at[0]}, {at[1]}, {at[2]}"):
                    made(spoilt)


@pytest.mark.parametrize(
    ("size", "zoom", "center"), [(16, 0.04, None), (17, 0.04, None), (16, 1.0, 0.0), (2, 0.1, 15.0)]
)
def test_pixels_far_from_the_axis_hide_none(size: int, zoom: float, center: float | None) -> None:
    """An even slice has no pixel at its middle; those around it may be off the detector."""
    made = tomo.Reconstructor(16, ANGLES, algorithm="fbp", size=size, zoom=zoom, center=center)
    for angle in range(12):
        spoilt = PROJECTIONS.copy()
        spoilt[angle, 2, 3] = np.nan
        with pytest.raises(tomo.BadProjections, match=rf"projections\[{angle}, 2, 3\] is nan"):
            made(spoilt)


def test_a_value_too_large_for_float32_is_named() -> None:
    with np.errstate(over="ignore"):
        assert "projections[0, 0, 2] is inf" in refused(
            PROJECTIONS.astype(np.float64) + 1e300 * (np.arange(16) == 2)
        )


def test_the_largest_finite_values_are_numbers() -> None:
    largest = np.zeros_like(PROJECTIONS)
    largest[0, 0, 0] = np.finfo(np.float32).max
    largest[0, 0, 1] = -np.finfo(np.float32).tiny
    assert tomo.reconstruct(largest, ANGLES, algorithm="fbp").shape == (3, 16, 16)


@each_algorithm
def test_what_float32_cannot_add_up_is_refused(algorithm: str) -> None:
    large = np.full_like(PROJECTIONS, 3e38)
    if algorithm.startswith("hfbp"):  # adds up integers
        assert np.isfinite(tomo.reconstruct(large, ANGLES, algorithm=algorithm)).all()
        return
    with pytest.raises(tomo.BadProjections, match="too large for float32"):
        tomo.reconstruct(large, ANGLES, algorithm=algorithm)


def test_what_no_piece_can_add_up_in_float32_is_refused() -> None:
    signs = np.random.default_rng(0).choice([-1, 1], (12, 3, 16)).astype(np.float32)
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    lengths = {"source_to_axis": 100.0, "source_to_detector": 150.0, "pitch": 1.0}
    cone, fan = tomo.ConeBeam(**lengths), tomo.FanBeam(**lengths, center=7.2)
    pairs = np.broadcast_to(np.tile(np.float32([-1, 1, 1, -1]), 4), signs.shape)  # cubics overshoot
    whole = np.full_like(signs, 3e38)
    for piece in (
        lambda: tomo.backproject(whole, ANGLES),
        lambda: tomo.filter(3e38 * signs),
        lambda: tomo.rebin_fan(3.4e38 * pairs, turn, fan),
        lambda: tomo.fdk(whole, turn, cone),
        lambda: tomo.backproject(signs, ANGLES, pixel=1e37, zoom=1e-2),
        lambda: tomo.reconstruct(1e20 * PROJECTIONS, ANGLES, pixel=1e-20),
    ):
        with pytest.raises(tomo.BadProjections, match="too large for float32"):
            piece()
    with pytest.raises(tomo.BadSlices, match="too large for float32"):
        tomo.project(np.full((3, 16, 16), 3e38), ANGLES)


def test_a_sum_beyond_float32_far_from_the_middle_is_refused() -> None:
    projections = np.zeros((2, 1, 33), np.float32)
    for projection, column in ((0, 24), (1, 16)):  # the ramp's signs, about the pixel x = 8, y = 0
        projections[projection, 0, column + np.array([-3, -1, 0, 1, 3])] = [-1, -1, 1, -1, -1]
    quarter = np.array([0, np.pi / 2])
    slices = tomo.reconstruct(projections, quarter, algorithm="fbp")[0]
    most = np.finfo(np.float32).max / 3e38
    assert slices[16, 24] > most > np.abs(slices[16, 16])
    with pytest.raises(tomo.BadProjections, match="too large for float32"):
        tomo.reconstruct(3e38 * projections, quarter, algorithm="fbp")


def test_large_numbers_whose_sums_are_finite_are_filtered_and_rebinned_alike() -> None:
    plain = tomo.filter(PROJECTIONS)
    np.testing.assert_allclose(tomo.filter(1e33 * PROJECTIONS), 1e33 * plain, rtol=1e-4, atol=1e28)


@pytest.mark.filterwarnings("ignore:overflow")
def test_iterations_beyond_float32_are_refused() -> None:
    with pytest.raises(tomo.BadProjections, match="too large for float32"):
        tomo.cgls(np.full_like(PROJECTIONS, 1e38), ANGLES, iterations=2)
    with pytest.raises(tomo.BadProjections, match="too large for float32"):
        tomo.sirt(PROJECTIONS, ANGLES, iterations=2, start=np.full((3, 16, 16), 1e38))


@pytest.mark.parametrize("pixel", [1e-40, 1e-320, 1e40])
def test_a_pixel_that_float32_does_not_hold_is_refused(pixel: float) -> None:
    assert "it must be 1e-37 to 1e+37" in refused(pixel=pixel)


@pytest.mark.parametrize(
    ("projections", "said"),
    [
        (PROJECTIONS[0], r"shape (3, 16); a single sinogram is sinogram[None]"),
        (PROJECTIONS[:, :0], "no data in projections of shape (12, 0, 16)"),
        (PROJECTIONS[:, :, :0], "no data in projections of shape (12, 3, 0)"),
        (PROJECTIONS.astype(complex), "not complex64"),
        (PROJECTIONS > 0, "not bool"),
        (PROJECTIONS.astype(str), "not <U"),
        ([[[1.0], [1.0, 2.0]]], "are not an array"),
        (np.ma.masked_greater(PROJECTIONS, 0.1), "Some of the projections are masked; fill them"),
        (Chosen.all(Held(PROJECTIONS)), "give an array of them, projections.rows(first, last)"),
    ],
)
def test_projections_that_are_none(projections: Any, said: str) -> None:
    if isinstance(projections, np.ndarray) and projections.dtype == complex:
        said = "not complex128"
    assert said in refused(projections)


@pytest.mark.parametrize(
    ("angles", "said"),
    [
        (ANGLES[:5], "There are 5 angles for 12 projections"),
        ([], "one number per projection"),
        (ANGLES[None], "one number per projection, not of shape (1, 12)"),
        (np.degrees(ANGLES), "If they are degrees, give numpy.radians(angles)"),
        (np.where(ANGLES > 1, np.nan, ANGLES), "Angle 4 is nan"),
        (["a"] * 12, "Angles must be numbers, in radians"),
        ([10**400] * 12, "Angles must be numbers, in radians: int too large"),
        (ANGLES + 1j, "in radians, not complex128"),
        (ANGLES > 1, "in radians, not bool"),
        (np.arange(12).astype("datetime64[s]"), "in radians, not datetime64[s]"),
        (np.ma.masked_greater(ANGLES, 1), "Some angles are masked"),
    ],
)
def test_angles_that_are_none(angles: Any, said: str) -> None:
    assert said in refused(angles=angles)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"algorithm": "magic"}, 'no algorithm "magic"; there are dfr, dfr_half, fbp'),
        ({"algorithm": "fdk"}, '"fdk" has a function of its own, stend_tomo.fdk'),
        ({"algorithm": "sirt", "filter": "hann"}, '"sirt" filters nothing; leave filter out'),
        (
            {"algorithm": "cgls", "cutoff": 0.5, "taper": 0.1},
            '"cgls" filters nothing; leave cutoff and taper out',
        ),
        (
            {"iterations": 5},
            '"fbp" does not iterate; leave iterations out, or choose sirt or cgls',
        ),
        ({"non_negative": True}, "leave non_negative out"),
        ({"algorithm": "sirt", "iterations": 0}, "The number of iterations is 0"),
        ({"algorithm": "sirt", "variant": "vnni"}, 'no variant "vnni"; there are reference'),
        ({"filter": "ramp"}, 'no filter "ramp"; there are ram-lak'),
        ({"variant": 5}, 'no variant "5"; there are reference'),
        ({"variant": "magic"}, 'no variant "magic"; there are reference'),
        ({"cutoff": 0}, "The filter's cutoff is 0"),
        ({"cutoff": 1.5}, "must be at most 1"),
        ({"center": np.nan}, "The center is nan"),
        ({"center": "middle"}, "The center is a number, not 'middle'"),
        ({"center": 1e6}, "columns outside of a detector of 16; it sees nothing of the slice"),
        ({"center": -12}, "The center is -12, 12 columns outside of a detector of 16"),
        ({"center": -12, "size": 16, "zoom": 2.0}, "which reaches 5.65685 from the axis"),
        ({"center": 40, "size": 64}, "more than a detector's width away"),
        ({"size": 0}, "The size of a slice is 0"),
        ({"size": 1.5}, "whole number, not float"),
        ({"zoom": -1}, "The zoom is -1; it must be above 0"),
        ({"pixel": 0}, "The size of a pixel is 0"),
        ({"pixel": 10**5000}, "The size of a pixel has too many digits"),
        ({"size": -(10**5000)}, "The size of a slice is -1e+20 or more"),
        ({"taper": -0.1}, "The taper is -0.1"),
        ({"taper": 9}, "ends of more than half a turn, and there are "),
        ({"threads": 0}, "The number of threads is 0"),
        ({"threads": 10**6}, "must be 1 to 4096"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], said: str) -> None:
    assert said in refused(**options)


class Promising:
    """Tells a shape and a type, and gives something else."""

    shape, dtype = PROJECTIONS.shape, PROJECTIONS.dtype

    def __init__(self, gives: Any) -> None:
        self._gives = gives

    def __getitem__(self, key: Any) -> Any:
        return self._gives[key]


@pytest.mark.parametrize(
    ("gives", "said"),
    [
        (PROJECTIONS[:, :, :9], "of shape (12, 3, 9), not as real numbers of shape (12, 3, 16)"),
        (PROJECTIONS.astype(np.complex128), "came as complex128"),
        (np.ma.masked_greater(PROJECTIONS, 0.1), "are masked"),
    ],
)
def test_what_is_read_is_looked_at_again(gives: Any, said: str) -> None:
    assert said in refused(Promising(gives))


def test_a_type_told_in_another_way_is_read_as_an_array() -> None:
    class Tensor(Promising):
        dtype: Any = "float32"
        __array__ = lambda self, *_, **__: PROJECTIONS  # noqa: E731

    found = tomo.reconstruct(Tensor(PROJECTIONS), ANGLES, algorithm="fbp")
    assert np.array_equal(found, tomo.reconstruct(PROJECTIONS, ANGLES, algorithm="fbp"))


def test_an_array_that_is_read_may_reconstruct_with_the_same_reconstructor() -> None:
    made = tomo.Reconstructor(16, ANGLES, algorithm="fbp")

    class Nested(Promising):
        def __getitem__(self, key: Any) -> Any:
            return PROJECTIONS[key] + 0 * made(PROJECTIONS)[0, 0, 0]

    nested: Any = Nested(PROJECTIONS)
    assert np.array_equal(made(nested), made(PROJECTIONS))


def test_variants_of_what_there_is_not() -> None:
    with pytest.raises(tomo.BadOption, match='no algorithm "magic"; there are dfr'):
        tomo.variants("magic")


def test_a_result_that_cannot_be_taken() -> None:
    assert "shape (3, 16, 16), not to float32 of" in refused(out=np.zeros((3, 16, 15), np.float32))
    assert "not to float64" in refused(out=np.zeros((3, 16, 16)))
    assert "rows contiguous" in refused(out=np.zeros((3, 16, 32), np.float32)[:, :, ::2])
    square = volume(16, half_turn(16), 16)
    assert "overlaps" in refused(square, half_turn(16), out=square)


def test_a_result_that_wrapped_projections_lie_in_is_refused() -> None:
    room = PROJECTIONS.copy()
    wrapped: Any = Promising(room)
    with pytest.raises(tomo.BadBuffer, match="overlaps the projections"):
        tomo.filter(wrapped, out=room)


def test_a_result_whose_slices_lie_on_each_other_is_refused() -> None:
    room = np.zeros((16, 16), np.float32)
    on_each_other = np.lib.stride_tricks.as_strided(room, (3, 16, 16), (0, 64, 4))
    for take in (tomo.reconstruct, tomo.backproject):
        with pytest.raises(tomo.BadBuffer):
            take(PROJECTIONS, ANGLES, out=on_each_other)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="limits of Linux")
def test_a_system_without_threads_is_one_sentence() -> None:
    asked = """
import resource
import numpy as np
import stend_tomo as tomo
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + (1 << 27), held + (1 << 27)))
try:
    tomo.filter(np.zeros((64, 64, 9)), threads=64)
except tomo.BadOption as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=False
    )
    assert "The system made no more threads" in done.stdout, done.stderr


def test_preparation_without_threads_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any) -> None:
        raise RuntimeError(os.strerror(errno.EAGAIN))

    monkeypatch.setattr("stend_tomo.native.remove_stripes", none)
    with pytest.raises(tomo.BadOption, match="made no more threads"):
        tomo.preparation.remove_stripes(PROJECTIONS, 3)


def test_a_reconstructor_is_for_one_width() -> None:
    made = tomo.Reconstructor(20, ANGLES, algorithm="fbp")
    with pytest.raises(tomo.BadProjections, match="16 columns; this reconstructor is for 20"):
        made(PROJECTIONS)


@pytest.mark.parametrize(
    ("memory", "size"),
    [
        (1000, 1000),
        ("4 GB", 4 * 10**9),
        ("1.5GiB", 3 << 29),
        ("512 mb", 512 * 10**6),
        ("7", 7),
        ("2TB", 2 * 10**12),
        ("3 MiB", 3 << 20),
        (".5k", 500),
        ("1 KiB", 1024),
        ("1TiB", 1 << 40),
    ],
)
def test_sizes_of_memory(memory: int | str, size: int) -> None:
    assert bytes_of(memory) == size


def test_as_many_rows_as_fit_into_nine_tenths_of_the_cap_in_whole_batches() -> None:
    def fit(made: int, rows: int, together: int) -> int:
        return rows_that_fit(1000, made, lambda n: 100 * n, rows, together)

    assert (fit(0, 50, 1), fit(0, 50, 4), fit(0, 50, 16)) == (9, 8, 9)
    assert (fit(500, 50, 1), fit(800, 50, 1), fit(0, 3, 1)) == (4, 1, 3)
    with pytest.raises(tomo.TooLittleMemory, match="Allow at least 1,013 bytes"):
        fit(801, 50, 1)
    assert all(usable(least_cap(needed)) >= needed for needed in range(1, 3000))


@pytest.mark.parametrize("memory", ["", "much", "4 GBit", "-1", "1e3", -5])
def test_what_is_no_size_of_memory(memory: int | str) -> None:
    with pytest.raises(tomo.BadOption, match="is not a memory size"):
        bytes_of(memory)


def test_more_memory_than_any_machine_has() -> None:
    for memory in ("9" * 400, "9" * 30 + "TB", 2**64):
        with pytest.raises(tomo.BadOption, match="No machine has so much memory"):
            bytes_of(memory)
