"""Tiles of Carcassonne made from what people see on them."""

from __future__ import annotations

from itertools import product

import pytest

from burgrave.model.files.tilesets import kind_problems, shipped_tile_set
from burgrave.model.forming import Form, formed
from burgrave.model.geometry import Side, middle
from burgrave.model.tiles import LINES, Kind, TileKind

EXOTIC = {"carcassonne": set(), "tower": {"TW08", "TW11", "TW13", "TW17"}}
"""Shipped kinds that no form describes: a road lies within, or cuts or passes a city."""


def seen(kind: TileKind) -> Form:
    """Return what a person sees on a shipped kind of tile."""
    owner = [kind.at(middle(side), 0) for side in Side]
    sides = [kind.segments[index].kind for index in owner]
    places = [*zip((side.name for side in Side), owner, strict=True)]
    groups = {index: frozenset(p for p, i in places if i == index) for index in owner}
    return Form(
        sides=(sides[0], sides[1], sides[2], sides[3]),
        joined=tuple(groups.values()),
        cloister=any(one.kind is Kind.CLOISTER for one in kind.segments),
        marks=frozenset((p, mark) for p, i in places for mark in kind.segments[i].marks),
    )


@pytest.mark.parametrize("name", EXOTIC)
def test_shipped_kinds_come_out_of_what_they_show(name: str) -> None:
    """Fields, their cities and squares are found as the sets have them."""
    other = set()
    for kind in shipped_tile_set(name).kinds:
        try:
            segments = formed(seen(kind))
        except ValueError:  # a road crosses a city
            other.add(kind.id)
            continue
        made = TileKind(id=kind.id, segments=segments)
        shipped = TileKind(id=kind.id, segments=kind.segments, squares=kind.squares)
        if made.shape(0) != shipped.shape(0):
            other.add(kind.id)
        else:
            assert not kind_problems(made)
    assert other == EXOTIC[name]


def test_every_form_of_sides_covers_the_border() -> None:
    """Each port belongs to one segment, whatever the sides show."""
    for north, east, south in product((Kind.CITY, Kind.ROAD, Kind.FIELD), repeat=3):
        sides = (north, east, south, Kind.ROAD)
        segments = formed(Form(sides=sides))
        assert not kind_problems(TileKind(id="X", segments=segments)), sides
        assert sum(one.kind in LINES for one in segments) == sum(one in LINES for one in sides)
