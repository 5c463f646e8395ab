"""stend_unet.Network while it runs: threads, Ctrl-C, fork(), and memory that there isn't."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import stend_unet as unet

PATIENCE = 240.0
"""Seconds: only a hang takes longer, even on a busy machine."""

SMALL = unet.classic(channels=8, depth=2)
SIDE = 384
IMAGE = np.random.default_rng(1).normal(size=(1, 1, SIDE, SIDE)).astype(np.float32)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_heard_within_an_image(threads):
    network = unet.Network(SMALL, variant="reference", threads=threads)
    made = network.ready(SIDE, SIDE)
    outputs = np.full((1, 2, SIDE, SIDE), np.nan, np.float32)

    def interrupted():
        threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
        made.run(IMAGE, outputs)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert np.isnan(outputs).all()  # the run ended before its last step
    made.run(IMAGE, outputs)
    fresh = unet.Network(SMALL, variant="reference", threads=2)
    assert np.array_equal(fresh(IMAGE), outputs)


def test_ctrl_c_is_the_main_threads_and_no_others():
    network = unet.Network(SMALL, variant="reference")
    right = network(IMAGE)
    found = []
    worker = threading.Thread(target=lambda: found.append(network(IMAGE)))

    def interrupted():
        worker.start()
        os.kill(os.getpid(), signal.SIGINT)
        worker.join()

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    worker.join()
    assert np.array_equal(found[0], right)


def threads_of_this_process():
    return {task.name for task in Path("/proc/self/task").iterdir()}


def test_threads_stay_between_images_and_end_with_the_network():
    """By their ids: the system lists a thread for a moment after it was joined."""
    unet.Network(SMALL)(IMAGE)  # a BLAS that a fork has stopped starts its own threads again
    network = unet.Network(SMALL, threads=3)
    network.ready(SIDE, SIDE)
    before = threads_of_this_process()
    network(IMAGE)
    team = threads_of_this_process() - before
    assert len(team) == 2
    for _ in range(2):
        network(IMAGE)
        assert threads_of_this_process() - before == team
    del network
    for _ in range(1000):
        if not threads_of_this_process() & team:
            break
        time.sleep(0.01)
    assert not threads_of_this_process() & team


INHERITED = unet.Network(SMALL, threads=3)


def _twice_by_the_inherited():
    return INHERITED(IMAGE), INHERITED(IMAGE)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # threads and fork
def test_a_child_of_fork_works_with_the_network_it_inherits():
    right = INHERITED(IMAGE)
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        first, second = pool.submit(_twice_by_the_inherited).result(timeout=PATIENCE)
    assert np.array_equal(first, right)
    assert np.array_equal(second, right)
    assert np.array_equal(INHERITED(IMAGE), right)


LIMITED = """
import resource
from pathlib import Path

import numpy as np
import stend_unet as unet

def taken():
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()

model = unet.classic(channels=32, depth=2)
unet.Network(model).ready(64, 64)  # what is taken once
image = np.ones((64, 64), np.float32)
refused = 0
for variant in unet.variants():
    if variant == "blas":
        continue
    network = unet.Network(model, variant=variant)
    before = taken()
    for megabytes in range(0, 512, 16):
        resource.setrlimit(resource.RLIMIT_AS, (before + (megabytes << 20), -1))
        try:
            network.ready(512, 512)
        except unet.TooLittleMemory as error:
            assert str(error).endswith(".") and "bad_alloc" not in str(error), error
            assert taken() < before + (4 << 20), (variant, megabytes)
            refused += 1
        else:
            break
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    assert np.isfinite(network(image)).all()
print(refused)
"""


def test_memory_that_the_system_refuses_is_a_sentence_and_none_is_lost():
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert int(done.stdout) > 20
