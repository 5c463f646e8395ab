"""stend_unet.segment: slices prepared as the model's file says, labels, and where they go."""

import h5py
import numpy as np
import pytest
import zarr

import stend_unet as unet
from small_unets import with_ending

SLICES = np.random.default_rng(2).normal(size=(4, 20, 24)).astype(np.float32)


@pytest.fixture(scope="module")
def model():
    properties = {"stend.normalization": "percentiles 10 95", "stend.classes": "grain"}
    return unet.read_model(with_ending("Sigmoid", properties))


@pytest.fixture(scope="module")
def labels(model):
    found = unet.segment(SLICES, model)
    assert 0.05 < found.mean() < 0.95, "of both classes"
    return found


def prepared(values, low, high):
    first, last = np.percentile(values.astype(float), (low, high))
    return (values - first) / (last - first)


def test_a_slice_is_prepared_by_its_own_percentiles(model, labels):
    network = unet.Network(model)
    for values, found in zip(SLICES, labels, strict=True):
        expected = network(prepared(values, 10, 95))[0] >= 0.5
        assert np.array_equal(found, expected)


def test_labels_do_not_depend_on_the_unit_of_values(model, labels):
    found = unet.segment(1000 * SLICES.astype(float) - 5, model)
    assert np.mean(found != labels) < 0.005  # where rounding decides


def test_without_a_word_in_the_file_values_go_in_as_they_are():
    model = unet.read_model(with_ending("Sigmoid"))
    expected = unet.Network(model)(SLICES[0])[0] >= 0.5
    assert np.array_equal(unet.segment(SLICES[0], model), expected)


def test_a_slice_of_one_value_is_segmented(model):
    assert unet.segment(np.full((8, 8), 3.0), model).shape == (8, 8)


def test_probabilities_add_up_to_1_and_labels_are_their_largest(model, labels):
    made = unet.segment(SLICES, model, probabilities=True)
    assert made.shape == (4, 2, 20, 24)
    assert made.dtype == np.float32
    np.testing.assert_allclose(made.sum(axis=1), 1, atol=1e-6)
    assert np.array_equal(made.argmax(axis=1), labels)


@pytest.mark.parametrize("outputs", [1, 3])
def test_logits_become_the_probabilities_that_an_ending_makes(outputs):
    ending = "Sigmoid" if outputs == 1 else "Softmax"
    logits, ended = (
        unet.segment(SLICES, unet.read_model(with_ending(end, outputs=outputs)), probabilities=True)
        for end in (None, ending)
    )
    assert logits.shape == (4, max(outputs, 2), 20, 24)
    np.testing.assert_allclose(logits, ended, atol=1e-6)
    model = unet.read_model(with_ending(None, outputs=outputs))
    assert np.array_equal(unet.segment(SLICES, model), logits.argmax(axis=1))


@pytest.mark.parametrize("store", ["memory", "mapped", "hdf5", "zarr"])
def test_labels_go_where_they_are_asked_to(tmp_path, model, labels, store):
    if store == "memory":
        out = np.zeros(SLICES.shape, np.uint8)
    elif store == "mapped":
        out = np.lib.format.open_memmap(tmp_path / "l.npy", "w+", np.uint8, SLICES.shape)
    elif store == "hdf5":
        out = h5py.File(tmp_path / "l.h5", "w").create_dataset("l", SLICES.shape, np.uint8)
    else:
        out = zarr.create_array(tmp_path / "l.zarr", shape=SLICES.shape, dtype=np.uint8)
    assert unet.segment(SLICES, model, out=out) is out
    assert np.array_equal(np.asarray(out[...]), labels)


class OneAtATime:
    """Slices that refuse to be read but one by one, in order."""

    shape, dtype = SLICES.shape, SLICES.dtype

    def __init__(self):
        self.read = []

    def __getitem__(self, number):
        assert isinstance(number, int)
        self.read.append(number)
        return SLICES[number]


def test_one_slice_is_read_at_a_time_and_told(model, labels):
    slices, told = OneAtATime(), []
    found = unet.segment(slices, model, progress=lambda done, of: told.append((done, of)))
    assert np.array_equal(found, labels)
    assert slices.read == [0, 1, 2, 3]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def with_nan():
    values = SLICES.copy()
    values[2, 3, 5] = np.nan
    return values


@pytest.mark.parametrize(
    ("slices", "said"),
    [
        (np.zeros(3), r"not of shape \(3,\)"),
        (np.zeros((2, 2, 2, 2)), r"not of shape \(2, 2, 2, 2\)"),
        (np.zeros((0, 4, 4)), "no data in slices"),
        (np.zeros((4, 4), "M8[s]"), "integers or floating point"),
        (with_nan(), r"Slice 2 has the value nan at \[3, 5\]"),
        ([[np.inf]], r"The slice has the value inf at \[0, 0\]"),
        (np.ma.masked_equal(np.eye(4), 0), "slices are masked"),
    ],
)
def test_slices_that_can_not_be_are_a_sentence(model, slices, said):
    with pytest.raises(unet.BadImages, match=said):
        unet.segment(slices, model)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.zeros((3, 1, 8, 8)), r"\(rows, columns\), not of shape \(3, 1, 8, 8\)"),
        (np.zeros((0, 8)), "no data in a slice"),
        (np.zeros((8, 8), complex), "integers or floating point, not complex128"),
        (np.ma.masked_equal(np.eye(8), 0), "masked; fill them first"),
        ([[1, 2], [3]], "not an array"),
    ],
)
def test_what_is_no_slice_is_a_sentence(model, values, said):
    work = unet.Segmenter(model)
    for compute in (work.labels, work.probabilities):
        with pytest.raises(unet.BadImages, match=said):
            compute(values)


def test_no_label_comes_of_sums_that_outgrew_their_numbers():
    model = unet.read_model(with_ending(outputs=2))
    with pytest.raises(unet.BadImages, match="sums inside it exceeded float32"):
        unet.segment(SLICES * 1e37, model)


@pytest.mark.parametrize(
    ("out", "said"),
    [
        (np.zeros((4, 20, 24)), "uint8 of shape .*, not float64"),
        (np.zeros((4, 20, 23), np.uint8), r"not uint8 of shape \(4, 20, 23\)"),
        ([0], "not list"),
        (np.broadcast_to(np.uint8(0), (4, 20, 24)), "that is writable"),
    ],
)
def test_an_array_that_can_not_take_labels_is_a_sentence(model, out, said):
    with pytest.raises(unet.BadBuffer, match=said):
        unet.segment(SLICES, model, out=out)


def test_labels_do_not_overwrite_the_slices(model):
    slices = np.zeros((8, 8), np.uint8)
    with pytest.raises(unet.BadBuffer, match="an array of its own"):
        unet.segment(slices, model, out=slices)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (with_ending(inputs=2), "images of 2 channels; slices have 1"),
        (with_ending("Sigmoid", outputs=2), "don't exclude each other"),
        (with_ending(properties={"stend.normalization": "z-score"}), '"z-score", which is unknown'),
        (with_ending(properties={"stend.normalization": "percentiles 9 1"}), "LOW HIGH"),
        (with_ending(properties={"stend.normalization": "percentiles ١ ٩"}), "LOW HIGH"),
        (with_ending(properties={"stend.classes": "a, b"}), "has 1 channels"),
        (with_ending(properties={"stend.classes": "a,,b"}, outputs=3), "each needs a name"),
        (with_ending(outputs=300), "300 channels"),
    ],
)
def test_a_model_that_is_not_for_slices_is_a_sentence(content, said):
    with pytest.raises(unet.ModelFileError, match=said):
        unet.segment(SLICES, unet.read_model(content))


def test_classes_are_named_by_the_file(model):
    assert unet.Segmenter(model).classes == ("background", "grain")
    three = unet.read_model(with_ending(properties={"stend.classes": "a, b,c"}, outputs=3))
    assert unet.Segmenter(three).classes == ("a", "b", "c")
    assert unet.Segmenter(unet.classic(channels=4, depth=1)).classes == ("channel 0", "channel 1")
