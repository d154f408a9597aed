"""A tile, and a set of tiles, as pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from model.games import UNOFFICIAL
from model.pictures import symbols
from model.pictures.caption import caption
from model.pictures.layout import Layout, layout
from model.pictures.legend import table, tile_signs
from model.pictures.outlines import CELL, turn
from model.pictures.regions import Region
from model.pictures.sheet import Svg, picture
from model.pictures.strokes import Stroke
from model.pictures.xml import box, group, path, title, words
from model.tiles import LINES, Kind, Segment, TileKind, TileSet

_COLUMNS = 8
_PITCH = (128.0, 144.0)
_MARGIN = 24.0
_WORD = 182.0
"""Room for a sign with its meaning."""


def tile(kind: TileKind, rotation: int = 0, lit: Collection[int] = ()) -> str:
    """Return a tile as elements, 100 units wide, one group for each segment.

    Args:
        kind: any kind, also a picture of a start space.
        rotation: clockwise quarter turns.
        lit: the segments to highlight, by index.

    """
    plan = layout(kind)
    lands = [_area(kind, plan, region, rotation, lit) for region in plan.regions]
    lines = [_line(kind, plan, stroke, rotation, lit) for stroke in plan.strokes]
    below = sum(bool(kind.segments[region.segment].ports) for region in plan.regions)
    # A path that leads to an area inside the tile ends at it, so that area lies on top.
    drawn = [*lands[:below], *lines, *lands[below:]]
    return "".join([*drawn, *_joints(kind, plan, rotation)])


def _area(kind: TileKind, plan: Layout, region: Region, rotation: int, lit: Collection[int]) -> str:
    """Return an area with its symbol and its marks."""
    index = region.segment
    segment = kind.segments[index]
    data = region.outline.data(rotation, closed=True)
    shape = path(data, f"area-{segment.kind}") + (path(data, "glow") if index in lit else "")
    edges = [path(edge.data(rotation), f"edge-{segment.kind}") for edge in region.edges]
    symbol = symbols.AREAS.get(segment.kind)
    drawn = "" if symbol is None else symbols.placed(symbol(), turn(plan.icons[index], rotation))
    return _segment(segment, index, shape, *edges, drawn, *_marks(plan, index, rotation))


def _line(kind: TileKind, plan: Layout, stroke: Stroke, rotation: int, lit: Collection[int]) -> str:
    """Return a path or road with its marks."""
    segment = kind.segments[stroke.segment]
    data = "".join(outline.data(rotation) for outline in stroke.outlines)
    drawn = [path(data, f"line wide side-{segment.kind}")]
    drawn += [path(data, f"line narrow way-{segment.kind}")]
    drawn += [path(data, "line glow-line")] if stroke.segment in lit else []
    return _segment(segment, stroke.segment, *drawn, *_marks(plan, stroke.segment, rotation))


def _segment(segment: Segment, index: int, *children: str) -> str:
    """Return the group of a segment."""
    name = title(" with ".join([segment.kind, *segment.marks]))
    return group(name, *children, class_="segment", data_segment=str(index), data_kind=segment.kind)


def _marks(plan: Layout, index: int, rotation: int) -> Iterator[str]:
    """Yield the marks of a segment."""
    for owner, mark, at in plan.marks:
        if owner == index:
            yield symbols.placed(symbols.MARKS[mark](), turn(at, rotation), mark)


def _joints(kind: TileKind, plan: Layout, rotation: int) -> Iterator[str]:
    """Yield the parts of several segments: squares, ends, aeries, the tower place."""
    for at in plan.squares:
        yield symbols.placed(symbols.square(), turn(at, rotation), "square")
    castle = any(segment.kind is Kind.PATH for segment in kind.segments if segment.kind in LINES)
    for at in plan.ends:
        end = symbols.door() if castle else symbols.village()
        yield symbols.placed(end, turn(at, rotation), "end of a path" if castle else "end of roads")
    for at in plan.aeries:
        yield symbols.placed(symbols.aerie(), turn(at, rotation), "aerie")
    if plan.tower_place is not None:
        yield symbols.placed(symbols.foundation(), turn(plan.tower_place, rotation), "tower place")


def framed(kind: TileKind, rotation: int = 0, lit: Collection[int] = ()) -> str:
    """Return a tile with its edge, some segments highlighted."""
    return tile(kind, rotation, lit) + box((0, 0), CELL, CELL, "tile-edge")


def tile_svg(kind: TileKind, rotation: int = 0, *, embed_style: bool = True) -> Svg:
    """Return a tile as a picture of its own.

    Args:
        kind: any kind of tile.
        rotation: clockwise quarter turns.
        embed_style: whether the picture carries its colours; otherwise the page does.

    Returns:
        SVG text; each segment is a group with ``data-segment`` and ``data-kind``.

    """
    return picture(
        framed(kind, rotation),
        (0, 0, CELL, CELL),
        f"Tile {kind.id}",
        kind.title,
        embed_style=embed_style,
    )


def tile_set_svg(tile_set: TileSet, *, embed_style: bool = True) -> Svg:
    """Return every kind of a set with its id and how often the set has it.

    Args:
        tile_set: the set.
        embed_style: whether the picture carries its colours; otherwise the page does.

    """
    drawn = []
    for index, kind in enumerate(tile_set.kinds):
        row, column = divmod(index, _COLUMNS)
        at = (_MARGIN + column * _PITCH[0], _MARGIN + row * _PITCH[1])
        name = kind.id if kind.count == 1 else f"{kind.id} \u00d7{kind.count}"
        drawn.append(
            group(
                title(f"{kind.id}: {kind.title}" if kind.title else kind.id),
                framed(kind),
                words(name, (CELL / 2, CELL + 16), 18, "bold"),
                at=at,
                class_="tile",
                data_tile=kind.id,
            )
        )
    columns = min(_COLUMNS, len(tile_set.kinds))
    rows = -(-len(tile_set.kinds) // _COLUMNS)
    below = 2 * _MARGIN + rows * _PITCH[1] - 12
    width = columns * _PITCH[0] - 28
    signs, height = table(list(tile_signs(tile_set.kinds)), max(1, int(width // _WORD)), _WORD)
    drawn.append(group(signs, at=(_MARGIN, below)))
    across = max(width, _WORD)
    label, low = caption(f"{UNOFFICIAL} {tile_set.title}.", across)
    drawn.append(group(label, at=(_MARGIN, below + height + _MARGIN / 2)))
    size = (2 * _MARGIN + across, below + height + low + 1.5 * _MARGIN)
    return picture(
        "".join(drawn),
        (0, 0, *size),
        tile_set.title,
        f"{len(tile_set.all_tiles())} tiles of {len(tile_set.kinds)} kinds",
        embed_style=embed_style,
    )
