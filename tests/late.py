"""Ends of random games that the kernel lists in a fraction of the time of the rules engine."""

from __future__ import annotations

import random
from functools import cache, partial

from benchmarks.work import GAMES
from burgrave.model.draws import as_seen
from burgrave.model.engine import play
from burgrave.model.files.games import shipped_game
from burgrave.model.position import Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.simulation.walk import Walk


@cache
def played(name: str, seed: int) -> list[Position]:
    """Return the positions of a random game, named shortly or by its id, played by the rules."""
    rng = random.Random(seed)
    found = [new_position(GAMES.get(name, partial(shipped_game, name))(), rng)]
    walk = Walk(found[0])
    while left := found[-1].order:
        drawn = next((at for at, tile in enumerate(left) if walk.fits(tile)), None)
        last = drawn is None or drawn == len(left) - 1
        turn = rng.choice(walk.turns(None if drawn is None else left[drawn], last=last))
        move = walk.move(turn, left[:drawn])
        walk.play(turn, last=last)
        found.append(play(found[-1], move).position)
    return found


def near_end(name: str, tiles: int, seed: int) -> Position:
    """Return a random game with so many tiles to come, all known."""
    return next(one for one in played(name, seed) if len(one.order) <= tiles)


def late(name: str, tiles: int, seed: int) -> Position:
    """Return what players see of a random game with so many tiles to come, the next one known."""
    return as_seen(near_end(name, tiles, seed))
