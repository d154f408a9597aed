"""The regions of a tile: how its segments divide it, before anything is drawn.

Every area runs along its ports and closes inwards. It closes along a path or road that bounds it.
Elsewhere it closes in a curve, or at the hub of the tile if another area meets it there. One area
lies below all others and fills what they leave.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from burgrave.model.geometry import PORTS, Side, middle
from burgrave.model.pictures.outlines import (
    CENTRE,
    Outline,
    Piece,
    along_border,
    between,
    on_border,
)
from burgrave.model.pictures.xml import Point
from burgrave.model.quarters import QUARTERS
from burgrave.model.tiles import LINES, Kind, TileKind

GROUNDS = frozenset({Kind.COURT, Kind.FIELD})
"""The kinds that lie below others."""
_DEPTH = 0.32
"""The depth of the curve over one side, by its length."""
_ENDS = 2
"""Ports of a path that goes from one side to another."""


@dataclass(frozen=True, slots=True)
class Region:
    """The area of a segment that is no path or road."""

    segment: int
    outline: Outline
    edges: tuple[Outline, ...]
    """The parts of the outline that lie inside the tile."""


class Frame:
    """The lines of a tile and their course; its regions are fitted to them."""

    def __init__(self, kind: TileKind) -> None:
        """Find the hub of a tile."""
        self.kind = kind
        self.lines = {
            index: segment.ports
            for index, segment in enumerate(kind.segments)
            if segment.kind in LINES
        }
        bends = [ports for ports in self.lines.values() if _bends(ports)]
        self.quartered = len(bends) < _ENDS and is_quartered(kind)
        self.hub = middle_of(bends[0]) if len(bends) == 1 and not self.quartered else CENTRE

    def is_bend(self, ports: tuple[int, ...]) -> bool:
        """Tell whether a line goes round one corner of the tile in a curve."""
        return _bends(ports) and not self.quartered

    def line_at(self, place: float) -> int | None:
        """Return the line that crosses the border at a place, if one does."""
        port = int(place % PORTS)
        index = self.kind.at(port, 0)
        return index if place % 3 == 1.5 and index in self.lines else None  # noqa: PLR2004 -- the middle

    def spoke(self, place: float) -> tuple[Piece, ...]:
        """Return the pieces from a place of the border to the hub."""
        line = self.line_at(place)
        start = on_border(place)
        if line is None or not self.is_bend(self.lines[line]):
            return (inwards(start, self.hub),)
        half = middle_of(self.lines[line])
        to_half = Piece(half, between(start, CENTRE))
        return (to_half,) if half == self.hub else (to_half, Piece(self.hub))

    def across(self, start: float, end: float) -> tuple[Piece, ...]:
        """Return the pieces from one place of the border through the hub to another."""
        there, back = self.spoke(start), self.spoke(end)
        stops = [on_border(end), *(piece.end for piece in back)]
        returned = [
            Piece(stop, piece.towards) for stop, piece in zip(stops[:-1], back, strict=True)
        ]
        return (*there, *reversed(returned))


def _bends(ports: tuple[int, ...]) -> bool:
    """Tell whether a line joins two neighbouring sides."""
    return len(ports) == _ENDS and (ports[1] - ports[0]) % 6 != 0


def is_quartered(kind: TileKind) -> bool:
    """Tell whether a tile is made of quarters, as those of The Castle: each corner is one area."""
    corners = [(kind.at(ports[0], 0), kind.at(ports[1], 0)) for ports in QUARTERS]
    castle = all(one.kind not in {Kind.FIELD, Kind.CITY, Kind.ROAD} for one in kind.segments)
    return castle and all(one == other >= 0 for one, other in corners)


def inwards(start: Point, target: Point) -> Piece:
    """Return the piece from the border to a point, straight if that is the middle of the tile."""
    return Piece(target, None if target == CENTRE else between(start, CENTRE))


def middle_of(ports: tuple[int, ...]) -> Point:
    """Return the point half way on a line between two sides."""
    start, end = (on_border(port + 0.5) for port in ports)
    return between(between(start, CENTRE), between(CENTRE, end))


def runs(kind: TileKind) -> list[tuple[float, float, int]]:
    """Return the border clockwise as runs of one area each: start, end, segment."""
    found: list[tuple[float, float, int]] = []
    for start, end, segment in _stretches(kind):
        if segment < 0:
            continue
        if found and found[-1][1:] == (start, segment):
            found[-1] = (found[-1][0], end, segment)
        else:
            found.append((start, end, segment))
    if len(found) > 1 and (found[0][0], found[0][2]) == (0, found[-1][2]) and found[-1][1] == PORTS:
        last = found.pop()
        found[0] = (last[0] - PORTS, found[0][1], last[2])
    return found


def _stretches(kind: TileKind) -> Iterator[tuple[float, float, int]]:
    """Yield the border port by port; two halves meet at a line, or where no area has the middle."""
    for side in Side:
        left, centre, right = (kind.at(middle(side) + step, 0) for step in (-1, 0, 1))
        start = 3.0 * side
        split = centre < 0 <= min(left, right)
        if split or (centre >= 0 and kind.segments[centre].kind in LINES):
            yield start, start + 1.5, left
            yield start + 1.5, start + 3, right
        else:
            for step, segment in enumerate((left, centre, right)):
                yield start + step, start + step + 1, segment


def regions(kind: TileKind, frame: Frame) -> list[Region]:
    """Return the regions of the areas that reach the border, the lowest first."""
    border = runs(kind)
    lengths: dict[int, float] = {}
    for start, end, segment in border:
        lengths[segment] = lengths.get(segment, 0) + end - start
    if not lengths:
        return []

    def height(segment: int) -> tuple[bool, int, float, int]:
        arcs = sum(run[2] == segment for run in border)
        return kind.segments[segment].kind not in GROUNDS, -arcs, -lengths[segment], segment

    found = []
    if sum(lengths.values()) == PORTS:
        # The lowest one lies under the whole tile and fills what the others leave.
        base = min(lengths, key=lambda s: (height(s)[0], -lengths[s], s))
        found.append(Region(base, _border_outline(0, PORTS), ()))
        del lengths[base]
    return found + [_region(frame, border, s) for s in sorted(lengths, key=height)]


def _border_outline(start: float, end: float) -> Outline:
    """Return the border from a place to a later one."""
    return Outline(on_border(start), along_border(start, end))


def _region(frame: Frame, border: list[tuple[float, float, int]], segment: int) -> Region:
    """Return the region of a segment along its runs."""
    own = [run for run in border if run[2] == segment]
    start = on_border(own[0][0])
    pieces: list[Piece] = []
    edges = []
    for index, (begin, end, _) in enumerate(own):
        pieces += along_border(begin, end)
        following = own[(index + 1) % len(own)][0]
        if (end - following) % PORTS == 0:
            continue
        closing = _closing(frame, border, end, following, alone=len(own) == 1)
        pieces += closing
        edges.append(Outline(on_border(end), closing))
    return Region(segment, Outline(start, tuple(pieces)), tuple(edges))


def _closing(
    frame: Frame,
    border: list[tuple[float, float, int]],
    end: float,
    following: float,
    *,
    alone: bool,
) -> tuple[Piece, ...]:
    """Return the pieces inside the tile from the end of a run to the start of the next."""
    own = next(index for index, run in enumerate(border) if run[1] == end)
    target = on_border(following)
    if frame.quartered:
        return Piece(CENTRE), Piece(target)
    lines = frame.line_at(end), frame.line_at(following)
    if lines[0] is not None and lines[0] == lines[1] and len(frame.lines[lines[0]]) == _ENDS:
        return (Piece(target, CENTRE),)
    if any(line is not None for line in lines):
        return frame.across(end, following)
    if alone and frame.lines and border[own - 1][2] != border[(own + 1) % len(border)][2]:
        return frame.across(end, following)
    start = on_border(end)
    if start[0] == target[0] or start[1] == target[1]:
        return _cap(start, target)
    return (Piece(target, CENTRE),)


def _cap(start: Point, target: Point) -> tuple[Piece, ...]:
    """Return the pieces over one side: flat in the middle, and no steeper than its diagonals.

    So the caps of two sides that meet in a corner touch there and nowhere else.
    """
    middle = between(start, target)
    inwards_x, inwards_y = (CENTRE[0] - middle[0]) / 50, (CENTRE[1] - middle[1]) / 50
    deep = _DEPTH * abs(start[0] - target[0] + start[1] - target[1])

    def at(part: float) -> Point:
        x, y = between(start, target, part)
        return x + deep * inwards_x, y + deep * inwards_y

    return Piece(at(0.5), at(_DEPTH)), Piece(target, at(1 - _DEPTH))
