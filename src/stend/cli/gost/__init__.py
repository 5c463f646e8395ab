"""`stend gost`: the ciphers on files and pipes; one file a verb."""

from collections.abc import Callable

from stend.cli.gost import decrypt, encrypt, mac, speed

HELP = (
    "The GOST ciphers Kuznyechik and Magma on files and pipes.\n\n"
    "A key is 32 bytes, in a file or an environment variable, never on the command line: "
    "`(umask 077; head -c 32 /dev/urandom > my.key)` makes one."
)

VERBS: dict[str, Callable[..., None]] = {
    "encrypt": encrypt.verb,
    "decrypt": decrypt.verb,
    "mac": mac.verb,
    "speed": speed.verb,
}
