"""The trainer, the booklet and the published site take the kinds that composers know."""

from __future__ import annotations

import pytest

from burgrave.cli.publish.puzzles import Recording
from burgrave.cli.render.booklet import Front, booklet_html
from burgrave.cli.serve import trainer
from burgrave.cli.serve.bodies import AttemptBody
from burgrave.cli.serve.puzzle_sets import SHIPPED, PuzzleSets
from burgrave.solver.limits import NO_LIMIT

SETS = PuzzleSets()


@pytest.mark.parametrize("name", ["a-city-of-two-or-of-three", "three-tiles-one-of-them-red-s"])
def test_a_line_is_played_turn_by_turn(name: str) -> None:
    """The solver moves for both or in a row; after the last turn nothing is left to find."""
    puzzle = SETS.find(SHIPPED).puzzle(name)
    played: list[str] = []
    for move in puzzle.answer.line:
        body = AttemptBody(set=SHIPPED, puzzle=name, answer=move, played=played)
        known = trainer.judged_at_once(SETS, body)
        told = known.response
        assert known.whole
        assert told is not None
        assert (told["right"], len(told["steps"])) == (True, 1)
        played.append(move)
        assert told["more"] is (len(played) < len(puzzle.answer.line))
    assert len(trainer.solution(SETS, SHIPPED, name)["steps"]) == len(played)
    assert len(Recording(SETS, SHIPPED, name, NO_LIMIT).data["stops"]) == len(played)


@pytest.mark.parametrize("name", ["whose-city-was-it", "who-closed-the-road", "a-road-for-a-road"])
def test_what_no_move_answers_is_typed(name: str) -> None:
    """A line, a cell or a turn is accepted; the solution is stepped through; it is printed."""
    puzzle = SETS.find(SHIPPED).puzzle(name)
    right = puzzle.answer.cell or "; ".join(puzzle.answer.line)
    told = trainer.judged_at_once(
        SETS, AttemptBody(set=SHIPPED, puzzle=name, answer=right)
    ).response
    assert told is not None
    assert told["right"]
    assert trainer.solution(SETS, SHIPPED, name)["steps"]
    (stop,) = Recording(SETS, SHIPPED, name, NO_LIMIT).data["stops"]
    assert stop["answers"][right.lower()]["right"]
    assert right in booklet_html(Front(title="Kinds"), [puzzle])
