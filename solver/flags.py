"""The switches of a game as plain booleans, read once for a search."""

from __future__ import annotations

from dataclasses import dataclass

from model.games import Game
from model.switches import (
    DOUBLE_ONCE,
    END_TILE_ONCE_PER_FEATURE,
    EXTRA_TURN_IS_NEXT_TURN,
    KEEP_BONUS_NEEDS_KEEP,
    KEEP_BONUS_STACKS,
    LAST_TURN_WALL_TILES,
    RETURN_ON_TIE,
    START_SPACE_IN_KEEP,
    WALL_1_CHAIN,
    WALL_1_DECLARE,
    WALL_DOUBLE_DECLARE,
    WALL_OWN_TURN_ONLY,
    WALL_TAKE_MOMENT,
    WALL_TILES_OPTIONAL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What the switches of a game say about turns and final scoring."""

    each_feature: bool
    """A marker takes a wall tile after each feature, not only at the end of the turn."""
    own_turn_only: bool
    double_once: bool
    optional: bool
    """Wall tiles need not be played."""
    chain: bool
    """Several extra turns in a row are allowed."""
    extra_is_next: bool
    """What came home or was taken is usable in an extra turn."""
    return_on_tie: bool
    start_in_keep: bool
    last_turn_tiles: bool
    """Wall tiles taken in the last turn count in final scoring."""
    once_per_feature: bool
    bonus_stacks: bool
    bonus_needs_keep: bool
    declare_one: bool
    """Wall tile 1 is declared before the draw."""
    declare_doubling: bool
    """Wall tiles 2 and 3 are declared before the draw."""


def flags(game: Game) -> Flags:
    """Read the switches of a game."""
    return Flags(
        each_feature=game.value(WALL_TAKE_MOMENT) == "each_feature",
        own_turn_only=game.value(WALL_OWN_TURN_ONLY) == "on",
        double_once=game.value(DOUBLE_ONCE) == "on",
        optional=game.value(WALL_TILES_OPTIONAL) == "on",
        chain=game.value(WALL_1_CHAIN) == "on",
        extra_is_next=game.value(EXTRA_TURN_IS_NEXT_TURN) == "on",
        return_on_tie=game.value(RETURN_ON_TIE) == "on",
        start_in_keep=game.value(START_SPACE_IN_KEEP) == "on",
        last_turn_tiles=game.value(LAST_TURN_WALL_TILES) == "on",
        once_per_feature=game.value(END_TILE_ONCE_PER_FEATURE) == "on",
        bonus_stacks=game.value(KEEP_BONUS_STACKS) == "on",
        bonus_needs_keep=game.value(KEEP_BONUS_NEEDS_KEEP) == "on",
        declare_one=game.value(WALL_1_DECLARE) == "before_draw",
        declare_doubling=game.value(WALL_DOUBLE_DECLARE) == "before_draw",
    )
