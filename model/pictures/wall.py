"""The wall of a castle: its track, corner towers, start spaces, gates and scoring markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from burgrave.model.boards import Board, CornerTower, Gate
from burgrave.model.geometry import Cell, Side
from burgrave.model.pictures.ground import Ground, centre
from burgrave.model.pictures.outlines import CELL, on_border
from burgrave.model.pictures.pawns import marker, wall_tile
from burgrave.model.pictures.shapes import corner
from burgrave.model.pictures.xml import Point, box, circle, element, group, path, title, words
from burgrave.model.position import Position
from burgrave.model.track import TrackSide, around, notch, track

_WALL = 56.0
"""The thickness of the wall."""
_COURSE = 30.0
"""The depth at which the inner course of stones ends."""
_OUT = {Side.N: (0, -1), Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0)}
_PLATE = 44.0
"""Radius of a corner tower."""
_LOW = 25.0
"""How far below its middle a wall tile lies."""


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

    @property
    def _stretches(self) -> list[TrackSide]:
        """The straight wall along the cells that are drawn."""
        return [one for one in track(self.board) if one.cell in self.ground.cells]

    def straight(self) -> Iterator[str]:
        """Yield the wall: its stones with the spaces of the track, merlons outside, gates."""
        gates = [gate for gate in self.board.gates if {*gate.cells} & {*self.ground.cells}]
        sides = [(one.cell, one.side) for one in self._stretches]
        along = sides + [(cell, gate.start.side) for gate in gates for cell in gate.cells]
        outside = "".join(_run(cell, side, _WALL + 3) for cell, side in along)
        yield path(outside, "merlon-edge") + path(outside, "merlon")
        corners = "".join(f"M{x:g} {y:g}h56v56h-56z" for x, y in self._corners())
        if corners:
            yield path(corners, "wall")
        walls = [_strip(cell, side, 0, 3) for cell, side in sides]
        yield path("".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for (x, y), w, h in walls), "wall")
        # Two courses of stones: those outside are the spaces, those inside lie half a stone off.
        joints = ""
        for cell, side in sides:
            joints += _run(cell, side, _COURSE)
            for part, low, high in ((0, _COURSE, _WALL), (1.5, _COURSE, _WALL)):
                joints += _cross(cell, 3 * side + part, low, high)
            for part in (0.75, 2.25):
                joints += _cross(cell, 3 * side + part, 0, _COURSE)
        yield path(joints, "joint")
        for gate in gates:
            yield self._gate(gate)
        yield path(
            "".join(_run(cell, side, depth) for cell, side in along for depth in (0, _WALL)), "lip"
        )

    def _corners(self) -> Iterator[Point]:
        """Yield the top left corners of the wall outside the corners that point outwards."""
        for cell in self.board.cells:
            for dx, dy in ((0, 0), (0, 1), (1, 0), (1, 1)):
                grid = Cell(cell.x + dx, cell.y + dy)
                alone = sum(near in self.board.cells for near in around(grid)) == 1
                if alone and cell in self.ground.cells:
                    x, y = _grid(grid)
                    yield x - _WALL * (1 - dx), y - _WALL * dy

    def numbers(self) -> Iterator[str]:
        """Yield the numbers of the track, every fifth one bold."""
        if self.ground.view.thumbnail:
            return
        for stretch in self._stretches:
            for step in (0, 1):
                place = 3 * stretch.side + 0.75 + 1.5 * step
                number = stretch.first + step
                at = _at(stretch.cell, place, (_COURSE + _WALL) / 2)
                look = "number bold" if number % 5 == 0 else "number"
                hook = {"data_space": str(number)}
                yield element("text", str(number), class_=look, x=at[0], y=at[1] + 6.5, **hook)

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

    def pictures(self) -> Iterator[str]:
        """Yield the names of the start spaces, with a question mark for unknown ones."""
        if self.ground.view.thumbnail:
            return
        game = self.position.game
        for start, picture in zip(self.board.starts, game.pictures, strict=True):
            if start.cell not in self.ground.cells:
                continue
            middle = 3 * start.side + 1.5
            at, width, height = _strip(start.cell, start.side, 0, 3)
            yield group(
                title(f"start space {start.name}: {picture.kind.title or picture.kind.id}"),
                box(at, width, height, "hit"),
                "" if picture.kind.segments else unknown(_at(start.cell, middle, 15)),
                class_="start",
                data_start=start.name,
            )

    def towers(self) -> Iterator[str]:
        """Yield the corner towers with their numbers and wall tiles."""
        left = dict(self.position.towers)
        for tower in self.board.towers:
            if not self._stands(tower):
                continue
            number = left.get(tower.name)
            said = f"corner tower {tower.name}"
            if number is not None:
                said += f", wall tile {number or 'face down'}"
            filled = notch(self.board, tower) is not None
            if filled:
                plate = box((-48, -48), 96, 96, "plate", rx=12)
            else:
                plate = circle((0, 0), _PLATE, "plate") + circle((0, 0), _PLATE - 5, "plate-ring")
            first, second = map(str, tower.spaces)
            drawn = words(first, (-15, -22), 18, "number") + words(second, (15, -22), 18, "number")
            if self.ground.view.thumbnail:
                yield group(plate, at=self._plate(tower))
                continue
            yield group(
                title(said),
                plate,
                drawn,
                "" if number is None else wall_tile(number, (0, _LOW)),
                at=self._plate(tower),
                class_="corner",
                data_corner=tower.name,
            )

    def wall_tiles(self) -> Iterator[tuple[int, Point]]:
        """Yield the numbers of the wall tiles on corner towers, 0 face down, with their middles."""
        left = dict(self.position.towers)
        for tower in self.board.towers:
            if tower.name in left and self._stands(tower):
                x, y = self._plate(tower)
                yield left[tower.name], (x, y + _LOW)

    def _stands(self, tower: CornerTower) -> bool:
        """Tell whether wall is drawn at a corner tower: on both sides of an inner corner."""
        shown = sum(cell in self.ground.cells for cell in around(tower.corner))
        return shown > (notch(self.board, tower) is not None)

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
        """Yield the scoring markers."""
        for player, at in self.marked():
            yield marker(self.position.game, player, at)

    def marked(self) -> Iterator[tuple[int, Point]]:
        """Yield the players with the places of their markers; those on a space stand in a row."""
        taken: dict[Point, int] = {}
        for player, state in enumerate(self.position.players):
            if not self._seen(state.score % self.board.track):
                continue
            at, along = self._standing(state.score % self.board.track, at_gate=state.at_gate)
            before = taken.get(at, 0)
            taken[at] = before + 1
            shift = 12 * (2 * before - self._sharing(player) + 1)
            dx, dy = along
            yield player, (at[0] + shift * dx, at[1] + shift * dy)

    def _seen(self, number: int) -> bool:
        """Tell whether a space of the track is drawn."""
        shown = self.ground.cells
        spaces = {one.first + step for one in self._stretches for step in (0, 1)}
        for tower in self.board.towers:
            if self._stands(tower):
                spaces.update(tower.spaces)
        spaces |= {gate.after for gate in self.board.gates if {*gate.cells} & {*shown}}
        return number in spaces

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


def _run(cell: Cell, side: Side, depth: float) -> str:
    """Return the line along a side of a cell, some way outside, as path data."""
    (ax, ay), (bx, by) = (_at(cell, 3 * side + part, depth) for part in (0, 3 - 1e-9))
    ax, ay, bx, by = round(ax), round(ay), round(bx), round(by)
    return f"M{ax} {ay}" + (f"h{bx - ax}" if ay == by else f"v{by - ay}")


def _cross(cell: Cell, place: float, low: float, high: float) -> str:
    """Return a line across the wall between two depths as path data."""
    (ax, ay), (bx, by) = _at(cell, place, low), _at(cell, place, high)
    return f"M{ax:g} {ay:g}L{bx:g} {by:g}"


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


def unknown(at: Point) -> str:
    """Return the sign for an unknown picture."""
    return circle(at, 15, "stone") + words("?", at, 20, "dark bold")
