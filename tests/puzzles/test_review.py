"""Reviews of games: mistakes are marked, sound moves are not, the books hold, it can go on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from benchmarks.work import GAMES
from burgrave.model.draws import stuck
from burgrave.model.engine import legal_moves, play
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move
from burgrave.model.position import Move, Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.puzzles.files.library import find, puzzle
from burgrave.puzzles.games.review import _mark, review, stretches
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.questions import evaluate
from burgrave.solver.result import Loss
from burgrave.solver.search.playouts import Field
from tests.late import near_end

TURNS = 71
BAD = 55
"""The turn in which the worst of all moves is played."""


def listed(position: Position) -> list[Move]:
    """Return the moves of a position, those first that the policy thinks best."""
    drawn = stuck(position) + 1
    _, moves, _ = Field(position, drawn, 1).first_turns(position.order[:drawn], 200, None)
    return moves


@cache
def game() -> list[tuple[Position, Move]]:
    """Return a game of the policy's first choices, but for one bad move."""
    position = new_position(GAMES["carcassonne"](), random.Random(8))
    turns = []
    for number in range(1, TURNS + 1):
        moves = listed(position)
        move = moves[-1] if number == BAD else moves[0]
        turns.append((position, move))
        position = play(position, move).position
    return turns


def with_weak_turns(position: Position, seed: int) -> Iterator[tuple[Position, Move]]:
    """Yield the turns of a game to its end, some of them by lot."""
    rng = random.Random(seed)
    while not position.over:
        moves = listed(position)
        move = rng.choice(moves[:12]) if rng.random() < 0.6 else moves[0]
        yield position, move
        position = play(position, move).position


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


def test_stretches_hold_each_turn_once_and_dear_ones_first() -> None:
    """Those with a proof come as one; turns that are kept do not come."""
    turns = game()
    for skip, first in ((0, 65), (63, 65), (68, 68)):
        parts = [*stretches(0, turns, skip)]
        assert parts[0].before == first
        assert parts[0].turns[-1] == turns[-1]
        later = [(one.before, turn) for one in parts for turn in one.turns]
        assert [turn for _, turn in sorted(later, key=lambda one: one[0])] == turns[skip:]
        assert all(len(one.turns) <= 5 for one in parts[1:])
    assert [one.before for one in stretches(0, turns[:12])] == [0, 5, 10]


@pytest.mark.parametrize("name", ["castle", "carcassonne"])
def test_the_books_of_a_game_hold(name: str) -> None:
    """Before, luck and move make the lead before the next draw, and all turns the final lead.

    Luck was measured from the move at first sight and the loss from the best of noisy means: the
    books of one game missed 167 points.
    """
    turns = list(with_weak_turns(near_end(name, 11, 3), 3))
    found = list(review(turns, playouts=100))
    for turn, after in pairwise(found):
        sign = 1 if after.player == turn.player else -1
        assert turn.before + turn.luck + turn.gain == pytest.approx(turn.after)
        assert turn.after == sign * after.before
    last, move = turns[-1]
    totals = final_scoring(play(last, move).position).scores
    assert found[-1].after == totals[last.to_move] - totals[1 - last.to_move]
    signs = [1 if turn.player == 0 else -1 for turn in found]
    sums = sum(sign * (turn.luck + turn.gain) for sign, turn in zip(signs, found, strict=True))
    begun, ended = signs[0] * found[0].before, signs[-1] * found[-1].after
    assert begun + sums == pytest.approx(ended)
    # A move that beats the one at first sight is credited in an estimate; a proof knows none.
    assert any(turn.gain > 0 for turn in found if not turn.proved)
    assert all(turn.gain == -turn.loss <= 0 for turn in found if turn.proved)


def test_what_a_player_could_not_know_does_not_count() -> None:
    """A move is judged alike whatever tiles come later, and whatever wall tile it reveals."""
    turns = with_weak_turns(near_end("castle", 30, 3), 3)
    position, move = next(
        one for one in turns if len(play(*one).position.towers) < len(one[0].towers)
    )
    [(tower, number)] = set(position.towers) - set(play(position, move).position.towers)
    hidden = replace(position, towers=tuple((name, 0) for name, _ in position.towers))
    other = next(one for one in sorted(unseen(hidden).elements()) if one != number)
    changed = replace(
        position,
        order=(position.order[0], *reversed(position.order[1:])),
        towers=tuple((name, other if name == tower else one) for name, one in position.towers),
    )
    [one], [two] = (list(review([(at, move)], playouts=200)) for at in (position, changed))
    assert replace(one, luck=0, after=0) == replace(two, luck=0, after=0)
    assert one.luck != two.luck


def test_a_mistake_is_marked_only_where_it_stands_apart() -> None:
    """The difference decides with its own error, whatever the errors of the two values are."""
    found = evaluate(near_end("carcassonne", 12, 8), playouts=200, prove=False)
    worse = found.moves[-1]
    for low, mark in ((2.0, "?"), (1.0, ""), (-1.0, "")):
        lost = Loss(points=6.0, low=low, high=12.0 - low, win=0.0, win_low=0.0)
        assert _mark(replace(found, played=replace(worse, behind=lost))) == mark
    chance = Loss(points=2.0, low=1.0, high=3.0, win=0.3, win_low=-0.1)
    assert not _mark(replace(found, played=replace(worse, behind=chance)))
    chance = replace(chance, win_low=0.2)
    assert _mark(replace(found, played=replace(worse, behind=chance))) == "??"


def test_a_mistake_in_the_last_turn_names_what_would_count_at_the_end() -> None:
    """Themes that final scoring alone shows were left out of it, though the game ends there."""
    good = puzzle(find("path-or-court-for-the-last-man"))
    wrong = read_move(good.position, good.refutations[-1].move)
    [turn] = review([(good.position, wrong)], playouts=10)
    assert (turn.mark, turn.loss, turn.missed) == ("??", 4, good.themes)


def test_the_last_turns_are_proved() -> None:
    turns = game()
    found = list(review(turns, playouts=200, skip=TURNS - 2))
    assert all(turn.proved for turn in found)
    assert found[-1].luck == 0
