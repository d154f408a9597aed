"""Mistakes of a game: as certified puzzles, and tried again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burgrave.cli.reviews import game_of
from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.puzzles.files.puzzle_files import read_puzzle, write_puzzle
from burgrave.puzzles.games.review import ReviewedTurn, review
from burgrave.puzzles.judging.solving import certified, certify
from burgrave.puzzles.making.mistakes import mistake_hints, puzzle_of, retried

RECORD = Path(__file__).parents[1] / "data" / "cli" / "mistake.toml"
"""The last three turns of a game of Carcassonne. The first two are mistakes."""
FEW = 100


@pytest.fixture(scope="module")
def turns() -> list[tuple[ReviewedTurn, Position]]:
    """Return the turns of the record with their values and positions."""
    game = game_of(str(RECORD)).turns
    return [(turn, game[turn.number - 1][0]) for turn in review(game, playouts=FEW)]


def test_a_mistake_with_one_best_move_becomes_a_certified_puzzle(
    turns: list[tuple[ReviewedTurn, Position]],
) -> None:
    turn, position = turns[0]
    assert turn.mistake
    puzzle = puzzle_of(turn, position, "mistake")
    assert puzzle is not None
    assert puzzle.id == "mistake-turn-1"
    assert puzzle.answer.moves == (write_move(position, turn.best),)
    played = next(
        one for one in puzzle.refutations if one.move == write_move(position, turn.played)
    )
    assert float(puzzle.answer.value or 0) - float(played.value) == turn.loss
    # Nobody knew what came next.
    assert puzzle.position.order == position.order[:1]
    assert certified(certify(puzzle))
    assert read_puzzle("again", write_puzzle(puzzle)) == puzzle


def test_no_puzzle_is_made_of_what_is_not_proved_alone(
    turns: list[tuple[ReviewedTurn, Position]],
) -> None:
    first, position = turns[0]
    assert puzzle_of(replace(first, proved=False), position, "mistake") is None
    assert puzzle_of(replace(first, loss=0.0, mark=""), position, "mistake") is None
    several, after = turns[1]
    assert several.mistake
    assert several.proved
    assert puzzle_of(several, after, "mistake") is None


def test_another_try_is_judged(turns: list[tuple[ReviewedTurn, Position]]) -> None:
    turn, position = turns[0]

    def told(text: str) -> tuple[bool, str]:
        again = retried(position, text, played=turn.played, best=turn.best, playouts=FEW)
        return again.right, again.told

    best, played = (write_move(position, move) for move in (turn.best, turn.played))
    assert told(best)[0]
    assert told(played) == (False, f"{played} was played: there is better.")
    assert not told("T@0,0r0")[0]
    assert "not legal" in told("T@0,0r0")[1]
    right, worse = told("T@-10,-2r3")
    assert not right
    assert "loses 4.0 points of lead (proved)" in worse


def test_each_hint_tells_more(turns: list[tuple[ReviewedTurn, Position]]) -> None:
    turn, position = turns[0]
    hints = mistake_hints(turn, position)
    assert len(hints) == 3
    assert str(turn.best.cell) in hints[1]
    assert f"T@{turn.best.cell}" in hints[2]
