"""What each player may come by: a first look that keeps impossible things out of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.castle.final_uses import POINTS_TILE
from model.geometry import Cell
from model.rules.castle.final_tiles import TARGETS
from model.tiles import Kind
from solver.cpsat.gates import stopping
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.worth import bunches

MOST_TIMES = 4
"""A feature may be doubled twice, by both tiles of a number."""
MOST_A_TILE = {
    Kind.PATH: 2,
    Kind.TOWER: 2 * MOST_TIMES,
    Kind.HOUSE: MOST_TIMES,
}
"""Points that a tile can bring: twice that for a fountain, or the doublings."""
WITH_KINGS = {**MOST_A_TILE, Kind.PATH: 4, Kind.CHAPEL: 9}
"""Likewise with a king; 8 tiles of a chapel are worth 36, doubled 72."""
IDLE = frozenset({*TARGETS, POINTS_TILE})
"""Wall tiles that change nothing but the points of who has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospects:
    """Limits that need no solving."""

    ground: Ground
    towers: Mapping[str, int]
    """Corner towers on which a marker may land, with the number of the wall tile there; 0 for
    one that lies face down and may be any."""
    landings: Mapping[tuple[int, str], tuple[int, ...]]
    """By player and tower: the scores within his reach that stand on it."""
    gates: tuple[tuple[int, ...], ...]
    """By player: the numbers within his reach after which a gate stops his marker."""

    def most(self, player: int, number: int) -> int:
        """Return how many wall tiles of a number a player can have at most."""
        state = self.ground.position.players[player]
        held = state.wall_tiles.count(number) + state.fresh_wall_tiles.count(number)
        taken = sum(
            what in {0, number} and (player, tower) in self.landings
            for tower, what in self.towers.items()
        )
        return held + taken


def prospects(ground: Ground, asker: int | None) -> Prospects:
    """Return what each player may come by.

    Args:
        ground: the position and the tiles to come.
        asker: the player whose points alone count; None if those of both do.

    """
    board = ground.position.game.board
    held = dict(ground.position.towers)
    gain = _most_points(ground)
    landings: dict[tuple[int, str], tuple[int, ...]] = {}
    for player, state in enumerate(ground.position.players):
        for tower in board.towers:
            if tower.name in held:
                reach = range(state.score + 1, state.score + gain + 1)
                scores = tuple(s for s in reach if s % board.track in tower.spaces)
                if scores:
                    landings[player, tower.name] = scores
    reachable = {tower for _, tower in landings}
    if asker is not None:
        # What the other player does with such a tile moves neither marker nor keep.
        idle = {tower for tower in reachable if held[tower] in IDLE}
        reachable -= {tower for tower in idle if (asker, tower) not in landings}
        landings = {key: scores for key, scores in landings.items() if key[1] in reachable}
    return Prospects(
        ground=ground,
        towers={name: number for name, number in held.items() if name in reachable},
        landings=landings,
        gates=tuple(
            tuple(stopping(ground.position.game, range(state.score, state.score + gain)))
            for state in ground.position.players
        ),
    )


def _most_points(ground: Ground) -> int:
    """Return more points than a player can win in play: all that can be complete, doubled."""
    fillable = {cell for spots in ground.spots for cell, _ in spots}
    total = 0
    most = WITH_KINGS if ground.position.game.specials else MOST_A_TILE
    for kind, times in most.items():
        for bunch in bunches(ground, kind):
            if any(_closable(ground, number, fillable) for number in bunch.parts):
                total += times * bunch.tiles
    return total


def _closable(ground: Ground, number: int, fillable: set[Cell]) -> bool:
    """Tell whether the cells that a part needs can be filled by the tiles to come."""
    if number >= len(ground.old):
        return True
    needs = ground.old[number].needs
    return needs <= fillable and len(needs) <= len(ground.kinds)
