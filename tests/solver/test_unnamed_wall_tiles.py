"""A wall tile in hand without a number: an answer holds for every number, or there is none.

Every engine reads a hand in the same way, so they agree on what they overlook. Here each number
that the tile may have is put in its place, and an answer must stay what it was.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from burgrave.model.engine import judge, legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import load_position
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.model.tiles import Kind
from burgrave.solver.problem import Goal, Play, Wish
from burgrave.solver.questions import (
    ahead,
    at_sight,
    best,
    best_lines,
    continuations,
    evaluate,
    expected,
    forced,
    legal,
    maximum,
    unnamed_now,
    why_not,
    why_out_of_reach,
    winning,
)
from tests.solver.endings import ending

FOUND = Path(__file__).parents[1] / "data" / "found"
LINES = 30
QUESTIONS: dict[str, Callable[[Position], Any]] = {
    "best": lambda at: best(at).value,
    "ahead": lambda at: ahead(at, 0).value,
    "force": lambda at: forced(at).value,
    "expect": lambda at: expected(at).value,
    "win": lambda at: winning(at).value,
    "max": lambda at: maximum(at).value,
    "solitaire": lambda at: maximum(at, goal=Goal.LEAD, play=Play.SOLITAIRE).value,
    "best lines": lambda at: best_lines(at).lines,
    "count": lambda at: continuations(at, 1).lines,
    "why not double": lambda at: why_not(at, Wish(doubled=Kind.TOWER)),
    "why not go on": lambda at: why_not(at, Wish(extra_turns=1)),
    "why not score": lambda at: why_out_of_reach(at, 150),
    "evaluate": lambda at: evaluate(at, playouts=100).value,
    "estimate": lambda at: evaluate(at, playouts=100, prove=False).value,
    "at sight": at_sight,
    "score": lambda at: final_scoring(at).scores,
}


def found(name: str) -> Position:
    """Return a position of ``tests/data/found``."""
    return load_position(FOUND / f"{name}.toml")


def with_tile(at: Position, player: int, number: int, *, fresh: bool) -> Position:
    """Return a position in which a player has one more wall tile in hand."""
    players = list(at.players)
    state = players[player]
    if fresh:
        hand = tuple(sorted((*state.fresh_wall_tiles, number)))
        players[player] = replace(state, fresh_wall_tiles=hand)
    else:
        hand = tuple(sorted((*state.wall_tiles, number)))
        players[player] = replace(state, wall_tiles=hand)
    return replace(at, players=tuple(players))


def told(question: Callable[[Position], Any], at: Position) -> Any:
    """Return the answer to a question, with what it is told; None if it is refused."""
    try:
        return "answered", question(at)
    except QuestionError:
        return None


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("falcon", [False, True], ids=["castle", "falcon"])
def test_an_answer_holds_for_every_number(name: str, *, falcon: bool) -> None:
    """Whoever holds the tile, and whether or not it may be used yet."""
    rng = random.Random(name)
    for seed in range(3):
        at = ending(12 * rng.randrange(1000) + 1, LINES, falcon=falcon)
        if name == "score":
            at = replace(at, order=(), bag=())
        at = replace(at, towers=at.towers[1:], spent=())
        player, fresh = rng.randrange(2), seed % 3 == 0
        answer = told(QUESTIONS[name], with_tile(at, player, 0, fresh=fresh))
        if answer is None:
            continue
        for number in sorted(+unseen(at)):
            named = with_tile(at, player, number, fresh=fresh)
            assert told(QUESTIONS[name], named) == answer, (number, player, fresh)


def test_questions_about_the_found_position_are_refused() -> None:
    """With a 2 the tower brings 8 points, otherwise 4: no answer is proved."""
    at = found("unnamed-tile-2")
    for name, question in QUESTIONS.items():
        if name != "score":
            with pytest.raises(QuestionError, match="has no number; name it under 'wall_tiles'"):
                question(at)
    assert unnamed_now(at)
    assert {best(with_tile(_empty(at), 0, n, fresh=False)).value for n in (2, 3)} == {8, 4}


def _empty(at: Position) -> Position:
    """Return a position in which the first player holds no wall tile."""
    return replace(at, players=(replace(at.players[0], wall_tiles=()), *at.players[1:]))


def test_legal_moves_use_named_tiles_alone() -> None:
    """They are legal whatever the number; a move that uses the tile is told why it is not."""
    at = found("unnamed-tile-2")
    for number in (1, 2, 9):
        assert set(legal(at)) <= set(legal(with_tile(_empty(at), 0, number, fresh=False)))
    move = next(
        move
        for move in legal_moves(with_tile(_empty(at), 0, 2, fresh=False))
        if any(step.wall_tiles for step in move.scoring)
    )
    (finding,) = judge(at, move).violations
    assert "has no number" in finding.message


def test_no_winner_is_named_while_a_tile_may_decide() -> None:
    """Two tiles 9 turn the game; what the players say that they use is counted."""
    at = found("unnamed-wall-tiles")
    with pytest.raises(QuestionError, match="a wall tile of White without a number"):
        final_scoring(at)
    assert final_scoring(at, ()).scores == (0, 3)
    nines = replace(at.players[0], wall_tiles=(9, 9))
    assert final_scoring(replace(at, players=(nines, at.players[1]))).scores == (10, 3)


def test_a_tile_that_no_longer_counts_decides_nothing() -> None:
    """With last_turn_wall_tiles off a tile of the last turn is not used in final scoring."""
    at = found("unnamed-wall-tiles")
    late = replace(at.players[0], wall_tiles=(), fresh_wall_tiles=(0, 0))
    at = replace(at, players=(late, at.players[1]))
    off = at.game.with_switches({"last_turn_wall_tiles": "off"})
    assert final_scoring(replace(at, game=off)).scores == (0, 3)
    with pytest.raises(QuestionError, match="without a number"):
        final_scoring(at)


def test_a_face_down_tile_taken_in_the_last_turn_decides() -> None:
    """The move that takes it names it or leaves final scoring open."""
    at = replace(
        found("unnamed-tile-2"),
        towers=(("12/13", 0),),
    )
    start = replace(at.players[0], wall_tiles=(), score=8)
    at = replace(at, players=(start, at.players[1]))
    move = next(m for m in legal_moves(at) if play(at, m).position.players[0].score == 12)
    with pytest.raises(QuestionError, match="without a number"):
        final_scoring(play(at, move).position)
    named = play(at, read_move(at, "TN@0,3r2 ?12/13:9")).position
    assert final_scoring(named).scores == (17, 0)
