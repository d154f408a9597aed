"""Engines and games: who answers when nobody is named, and who refuses."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from burgrave.model.engine import legal_moves
from burgrave.model.errors import QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.engines import TABLE, Row, engines_of
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best, legal
from burgrave.solver.questions.turn import turn_problem
from burgrave.solver.result import Status

ALL = ("cpsat", "reference", "state")
ABLE = {
    "castle": ALL,
    "castle+falcon": ALL,
    "carcassonne": ("cpsat", "reference", "state"),
    "carcassonne+tower": ("cpsat", "reference", "state"),
}
GAMES = {
    "castle": shipped_game("castle"),
    "castle+falcon": shipped_game("castle+falcon"),
    "carcassonne": shipped_game("carcassonne"),
    "carcassonne+tower": shipped_game("carcassonne+tower"),
}
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def begun(game: Game) -> Position:
    """Return the beginning of a game of which one tile is to come."""
    position = new_position(game, Random(3))
    return replace(position, order=position.order[:1])


@each_game
def test_each_game_has_its_engines(game: Game) -> None:
    """The first of them answers when nobody is named; the rules engine plays all games."""
    assert engines_of(game) == ABLE[game.id]
    answer = best(begun(game))
    assert (answer.engine, answer.status) == (ABLE[game.id][0], Status.OPTIMAL)
    assert legal(begun(game)) == tuple(legal_moves(begun(game)))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_the_table_makes_the_engine_that_it_names(row: Row) -> None:
    """What is imported by name has this name."""
    assert row.made().name == row.name


def test_an_engine_that_there_is_not_is_refused_whatever_the_game() -> None:
    """The error lists those there are."""
    for game in GAMES.values():
        with pytest.raises(QuestionError, match=r"no engine 'guess'\. There are cpsat, reference"):
            best(begun(game), engine="guess")


def test_the_lead_is_a_question_of_carcassonne_too() -> None:
    """There are no wall tiles about which an opponent could decide."""
    answer = best(begun(GAMES["carcassonne+tower"]), goal=Goal.LEAD)
    assert (answer.value, answer.status) == (0, Status.OPTIMAL)


def test_a_question_is_a_value() -> None:
    """It names what is asked, without the means: two alike are equal, and have one hash."""
    one, other = (turn_problem(begun(shipped_game("castle")), None) for _ in range(2))
    assert one == other
    assert len({one, other}) == 1
    assert one != turn_problem(begun(shipped_game("castle")), None, goal=Goal.LEAD)
