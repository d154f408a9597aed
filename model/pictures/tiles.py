"""A tile, and a set of tiles, as pictures."""

from __future__ import annotations

from burgrave.model.games import UNOFFICIAL
from burgrave.model.pictures.caption import caption
from burgrave.model.pictures.layout import layout
from burgrave.model.pictures.legend import table, tile_signs
from burgrave.model.pictures.outlines import CELL
from burgrave.model.pictures.shapes import ALONE, Shape, tile_shapes
from burgrave.model.pictures.sheet import Svg, picture
from burgrave.model.pictures.style import Theme
from burgrave.model.pictures.terrain import Frame, Look, terrain
from burgrave.model.pictures.xml import Point, box, group, title, words
from burgrave.model.quarters import quarters_of
from burgrave.model.tiles import PlacedTile, TileKind, TileSet

_COLUMNS = 8
_PITCH = (128.0, 144.0)
_MARGIN = 24.0
_WORD = 182.0
"""Room for a sign with its meaning."""


def framed(kind: TileKind, rotation: int = 0) -> str:
    """Return a tile with its rim as elements, 100 units wide."""
    return unframed(kind, rotation) + box((0, 0), CELL, CELL, "rim-edge")


def _named(kind: TileKind, rotation: int) -> str:
    """Return a tile with its rim, one group for each segment."""

    def segment(shape: Shape, drawn: str) -> str:
        index = shape.nodes[0].segment
        name = title(" with ".join([shape.kind, *kind.segments[index].marks]))
        return group(
            name, drawn, class_="segment", data_segment=str(index), data_kind=str(shape.kind)
        )

    return unframed(kind, rotation, segment) + box((0, 0), CELL, CELL, "rim-edge")


def unframed(kind: TileKind, rotation: int = 0, grouped: Frame = lambda _, drawn: drawn) -> str:
    """Return a tile without its rim as elements, each shape put into a group."""
    placed = PlacedTile(cell=ALONE, kind=kind, rotation=rotation)
    return "".join(terrain(tile_shapes(kind, rotation), (placed,), grouped, Look()))


def follower_spots(kind: TileKind) -> tuple[Point, ...]:
    """Return where a follower stands on each segment at rotation 0, the tile 100 units wide."""
    return layout(kind).spots


def tower_spot(kind: TileKind) -> Point | None:
    """Return the place for a tower at rotation 0, the tile 100 units wide; None without one."""
    return layout(kind).tower_place


def tile_svg(
    kind: TileKind, rotation: int = 0, *, embed_style: bool = True, theme: Theme = Theme.AUTO
) -> Svg:
    """Return a tile as a picture of its own.

    Args:
        kind: any kind of tile.
        rotation: clockwise quarter turns.
        embed_style: whether the picture carries its colours; otherwise the page does.
        theme: the colours that it carries.

    Returns:
        SVG text; each segment is a group with ``data-segment`` and ``data-kind``.

    """
    return picture(
        _named(kind, rotation),
        (0, 0, CELL, CELL),
        f"Tile {kind.id}",
        kind.title,
        theme=theme if embed_style else None,
    )


def tile_set_svg(tile_set: TileSet, *, embed_style: bool = True, theme: Theme = Theme.AUTO) -> Svg:
    """Return every kind of a set with its id and how often the set has it.

    Args:
        tile_set: the set.
        embed_style: whether the picture carries its colours; otherwise the page does.
        theme: the colours that it carries.

    """
    drawn = []
    for index, kind in enumerate(tile_set.kinds):
        row, column = divmod(index, _COLUMNS)
        at = (_MARGIN + column * _PITCH[0], _MARGIN + row * _PITCH[1])
        name = kind.id if kind.count == 1 else f"{kind.id} \u00d7{kind.count}"
        code = quarters_of(kind)
        drawn.append(
            group(
                title(f"{kind.id}: {kind.title}" if kind.title else kind.id),
                framed(kind),
                words(name, (CELL / 2, CELL + 16), 18, "bold"),
                words(code, (CELL / 2, CELL + 33), 13) if code else "",
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
        theme=theme if embed_style else None,
    )
