"""Tries one distribution, named on the command line, in an environment that has only it."""

import sys


def gost() -> None:
    """GOST R 34.12-2015, A.1.6: Kuznyechik encrypts the example's block."""
    from stend_gost import Cipher, Kuznyechik, modes

    key = bytes.fromhex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
    plain = bytes.fromhex("1122334455667700ffeeddccbbaa9988")
    context = Cipher(Kuznyechik(key), modes.ECB()).encryptor()
    assert (context.update(plain) + context.finalize()).hex() == "7f679d90bebc24305a468d42b9d4edcd"


def tomo() -> None:
    """A phantom is reconstructed from its projections."""
    import numpy as np

    import stend_tomo
    from stend_tomo.phantoms import line_integrals, phantom, picture

    angles = np.pi * np.arange(180) / 180
    head = phantom("shepp-logan")
    made = stend_tomo.reconstruct(line_integrals(head, angles, 127), angles)
    error = float(np.sqrt(np.mean((made - picture(head, 127)) ** 2)))
    assert error < 0.05, error


def unet() -> None:
    """The network in the wheel labels slices."""
    import numpy as np

    import stend_unet

    labels = stend_unet.segment(np.random.default_rng(1).normal(size=(1, 64, 64)))
    assert labels.shape == (1, 64, 64)


def stend() -> None:
    """The sources of the MPI program are there, which is compiled on first use."""
    from importlib.resources import files

    assert (files("stend") / "mpi_program" / "mpi" / "main.cpp").is_file()


if __name__ == "__main__":
    {"stend-gost": gost, "stend-tomo": tomo, "stend-unet": unet, "stend": stend}[sys.argv[1]]()
