"""The characters that pictures are made of, in Unicode and in plain ASCII."""

from __future__ import annotations

from dataclasses import dataclass

from burgrave.cli.render.canvas import Ink
from burgrave.model.tiles import Kind, Mark

GROUND = {
    Kind.TOWER: Ink.TOWER,
    Kind.HOUSE: Ink.HOUSE,
    Kind.COURT: Ink.COURT,
    Kind.PATH: Ink.PATH,
    Kind.CHAPEL: Ink.CHAPEL,
    Kind.CITY: Ink.HOUSE,
    Kind.CLOISTER: Ink.TOWER,
    Kind.FIELD: Ink.COURT,
    Kind.ROAD: Ink.PATH,
}
"""The ink of each kind of segment."""
MARKS = {
    Mark.FOUNTAIN: Ink.FOUNTAIN,
    Mark.MARKET: Ink.MARKET,
    Mark.SHIELD: Ink.SHIELD,
    Mark.INN: Ink.FOUNTAIN,
    Mark.CATHEDRAL: Ink.SHIELD,
}
"""The ink of each mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """One character for everything that a picture shows."""

    fill: dict[Kind, str]
    """The filling of a segment that is no path."""
    marks: dict[Mark, str]
    aerie: str
    gate: str
    square: str
    paths: str
    """A path by the sum of the sides it goes to: north 1, east 2, south 4, west 8."""
    bridges: str
    """A path to the east and west that passes over an area, and one to the north and south."""
    wall: str
    upright: str
    level: str
    crossing: str
    arrows: str
    """From a start space into the castle: to the north, east, south and west."""

    def path(self, sides: int) -> str:
        """Return a piece of path that goes to some sides, each a bit ``1 << side``."""
        return self.paths[sides]

    def bridge(self, sides: int) -> str:
        """Return a piece of path over an area; it goes to some sides, each a bit ``1 << side``."""
        return self.bridges[sides & 1]


_MARKS = {
    Mark.FOUNTAIN: "O",
    Mark.MARKET: "$",
    Mark.SHIELD: "*",
    Mark.INN: "i",
    Mark.CATHEDRAL: "&",
}

UNICODE = Glyphs(
    fill={
        Kind.TOWER: "▒",
        Kind.HOUSE: "^",
        Kind.COURT: "·",
        Kind.CHAPEL: "†",
        Kind.CITY: "▒",
        Kind.CLOISTER: "†",
        Kind.FIELD: "·",
    },
    marks=_MARKS,
    aerie="♦",
    gate="╫",
    square="■",
    paths="═║═╚║║╔╠═╝═╩╗╣╦╬",
    bridges="╪╫",
    wall="█",
    upright="│",
    level="─",
    crossing="┼",
    arrows="▲►▼◄",
)
"""For terminals that show box drawing."""

ASCII = Glyphs(
    fill={
        Kind.TOWER: "#",
        Kind.HOUSE: "^",
        Kind.COURT: ".",
        Kind.CHAPEL: "t",
        Kind.CITY: "#",
        Kind.CLOISTER: "+",
        Kind.FIELD: ".",
    },
    marks=_MARKS,
    aerie="*",
    gate="H",
    square="@",
    paths="=I=+II++=+=+++++",
    bridges="HH",
    wall="%",
    upright="|",
    level="-",
    crossing="+",
    arrows="A>V<",
)
"""For everything else."""
