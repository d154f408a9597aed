"""Means of playouts with their errors, the luck of the draw taken out."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any

import numpy as np

CONFIDENT = 1.96
"""Standard errors on either side of a mean that hold 95 % of a normal distribution."""
PER_CONTROL = 8
"""Playouts that each control needs at least."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval."""

    value: float
    error: float
    """Its standard error."""

    def interval(self, besides: float = 0.0) -> tuple[float, float]:
        """Return the interval of 95 %; ``besides`` is an error that playouts cannot show."""
        half = CONFIDENT * hypot(self.error, besides)
        return self.value - half, self.value + half


def controls(drawn: Any, known: int, first: int, players: int) -> Any:
    """Return by playout and kind of tile how many more the player to move draws than expected.

    The turn at each tile is fixed as if every tile had a place. The expected number follows from
    the bag alone. So each control has the mean 0, even if the true turns differ.

    Args:
        drawn: kinds by playout, in the order of drawing.
        known: how many of them, the first, come in known order.
        first: the place of the next tile in the round: 0 if the player to move draws it.
        players: the number of players.

    """
    loose = drawn[:, known:]
    count, tiles = loose.shape
    if tiles <= 1:
        return np.zeros((count, 0))
    places = (np.arange(tiles) + known + first) % players
    signs = np.where(places == 0, 1.0, -1.0 / max(1, players - 1))
    kinds, inside = np.unique(loose[0], return_counts=True)
    found = np.stack([(loose == kind) @ signs for kind in kinds], axis=1)
    found = found - inside / tiles * signs.sum()
    # The last kind follows from the others.
    return found[:, :-1]


def mean(values: Any, by: Any, together: int = 1) -> Mean:
    """Return the mean of values, with controls of mean 0 taken out by least squares.

    Control variates by regression: Glasserman, Monte Carlo Methods in Financial Engineering, 4.1.

    Args:
        values: one number a playout.
        by: the controls of the same playouts; unused if the playouts are few.
        together: how many playouts in a row share a lot, so that their values hang together. Only
            such groups are independent; errors within a group add up.

    """
    count = values.size
    if by.shape[1] == 0 or count < PER_CONTROL * by.shape[1]:
        center = float(values.mean())
        return Mean(center, _error(values - center, 1, together))
    design = np.column_stack((np.ones(count), by))
    fit, _, rank, _ = np.linalg.lstsq(design, values, rcond=None)
    return Mean(float(fit[0]), _error(values - design @ fit, int(rank), together))


def _error(left: Any, fitted: int, together: int) -> float:
    """Return the standard error of a mean by what a fit of some numbers leaves of each playout."""
    count = left.size
    if count <= fitted:
        return 0.0
    groups = count // together
    if together > 1 and groups > 1:
        sums = left[: groups * together].reshape(groups, together).sum(axis=1)
        square = float(sums @ sums) * groups / (groups - 1)
    else:
        square = float(left @ left)
    return sqrt(square / count / (count - fitted))
