"""What every game must do, on a game by lot of each: a game joins by its registration.

Where an engine has not learned what a game brings, a test says which and where it belongs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from xml.etree import ElementTree as ET

import pytest

from burgrave.cli.render.glyphs import ASCII, UNICODE
from burgrave.cli.render.legend import whole
from burgrave.model.engine import canonical, judge, legal_moves, play
from burgrave.model.files.games import shipped_game
from burgrave.model.files.lines import read_line, write_line
from burgrave.model.files.positions import read_position, write_position
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move, write_move
from burgrave.model.pictures import board_svg
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.model.registry import GAMES
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best, turn_problem
from burgrave.solver.search.turns import ReferenceEngine, StateEngine
from burgrave.solver.simulation import COMPILED, table

TURNS = 18
"""Turns that are played from the beginning."""
TRIED = 24
"""Legal moves of a turn of which one is played."""
EACH = 6
"""One of so many positions is asked further questions."""
LEFT = 2
"""Tiles that are left in an ending."""

pytestmark = pytest.mark.every_case
game_by_lot = pytest.mark.parametrize("game_id", GAMES)


@cache
def begun(game_id: str) -> tuple[tuple[Position, Move], ...]:
    """Return the first turns of a game by lot, moves with rare parts before others."""
    rng = Random(game_id)
    position, turns = new_position(shipped_game(game_id), rng), []
    for _ in range(TURNS):
        moves = rng.sample(found := list(legal_moves(position)), min(TRIED, len(found)))
        move = max(moves, key=lambda one: (len(str(one).split()), rng.random()))
        turns.append((position, move))
        position = play(position, move).position
    return tuple(turns)


def asked(game_id: str) -> list[Position]:
    """Return some positions of a game by lot."""
    return [position for position, _ in begun(game_id)[EACH - 1 :: EACH]]


def ending(position: Position) -> Position:
    """Return a position as if few tiles were left."""
    return replace(position, order=position.order[:LEFT])


@game_by_lot
def test_turns_are_legal_and_written(game_id: str) -> None:
    """Each move that is listed is legal, canonical and read back; no position breaks a rule."""
    for position, move in begun(game_id):
        assert problems(position) == ()
        for one in (move, *islice(legal_moves(position), 3)):
            assert judge(position, one).legal
            assert canonical(position, one) == one
            assert read_move(position, write_move(position, one)) == one


@game_by_lot
def test_positions_are_files_and_lines(game_id: str) -> None:
    """A file and a line give the same position back."""
    for position in asked(game_id):
        assert read_position("a", write_position(position)) == position
        assert read_line(write_line(position)) == position


@game_by_lot
def test_positions_have_pictures(game_id: str) -> None:
    """The picture is well-formed, the drawing of the terminal shows each tile."""
    for position in asked(game_id):
        ET.fromstring(board_svg(position))
        for glyphs in (ASCII, UNICODE):
            drawn = "\n".join(whole(position, glyphs).lines(colour=False))
            assert all(name.capitalize() in drawn for name in position.game.players)


@game_by_lot
def test_the_kernel_plays_it(game_id: str) -> None:
    """Compiled code lists the turns of the rules with their points, and takes them back."""
    for position in asked(game_id):
        for draw in islice(ReferenceEngine().draws(position), 1):
            problem = turn_problem(position, draw)
            told = list(StateEngine().moves(problem) or ())
            assert told == list(ReferenceEngine().moves(problem) or ()), (
                f"teach solver/kernel what {game_id} brings: codec.py, tables, turns, scoring"
            )
    by_kernel, first = table(begun(game_id)[0][0], COMPILED), begun(game_id)[0][0]
    discards: tuple[str, ...] = ()
    for position, move in begun(game_id):
        discards = move.discards
        turns = list(by_kernel.turns(move.tile or "", last=False))
        chosen = next(t for t in turns if by_kernel.move(t, discards) == move)
        assert by_kernel.position() == replace(position, order=())
        by_kernel.play(chosen, last=False)
    after = play(*begun(game_id)[-1]).position
    assert by_kernel.position() == replace(after, order=())
    for _ in begun(game_id):
        by_kernel.undo()
    assert by_kernel.position() == replace(first, order=())


@game_by_lot
def test_cp_sat_finds_its_best_turns(game_id: str) -> None:
    """The model's best turn is one of the best of the list of the rules."""
    for position in asked(game_id)[-1:]:
        answer = best(position, goal=Goal.POINTS, engine="cpsat")
        expected = best(position, goal=Goal.POINTS, engine="reference")
        assert answer.value == expected.value, (
            f"teach solver/cpsat what {game_id} brings: its turns, features and points"
        )


@game_by_lot
def test_the_end_is_scored(game_id: str) -> None:
    """A game is played on to its last tile, and the kernel's totals are those of final scoring."""
    position = ending(begun(game_id)[-1][0])
    game = table(position, COMPILED)
    rng = Random(1)
    for index, tile in enumerate(position.order):
        last = index == len(position.order) - 1
        turns = list(game.turns(tile, last=last))
        if turns:
            game.play(rng.choice(turns), last=last)
    assert game.totals() == final_scoring(game.position()).scores
