"""Carcassonne as flat tables of integers, from which the incremental state is made.

A *lie* is ``kind * 4 + rotation``. What a side shows is one of three bits, so that what
the neighbours of an empty cell ask for is a mask of 12 bits, three a side, at most one of
them set. Followers on a feature are one integer, four bits a player: joining adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from model.games import Game
from model.geometry import FACING, PORTS, Side, middle
from model.switches import COUNT_BY, FARMERS, FARMS, FIELD3_ONCE_SCOPE, SMALL_CITY, TIE
from model.tiles import Kind, Mark, TileKind

KINDS = (Kind.ROAD, Kind.CITY, Kind.FIELD, Kind.CLOISTER)
ROAD, CITY, FIELD, CLOISTER = range(len(KINDS))
NOTHING = -1
MAN = 4
"""Bits for the followers of a player on a feature."""
MEN = (1 << MAN) - 1

Contacts = tuple[tuple[int, int], ...]
"""Segments that meet across an edge: that of a tile and that of its neighbour."""


@dataclass(frozen=True, kw_only=True)
class PlaneTables:
    """Everything about a game of Carcassonne that no turn changes."""

    game: Game
    kinds: tuple[TileKind, ...]
    width: int
    """Nodes of a tile: the most segments that a kind has."""
    rotations: tuple[tuple[int, ...], ...]
    """By kind: the rotations that look different."""
    segments: tuple[tuple[int, ...], ...]
    """By kind: the kind of each segment."""
    shields: tuple[tuple[int, ...], ...]
    """By kind: shields of each segment."""
    bordered: tuple[tuple[tuple[int, ...], ...], ...]
    """By kind and segment: the city segments that a field borders."""
    owner: tuple[tuple[int, ...], ...]
    """By lie: the segment at each port, or -1."""
    looks: tuple[int, ...]
    """By lie: what its sides show, as a mask."""
    asks: tuple[int, ...]
    """By ``lie * 4 + side``: what the cell beyond the side is asked to show."""
    ends: tuple[int, ...]
    """By ``lie * 4 + side``: the road or city segment on the side, or -1 on a field side."""
    cloister: tuple[int, ...]
    """By kind: the segment of its cloister, or -1."""
    claimed: frozenset[int]
    """The kinds of segments on which a follower may be placed."""
    by_segment: bool
    small: bool
    """Whether a completed city of two tiles counts half."""
    shared: bool
    """Whether all who tie score."""
    farms: str
    """The way in which farms are scored."""
    once_each: bool
    """Whether a city pays once to every player, where it pays once."""

    @cached_property
    def _fitting(self) -> tuple[dict[int, tuple[int, ...]], ...]:
        """By kind: the rotations that fit what a cell asks for, as far as they were wanted."""
        return tuple({} for _ in self.kinds)

    def fitting(self, kind: int, asked: int) -> tuple[int, ...]:
        """Return the rotations of a kind that show what a cell asks for."""
        known = self._fitting[kind]
        found = known.get(asked)
        if found is None:
            found = known[asked] = tuple(
                rotation
                for rotation in self.rotations[kind]
                if self.looks[kind * 4 + rotation] & asked == asked
            )
        return found

    @cached_property
    def _meetings(self) -> dict[tuple[int, int, int], Contacts]:
        """Contacts by lie, side and the other lie, as far as they were wanted."""
        return {}

    def contacts(self, lie: int, side: int, other: int) -> Contacts:
        """Return what meets across an edge, each pair of segments once.

        Args:
            lie: kind and rotation of a tile.
            side: the side of it at which the other tile lies.
            other: kind and rotation of that tile.

        """
        key = (lie, side, other)
        found = self._meetings.get(key)
        if found is None:
            pairs = {
                (self.owner[lie][port], self.owner[other][FACING[port]])
                for port in range(3 * side, 3 * side + 3)
            }
            found = self._meetings[key] = tuple(sorted(pairs))
        return found

    @cached_property
    def _leaders(self) -> dict[int, tuple[int, ...]]:
        """Who scores a feature by the followers on it, as far as it was wanted."""
        return {}

    def leaders(self, men: int) -> tuple[int, ...]:
        """Return the players who score a feature with these followers on it."""
        found = self._leaders.get(men)
        if found is None:
            counts = [men >> MAN * player & MEN for player in range(len(self.game.players))]
            best = max(counts)
            found = tuple(p for p, count in enumerate(counts) if count == best > 0)
            if len(found) > 1 and not self.shared:
                found = ()
            self._leaders[men] = found
        return found


GAMES = 8
"""Games whose tables are remembered: positions of one game are mostly looked at one by one."""


@lru_cache(maxsize=GAMES)
def plane_tables(game: Game) -> PlaneTables:
    """Derive the tables of a game."""
    kinds = game.tile_set.kinds
    lies = [(kind, rotation) for kind in kinds for rotation in range(4)]
    sides = [(kind, rotation, side) for kind, rotation in lies for side in Side]
    return PlaneTables(
        game=game,
        kinds=kinds,
        width=max(len(kind.segments) for kind in kinds),
        rotations=tuple(kind.rotations() for kind in kinds),
        segments=tuple(tuple(KINDS.index(s.kind) for s in kind.segments) for kind in kinds),
        shields=tuple(tuple(s.marks.count(Mark.SHIELD) for s in kind.segments) for kind in kinds),
        bordered=tuple(tuple(map(kind.bordered, range(len(kind.segments)))) for kind in kinds),
        owner=tuple(tuple(kind.at(port, r) for port in range(PORTS)) for kind, r in lies),
        looks=tuple(
            sum(1 << 3 * side + _shown(kind, rotation, side) for side in Side)
            for kind, rotation in lies
        ),
        asks=tuple(1 << 3 * side.opposite + _shown(kind, r, side) for kind, r, side in sides),
        ends=tuple(
            kind.at(middle(side), r) if _shown(kind, r, side) != FIELD else NOTHING
            for kind, r, side in sides
        ),
        cloister=tuple(
            next((i for i, s in enumerate(kind.segments) if s.kind is Kind.CLOISTER), NOTHING)
            for kind in kinds
        ),
        claimed=frozenset(
            {ROAD, CITY, CLOISTER} | ({FIELD} if game.value(FARMERS) == "on" else set())
        ),
        by_segment=game.value(COUNT_BY) == "segment",
        small=game.value(SMALL_CITY) == "2",
        shared=game.value(TIE) == "all_full",
        farms=game.value(FARMS),
        once_each=game.value(FIELD3_ONCE_SCOPE) == "player",
    )


def _shown(kind: TileKind, rotation: int, side: Side) -> int:
    """Return what a side shows: the kind of the segment in its middle."""
    return KINDS.index(kind.segments[kind.at(middle(side), rotation)].kind)
