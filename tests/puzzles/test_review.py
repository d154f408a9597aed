"""Reviews of games: mistakes are marked, sound moves are not, and a review can go on."""

from __future__ import annotations

import random

from benchmarks.work import GAMES
from burgrave.model.draws import stuck
from burgrave.model.engine import legal_moves, play
from burgrave.model.position import Move, Position
from burgrave.puzzles.games.review import review
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.search.playouts import Field

TURNS = 71
BAD = 55
"""The turn in which the worst of all moves is played."""


def game() -> list[tuple[Position, Move]]:
    """Return a game of the policy's first choices, but for one bad move."""
    position = new_position(GAMES["carcassonne"](), random.Random(8))
    turns = []
    for number in range(1, TURNS + 1):
        drawn = stuck(position) + 1
        _, moves, _ = Field(position, drawn, 1).first_turns(position.order[:drawn], 200, None)
        move = moves[-1] if number == BAD else moves[0]
        turns.append((position, move))
        position = play(position, move).position
    return turns


def test_a_bad_move_is_marked_and_a_review_goes_on_where_it_ended() -> None:
    turns = game()
    begun = list(review(turns[:60], playouts=200, skip=52))
    assert [turn.number for turn in begun] == list(range(53, 61))
    bad = next(turn for turn in begun if turn.number == BAD)
    assert bad.mark.startswith("?")
    assert bad.loss > 0
    assert bad.best != bad.played
    assert bad.best in set(legal_moves(turns[BAD - 1][0]))
    again = list(review(turns[:60], playouts=200, skip=57))
    assert again == begun[5:]


def test_the_last_turns_are_proved() -> None:
    turns = game()
    found = list(review(turns, playouts=200, skip=TURNS - 2))
    assert all(turn.proved for turn in found)
    assert found[-1].luck == 0
