"""Where everything on a kind of tile is drawn: regions, strokes, symbols, room for followers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from model.geometry import PORT_SIDES
from model.pictures.outlines import (
    CELL,
    CENTRE,
    Outline,
    Piece,
    apart,
    between,
    inside,
    on_border,
)
from model.pictures.regions import Frame, Region, regions
from model.pictures.xml import Point
from model.tiles import LINES, Mark, TileKind

ROAD = 15.0
"""Width of a path or road."""
_SAMPLES = 16
_BLOT = 17.0
"""Radius of an area that reaches no side."""
_PULL = 26.0
"""How far squares stand from the hub where there are several."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """What a path or road covers."""

    segment: int
    outlines: tuple[Outline, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of tile at rotation 0."""

    regions: tuple[Region, ...]
    """Areas, the lowest first."""
    strokes: tuple[Stroke, ...]
    squares: tuple[Point, ...]
    ends: tuple[Point, ...]
    """Where paths or roads end without a square."""
    spots: tuple[Point, ...]
    """For each segment where a follower stands on it."""
    marks: tuple[tuple[int, Mark, Point], ...]
    """Marks with their segments."""
    aeries: tuple[Point, ...]
    tower_place: Point | None


@cache
def layout(kind: TileKind) -> Layout:
    """Lay out a kind of tile.

    Args:
        kind: any kind, also a picture of a start space, whose border is empty in parts.

    """
    frame = Frame(kind)
    squares = tuple(_squares(kind, frame))
    strokes = tuple(_strokes(kind, frame, squares))
    areas = regions(kind, frame)
    ground = Ground(kind, areas, strokes)
    taken: list[Point] = list(squares)
    blots: dict[int, Point] = {}
    for index, segment in enumerate(kind.segments):
        if segment.ports or segment.kind in LINES:
            continue
        at = ground.enclosed(kind, index) or (
            frame.hub if _stubs(frame, kind) else ground.free(None, taken)
        )
        taken.append(at)
        blots[index] = at
        areas.append(Region(index, disc(at, _BLOT), (disc(at, _BLOT),)))
        ground.cover(index, at)
    ends = () if blots else tuple(_ends(kind, frame))
    taken += ends
    tower = None
    if kind.tower_place:
        tower = frame.hub if ends else ground.free(None, taken)
        ends = ()
        taken.append(tower)
    spots = []
    for index, segment in enumerate(kind.segments):
        if segment.kind in LINES:
            spots.append(_on_line(strokes, index))
        else:
            spots.append(blots.get(index) or ground.free(index, taken))
    taken += spots
    marks = []
    for index, segment in enumerate(kind.segments):
        for mark in segment.marks:
            at = spots[index] if segment.kind in LINES else ground.free(index, taken)
            taken.append(at)
            marks.append((index, mark, at))
    aeries = []
    for linked in kind.aeries:
        at = ground.meeting([spots[index] for index in linked], taken)
        taken.append(at)
        aeries.append(at)
    return Layout(
        regions=tuple(areas),
        strokes=strokes,
        squares=squares,
        ends=ends,
        spots=tuple(spots),
        marks=tuple(marks),
        aeries=tuple(aeries),
        tower_place=tower,
    )


def disc(at: Point, radius: float) -> Outline:
    """Return the outline of an area that reaches no side: a square with round corners."""
    x, y = at
    corners = [(x + radius, y - radius), (x + radius, y + radius)]
    corners += [(x - radius, y + radius), (x - radius, y - radius)]
    middles = [(x + radius, y), (x, y + radius), (x - radius, y), (x, y - radius)]
    pieces = [Piece(m, c) for m, c in zip(middles, corners, strict=True)]
    return Outline(middles[3], tuple(pieces))


def _stubs(frame: Frame, kind: TileKind) -> list[int]:
    """Return the lines that end within the tile without a square."""
    ending = {index for square in kind.squares for index in square}
    return [i for i, ports in frame.lines.items() if len(ports) == 1 and i not in ending]


def _squares(kind: TileKind, frame: Frame) -> Iterator[Point]:
    """Yield where each square lies: at the hub, or towards its arms if there are more."""
    for square in kind.squares:
        if len(kind.squares) == 1:
            yield frame.hub
            continue
        sides = [on_border(port + 0.5) for arm in square for port in frame.lines[arm]]
        x = sum(point[0] - CENTRE[0] for point in sides)
        y = sum(point[1] - CENTRE[1] for point in sides)
        length = max(apart((x, y), (0, 0)), 1)
        yield CENTRE[0] + x / length * _PULL, CENTRE[1] + y / length * _PULL


def _strokes(kind: TileKind, frame: Frame, squares: tuple[Point, ...]) -> Iterator[Stroke]:
    """Yield the stroke of every line, those that end within the tile first."""
    through = [i for i, ports in frame.lines.items() if len(ports) > 1]
    stubs = _stubs(frame, kind)
    for index in sorted(frame.lines, key=lambda i: (len(frame.lines[i]), i)):
        ports = frame.lines[index]
        stops = [p for square, p in zip(kind.squares, squares, strict=True) if index in square]
        targets = stops or [frame.hub]
        if len(ports) == 2 and not stops:  # noqa: PLR2004 -- from side to side
            outlines = [_curve(ports[0], ports[1])]
        else:
            part = 0.55 if index in stubs and through else 1.0
            outlines = [_arm(port, targets[0], part) for port in ports]
        outlines += [Outline(targets[0], (Piece(stop),)) for stop in targets[1:]]
        if not outlines:
            x, y = targets[0]
            outlines = [Outline((x - ROAD, y), (Piece((x + ROAD, y)),))]
        yield Stroke(index, tuple(outlines))


def _curve(port: int, other: int) -> Outline:
    """Return the line from one side to another."""
    straight = PORT_SIDES[port].opposite is PORT_SIDES[other]
    end = Piece(on_border(other + 0.5), None if straight else CENTRE)
    return Outline(on_border(port + 0.5), (end,))


def _arm(port: int, target: Point, part: float) -> Outline:
    """Return the line from a side to a point, or to some part of the way."""
    start = on_border(port + 0.5)
    return Outline(start, (Piece(between(start, target, part)),))


def _ends(kind: TileKind, frame: Frame) -> Iterator[Point]:
    """Yield where lines end that have no square."""
    through = any(len(ports) > 1 for ports in frame.lines.values())
    stubs = _stubs(frame, kind)
    if stubs and not through:
        yield frame.hub
    elif stubs:
        for index in stubs:
            yield between(on_border(frame.lines[index][0] + 0.5), frame.hub, 0.55)


def _on_line(strokes: tuple[Stroke, ...], segment: int) -> Point:
    """Return the middle of a path or road."""
    outlines = next(stroke.outlines for stroke in strokes if stroke.segment == segment)
    points = list(outlines[0].points())
    if len(outlines) > 1:
        return points[-1]
    if len(points) == 2:  # noqa: PLR2004 -- a straight line
        return between(points[0], points[1])
    return points[len(points) // 2]


class Ground:
    """Points all over a tile, and to which segment each belongs."""

    def __init__(self, kind: TileKind, areas: list[Region], strokes: tuple[Stroke, ...]) -> None:
        """Find the topmost segment at every point."""
        step = CELL / _SAMPLES
        polygons = [(region.segment, list(region.outline.points())) for region in areas]
        lines = [
            (stroke.segment, list(_dots(outline)))
            for stroke in strokes
            for outline in stroke.outlines
        ]
        self._owner: dict[Point, int] = {}
        for row in range(_SAMPLES):
            for column in range(_SAMPLES):
                point = ((column + 0.5) * step, (row + 0.5) * step)
                for segment, corners in polygons:
                    if inside(point, corners):
                        self._owner[point] = segment
                for segment, dots in lines:
                    if any(apart(point, dot) < ROAD / 2 for dot in dots):
                        self._owner[point] = segment
        self._kind = kind
        self._room: dict[Point, float] = {}
        self._measure()

    def _measure(self) -> None:
        """Measure the room round each point that belongs to its segment."""
        for point, owner in self._owner.items():
            foreign = (apart(point, p) for p, other in self._owner.items() if other != owner)
            border = min(*point, CELL - point[0], CELL - point[1])
            self._room[point] = min(min(foreign, default=CELL), border)

    def cover(self, segment: int, at: Point) -> None:
        """Give the points round a place to an area that reaches no side."""
        for point in self._owner:
            if apart(point, at) < _BLOT:
                self._owner[point] = segment
        self._measure()

    def free(self, segment: int | None, taken: list[Point]) -> Point:
        """Return the place with the most room on a segment, or anywhere off the lines.

        Args:
            segment: its index; None for any area.
            taken: places to keep away from.

        """
        found = [
            point
            for point, owner in self._owner.items()
            if owner == segment
            or (segment is None and self._kind.segments[owner].kind not in LINES)
        ]
        if not found:
            return CENTRE
        middle = (
            sum(point[0] for point in found) / len(found),
            sum(point[1] for point in found) / len(found),
        )

        def cost(point: Point) -> tuple[float, float]:
            crowd = min((apart(point, other) * 0.6 for other in taken), default=CELL)
            return -round(min(self._room[point], crowd) * 2), apart(point, middle)

        best = min(found, key=cost)
        reach, least = 1.5 * CELL / _SAMPLES, cost(best)[0]
        near = [p for p in found if apart(p, best) < reach and cost(p)[0] == least]
        return (
            sum(point[0] for point in near) / len(near),
            sum(point[1] for point in near) / len(near),
        )

    def enclosed(self, kind: TileKind, segment: int) -> Point | None:
        """Return where a field lies that cities on the tile enclose; None for other areas."""
        cities = kind.bordered(segment)
        if not cities:
            return None
        lands = [[p for p, owner in self._owner.items() if owner == city] for city in cities]

        def away(point: Point) -> tuple[float, float]:
            far = max(min(apart(point, other) for other in land) for land in lands)
            return far, apart(point, CENTRE)

        return min(self._owner, key=away)

    def meeting(self, spots: list[Point], taken: list[Point]) -> Point:
        """Return a place near all of some spots that is not taken."""
        middle = (
            sum(spot[0] for spot in spots) / len(spots),
            sum(spot[1] for spot in spots) / len(spots),
        )

        def cost(point: Point) -> float:
            crowd = min((apart(point, other) for other in taken), default=CELL)
            border = min(*point, CELL - point[0], CELL - point[1])
            return apart(point, middle) + 4 * max(0, 24 - crowd) + 4 * max(0, 14 - border)

        return min(self._owner, key=cost)


def _dots(outline: Outline) -> Iterator[Point]:
    """Yield points on a line, near enough together to measure by them."""
    points = list(outline.points())
    for start, end in pairwise(points):
        for part in range(8):
            yield between(start, end, part / 8)
