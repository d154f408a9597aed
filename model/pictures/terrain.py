"""Draw shapes: areas with the tint and the hatching of their owners, ways, symbols."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from burgrave.model.components import Node
from burgrave.model.pictures import symbols
from burgrave.model.pictures.cuts import cut
from burgrave.model.pictures.hatch import hatch
from burgrave.model.pictures.layout import layout
from burgrave.model.pictures.outlines import turn
from burgrave.model.pictures.regions import GROUNDS
from burgrave.model.pictures.shapes import Shape, corner
from burgrave.model.pictures.xml import Point, group, path, title
from burgrave.model.tiles import LINES, Kind, PlacedTile

_GAP, _WIDE_GAP = 13.0, 26.0
"""Distance of the lines that hatch an area, and a court or field."""
_DASHES = 6
"""Patterns of dashes on paths and roads."""
_ROOMY = 20.0
"""Room for a symbol of full size, in units."""
Colouring = Callable[[int], str]
"""Gives the class of a player's colour."""
Frame = Callable[[Shape, str], str]
"""Puts the elements of a shape into its group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The looks of shapes."""

    colour: Colouring = lambda _: ""
    """The class of a player's colour."""
    lit: Collection[Node] = ()
    """Segments to highlight."""
    plain: bool = False
    """Whether hatching, symbols and marks are left out, as in a small picture."""


def terrain(
    shapes: Sequence[Shape],
    tiles: Collection[PlacedTile],
    grouped: Frame,
    look: Look,
) -> Iterator[str]:
    """Yield shapes from the lowest layer to the highest.

    Args:
        shapes: the shapes, the lowest first.
        tiles: their tiles, whose marks, squares and aeries are drawn.
        grouped: puts a shape into its group.
        look: their looks.

    """
    areas = [shape for shape in shapes if shape.loops]
    inner = {shape for shape in areas if shape.nodes[0] in _inner(tiles)}
    outer = [shape for shape in areas if shape not in inner]
    yield from _areas(outer, tiles, grouped, look)
    for shape in shapes:
        if shape.kind in LINES:
            yield grouped(shape, _way(shape, look))
    # A path that leads to an area inside the tile ends at it, so that area lies on top.
    for shape in areas:
        if shape in inner:
            yield grouped(shape, _area(shape, look))
    yield from _edges([shape for shape in areas if shape in inner])
    for shape in shapes:
        drawing = symbols.AREAS.get(shape.kind)
        if drawing is not None and shape.icon is not None and (not look.plain or shape in inner):
            at, room = shape.icon
            size = round(min(1.6, max(0.75, room / _ROOMY)) * 4) / 4
            yield _symbol(drawing(), at, size)
    for tile in tiles:
        if not look.plain:
            yield from _joints(tile)


def _areas(
    outer: Sequence[Shape], tiles: Collection[PlacedTile], grouped: Frame, look: Look
) -> Iterator[str]:
    """Yield the areas that reach sides of tiles, and then their edges."""
    # Where areas cross, an edge below another area must not show through it.
    crossed = {
        Node(tile.cell, low) for tile in tiles for low, _ in cut(tile.kind, tile.rotation).below
    }
    bridged = [shape for shape in outer if not crossed.isdisjoint(shape.nodes)]
    for shape in outer:
        yield grouped(shape, _area(shape, look))
        if shape in bridged:
            yield from _edges([shape])
    yield from _edges([shape for shape in outer if shape not in bridged])


def _inner(tiles: Collection[PlacedTile]) -> set[Node]:
    """Return the segments that reach no side of their tile."""
    return {
        Node(tile.cell, index)
        for tile in tiles
        for index, segment in enumerate(tile.kind.segments)
        if not segment.ports
    }


def _area(shape: Shape, look: Look) -> str:
    """Return an area with its owners' marks."""
    outline = shape.outline
    settled = " done" if shape.done and not shape.owners else ""
    drawn = [path(outline, f"area-{shape.kind}{settled}")]
    ground = shape.kind in GROUNDS
    if len(shape.owners) == 1:
        drawn.append(
            path(outline, f"{'pale-tint' if ground else 'tint'} {look.colour(shape.owners[0])}")
        )
    number = len(shape.owners)
    for turn_of, owner in enumerate(() if look.plain and number == 1 else shape.owners):
        gap = _WIDE_GAP if ground else _GAP
        lines = hatch(shape.loops, owner, gap / (1 if number == 1 else 1.4), (turn_of, number))
        if lines:
            drawn.append(
                path(lines, f"{'wide-hatch' if ground else 'hatch'} {look.colour(owner)}-hatch")
            )
    if any(node in look.lit for node in shape.nodes):
        drawn.append(path(outline, "glow"))
    return "".join(drawn)


def _edges(areas: Sequence[Shape]) -> Iterator[str]:
    """Yield the edges of areas that follow each other and are of a kind as one element."""

    def kept(shape: Shape) -> tuple[Kind, bool]:
        return shape.kind, shape.done and not shape.owners

    for (kind, done), found in groupby(sorted(areas, key=kept), key=kept):
        edges = "".join(shape.edges for shape in found)
        if edges:
            yield path(edges, f"edge-{kind}{' done' if done else ''}")


def _way(shape: Shape, look: Look) -> str:
    """Return a path or road; the colours of its owners run along its middle in dashes."""
    line = shape.line
    drawn = [path(line, f"line wide side-{shape.kind}")]
    drawn.append(path(line, f"line narrow way-{shape.kind}"))
    for owner in shape.owners[:2]:
        dash = f"line dash{owner % _DASHES}"
        drawn += [
            path(line, f"{dash} stripe-edge"),
            path(line, f"{dash} stripe {look.colour(owner)}-way"),
        ]
    if any(node in look.lit for node in shape.nodes):
        drawn.append(path(line, "line glow-line"))
    return "".join(drawn)


def _joints(tile: PlacedTile) -> Iterator[str]:
    """Yield the marks of a tile, its squares, ends of ways, aeries, and its tower place."""
    kind, plan = tile.kind, layout(tile.kind)
    castle = any(segment.kind is Kind.PATH for segment in kind.segments if segment.kind in LINES)
    found = [(symbols.square, at, "square") for at in plan.squares]
    end = symbols.door if castle else symbols.village
    found += [(end, at, "end of a path" if castle else "end of roads") for at in plan.ends]
    found += [(symbols.MARKS[mark], at, str(mark)) for _, mark, at in plan.marks]
    found += [(symbols.aerie, at, "aerie") for at in plan.aeries]
    if plan.tower_place is not None:
        found.append((symbols.foundation, plan.tower_place, "tower place"))
    left, top = corner(tile.cell)
    for drawing, at, said in found:
        x, y = turn(at, tile.rotation)
        yield _symbol(title(said) + drawing(), (left + x, top + y))


def _symbol(drawn: str, at: Point, scale: float = 1.0) -> str:
    """Return a symbol; within a group of its own, which the page turns upright on turned tiles."""
    return group(group(drawn, class_="upright"), at=at, scale=scale)
