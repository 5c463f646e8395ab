"""What callers give: images, options, arrays for the result, looked at before anything is computed.

Each thing that can't be is one sentence.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stend_unet.errors import BadBuffer, BadImages, BadOption, TooLittleMemory, UnetError
from stend_unet.native import Model

MOST_THREADS = 4096
LONGEST = 10**20
"""What is shown of a whole number; Python refuses to write out those of thousands of digits."""


@contextmanager
def sentences() -> Iterator[None]:
    """Raise what the compiled part refuses as errors of this package."""
    try:
        yield
    except UnetError:
        raise
    except MemoryError as error:
        said = str(error)
        if said in ("", "std::bad_alloc"):  # no sentence of this project's
            said = "There is not enough memory; use smaller images, or a smaller network."
        raise TooLittleMemory(said) from None
    except ValueError as error:
        raise BadOption(str(error)) from None
    except RuntimeError as error:  # C++'s std::system_error, too
        if os.strerror(errno.EAGAIN) not in str(error):
            raise
        raise BadOption(f"The system made no more threads ({error}); ask for fewer.") from None


def checked_threads(threads: int | None) -> int:
    """Give how many threads shall work: by default one for each CPU that this process may use."""
    if threads is None:
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return checked_whole("The number of threads", threads, 1, MOST_THREADS)


def checked_whole(what: str, given: Any, least: int, most: int) -> int:
    """Give a whole number within bounds; `what` it is begins the error's sentence."""
    try:
        value = index(given)
    except TypeError:
        raise BadOption(f"{what} must be a whole number, not {type(given).__name__}.") from None
    if not least <= value <= most:
        shown = value if abs(value) < LONGEST else f"{'-' * (value < 0)}{LONGEST:g} or more"
        raise BadOption(f"{what} is {shown}; it must be {least} to {most}.")
    return value


def checked_path(given: Any, wanted: str) -> Path:
    """Give a path; `wanted` begins the error's sentence."""
    try:
        return Path(given)
    except TypeError:
        raise BadOption(f"{wanted}, not {type(given).__name__}.") from None


def checked_model(given: Any) -> Model:
    """Refuse what is no model."""
    if not isinstance(given, Model):
        raise BadOption(
            "A model must come from classic, read_model or shipped, not be a "
            f"{type(given).__name__}."
        )
    return given


def shaped(given: ArrayLike, what: str) -> Any:
    """Give what has a shape and a type as it is, so that it is read an image at a time."""
    array: Any = given
    kind = hasattr(getattr(array, "dtype", None), "kind")  # PyTorch tells types otherwise
    if not (hasattr(array, "shape") and kind and hasattr(array, "__getitem__")):
        try:
            array = np.asarray(array)
        except (TypeError, ValueError) as error:
            raise BadImages(f"The {what} are not an array: {error}.") from None
    if np.ma.is_masked(array):
        raise BadImages(f"Some of the {what} are masked; fill them first, array.filled(value).")
    return array


def check_pixels(array: Any, what: str) -> None:
    """Refuse an array of nothing, or of what are no real numbers."""
    if 0 in array.shape:
        raise BadImages(f"There is no data in {what} of shape {tuple(array.shape)}.")
    if array.dtype.kind not in "iufb":
        raise BadImages(f"Pixels of {what} must be integers or floating point, not {array.dtype}.")


def floats(image: Any, name: str) -> NDArray[np.float32]:
    """Give an image, or several, as contiguous float32.

    Raises:
        BadImages: a value is no finite number, or too large for float32; `name` begins the
            sentence, with its place.
    """
    stored = np.asarray(image)
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.ascontiguousarray(stored, np.float32)
    if not np.isfinite(values).all():
        place = np.unravel_index(int(np.argmin(np.isfinite(values))), values.shape)
        shown = ", ".join(map(str, place))
        raise BadImages(
            f"{name} has the value {stored[place]} at [{shown}]; a network takes only finite "
            "float32 numbers. Replace it first, for example with numpy.nan_to_num."
        )
    return values


def check_output(output: NDArray[np.float32]) -> None:
    """Refuse what is left of sums that outgrew float32: nothing can be said of it.

    Raises:
        BadImages: a value is infinite, or no number.
    """
    if not np.isfinite(output).all():
        place = np.unravel_index(int(np.argmin(np.isfinite(output))), output.shape)
        raise BadImages(
            f"The network's output has the value {output[place]} at "
            f"[{', '.join(map(str, place))}]: sums inside it exceeded float32. Scale the images "
            "like the training images, or check the weights."
        )


def checked_out(out: Any, shape: tuple[int, ...], dtype: type[np.generic], source: Any) -> Any:
    """Give the array that the result goes to: a new one unless one was given.

    One that was given may be on a disk: it has a shape, a type, and takes an image at an index.

    Raises:
        BadBuffer: the one that was given can't take the result.
    """
    if out is None:
        return np.empty(shape, dtype)
    wanted = f"an array of {np.dtype(dtype)} of shape {shape}"
    if not (hasattr(out, "shape") and hasattr(out, "dtype") and hasattr(out, "__setitem__")):
        raise BadBuffer(f"`out` must be {wanted}, not {type(out).__name__}.")
    if tuple(out.shape) != shape or out.dtype != np.dtype(dtype):
        raise BadBuffer(f"`out` must be {wanted}, not {out.dtype} of shape {tuple(out.shape)}.")
    if isinstance(out, np.ndarray) and not out.flags.writeable:
        raise BadBuffer(f"`out` must be {wanted} that is writable.")
    both = isinstance(out, np.ndarray) and isinstance(source, np.ndarray)
    if both and np.may_share_memory(out, source):
        raise BadBuffer("The array for the result overlaps the images; give an array of its own.")
    return out
