"""Kinds of tiles made from what people see on them."""

from __future__ import annotations

import pytest

from model.files.tilesets import kind_problems, shipped_tile_set
from model.forming import CORNERS, INSIDE, Form, formed
from model.geometry import Side, middle
from model.tiles import LINES, Kind, TileKind

EXOTIC = {
    "carcassonne": set(),
    "castle": {"C21", "C54"},
    "falcon": set(),
    "tower": {"TW08", "TW11", "TW13", "TW17"},
}
"""Shipped kinds that no form describes.

They have a half with a kind of its own, a road within, or a road that cuts or passes a city.
"""


def seen(kind: TileKind) -> Form:
    """Return what a person sees on a shipped kind of tile."""
    owner = [kind.at(middle(side), 0) for side in Side]
    corner = [kind.at(3 * side + 2, 0) for side in Side]
    sides = [kind.segments[index].kind for index in owner]
    between = [
        (name, index)
        for side, (name, index) in enumerate(zip(CORNERS, corner, strict=True))
        if sides[side] is sides[(side + 1) % 4] is Kind.PATH
    ]
    places = [*zip((side.name for side in Side), owner, strict=True), *between]
    inner = [
        i for i, one in enumerate(kind.segments) if not one.ports and one.kind is not Kind.FIELD
    ]
    groups = {
        index: frozenset(p for p, i in places if i == index) for index in dict(places).values()
    }
    marked = {i for i, one in enumerate(kind.segments) if one.marks}
    return Form(
        sides=(sides[0], sides[1], sides[2], sides[3]),
        corners=tuple(kind.segments[index].kind for index in corner),  # type: ignore[arg-type]
        joined=tuple(groups.values()),
        square=bool(kind.squares),
        inside=kind.segments[inner[0]].kind if inner else None,
        marks=frozenset(
            [*(p for p, i in places if i in marked), *(INSIDE for i in inner if i in marked)]
        ),
    )


@pytest.mark.parametrize("name", EXOTIC)
def test_shipped_kinds_come_out_of_what_they_show(name: str) -> None:
    """Fields, their cities and squares are found as the sets have them."""
    other = set()
    for kind in shipped_tile_set(name).kinds:
        try:
            segments, squares = formed(seen(kind))
        except ValueError:  # a road crosses a city
            other.add(kind.id)
            continue
        made = TileKind(id=kind.id, segments=segments, squares=squares)
        shipped = TileKind(id=kind.id, segments=kind.segments, squares=kind.squares)
        if made.shape(0) != shipped.shape(0):
            other.add(kind.id)
        else:
            assert not kind_problems(made)
    assert other == EXOTIC[name]


def test_every_form_of_sides_covers_the_border() -> None:
    """Each port belongs to one segment, whatever the sides show."""
    for kinds in ((Kind.CITY, Kind.ROAD, Kind.FIELD), (Kind.PATH, Kind.TOWER, Kind.COURT)):
        for north in kinds:
            for east in kinds:
                for south in kinds:
                    segments, squares = formed(Form(sides=(north, east, south, kinds[1])))
                    made = TileKind(id="X", segments=segments, squares=squares)
                    assert not kind_problems(made), (north, east, south)
                    assert sum(one.kind in LINES for one in segments) == sum(
                        kind in LINES for kind in (north, east, south, kinds[1])
                    )
