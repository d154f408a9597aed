"""Random games of The Castle with The Falcon: what no turn may create or lose."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings

from burgrave.model.components import Rank
from burgrave.model.expansions.falcon.aeries import TOKENS
from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.expansions.falcon.switches import (
    AERIE_SHARED,
    AERIE_SUPPLY,
    GATE_STOP,
    GATE_STOP_PLACE,
)
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.model.problems import problems
from tests.strategies import Step, falcon_games, falcon_hall_games, named

EACH = {Rank.FOLLOWER: 6, Rank.KING: 1, Rank.FALCONER: 1}
"""The 8 followers of a player by rank."""


def followers(position: Position, player: int) -> Counter[Rank]:
    """Count a player's followers by rank: at hand, on the way home, on the board."""
    state = position.players[player]
    standing = Counter(f.rank for f in position.followers if f.player == player)
    at_hand = Counter({rank: state.available(rank) + state.resting(rank) for rank in Rank})
    return at_hand + standing


def tiles(position: Position) -> Counter[str]:
    """Count the tiles of a position by kind, wherever they are."""
    placed = [tile.kind.id for tile in position.tiles]
    return Counter([*placed, *position.order, *position.bag, *position.discarded])


def lead(position: Position) -> int:
    """Return White's aerie tokens less Black's."""
    white, black = position.players
    return white.part(FalconHoldings).tokens - black.part(FalconHoldings).tokens


def assert_tokens_kept(step: Step) -> None:
    """Assert that 12 tokens are there, or that only equal numbers were handed back."""
    game, position = step.before.game, step.played.position
    held = [state.part(FalconHoldings).tokens for state in position.players]
    won = [
        sum(event.tokens for event in step.played.events if event.player == player)
        for player in (0, 1)
    ]
    if game.value(AERIE_SUPPLY) == "capped":
        assert sum(held) <= TOKENS
    else:
        assert lead(position) == lead(step.before) + won[0] - won[1]
        assert sum(held) <= TOKENS or min(held) == 0
    if sum(held) == sum(state.part(FalconHoldings).tokens for state in step.before.players) + sum(
        won
    ):
        assert held == [
            s.part(FalconHoldings).tokens + n for s, n in zip(step.before.players, won, strict=True)
        ]


def assert_conserved(game: list[Step]) -> None:
    """Assert every law of this file for every turn of a game."""
    begun = game[0].before
    for step in game:
        position = step.played.position
        for player in (0, 1):
            assert followers(position, player) == EACH
            won = sum(e.points for e in step.played.events if e.player == player)
            assert position.players[player].score == step.before.players[player].score + won
        assert tiles(position) == tiles(begun)
        assert_tokens_kept(step)
        assert problems(position) == ()
        first = position.game.value(AERIE_SHARED) == "first"
        assert first or not position.part(Aeries).taken_aeries
        stops = position.game.value(GATE_STOP) == "on"
        on_gates = stops and position.game.value(GATE_STOP_PLACE) == "on_gate"
        assert on_gates or not any(state.at_gate for state in position.players)
    for one, other in pairwise(game):
        assert set(one.before.part(Aeries).taken_aeries) <= set(
            other.before.part(Aeries).taken_aeries
        )


def assert_markers_stop(game: list[Step]) -> None:
    """Assert that with the variant no turn of one scored feature takes a marker past a gate."""
    for step in game:
        board = step.before.game.board
        scored = Counter(event.player for event in step.played.events if event.points)
        for player, (old, new) in enumerate(
            zip(step.before.players, step.played.position.players, strict=True)
        ):
            if scored[player] != 1 or old.at_gate:
                continue
            passed = [
                gate.after
                for gate in board.gates
                for number in range(old.score + 1, new.score)
                if number % board.track == gate.after
            ]
            assert not passed


@pytest.mark.slow
@given(falcon_hall_games())
@settings(max_examples=60)
def test_a_game_in_a_small_hall_creates_and_loses_nothing(game: list[Step]) -> None:
    """Followers of each rank, tiles, tokens and points are conserved, whatever the switches."""
    assert_conserved(game)
    if game[0].before.game.value(GATE_STOP) == "on":
        assert_markers_stop(game)


@pytest.mark.slow
@given(falcon_games())
@settings(max_examples=2)
def test_a_whole_game_of_78_tiles_creates_and_loses_nothing(game: list[Step]) -> None:
    """The same over games of full length; the 78 tiles end on the board or discarded."""
    assert_conserved(game)
    end = game[-1].played.position
    assert end.over
    assert len(end.tiles) + len(end.discarded) == 78
    assert len(end.game.board.cells) - len(end.tiles) >= 19


@pytest.mark.slow
@given(falcon_hall_games())
@settings(max_examples=40)
def test_final_scoring_adds_up(game: list[Step]) -> None:
    """Totals are scores and the points of the events; the default uses of tiles are legal ones."""
    end = named(game[-1].played.position)
    if not end.over:
        return
    final = final_scoring(end)
    for player, state in enumerate(end.players):
        won = sum(event.points for event in final.events if event.player == player)
        assert final.scores[player] == state.score + won
    assert final_scoring(end, final.uses) == final
