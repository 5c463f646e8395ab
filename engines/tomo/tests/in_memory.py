"""Scans' frames and volumes in memory, which tell what was asked of them."""

import threading

import numpy as np
from numpy.typing import NDArray


class Stored:
    """Frames that note which rows were read of them and by whom."""

    def __init__(self, content: NDArray[np.generic]) -> None:
        self.content = content
        self.read: list[tuple[int, int, str]] = []

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.content.shape

    @property
    def dtype(self) -> np.dtype[np.generic]:
        return self.content.dtype

    def rows(self, first: int, last: int) -> NDArray[np.generic]:
        self.read.append((first, last, threading.current_thread().name))
        return self.content[:, first:last]

    def frame(self, index: int) -> NDArray[np.generic]:
        return self.content[index]


class Kept:
    """A volume; what was not written is no number."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.slices = np.full(shape, np.nan, np.float32)
        self.written, self.finished = 0, False

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.slices.shape

    def write(self, first: int, slices: NDArray[np.float32]) -> None:
        assert first == self.written
        self.written += len(slices)
        self.slices[first : self.written] = slices

    def finish(self) -> None:
        self.finished = True
