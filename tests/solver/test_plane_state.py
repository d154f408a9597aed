"""The incremental state of Carcassonne and The Tower against the reference engine."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings

from model.draws import draws
from model.engine import legal_moves, play
from model.files.games import COLOURS, carcassonne_game
from model.final import final_scoring
from model.games import Game
from model.position import Position
from puzzles.selfplay.games import new_position
from solver.plane.ending import final_scores
from solver.plane.state import PlaneState, Turn
from solver.plane.towers import TowerState
from solver.states import plane_state
from tests.planes import plane_games
from tests.strategies import SEEDS, Step


def registers(state: PlaneState) -> tuple[object, ...]:
    """Return everything of a state that does not depend on how it was reached."""
    board = state.board
    lies = {board.place(cell): board.lie[cell] for cell in board.cell}
    asked = {board.place(cell): board.wants[cell] for cell in board.rim if board.lie[cell] < 0}
    features = {}
    for cell in board.cell:
        kind = board.tables.segments[board.lie[cell] // 4]
        for segment in range(len(kind)):
            node = board.slot[cell] * board.tables.width + segment
            root = board.find(node)
            cells = [c for i, c in enumerate(board.cell) if board.tiles[root] >> i & 1]
            nodes = [n for n in range(len(board.parent)) if board.nodes[root] >> n & 1]
            near = [n for n in range(len(board.parent)) if board.near[root] >> n & 1]
            features[board.segment(node)] = (
                board.what[root],
                board.open[root],
                board.shields[root],
                board.men[root],
                sorted(board.place(cell) for cell in cells),
                sorted(map(board.segment, nodes)),
                sorted(map(board.segment, near)),
            )
    walled = [
        sorted(board.segment(n) for n in range(len(board.parent)) if city >> n & 1)
        for city in board.walled
    ]
    posts = sorted((i // state.each, board.segment(n)) for i, n in enumerate(state.posts) if n >= 0)
    players = (tuple(state.score), tuple(state.supply), tuple(state.turn), tuple(posts))
    built = (
        (
            {
                board.place(cell): (state.height[cell], state.guard[cell], state.shut[cell])
                for cell in board.cell
            },
            tuple(state.pieces),
            tuple(state.held),
        )
        if isinstance(state, TowerState)
        else ()
    )
    return lies, asked, features, sorted(walled), players, built


def listed(state: PlaneState, position: Position, tile: str | None) -> list[Turn]:
    """Return the turns of a state with a tile, or without one."""
    if tile is None:
        return state.passes()
    return state.turns(state.board.kind_index[tile])


@given(plane_games(turns=30), SEEDS)
@settings(max_examples=8)
def test_turns_are_the_reference_moves(game: list[Step], seed: int) -> None:
    """The state lists the reference's moves, in its order, and plays them to the same position."""
    rng = random.Random(seed)
    for step in rng.sample(game, min(2, len(game))):
        position = step.before
        draw = rng.choice(list(draws(position)))
        state = plane_state(position)
        expected = [m for m in legal_moves(position, draw.tile) if m.discards == draw.discards]
        turns = listed(state, position, draw.tile)
        assert [state.move(turn, draw.discards) for turn in turns] == expected
        before = registers(state)
        rare = [turn for turn in turns if turn.captor >= 0 or turn.taken >= 0 or turn.freed >= 0]
        for turn in rng.sample(turns, min(2, len(turns))) + rng.sample(rare, min(3, len(rare))):
            mark = state.mark()
            state.play(turn)
            reached = play(position, state.move(turn, draw.discards)).position
            assert registers(state) == registers(plane_state(reached))
            state.undo(mark)
            assert registers(state) == before


@given(plane_games(turns=32))
@settings(max_examples=5)
def test_final_scores_are_the_reference_totals(game: list[Step]) -> None:
    """Final scoring on the state gives the totals of the reference."""
    for step in game[::8]:
        over = replace(step.before, order=(), bag=())
        assert final_scores(plane_state(over)) == final_scoring(over).scores


@pytest.mark.parametrize(
    "game",
    [
        carcassonne_game(players=COLOURS[:3]),
        carcassonne_game(tower=True, players=COLOURS[:3]),
    ],
    ids=lambda game: game.id,
)
def test_a_whole_game_on_the_state_is_that_of_the_rules(game: Game) -> None:
    """Every turn of a game is legal, it ends in the reference's position, and undo begins anew."""
    rng = random.Random(5)
    position = new_position(game, rng)
    state = plane_state(position)
    before = registers(state)
    while not position.over:
        gone = []
        for tile in position.order:
            turns = state.turns(state.board.kind_index[tile])
            if turns:
                break
            gone.append(tile)
        turn = rng.choice(turns or state.passes())
        position = play(position, state.move(turn, tuple(gone))).position
        state.play(turn)
        assert state.score == [player.score for player in position.players]
        assert state.supply == [player.supply for player in position.players]
    assert registers(state) == registers(plane_state(position))
    assert final_scores(state) == final_scoring(position).scores
    state.undo(0)
    assert registers(state) == before
