"""`stend gost`: the verbs of `stend-gost`, and how fast the ciphers are on this machine."""

from collections.abc import Callable

from stend.cli.engine import engine_verb
from stend.cli.gost import speed

HELP = "The GOST ciphers Kuznyechik and Magma on files and pipes, as `stend-gost` does."
VERBS: dict[str, Callable[..., None]] = {
    name: engine_verb("gost", name, about)
    for name, about in (
        ("encrypt", "Encrypt a file or a pipe; any change of it is detected."),
        ("decrypt", "Decrypt what `stend gost encrypt` wrote, and release authentic data only."),
        ("mac", "Print each file's OMAC (GOST R 34.13-2015, 5.6) and name, or check such lines."),
    )
} | {"speed": speed.verb}
