"""The shipped tiles of Carcassonne and The Tower are those of public listings."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from burgrave.model.files.games import shipped_tiles
from burgrave.model.files.tilesets import (
    kind_problems,
    read_segment,
    shipped_tile_set,
    write_segment,
)
from burgrave.model.formats.jcloisterzone import ends
from burgrave.model.geometry import Cell, Side
from burgrave.model.tiles import Kind, Mark, PlacedTile, TileKind

FACTS = Path(__file__).parents[1] / "data" / "facts"
LETTER = {Kind.CITY: "C", Kind.ROAD: "R", Kind.FIELD: "F"}


def facts(name: str) -> list[dict[str, Any]]:
    """Return what a public listing says of the tiles of a set."""
    return json.loads((FACTS / f"{name}.json").read_text(encoding="utf-8"))["tiles"]


LISTED = [("carcassonne", tile) for tile in facts("base_tiles")]
LISTED += [("tower", tile) for tile in facts("tower_tiles")]


def segments(kind: TileKind) -> Counter[object]:
    """Return kind, ends, shields and bordered cities of every segment."""
    tile = PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0)
    return Counter(
        (
            str(segment.kind),
            ends(tile, index),
            segment.marks.count(Mark.SHIELD),
            frozenset(ends(tile, city) for city in kind.bordered(index)),
        )
        for index, segment in enumerate(kind.segments)
    )


def listed(tile: dict[str, Any]) -> Counter[object]:
    """Return the same from a listing."""
    cities = [frozenset(segment.get("edges", "")) for segment in tile["segments"]]
    return Counter(
        (
            segment["kind"],
            frozenset(segment.get("half_edges", segment.get("edges", ""))),
            segment.get("shields", 0),
            frozenset(cities[city] for city in segment.get("cities", ())),
        )
        for segment in tile["segments"]
    )


@pytest.mark.parametrize(("name", "tile"), LISTED, ids=lambda value: str(value)[:24])
def test_a_tile_is_as_listed(name: str, tile: dict[str, Any]) -> None:
    """Number, sides, segments, shields, fields, their cities and rotations are those listed."""
    kind = next(k for k in shipped_tile_set(name).kinds if k.code == tile["id"])
    assert kind.count == tile["count"]
    assert segments(kind) == listed(tile)
    placed = PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0)
    shown = "".join(LETTER[Kind(placed.side_kinds(side))] for side in Side)
    assert shown == tile["edges"]
    assert len(kind.rotations()) == tile["distinct_rotations"]
    assert kind.tower_place is (name == "tower")
    assert tile.get("letter", kind.id) == kind.id


@pytest.mark.parametrize(
    ("name", "sums", "sides"),
    [
        ("carcassonne", {"tiles": 72, "shields": 10, "cloisters": 6, "fields": 126}, (79, 94, 115)),
        ("tower", {"tiles": 18, "shields": 1, "cloisters": 1, "fields": 37}, (22, 24, 26)),
    ],
)
def test_the_sums_of_a_set(name: str, sums: dict[str, int], sides: tuple[int, ...]) -> None:
    """Tiles, shields, cloisters, fields and city, road and field sides add up."""
    shipped = shipped_tile_set(name)
    every = [(k.count, s) for k in shipped.kinds for s in k.segments]
    assert sums == {
        "tiles": len(shipped.all_tiles()),
        "shields": sum(n * s.marks.count(Mark.SHIELD) for n, s in every),
        "cloisters": sum(n for n, s in every if s.kind is Kind.CLOISTER),
        "fields": sum(n for n, s in every if s.kind is Kind.FIELD),
    }
    shown = Counter(
        Kind(PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0).side_kinds(side))
        for kind in shipped.kinds
        for side in Side
        for _ in range(kind.count)
    )
    assert tuple(shown[kind] for kind in (Kind.CITY, Kind.ROAD, Kind.FIELD)) == sides


@pytest.mark.parametrize("kind", shipped_tiles("carcassonne+tower").kinds, ids=lambda kind: kind.id)
def test_every_kind_is_sound(kind: TileKind) -> None:
    """Every port shows one thing, and a segment is written as it is read."""
    assert kind_problems(kind) == []
    assert kind.title
    assert all(read_segment(write_segment(s)) == s for s in kind.segments)
