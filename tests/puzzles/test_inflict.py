"""Self-inflicted puzzles: points forced on an opponent who does not want them."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import pytest

from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.model.registry import CARCASSONNE, CASTLE
from burgrave.puzzles.candidates.changes import changed
from burgrave.puzzles.candidates.composing import depth, start
from burgrave.puzzles.files.library import find, puzzle, puzzle_entries
from burgrave.puzzles.making.kinds import suffered
from burgrave.puzzles.questions import Inflict
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.study.fooled import at_a_glance
from burgrave.solver.questions import inflicted

SHIPPED = [entry.id for entry in puzzle_entries() if entry.question == "inflict"]


def forces(at: Position, asker: int, least: int, cuts: set[Move]) -> bool:
    """Tell by the rules whether the asker forces so many points; moves that cut come first."""
    if at.over:
        return final_scoring(at).scores[1 - asker] >= least
    raises = at.to_move == asker
    for move in sorted(legal_moves(at), key=lambda move: move not in cuts):
        if forces(play(at, move).position, asker, least, cuts) is raises:
            cuts.add(move)
            return raises
    return not raises


def test_some_are_shipped_in_every_game() -> None:
    """Five at least."""
    games = {entry.game for entry in puzzle_entries() if entry.question == "inflict"}
    assert len(SHIPPED) >= 5
    assert games == {CARCASSONNE, CASTLE, "castle+falcon", "carcassonne+tower"}


@pytest.mark.parametrize("puzzle_id", SHIPPED)
def test_the_rules_force_what_a_shipped_puzzle_says(puzzle_id: str) -> None:
    """One first move alone forces the most; no line is left out that could change that."""
    good = puzzle(find(puzzle_id))
    asked, at = good.question, good.position
    assert isinstance(asked, Inflict)
    best, cuts = good.answer.value, set[Move]()
    assert isinstance(best, int)
    as_good = [
        write_move(at, move)
        for move in legal_moves(at)
        if forces(play(at, move).position, asked.asker, best, cuts)
    ]
    assert as_good == [*good.answer.moves]
    key = read_move(at, good.answer.moves[0])
    assert not forces(play(at, key).position, asked.asker, best + 1, cuts)
    assert all(key not in moves for moves in at_a_glance(at, asked))
    assert suffered(asked, at, good.answer.line) > 0
    assert depth(at, key, asked.asker) == (good.measures.depth if good.measures else 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "number", "asker"),
    [
        (CARCASSONNE, 1, 0),
        (CASTLE, 1, 0),
        (CASTLE, 1, 1),
        ("castle+falcon", 62, 1),
        (CARCASSONNE, 1, 1),
        ("carcassonne+tower", 1, 0),
    ],
)
def test_the_search_agrees_with_the_rules_engine(game: str, number: int, asker: int) -> None:
    """A small ending changed by lot, in which either player forces points on the other."""
    rng = Random(number)
    at = start(shipped_game(game), 2, 2, rng)
    assert at is not None
    for changes in count(1):
        other = changed(at, rng)
        at = at if problems(other) or len(other.order) != 2 else other
        if changes >= 6 and at.followers:
            break
    at = replace(at, players=tuple(replace(one, supply=0) for one in at.players))
    found = [inflicted(at, asker=asker, engine=one) for one in ("search", "alphabeta")]
    assert found[0].value == found[1].value
    assert {one.move for one in found[0].first} == {one.move for one in found[1].first}


FORCED = {
    "a-city-edge-too-many": 3,
    "a-gap-that-must-be-filled": 4,
    "a-tower-for-the-opponent": 6,
    "blue-s-prisoner-red-s-tile": 3,
    "where-the-crossing-must-go": 2,
}


def test_points_that_the_opponents_own_turns_bring_him_are_counted() -> None:
    """At once, or if the game ended then; of his score before they are no part."""
    for name, brought in FORCED.items():
        good = puzzle(find(name))
        assert suffered(good.question, good.position, good.answer.line) == brought


def test_points_are_forced_on_a_single_opponent() -> None:
    """With three players, nobody can be said to resist."""
    three = new_position(shipped_game("carcassonne", players=("red", "blue", "green")), Random(1))
    with pytest.raises(QuestionError, match="single opponent"):
        inflicted(replace(three, order=three.order[:2]))


def test_whoever_forces_may_be_asked_about_at_any_turn() -> None:
    """After the key the same value stands, counted for the same player."""
    good = puzzle(find("where-the-crossing-must-go"))
    assert isinstance(good.question, Inflict)
    after = play(good.position, read_move(good.position, good.answer.line[0])).position
    assert after.to_move != good.question.asker
    assert good.question.reply(after).facts["value"] == good.answer.value
    assert not good.question.unsound(good.position, good.answer.line, good.answer.value)
    assert good.question.unsound(good.position, good.answer.line, 0)
