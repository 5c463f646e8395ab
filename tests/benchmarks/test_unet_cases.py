"""Which inferences are measured, what of them can't be, and that ONNX Runtime's is proved too."""

import numpy as np
import pytest

import made
from stend import native, registry
from stend.benchmarks.unet import SIDES, direct_flops
from stend.definition import DEFAULT, Case

PRECISIONS = ("float32", "bf16x3", "bf16")
LAPTOP = made.machine()


def benchmark(precision="float32"):
    return registry.load()[0][f"unet.{precision}"]


def needs(machine=LAPTOP, **parameters):
    given = {"side": 256, "threads": 1} | parameters
    return benchmark().needs(Case("unet.float32", given, "winograd"), machine)


def taken(size, threads, precision="float32"):
    case = Case(f"unet.{precision}", {"side": 256, "threads": threads})
    return benchmark(precision).takes(case, LAPTOP, size)


def names(precision="float32"):
    return [variant.name for variant in benchmark(precision).available()]


def test_every_precision_has_a_benchmark_of_its_own():
    found = [name for name in registry.load()[0] if name.startswith("unet.")]
    assert sorted(found) == sorted(f"unet.{precision}" for precision in PRECISIONS)
    float32 = set(names())
    assert float32.isdisjoint(names("bf16x3"))
    assert float32.isdisjoint(names("bf16"))


def test_the_best_variant_is_the_engines_own():
    assert names()[-1].startswith("winograd")
    assert "onnxruntime" in names()[1:-1]


def test_a_quick_run_takes_the_best_and_the_peer_where_it_is():
    pytest.importorskip("onnxruntime")
    assert taken("quick", 1) == ("onnxruntime", DEFAULT)
    assert taken("quick", 8) == taken("check", 1) == (DEFAULT,)
    assert taken("quick", 8, "bf16") == ()


def test_a_full_run_takes_everything_but_the_reference():
    assert list(taken("full", 1)) == [name for name in names() if name != "reference"]


def test_what_there_is_not_is_told(monkeypatch):
    assert needs() is None
    assert "use --set side=N with one of 16, 32" in needs(side=100)
    assert "use --set threads=N" in needs(threads=1000)
    assert "side=N" in needs(made.machine(memory_available=1 << 28))
    monkeypatch.setattr("stend.benchmarks.unet.peer.find_spec", lambda name: None)
    peer = next(each for each in benchmark().available() if each.name == "onnxruntime")
    assert not peer.available
    assert peer.reason.endswith("`pip install 'stend[onnx]'` brings it.")


def test_a_precision_without_a_variant_is_told(monkeypatch):
    monkeypatch.setattr("stend.benchmarks.unet._variants", lambda precision: ())
    said = benchmark("bf16").needs(Case("unet.bf16", {"side": 256, "threads": 1}), LAPTOP)
    assert said == "no variant of the precision bf16 is made for this architecture."


def test_without_a_blas_its_variant_says_how_to_get_one(monkeypatch):
    monkeypatch.setattr("stend.benchmarks.unet.best_blas", lambda: None)
    reasons = [each.reason for each in benchmark().available() if each.name == "blas"]
    assert all("brings it" in reason for reason in reasons)


def test_the_literature_counts_96_billion_operations_an_image():
    assert direct_flops(256) == pytest.approx(96.2e9, rel=1e-3)


@pytest.mark.parametrize("side", [16, 32])
def test_operations_are_those_of_the_layers(side):
    kernel = native.inference.kernel("float32", side, 1, names()[-1])
    kernel.prepare()
    also = native.sampler.Sampler(kernel, native.clock.default()).collect(1, 1, 60.0).also
    told = sum(
        column[0]
        for name, column in also.items()
        if name.endswith(" FLOP") and name != "multiplied FLOP"
    )
    assert told == direct_flops(side)


def test_known_answers_are_of_all_sides():
    for side in SIDES:
        nothing = np.zeros(2 * side * side, np.float32)
        assert 0.5 < native.inference.error(side, nothing) <= 1
    with pytest.raises(ValueError, match="There are no known answers of an image 17 pixels wide"):
        native.inference.error(17, np.zeros(2 * 17 * 17, np.float32))
    with pytest.raises(ValueError, match="An output of 8 numbers is not that"):
        native.inference.error(16, np.zeros(8, np.float32))


class Missed:
    """A session that leaves the second image out."""

    def __init__(self, session):
        self.session, self.asked = session, 0

    def run_with_iobinding(self, binding):
        self.asked += 1
        if self.asked != 2:
            self.session.run_with_iobinding(binding)


def test_the_peer_is_proved_and_an_image_left_out_is_seen():
    pytest.importorskip("onnxruntime")
    from stend.benchmarks.unet.peer import Session

    work = Session(16, 1)
    assert work.about.startswith("ONNX Runtime ")
    work.prepare()
    work()
    assert work.check(1)
    right, said = work.prove(1)
    assert right
    assert "1 of 1 repetitions wrote the output" in said
    work._session = Missed(work._session)
    work(), work(), work()
    assert not work.check(4)
    assert not work.prove(4)[0]
