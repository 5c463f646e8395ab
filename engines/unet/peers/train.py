"""Train the small U-Net that finds inclusions: `train.py STATE [--seconds 60]`.

Comes in: the file that keeps the state of training, made when there is none; goes out: the same
file, after as many blocks as fit in the time. Called again and again it goes on until all steps are
done. `export.py` makes the ONNX file of it.

Adam (Kingma and Ba, ICLR 2015), at a rate that stays after a warm-up and then falls to 0 over the
last part. The loss is cross-entropy plus 1 - Dice (Milletari, Navab, Ahmadi, 3DV 2016), of the
exact shares that inclusions cover.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from network import Weights, drawn, logits
from patches import SEED, STEPS, block

BLOCKS = 42
FALLING = 0.28
"""The last part of training, in which the rate falls."""
RATE, WARM_UP = 1e-3, 100
FIRST, SECOND = 0.9, 0.999
"""Of the moments, what is kept at a step."""


class State(NamedTuple):
    step: jax.Array
    weights: Weights
    first: Weights
    second: Weights


def begun() -> State:
    weights = drawn(SEED)
    zeros = {name: jnp.zeros_like(each) for name, each in weights.items()}
    return State(jnp.zeros((), jnp.int32), weights, zeros, zeros)


def loss(weights: Weights, images: jax.Array, shares: jax.Array) -> jax.Array:
    found = logits(weights, images)
    entropy = jnp.mean(jax.nn.softplus(found) - shares * found)
    chance = jax.nn.sigmoid(found)
    dice = 2 * jnp.sum(chance * shares) / (jnp.sum(chance) + jnp.sum(shares) + 1)
    return entropy + 1 - dice


def rate(step: jax.Array) -> jax.Array:
    steps = BLOCKS * STEPS
    return (
        RATE * jnp.minimum(1, step / WARM_UP) * jnp.minimum(1, (steps - step) / (FALLING * steps))
    )


@jax.jit
def stepped(state: State, images: jax.Array, shares: jax.Array) -> tuple[State, jax.Array]:
    now, slopes = jax.value_and_grad(loss)(state.weights, images, shares)
    step = state.step + 1
    first = {n: FIRST * m + (1 - FIRST) * slopes[n] for n, m in state.first.items()}
    second = {n: SECOND * m + (1 - SECOND) * slopes[n] ** 2 for n, m in state.second.items()}
    pace = rate(step) * jnp.sqrt(1 - SECOND**step) / (1 - FIRST**step)
    weights = {
        n: w - pace * first[n] / (jnp.sqrt(second[n]) + 1e-8) for n, w in state.weights.items()
    }
    return State(step, weights, first, second), now


def save(state: State, file: Path) -> None:
    named = {
        f"{part}/{name}": each
        for part in ("weights", "first", "second")
        for name, each in getattr(state, part).items()
    }
    whole = file.with_suffix(".part.npz")
    np.savez(whole, step=state.step, **named)
    whole.replace(file)


def load(file: Path) -> State:
    with np.load(file) as kept:
        parts = {
            part: {n.split("/")[1]: jnp.array(kept[n]) for n in kept if n.startswith(part + "/")}
            for part in ("weights", "first", "second")
        }
        return State(jnp.array(kept["step"]), **parts)


def train(file: Path, seconds: float) -> None:
    began = time.monotonic()
    state = load(file) if file.exists() else begun()
    longest = 0.0
    while (number := int(state.step) // STEPS) < BLOCKS:
        before = time.monotonic()
        if before + longest > began + seconds:
            break
        losses = []
        for images, shares in block(number):
            state, now = stepped(state, images, shares)
            losses.append(now)
        save(state, file)
        longest = time.monotonic() - before
        print(
            f"block {number + 1} of {BLOCKS}: loss {np.mean(losses):.4f}, {longest:.1f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("state", type=Path, help="a file of NumPy's, .npz")
    parser.add_argument("--seconds", type=float, default=np.inf, help="end after so long, to go on")
    given = parser.parse_args()
    train(given.state, given.seconds)


if __name__ == "__main__":
    main()
