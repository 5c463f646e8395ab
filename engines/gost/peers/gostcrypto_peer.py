"""The package gostcrypto as a peer: see foreign.cpp for what is asked and answered.

Its objects hold a key and where a message stands, so that each message makes one and with it the
round keys.
"""

import sys
import time
from collections.abc import Callable

from gostcrypto import gostcipher

MODES = {
    "ecb": gostcipher.MODE_ECB,
    "cbc": gostcipher.MODE_CBC,
    "cfb": gostcipher.MODE_CFB,
    "ofb": gostcipher.MODE_OFB,
    "ctr": gostcipher.MODE_CTR,
    "mac": gostcipher.MODE_MAC,
}


def worker(
    key: bytearray, iv: bytearray, cipher: str, mode: str, direction: str
) -> Callable[[bytearray], bytearray]:
    """What makes of a message what has to come out."""
    algorithm = "kuznechik" if cipher == "kuznyechik" else "magma"
    block = 16 if cipher == "kuznyechik" else 8
    options = (
        {}
        if mode in {"ecb", "mac"}
        else {"init_vect": iv[: block // 2 if mode == "ctr" else block]}
    )

    def work(data: bytearray) -> bytearray:
        made = gostcipher.new(algorithm, key, MODES[mode], **options)
        if mode == "mac":
            made.update(data)
            return bytearray(made.digest(block))
        return bytearray(made.encrypt(data) if direction == "encrypt" else made.decrypt(data))

    return work


def main() -> None:
    """Answer until there are no more questions."""
    key, iv = (bytearray.fromhex(word) for word in sys.argv[1:])
    for line in sys.stdin:
        verb, *what, last = line.split()
        if verb == "message":
            print(worker(key, iv, *what)(bytearray.fromhex(last)).hex(), flush=True)
            continue
        *what, size = what
        data = bytearray(i & 255 for i in range(int(size)))
        work = worker(key, iv, *what)
        begin = time.perf_counter()
        for _ in range(int(last)):
            work(data)
        print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
