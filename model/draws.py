"""Which tile comes next: known order, unknown order, and tiles without a place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from burgrave.model.games import Game
from burgrave.model.places import placeable, places
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding, Rule


class Draw(NamedTuple):
    """The draws with which a turn may begin."""

    discards: tuple[str, ...]
    """Tiles drawn first that have no place."""
    tile: str | None
    """The tile to be laid; None if no tile is left that has a place."""


def draws(
    position: Position, has_place: Callable[[Position, str], bool] = placeable
) -> Iterator[Draw]:
    """Yield the possible draws of this turn.

    With the next tile known there is exactly one draw. If the order is unknown, each kind in the
    bag with a place is one draw. A move names the tiles without a place that were drawn before it.
    If no tile has a place they all leave.

    Args:
        position: the position before the draw.
        has_place: tells whether a tile has a legal place; the rules of placement unless an
            engine has a way of its own.

    """
    discards: list[str] = []
    for tile in position.order:
        if has_place(position, tile):
            yield Draw(tuple(discards), tile)
            return
        discards.append(tile)
    kinds = [tile for tile in sorted(set(position.bag)) if has_place(position, tile)]
    for tile in kinds:
        yield Draw(tuple(discards), tile)
    if not kinds and not position.over:
        yield Draw((*discards, *position.bag), None)


def as_seen(position: Position) -> Position:
    """Return a position as its players see it: no tile known beyond the one to be laid.

    The others are in the bag, and wall tiles on corner towers lie face down.
    """
    known = stuck(position) + 1
    return replace(
        position,
        order=position.order[:known],
        bag=tuple(sorted(position.order[known:] + position.bag)),
        towers=tuple((tower, 0) for tower, _ in position.towers),
    )


def stuck(position: Position) -> int:
    """Return the number of tiles of the known order that leave before one has a place."""
    tiles = enumerate(position.order)
    return next((at for at, tile in tiles if placeable(position, tile)), len(position.order))


def surely_placeable(position: Position, tile: str, laid: int) -> bool:
    """Tell whether a tile has a place after any number of turns up to a limit.

    A tile on the board decides about its own cell and the four cells beside it, and about no
    other. So ``laid`` tiles take at most the sum of the ``laid`` largest numbers of places that
    one cell and those beside it hold.

    Args:
        position: the position now.
        tile: a kind of the game's tile set.
        laid: tiles that are laid before it at most, 0 or more.

    Returns:
        True only if it is certain; False where it may have a place or none.

    """
    fits = {lies.cell for lies in places(position, tile)}
    near = {cell: {cell, *(beyond for _, beyond in cell.neighbours())} for cell in fits}
    taken = Counter(cell for cells in near.values() for cell in cells)
    return len(fits) > sum(number for _, number in taken.most_common(laid))


def drawn(move: Move) -> tuple[str, ...]:
    """Return all tiles that leave the stack in a move, in order."""
    return move.discards if move.tile is None else (*move.discards, move.tile)


def stack_faults(position: Position, move: Move) -> Iterator[str]:
    """Say in words what is wrong with the tiles that a move draws."""
    if position.over:
        yield "the game is over: no tile is left to draw"
        return
    order = list(position.order)
    bag = Counter(position.bag)
    for tile in drawn(move):
        if order:
            expected = order.pop(0)
            if tile != expected:
                yield f"the next tile is {expected}, not {tile}"
                return
        elif bag[tile] > 0:
            bag[tile] -= 1
        else:
            yield f"no tile {tile} is left to be drawn"
            return
    if move.tile is None and (order or +bag):
        left = ", ".join([*order, *sorted(bag.elements())])
        yield f"a turn without a placement, but tiles are left to draw: {left}"


def after_draw(position: Position, move: Move) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the known order and the bag once the tiles of a move have left the stack."""
    gone = drawn(move)
    from_bag = Counter(position.bag)
    from_bag.subtract(gone[len(position.order) :])
    return position.order[len(gone) :], tuple(sorted((+from_bag).elements()))


def unknown_tiles(
    game: Game, ids: Sequence[str], law: Rule[[Position], Iterator[Finding]]
) -> Iterator[Finding]:
    """Yield a finding of a rule about tiles for every id that the game's set does not have."""
    for tile_id in ids:
        if tile_id not in game.tile_set.ids():
            yield law.finding(f"the set {game.tile_set.id} has no tile {tile_id}")
