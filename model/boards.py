"""The castle wall as a board: cells inside, track, corner towers, start spaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import product

from burgrave.model.geometry import Cell, Side
from burgrave.model.tiles import PlacedTile, TileKind


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
    further: tuple[Cell, ...] = ()
    """Cells inside along it beside the one that its start space faces, clockwise."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells inside along it, clockwise."""
        return (self.start.cell, *self.further)


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

    def __repr__(self) -> str:
        """Return one short line, without the cells."""
        return f"<Board {self.id}>"

    def __post_init__(self) -> None:
        """Derive the set of cells."""
        object.__setattr__(self, "_inside", frozenset(self.cells))

    def holds(self, cell: Cell) -> bool:
        """Tell whether a tile can lie on ``cell``."""
        return self.endless or cell in self._inside

    @property
    def symmetries(self) -> tuple[tuple[int, bool], ...]:
        """Quarter turns, mirrored or not, that lead the board to itself; a wall has none."""
        return tuple(product(range(4), (False, True))) if self.endless else ((0, False),)

    def corner(self, cells: Iterable[Cell]) -> Cell:
        """Return where the first column and row of some cells meet; 0,0 inside a wall."""
        there = [*cells]
        if not self.endless or not there:
            return Cell(0, 0)
        return Cell(min(cell.x for cell in there), min(cell.y for cell in there))

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
            if gate.start.side is side and cell in gate.cells:
                return gate
        return None

    def start_facing(self, cell: Cell) -> StartSpace | None:
        """Return the start space that faces ``cell``, if any."""
        for start in self.starts:
            if start.cell == cell:
                return start
        return None


def with_wide_gates(board: Board) -> Board:
    """Return a castle whose four gates are two tiles wide instead of one.

    The column between the gates in the north and the south is there twice, and so is the row
    of the gate in the west. In the east that makes room north of the gate. A start space of a
    gate lies on its first tile, clockwise.

    Args:
        board: a wall with a gate on each side. Those in the north and the south face each
            other; that in the east lies no higher than that in the west.

    """
    at = {gate.start.side: gate.start.cell for gate in board.gates}
    column, row = at[Side.N].x, at[Side.W].y

    def moved(cell: Cell) -> Cell:
        return Cell(cell.x + (cell.x > column), cell.y + (cell.y > row))

    def wider(gate: Gate) -> Gate:
        near = moved(gate.start.cell)
        far = near.step(Side.E if gate.start.side in {Side.N, Side.S} else Side.N)
        # Clockwise is to the east in the north and to the west in the south.
        first, last = (near, far) if gate.start.side in {Side.N, Side.W} else (far, near)
        return replace(gate, start=replace(gate.start, cell=first), further=(last,))

    cells = set()
    for cell in board.cells:
        for x in {cell.x, cell.x + 1} if cell.x == column else {moved(cell).x}:
            for y in {cell.y, cell.y + 1} if cell.y == row else {moved(cell).y}:
                cells.add(Cell(x, y))
    return replace(
        board,
        cells=tuple(sorted(cells)),
        towers=tuple(replace(tower, corner=moved(tower.corner)) for tower in board.towers),
        starts=tuple(replace(start, cell=moved(start.cell)) for start in board.starts),
        gates=tuple(wider(gate) for gate in board.gates),
    )


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
