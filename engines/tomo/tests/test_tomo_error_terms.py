"""Errors know their parameter, and a command names it by its own option."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import stend_tomo as tomo
from stend_tomo import errors
from stend_tomo.cli import OPTIONS, called, command_words, verbs
from stend_tomo.cli.arguments import Option, _parameters
from stend_tomo.errors import PITCH, Advice, BadOption, Keyword, Missing, Parameter, TomoError
from stend_tomo.phantoms.faults import Images
from stend_tomo.preparation import Preparation
from stend_tomo.reading.limits import fault
from stend_tomo.view import sought_axis

CONE = tomo.ConeBeam(source_to_axis=30.0, source_to_detector=45.0, pitch=1.0)
PROJECTIONS = np.ones((120, 4, 16), np.float32)
TURN = np.radians(np.arange(0, 360, 3.0))


def refused(*args: object, **options: object) -> TomoError:
    with pytest.raises(TomoError) as raised:
        tomo.fdk(*args, **options)
    return raised.value


def test_a_subject_is_the_option_in_a_command():
    error = BadOption(PITCH, " is 0; it must be above 0.")
    assert error.parameter == "pitch"
    assert str(error) == "The pitch of detector pixels is 0; it must be above 0."
    assert error.sentence(OPTIONS) == "--pitch is 0; it must be above 0."


@pytest.mark.parametrize(
    ("term", "python", "command"),
    [
        (Parameter("source_to_detector"), "source_to_detector", "--source-to-detector"),
        (Keyword("limit", 1000), "limit=1000", "--limit 1000"),
        (Keyword("external", True), "external=True", "--external"),
        (Keyword("resume", False), "resume=False", "--restart"),
        (Keyword("center"), "center=", "--center COLUMN"),
        (Parameter("center"), "center", "--center"),
        (Keyword("unit"), "unit=", "unit="),
        (Advice("short scan", "Check them."), "Check them.", "Check the file's angles or "),
    ],
)
def test_terms_in_python_and_in_a_command(term, python, command):
    error = TomoError("Give ", term, ".")
    assert str(error) == f"Give {python}."
    assert error.sentence(command_words()).startswith(f"Give {command}")


def test_braces_percent_signs_and_names_of_parameters_in_texts_stay():
    error = fault(Path("pitch={center}%s center="), "holds 2 scans: ", Keyword("entry"), ".")
    assert error.sentence(OPTIONS) == "pitch={center}%s center= holds 2 scans: --entry."
    assert error.parameter == "entry"


def test_advice_is_no_parameter_and_a_class_may_have_its_own():
    assert TomoError(Advice("CT series", "read it")).parameter is None
    assert errors.BadAngles("Some angles are masked.").parameter == "angles"
    assert errors.BadBuffer("It overlaps.", parameter="start").parameter == "start"


@pytest.mark.parametrize("kind", [getattr(errors, name) for name in errors.__all__])
def test_errors_are_copied_and_pickled_whole(kind):
    error = kind(PITCH, " is 0; give ", Keyword("limit", 9), Advice("x", "."), parameter="limit")
    for again in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(again) is kind
        assert str(again) == str(error) == "The pitch of detector pixels is 0; give limit=9."
        assert again.sentence(OPTIONS) == "--pitch is 0; give --limit 9."
        assert (again.parameter, again.args) == ("limit", error.args)


def test_what_is_missing_is_an_import_error_with_its_sentence():
    with pytest.raises(ImportError, match="It needs h5py"):
        raise Missing("It needs h5py.")


@pytest.mark.parametrize(
    ("change", "parameter", "sentence"),
    [
        ({"size": 0}, "size", "--size is 0; it must be 1 to 32768."),
        ({"voxel": -1.0}, "voxel", "--voxel is -1; it must be above 0."),
        ({"cutoff": 0.0}, "cutoff", "--cutoff is 0; it must be above 0."),
        ({"threads": 0}, "threads", "--threads is 0; it must be 1 to 4096."),
        ({"middle": np.inf}, "middle", "The height of the slices' middle is inf; it must be"),
        ({"size": 400}, "size", "check the distances, or give a smaller --size or --voxel."),
        ({"filter": "x"}, None, 'There is no filter "x"'),
    ],
)
def test_geometries_name_their_parameter(change, parameter, sentence):
    error = refused(PROJECTIONS, TURN, CONE, **change)
    assert error.parameter == parameter
    assert sentence in error.sentence(command_words())


def test_too_short_a_scan_is_about_its_angles_and_another_refusal_is_not():
    error = refused(PROJECTIONS[:50], TURN[:50], CONE)
    assert error.parameter == "angles"
    assert "Check the angles; projections of a parallel beam are for `reconstruct`." in str(error)
    called.set("stend tomo")
    try:
        assert error.sentence(command_words()).endswith("are for `stend tomo reconstruct`.")
    finally:
        called.set("stend-tomo")
    other = refused(PROJECTIONS[:50], TURN[:50], CONE, variant="x")
    assert other.parameter is None
    assert 'no variant "x"' in str(other)


def test_large_angles_are_advised_on_in_the_surfaces_own_way():
    error = refused(PROJECTIONS, np.degrees(TURN), CONE)
    assert str(error).endswith(
        "If they are degrees, give numpy.radians(angles); if the scan has that many turns, "
        "angles % (2 * numpy.pi)."
    )
    assert error.sentence(command_words()).endswith(
        "If they are degrees, give a file of them with --angles; if the scan has that many turns, "
        "their remainder by 360°."
    )


def test_the_viewers_warning_names_the_option_where_a_command_shows_it():
    frames = Images(np.ones((40, 3, 8), np.float32))
    scan = tomo.Scan(frames, np.linspace(0, 1.5, 40), normalized=True)
    assert "Give it with center=." in str(sought_axis(scan, Preparation())[2])
    warning = sought_axis(scan, Preparation(), command_words())[2]
    assert "Give it with --center COLUMN." in str(warning)


def test_every_option_of_the_table_is_one_of_a_verb():
    there = {
        name
        for verb in verbs().values()
        for each in _parameters(verb)
        if isinstance(each.mark, Option)
        for name in each.mark.names
    }
    assert {option.split()[0] for option in OPTIONS.values()} <= there
