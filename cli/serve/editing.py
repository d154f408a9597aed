"""What the editor of boards asks: where tiles fit, and kinds of tiles that a user makes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from burgrave.cli.serve import documents
from burgrave.cli.serve.bodies import FittingBody, FormBody, KindBody
from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import kind_data, segment_data
from burgrave.model.files.schema import TileEntry
from burgrave.model.files.tilesets import kind_problems, read_kind
from burgrave.model.forming import Form, formed
from burgrave.model.geometry import Cell
from burgrave.model.pictures import tile_svg
from burgrave.model.places import can_lie, places
from burgrave.model.position import Position
from burgrave.model.tiles import Kind, PlacedTile, TileKind
from burgrave.solver.questions.preconditions import spelled


def fitting(body: FittingBody) -> dict[str, Any]:
    """Return where tiles fit on a board, which may be impossible so far.

    For a tile it is each cell on which the tile may lie, for a cell each kind that may lie there
    in place of what lies there now; with the rotations that look different.

    Raises:
        BurgraveError: the position is none, or there is no such tile.

    """
    position = documents.draft(body.position).position
    found: dict[tuple[str, Cell], list[int]] = {}
    if body.tile is not None:
        kind = spelled(position, body.tile)
        for tile in places(position, kind):
            found.setdefault((kind, tile.cell), []).append(tile.rotation)
    elif body.cell is not None:
        cell = Cell(*body.cell)
        bare = _without(position, cell)
        for one in position.game.tile_set.kinds:
            for rotation in one.rotations():
                if can_lie(bare, PlacedTile(cell=cell, kind=one, rotation=rotation)):
                    found.setdefault((one.id, cell), []).append(rotation)
    else:
        raise QuestionError("a tile or a cell is needed to tell where tiles fit")
    return {
        "places": [
            {"tile": tile, "cell": list(cell), "rotations": rotations}
            for (tile, cell), rotations in found.items()
        ]
    }


def _without(position: Position, cell: Cell) -> Position:
    """Return a position without what is on a cell."""
    return replace(
        position,
        tiles=tuple(tile for tile in position.tiles if tile.cell != cell),
        followers=tuple(who for who in position.followers if who.node.cell != cell),
    ).cleared(cell)


def kind_made(body: KindBody) -> dict[str, Any]:
    """Return the entry, the pieces and the picture of a kind of tile that a user describes.

    Raises:
        QuestionError: no tile can look like that.

    """
    try:
        kind = read_kind(body.kind) if isinstance(body.kind, TileEntry) else _of_sides(body.kind)
    except ValueError as error:
        raise QuestionError(str(error)) from error
    return {
        "kind": kind_data(kind),
        "pieces": segment_data(kind),
        "svg": tile_svg(kind, embed_style=False),
    }


def _of_sides(shown: FormBody) -> TileKind:
    """Return the kind of tile that has the sides that a user named.

    Raises:
        ValueError: no tile can look like that.

    """
    sides = tuple(Kind(side) for side in shown.sides)
    segments = formed(
        Form(
            sides=(sides[0], sides[1], sides[2], sides[3]),
            joined=tuple(frozenset(group) for group in shown.joined),
            cloister=shown.inside is not None,
            marks=frozenset(shown.marks),
        )
    )
    kind = TileKind(
        id=shown.id,
        count=shown.count,
        title=shown.title,
        segments=segments,
        tower_place=shown.tower_place,
    )
    faults = kind_problems(kind)
    if faults:
        raise ValueError("; ".join(faults))
    return kind
