"""The small U-Net, in JAX: weights drawn by chance, and what they make of a batch of images.

Comes in: a seed, or weights and images (count, height, width); goes out: weights by the names of
their layers, or the logit that each pixel belongs to an inclusion, of the same shape.

Convolutions are 3×3 with zeros around and no normalization between them, so that what is trained is
what is exported.
"""

import jax
import jax.numpy as jnp

CHANNELS, DEPTH = 16, 3

Weights = dict[str, jax.Array]
"""`NAME.weights` and `NAME.bias` of each layer: a convolution's (kernel, kernel, inputs, outputs),
a transposed one's (inputs, 2, 2, outputs)."""


def layers() -> dict[str, tuple[int, ...]]:
    """The shape of each layer's weights, in the order in which they are run."""
    shapes: dict[str, tuple[int, ...]] = {}
    inputs = 1
    for level in range(DEPTH + 1):
        channels = CHANNELS << level
        shapes[f"down{level}.first"] = (3, 3, inputs, channels)
        shapes[f"down{level}.second"] = (3, 3, channels, channels)
        inputs = channels
    for level in reversed(range(DEPTH)):
        channels = CHANNELS << level
        shapes[f"up{level}.transposed"] = (2 * channels, 2, 2, channels)
        shapes[f"up{level}.first"] = (3, 3, 2 * channels, channels)
        shapes[f"up{level}.second"] = (3, 3, channels, channels)
    shapes["last"] = (1, 1, CHANNELS, 1)
    return shapes


def drawn(seed: int) -> Weights:
    """Weights of a variance of 2 / fan-in (He et al., ICCV 2015), biases of 0."""
    weights = {}
    keys = jax.random.split(jax.random.key(seed), len(layers()))
    for key, (name, shape) in zip(keys, layers().items(), strict=True):
        fan_in = shape[0] if name.endswith("transposed") else shape[0] * shape[1] * shape[2]
        weights[f"{name}.weights"] = jax.random.normal(key, shape) * jnp.sqrt(2 / fan_in)
        weights[f"{name}.bias"] = jnp.zeros(shape[-1])
    return weights


def logits(weights: Weights, images: jax.Array) -> jax.Array:
    now, seen = images[..., None], []
    for level in range(DEPTH + 1):
        now = jax.nn.relu(convolved(weights, f"down{level}.first", now))
        now = jax.nn.relu(convolved(weights, f"down{level}.second", now))
        if level < DEPTH:
            seen.append(now)
            now = pooled(now)
    for level in reversed(range(DEPTH)):
        now = enlarged(weights, f"up{level}.transposed", now)
        now = jnp.concatenate([seen[level], now], axis=-1)
        now = jax.nn.relu(convolved(weights, f"up{level}.first", now))
        now = jax.nn.relu(convolved(weights, f"up{level}.second", now))
    return convolved(weights, "last", now)[..., 0]


def convolved(weights: Weights, name: str, images: jax.Array) -> jax.Array:
    sums = jax.lax.conv_general_dilated(
        images,
        weights[f"{name}.weights"],
        window_strides=(1, 1),
        padding="SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )
    return sums + weights[f"{name}.bias"]


def pooled(images: jax.Array) -> jax.Array:
    count, height, width, channels = images.shape
    return images.reshape(count, height // 2, 2, width // 2, 2, channels).max((2, 4))


def enlarged(weights: Weights, name: str, images: jax.Array) -> jax.Array:
    """Each pixel becomes 2×2, as ONNX's ConvTranspose with a stride of 2 defines it."""
    count, height, width, _ = images.shape
    fours = jnp.einsum("nhwc,cijd->nhiwjd", images, weights[f"{name}.weights"])
    return fours.reshape(count, 2 * height, 2 * width, -1) + weights[f"{name}.bias"]
