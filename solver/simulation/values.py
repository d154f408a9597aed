"""The learned value of positions: its weights, read from plain data.

The value of a player is the policy's outlook plus a sum: each number that the kernel tells of the
player, times a weight that depends on the tiles left. ``python -m benchmarks.learn_values`` learns
the weights from games of the program with itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np

from burgrave.model.errors import FileError
from burgrave.model.naming import quoted
from burgrave.model.registry import CARCASSONNE, GAMES, split
from burgrave.solver.kernel.castle_value import CASTLE_SEEN
from burgrave.solver.kernel.plane_value import PLANE_SEEN
from burgrave.solver.simulation.policy import LEFTS

FULL = 72.0
"""Tiles left that count as one in the powers below."""
POWERS = 3
"""A weight is a polynomial in the tiles left, with so many coefficients, the constant first."""
Rows: TypeAlias = dict[str, list[list[float]]]
"""By name the coefficients of the weight of each number."""


def seen(game: str) -> tuple[tuple[str, int], ...]:
    """Return the names of the numbers of a player in a game, with how many there are of each."""
    return PLANE_SEEN if split(game)[0] == CARCASSONNE else CASTLE_SEEN


def powers() -> Any:
    """Return by tiles left the powers of their share of a full bag, the constant first."""
    return (np.arange(LEFTS) / FULL)[:, None] ** np.arange(POWERS)


def read_values(name: str, text: str) -> dict[str, dict[str, Rows]]:
    """Return the weights of a file: game → number of players → name → coefficients.

    Args:
        name: the file, for errors.
        text: its content.

    Raises:
        FileError: the file is damaged; the message names the first fault.

    """
    # pydantic loads late.
    from burgrave.model.files.toml import parse, validate  # noqa: PLC0415
    from burgrave.solver.simulation.values_file import ValuesFile  # noqa: PLC0415

    try:
        games = validate(name, parse(name, text), ValuesFile, "values").games
        problem = next(_wrong_numbers(games), "")
    except FileError as error:
        problem = error.problems[0]
    if problem:
        helps = "install the program again, or learn the weights anew"
        raise FileError(name, [f"{problem}; {helps}"])
    return games


def _wrong_numbers(games: Mapping[str, Mapping[str, Rows]]) -> Iterator[str]:
    """Yield where weights are not those of the numbers that the kernel tells in a game."""
    for game, by_players in games.items():
        if game not in GAMES:
            yield f"games: no game is named {quoted(game)}"
            continue
        wanted = dict(seen(game))
        for players, rows in by_players.items():
            place = f"games.{game}.{players}"
            for name in sorted(wanted.keys() - rows):
                yield f"{place}.{name}: is missing"
            for name, row in rows.items():
                if len(row) != wanted.get(name):
                    yield f"{place}.{name}: {len(row)} entries, expected {wanted.get(name, 'none')}"


@lru_cache
def _learned() -> Mapping[str, Mapping[str, Rows]]:
    """Return the weights that ``values.json`` has."""
    text = files("burgrave.solver.simulation").joinpath("values.json").read_text(encoding="utf-8")
    return read_values("values.json", text)


def learned(game: str) -> bool:
    """Tell whether weights were learned for a game; for others the outlook alone judges."""
    return game in _learned()


@lru_cache
def values(game: str, players: int) -> Any:
    """Return the learned weights, by tiles left and number; do not write to them.

    Those for the nearest number of players are taken. A game without any has the value that the
    outlook tells: all weights are 0.
    """
    names = seen(game)
    by_players = _learned().get(game, {})
    if not by_players:
        return np.zeros((LEFTS, sum(size for _, size in names)))
    nearest = min(by_players, key=lambda known: abs(int(known) - players))
    found = by_players[nearest]
    return powers() @ np.array([row for name, _ in names for row in found[name]]).T
