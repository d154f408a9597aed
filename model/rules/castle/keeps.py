"""Keeps and courts."""

from __future__ import annotations

from collections.abc import Sequence

from burgrave.model.book import book_of
from burgrave.model.claims import Scored
from burgrave.model.features import Feature, empty_cells
from burgrave.model.games import Game
from burgrave.model.geometry import areas
from burgrave.model.position import PlayerState, Position
from burgrave.model.rule import rule
from burgrave.model.rules.castle.setup import RULEBOOK
from burgrave.model.switches import (
    EMPTY_AREA_ADJACENCY,
    KEEP_BONUS_NEEDS_KEEP,
    KEEP_BONUS_STACKS,
    START_SPACE_IN_KEEP,
)
from burgrave.model.tiles import Kind, Mark

KEEP_BONUS = 2
"""Tiles by which a wall tile 8 enlarges a keep."""
A_MARKET = 3
"""Points of a market on a court."""


@rule("castle.keep", f"{RULEBOOK}, 'A completed house and the keep'", START_SPACE_IN_KEEP)
def KEEP(player: PlayerState, scored: Scored) -> int:
    """The first house a player scores gets his keep; a larger one he scores later takes it.

    Larger is strictly larger, in tiles; start spaces count (switch
    ``start_space_in_keep``). It matters who scores the house, not who completes it; a tie
    moves no keep.

    Passes: a house of 4 takes the keep from a house of 3.
    Fails: a second house of 3 takes it.
    """
    feature = scored.feature
    if feature.kind is not Kind.HOUSE:
        return player.keep
    size = feature.size
    if scored.game.value(START_SPACE_IN_KEEP) == "off":
        size -= len(feature.start_cells)
    return max(player.keep, size * book_of(scored.game).keep_factor(scored))


@rule(
    "castle.wall.8",
    f"{RULEBOOK}, 'Description of wall tiles'",
    KEEP_BONUS_STACKS,
    KEEP_BONUS_NEEDS_KEEP,
)
def ENLARGED(game: Game, keep: int, tiles: int) -> int:
    """Tile 8: at the end the player's keep counts 2 tiles larger; two of them 4.

    A player without a scored house has no keep, and the tile makes none (switches
    ``keep_bonus_stacks`` and ``keep_bonus_needs_keep``).

    Passes: a keep of 5 counts 7.
    Fails: a player without a keep has one of 2.
    """
    if keep == 0 and game.value(KEEP_BONUS_NEEDS_KEEP) == "on":
        return 0
    if game.value(KEEP_BONUS_STACKS) == "off":
        tiles = min(tiles, 1)
    return keep + KEEP_BONUS * tiles


@rule("castle.end.keep", f"{RULEBOOK}, 'Scoring the largest keep'", EMPTY_AREA_ADJACENCY)
def END_KEEP(position: Position, keeps: Sequence[int]) -> tuple[int | None, int]:
    """The larger keep scores the largest connected area of empty cells.

    Empty cells are connected along sides (switch ``empty_area_adjacency``). Equal keeps:
    nobody scores. A player without a scored house has no keep.

    Passes: a keep of 5 against 4, with areas of 11 and 5 cells, scores 11.
    Fails: keeps of 5 and 5 score 11 for either player.
    """
    area = largest_empty_area(position)
    best = max(keeps)
    if best == 0 or list(keeps).count(best) > 1:
        return None, area
    return list(keeps).index(best), area


def largest_empty_area(position: Position) -> int:
    """Return the cells of the largest connected empty area, by the switch on corners."""
    diagonal = position.game.value(EMPTY_AREA_ADJACENCY) == "diagonal"
    found = areas(empty_cells(position), diagonal=diagonal)
    return len(found[0]) if found else 0


@rule("castle.end.courts", f"{RULEBOOK}, 'Scoring the courts'")
def END_COURT(game: Game, feature: Feature) -> int:  # noqa: ARG001
    """A court scores 3 points a market for the strict majority of its merchants.

    It is scored at the end, enclosed or not. Markets on start spaces that the court
    reaches count.

    Passes: a court with 5 markets, one of them on a start space, scores 15.
    Fails: a court without a market scores anything.
    """
    return A_MARKET * feature.count(Mark.MARKET)
