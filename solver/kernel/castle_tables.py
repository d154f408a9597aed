"""A game of The Castle, with The Falcon or without, as one record of flat numbers.

A *node* is ``cell * PORTS + segment``. Cells inside come first, in the order of the board; a cell
for each start space follows. A *lie*, the placement code, is ``kind * 4 + rotation``. A set of
cells is two words: bit ``cell % SPAN`` of word ``cell // SPAN``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from burgrave.model import switches as of
from burgrave.model.book import book_of
from burgrave.model.games import Game
from burgrave.model.geometry import FACING, PORTS, Cell, Side
from burgrave.model.position import Position
from burgrave.model.registry import CASTLE, flags
from burgrave.model.rules.castle.placement import UNKNOWN_PICTURE
from burgrave.model.tiles import Kind, Mark, PlacedTile, TileKind
from burgrave.solver.kernel.bits import SPAN
from burgrave.solver.kernel.records import Sizes, record, record_type, set_flags

CASTLE_FEATURES = (Kind.PATH, Kind.TOWER, Kind.HOUSE, Kind.COURT, Kind.CHAPEL)
PATH, TOWER, HOUSE, COURT, CHAPEL = range(len(CASTLE_FEATURES))
MISSING = -1

CASTLE_CELLS = 2 * SPAN
"""Most cells of a game, those of start spaces included."""
CASTLE_NODES = CASTLE_CELLS * PORTS
CASTLE_KINDS = 256
"""Most kinds of tiles, start-space pictures included."""
SPACES = 512
"""Longest track."""
TOWERS = 16
"""Most corner towers."""
GATES = 8
"""Most gates."""
PATTERNS = 6
"""Ways to have paths on some of four sides, rotations counted as one."""
AERIES = 30
"""Most aeries of a tile."""
MEN = 8
"""Most followers of a player, king and falconer not counted."""

CASTLE_FLAGS = {
    "each_feature": (of.WALL_TAKE_MOMENT, "each_feature"),
    "own_turn_only": (of.WALL_OWN_TURN_ONLY, "on"),
    "double_once": (of.DOUBLE_ONCE, "on"),
    "optional": (of.WALL_TILES_OPTIONAL, "on"),
    "chain": (of.WALL_1_CHAIN, "on"),
    "extra_is_next": (of.EXTRA_TURN_IS_NEXT_TURN, "on"),
    "return_on_tie": (of.RETURN_ON_TIE, "on"),
    "start_in_keep": (of.START_SPACE_IN_KEEP, "on"),
    "last_turn_tiles": (of.LAST_TURN_WALL_TILES, "on"),
    "once_per_feature": (of.END_TILE_ONCE_PER_FEATURE, "on"),
    "bonus_stacks": (of.KEEP_BONUS_STACKS, "on"),
    "bonus_needs_keep": (of.KEEP_BONUS_NEEDS_KEEP, "on"),
    "holes_block": (of.ENCLOSED_HOLE_BLOCKS, "on"),
    "extra_before_draw": (of.WALL_1_DECLARE, "before_draw"),
    "doubling_before_draw": (of.WALL_DOUBLE_DECLARE, "before_draw"),
    **flags(CASTLE),
}
"""Flag in the tables → the switch, and the value that sets the flag; 0 in a game without it."""

CASTLE_TABLES = record_type(
    [
        ("players", np.int64),  # always 2
        ("falcon", np.int64),  # 1 if The Falcon is played
        ("cells", np.int64),  # number of cells, start spaces included
        ("inside", np.int64),  # number of cells inside
        ("kinds", np.int64),  # number of drawn kinds; start-space pictures follow them
        ("track", np.int64),  # number of spaces of the track
        ("towers", np.int64),  # number of corner towers
        ("gates", np.int64),  # number of gates that stop markers
        ("aeries_each", np.int64),  # most aeries of a kind of tile
        *((name, np.int64) for name in CASTLE_FLAGS),  # flags, 0 or 1
        ("bit", np.int64, (CASTLE_CELLS, 2)),  # cell → the set of this cell alone
        ("all_inside", np.int64, 2),  # the cells inside, a set
        ("usable", np.int64, 2),  # cells inside that no unknown start space blocks, a set
        ("at_start", np.int64, 2),  # cells inside at a start space, a set
        ("rim", np.int64, 2),  # cells inside with the wall on a side, a set
        ("beside", np.int64, (CASTLE_CELLS, 2)),  # cell inside → its neighbours inside, a set
        (
            "linked",
            np.int64,
            (CASTLE_CELLS, 2),
        ),  # cell inside → cells linked to it if empty, a set
        ("neighbour", np.int16, (CASTLE_CELLS, 4)),  # cell, side → cell beyond, or -1
        ("wants", np.int16, CASTLE_CELLS),  # cell → bits that a start space asks for
        ("landing", np.int8, SPACES),  # space of the track → its corner tower, or -1
        ("gate", np.int16, GATES),  # index → space behind which a gate stops, ascending
        ("turned", np.int8, CASTLE_KINDS),  # kind → number of different rotations
        ("lies", np.int16, (CASTLE_KINDS, 4)),  # kind, index → lie, ascending
        ("segments", np.int8, CASTLE_KINDS),  # kind → number of segments
        (
            "shows",
            np.int8,
            (CASTLE_KINDS, PORTS),
        ),  # kind, segment → index in CASTLE_FEATURES
        # index in ``CASTLE_FEATURES``, 1 with a fountain, number of tiles → points when complete
        ("worth", np.int16, (len(CASTLE_FEATURES), 2, CASTLE_CELLS + 1)),
        ("tokens", np.int64),  # aerie tokens in the game
        ("fountains", np.int8, (CASTLE_KINDS, PORTS)),  # kind, segment → their number
        ("markets", np.int8, (CASTLE_KINDS, PORTS)),  # kind, segment → their number
        ("adjoins", np.int32, (CASTLE_KINDS, PORTS)),  # kind, segment → bits by aerie: it adjoins
        ("owner", np.int8, (CASTLE_KINDS * 4, PORTS)),  # lie, port → segment there, or -1
        ("whole", np.int8, (CASTLE_KINDS * 4, 4)),  # lie, side → segment that fills the side, or -1
        # lie → two bits a side: no path crosses it, a path does; lie, side → bit that the cell
        # beyond must show
        ("looks", np.int16, CASTLE_KINDS * 4),
        ("asks", np.int16, (CASTLE_KINDS * 4, 4)),
        ("facing", np.int8, PORTS),  # port → port that it meets across an edge
        ("pattern", np.int64, CASTLE_KINDS),  # kind → its pattern of paths
        # bits that a cell asks for → bits by pattern: tiles with it fit
        ("fitting", np.int64, 256),
    ]
)
"""The data of a game that no turn changes."""


def sizes(position: Position) -> Sizes:
    """Return what must have room in the tables and the state of a position in a castle."""
    game = position.game
    board, kinds = game.board, (*game.tile_set.kinds, *game.picture_kinds)
    cells = len(board.cells) + len(board.starts)
    most_aeries = max(len(kind.aeries) for kind in kinds)
    shown = any(kind.aeries for kind in game.picture_kinds)
    return {
        "cells": (cells, CASTLE_CELLS),
        "kinds of tiles": (len(kinds), CASTLE_KINDS),
        "segments of a tile": (max(len(kind.segments) for kind in kinds), PORTS),
        "aeries of a tile": (most_aeries, AERIES),
        "places of aeries": (most_aeries * (cells if shown else len(board.cells)), CASTLE_CELLS),
        "spaces of the track": (board.track, SPACES),
        "corner towers": (len(board.towers), TOWERS),
        "gates": (len(board.gates), GATES),
        "followers": (game.followers, MEN),
        "kings and falconers": (len(game.specials), 2),
    }


@lru_cache(maxsize=8)
def tables_of(game: Game) -> Any:
    """Return the tables of a game that has room, one record of ``CASTLE_TABLES``."""
    t = record(CASTLE_TABLES)
    t.players, t.tokens = 2, book_of(game).tokens
    t.falcon = t.tokens > 0
    set_flags(t, CASTLE_FLAGS, game)
    for kind_of, worth in book_of(game).table(game).items():
        for marked, tiles in np.ndindex(2, CASTLE_CELLS + 1):
            points = worth.points(tiles, tiles, {Mark.FOUNTAIN: marked}, complete=True)
            t.worth[CASTLE_FEATURES.index(kind_of), marked, tiles] = points
    _put_board(t, game)
    _put_track(t, game)
    shown = len(game.tile_set.kinds)
    t.kinds = shown
    kinds = (*game.tile_set.kinds, *game.picture_kinds)
    t.aeries_each = max(len(kind.aeries) for kind in kinds)
    t.facing[:] = FACING
    _put_patterns(t)
    for number, kind in enumerate(kinds):
        _put_kind(t, game, number, kind)
    return t


def cells_of(game: Game) -> tuple[Cell, ...]:
    """Return the cells of a game in the kernel's order: inside, then start spaces."""
    return (*game.board.cells, *(tile.cell for tile in game.pictures))


def _add(words: Any, cell: int) -> None:
    """Add a cell to a set of cells."""
    words[cell // SPAN] |= 1 << cell % SPAN


def _put_board(t: Any, game: Game) -> None:
    """Write the cells, their neighbours, and the sides that start spaces bind."""
    cells = cells_of(game)
    index = {cell: number for number, cell in enumerate(cells)}
    inside = len(game.board.cells)
    t.cells, t.inside = len(cells), inside
    neighbour = t.neighbour
    diagonal = game.value(of.EMPTY_AREA_ADJACENCY) == "diagonal"
    for number, cell in enumerate(cells):
        _add(t.bit[number], number)
        for side in Side:
            beyond = index.get(cell.step(side), MISSING)
            # Two start spaces never touch.
            apart = number >= inside and beyond >= inside
            neighbour[number, side] = MISSING if apart else beyond
        if number < inside:
            _put_near(t, index, number, cell, diagonal=diagonal)
    for start, picture in zip(game.board.starts, game.pictures, strict=True):
        _put_start(t, game, index[start.cell], start.side, picture)


def _put_near(t: Any, index: dict[Cell, int], number: int, cell: Cell, *, diagonal: bool) -> None:
    """Write the neighbours of a cell inside."""
    inside, linked, beside = t.inside, t.linked[number], t.beside[number]
    _add(t.all_inside, number)
    _add(t.usable, number)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            beyond = index.get(Cell(cell.x + dx, cell.y + dy), inside)
            straight = not dx or not dy
            if (dx or dy) and beyond < inside and (straight or diagonal):
                _add(linked, beyond)
                if straight:
                    _add(beside, beyond)
    if any(not 0 <= beyond < inside for beyond in t.neighbour[number]):
        _add(t.rim, number)


def _put_start(t: Any, game: Game, cell: int, side: Side, picture: PlacedTile) -> None:
    """Write the side that a start space binds on the cell that it faces."""
    binds = game.value(of.START_SPACE_PATHS_BIND)
    unknown = picture.kind.id == UNKNOWN_PICTURE
    shows = picture.has_path(side.opposite)
    _add(t.at_start, cell)
    if unknown and game.value(of.START_SPACE_UNKNOWN) == "forbid":
        t.usable[cell // SPAN] &= ~(1 << cell % SPAN)
    if not unknown and binds != "off" and (shows or binds == "both"):
        t.wants[cell] |= 1 << 2 * side + shows


def _put_track(t: Any, game: Game) -> None:
    """Write the track with its corner towers and the gates that stop markers."""
    board = game.board
    t.track, t.towers = board.track, len(board.towers)
    t.landing[:] = MISSING
    for number, tower in enumerate(board.towers):
        for space in tower.spaces:
            t.landing[space] = number
    gates = sorted(gate.after for gate in board.gates) if t.gates_stop else []
    t.gates = len(gates)
    t.gate[: len(gates)] = gates


@lru_cache
def _turned(paths: int) -> int:
    """Return the least of the four rotations of some sides, as bits."""
    return min(paths >> turn | paths << 4 - turn & 15 for turn in range(4))


_LEAST = sorted({_turned(paths) for paths in range(16)})
"""Pattern → its least rotation."""


def _put_patterns(t: Any) -> None:
    """Write which patterns of paths fit what a cell may ask for."""
    for paths in range(16):
        for asked in range(256):
            if sum(1 << 2 * side + (paths >> side & 1) for side in Side) & asked == asked:
                t.fitting[asked] |= 1 << _LEAST.index(_turned(paths))


def _put_kind(t: Any, game: Game, number: int, kind: TileKind) -> None:
    """Write a kind of tile into the tables."""
    lies = [number * 4 + rotation for rotation in kind.rotations()]
    t.turned[number] = len(lies)
    t.lies[number, : len(lies)] = lies
    t.segments[number] = len(kind.segments)
    for index, segment in enumerate(kind.segments):
        t.shows[number, index] = CASTLE_FEATURES.index(segment.kind)
        t.fountains[number, index] = segment.marks.count(Mark.FOUNTAIN)
        t.markets[number, index] = segment.marks.count(Mark.MARKET)
        t.adjoins[number, index] = sum(
            1 << aerie for aerie, linked in enumerate(kind.aeries) if index in linked
        )
    owner, whole, looks, asks = t.owner, t.whole, t.looks, t.asks
    for rotation in range(4):
        lie = number * 4 + rotation
        ports = [kind.at(port, rotation) for port in range(PORTS)]
        owner[lie] = ports
        for side in Side:
            there = set(ports[3 * side : 3 * side + 3])
            whole[lie, side] = there.pop() if len(there) == 1 else MISSING
            shows = kind.has_path(side, rotation)
            looks[lie] |= 1 << 2 * side + shows
            asks[lie, side] = 1 << 2 * side.opposite + shows
    paths = sum(kind.has_path(side, 0) << side for side in Side)
    t.pattern[number] = _LEAST.index(_turned(paths))
