"""The paths and roads of a tile: where they run, meet and end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import dist

from burgrave.model.geometry import PORT_SIDES
from burgrave.model.pictures.outlines import CELL, CENTRE, Outline, Piece, between, on_border
from burgrave.model.pictures.regions import Frame, inwards
from burgrave.model.pictures.xml import Point
from burgrave.model.tiles import TileKind

WIDTH = 15.0
"""The width of a path or road."""
_PULL = 26.0
"""The distance of several squares from the hub."""
_SHORT = 0.55
"""The part of the way to the middle that a line goes which ends beside another."""
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Stroke:
    """The stroke of a path or road."""

    segment: int
    outlines: tuple[Outline, ...]

    @property
    def leaves(self) -> bool:
        """Whether its first arm continues to another side of the tile."""
        x, y = self.outlines[0].pieces[-1].end
        return x in {0, CELL} or y in {0, CELL}

    def along(self, part: float) -> Point:
        """Return a point on its first arm, by the part of the way from the border."""
        points = list(self.outlines[0].points())
        left = part * sum(dist(start, end) for start, end in pairwise(points))
        for start, end in pairwise(points):
            step = dist(start, end)
            if left <= step:
                return between(start, end, left / step)
            left -= step
        return points[-1]


def stubs(frame: Frame) -> list[int]:
    """Return the lines that end within a tile without a square."""
    squared = {index for square in frame.kind.squares for index in square}
    return [i for i, ports in frame.lines.items() if len(ports) == 1 and i not in squared]


def squares(kind: TileKind, frame: Frame) -> Iterator[Point]:
    """Yield the place of each square: the hub, or towards its arms if there are more."""
    for square in kind.squares:
        if len(kind.squares) == 1:
            yield frame.hub
            continue
        sides = [on_border(port + 0.5) for arm in square for port in frame.lines[arm]]
        x = sum(point[0] - CENTRE[0] for point in sides)
        y = sum(point[1] - CENTRE[1] for point in sides)
        length = max(dist((x, y), (0, 0)), 1)
        yield CENTRE[0] + x / length * _PULL, CENTRE[1] + y / length * _PULL


def strokes(kind: TileKind, frame: Frame, places: tuple[Point, ...]) -> Iterator[Stroke]:
    """Yield the stroke of every line, those with fewest ends first.

    Args:
        kind: the tile.
        frame: its lines.
        places: where its squares lie.

    """
    ending = stubs(frame)
    for index in sorted(frame.lines, key=lambda i: (len(frame.lines[i]), i)):
        ports = frame.lines[index]
        stops = [at for square, at in zip(kind.squares, places, strict=True) if index in square]
        first, *others = stops or [frame.hub]
        if len(ports) == _PAIR and not stops:
            outlines = [_curve(frame, ports[0], ports[1])]
        else:
            outlines = [_arm(p, _stop(frame, p) if index in ending else first) for p in ports]
        outlines += [Outline(first, (Piece(stop),)) for stop in others]
        x, y = first
        alone = Outline((x - WIDTH, y), (Piece((x + WIDTH, y)),))
        yield Stroke(index, tuple(outlines) or (alone,))


def _stop(frame: Frame, port: int) -> Point:
    """Return the end of a line without a square: the hub, or before a line that crosses."""
    if any(len(ports) > 1 for ports in frame.lines.values()):
        return between(on_border(port + 0.5), CENTRE, _SHORT)
    return frame.hub


def _curve(frame: Frame, port: int, other: int) -> Outline:
    """Return the line from one side to another: straight, a curve, or on the midlines."""
    start, end = on_border(port + 0.5), on_border(other + 0.5)
    if frame.quartered:
        return Outline(start, (Piece(CENTRE), Piece(end)))
    straight = PORT_SIDES[port].opposite is PORT_SIDES[other]
    return Outline(start, (Piece(end, None if straight else CENTRE),))


def _arm(port: int, target: Point) -> Outline:
    """Return the line from a side to a point inside."""
    start = on_border(port + 0.5)
    return Outline(start, (inwards(start, target),))


def ends(frame: Frame) -> tuple[Point, ...]:
    """Return the ends of lines without a square."""
    found = [_stop(frame, frame.lines[index][0]) for index in stubs(frame)]
    return tuple(dict.fromkeys(found))
