"""Deal unseen tiles and wall tiles in an order that helps a theme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import nsmallest
from math import inf
from random import Random

from burgrave.model.position import Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.model.tiles import Kind
from burgrave.puzzles.selfplay.look import Where
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.themes.theme import Theme

DEALS = 12
"""Number of deals tried for a theme that prefers some deals."""
SCARCE = 2
"""Tiles with few places that come last."""
DEAR = 6
"""Places of a tile with a cloister that are as few as one of another."""
SUPPLIES = (0, 1, 1, 2, 3)
"""Most followers without a rank in a supply, by lot."""
SPECIAL = 0.3
"""Share of the followers with a rank in a supply that stay in the game."""
NO_USE = 100
"""Places that a tile seems to have that has none."""


def dealt(position: Position, tiles: int, themes: Sequence[Theme], rng: Random) -> Position | None:
    """Return the position with another deal of tiles to come and wall tiles.

    The same turns lead to it: nobody has used the wall tiles that lie on towers and in hands, so
    others may have been dealt. If a theme prefers some deals, the best of several deals is used;
    None if no theme is possible.
    """
    suits = [one.suits for one in themes if one.suits is not None]
    found, best = None, -inf
    for _ in range(DEALS if suits else 1):
        deal = replace(position, order=tuple(rng.sample(position.order, tiles)))
        deal = _wall_tiles(deal, rng)
        worth = max((suit(deal) for suit in suits), default=0)
        if worth > best and any(one.possible(deal) for one in themes):
            found, best = deal, worth
    return found


def _wall_tiles(position: Position, rng: Random) -> Position:
    """Return a position with other wall tiles on the towers and in the hands."""
    pool = unseen(position)
    pool.update(number for _, number in position.towers)
    for state in position.players:
        pool.update((*state.wall_tiles, *state.fresh_wall_tiles))
    numbers = sorted(pool.elements())
    rng.shuffle(numbers)

    def anew(held: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(numbers.pop() for _ in held))

    return replace(
        position,
        towers=tuple((name, numbers.pop()) for name, _ in position.towers),
        players=tuple(
            replace(
                state,
                wall_tiles=anew(state.wall_tiles),
                fresh_wall_tiles=anew(state.fresh_wall_tiles),
            )
            for state in position.players
        ),
    )


def with_few_followers(position: Position, rng: Random) -> Position:
    """Return a position with few followers in the supplies: one of many to place is seldom alone.

    The others are out of the game.
    """
    players = []
    for state in position.players:
        specials = tuple(rank for rank in state.specials if rng.random() < SPECIAL)
        supply = min(state.supply, rng.choice(SUPPLIES))
        players.append(replace(state, supply=supply, specials=specials))
    return replace(position, players=tuple(players))


def before_a_tower(position: Position, rng: Random) -> Position:
    """Return a position with markers from which a completion leads onto a corner tower.

    Both markers move by as many points. The player to move lands on a tower with a wall tile if he
    scores one of several features that a tile to come completes, or the only one.
    """
    walk, board = Rehearsal(position), position.game.board
    score = position.players[position.to_move].score
    held = {name for name, _ in position.towers}
    lands = [space for tower in board.towers if tower.name in held for space in tower.spaces]
    closed = [
        [one.points for one in place.closes]
        for tile in sorted({*position.order})
        for place in walk.glance(tile, (), position.to_move, Where.CLOSING)
    ]
    most = max(map(len, closed), default=0)
    if not most or not lands:
        return position
    won = rng.choice(rng.choice([points for points in closed if len(points) == most]))
    least = min(state.score for state in position.players)
    shifts = [space - won - score for space in lands if space - won - score >= -least]
    if not shifts:
        return position
    shift = rng.choice(shifts)
    players = (replace(state, score=state.score + shift) for state in position.players)
    return replace(position, players=tuple(players))


def scarce_last(walk: Rehearsal, rng: Random) -> tuple[str, ...]:
    """Return the tiles to come so that some with few places come last: a turn may take them away.

    Such a turn needs a tile with more places, so the others come in any order. It usually pays if
    the opponent could claim a cloister with the tile.
    """
    tiles = rng.sample(walk.order[walk.at :], walk.left)
    few: dict[str, float] = {}
    for tile in sorted({*tiles}):
        kinds = {segment.kind for segment in walk.start.game.tile_set.kind(tile).segments}
        few[tile] = (len(walk.places(tile)) or NO_USE) / (DEAR if Kind.CLOISTER in kinds else 1)
    last = nsmallest(SCARCE, tiles, key=lambda tile: few[tile] * rng.uniform(0.5, 1.0))
    for tile in last:
        tiles.remove(tile)
    return (*tiles, *last)


def as_suits(
    walk: Rehearsal, order: Sequence[str], themes: Sequence[Theme]
) -> tuple[str, ...] | None:
    """Return the tiles with the first unchanged and the others in the order that a theme prefers.

    None if none of them fits the theme.
    """
    first, *others = order
    for late in (one.late for one in themes if one.late is not None):
        worth = {tile: late(walk, tile) for tile in {*others}}
        if len(others) > 1 and max(worth.values()) == -inf:
            return None
        others.sort(key=worth.__getitem__)
    return (first, *others)
