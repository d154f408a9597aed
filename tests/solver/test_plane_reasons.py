"""Why something is out of reach on a plane, against every way to lay the tiles."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice, permutations

import pytest

from burgrave.cli.render.given import of_feature, of_score, of_turn
from burgrave.model.book import book_of
from burgrave.model.components import Prisoner
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.actions import PIECE_SUPPLY
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.features import Feature, position_features
from burgrave.model.geometry import Cell
from burgrave.model.laying import complete
from burgrave.model.position import Position
from burgrave.model.rule import Rule
from burgrave.model.rules.carcassonne.followers import SUPPLY
from burgrave.model.rules.carcassonne.placement import EDGE
from burgrave.model.tiles import Kind, PlacedTile
from burgrave.solver.problem import TileOrder, Wish
from burgrave.solver.questions import maximum, soonest, why_not, why_out_of_reach, why_unfinished
from tests.solver.plane_endings import besieged, ending


def unfinished(at: Position) -> Iterator[Feature]:
    """Yield the features that could be completed."""
    for feature in position_features(at):
        if feature.kind is not Kind.FIELD and not complete(at, feature, at.laid()):
            yield feature


def completes(at: Position, feature: Feature, laws: Collection[Rule[..., object]]) -> bool:
    """Tell whether the last tile completes a feature if only some rules of placement hold."""
    (tile,) = at.order
    kind = at.game.tile_set.kind(tile)
    near = {
        Cell(c.x + dx, c.y + dy) for c in feature.cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)
    }
    for cell in near - at.by_cell().keys():
        for rotation in kind.rotations():
            laid = PlacedTile(cell=cell, kind=kind, rotation=rotation)
            broken = [f for law in book_of(at.game).placement if law in laws for f in law(at, laid)]
            after = replace(at, tiles=tuple(sorted((*at.tiles, laid), key=lambda t: t.cell)))
            now = position_features(after).at(feature.anchor)
            if not broken and complete(after, now, after.laid()):
                return True
    return False


def rich(at: Position) -> Position:
    """Return a position whose players have all that they may place."""
    holdings = (replace(state.part(TowerHoldings), pieces=9) for state in at.players)
    pairs = zip(at.players, holdings, strict=True)
    return replace(
        at, players=tuple(replace(state, supply=7).with_part(more) for state, more in pairs)
    )


@pytest.mark.parametrize("seed", range(10))
def test_a_feature_has_reasons_exactly_where_no_laying_completes_it(seed: int) -> None:
    """Roads, cities and cloisters with one or two tiles to come, with The Tower and without."""
    at = ending(seed, 1 + seed // 2 % 2, 5_000, tower=seed % 2 == 1)
    for feature in islice(unfinished(at), 3):
        first = soonest(at, feature.anchor, engine="layings")
        assert (why_unfinished(at, feature.anchor) is None) == (first.tiles is not None), feature
        assert soonest(at, feature.anchor, engine="cpsat").tiles == first.tiles


@pytest.mark.parametrize("seed", range(30, 38))
def test_the_rules_named_forbid_it_and_none_of_them_can_be_left_out(seed: int) -> None:
    """By the rules themselves, those alone that are named, for the last tile."""
    at = ending(seed, 1, 400, tower=seed % 2 == 1)
    for feature in unfinished(at):
        reasons = why_unfinished(at, feature.anchor)
        if reasons is not None:
            assert not completes(at, feature, reasons.rules)
            for rule in reasons.rules:
                assert completes(at, feature, [one for one in reasons.rules if one is not rule])


def test_what_is_missing_is_told() -> None:
    """Cells and tiles, and which of them fit; a cloister needs all round it."""
    at = ending(3, 1, 30_000, tower=True)
    cloister = next(f for f in unfinished(at) if f.kind is Kind.CLOISTER)
    reasons = why_unfinished(at, cloister.anchor)
    assert reasons is not None
    assert reasons.rules == ()
    assert "needs at least" in next(of_feature(at, cloister.anchor, reasons.cells))
    nodes = [feature.anchor for feature in unfinished(at)]
    told = [(node, one) for node in nodes if (one := why_unfinished(at, node)) is not None]
    assert any(one.rules == (EDGE,) for _, one in told)
    cells = [fact for node, one in told for fact in [*of_feature(at, node, one.cells)][2:]]
    assert {"fits now" in fact or "fit now" in fact for fact in cells} == {True}


def test_fields_complete_features_and_unknown_orders_are_refused() -> None:
    """Each with its reason."""
    at = ending(3, 2, 30_000)
    field = next(f for f in position_features(at) if f.kind is Kind.FIELD)
    with pytest.raises(QuestionError, match="such a feature is never completed"):
        why_unfinished(at, field.anchor)
    feature = next(unfinished(at))
    bag = replace(at, order=(), bag=tuple(sorted(at.order)))
    with pytest.raises(QuestionError, match="order of 2 tiles is not known"):
        soonest(bag, feature.anchor)
    over = replace(at, order=())
    reasons = why_unfinished(over, feature.anchor)
    assert reasons is not None
    assert reasons.rules == ()


@pytest.mark.parametrize("seed", range(60, 70))
def test_a_score_has_reasons_exactly_above_the_maximum(seed: int) -> None:
    """The most that all help can reach is possible, one point more is not, for 2 to 4 players."""
    players = 2 + seed // 2 % 3
    if seed // 2 % 2:
        at = besieged(seed, 1 + seed % 2, 300, players=players)
    else:
        at = ending(seed, 1 + seed % 2, 400, players=players)
    asker = seed % len(at.players)
    best = maximum(at, asker=asker).value
    assert best is not None
    assert why_out_of_reach(at, int(best), asker=asker) is None
    reasons = why_out_of_reach(at, int(best) + 1, asker=asker)
    assert reasons is not None
    if SUPPLY not in reasons.rules and PIECE_SUPPLY not in reasons.rules:
        more = maximum(rich(at), asker=asker).value
        assert more is not None
        assert more <= best


def shuffled(at: Position, known: int = 0) -> Position:
    """Return a position with a number of its tiles to come in known order."""
    return replace(at, order=at.order[:known], bag=tuple(sorted(at.order[known:])))


@pytest.mark.parametrize("seed", range(80, 88))
def test_with_a_bag_a_feature_has_reasons_exactly_where_no_order_completes_it(seed: int) -> None:
    """Against every way to lay the tiles in every order."""
    at = ending(seed, 2, 5_000, tower=seed % 2 == 1)
    for feature in islice(unfinished(at), 4):
        found = [
            soonest(replace(at, order=order), feature.anchor, engine="layings").tiles
            for order in permutations(at.order)
        ]
        told = why_unfinished(shuffled(at), feature.anchor)
        assert (told is None) == any(tiles is not None for tiles in found), feature


@pytest.mark.parametrize("seed", range(90, 98))
def test_in_the_best_order_a_score_has_reasons_exactly_above_the_maximum(seed: int) -> None:
    """The most in any order is possible, one point more is not, for 2 to 4 players."""
    players = 2 + seed // 2 % 3
    if seed % 2:
        at = besieged(seed, 2, 300, players=players)
    else:
        at = ending(seed, 2, 400, players=players)
    at = shuffled(at)
    best = maximum(at, order=TileOrder.CHOOSE).value
    assert best is not None
    assert why_out_of_reach(at, int(best)) is None
    reasons = why_out_of_reach(at, int(best) + 1)
    assert reasons is not None
    if SUPPLY not in reasons.rules and PIECE_SUPPLY not in reasons.rules:
        more = maximum(rich(at), order=TileOrder.CHOOSE).value
        assert more is not None
        assert more <= best


def test_what_a_player_lacks_is_among_the_rules_and_facts() -> None:
    """Without a follower nobody claims what a tile would bring."""
    at = ending(22, 3, 30_000)
    nobody = replace(at, followers=(), players=tuple(replace(s, supply=0) for s in at.players))
    reasons = why_out_of_reach(nobody, at.players[at.to_move].score + 1)
    assert reasons is not None
    assert reasons.rules == (SUPPLY,)
    assert "has 0 points and 0 followers to place" in next(of_score(nobody, nobody.to_move))


def test_where_a_tile_does_not_fit_it_is_told_what_it_would_meet() -> None:
    """Each side with what the tile beyond it shows; prisoners are told with points."""
    at = ending(1, 2, 3_000)
    wish = Wish(cell=Cell(0, 1))
    assert why_not(at, wish) == (EDGE,)
    (met,) = of_turn(at, wish)
    assert met == "beside 0,1: in the east V with a field; in the south D with a city"
    captor = besieged(2, 2, 3_000)
    states = tuple(
        s.with_part(replace(s.part(TowerHoldings), prisoners=(Prisoner(1 - i),) * 2))
        for i, s in enumerate(captor.players)
    )
    captor = replace(captor, players=states)
    assert why_out_of_reach(captor, 99) is not None
    mine, other = (captor.game.name(i) for i in (captor.to_move, 1 - captor.to_move))
    assert f"{mine} holds prisoners: 2 of {other}" in of_score(captor, captor.to_move)
