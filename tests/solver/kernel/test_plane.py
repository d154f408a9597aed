"""The compiled Carcassonne, with each expansion, against the reference engine."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from burgrave.model.components import Rank
from burgrave.model.draws import draws
from burgrave.model.engine import canonical, play
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import read_position
from burgrave.model.final import final_scoring
from burgrave.model.formats.jcloisterzone import Reader
from burgrave.model.games import Game
from burgrave.model.registry import ids
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel import carcassonne, codec, plane_board, plane_last, tower
from burgrave.solver.kernel.chance import GAMES_PLAYED, TURNS_LISTED, TURNS_PLAYED, random_games
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.plane_board import LOG, PLANE_STATE, PLAYS, POSTS
from burgrave.solver.kernel.plane_tables import PLANE_TILES
from burgrave.solver.kernel.records import numbers_of
from tests.corpus import games, opening, turns
from tests.perft import frozen
from tests.planes import plane_games
from tests.solver.kernel.planes import HINTS, ROOM, check, contents, expected, listed
from tests.strategies import SEEDS, Step

PLANES = ids(base="carcassonne")

ON_THE_PLANE = [entry for entry in frozen() if entry.position.game.board.endless]
"""The frozen counts of Carcassonne and The Tower."""
CORPUS = Path(__file__).parents[2] / "data" / "corpus"
RECORDED = [record for path in sorted(CORPUS.glob("*.jsonl.gz")) for record in games(path)]
PLACE = (1 << 24) - 1
"""Cell, kind and rotation in a turn, its segment shifted away."""
COMPILED = not os.environ.get("NUMBA_DISABLE_JIT")
GAMES = [shipped_game(name, players=3) for name in PLANES]
LARGEST = GAMES[-1]


@pytest.mark.slow
@given(plane_games(turns=30), SEEDS)
@settings(max_examples=10)
def test_turns_are_the_reference_moves(game: list[Step], seed: int) -> None:
    """The reference's moves are listed in its order, and lead to the same positions."""
    rng = random.Random(seed)
    for step in rng.sample(game, min(2, len(game))):
        check(step.before, rng.choice(list(draws(step.before))), rng, plays=2)


@pytest.mark.slow
@given(plane_games(turns=32))
@settings(max_examples=6)
def test_totals_are_the_reference_totals(game: list[Step]) -> None:
    """Final scoring gives the totals of the reference, whatever the way of scoring farms."""
    points = np.zeros(6, np.int64)
    for step in game[::5]:
        over = replace(step.before, order=(), bag=())
        s, t = codec.state_of(over), codec.tables_of(over.game)
        plane_last.totals(s, t, points)
        assert tuple(points[: s.players]) == final_scoring(over).scores
        carcassonne.standing(s, t, points)
        assert tuple(points[: s.players]) == tuple(p.score for p in over.players)


@pytest.mark.slow
@given(plane_games(turns=28), SEEDS)
@settings(max_examples=10)
def test_turns_left_out_lead_where_others_lead(game: list[Step], seed: int) -> None:
    """Without turns that are alike the same positions are reached; at the end the same totals."""
    rng, points = random.Random(seed), np.zeros(6, np.int64)
    position = rng.choice(game).before
    tile = rng.choice(list(draws(position))).tile
    s, t = codec.state_of(position), codec.tables_of(position.game)

    def totals(turn: int) -> tuple[int, ...]:
        carcassonne.play(s, t, turn, True)
        plane_last.totals(s, t, points)
        carcassonne.undo(s, t)
        return tuple(points[: s.players].tolist())

    def features(turn: int) -> str:
        carcassonne.play(s, t, turn, False)
        found = contents(s, t)
        carcassonne.undo(s, t)
        return str((found["features"], found["players"], totals(turn), _guarded(found)))

    def _guarded(found: dict[str, Any]) -> object:
        # With no piece left it is the same which tower a guard stands on.
        return found["towers"] if any(s.pieces) else None

    every = listed(s, position, tile)
    some = listed(s, position, tile, alike=False)
    few = listed(s, position, tile, alike=False, last=True)
    assert set(few) <= set(every)
    assert set(some) <= set(every)
    assert {totals(turn) for turn in few} == {totals(turn) for turn in every}
    cell = rng.choice(every) >> 6
    here = [
        [turn for turn in turns if turn >> 6 & 0x3FFFFF == cell & 0x3FFFFF]
        for turns in (some, every)
    ]
    assert {features(turn) for turn in here[0]} == {features(turn) for turn in here[1]}


@given(plane_games(turns=26, tower=False))
@settings(max_examples=6)
def test_hints_are_what_a_turn_brings_at_once(game: list[Step]) -> None:
    """In Carcassonne a hint is the mover's points less those of the best other."""
    for step in game[::6]:
        position = step.before
        s, t = codec.state_of(position), codec.tables_of(position.game)
        turns, mover = listed(s, position, next(draws(position)).tile), int(s.turn)
        hints = HINTS[: len(turns)].tolist()
        before = s.score.copy()
        for turn, hint in zip(turns, hints, strict=True):
            carcassonne.play(s, t, turn, False)
            gains = (s.score - before)[: s.players].tolist()
            carcassonne.undo(s, t)
            if turn:
                assert hint == gains.pop(mover) - max(gains)


@pytest.mark.parametrize("record", RECORDED[:: 1 if COMPILED else 6], ids=lambda r: r["game"])
def test_a_recorded_game_is_played_to_the_same_end(record: dict[str, Any]) -> None:
    """Every recorded turn is listed and leads to the reference's position; undo begins anew."""
    position = opening(record)
    reader = Reader(position.game)
    opened = Opened(position)
    s, t = opened.state, opened.tables
    before, played = contents(s, t), 0
    for steps in turns(record):
        made = reader.move(position, [step["message"] for step in steps])
        draw = next(iter(draws(position)))
        made = canonical(position, replace(made, discards=draw.discards))
        after = play(position, made).position
        turn = opened.turn(made)
        assert turn in listed(s, position, draw.tile)
        carcassonne.play(s, t, turn, after.over)
        position, played = after, played + 1
        assert [p.score for p in position.players] == s.score[: s.players].tolist()
        assert [p.supply for p in position.players] == s.supply[: s.players].tolist()
    assert contents(s, t) == contents(codec.state_of(position), t)
    points = np.zeros(6, np.int64)
    plane_last.totals(s, t, points)
    assert tuple(points[: s.players]) == final_scoring(position).scores
    assert s.depth == played
    while s.depth:
        carcassonne.undo(s, t)
    assert contents(s, t) == before


PRISONERS = """
burgrave = 1
type = "position"
game = "carcassonne+inns+tower"
to_move = "red"
board = ["TW02@0,0r0", "D@0,1r0 blue:{taken}.N", "D@1,1r0 red:knight.N"]
order = ["E"]
[switches]
exchange_sizes = "{sizes}"
exchange_ratio = "{ratio}"
[player.red]
score = {score}
supply = 3
specials = []
pieces = 3
[player.blue]
specials = {specials}
prisoners = ["red", "red:big"]
"""


CHOICES = [
    ("knight", "any", "one", 1),
    ("big", "any", "one", 3),
    ("big", "same", "one", 1),
    ("knight", "any", "all", 1),
]


@pytest.mark.parametrize(("taken", "sizes", "ratio", "score"), CHOICES)
def test_prisoners_of_two_ranks_are_exchanged_and_bought(
    taken: str, sizes: str, ratio: str, score: int
) -> None:
    """Who comes home is named where there is a choice, whatever is bought back before."""
    position = read_position(
        "test",
        PRISONERS.format(
            taken=taken,
            sizes=sizes,
            ratio=ratio,
            score=score,
            specials=["big"] if taken == "knight" else [],
        ),
    )
    draw = next(draws(position))
    check(position, draw, random.Random(1), plays=4)
    moves = [move for move in expected(position, draw) if move.captures]
    assert all(canonical(position, move) == move for move in moves)
    named = {capture.back for move in moves for capture in move.captures}
    assert (Rank.BIG in named) == ((sizes, ratio) == ("any", "one"))


def test_a_list_that_finds_no_room_says_how_long_it_is() -> None:
    """Nothing is written beyond the room."""
    position = ON_THE_PLANE[0].position
    s, t = codec.state_of(position), codec.tables_of(position.game)
    kind = numbers_of(position.game)[position.order[0]]
    room = np.full(10, -7, np.int64)
    end = carcassonne.turns(s, t, kind, False, True, room[:5], room[:5], 0)
    assert end == ON_THE_PLANE[0].moves[0]
    assert room[5:].tolist() == [-7] * 5


def played(game: Game, number: int, seed: int) -> tuple[list[int], list[int], int]:
    """Return the sums of points, the tally and the words of the log after some random games."""
    position = new_position(game, random.Random(seed))
    s, t = codec.state_of(position), codec.tables_of(game)
    tiles = np.array([numbers_of(position.game)[tile] for tile in position.order], np.int64)
    points, sums, tally = (np.zeros(n, np.int64) for n in (6, 6, 4))
    before = contents(s, t)
    random_games(s, t, tiles, number, seed, points, sums, ROOM, HINTS[:0], tally)
    assert contents(s, t) == before
    return sums.tolist(), tally.tolist(), int(np.count_nonzero(s.log))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_random_games_end_and_are_taken_back(game: Game) -> None:
    """Every tile is laid in nearly every game; more turns are listed than played."""
    number = 50 if COMPILED else 1
    sums, tally, _ = played(game, number, seed=9)
    tiles = sum(kind.count for kind in game.tile_set.kinds) - 1
    assert tally[GAMES_PLAYED] == number
    assert number * (tiles - 4) <= tally[TURNS_PLAYED] <= number * tiles
    assert tally[TURNS_LISTED] > 5 * tally[TURNS_PLAYED]
    assert min(sums[:3]) > 0
    assert sums[3:] == [0, 0, 0]


def test_the_log_has_room_for_every_game() -> None:
    """The bound of its docstring holds, and long games of six stay far below it."""
    assert 12 * PLAYS + 9 * (PLAYS + POSTS) < LOG
    six = shipped_game(LARGEST.id, players=6)
    assert 0 < played(six, 20 if COMPILED else 1, seed=4)[2] < LOG // 2


def test_what_compiled_code_does_not_know_is_named() -> None:
    """A size beyond the tables is refused by name."""
    position = ON_THE_PLANE[0].position
    game, white = position.game, position.players[0]
    assert codec.refusal(position) is None
    many = replace(game.tile_set, kinds=tuple(replace(k, count=9) for k in game.tile_set.kinds))
    number = 9 * len(many.kinds)
    refused = codec.refusal(replace(position, game=replace(game, tile_set=many)))
    assert f"{number} tiles" in str(refused)
    crowded = replace(position, order=(), bag=("D",) * PLANE_TILES)
    assert codec.refusal(crowded) == f"{len(position.tiles) + PLANE_TILES} tiles"
    rich = (replace(white, supply=white.supply + 9), *position.players[1:])
    refused = codec.refusal(replace(position, players=rich))
    assert f"followers of {game.name(0)}" in str(refused)
    assert codec.refusal(replace(position, game=replace(game, followers=9))) == "9 followers"


def test_a_state_is_one_block_of_memory() -> None:
    """A copy of a state plays on by itself, as threads need it."""
    position = ON_THE_PLANE[0].position
    t = codec.tables_of(position.game)
    s = codec.state_of(position)
    other = np.array([s], PLANE_STATE)[0]
    before = contents(s, t)
    turn = listed(s, position, position.order[0])[0]
    carcassonne.play(other, t, turn, False)
    assert contents(s, t) == before
    assert contents(other, t) != before


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="this is the uncompiled run")
def test_a_sample_agrees_uncompiled() -> None:
    """The same functions as plain Python pass tests of this file, and play the same games."""
    chosen = "recorded or random_games or log or named or no_room"
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            __file__,
            "-k",
            chosen,
        ],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_constants_compile_nothing_anew() -> None:
    """A function that is called with many constants is compiled once for numbers."""
    played(LARGEST, 1, seed=2)
    for function in (plane_board.note, plane_board.lift, tower.raisings, carcassonne.play):
        inner: Any = function
        assert len(inner._numba_type_.dispatcher.signatures) <= 1
    assert len(carcassonne.play.signatures) == 1


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_places_of_all_kinds_are_found_uncompiled() -> None:
    """Lies of the later kinds do not fit into 8 bits, in which tables hold small numbers."""
    position = new_position(LARGEST, random.Random(1))
    s, t = codec.state_of(position), codec.tables_of(position.game)
    plain: Any = carcassonne.placeable
    for kind in range(len(position.game.tile_set.kinds)):
        assert plain.py_func(s, t, kind) == carcassonne.placeable(s, t, kind)
