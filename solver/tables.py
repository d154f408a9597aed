"""A game as flat tables of integers, from which the search state is made.

Nodes are ``cell * PORTS + segment``; cells inside the wall come first, in the order of
the board, then one for each start space. A *lie* is ``kind * 4 + rotation``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from model.games import Game
from model.geometry import FACING, PORTS, Cell, Side
from model.rules.castle.completion import SQUARE
from model.rules.castle.placement import UNKNOWN_PICTURE
from model.switches import EMPTY_AREA_ADJACENCY, START_SPACE_PATHS_BIND, START_SPACE_UNKNOWN
from model.tiles import Kind, Mark, PlacedTile, TileKind
from solver.engines import refuse_unknown

KINDS = (Kind.PATH, Kind.TOWER, Kind.HOUSE, Kind.COURT, Kind.CHAPEL)
PATH, TOWER, HOUSE, COURT, CHAPEL = range(len(KINDS))
NOTHING = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Everything about a game that no turn changes."""

    cells: tuple[Cell, ...]
    """Cells inside, then the cells of the start spaces."""
    inside: int
    """Number of cells inside."""
    neighbour: tuple[int, ...]
    """By ``cell * 4 + side``: the cell beyond, or -1 for the wall."""
    kinds: tuple[TileKind, ...]
    """The kinds of tiles, then the start-space pictures."""
    rotations: tuple[tuple[int, ...], ...]
    """By kind: the rotations that look different."""
    segments: tuple[tuple[int, ...], ...]
    """By kind: the kind of each segment."""
    edges: tuple[tuple[int, ...], ...]
    """By ``lie * 4 + side``: the segments there."""
    owner: tuple[tuple[int, ...], ...]
    """By lie: the segment at each port, or -1."""
    paths: tuple[int, ...]
    """By lie: the sides that a path crosses, as bits."""
    fountains: tuple[tuple[int, ...], ...]
    """By kind: fountains of each segment."""
    markets: tuple[tuple[int, ...], ...]
    """By kind: markets of each segment."""
    aeries: tuple[tuple[tuple[int, ...], ...], ...]
    """By kind: the segments that each aerie adjoins."""
    joined: tuple[tuple[tuple[int, int], ...], ...]
    """By kind: segments that squares join, by the switch."""
    must: tuple[int, ...]
    """By cell inside: sides whose start space asks for a path or for none, as bits."""
    wants: tuple[int, ...]
    """By cell inside: those of the sides in ``must`` that ask for a path."""
    at_start: tuple[bool, ...]
    """By cell inside: whether a start space makes it a place for a tile."""
    starts: tuple[PlacedTile, ...]
    """The start-space pictures, in the order of their cells."""
    beside: tuple[int, ...]
    """By cell inside: the cells inside that share a side with it, as bits."""
    linked: tuple[int, ...]
    """By cell inside: the cells inside that count as connected with it when empty, as bits."""
    rim: int
    """The cells inside that have the wall on a side, as bits."""
    around: tuple[tuple[tuple[int, int, int], ...], ...]
    """By cell inside: each side on which it has a neighbour, with that cell, and that cell's side
    towards it as a bit. None of a start space, whose tile lies before all others."""
    near: tuple[int, ...]
    """By cell: the cells inside that share a side with it, as bits."""
    usable: int
    """The cells inside that no unknown start space bars, as bits."""

    def facing(self, cell: int, lie: int) -> tuple[int, ...]:
        """Return for each segment of a tile the cells inside beyond its edges, as bits."""
        faces = [0] * len(self.segments[lie // 4])
        for side in range(4):
            beyond = self.neighbour[cell * 4 + side]
            if 0 <= beyond < self.inside:
                for segment in self.edges[lie * 4 + side]:
                    faces[segment] |= 1 << beyond
        return tuple(faces)


GAMES = 8
"""Games whose tables are remembered: positions of one game are mostly looked at one by one."""


@lru_cache(maxsize=GAMES)
def tables(game: Game) -> Tables:
    """Derive the tables of a game.

    Raises:
        QuestionError: a switch has a value that the incremental state does not know.

    """
    refuse_unknown("state", game)
    starts = game.pictures
    cells = (*game.board.cells, *(tile.cell for tile in starts))
    index = {cell: i for i, cell in enumerate(cells)}
    inside = len(game.board.cells)
    kinds = (*game.tile_set.kinds, *game.picture_kinds)
    must, wants = [0] * inside, [0] * inside
    at_start, barred = [False] * inside, [False] * inside
    binds = game.value(START_SPACE_PATHS_BIND)
    for space, picture in zip(game.board.starts, starts, strict=True):
        cell, bit = index[space.cell], 1 << space.side
        unknown = picture.kind.id == UNKNOWN_PICTURE
        at_start[cell] = True
        barred[cell] = unknown and game.value(START_SPACE_UNKNOWN) == "forbid"
        shows = picture.has_path(space.side.opposite)
        if not unknown and binds != "off" and (shows or binds == "both"):
            must[cell] |= bit
            wants[cell] |= bit if shows else 0
    owner = tuple(
        tuple(kind.at(port, rotation) for port in range(PORTS))
        for kind in kinds
        for rotation in range(4)
    )
    neighbour = tuple(_beyond(index, inside, cell, side) for cell in cells for side in Side)
    diagonal = game.value(EMPTY_AREA_ADJACENCY) == "diagonal"
    return Tables(
        cells=cells,
        inside=inside,
        neighbour=neighbour,
        kinds=kinds,
        rotations=tuple(kind.rotations() for kind in kinds),
        segments=tuple(tuple(KINDS.index(s.kind) for s in kind.segments) for kind in kinds),
        edges=tuple(
            tuple({seg for seg in lie[3 * side : 3 * side + 3] if seg >= 0})
            for lie in owner
            for side in Side
        ),
        owner=owner,
        paths=tuple(
            sum(1 << side for side in Side if kind.has_path(side, rotation))
            for kind in kinds
            for rotation in range(4)
        ),
        fountains=tuple(_marks(kind, Mark.FOUNTAIN) for kind in kinds),
        markets=tuple(_marks(kind, Mark.MARKET) for kind in kinds),
        aeries=tuple(kind.aeries for kind in kinds),
        joined=tuple(_joined(game, kind) for kind in kinds),
        must=tuple(must),
        wants=tuple(wants),
        at_start=tuple(at_start),
        starts=starts,
        beside=tuple(_near(index, inside, cell, diagonal=False) for cell in game.board.cells),
        linked=tuple(_near(index, inside, cell, diagonal=diagonal) for cell in game.board.cells),
        rim=sum(
            1 << cell
            for cell in range(inside)
            if any(not 0 <= neighbour[cell * 4 + side] < inside for side in Side)
        ),
        around=tuple(
            tuple(
                (side, neighbour[cell * 4 + side], 1 << side.opposite)
                for side in Side
                if neighbour[cell * 4 + side] >= 0 and cell < inside
            )
            for cell in range(len(cells))
        ),
        near=tuple(
            sum(1 << n for n in neighbour[4 * c : 4 * c + 4] if 0 <= n < inside)
            for c in range(len(cells))
        ),
        usable=sum(1 << cell for cell in range(inside) if not barred[cell]),
    )


def _near(index: dict[Cell, int], inside: int, cell: Cell, *, diagonal: bool) -> int:
    """Return the cells inside that touch a cell at a side, or at a corner too, as bits."""
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    near = [Cell(cell.x + dx, cell.y + dy) for dx, dy in steps if diagonal or not dx or not dy]
    return sum(1 << index[c] for c in near if index.get(c, inside) < inside)


def _beyond(index: dict[Cell, int], inside: int, cell: Cell, side: Side) -> int:
    """Return the cell beyond a side, or -1; two start spaces never touch."""
    beyond = index.get(cell.step(side), NOTHING)
    return NOTHING if index[cell] >= inside and beyond >= inside else beyond


def _marks(kind: TileKind, mark: Mark) -> tuple[int, ...]:
    """Return how often a mark stands on each segment."""
    return tuple(segment.marks.count(mark) for segment in kind.segments)


def _joined(game: Game, kind: TileKind) -> tuple[tuple[int, int], ...]:
    """Return the pairs of segments of a kind that squares join."""
    tile = PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0)
    return tuple((a.segment, b.segment) for a, b in SQUARE(game, tile))


Meeting = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]
"""What meets across an edge: pairs of segments, one's own and the other tile's, that are one
feature, and those other segments of the other tile that the edge closes."""


def meeting(t: Tables, lie: int, side: int, other: int) -> Meeting:
    """Return what meets across an edge.

    Args:
        t: the tables.
        lie: kind and rotation of a tile.
        side: the side of it at which the other tile lies.
        other: kind and rotation of that tile.

    """
    mine, theirs = t.segments[lie // 4], t.segments[other // 4]
    ports = range(3 * side, 3 * side + 3)
    met = {(t.owner[lie][port], t.owner[other][FACING[port]]) for port in ports}
    same = {(a, b) for a, b in met if a >= 0 and b >= 0 and mine[a] == theirs[b]}
    joined = {b for _, b in same}
    return tuple(sorted(same)), tuple(sorted({b for _, b in met if b >= 0} - joined))
