"""The graph of features against a flood fill over points of the plane."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.draws import draws
from burgrave.model.features import features, position_features
from burgrave.model.laying import complete, lay
from burgrave.model.places import places
from burgrave.model.position import Position
from burgrave.model.switches import ENCLOSED_HOLE_BLOCKS
from burgrave.model.tiles import Kind
from tests import brute
from tests.planes import rich_plane
from tests.strategies import SEEDS, castle_positions, falcon_hall_positions, hall_positions


def assert_features(position: Position) -> None:
    """Assert that features and completeness are those of the flood fill."""
    laid = position.laid()
    found = position_features(position)
    assert {frozenset(feature.nodes) for feature in found} == brute.components(position, laid)
    for feature in found:
        assert {laid[c].kind.segments[s].kind for c, s in feature.nodes} == {feature.kind}
        assert feature.followers == tuple(f for f in position.followers if f.node in feature.nodes)
        assert feature.size == len({node.cell for node in feature.nodes})
        is_open = brute.faces_an_empty_cell(position, laid, feature.nodes)
        assert bool(feature.open_sides) == is_open
        if feature.kind is Kind.COURT or not feature.inside:
            expected = False
        elif feature.kind is Kind.PATH or position.game.value(ENCLOSED_HOLE_BLOCKS) == "off":
            expected = not is_open
        else:
            holed = brute.encloses_an_empty_cell(position, laid, feature.nodes)
            expected = not is_open and not holed
        assert complete(position, feature, laid) == expected


@given(hall_positions())
def test_features_of_random_tiles_are_those_of_a_flood_fill(position: Position) -> None:
    """Components, open sides and completeness agree with the definition, on random tiles."""
    assert_features(position)


@pytest.mark.slow
@given(castle_positions())
@settings(max_examples=4)
def test_features_of_the_castle_are_those_of_a_flood_fill(position: Position) -> None:
    """Components, open sides and completeness agree with the definition, in the castle."""
    assert_features(position)


@given(hall_positions())
def test_a_feature_does_not_depend_on_the_order_of_the_tiles(position: Position) -> None:
    """The graph is a function of the set of tiles: laying them in reverse gives the same."""
    laid = position.laid()
    backwards = dict(reversed(laid.items()))
    assert features(position.game, backwards, position.followers) == position_features(position)


def _rich_plane(seed: int) -> Position:
    return rich_plane(seed, "switches")


@pytest.mark.parametrize(
    "positions",
    [
        pytest.param(falcon_hall_positions(), id="falcon"),
        pytest.param(hall_positions(), id="castle"),
        pytest.param(SEEDS.map(_rich_plane), id="plane"),
    ],
)
@given(data=st.data())
def test_a_tile_changes_only_features_that_face_its_cell(
    positions: st.SearchStrategy[Position], data: st.DataObject
) -> None:
    """Features with a laid tile are those that the whole board gives, for every place."""
    position = data.draw(positions)
    before = position_features(position)
    for draw in draws(position):
        for tile in places(position, draw.tile) if draw.tile is not None else ():
            placement = lay(position, tile, before)
            whole = features(position.game, placement.board, position.followers)
            assert placement.after == whole
