"""What a simulation tells of a game is what the rules and the graph of features say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from model.engine import legal_moves, play
from model.features import Feature, position_features
from model.position import Position
from model.rules.keeps import largest_empty_area
from model.rules.placement import places
from puzzles.candidates.scenes import game_named
from puzzles.selfplay.games import new_position
from solver.simulation import Outcome, Simulation, simulation
from solver.simulation.castle import CastleSimulation

GAMES = ("castle", "castle+falcon", "carcassonne", "carcassonne+tower")
TURNS = 24
SOME = 3
"""Kinds of tiles to come whose places are counted."""
CLAIMED = 0.7
"""Probability with which a turn claims something if it may."""


def outcomes(
    game: Simulation, tile: str, there: Sequence[tuple[int, int]], *, alike: bool = True
) -> list[Outcome]:
    """Return every turn with a tile on some places, after which others come."""
    found, towers = [], game.towers()
    for cell, rotation in there:
        mark, laid = game.mark(), (tile, cell, rotation)
        done = game.lay(*laid)
        found += list(game.outcomes(laid, done, last=False, alike=alike, towers=towers))
        game.undo(mark)
    return found


def facing(claimed: list[Feature]) -> Counter[tuple[object, object]]:
    """Count by kind and empty cell the claimed features that face it."""
    return Counter((one.kind, cell) for one in claimed for cell in one.empty_cells())


def compare(game: Simulation, at: Position) -> None:
    """Compare all that holds of a position, whatever tile comes."""
    claimed = [feature for feature in position_features(at) if feature.followers]
    assert game.mover == at.to_move
    for player, state in enumerate(at.players):
        assert (game.score(player), game.supply(player)) == (state.score, state.supply)
        assert game.pieces(player) == state.pieces
    for tile in sorted({*at.order})[:SOME]:
        assert len(game.places(tile)) == len(list(places(at, tile)))
    assert len({game.feature_of(one) for one, _ in game.followers()}) == len(claimed)
    assert Counter(player for _, player in game.followers()) == Counter(
        follower.player for follower in at.followers
    )
    several = {cell for (_, cell), number in facing(claimed).items() if number > 1}
    assert len(game.contested()) == len(several)
    held = {name for name, _ in at.towers}
    for score in range(at.game.board.track if held else 0):
        tower = at.game.board.tower_at(score)
        assert game.holds_tile(score) == (tower is not None and tower.name in held)
    if isinstance(game, CastleSimulation):
        assert game.empty_area() == largest_empty_area(at)
        told = [game.stake(one) for one in game.occupied()]
        assert Counter((one.kind, one.size, one.men) for one in told) == Counter(
            (one.kind, one.size, (one.strength(0), one.strength(1))) for one in claimed
        )
        assert sorted(len(game.gaps(one)) for one in game.occupied()) == sorted(
            len(one.empty_cells()) for one in claimed
        )


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_as_the_rules_have_it(name: str) -> None:
    """Turn by turn, and once more when all is taken back."""
    rng = Random(f"simulation {name}")
    start = new_position(game_named(name), rng)
    game, at = simulation(start), start
    begun = game.mark()
    for number in range(TURNS):
        compare(game, at)
        tile = at.order[0]
        there = game.places(tile)
        if not there:
            break
        whole = number == TURNS // 2
        found = outcomes(game, tile, there if whole else rng.sample(there, min(2, len(there))))
        if whole:
            assert [game.move(one.turn, ()) for one in found] == list(legal_moves(at))
            few = outcomes(game, tile, there, alike=False)
            assert len(few) <= len(found)
            assert {game.move(one.turn, ()) for one in few} <= {*legal_moves(at)}
            assert {one.lead for one in few} == {one.lead for one in found}
        claiming = [one for one in found if one.claims] if rng.random() < CLAIMED else found
        chosen = rng.choice(claiming or found)
        assert game.tile(chosen.turn) == tile
        at = play(at, game.move(chosen.turn, ())).position
        game.play(chosen.turn, last=False)
        assert replace(game.position(start), order=at.order) == at
    assert len(at.tiles) > TURNS // 2
    game.undo(begun)
    compare(game, start)
    assert game.position(start) == start
