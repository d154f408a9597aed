"""The layout of a kind of tile: regions, strokes, symbols, room for followers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from burgrave.model.pictures.outlines import CELL, Outline, Piece
from burgrave.model.pictures.regions import GROUNDS, Frame, Region, regions
from burgrave.model.pictures.room import BLOT, Room
from burgrave.model.pictures.strokes import Stroke, ends, squares, strokes, stubs
from burgrave.model.pictures.xml import Point
from burgrave.model.tiles import LINES, Mark, TileKind

_MARK = 14.0
"""The distance of a mark from the border."""
_FOOT = 12.0
"""Half the width of the place for a tower."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of tile at rotation 0."""

    regions: tuple[Region, ...]
    """Areas, the lowest first."""
    strokes: tuple[Stroke, ...]
    squares: tuple[Point, ...]
    ends: tuple[Point, ...]
    """The ends of paths or roads without a square."""
    icons: tuple[Point, ...]
    """The place of each segment's symbol, if it has one."""
    rooms: tuple[float, ...]
    """The distance of each icon from the edge of its segment, in units."""
    spots: tuple[Point, ...]
    """For each segment where a follower stands on it."""
    marks: tuple[tuple[int, Mark, Point], ...]
    """Marks with their segments."""
    aeries: tuple[Point, ...]
    tower_place: Point | None


@lru_cache(maxsize=2048)
def layout(kind: TileKind) -> Layout:
    """Lay out a kind of tile.

    Args:
        kind: any kind, also a picture of a start space, whose border is empty in parts.

    """
    frame = Frame(kind)
    crossings = tuple(squares(kind, frame))
    lines = tuple(strokes(kind, frame, crossings))
    areas = regions(kind, frame)
    room = Room(kind, areas, lines)
    taken = list(crossings)
    blots = _blots(kind, frame, room, taken)
    areas += [Region(i, disc(at, BLOT), (disc(at, BLOT),)) for i, at in blots.items()]
    stops = () if blots else ends(frame)
    tower = _tower_place(kind, room, taken, stops)
    stops = stops if tower is None else ()
    taken += stops
    spots: list[Point] = []
    marks: list[tuple[int, Mark, Point]] = []
    for index, segment in enumerate(kind.segments):
        number = len(segment.marks)
        if segment.kind in LINES:
            stroke = next(stroke for stroke in lines if stroke.segment == index)
            spot, *others = _on_line(stroke, number)
        elif index in blots:
            spot, *others = _on_blot(blots[index], number)
        else:
            spot, *others = room.spread(index, 1 + number, taken)
        spots.append(spot)
        places = (_within(at, _MARK) for at in others)
        marks += zip([index] * number, segment.marks, places, strict=True)
    taken += [*spots, *(at for _, _, at in marks)]
    aeries: list[Point] = []
    for linked in kind.aeries:
        meeting = room.meeting([spots[index] for index in linked], [*taken, *aeries])
        # All quarters of a castle's tile meet in its middle.
        free = frame.quartered and frame.hub not in (*taken, *aeries)
        aeries.append(frame.hub if free else meeting)
    icons = tuple(blots.get(index, spot) for index, spot in enumerate(spots))
    return Layout(
        regions=tuple(areas),
        strokes=lines,
        squares=crossings,
        ends=stops,
        icons=icons,
        rooms=tuple(BLOT if i in blots else room.around(at, ()) for i, at in enumerate(icons)),
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


def _blots(kind: TileKind, frame: Frame, room: Room, taken: list[Point]) -> dict[int, Point]:
    """Return the places of the areas that reach no side, and reserve them."""
    found: dict[int, Point] = {}
    for index, segment in enumerate(kind.segments):
        if segment.ports or segment.kind in LINES:
            continue
        at = room.enclosed(index)
        if at is None:
            at = frame.hub if stubs(frame) else room.anywhere(taken, room.areas)
        at = _within(at, BLOT + 4)
        room.cover(index, at)
        taken.append(at)
        found[index] = at
    return found


def _within(at: Point, away: float) -> Point:
    """Return a place moved so that it keeps away from the border."""
    x, y = (min(max(value, away), CELL - away) for value in at)
    return x, y


def _tower_place(
    kind: TileKind, room: Room, taken: list[Point], stops: tuple[Point, ...]
) -> Point | None:
    """Return the tower place, if there is one: where roads end, else where there is room."""
    if not kind.tower_place:
        return None
    areas = {i for i, s in enumerate(kind.segments) if s.ports and s.kind not in LINES}
    grounds = {i for i in areas if kind.segments[i].kind in GROUNDS}
    at = room.anywhere(taken, grounds)
    if room.around(at, taken) < _FOOT:
        at = room.anywhere(taken, areas)
    at = stops[0] if stops else at
    taken.append(at)
    return at


def _on_blot(at: Point, marks: int) -> Iterator[Point]:
    """Yield the place of a follower beside the symbol of an inner area, then its marks."""
    x, y = at
    yield x + BLOT, y + BLOT / 2
    yield from [at] * marks


def _on_line(stroke: Stroke, marks: int) -> Iterator[Point]:
    """Yield the place of a follower on a path or road, then the places of its marks."""
    middle = 1.0 if len(stroke.outlines) > 1 else 0.5
    if marks:
        yield stroke.along(0.4 if middle == 1 else 0.2 if stroke.leaves else 1.0)
    else:
        yield stroke.along(middle)
    for number in range(marks):
        yield stroke.along(middle - 0.25 * number)
