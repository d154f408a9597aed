"""Hatch an area: lines within its outline, a pattern for each player.

The lines are computed, not clipped by the program that shows the picture: patterns and clips need
ids, and several pictures share a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from burgrave.model.pictures.arcs import Arc
from burgrave.model.pictures.xml import Point

_DIRECTIONS: tuple[tuple[Point, ...], ...] = (
    ((1, -1),),
    ((1, 1),),
    ((1, 0),),
    ((0, 1),),
    ((1, -1), (1, 1)),
    ((1, 0), (0, 1)),
)
"""The directions of the lines by player: rising, falling, level, upright, crossed, squared."""
_LEAST = 3.0
"""The shortest line, in units."""


def hatch(loops: Sequence[Sequence[Arc]], player: int, gap: float, turn: tuple[int, int]) -> str:
    """Return the lines of a player within an area as path data.

    Args:
        loops: the outline of the area.
        player: his index.
        gap: distance of the lines, in units.
        turn: which of how many players on the area it is; each draws every so many lines.

    """
    edges = [edge for loop in loops for edge in _edges(loop)]
    own = _DIRECTIONS[player % len(_DIRECTIONS)]
    wider = gap * len(own)
    return "".join(_line(*ends) for way in own for ends in _lines(edges, way, wider, turn))


def _edges(loop: Sequence[Arc]) -> Iterator[tuple[Point, Point]]:
    """Yield the straight edges of a loop."""
    yield from pairwise((loop[0].start, *(point for arc in loop for point in arc.points())))


def _lines(
    edges: Sequence[tuple[Point, Point]], way: Point, gap: float, turn: tuple[int, int]
) -> Iterator[tuple[Point, Point]]:
    """Yield the lines in one direction, from the first side of the area to the second."""
    (ax, ay), length = way, (way[0] ** 2 + way[1] ** 2) ** 0.5
    ax, ay = ax / length, ay / length
    crossed: dict[int, list[float]] = {}
    for (x0, y0), (x1, y1) in edges:
        # Along the line and across it; lines lie half a gap off so that none runs along a border.
        u0, v0 = x0 * ax + y0 * ay, (y0 * ax - x0 * ay) / gap - 0.5
        u1, v1 = x1 * ax + y1 * ay, (y1 * ax - x1 * ay) / gap - 0.5
        if v0 > v1:
            u0, v0, u1, v1 = u1, v1, u0, v0
        first = int(v0 // 1) + 1
        for number in range(first, int(v1 // 1) + 1):
            if number % turn[1] == turn[0]:
                crossed.setdefault(number, []).append(u0 + (u1 - u0) * (number - v0) / (v1 - v0))
    for number in sorted(crossed):
        across = (number + 0.5) * gap
        met = sorted(crossed[number])
        for begin, end in zip(met[::2], met[1::2], strict=False):
            if end - begin >= _LEAST:
                yield (
                    (begin * ax - across * ay, begin * ay + across * ax),
                    (end * ax - across * ay, end * ay + across * ax),
                )


def _line(start: Point, end: Point) -> str:
    """Return a line as path data, in whole units."""
    x, y = round(start[0]), round(start[1])
    dx, dy = round(end[0]) - x, round(end[1]) - y
    if dx == 0:
        return f"M{x} {y}v{dy}"
    if dy == 0:
        return f"M{x} {y}h{dx}"
    return f"M{x} {y}l{dx}{'' if dy < 0 else ' '}{dy}"
