"""Chains of loads through the bindings: pages as asked for, columns, refusals."""

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from stend.native import Kernel, Unavailable, clock, latency, sampler

CPUS = len(os.sched_getaffinity(0))


def prepared(kernel: Kernel) -> Kernel:
    """Without huge pages only where the system gives none to anybody else either."""
    for _ in range(3):  # it may refuse them for the moment
        try:
            kernel.prepare()
        except Unavailable as error:
            if not huge_pages_are_given():
                pytest.skip(str(error))
        else:
            return kernel
    raise AssertionError("the system gives huge pages, and the kernel does not get them")


def huge_pages_are_given() -> bool:
    """Asked with other means: of as much memory as the tests want, gathered (MADV_COLLAPSE)."""
    collapse = 25  # Linux 6.1, which Python does not name
    with mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        try:
            memory.madvise(mmap.MADV_HUGEPAGE)
            memory.write(b"x" * (16 << 20))
            memory.madvise(collapse)
        except OSError:
            return False
    return True


def mappings() -> list[dict[str, str]]:
    """Every mapping of this process, as the system describes its pages."""
    text = Path("/proc/self/smaps").read_text()
    parts = re.split(r"^[0-9a-f]+-[0-9a-f]+ .*\n", text, flags=re.M)[1:]
    return [dict(re.findall(r"^(\w+):\s+(.*?)(?: kB)?\s*$", part, re.M)) for part in parts]


@pytest.mark.parametrize(("pages", "huge"), [("normal", 0), ("huge", 8192)])
def test_the_memory_is_made_of_the_pages_that_were_asked_for(pages: str, huge: int) -> None:
    kernel = prepared(latency.chase(8 << 20, pages))
    flag = "nh" if pages == "normal" else "hg"
    found = [
        m
        for m in mappings()
        if m["Size"] == "8192" and m["Rss"] == "8192" and flag in m["VmFlags"].split()
    ]
    assert [int(m["AnonHugePages"]) for m in found] == [huge]
    assert kernel.prove().right


@pytest.mark.parametrize("pages", ["normal", "huge"])
@pytest.mark.parametrize("size", [4096, 4160, 3 << 20])
def test_every_load_is_proved(pages: str, size: int) -> None:
    kernel = prepared(latency.chase(size, pages))
    assert sampler.Sampler(kernel, clock.default()).collect(1001, 30, 5.0).right
    proof = kernel.prove()
    assert proof.right
    lines = (size // 64 - 1) | 1  # an odd number, which no batch of the calibration divides
    assert f"all {lines} lines, and 30030 loads ended" in proof.said


def observed(kernel: Kernel) -> Iterator[sampler.Repetitions]:
    """Five observations, and again: a reader whose CPU is taken away reads nothing for a while."""
    collector = sampler.Sampler(kernel, clock.default())
    for _ in range(100):
        made = collector.collect(1, 5, 5.0)
        assert made.right
        yield made


def test_a_loaded_latency_tells_what_the_others_read() -> None:
    if CPUS < 2:
        pytest.skip("one CPU is all that this process may use")
    kernel = prepared(latency.loaded(8 << 20, 1, 10))
    assert (kernel.threads, kernel.variant) == (2, "plain")
    some_were_read = False
    for made in observed(kernel):
        assert made.values is not None
        assert (made.values > 0).all()
        assert list(made.also) == ["injected B/s"]
        injected = made.also["injected B/s"]
        assert injected.dtype == np.float64
        assert (injected >= 0).all()
        if some_were_read := bool((injected > 0).any()):
            break
    assert some_were_read
    assert kernel.prove().right


def test_readers_that_idle_inject_less() -> None:
    if CPUS < 2:
        pytest.skip("one CPU is all that this process may use")
    idle, busy = (prepared(latency.loaded(8 << 20, 1, delay)) for delay in (5000, 0))
    most = 0.0  # of one that idles; any that is held up as well injects still less
    for few, many in zip(observed(idle), observed(busy), strict=True):
        most = max(most, few.also["injected B/s"].max())
        if most > 0 and np.median(many.also["injected B/s"]) > 2 * most:
            return
    pytest.fail(f"no reader that never idles injected twice as much as {most} B/s")


@pytest.mark.parametrize(
    ("size", "pages", "said"),
    [
        (100, "normal", "multiple of 64"),
        (0, "huge", "at least 3"),
        (4096, "large", "there are normal and huge"),
    ],
)
def test_a_chase_that_cannot_be_is_one_sentence(size: int, pages: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        latency.chase(size, pages)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((1 << 20, CPUS, 0), f"may use {CPUS} CPUs"),
        ((1 << 20, 0, 0), "One CPU was given"),
    ],
)
def test_readers_without_a_cpu_are_refused(arguments: tuple[int, int, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        latency.loaded(*arguments)


def test_more_than_the_memory_holds_is_refused_before_it_is_touched() -> None:
    if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >= 1 << 38:
        pytest.skip("the longest cycle fits into this machine's memory")
    with pytest.raises(MemoryError, match="does not fit"):
        latency.chase(1 << 38, "normal").prepare()
