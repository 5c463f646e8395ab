"""stend_unet.Network: every variant against the reference and ONNX Runtime, and what is refused."""

import signal

import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stend_unet as unet
from small_unets import with_ending
from stend_unet import blas

SMALL = unet.classic(channels=8, depth=2)
IMAGES = np.random.default_rng(1).normal(size=(3, 1, 45, 70)).astype(np.float32)
NO_LIBRARY = next(blas._installed(), None) is None


def error_of(output, exact):
    """Of the largest magnitude."""
    return np.abs(output - exact).max() / np.abs(exact).max()


@pytest.fixture(scope="module")
def exact():
    return unet.Network(SMALL, variant="reference")(IMAGES)


@pytest.mark.parametrize("variant", unet.variants())
def test_every_variant_agrees_with_the_reference(exact, variant):
    if variant == "blas" and NO_LIBRARY:
        pytest.skip("no BLAS is installed")
    network = unet.Network(SMALL, variant=variant, threads=2)
    assert network.variant == variant
    assert error_of(network(IMAGES), exact) < 5e-5


@pytest.mark.parametrize(
    ("precision", "largest"), [("bf16x3", 1e-4), ("bf16", 3e-2)], ids=["bf16x3", "bf16"]
)
def test_fewer_bits_are_as_exact_as_promised(exact, precision, largest):
    for variant in unet.variants(precision):
        network = unet.Network(SMALL, precision=precision, variant=variant)
        assert 0 < error_of(network(IMAGES), exact) < largest


def test_onnx_runtime_agrees():
    content = with_ending("Sigmoid")
    session = onnxruntime.InferenceSession(content)
    (theirs,) = session.run(None, {session.get_inputs()[0].name: IMAGES[:, :, :44, :68]})
    ours = unet.Network(unet.read_model(content))(IMAGES[:, :, :44, :68])
    assert np.abs(ours - theirs).max() < 1e-5


def test_an_image_is_the_same_however_it_is_given():
    network = unet.Network(SMALL)
    several = network(IMAGES)
    assert several.shape == (3, 2, 45, 70)
    for image, output in zip(IMAGES, several, strict=True):
        assert np.array_equal(network(image), output)
        assert np.array_equal(network(image[0]), output)
        assert np.array_equal(network(image[0].astype(float)), output)
        assert np.array_equal(network(np.asfortranarray(image[0])), output)
    turned = IMAGES[:, :, ::-1, ::-1]
    assert np.array_equal(network(turned), network(turned.copy()))


def test_threads_do_not_change_a_bit():
    one, three = (unet.Network(SMALL, threads=threads) for threads in (1, 3))
    assert np.array_equal(one(IMAGES), three(IMAGES))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40))
def test_an_image_of_any_size_has_an_output_of_its_size(height, width):
    image = np.ones((height, width), np.float32)
    output = unet.Network(unet.classic(channels=2, depth=3))(image)
    assert output.shape == (2, height, width)
    assert np.isfinite(output).all()


def test_networks_of_two_sizes_are_kept_and_no_more():
    network = unet.Network(SMALL)
    small, large = network.ready(16, 16), network.ready(16, 32)
    assert network.ready(16, 16) is small
    network.ready(48, 48)
    assert network.ready(16, 16) is small
    assert network.ready(16, 32) is not large
    assert network.bytes == small.bytes + large.bytes


def test_timings_are_of_all_layers_and_their_work():
    network = unet.Network(SMALL)
    with pytest.raises(unet.BadOption, match="call the network with an image"):
        network.timings()
    network(IMAGES)
    timings = network.timings()
    said = " + ".join(timing.layers for timing in timings)
    assert all(layer.name in said for layer in SMALL.layers)
    assert all(timing.seconds >= 0 for timing in timings)
    assert sum(timing.direct_flops for timing in timings) == pytest.approx(
        SMALL.direct_flops(48, 72)
    )


def test_the_classic_network_is_that_of_the_paper():
    model = unet.classic()
    assert model.parameters == 31_030_658  # of the padded network with 1 channel in, 2 out
    assert model.granularity == 16
    assert [layer.kernel for layer in model.layers].count(3) == 18
    assert {layer.operation for layer in model.layers} == {
        "convolution", "transposed convolution", "max pooling",
    }  # fmt: skip
    assert sum(model.layer_flops(256, 256)) == model.direct_flops(256, 256)
    assert model.direct_flops(256, 256) == pytest.approx(96.2e9, rel=1e-3)


def test_a_model_comes_back_from_its_file(tmp_path):
    path = tmp_path / "é.onnx"
    path.write_bytes(unet.to_onnx(SMALL, {"stend.classes": "air, bone", "a": "ü"}))
    read = unet.read_model(path)
    assert read.properties == {"stend.classes": "air, bone", "a": "ü"}
    assert np.array_equal(unet.Network(path)(IMAGES), unet.Network(SMALL)(IMAGES))
    assert unet.read_model(unet.to_onnx(read)).properties == read.properties


@pytest.mark.parametrize("part", [0, 1, 100, -1])
def test_a_file_that_was_cut_is_a_sentence(tmp_path, part):
    path = tmp_path / "m.onnx"
    path.write_bytes(unet.to_onnx(SMALL)[:part])
    with pytest.raises(unet.ModelFileError, match=r"\.$") as refused:
        unet.Network(path)
    assert refused.value.exit_code == 4
    assert "\n" not in str(refused.value)


def test_an_operator_that_is_not_computed_is_named():
    with pytest.raises(unet.ModelFileError, match="Tanh"):
        unet.read_model(with_ending("Tanh"))


@pytest.mark.parametrize("name", ["none.onnx", "", ".", "a\0b", "x" * 300])
def test_a_file_that_is_none_is_a_sentence(name):
    with pytest.raises(unet.ModelFileError, match=r"\.$"):
        unet.read_model(name)


@pytest.mark.parametrize(
    ("images", "said"),
    [
        (np.zeros(3), r"not of shape \(3,\)"),
        (np.zeros((2, 8, 8)), r"takes 1 channels.*have 2; several images.*images\[:, None\]"),
        (np.zeros((1, 2, 8, 8)), "takes 1 channels"),
        (np.zeros((0, 1, 8, 8)), "no data in images"),
        (np.zeros((8, 0)), "no data in images"),
        (np.zeros((8, 8), complex), "integers or floating point, not complex128"),
        ([["a"]], "not <U1"),
        ([[1, 2], [3]], "not an array"),
        (np.full((4, 4), np.nan), r"value nan at \[0, 0\]"),
        (np.where(np.arange(16).reshape(4, 4) == 6, np.inf, 0), r"value inf at \[1, 2\]"),
        (np.full((4, 4), 1e300), r"1e\+300 at \[0, 0\].*float32"),
        (np.ma.masked_equal(np.eye(4), 0), "masked; fill them first"),
        (np.zeros((1, 40000)), "40000; it must be"),
    ],
)
def test_images_that_can_not_be_are_a_sentence(images, said):
    with pytest.raises(unet.UnetError, match=said) as refused:
        unet.Network(SMALL)(images)
    assert refused.value.exit_code == 2
    assert isinstance(refused.value, ValueError)


def test_a_precision_that_is_not_here_is_told_with_those_that_are(monkeypatch):
    here = {"float32": ["direct", "onnxruntime"], "bf16x3": [], "bf16": ["avx512-bf16"]}
    monkeypatch.setattr("stend_unet.network.variants", here.get)
    with pytest.raises(unet.BadOption, match=r"not support bf16x3; it supports float32, bf16\.$"):
        unet.Network(SMALL, precision="bf16x3")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"precision": "int8"}, 'no precision "int8"; there are float32, bf16x3, bf16'),
        ({"variant": "fast"}, 'no variant "fast" of float32 .* there are reference'),
        ({"variant": ""}, 'no variant ""'),
        ({"threads": 0}, "threads is 0; it must be 1 to 4096"),
        ({"threads": -(10**30)}, "-1e.20 or more"),
        ({"threads": 1.5}, "whole number, not float"),
    ],
)
def test_options_that_can_not_be_are_a_sentence(options, said):
    with pytest.raises(unet.BadOption, match=said):
        unet.Network(SMALL, **options)


@pytest.mark.parametrize("wrong", [{"channels": 0}, {"channels": -1}, {"depth": 40}, {"seed": 0.5}])
def test_a_description_that_can_not_be_is_a_sentence(wrong):
    with pytest.raises(unet.BadOption, match=r"\.$"):
        unet.classic(**wrong)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: unet.Network(SMALL).ready(-1, 5), "height is -1; it must be 1 to 32768"),
        (lambda: unet.Network(SMALL).ready(5, 2.5), "width must be a whole number, not float"),
        (lambda: unet.Network(None), "the path of an ONNX file, not NoneType"),
        (lambda: unet.Network(b"x"), "the path of an ONNX file, not bytes"),
        (lambda: unet.read_model(None), "as a path or bytes, not NoneType"),
        (lambda: unet.to_onnx(None), "read_model or shipped, not be a NoneType"),
        (lambda: unet.to_onnx(SMALL, {"a": 1}), "a dict of str to str"),
        (
            lambda: unet.segment(IMAGES[0, 0], SMALL, progress=5),
            "progress= must be callable, not int",
        ),
        (lambda: unet.overlay(IMAGES[0, 0], np.zeros((45, 70), int), None), "list of names"),
    ],
)
def test_what_no_function_takes_is_a_sentence(call, said):
    with pytest.raises(unet.BadOption, match=said):
        call()


@pytest.mark.parametrize(
    "given",
    [
        lambda image: image.astype(">f4"),
        lambda image: np.repeat(image, 2, axis=1)[:, ::2],
        lambda image: image[::-1, ::-1].copy()[::-1, ::-1],
        lambda image: np.broadcast_to(image, (1, 1, *image.shape)),
    ],
    ids=["byte-swapped", "with gaps", "backwards", "read-only"],
)
def test_an_image_may_lie_in_memory_in_any_way(given):
    network, image = unet.Network(SMALL), IMAGES[0, 0]
    assert np.array_equal(network(given(image)).reshape(2, 45, 70), network(image))


def test_a_file_that_is_refused_is_named(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(with_ending("Tanh"))
    with pytest.raises(unet.ModelFileError, match=r"/m\.onnx: A node .* Tanh"):
        unet.Network(path)
    path.write_bytes(with_ending(inputs=2))
    with pytest.raises(unet.ModelFileError, match=r"/m\.onnx: The model takes images of 2"):
        unet.Segmenter(path)


def test_what_does_not_fit_into_memory_is_a_sentence():
    with pytest.raises(unet.TooLittleMemory, match="does not fit"):
        unet.Network(unet.classic()).ready(32768, 32768)


def test_a_file_that_does_not_fit_into_memory_is_a_sentence(monkeypatch):
    def full(file):
        raise MemoryError("std::bad_alloc")

    monkeypatch.setattr("stend_unet.native.read_onnx", full)
    with pytest.raises(unet.TooLittleMemory, match=r"^There is not enough memory; use"):
        unet.read_model("model.onnx")


def test_ctrl_c_is_heeded_between_images():
    def heard(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, heard)
    network = unet.Network(SMALL)
    network(IMAGES)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            network(np.zeros((5_000, 1, 45, 70), np.float32))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert network(IMAGES).shape == (3, 2, 45, 70)


def test_without_a_library_the_variant_blas_says_what_to_install(monkeypatch):
    monkeypatch.setattr(blas, "_installed", lambda: iter(()))
    with pytest.raises(unet.errors.Missing, match="pip install scipy-openblas32"):
        blas.sgemm.__wrapped__()


def test_a_file_is_read_again_for_another_size(tmp_path):
    file = tmp_path / "small.onnx"
    file.write_bytes(unet.to_onnx(SMALL))
    network = unet.Network(file)
    for image in (IMAGES[0], IMAGES[0, :, :20, :32]):
        np.testing.assert_array_equal(network(image), unet.Network(SMALL)(image))


def test_a_file_that_changed_before_another_size_is_a_sentence(tmp_path):
    file = tmp_path / "small.onnx"
    file.write_bytes(unet.to_onnx(SMALL))
    network = unet.Network(file)
    network(IMAGES)
    file.write_bytes(unet.to_onnx(unet.classic(channels=4, depth=2)))
    network(IMAGES)
    with pytest.raises(unet.ModelFileError, match="was changed after it was read"):
        network(IMAGES[..., :16])
    file.unlink()
    with pytest.raises(unet.ModelFileError):
        network(IMAGES[..., :16])
