"""The policy that plays games to their end for estimates: its weights, read from plain data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from burgrave.model.registry import CARCASSONNE, split

LEFTS = 160
"""Rows of weights: one for each number of tiles left."""
FORESEEN = 2
"""The last turns, which the policy does not choose at sight."""
MOST_IN_SUPPLY = 8
"""Most followers in a supply; the weights of 0 to 8 of them come first in a row."""
HELD_DEAR = 8.0
"""Points that it must bring to place one of the last followers."""


@lru_cache
def parameters() -> Mapping[str, Any]:
    """Return the numbers of the policy for each game, by id, as ``policy.toml`` has them."""
    text = files("burgrave.solver.simulation").joinpath("policy.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def mistakes(game: str, left: int) -> float:
    """Return the standard error of estimates that the policy's own mistakes cause, in points.

    It was measured with few tiles left. With more each turn at sight adds an independent error of
    the size that one such turn makes, so that the errors add up like steps of a random walk.
    ``left`` tiles are left after the turn.
    """
    measured = parameters()["mistakes"][_like(game)]
    few = measured["few"]
    if left == 0:
        # Every last turn is compared by the totals.
        return 0.0
    if left <= len(few):
        return float(few[left - 1])
    return float(max(few[-1], measured["spread"] * (left - FORESEEN) ** 0.5))


@lru_cache
def weights(game: str, reserve: int = 0) -> Any:
    """Return the weights by which the kernel judges positions; do not write to them.

    They are floating-point numbers by tiles left after the turn and weight. The ``reserve`` is how
    many followers in a supply are worth ``HELD_DEAR`` points more each: their player keeps them.
    """
    found = rows(game, parameters()[_like(game)])
    found[:, : MOST_IN_SUPPLY + 1] += HELD_DEAR * np.minimum(np.arange(MOST_IN_SUPPLY + 1), reserve)
    return found


def _like(game: str) -> str:
    """Return the game whose numbers serve a game: itself, or the largest within it that has any."""
    base, expansions = split(game)
    parts = {known: split(known) for known in parameters()["mistakes"]}
    within = (one for one, (of, more) in parts.items() if of == base and {*more} <= {*expansions})
    return str(max(within, key=lambda one: len(parts[one][1])))


def rows(game: str, numbers: Mapping[str, float]) -> Any:
    """Return new weights as ``weights`` does, from other numbers than those of ``policy.toml``."""
    row = _plane_row if split(game)[0] == CARCASSONNE else _castle_row
    return np.array([row(numbers, left) for left in range(LEFTS)])


def _chance(left: int, slow: float, steps: float = 1.0) -> float:
    """Return the estimated probability of a number of steps with the tiles left."""
    return float((left / (left + max(slow, 0.01))) ** steps)


def _supply(numbers: Mapping[str, float], left: int, most: int) -> list[float]:
    """Return the points of 0, 1, … followers in the supply."""
    factor = _chance(left, numbers["supply_slow"])
    points, each = [0.0], numbers["supply"]
    for _ in range(most):
        points.append(points[-1] + each * factor)
        each *= numbers["supply_decay"]
    return points


_SOON = ("growth", "prisoner", "piece", "minor", "exposed", "later")
"""The numbers of a plane, in the kernel's order, that count by the chance of an early turn."""


def _plane_row(numbers: Mapping[str, float], left: int) -> list[float]:
    """Return the weights for a number of tiles left, as ``kernel.plane_outlook`` reads them."""
    soon = _chance(left, numbers["supply_slow"])
    return [
        *_supply(numbers, left, MOST_IN_SUPPLY),
        *(_chance(left, numbers[f"{kind}_slow"], n) for kind in ("city", "road") for n in range(8)),
        _chance(left, numbers["ring_slow"]),
        *(_chance(left, numbers["ring_slow"], missing) for missing in range(9)),
        numbers["home"] * soon,
        numbers["near_field"] * _chance(left, numbers["city_slow"]),
        *(numbers[name] * soon for name in _SOON),
        numbers["stake"],
    ]


def _castle_row(numbers: Mapping[str, float], left: int) -> list[float]:
    """Return the weights for a number of tiles left, as ``kernel.castle`` reads them."""
    soon = _chance(left, numbers["supply_slow"])
    kinds = ("path", "tower", "house", "court", "chapel")
    return [
        *_supply(numbers, left, MOST_IN_SUPPLY),
        *(_chance(left, numbers[f"{kind}_slow"], cells) for kind in kinds for cells in range(9)),
        numbers["home"] * soon,
        numbers["markets"] * soon,
        numbers["keep"],
        0.0,
        # Only who has another turn can still play a wall tile 1.
        numbers["tile_1"] * (left > 1),
        *(numbers[f"tile_{number}"] for number in range(2, 10)),
        numbers["token"],
        numbers["special"] * soon,
        numbers["minor"] * soon,
        float(left <= numbers["late"]),
        numbers["again"] * (left <= numbers["again_late"]),
    ]
