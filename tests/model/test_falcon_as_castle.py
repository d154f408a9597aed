"""Without its tiles and pieces The Falcon is The Castle: a metamorphic test."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from burgrave.model.books import book
from burgrave.model.engine import legal_moves, play
from burgrave.model.expansions.falcon.switches import FALCON_SWITCHES
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.model.switches import CASTLE_SWITCHES
from tests.strategies import castle_with, hall_game, named, opening, walk

GAMES = 28
MOST_MOVES = 3
"""Moves of a position that are played; the lists are compared whole."""


def with_falcon(game: Game, rng: random.Random) -> Game:
    """Return a game of The Castle under the rules of The Falcon, none of whose pieces is there."""
    # A variant, and not about pieces: markers would stop at gates if there were any.
    values = {switch.name: rng.choice(switch.values) for switch in FALCON_SWITCHES}
    switches = (*game.switches, *((switch, switch.default) for switch in FALCON_SWITCHES))
    rules = book("castle+falcon")
    return replace(game, rules=rules, switches=switches, without=()).with_switches(values)


def assert_same(position: Position, rng: random.Random) -> None:
    """Assert that both rule books have the same moves, events, ends and problems."""
    game = position.game
    # Two kinds of tiles that may come are enough; the list of every one takes long.
    position = replace(position, bag=position.bag[:2])
    other = replace(position, game=with_falcon(game, rng))
    moves = list(legal_moves(position))
    assert list(legal_moves(other)) == moves
    for move in rng.sample(moves, min(MOST_MOVES, len(moves))):
        here, there = play(position, move), play(other, move)
        assert there.events == here.events
        assert replace(there.position, game=game) == here.position
    assert problems(other) == problems(position)
    ends = [replace(named(p), order=(), bag=()) for p in (position, other)]
    here_end, there_end = map(final_scoring, ends)
    assert there_end.scores == here_end.scores
    assert there_end.uses == here_end.uses
    told = [event for event in there_end.events if not event.rules[0].startswith("falcon.")]
    assert told == list(here_end.events)


@pytest.mark.long
def test_the_base_game_is_found_in_200_positions_of_small_halls() -> None:
    """Over 200 positions with random base tiles, base switches and Falcon switches."""
    looked_at = 0
    for seed in range(GAMES):
        rng = random.Random(seed)
        switches = {s.name: rng.choice(s.values) for s in CASTLE_SWITCHES if rng.random() < 0.5}
        game = hall_game(rng, switches, (3, 3))
        for step in walk(opening(game, rng, tiles=12), rng, 9):
            assert_same(step.before, rng)
            looked_at += 1
    assert looked_at >= 200


@pytest.mark.parametrize("seed", range(2))
def test_the_base_game_is_found_in_the_castle(seed: int) -> None:
    """Positions of whole games behind the wall of The Castle."""
    rng = random.Random(seed)
    for number, step in enumerate(walk(opening(castle_with(rng), rng), rng)):
        if number in {5, 25, 45, 58}:
            assert_same(step.before, rng)
