"""The compiled Castle and Falcon against the reference engine."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from burgrave.model.draws import draws
from burgrave.model.errors import QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import load_position
from burgrave.model.games import Game
from burgrave.model.position import Move, Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel import codec
from burgrave.solver.kernel import game as kernel
from burgrave.solver.kernel.castle_state import DEPTH
from burgrave.solver.kernel.castle_tables import CASTLE_CELLS, tables_of
from burgrave.solver.kernel.castle_turns import PASS
from burgrave.solver.kernel.chance import GAMES_PLAYED, LIST_TOO_LONG, TURNS_PLAYED, random_games
from burgrave.solver.kernel.codec import Opened, state_of
from burgrave.solver.kernel.records import numbers_of
from tests.solver.kernel.castles import compare, follow, random_opening, registers, turns_of, walk
from tests.strategies import hall

ENDINGS = Path(__file__).parents[3] / "benchmarks" / "positions"


@pytest.mark.parametrize("seed", range(8))
def test_halls_agree_with_the_reference(seed: int) -> None:
    """Turns, plays, undo and final scoring are the reference's, whatever the switches."""
    rng = random.Random(seed)
    assert sum(1 for _ in walk(random_opening(rng, falcon=seed % 2 == 1, hall=True), rng)) > 3


@pytest.mark.parametrize("falcon", [False, True])
def test_the_real_castles_agree_with_the_reference(*, falcon: bool) -> None:
    """So are those of whole castles, with a few turns played at once in between."""
    rng = random.Random(7)
    position = random_opening(rng, falcon=falcon, hall=False)
    while not position.over:
        position = compare(position, rng, plays=1)
        for _ in range(12):
            if position.over:
                return
            position = _step(position, rng)


def _step(position: Position, rng: random.Random) -> Position:
    """Play a random turn by the kernel's list and the reference's conduct."""
    draw = rng.choice(list(draws(position)))
    if draw.tile is None:
        return follow(position, Move(discards=draw.discards))
    opened = Opened(position)
    left = len(position.order) + len(position.bag) - len(draw.discards)
    turn = rng.choice(turns_of(opened.state, position, draw.tile, last=left == 1))
    return follow(position, opened.move(opened.state, turn, draw.discards))


@pytest.mark.parametrize("name", ["k2-1", "k3-2", "falcon-k2-1", "falcon-k3-2"])
def test_endings_agree_with_the_reference(name: str) -> None:
    """The endings that are measured are played to the end and scored as by the reference."""
    position = load_position(ENDINGS / f"{name}.toml")
    assert sum(1 for _ in walk(position, random.Random(1), plays=1)) > 1


def test_what_is_not_covered_is_named() -> None:
    """A game that the kernel does not play is refused by what is too much for it."""
    small = new_position(shipped_game("castle"), random.Random(1))
    assert codec.refusal(small) is None
    assert codec.refusal(new_position(shipped_game("castle+falcon"), random.Random(1))) is None
    other = replace(small.game, id="chess")
    assert codec.refusal(replace(small, game=other)) == "chess"
    board = hall(20, 7)
    large = replace(small.game, board=board, shows=small.game.shows[:3])
    assert codec.refusal(replace(small, game=large)) == f"{20 * 7 + len(board.starts)} cells"
    assert len(board.cells) > CASTLE_CELLS


def test_a_move_is_found_again_as_a_turn() -> None:
    """A turn is looked up by its move, and a move of another position is not found."""
    game = shipped_game("castle")
    position = new_position(game, random.Random(1))
    opened = Opened(position)
    s, tile = opened.state, position.order[0]
    turns = turns_of(s, position, tile, last=False)
    for turn in turns:
        assert opened.turn(opened.move(s, turn, ())) == turn
    beyond = replace(opened.move(s, turns[0], ()), cell=game.board.cells[40])
    with pytest.raises(QuestionError):
        opened.turn(beyond)


def test_what_has_no_room_is_told() -> None:
    """Of a list that is too long the end is told; a line that is too long sets a flag."""
    position = new_position(shipped_game("castle"), random.Random(1))
    t = tables_of(position.game)
    s = state_of(position)
    room, none = np.zeros(1000, np.int64), np.zeros(0, np.int64)
    end = kernel.turns(s, t, 0, False, True, room, none, 0)
    assert 3 < end < len(room)
    little = np.zeros(3, np.int64)
    assert kernel.turns(s, t, 0, False, True, little, none, 0) == end
    assert list(little) == list(room[:3])
    for _ in range(DEPTH):
        kernel.play(s, t, PASS, False)
    assert not s.overflow
    kernel.play(s, t, PASS, False)
    assert s.overflow
    assert s.depth == DEPTH


def test_uncompiled_is_the_same() -> None:
    """The same source runs as plain Python, with nothing lost to a word that is too short."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-m", "tests.solver.kernel.castles", "12", "2"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "no difference" in done.stdout


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [shipped_game("castle"), shipped_game("castle+falcon")], ids=lambda game: game.id
)
def test_random_games(game: Game) -> None:
    """Random games run to their end in compiled code and leave the state as it was."""
    position = new_position(game, random.Random(3))
    s, t = codec.state_of(position), codec.tables_of(game)
    tiles = np.array([numbers_of(position.game)[tile] for tile in position.order])
    points, sums, tally = (np.zeros(size, np.int64) for size in (2, 2, 4))
    room, none = np.zeros(1 << 14, np.int64), np.zeros(0, np.int64)
    before = registers(s, t)
    random_games(s, t, tiles, 5, 77, points, sums, room, none, tally)
    assert registers(s, t) == before
    assert tally[GAMES_PLAYED] == 5
    assert tally[LIST_TOO_LONG] == 0
    assert 5 * 40 < tally[TURNS_PLAYED] <= 5 * len(tiles)
    assert sums.min() > 0
