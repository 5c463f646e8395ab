"""Slices while the scan goes on, and whether more projections would still change them.

Projections go in as they arrive, in any order; what they show so far comes out at any time.
"""

import math
from typing import TYPE_CHECKING, Unpack

import numpy as np

from stend_tomo import native
from stend_tomo.errors import BadOption, BadProjections, Parameter
from stend_tomo.reconstructor import MOST_PIXELS, Options, Reconstructor
from stend_tomo.validation import (
    check_count,
    check_projections,
    checked_angles,
    positive,
    shaped,
    whole,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LOOKED_BACK = 3
"""Changes whose mean the next one is expected to be: a single one may be small by chance."""
NEGLIGIBLE = 1e-9
"""Radians: a weight that changed by less is the same."""


class Anytime:
    """A monitored reconstruction (Bulatov et al., IEEE Access 8, 2020, 110759).

        monitored = Anytime(columns)
        while not monitored.enough(0.01):
            monitored.add(*next_projections())      # (projections, rows, columns), their angles
        slices = monitored.slices()

    Each projection weighs its share of the half circle among those that have arrived. Back
    projection ("fbp") is a sum, and a new projection changes the weights of few others:
    so a look projects back those alone. Other algorithms begin again at each look, whose
    time then depends little on how many projections there are.
    """

    def __init__(self, columns: int, *, rows: int = 1, **options: Unpack[Options]) -> None:
        """Await projections of rows × columns pixels; options are those of `reconstruct`.

        Raises:
            BadOption: an option can't be, or is `taper`: a scan that goes on has no ends.
        """
        if options.get("taper"):
            raise BadOption(
                "A running scan has no ends yet that could be tapered.", parameter="taper"
            )
        size = Reconstructor(columns, [0.0], **options).size
        rows = whole(rows, Parameter("rows", "The number of detector rows"), MOST_PIXELS)
        self._options = options
        self._projections = np.empty((0, rows, columns), np.float32)  # with room for more
        self._angles = np.empty(0)
        self._weights = np.empty(0)  # at the last look
        self._slices = np.zeros((rows, size, size), np.float32)
        self._inside = _circle(size)
        self._changes: list[float] = []

    @property
    def arrived(self) -> int:
        """How many projections there are."""
        return len(self._angles)

    def add(self, projections: "ArrayLike", angles: "ArrayLike") -> None:
        """Take a projection, (rows, columns), and its angle in radians, or several of them.

        Raises:
            BadProjections: they have another shape, or hold what is no finite number.
            BadAngles: they are not one a projection, or no numbers.
        """
        given = shaped(projections)
        given = given[None] if len(given.shape) == 2 else given
        check_projections(given, sinogram_order=False)
        radians = checked_angles(np.atleast_1d(angles))
        check_count(radians.size, given.shape[0])
        if given.shape[1:] != self._projections.shape[1:]:
            raise BadProjections(
                f"These projections have (rows, columns) {given.shape[1:]}; "
                f"{self._projections.shape[1:]} are expected."
            )
        arriving = np.asarray(given, np.float32)
        if not np.isfinite(arriving).all():
            at = tuple(int(i) for i in np.argwhere(~np.isfinite(arriving))[0])
            raise BadProjections(
                f"projections{list(at)} is {arriving[at]}; none of them was taken."
            )
        self._append(arriving, radians)

    def slices(self) -> "NDArray[np.float32]":
        """Give what all that has arrived shows: (rows, size, size), zeros when nothing has."""
        self._look()
        return self._slices.copy()

    def expected_change(self) -> float:
        """Give by how much the next look is expected to change the slices.

        That is the root mean square of the change inside the circle, as a part of the slices' own,
        averaged over the last three looks; infinite until there were as many. It foretells the next
        one as far as as many projections come between looks, and come from all around: in an
        order like the golden angle's, not from one side after the other.
        """
        self._look()
        if len(self._changes) < LOOKED_BACK:
            return math.inf
        return sum(self._changes[-LOOKED_BACK:]) / LOOKED_BACK

    def enough(self, tolerance: float) -> bool:
        """Look, and tell whether more projections would cost more than they change.

        The rule looks one step ahead: stop as soon as the expected change by the next look is no
        larger than what that look costs, `tolerance`, on the same scale. It is the optimal one if
        expected changes only get smaller, as they do when projections fill gaps between others.
        """
        return self.expected_change() <= positive(
            tolerance, Parameter("tolerance", "The tolerance")
        )

    def _append(self, arriving: "NDArray[np.float32]", radians: "NDArray[np.float64]") -> None:
        before, after = self.arrived, self.arrived + len(arriving)
        if after > len(self._projections):
            room = np.empty((2 * after, *self._projections.shape[1:]), np.float32)
            room[:before] = self._projections[:before]
            self._projections = room
        self._projections[before:after] = arriving
        self._angles = np.concatenate([self._angles, radians])

    def _look(self) -> None:
        """Bring the slices up to what has arrived, and note by how much that changed them."""
        known = len(self._weights)
        if known == self.arrived:
            return
        change = self._change()
        if known:
            self._changes.append(self._size(change) / (self._size(self._slices) or math.inf))

    def _size(self, slices: "NDArray[np.float32]") -> float:
        squares = np.einsum("kij,kij,ij->k", slices, slices, self._inside)
        return math.sqrt(squares.sum(dtype=np.float64))

    def _change(self) -> "NDArray[np.float32]":
        weights = np.array(native.angle_weights(self._angles.tolist(), 0.0))
        if self._options.get("algorithm") == "fbp":
            change = self._of_changed(weights)
            self._slices += change
        else:
            everything = self._reconstruct(self._angles, self._projections[: self.arrived])
            change = everything - self._slices
            self._slices = everything
        self._weights = weights
        return change

    def _of_changed(self, weights: "NDArray[np.float64]") -> "NDArray[np.float32]":
        """Project back what weighs more or less than at the last look, by the difference."""
        difference = weights.copy()
        difference[: len(self._weights)] -= self._weights
        changed = np.flatnonzero(np.abs(difference) > NEGLIGIBLE)
        angles = self._angles[changed]
        alone = np.array(native.angle_weights(angles.tolist(), 0.0))
        factors = (difference[changed] / alone).astype(np.float32)
        return self._reconstruct(angles, self._projections[changed] * factors[:, None, None])

    def _reconstruct(
        self, angles: "NDArray[np.float64]", projections: "NDArray[np.float32]"
    ) -> "NDArray[np.float32]":
        columns = projections.shape[2]
        return Reconstructor(columns, angles, **self._options)(projections)


def _circle(size: int) -> "NDArray[np.float32]":
    """1 inside the slice's circle, 0 outside, which not all projections see."""
    along = np.arange(size) - (size - 1) / 2
    within: NDArray[np.bool_] = np.hypot(along[None, :], along[:, None]) <= size / 2
    return within.astype(np.float32)
