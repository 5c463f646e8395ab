"""Sorts n numbers, and tells in JSON how long each of two ways took."""

import json
import random
import sys
import time

numbers = random.Random(1).sample(range(int(sys.argv[1])), int(sys.argv[1]))


def took(work):
    """Seconds that a way takes."""
    began = time.perf_counter()
    assert work() == list(range(len(numbers)))
    return time.perf_counter() - began


def insertion():
    """Each number put where it belongs among those before it."""
    found = []
    for number in numbers:
        at = len(found)
        while at and found[at - 1] > number:
            at -= 1
        found.insert(at, number)
    return found


seconds = {"sorted": took(lambda: sorted(numbers)), "insertion": took(insertion)}
print(json.dumps({"seconds": seconds}))
