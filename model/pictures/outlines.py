"""Curves on a tile: 100 units wide, its border counted in ports, its middle at 50, 50."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from burgrave.model.geometry import PORTS
from burgrave.model.pictures.xml import Point, number

CELL = 100.0
"""Units along a side of a tile."""
CENTRE: Point = (CELL / 2, CELL / 2)
_STEPS = 8
"""Straight pieces by which a curve is measured."""


class Piece(NamedTuple):
    """A piece of an outline: a straight line, or a curve drawn towards a point."""

    end: Point
    towards: Point | None = None


class Outline(NamedTuple):
    """A line along pieces from a point."""

    start: Point
    pieces: tuple[Piece, ...]

    def data(self, rotation: int = 0, *, closed: bool = False) -> str:
        """Return it as path data after quarter turns round the middle of the tile."""
        parts = [f"M{_pair(turn(self.start, rotation))}"]
        for piece in self.pieces:
            if piece.towards is None:
                parts.append(f"L{_pair(turn(piece.end, rotation))}")
            else:
                towards, end = turn(piece.towards, rotation), turn(piece.end, rotation)
                parts.append(f"Q{_pair(towards)} {_pair(end)}")
        return "".join(parts) + ("Z" if closed else "")

    def points(self) -> Iterator[Point]:
        """Yield points along it, near enough for measuring."""
        yield self.start
        here = self.start
        for piece in self.pieces:
            if piece.towards is not None:
                yield from (
                    on_curve(here, piece.towards, piece.end, step / _STEPS)
                    for step in range(1, _STEPS)
                )
            yield piece.end
            here = piece.end


def _pair(point: Point) -> str:
    """Return a point in path data."""
    return f"{number(point[0])} {number(point[1])}"


def on_curve(start: Point, towards: Point, end: Point, part: float) -> Point:
    """Return a point of a curve."""
    return between(between(start, towards, part), between(towards, end, part), part)


def between(start: Point, end: Point, part: float = 0.5) -> Point:
    """Return the point at some part of the way from one point to another."""
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def turn(point: Point, rotation: int) -> Point:
    """Return the place of a point of a tile after clockwise quarter turns.

    >>> turn((50.0, 0.0), 1)
    (100.0, 50.0)
    """
    x, y = point
    for _ in range(rotation):
        x, y = CELL - y, x
    return x, y


def on_border(place: float) -> Point:
    """Return a point of the border.

    Args:
        place: ports passed from the north-west corner, clockwise; 1.5 is the middle of the north.

    """
    side, along = divmod(place % PORTS, 3)
    return turn((along / 3 * CELL, 0.0), int(side))


def along_border(start: float, end: float) -> tuple[Piece, ...]:
    """Return the pieces along the border from one place clockwise to a later one."""
    corners = [place for place in range(-PORTS, 2 * PORTS, 3) if start < place < end]
    return tuple(Piece(on_border(place)) for place in (*corners, end))


def spans(corners: Sequence[Point], y: float) -> list[tuple[float, float]]:
    """Return the stretches of a level line that lie in a polygon, from left to right.

    Args:
        corners: the corners of the polygon in their order.
        y: the height of the line.

    """
    crossed = []
    bx, by = corners[-1]
    for ax, ay in corners:
        if (ay > y) is not (by > y):
            crossed.append(ax + (y - ay) / (by - ay) * (bx - ax))
        bx, by = ax, ay
    crossed.sort()
    return list(zip(crossed[::2], crossed[1::2], strict=True))


def inside(point: Point, corners: Sequence[Point]) -> bool:
    """Tell whether a point lies in a polygon."""
    return any(start < point[0] <= end for start, end in spans(corners, point[1]))
