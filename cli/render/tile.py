"""A kind of tile as a picture of a few characters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from burgrave.cli.render.canvas import Canvas, Ink
from burgrave.cli.render.glyphs import GROUND, MARKS, Glyphs
from burgrave.model.geometry import PORT_SIDES, Side
from burgrave.model.tiles import LINES, Mark, TileKind

WIDTH = 7
"""Columns of a picture; odd, so that paths have a middle."""
HEIGHT = 3
"""Rows of a picture; terminals' characters are about twice as high as wide."""

Place = tuple[int, int]
"""Column and row in a picture, from its top left corner."""
Point = tuple[float, float]
"""A point of a tile, 0, 0 in the middle, 1 to the right and 1 downwards."""

CENTRE = (WIDTH // 2, HEIGHT // 2)
PLACES = tuple((x, y) for y in range(HEIGHT) for x in range(WIDTH))
_DIRECTION: dict[Side, Place] = {
    Side.N: (0, -1),
    Side.E: (1, 0),
    Side.S: (0, 1),
    Side.W: (-1, 0),
}
TOWER_PLACE = "o"
"""A place for a tower on which no tower stands, in the corner at the bottom right."""
_NEAR_CORNER = 2 / 3
_INNER = ((3, 1), (1, 1), (5, 1), (1, 0), (5, 2), (5, 0), (1, 2))
"""Middles of the blots for segments that reach no side, best first."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of each place of a picture."""

    owner: dict[Place, int]
    """The segment at each place."""
    paths: dict[Place, int]
    """At places on a path, the sides it goes to from there, each a bit ``1 << side``."""
    squares: frozenset[Place]
    marks: dict[Place, Mark]
    aeries: frozenset[Place] = frozenset()
    edges: frozenset[Place] = frozenset()
    """Places between two areas of one kind, which would look like one."""
    bridges: frozenset[Place] = frozenset()
    """Places on a path beneath which an area runs on, which would look like two."""

    def spot(self, segment: int, taken: Sequence[Place]) -> Place:
        """Return the place of the two letters of a follower on a segment.

        Args:
            segment: its index on the tile.
            taken: the places of followers drawn before.

        """
        mine = [place for place, owner in self.owner.items() if owner == segment]
        middle = _middle(mine or [CENTRE])

        def cost(place: Place) -> tuple[float, float]:
            letters = (place, (place[0] + 1, place[1]))
            signs = {*self.marks, *self.aeries}
            wrong = sum(3 * (p in taken) + 2 * (p in signs) for p in letters)
            wrong += sum(self.owner[p] != segment for p in letters)
            return wrong, abs(place[0] + 0.5 - middle[0]) + abs(place[1] - middle[1])

        return min((place for place in PLACES if place[0] < WIDTH - 1), key=cost)

    def draw(self, kind: TileKind, glyphs: Glyphs) -> Canvas:
        """Return the picture as characters."""
        canvas = Canvas()
        for place, owner in self.owner.items():
            x, y = place
            if place in self.squares:
                canvas.put(x, y, glyphs.square, Ink.SQUARE)
            elif place in self.aeries:
                canvas.put(x, y, glyphs.aerie, Ink.AERIE)
            elif place in self.marks:
                canvas.put(x, y, glyphs.marks[self.marks[place]], MARKS[self.marks[place]])
            elif place in self.bridges:
                canvas.put(x, y, glyphs.bridge(self.paths[place]), Ink.PATH)
            elif place in self.paths:
                canvas.put(x, y, glyphs.path(self.paths[place]), Ink.PATH)
            else:
                shown = kind.segments[owner].kind
                text = _edge(place, glyphs) if place in self.edges else glyphs.fill[shown]
                canvas.put(x, y, text, GROUND[shown])
        if kind.tower_place:
            canvas.put(WIDTH - 1, HEIGHT - 1, TOWER_PLACE, Ink.WALL_TILE)
        return canvas


def picture(kind: TileKind, rotation: int) -> Picture:
    """Lay out the picture of a kind of tile.

    Paths are strokes that cross the middle of their sides. Each other place belongs to the segment
    with the nearest ports, or with the nearest lines between them.

    Args:
        kind: a kind of tile that shows something along its whole border, as all in files do.
        rotation: clockwise quarter turns.

    """
    owner, paths, squares = _strokes(kind, rotation)
    bones = {
        index: tuple(_bones(kind.turned(index, rotation)))
        for index, segment in enumerate(kind.segments)
        if segment.kind not in LINES and segment.ports
    }
    for place in PLACES:
        if place not in owner:
            near = _point(place)
            owner[place] = min(bones, key=lambda index: _distance(near, bones[index]))
    _rejoin(kind, rotation, owner)
    _blots(kind, owner, paths)
    marks = dict(_marks(kind, owner, squares))
    aeries = _aeries(kind, owner, {*squares, *marks})
    bridges = frozenset({CENTRE} if has_bridge(kind) else ())
    return Picture(owner, paths, squares, marks, aeries, _edges(kind, owner), bridges)


def has_bridge(kind: TileKind) -> bool:
    """Tell whether a path from side to side passes over an area with ports at both its hands."""
    spans = [(min(s.ports), max(s.ports)) for s in kind.segments if s.kind in LINES and s.ports[1:]]
    areas = [segment.ports for segment in kind.segments if segment.kind not in LINES]
    return any(
        len({low < port < high for port in ports}) > 1 for low, high in spans for ports in areas
    )


def _strokes(
    kind: TileKind, rotation: int
) -> tuple[dict[Place, int], dict[Place, int], frozenset[Place]]:
    """Draw the paths: the segment and the sides at every place on one, and the squares."""
    owner: dict[Place, int] = {}
    paths: dict[Place, int] = {}
    squares = _square_places(kind, rotation)
    wide = [i for i, s in enumerate(kind.segments) if s.kind in LINES and len(s.ports) > 1]
    for index, segment in enumerate(kind.segments):
        if segment.kind not in LINES:
            continue
        sides = [PORT_SIDES[port] for port in kind.turned(index, rotation)]
        ends = [place for square, place in squares.items() if index in kind.squares[square]]
        hub = ends[0] if ends else _hub(sides, len(wide))
        lines = [(_border(side), side, hub) for side in sides]
        for border, side, target in lines:
            stroke = _line(border, target, upright=side in {Side.N, Side.S})
            _lay(stroke, index, owner, paths, 1 << side)
        for end in ends[1:] or ([hub] if not sides else []):
            _lay(_line(hub, end, upright=False), index, owner, paths, 0)
    return owner, paths, frozenset(squares.values())


def _square_places(kind: TileKind, rotation: int) -> dict[int, Place]:
    """Return the place of each square: the middle, or towards its arms if there are more."""
    if len(kind.squares) == 1:
        return {0: CENTRE}
    found: dict[int, Place] = {}
    for index, arms in enumerate(kind.squares):
        sides = [PORT_SIDES[port] for arm in arms for port in kind.turned(arm, rotation)]
        wanted = (_shifted(sides), *((x, CENTRE[1]) for x in range(1, WIDTH, 2)))
        found[index] = next((p for p in wanted if p not in found.values()), CENTRE)
    return found


def _shifted(sides: Sequence[Side]) -> Place:
    """Return the place beside the middle to which some sides pull."""
    dx = _sign(sum(_DIRECTION[side][0] for side in sides))
    dy = _sign(sum(_DIRECTION[side][1] for side in sides))
    return (CENTRE[0] + 2 * dx, CENTRE[1] + dy)


def _hub(sides: Sequence[Side], wide: int) -> Place:
    """Return the place where the arms of a path without a square meet.

    Args:
        sides: the sides to which it goes.
        wide: the paths of the tile that go to several sides.

    """
    place = _shifted(sides)
    if len(sides) == 1 and not wide:
        # Beside the middle: no area runs past the end of a path to a door or a junction.
        return (place[0] + CENTRE[0]) // 2, place[1]
    bend = place[0] != CENTRE[0] and place[1] != CENTRE[1]
    return place if len(sides) == 1 or (bend and wide > 1) else CENTRE


def _border(side: Side) -> Place:
    """Return the place at the middle of a side."""
    dx, dy = _DIRECTION[side]
    return (CENTRE[0] + dx * CENTRE[0], CENTRE[1] + dy * CENTRE[1])


def _line(start: Place, end: Place, *, upright: bool) -> list[Place]:
    """Return the places from one to another, with one turn at most."""
    corner = (start[0], end[1]) if upright else (end[0], start[1])
    found = [start]
    for target in (corner, end):
        while found[-1] != target:
            x, y = found[-1]
            found.append((x + _sign(target[0] - x), y + _sign(target[1] - y)))
    return found


def _sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def _lay(
    stroke: Sequence[Place],
    index: int,
    owner: dict[Place, int],
    paths: dict[Place, int],
    outward: int,
) -> None:
    """Add a stroke to a path; where another path runs already, it passes beneath."""
    for step, place in enumerate(stroke):
        if owner.setdefault(place, index) != index:
            continue
        near = [stroke[i] for i in (step - 1, step + 1) if 0 <= i < len(stroke)]
        towards = sum(
            1 << side
            for side, (dx, dy) in _DIRECTION.items()
            if (place[0] + dx, place[1] + dy) in near
        )
        paths[place] = paths.get(place, 0) | towards | (outward if step == 0 else 0)


def _point(place: Place) -> Point:
    """Return the point of the tile in the middle of a place."""
    return (2 * place[0] + 1) / WIDTH - 1, (2 * place[1] + 1) / HEIGHT - 1


def _port_point(port: int) -> Point:
    """Return the point of the border at which a port lies."""
    dx, dy = _DIRECTION[PORT_SIDES[port]]
    along = (port % 3 - 1) * _NEAR_CORNER
    return dx - dy * along, dy + dx * along


def _bones(ports: Sequence[int]) -> Iterator[Point]:
    """Yield points on the lines from a segment's ports to where they meet."""
    ends = [_port_point(port) for port in ports]
    x = sum(end[0] for end in ends) / len(ends)
    y = sum(end[1] for end in ends) / len(ends)
    if len({PORT_SIDES[port] for port in ports}) == 1:
        x, y = x * _NEAR_CORNER, y * _NEAR_CORNER
    for end in ends:
        for part in range(5):
            yield end[0] + (x - end[0]) * part / 4, end[1] + (y - end[1]) * part / 4


def _distance(point: Point, bones: Sequence[Point]) -> float:
    """Return the squared distance from a point to the nearest of others."""
    return min((point[0] - x) ** 2 + (point[1] - y) ** 2 for x, y in bones)


def _rejoin(kind: TileKind, rotation: int, owner: dict[Place, int]) -> None:
    """Give a place that a path cuts off from its area to the area of that kind beyond no path."""
    for place, index in [*owner.items()]:
        shown = kind.segments[index].kind
        if shown in LINES or _reaches(kind, rotation, owner, place):
            continue
        beside = [owner[near] for near in _beside(place) if near in owner]
        alike = [one for one in beside if one != index and kind.segments[one].kind is shown]
        owner[place] = alike[0] if alike else index


def _reaches(kind: TileKind, rotation: int, owner: Mapping[Place, int], place: Place) -> bool:
    """Tell whether the area at a place leads from there to one of its ports."""
    ports = kind.turned(owner[place], rotation)
    ends = {min(PLACES, key=lambda p: _distance(_point(p), [_port_point(o)])) for o in ports}
    found, new = {place}, [place]
    for here in new:
        near = {at for at in _beside(here) if owner.get(at) == owner[place]} - found
        found |= near
        new += near
    return not ends.isdisjoint(found)


def _beside(place: Place) -> list[Place]:
    """Return the places beside a place, which may lie off the picture."""
    return [(place[0] + dx, place[1] + dy) for dx, dy in _DIRECTION.values()]


def _blots(kind: TileKind, owner: dict[Place, int], paths: dict[Place, int]) -> None:
    """Give three places each, two at a side, to the segments that reach no side."""
    taken = set(paths)
    for index, segment in enumerate(kind.segments):
        if segment.ports or segment.kind in LINES:
            continue
        blots = [[(i, y) for i in (x - 1, x, x + 1) if 0 < i < WIDTH - 1] for x, y in _INNER]
        blot = min(blots, key=lambda places: sum(place in taken for place in places))
        for place in blot:
            if place not in paths:
                owner[place] = index
        taken.update(blot)


def _edges(kind: TileKind, owner: dict[Place, int]) -> frozenset[Place]:
    """Return the places of lines between areas of one kind, for each two on the side with fewer."""
    touching: dict[tuple[int, int], set[Place]] = {}
    for place, index in owner.items():
        for near in _beside(place):
            other, shown = owner.get(near, index), kind.segments[index].kind
            if other != index and shown not in LINES and kind.segments[other].kind is shown:
                touching.setdefault((index, other), set()).add(place)
    pairs = ((places, touching[other, index]) for (index, other), places in touching.items())
    lines = (min(both, key=lambda one: (len(one), min(one))) for both in pairs)
    return frozenset(place for line in lines for place in line)


def _edge(place: Place, glyphs: Glyphs) -> str:
    """Return the line at a place that parts two areas; it runs from a corner or side inwards."""
    dx, dy = place[0] - CENTRE[0], place[1] - CENTRE[1]
    if not dx * dy:
        return glyphs.upright if dy else glyphs.level
    return "\\" if dx * dy > 0 else "/"


def _marks(
    kind: TileKind, owner: dict[Place, int], squares: frozenset[Place]
) -> Iterator[tuple[Place, Mark]]:
    """Yield a place for every mark, in the middle of its segment."""
    for index, segment in enumerate(kind.segments):
        free = [place for place in owner if owner[place] == index and place not in squares]
        middle = _middle(free or [CENTRE])
        free.sort(key=lambda place: abs(place[0] - middle[0]) + 2 * abs(place[1] - middle[1]))
        # Every other place, so that two markets do not look like one.
        yield from zip(free[::2] if len(free) > 2 * len(segment.marks) else free, segment.marks)  # noqa: B905


def _aeries(kind: TileKind, owner: dict[Place, int], taken: Collection[Place]) -> frozenset[Place]:
    """Return a place for every aerie, where the segments that it adjoins come together."""
    found: set[Place] = set()
    for linked in kind.aeries:
        grounds = [[p for p in PLACES if owner[p] == index] for index in linked]
        middles = [_middle(places or [CENTRE]) for places in grounds]
        free = [p for places in grounds for p in places if p not in taken and p not in found]

        def away(place: Place, middles: Sequence[Point] = tuple(middles)) -> float:
            return sum(abs(place[0] - x) + 2 * abs(place[1] - y) for x, y in middles)

        found.add(min(free or [p for p in PLACES if p not in found], key=away))
    return frozenset(found)


def _middle(places: Sequence[Place]) -> Point:
    """Return the middle of some places."""
    return (
        sum(x for x, _ in places) / len(places),
        sum(y for _, y in places) / len(places),
    )
