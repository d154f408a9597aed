"""The wall of a castle: its track, corner towers, start spaces, gates and scoring markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.boards import Board, CornerTower, Gate
from model.geometry import Cell, Side
from model.pictures.ground import Ground, centre, corner
from model.pictures.outlines import CELL, on_border
from model.pictures.pawns import marker, wall_tile
from model.pictures.tiles import tile
from model.pictures.xml import Point, box, circle, group, path, title, words
from model.position import Position
from model.track import TrackSide, around, notch, track

_WALL = 56.0
"""The thickness of the wall."""
_OUT = {Side.N: (0, -1), Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0)}
_PLATE = 44.0
"""Radius of a corner tower."""


@dataclass(frozen=True, slots=True)
class Wall:
    """The wall of a position."""

    ground: Ground

    @property
    def position(self) -> Position:
        """The position."""
        return self.ground.position

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.game.board

    def corners(self) -> Iterator[str]:
        """Yield the wall outside the corners that point outwards."""
        for cell in self.board.cells:
            for dx, dy in ((0, 0), (0, 1), (1, 0), (1, 1)):
                grid = Cell(cell.x + dx, cell.y + dy)
                if sum(near in self.board.cells for near in around(grid)) == 1:
                    x, y = _grid(grid)
                    at = (x - _WALL * (1 - dx), y - _WALL * dy)
                    yield box(at, _WALL, _WALL, "wall")

    def straight(self) -> Iterator[str]:
        """Yield the spaces of the track along the straight wall, and the gates."""
        for stretch in track(self.board):
            for step in (0, 1):
                yield self._space(stretch, step)
        for gate in self.board.gates:
            yield self._gate(gate)

    def _space(self, stretch: TrackSide, step: int) -> str:
        """Return a space of the track."""
        number = stretch.first + step
        at, width, height = _strip(stretch.cell, stretch.side, 1.5 * step, 1.5 * step + 1.5)
        return group(
            title(f"space {number}"),
            box(at, width, height, "wall"),
            class_="space",
            data_space=str(number),
        )

    def numbers(self) -> Iterator[str]:
        """Yield the numbers of the track, which stand above what start spaces show."""
        for stretch in track(self.board):
            for step in (0, 1):
                place = 3 * stretch.side + 0.75 + 1.5 * step
                number = str(stretch.first + step)
                yield words(number, _at(stretch.cell, place, _WALL - 14), 17)

    def _gate(self, gate: Gate) -> str:
        """Return a gate with its bars."""
        side, bars, boxes = gate.start.side, "", []
        for cell in gate.cells:
            boxes.append(box(*_strip(cell, side, 0, 3), "gate"))
            for part in range(1, 6):
                (ax, ay), (bx, by) = (
                    _at(cell, 3 * side + part / 2, depth) for depth in (_WALL - 8, 8)
                )
                bars += f"M{ax:g} {ay:g}L{bx:g} {by:g}"
        return group(
            title(f"gate {gate.name}"),
            *boxes,
            path(bars, "bars"),
            class_="space",
            data_gate=gate.name,
        )

    def starts(self) -> Iterator[str]:
        """Yield the pictures of start spaces, a question mark for unknown ones."""
        game = self.position.game
        for start, picture in zip(self.board.starts, game.pictures, strict=True):
            middle = 3 * start.side + 1.5
            lit = self.ground.lit_on(start.outside)
            yield group(
                title(f"start space {start.name}: {picture.kind.title or picture.kind.id}"),
                group(tile(picture.kind, picture.rotation, lit), at=corner(start.outside)),
                "" if picture.kind.segments else _unknown(_at(start.cell, middle, 26)),
                class_="start",
                data_start=start.name,
            )

    def towers(self) -> Iterator[str]:
        """Yield the corner towers with their numbers and wall tiles."""
        left = dict(self.position.towers)
        for tower in self.board.towers:
            number = left.get(tower.name)
            said = f"corner tower {tower.name}"
            if number is not None:
                said += f", wall tile {number or 'face down'}"
            filled = notch(self.board, tower) is not None
            plate = (
                box((-48, -48), 96, 96, "wall", rx=12) if filled else circle((0, 0), _PLATE, "wall")
            )
            first, second = map(str, tower.spaces)
            drawn = words(first, (-17, -24), 17) + words(second, (17, -24), 17)
            yield group(
                title(said),
                plate,
                drawn,
                "" if number is None else wall_tile(number, (0, 27)),
                at=self._plate(tower),
                class_="corner",
                data_corner=tower.name,
            )

    def _plate(self, tower: CornerTower) -> Point:
        """Return the middle of a corner tower."""
        x, y = _grid(tower.corner)
        filled = notch(self.board, tower)
        if filled is not None:
            return centre(filled)
        within = next(cell for cell in around(tower.corner) if cell in self.board.cells)
        dx = -1 if within.x == tower.corner.x else 1
        dy = 1 if within.y == tower.corner.y else -1
        return x + 36 * dx, y + 36 * dy

    def markers(self) -> Iterator[str]:
        """Yield the scoring markers; those that share a space stand side by side."""
        taken: dict[Point, int] = {}
        for player, state in enumerate(self.position.players):
            at, along = self._standing(state.score % self.board.track, at_gate=state.at_gate)
            before = taken.get(at, 0)
            taken[at] = before + 1
            shift = 12 * (2 * before - self._sharing(player) + 1)
            dx, dy = along
            yield marker(self.position.game, player, (at[0] + shift * dx, at[1] + shift * dy))

    def _sharing(self, player: int) -> int:
        """Return the number of markers on the space of a player's marker."""
        track = self.board.track
        mine = self.position.players[player]
        return sum(
            (state.score % track, state.at_gate) == (mine.score % track, mine.at_gate)
            for state in self.position.players
        )

    def _standing(self, number: int, *, at_gate: bool) -> tuple[Point, Point]:
        """Return the place of a marker, and the direction of others beside it."""
        for gate in self.board.gates:
            if at_gate and gate.after == number:
                side = gate.start.side
                return _at(gate.start.cell, 3 * side + 1.5, 28), _along(side)
        for stretch in track(self.board):
            if number in {stretch.first, stretch.first + 1}:
                place = 3 * stretch.side + 0.75 + 1.5 * (number - stretch.first)
                return _at(stretch.cell, place, 15), _along(stretch.side)
        for tower in self.board.towers:
            if number in tower.spaces:
                x, y = self._plate(tower)
                return (x + (-20 if number == tower.spaces[0] else 20), y), (1, 0)
        raise AssertionError(number)


def _at(cell: Cell, place: float, depth: float) -> Point:
    """Return a point of the wall: before a place of a cell's border, some way outwards."""
    left, top = corner(cell)
    x, y = on_border(place)
    dx, dy = _OUT[Side(int(place // 3))]
    return left + x + dx * depth, top + y + dy * depth


def _strip(cell: Cell, side: Side, begin: float, end: float) -> tuple[Point, float, float]:
    """Return a stretch of wall as top left corner, width and height."""
    ends = _at(cell, 3 * side + begin, 0), _at(cell, 3 * side + end - 1e-9, _WALL)
    (ax, ay), (bx, by) = ends
    return (min(ax, bx), min(ay, by)), abs(ax - bx), abs(ay - by)


def _grid(grid: Cell) -> Point:
    """Return a grid corner on the sheet."""
    return grid.x * CELL, -grid.y * CELL


def _along(side: Side) -> Point:
    """Return the direction in which a wall runs."""
    return (1, 0) if side in {Side.N, Side.S} else (0, 1)


def _unknown(at: Point) -> str:
    """Return the sign for an unknown picture."""
    return circle(at, 15, "stone") + words("?", at, 20, "bold")
