"""Carcassonne and its expansions as flat tables for compiled code, made from the model once a game.

A *lie*, the placement code, is ``kind * 4 + rotation``. A side shows one of three things, encoded
as one of three bits. The sides of a tile, and the demands on an empty cell, are masks of 12 bits,
three a side; at most one of the three is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.games import Game
from burgrave.model.geometry import PORTS, Side, middle
from burgrave.model.position import Position
from burgrave.model.registry import CARCASSONNE, flags
from burgrave.model.switches import COUNT_BY, FARMERS, FARMS, FIELD3_ONCE_SCOPE, TIE
from burgrave.model.tiles import Kind, TileKind
from burgrave.model.worth import PAIR, Worth
from burgrave.solver.kernel.records import PLAYERS, Sizes, record, record_type, set_flags

PLANE_FEATURES = (Kind.ROAD, Kind.CITY, Kind.FIELD, Kind.CLOISTER)
"""Index → kind of a segment."""
ROAD, CITY, FIELD, CLOISTER = range(len(PLANE_FEATURES))
WAYS = FARMS.values
"""Index → farm rule."""
FIELD3, FIELD3_ONCE, CITY4 = range(len(WAYS))

PLANE_RANKS = (Rank.FOLLOWER, Rank.BIG)
"""Index → rank of a follower. He counts one more than the index in a majority."""
FOLLOWERS = 8
"""The most followers of a player: those without a rank, and a big one."""
BIG_POST = FOLLOWERS - 1
"""Index of the big follower among a player's followers; it is also how many others there may be."""
PLANE_KINDS = 64
"""The most kinds of tiles."""
WIDTH = 8
"""The most segments of a tile."""
PLANE_TILES = 108
"""The most tiles of a game, and the most segments of cities."""
LIES = PLANE_KINDS * 4
UNITS = (1 << 8) - 1
"""Mask of the units in a number of units and marks. Above them stands the number of marks that
change the factor of a feature, so that both add up when features join."""

_ASKED = np.arange(1 << 12)
"""What a cell may ask for."""

PLANE_FLAGS = {
    "once_each": (FIELD3_ONCE_SCOPE, "player"),
    "by_segment": (COUNT_BY, "segment"),
    "shared": (TIE, "all_full"),
    **flags(CARCASSONNE),
}
"""Flag in the tables → the switch, and the value that sets the flag; 0 in a game without it."""

PLANE_TABLES = record_type(
    [
        # kind → number of segments; kind, segment → index in ``PLANE_FEATURES``; kind, segment →
        # units and marks, see ``UNITS``
        ("segments", np.int8, PLANE_KINDS),
        ("shows", np.int8, (PLANE_KINDS, WIDTH)),
        ("units", np.int16, (PLANE_KINDS, WIDTH)),
        # kind → number of city segments; kind, segment → bits by city segment: the city itself,
        # or the cities that a field borders
        ("cities", np.int8, PLANE_KINDS),
        ("bordered", np.int8, (PLANE_KINDS, WIDTH)),
        # kind → segment of its cloister, or -1; kind → 1 if it has a tower place
        ("cloister", np.int8, PLANE_KINDS),
        ("place", np.int8, PLANE_KINDS),
        # kind → number of different rotations; kind, index → lie
        ("turned", np.int8, PLANE_KINDS),
        ("lies", np.int16, (PLANE_KINDS, 4)),
        # lie, port → segment there
        ("owner", np.int8, (LIES, PORTS)),
        # lie, side → road or city segment on the side, or -1 on a field side
        ("ends", np.int8, (LIES, 4)),
        # lie → 12 bits of its sides; lie, side → 12 bits that the cell beyond must show
        ("looks", np.int16, LIES),
        ("asks", np.int16, (LIES, 4)),
        # 12 bits that an empty cell asks for → bits by kind: the kind fits
        ("fitting", np.int64, 1 << 12),
        # index in ``PLANE_FEATURES`` → 1 if a follower may be placed on such a segment
        ("claimed", np.int8, len(PLANE_FEATURES)),
        ("farms", np.int64),  # index of WAYS
        *((name, np.int64) for name in PLANE_FLAGS),  # flags, 0 or 1
        # index in ``PLANE_FEATURES`` → factors of units: complete, of two tiles, at the end; with a
        # mark complete and at the end
        ("done", np.int64, len(PLANE_FEATURES)),
        ("pair", np.int64, len(PLANE_FEATURES)),
        ("end", np.int64, len(PLANE_FEATURES)),
        ("marked_done", np.int64, len(PLANE_FEATURES)),
        ("marked_end", np.int64, len(PLANE_FEATURES)),
        # index in ``PLANE_FEATURES`` → 1 if such a feature can be worth more once it is complete
        ("rises", np.int64, len(PLANE_FEATURES)),
        ("big", np.int64),
        ("towers", np.int64),
        ("ransom", np.int64),  # points that buy a prisoner back; 0 without The Tower
    ]
)
"""The data of a game that no turn changes."""


def sizes(position: Position) -> Sizes:
    """Return what must have room in the tables and the state of a position on a plane."""
    game = position.game
    kinds = game.tile_set.kinds
    marked = (len(worth.by) for worth in book_of(game).table(game).values())
    here = len(position.tiles) + len(position.order) + len(position.bag)
    return {
        "kinds of tiles": (len(kinds), PLANE_KINDS - 1),
        "segments of a tile": (max(len(kind.segments) for kind in kinds), WIDTH),
        "tiles": (max(here, sum(kind.count for kind in kinds)), PLANE_TILES),
        "segments of cities": (sum(kind.count * _cities(kind) for kind in kinds), PLANE_TILES),
        "players": (len(game.players), PLAYERS),
        "followers": (game.followers, BIG_POST),
        "marks that change the points of a feature": (max(marked, default=0), 1),
    }


# Most calls in a row are about positions of one game.
@lru_cache(maxsize=8)
def tables_of(game: Game) -> Any:
    """Return the tables of a game that has room, as a record of ``PLANE_TABLES``."""
    t = record(PLANE_TABLES)
    table = book_of(game).table(game)
    for number, kind in enumerate(game.tile_set.kinds):
        _fill(t, number, kind, table)
    for kind_of, worth in table.items():
        shows = PLANE_FEATURES.index(kind_of)
        t.done[shows] = worth.factor(PAIR + 1, {}, complete=True)
        t.pair[shows] = worth.factor(PAIR, {}, complete=True)
        t.end[shows] = worth.end
        marked = next(iter(worth.by.values()), (0, 0))
        t.marked_done[shows], t.marked_end[shows] = marked
        t.rises[shows] = worth.rises()
    t.claimed[:] = 1
    t.claimed[FIELD] = game.value(FARMERS) == "on"
    t.farms = WAYS.index(game.value(FARMS))
    t.big = Rank.BIG in game.specials
    t.ransom = book_of(game).ransom
    t.towers = t.ransom > 0
    set_flags(t, PLANE_FLAGS, game)
    return t


def _fill(t: Any, number: int, kind: TileKind, table: Mapping[Kind, Worth]) -> None:
    """Write a kind of tile into the tables."""
    cities = [i for i, segment in enumerate(kind.segments) if segment.kind is Kind.CITY]
    t.segments[number], t.cities[number] = len(kind.segments), len(cities)
    t.cloister[number], t.place[number] = -1, kind.tower_place
    for i, segment in enumerate(kind.segments):
        t.shows[number, i] = PLANE_FEATURES.index(segment.kind)
        if (worth := table.get(segment.kind)) is not None:
            t.units[number, i] = sum(
                worth.marks.get(mark, 0) + (UNITS + 1) * (mark in worth.by)
                for mark in segment.marks
            )
        near = [i] if segment.kind is Kind.CITY else kind.bordered(i)
        t.bordered[number, i] = sum(1 << cities.index(city) for city in near)
        if segment.kind is Kind.CLOISTER and t.cloister[number] < 0:
            t.cloister[number] = i
    lies = [number * 4 + rotation for rotation in kind.rotations()]
    t.turned[number] = len(lies)
    t.lies[number, : len(lies)] = lies
    shows, ends, looks, asks = t.shows[number], t.ends, t.looks, t.asks
    for rotation in range(4):
        lie = number * 4 + rotation
        t.owner[lie] = [kind.at(port, rotation) for port in range(PORTS)]
        for side in Side:
            end = kind.at(middle(side), rotation)
            shown = int(shows[end])
            ends[lie, side] = -1 if shown == FIELD else end
            looks[lie] |= 1 << 3 * side + shown
            asks[lie, side] = 1 << 3 * side.opposite + shown
        t.fitting[_ASKED & looks[lie] == _ASKED] |= 1 << number


def _cities(kind: TileKind) -> int:
    """Return the number of city segments of a kind."""
    return sum(segment.kind is Kind.CITY for segment in kind.segments)
