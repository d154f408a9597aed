"""Connect and complete the features of Carcassonne."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.components import Node
from burgrave.model.features import Feature, Laid, contacts
from burgrave.model.games import Game
from burgrave.model.geometry import Cell, ring
from burgrave.model.rule import rule
from burgrave.model.rules.carcassonne.setup import RULEBOOK
from burgrave.model.tiles import Kind, PlacedTile

_SECTION = f"{RULEBOOK}, 'Scoring'"


@rule("carcassonne.feature.connect", _SECTION)
def CONNECT(tile: PlacedTile, laid: Laid) -> Iterator[tuple[Node, Node]]:
    """Segments of the same kind that meet along an edge are one feature.

    Fields meet along the halves of a side beside a road. Touching at a corner joins nothing.

    Passes: the field north of a road and that of the next tile.
    Fails: two fields whose tiles touch at a corner are one.
    """
    yield from contacts(tile, laid)


@rule("carcassonne.road.complete", _SECTION)
def ROAD_COMPLETE(game: Game, feature: Feature, laid: Laid) -> bool:  # noqa: ARG001
    """A road is complete when both ends run into a junction, a city, a cloister or a tower.

    The arms of a junction are separate roads. A closed loop is complete without ends.

    Passes: a road from a cloister to a cloister.
    Fails: a road with one end against an empty cell.
    """
    return not feature.open_sides


@rule("carcassonne.city.complete", _SECTION)
def CITY_COMPLETE(game: Game, feature: Feature, laid: Laid) -> bool:  # noqa: ARG001
    """A city is complete when none of its sides faces an empty cell.

    An empty cell that a ring of city encloses lies outside the wall and does not matter.

    Passes: a city of two caps against each other.
    Fails: a city with one side against an empty cell.
    """
    return not feature.open_sides


@rule("carcassonne.cloister.complete", _SECTION)
def CLOISTER_COMPLETE(game: Game, feature: Feature, laid: Laid) -> bool:  # noqa: ARG001
    """A cloister is complete when all eight cells round it are filled.

    Passes: an opponent lays the eighth tile.
    Fails: a corner of the ring is empty.
    """
    return len(around(feature, laid)) == 8  # noqa: PLR2004 -- the ring has eight cells


def around(feature: Feature, laid: Laid) -> frozenset[Cell]:
    """Return the filled cells round a cloister, its own excepted."""
    return ring(feature.nodes[0].cell) & laid.keys()


def missing(feature: Feature, laid: Laid) -> frozenset[Cell]:
    """Return the empty cells that must be filled to complete a feature without growth."""
    if feature.kind is Kind.CLOISTER:
        return ring(feature.nodes[0].cell) - laid.keys()
    return feature.empty_cells()


@rule("carcassonne.field.stay", _SECTION)
def FIELD(game: Game, feature: Feature, laid: Laid) -> bool:  # noqa: ARG001
    """Fields are never scored during the game; farmers stay to the end.

    Passes: a city beside a field is completed and the farmer stays.
    Fails: an enclosed field is scored in play.
    """
    return False


COMPLETION = {
    Kind.ROAD: ROAD_COMPLETE,
    Kind.CITY: CITY_COMPLETE,
    Kind.CLOISTER: CLOISTER_COMPLETE,
    Kind.FIELD: FIELD,
}
"""The rule that says when a feature of a kind is scored in play."""
