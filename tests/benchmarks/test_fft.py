"""Every library's transform is proved, and what went wrong in one is found."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stend import native
from stend.benchmarks.definition import Case, registered
from stend.benchmarks.families.fft import libraries, transform
from stend.benchmarks.families.fft.libraries import Call, Complex, Library, Shared
from stend.benchmarks.families.fft.transform import Transform
from stend.record import Machine, Work

SHAPES = [(2, 2), (2, 3), (7, 1024), (60, 40), (73, 73), (128, 128)]
EVERY = pytest.mark.parametrize("known", libraries.LIBRARIES, ids=lambda known: known.name)


def made(known: Library, rows: int, columns: int) -> native.Kernel:
    if known.lacking():
        pytest.skip(known.lacking())
    kernel = native.sampler.work(Transform(known, rows, columns))
    kernel.prepare()
    return kernel


def library(plan: Callable[[Complex, Complex], Call]) -> Library:
    return Library("made", plan, lambda: "made 1.0", lambda: "")


@EVERY
@pytest.mark.parametrize("shape", SHAPES)
def test_every_library_is_right_for_every_shape(known: Library, shape: tuple[int, int]) -> None:
    kernel = made(known, *shape)
    assert kernel.check()
    repetitions = native.sampler.Sampler(kernel, native.clock.default()).collect(3, 20, 5.0)
    assert repetitions.right
    proof = kernel.prove()
    assert proof.right, proof.said
    assert "after 60 executions" in proof.said
    assert kernel.variant == known.name


@EVERY
def test_every_library_tells_its_version(known: Library) -> None:
    if known.lacking():
        pytest.skip(known.lacking())
    assert any(figure.isdigit() for figure in known.about())


def test_a_thousand_and_more_executions_are_still_told_apart() -> None:
    kernel = made(libraries.library("numpy"), 4, 4)
    assert native.sampler.Sampler(kernel, native.clock.default()).collect(1100, 2, 5.0).right
    assert kernel.prove().right


@pytest.mark.parametrize("left_out", range(1, 13))
def test_an_execution_left_out_is_found_whichever_it_is(left_out: int) -> None:
    calls = iter(range(1000))

    def plan(into: Complex, out: Complex) -> Call:
        def call() -> Complex:
            if next(calls) != left_out:  # the first is that of prepare()
                out[...] = np.fft.fft2(into)
            return out

        return call

    kernel = made(library(plan), 8, 9)
    assert not native.sampler.Sampler(kernel, native.clock.default()).collect(12, 1, 5.0).right
    assert not kernel.check()
    proof = kernel.prove()
    assert not proof.right
    assert "not that of execution" in proof.said


FAULTS: dict[str, Callable[[Complex], Complex]] = {
    "the inverse transform": lambda x: np.fft.ifft2(x) * x.size,
    "rows alone": np.fft.fft,
    "scaled": lambda x: np.fft.fft2(x, norm="ortho"),
    "single precision": lambda x: np.fft.fft2(x.astype(np.complex64)).astype(np.complex128),
    "conjugated": lambda x: np.fft.fft2(x).conj(),
    "no numbers": lambda x: np.full_like(x, np.nan),
    "not transformed": lambda x: x.copy(),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_another_transform_is_found(fault: str) -> None:
    kernel = made(library(lambda into, out: lambda: FAULTS[fault](into)), 16, 16)
    repetitions = native.sampler.Sampler(kernel, native.clock.default()).collect(2, 3, 5.0)
    assert not repetitions.right
    assert not kernel.prove().right


@pytest.mark.parametrize("place", [(0, 0), (0, 15), (15, 0), (7, 9), (15, 15)])
@pytest.mark.parametrize("by", [1e-8, 1.0, np.nan])
def test_one_wrong_element_anywhere_is_found(place: tuple[int, int], by: float) -> None:
    def plan(into: Complex, out: Complex) -> Call:
        def call() -> Complex:
            out[...] = np.fft.fft2(into)
            out[place] += by
            return out

        return call

    kernel = made(library(plan), 16, 16)
    assert not kernel.prove().right


def test_all_of_a_small_spectrum_is_proved() -> None:
    rows, columns = transform.proved_part(512, 500)
    assert (len(rows), len(columns)) == (512, 500)


@pytest.mark.parametrize("shape", [(2, 1 << 20), (1 << 20, 2), (8192, 8192), (1 << 20, 1 << 20)])
def test_the_proof_of_any_shape_is_affordable_and_looks_at_both_ends(
    shape: tuple[int, int],
) -> None:
    for size, chosen in zip(shape, transform.proved_part(*shape), strict=True):
        assert (chosen[0], chosen[-1]) == (0, size - 1)
        assert min(8, size) <= len(set(chosen)) == len(chosen)
        assert len(chosen) == 8 or size * len(chosen) <= transform.PROVED_WAVES


@pytest.mark.parametrize("shape", [(2, 300_000), (300_000, 2)])
def test_matrices_of_waves_stay_small_in_narrow_arrays(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transform, "MATRIX", 1_000_000)
    sizes = []
    whole = transform.waves

    def seen(size: int, frequencies: transform.Places) -> Complex:
        sizes.append(size * len(frequencies))
        return whole(size, frequencies)

    monkeypatch.setattr(transform, "waves", seen)
    array = np.ones(shape, np.complex128)
    found = transform.direct(array, *(np.arange(min(8, size)) for size in shape))
    assert found[0, 0] == pytest.approx(600_000)
    assert abs(found.ravel()[1:]).max() < 1e-3
    assert max(sizes) <= 1_300_000


def test_direct_sums_agree_with_the_definition() -> None:
    array = np.arange(12).reshape(3, 4) * (1 - 2j)
    by_hand = sum(
        array[r, c] * np.exp(-2j * np.pi * (r * 2 / 3 + c * 3 / 4))
        for r in range(3)
        for c in range(4)
    )
    found = transform.direct(array, np.array([1, 2]), np.array([0, 3]))
    assert found[1, 1] == pytest.approx(by_hand)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (64, 64)])
def test_arrays_begin_at_a_cache_line(shape: tuple[int, int]) -> None:
    array = transform.aligned(shape)
    assert array.ctypes.data % 64 == 0
    assert array.flags.c_contiguous
    assert array.shape == shape


def test_a_library_that_is_missing_is_a_sentence_that_says_how_to_get_it() -> None:
    nowhere = Shared("Nothing", ("libno-such-library.so.0",), "nothing", "install it (make it)")
    assert libraries._lacking(nowhere) == "Nothing is not on this machine; install it (make it)."
    with pytest.raises(native.Unavailable, match="install it"):
        libraries._loaded(nowhere)


@pytest.mark.parametrize("content", [b"", b"no library", b"\x7fELF\x02\x01\x01"])
def test_a_broken_library_is_not_loaded_before_it_is_measured(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    (tmp_path / "libbroken.so").write_bytes(content)
    broken = Shared("Nothing", ("libbroken.so",), "nothing", "install it (make it)")
    assert libraries._lacking(broken) == ""
    with pytest.raises(native.Unavailable, match="Nothing is broken"):
        libraries._loaded(broken)


def test_planning_survives_a_library_that_ends_whoever_loads_it(tmp_path: Path) -> None:
    source = "__attribute__((constructor)) static void end(void) { __builtin_trap(); }\n"
    (tmp_path / "ends.c").write_text(source)
    library = tmp_path / "libfftw3.so.3"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "ends.c"], check=True)
    env = os.environ | {"LD_LIBRARY_PATH": str(tmp_path), "STEND_STORE": str(tmp_path / "x.db")}
    words = ["run", "--check", "fft", "--variant", "fftw"]
    done = subprocess.run(
        [sys.executable, "-m", "stend", *words],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 5
    assert "[fftw]  crashed: The worker process was ended by SIG" in done.stderr


def test_a_library_without_the_function_is_called_broken() -> None:
    other = Shared("Nothing", ("libc.so.6",), "no_such_function", "install it (make it)")
    with pytest.raises(native.Unavailable, match=r"^Nothing is broken \(.*no_such_function"):
        libraries._loaded(other)


def test_an_unknown_library_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="numpy, scipy, fftw, mkl"):
        libraries.library("fourier")


def test_the_variants_are_the_libraries_with_the_reason_why_one_is_missing() -> None:
    found = libraries.variants()
    assert [v.name for v in found] == ["numpy", "scipy", "fftw", "mkl"]
    assert all(v.available == (v.reason == "") for v in found)


def test_work_is_counted_as_the_literature_counts_it() -> None:
    work = registered()["fft.complex2d"].work
    case = Case("fft.complex2d", {"rows": 512, "columns": 512})
    assert work(case) == Work(flops=5 * 2**18 * 18, bytes=32 * 2**18)


def test_a_transform_larger_than_the_memory_is_refused_with_the_limit() -> None:
    needs = registered()["fft.complex2d"].needs
    case = Case("fft.complex2d", {"rows": 1 << 20, "columns": 1 << 20})
    said = needs(case, Machine(memory_available=10**9))
    assert said is not None
    assert "more than the 0.9 GB that a case may take" in said
    assert needs(case, Machine()) is None
