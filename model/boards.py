"""The castle wall as a board: cells inside, track, corner towers, start spaces."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.geometry import Cell, Side
from model.tiles import PlacedTile, TileKind


@dataclass(frozen=True, slots=True, kw_only=True)
class CornerTower:
    """A corner tower of the wall; two spaces of the track lie on it."""

    name: str
    """Its two numbers, ``12/13``."""
    spaces: tuple[int, int]
    corner: Cell
    """The grid corner at which it stands (lower-left corner of the cell of that name)."""
    holds_tile: bool
    """Whether a wall tile lies on it at the start; tower 0/1 has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSpace:
    """A space of the wall against which the first tile may be laid."""

    name: str
    """Its two track numbers, ``6/7``."""
    cell: Cell
    """The cell inside that it faces."""
    side: Side
    """The side of that cell against which it lies."""

    @property
    def outside(self) -> Cell:
        """The cell of the wall on which its picture lies like a tile."""
        return self.cell.step(self.side)

    def picture(self, kind: TileKind) -> PlacedTile:
        """Return a picture, drawn with its open side north, as a tile on the wall."""
        return PlacedTile(cell=self.outside, kind=kind, rotation=int(self.side.opposite))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A piece of the wall without scoring spaces, between two numbers of the track."""

    name: str
    """The numbers on either side of it, ``27/28``."""
    after: int
    """The last number before it."""
    start: StartSpace
    """The start space that it is if it is one."""
    shows: str
    """Id of the picture that it shows then, unless a position says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Boards: the cells inside a castle's wall with its spaces and towers, or a plane."""

    id: str
    title: str
    note: str
    cells: tuple[Cell, ...]
    """Cells inside, ascending; their index is the integer cell of flat states."""
    track: int
    """Scoring spaces; a marker goes from the last one on to 0."""
    towers: tuple[CornerTower, ...]
    starts: tuple[StartSpace, ...]
    """Start spaces in the order of their numbers, the gates that are some included."""
    gates: tuple[Gate, ...] = ()
    endless: bool = False
    """Whether it is a plane without a wall, which has every cell."""
    _inside: frozenset[Cell] = field(init=False, repr=False, compare=False)
    """Derived once: the graph of features asks for every side of every tile."""

    def __post_init__(self) -> None:
        """Derive the set of cells."""
        object.__setattr__(self, "_inside", frozenset(self.cells))

    def holds(self, cell: Cell) -> bool:
        """Tell whether a tile can lie on ``cell``."""
        return self.endless or cell in self._inside

    def tower_at(self, score: int) -> CornerTower | None:
        """Return the corner tower on which a marker of this score stands, if any."""
        space = score % self.track
        for tower in self.towers:
            if space in tower.spaces:
                return tower
        return None

    def gate_at(self, cell: Cell, side: Side) -> Gate | None:
        """Return the gate that lies against a side of a cell, if any."""
        for gate in self.gates:
            if (gate.start.cell, gate.start.side) == (cell, side):
                return gate
        return None

    def start_facing(self, cell: Cell) -> StartSpace | None:
        """Return the start space that faces ``cell``, if any."""
        for start in self.starts:
            if start.cell == cell:
                return start
        return None


PLANE = Board(
    id="plane",
    title="An open plane",
    note="",
    cells=(),
    track=50,
    towers=(),
    starts=(),
    endless=True,
)
"""The table on which Carcassonne is played; its track has 50 spaces."""
