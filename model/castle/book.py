"""The rule book of The Castle: all its rules by their purpose, in the order of a game."""

from __future__ import annotations

from burgrave.model.book import RuleBook
from burgrave.model.castle.standing import standing
from burgrave.model.castle.turn import CONDUCT
from burgrave.model.rule import Rule
from burgrave.model.rules.castle.completion import (
    CONNECT,
    COURT,
    HOUSE_COMPLETE,
    PATH_COMPLETE,
    SINGLE,
    SQUARE,
    START,
    TOWER_COMPLETE,
)
from burgrave.model.rules.castle.ending import END_ORDER, ENDED, INCOMPLETE, WINNER
from burgrave.model.rules.castle.final_tiles import END_ONCE, TILE_4, TILE_5, TILE_6, TILE_7, TILE_9
from burgrave.model.rules.castle.followers import (
    COMPLETED,
    DEPLOYMENT,
    ONE,
    RETURN,
    ROLE,
    ROLES,
    SUPPLY,
    UNCLAIMED,
    one_each,
)
from burgrave.model.rules.castle.keeps import END_COURT, END_KEEP, ENLARGED, KEEP
from burgrave.model.rules.castle.placement import (
    ADJACENT,
    FIRST,
    FREE,
    INSIDE,
    NONE,
    PATH,
    PLACEMENT,
    START_PATH,
    WALL,
    borders,
)
from burgrave.model.rules.castle.scoring import (
    HOUSE_SCORE,
    MAJORITY,
    ORDER,
    PATH_SCORE,
    TILES,
    TOWER_SCORE,
    WORTH,
    table,
)
from burgrave.model.rules.castle.setup import (
    FOLLOWERS,
    KEEPS,
    PLAYERS,
    SETUP,
    START_PLAYER,
    TRACK,
    TURN_ORDER,
    WALL_TILES_SETUP,
)
from burgrave.model.rules.castle.setup import TILES as TILES_SETUP
from burgrave.model.rules.castle.wall_tiles import (
    DOUBLE_HOUSE,
    DOUBLE_TOWER,
    EXTRA,
    HIDDEN,
    MUST,
    NEEDS_MAJORITY,
    STACK,
    TAKE,
    WALL_TILES,
    WHEN,
    extra_turns_there_are,
)
from burgrave.model.tiles import Kind

CASTLE_RULES: tuple[Rule[..., object], ...] = (
    PLAYERS,
    START_PLAYER,
    FOLLOWERS,
    KEEPS,
    TILES_SETUP,
    WALL_TILES_SETUP,
    TRACK,
    TURN_ORDER,
    MUST,
    INSIDE,
    FIRST,
    ADJACENT,
    PATH,
    START_PATH,
    FREE,
    WALL,
    NONE,
    ONE,
    UNCLAIMED,
    ROLE,
    SUPPLY,
    COMPLETED,
    CONNECT,
    START,
    SINGLE,
    SQUARE,
    PATH_COMPLETE,
    PATH_SCORE,
    TOWER_COMPLETE,
    HOUSE_COMPLETE,
    TOWER_SCORE,
    HOUSE_SCORE,
    TILES,
    MAJORITY,
    ORDER,
    RETURN,
    COURT,
    KEEP,
    TAKE,
    WHEN,
    EXTRA,
    DOUBLE_TOWER,
    DOUBLE_HOUSE,
    TILE_4,
    TILE_5,
    TILE_6,
    TILE_7,
    ENLARGED,
    TILE_9,
    NEEDS_MAJORITY,
    STACK,
    END_ONCE,
    HIDDEN,
    ENDED,
    END_ORDER,
    END_KEEP,
    END_COURT,
    INCOMPLETE,
    WINNER,
)

CASTLE_BOOK = RuleBook(
    all=CASTLE_RULES,
    roles=ROLES,
    connect=CONNECT,
    placement=PLACEMENT,
    sides=ADJACENT,
    borders=borders,
    deployment=DEPLOYMENT,
    wall_tiles=WALL_TILES,
    setup=(*SETUP, extra_turns_there_are),
    remarks=(one_each,),
    standing=standing,
    conduct=CONDUCT,
    completion={
        Kind.PATH: PATH_COMPLETE,
        Kind.TOWER: TOWER_COMPLETE,
        Kind.HOUSE: HOUSE_COMPLETE,
        Kind.COURT: COURT,
    },
    ended=ENDED,
    worth=WORTH,
    table=table,
    incomplete=dict.fromkeys((Kind.PATH, Kind.TOWER, Kind.HOUSE), INCOMPLETE),
    place_notes=(FREE, WALL),
    phases=END_ORDER,
)
"""The book of The Castle: its rules by their purpose."""
