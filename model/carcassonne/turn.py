"""The rest of a turn of Carcassonne after the tile: the follower, the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from burgrave.model.book import Conduct, book_of
from burgrave.model.carcassonne.final import final
from burgrave.model.carcassonne.resolution import pass_turn, resolve
from burgrave.model.draws import drawn, unknown_tiles
from burgrave.model.laying import deployable
from burgrave.model.placement import Placement
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding
from burgrave.model.rules.carcassonne.followers import COMPLETED
from burgrave.model.rules.carcassonne.placement import NONE
from burgrave.model.rules.carcassonne.setup import TILES, TURN_ORDER


def laid(placement: Placement, discards: tuple[str, ...]) -> Move:
    """Return the move that lays a tile where it lies and does nothing more."""
    tile = placement.tile
    return Move(discards=discards, tile=tile.kind.id, cell=tile.cell, rotation=tile.rotation)


def turns(placement: Placement, discards: tuple[str, ...]) -> Iterator[Move]:
    """Yield the legal moves with a tile on its cell."""
    begun = laid(placement, discards)
    for followers in deployable(placement):
        yield replace(begun, followers=followers)


def passes(position: Position, discards: tuple[str, ...]) -> Iterator[Move]:  # noqa: ARG001
    """Yield the legal move of a turn for which no tile is left that has a place."""
    yield Move(discards=discards)


def draw(position: Position, move: Move) -> Iterator[Finding]:
    """Yield the faults of the tiles drawn in a move."""
    yield from TURN_ORDER(position, move)
    yield from NONE(position, move)
    yield from unknown_tiles(position.game, drawn(move), TILES)


def rest(position: Position, move: Move, placement: Placement | None) -> Iterator[Finding]:
    """Yield the faults of followers; without a tile there is nothing to stand on."""
    if placement is not None:
        for law in book_of(position.game).deployment:
            yield from law(placement, move.followers)


def notes(placement: Placement, move: Move) -> Iterator[Finding]:
    """Yield the rules by which a follower is allowed that people ask about."""
    yield from COMPLETED(placement, move.followers)


def canonical(placement: Placement, move: Move) -> Move:  # noqa: ARG001
    """Return a move as it is: nothing in it can be said in two ways."""
    return move


CONDUCT = Conduct(
    turns=turns,
    passes=passes,
    draw=draw,
    rest=rest,
    notes=notes,
    canonical=canonical,
    resolve=resolve,
    pass_turn=pass_turn,
    final=final,
)
"""The turn of Carcassonne after the tile, and the end of its game."""
