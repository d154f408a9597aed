"""Find room on a tile: points all over it, each with its segment."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import dist

from burgrave.model.pictures.outlines import CELL, CENTRE, Outline, between, spans
from burgrave.model.pictures.regions import Region
from burgrave.model.pictures.strokes import WIDTH, Stroke
from burgrave.model.pictures.xml import Point
from burgrave.model.tiles import TileKind

BLOT = 17.0
"""Half the width of an area that reaches no side."""
_SAMPLES = 12
_STEP = CELL / _SAMPLES
_NEAR = 4.0
"""Distance of the points by which a path or road is measured."""
_CROWD = 0.55
"""The weight of the distance to another symbol against that to a border."""


class Room:
    """The segments of a tile as points."""

    def __init__(
        self, kind: TileKind, regions: Sequence[Region], strokes: Sequence[Stroke]
    ) -> None:
        """Find the topmost segment at every point."""
        areas = [(region.segment, list(region.outline.points())) for region in regions]
        lines = [
            (stroke.segment, [dot for outline in stroke.outlines for dot in _dots(outline)])
            for stroke in strokes
        ]
        self.areas = {region.segment for region in regions}
        self._fields = kind.bordered
        self._owner: dict[Point, int] = {}
        for row in range(_SAMPLES):
            y = (row + 0.5) * _STEP
            here = [(segment, spans(corners, y)) for segment, corners in areas]
            for column in range(_SAMPLES):
                point = (x, _) = ((column + 0.5) * _STEP, y)
                owners = [one for one, within in here if any(a < x <= b for a, b in within)]
                owners += [
                    segment
                    for segment, dots in lines
                    if any(dist(point, dot) < WIDTH / 2 for dot in dots)
                ]
                self._owner[point] = owners[-1] if owners else -1
        self._room = self._measured()

    def _measured(self) -> dict[Point, float]:
        """Return the distance of each point from the nearest one of another segment."""
        rim = [
            (point, owner)
            for point, owner in self._owner.items()
            if any(self._owner.get(near, owner) != owner for near in _around(point))
        ]
        others = {
            owner: [place for place, other in rim if other != owner]
            for owner in set(self._owner.values())
        }
        return {
            point: min([_from_border(point), *(dist(point, one) for one in others[owner])])
            for point, owner in self._owner.items()
        }

    def cover(self, segment: int, at: Point) -> None:
        """Give the points round a place to an area that reaches no side."""
        for point in self._owner:
            if dist(point, at) < BLOT:
                self._owner[point] = segment
        self._room = self._measured()

    def _points(self, segment: int) -> list[Point]:
        """Return the points of a segment; the middle of the tile if it is too thin for any."""
        return [point for point, owner in self._owner.items() if owner == segment] or [CENTRE]

    def spread(self, segment: int, number: int, taken: Sequence[Point]) -> list[Point]:
        """Return places on a segment as far as may be from its edge and from one another.

        Args:
            segment: its index.
            number: how many places.
            taken: places to keep away from.

        """
        points = self._points(segment)
        if number == 1:
            return [self._best(points, taken)]
        pairs = [(a, b) for a in points[::2] for b in points[1::2]] or [(CENTRE, CENTRE)]

        def cost(pair: tuple[Point, Point]) -> float:
            return -min(
                self._worth(pair[0], taken), self._worth(pair[1], taken), _CROWD * dist(*pair)
            )

        best = min(pairs, key=cost)
        found = list(best)
        while len(found) < number:
            found.append(self._best(points, [*taken, *found]))
        return found

    def anywhere(self, taken: Sequence[Point], segments: Collection[int]) -> Point:
        """Return the place with the most room on any of some segments."""
        points = [point for point, owner in self._owner.items() if owner in segments]
        return self._best(points or [CENTRE], taken)

    def around(self, place: Point, taken: Sequence[Point]) -> float:
        """Return the room round a place."""
        return self._worth(min(self._room, key=lambda point: dist(point, place)), taken)

    def _worth(self, point: Point, taken: Sequence[Point]) -> float:
        """Return the room round one of the points; none round any other."""
        crowd = min((dist(point, other) * _CROWD for other in taken), default=CELL)
        return min(self._room.get(point, 0), crowd)

    def _best(self, points: list[Point], taken: Sequence[Point]) -> Point:
        """Return the place with the most room, in the middle of equal ones beside it."""
        middle = mean(points)

        def cost(point: Point) -> tuple[float, float]:
            return -round(self._worth(point, taken) / 2), dist(point, middle)

        best = min(points, key=cost)
        least = cost(best)[0]
        return mean([p for p in points if dist(p, best) < 1.5 * _STEP and cost(p)[0] == least])

    def enclosed(self, segment: int) -> Point | None:
        """Return the place of a field that cities on the tile enclose; None for other areas."""
        lands = [self._points(city) for city in self._fields(segment)]
        if not lands:
            return None

        def away(point: Point) -> tuple[float, float]:
            far = max(min(dist(point, other) for other in land) for land in lands)
            return far, dist(point, CENTRE)

        return min(self._owner, key=away)

    def meeting(self, spots: Sequence[Point], taken: Sequence[Point]) -> Point:
        """Return a place near all of some spots that is not taken."""
        middle = mean(spots)

        def cost(point: Point) -> float:
            crowd = min((dist(point, other) for other in taken), default=CELL)
            near = 4 * max(0, 26 - crowd) + 4 * max(0, 15 - _from_border(point))
            return dist(point, middle) + near

        return min(self._owner, key=cost)


def mean(points: Sequence[Point]) -> Point:
    """Return the middle of some points."""
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    return x, y


def _from_border(point: Point) -> float:
    """Return the distance of a point from the border of the tile."""
    return min(*point, CELL - point[0], CELL - point[1])


def _around(point: Point) -> Iterator[Point]:
    """Yield the points beside a point."""
    x, y = point
    yield from ((x + _STEP, y), (x - _STEP, y), (x, y + _STEP), (x, y - _STEP))


def _dots(outline: Outline) -> Iterator[Point]:
    """Yield points on a line, near enough together to measure by them."""
    for start, end in pairwise(outline.points()):
        steps = max(1, round(dist(start, end) / _NEAR))
        for part in range(steps):
            yield between(start, end, part / steps)
