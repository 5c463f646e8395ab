"""A process of its own for each: loads the network from its ONNX file, takes one image.

    python whole.py

Prints a table: how far the output is from that of the reference in double precision
(reference.py), and the memory resident at the end and at most, of the whole process.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import reference

SIDE = 256
PEER = "onnxruntime"


def taken(name: str, file: str, image: np.ndarray) -> tuple[object, np.ndarray]:
    """What is ready for the next image, and the output, as users of each get them.

    Nothing that one of them doesn't need is imported.
    """
    if name == PEER:
        import onnxruntime

        options = onnxruntime.SessionOptions()  # whose defaults are every optimisation and arena
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(file, options, ["CPUExecutionProvider"])
        return session, session.run(None, {session.get_inputs()[0].name: image})[0]
    import stend_unet as unet

    precision, variant = name.split()
    network = unet.Network(file, precision=precision, variant=variant)
    return network, network(image)


def child(name: str, file: str, folder: str) -> None:
    """Take the image, leave the output in the folder, and print both figures of memory, kB."""
    _ready, output = taken(name, file, np.load(f"{folder}/image.npy"))
    status = Path("/proc/self/status").read_text(encoding="ascii")
    words = dict(line.split(":", 1) for line in status.splitlines())
    np.save(f"{folder}/output.npy", output)
    print(words["VmRSS"].split()[0], words["VmHWM"].split()[0])


def main(folder: str) -> None:
    """Print the table."""
    import stend_unet as unet

    file = f"{folder}/classic.onnx"
    Path(file).write_bytes(unet.to_onnx(unet.classic(seed=reference.NETWORK_SEED)))
    np.save(f"{folder}/image.npy", reference.image(SIDE)[None, None])
    exact = reference.output(SIDE)
    names = [PEER] + [
        f"{precision} {variant}"
        for precision in unet.precisions()
        for variant in unet.variants(precision)
        if variant != "reference"
    ]
    print("| | largest error | root mean square | resident MB | at most MB |")
    print("| --- | --- | --- | --- | --- |")
    for name in names:
        words = [sys.executable, __file__, name, file, folder]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        resident, most = (int(word) * 1024 / 1e6 for word in done.stdout.split())
        off = np.load(f"{folder}/output.npy")[0] - exact
        scale = np.abs(exact).max()
        print(
            f"| {name} | {np.abs(off).max() / scale:.2e} | {np.sqrt((off**2).mean()) / scale:.2e} "
            f"| {resident:.0f} | {most:.0f} |"
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(*sys.argv[1:])
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(scratch)
