"""Quick endings on the kernel, and alpha-beta through the rules engine, against other ways."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.notation import read_move
from burgrave.model.position import Move, Position
from burgrave.puzzles.files.library import find, position
from burgrave.solver.limits import Limits, OutOfTimeError
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import forced
from burgrave.solver.result import Status
from burgrave.solver.search import by_rules
from burgrave.solver.search.by_rules import AlphabetaEngine, ExhaustiveEngine
from burgrave.solver.search.engine import SearchEngine
from burgrave.solver.search.question import Ending
from tests.solver.endings import ending

SHIPPED = (("blue-is-one-tile-short", ()), ("the-court-in-the-east", ()))
"""Puzzles of both families, and turns before; in the line of the last one a tile has no place."""


@pytest.mark.parametrize(("name", "before"), SHIPPED)
def test_an_ending_knows_best_play_at_each_turn(name: str, before: tuple[str, ...]) -> None:
    """Value, best turns and legal turns are those of the search, along a line and back."""
    at = position(find(name))
    for turn in before:
        at = play(at, read_move(at, turn)).position
    ending, played = Ending(at), list[Position]()
    first = ending.best()
    while ending.left:
        best, whole = ending.best(), forced(at, every=True)
        values = [one.value for one in whole.first]
        assert (best.value, best.listed) == (whole.value, len(values))
        moves = [ending.move(turn) for turn in best.turns]
        assert moves == [one.move for one in whole.first if one.value == max(values)]
        alone = best if len(moves) == 1 else None
        worse = [one.move for one in whole.first if one.value < max(values)][:1]
        assert [ending.alone(move) for move in (*moves, *worse, Move())] == [
            *[alone] * len(moves),
            *[None] * (len(worse) + 1),
        ]
        assert [Fraction(value) for value in ending.values().values()] == values
        assert ending.mover == at.to_move
        played.append(at)
        at = play(at, moves[0]).position
        ending.play(best.turns[0])
    assert len(played) > 1
    for _ in played:
        ending.undo()
    assert ending.best() == first


def test_a_known_tile_before_a_bag_is_drawn_once() -> None:
    """It has one way to come; the tiles of the bag share theirs."""
    whole = ending(88, 400)
    at = replace(whole, order=whole.order[:1], bag=tuple(sorted(whole.order[1:])))
    problem = replace(problem_of(at), order=TileOrder.CHANCE)
    found = {engine.solve(problem).value for engine in (SearchEngine(), ExhaustiveEngine())}
    assert len(found) == 1


@pytest.mark.parametrize("value", ["on", "off"])
def test_an_ending_knows_its_last_turn(value: str) -> None:
    """In which a king may not be placed, by a switch."""
    at = position(find("falcon-01"))
    game = at.game.with_switches({"special_last_turn": value})
    at = replace(at, game=game, order=at.order[:1])
    ending = Ending(at)
    assert {ending.move(turn) for turn in ending.values()} == {*legal_moves(at)}


def test_an_ending_stops_at_its_limit_and_refuses_what_is_unknown() -> None:
    """A stopped question leaves the ending as it was."""
    at = position(find("blue-is-one-tile-short"))
    ending = Ending(at, 20)
    with pytest.raises(OutOfTimeError):
        ending.best()
    assert ending.left == len(at.order)
    with pytest.raises(QuestionError, match="no tile is to come"):
        Ending(replace(at, order=()))


def problem_of(at: Position, goal: Goal = Goal.LEAD) -> Problem:
    """Return the question what the player to move forces."""
    return Problem(
        position=at, asker=at.to_move, goal=goal, play=Play.AGAINST, order=TileOrder.GIVEN
    )


def test_a_wrong_proposal_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the worst turn proposed, or none, alpha-beta comes to the same answer."""
    at = position(find("blue-is-one-tile-short"))
    at = replace(at, order=at.order[:2])
    told = AlphabetaEngine().solve(problem_of(at))
    search = by_rules._Tree

    def worst(_: object, here: Position) -> Move:
        ending = Ending(here)
        values = ending.values()
        return ending.move(min(values, key=lambda turn: values[turn]))

    for proposed in (worst, lambda *_: None):
        monkeypatch.setattr(search, "_proposed", proposed)
        found = AlphabetaEngine().solve(problem_of(at))
        assert (found.value, {one.move for one in found.first}) == (
            told.value,
            {one.move for one in told.first},
        )
    assert told.value == forced(at).value


@pytest.mark.parametrize("number", [45, 88])
def test_alpha_beta_lists_the_best_turns_alone(number: int) -> None:
    """In a small hall, with the values and the turns of the search; and each turn if asked."""
    problem = problem_of(ending(number, 400))
    for asked in (problem, replace(problem, every=True)):
        told, found = SearchEngine().solve(asked), AlphabetaEngine().solve(asked)
        assert found.value == told.value
        best = {one.move for one in told.first if one.value == told.value}
        assert {one.move for one in found.first if one.value == found.value} >= best
        if asked.every:
            assert {(one.move, one.value) for one in found.first} == {
                (one.move, one.value) for one in told.first
            }


def test_alpha_beta_refuses_what_is_hidden_and_stops() -> None:
    """With a bag, or out of turns, it proves nothing."""
    at = position(find("blue-is-one-tile-short"))
    assert AlphabetaEngine().answers(problem_of(at))
    hidden = replace(at, bag=at.order[1:], order=at.order[:1])
    assert not AlphabetaEngine().answers(problem_of(hidden))
    stopped = AlphabetaEngine().solve(problem_of(at), Limits(nodes=30))
    assert (stopped.status, stopped.value) == (Status.UNKNOWN, None)
