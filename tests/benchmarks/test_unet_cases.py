"""Which inferences are measured, what of them can't be, and that ONNX Runtime's is proved too."""

import pytest

import made
from stend import native
from stend.benchmarks import registry
from stend.benchmarks.definition import DEFAULT, Case
from stend.benchmarks.families.unet import SIDES, direct_flops

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
    monkeypatch.setattr("stend.benchmarks.families.unet.peer.find_spec", lambda name: None)
    peer = next(each for each in benchmark().available() if each.name == "onnxruntime")
    assert not peer.available
    assert peer.reason.endswith("install it with `pip install onnxruntime`.")


def test_a_precision_without_a_variant_is_told(monkeypatch):
    monkeypatch.setattr("stend.benchmarks.families.unet._variants", lambda precision: ())
    said = benchmark("bf16").needs(Case("unet.bf16", {"side": 256, "threads": 1}), LAPTOP)
    assert said == "this architecture has no variant with precision bf16."


def test_without_a_blas_its_variant_says_how_to_get_one(monkeypatch):
    monkeypatch.setattr("stend.benchmarks.families.unet.best_blas", lambda: None)
    reasons = [each.reason for each in benchmark().available() if each.name == "blas"]
    assert all("install it with" in reason for reason in reasons)


def test_the_literature_counts_96_billion_operations_an_image():
    assert direct_flops(256) == pytest.approx(96.2e9, rel=1e-3)


@pytest.mark.parametrize("side", [16, 32])
def test_operations_are_those_of_the_layers(side):
    best = [each.name for each in benchmark().available() if each.available][-1]
    kernel = native.unet.kernel("float32", side, 1, best)
    kernel.prepare()
    also = native.sampler.Sampler(kernel, native.clock.default()).collect(1, 1, 60.0).also
    told = sum(
        column[0]
        for name, column in also.items()
        if name.endswith(" FLOP") and name != "multiplied FLOP"
    )
    assert told == direct_flops(side)


def turns_of_zeros(side, allowed):
    turns = native.unet.Turns(side, allowed)
    for output in turns.outputs:
        turns.begin()
        output[:] = 0
        turns.end()
    return turns


def test_known_answers_are_of_all_sides():
    for side in SIDES:
        assert turns_of_zeros(side, 5.001).right()  # a fifth of channels
        assert not turns_of_zeros(side, 0.5).right()
    with pytest.raises(ValueError, match="There are no known answers of an image 17 pixels wide"):
        native.unet.Turns(17, 1.0)


def test_the_images_in_turn_are_different_ones():
    first, second = native.unet.Turns(16, 1.0).images
    assert first.shape == second.shape == (16, 16)
    assert (first != second).all()


class Faulty:
    """ONNX Runtime with a fault from the third image on: it leaves images out, or takes another."""

    name = "faulty"
    about = "made up"

    def __init__(self, fault):
        from stend.benchmarks.families.unet.peer import OnnxRuntime

        self.library, self.fault, self.taken = OnnxRuntime(), fault, 0

    def ready(self, images, outputs, threads):
        self.outputs = outputs
        self.library.ready(images, outputs, threads)

    def take(self, which):
        self.taken += 1
        if self.taken < 3:
            self.library.take(which)
        elif self.fault == "stale":
            self.outputs[which][:] = self.outputs[1 - which]


def test_onnx_runtime_is_proved_like_every_variant():
    from stend.benchmarks.families.unet.peer import OnnxRuntime, Peer

    work = Peer(OnnxRuntime(), 16, 1)
    assert work.variant == "onnxruntime"
    assert work.about.startswith("ONNX Runtime ")
    work.prepare()
    for count in (1, 2, 3):
        work()
        assert work.check(count)
    right, said = work.prove(3)
    assert right
    assert "3 of 3 repetitions wrote the output, of each image always the same bits" in said
    assert not work.prove(4)[0]


@pytest.mark.parametrize("fault", ["left out", "stale"])
def test_an_image_left_out_or_given_the_result_of_another_is_seen(fault):
    from stend.benchmarks.families.unet.peer import Peer

    work = Peer(Faulty(fault), 16, 1)
    work.prepare()
    work(), work()
    assert work.check(2)
    work()
    assert not work.check(3)
    assert not work.prove(3)[0]
