"""The incremental state against the reference engine, turn by turn."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from model.components import Node
from model.draws import draws
from model.engine import legal_moves, play
from model.features import position_features
from model.final import final_scoring
from model.geometry import PORTS
from model.laying import lay
from model.places import places
from model.position import Position
from solver.final_value import final_scores
from solver.game_state import GameState
from solver.state import BoardState
from tests.strategies import SEEDS, castle_positions, hall_positions, named

POSITIONS = st.one_of(hall_positions(), castle_positions())


def registers(state: GameState) -> tuple[object, ...]:
    """Return everything of a state that does not depend on how it was reached."""
    board = state.board
    posts = sorted(board.anchor[board.find(node)] for node in state.posts if node >= 0)
    lists = (
        state.supply,
        state.fresh_men,
        state.score,
        state.keep,
        state.hand,
        state.fresh_hand,
        state.towers,
        state.turn,
        board.lie,
    )
    empty = [cell for cell in range(board.tables.inside) if board.lie[cell] < 0]
    asked = [board.asked(cell) for cell in empty]
    return (tuple(posts), tuple(asked), *(tuple(values) for values in lists))


def number(board: BoardState, node: Node) -> int:
    """Return the state's number of a segment on the board."""
    return board.index[node.cell] * PORTS + node.segment


@given(position=POSITIONS, seed=SEEDS)
def test_turns_are_the_reference_moves(position: Position, seed: int) -> None:
    """The state lists the reference's moves, in its order, and plays them to the same position."""
    rng = random.Random(seed)
    draw = rng.choice(list(draws(position)))
    if draw.tile is None:
        state = GameState(position)
        state.pass_turn()
        (passing,) = legal_moves(position)
        assert registers(state) == registers(GameState(play(position, passing).position))
        return
    expected = list(legal_moves(position, draw.tile))
    state = GameState(position)
    last = len(position.order) + len(position.bag) - len(draw.discards) == 1
    listed = state.turns(state.board.kind_index[draw.tile], last=last)
    assert [state.move(turn, draw.discards) for turn in listed] == expected
    before = registers(state)
    for turn in rng.sample(listed, min(4, len(listed))):
        mark = state.mark()
        move = state.move(turn, draw.discards)
        state.play(turn, last=last)
        reached = play(position, move).position
        assert registers(state) == registers(GameState(reached))
        state.undo(mark)
        assert registers(state) == before


@given(position=POSITIONS)
def test_final_scores_are_the_reference_totals(position: Position) -> None:
    """Final scoring on the state gives the totals of the reference."""
    over = replace(named(position), order=(), bag=())
    assert final_scores(GameState(over)) == final_scoring(over).scores


@given(position=POSITIONS, seed=SEEDS)
def test_laying_a_tile_joins_and_completes_what_the_graph_says(
    position: Position, seed: int
) -> None:
    """After a lay every feature has the graph's tiles, open sides, followers and completion."""
    rng = random.Random(seed)
    board = BoardState(position)
    before = position_features(position)
    tile_id = rng.choice([kind.id for kind in position.game.tile_set.kinds])
    kind = board.kind_index[tile_id]
    expected = list(places(position, tile_id))
    assert [(board.index[t.cell], t.rotation) for t in expected] == list(board.places(kind))
    for tile in rng.sample(expected, min(4, len(expected))):
        placement = lay(position, tile, before)
        mark = len(board.journal)
        done = board.lay(board.index[tile.cell], kind, tile.rotation)
        assert [board.anchor[root] for root in done] == [
            number(board, feature.anchor) for feature in placement.completed
        ]
        for feature in placement.after:
            root = board.find(number(board, feature.nodes[0]))
            assert {board.find(number(board, node)) for node in feature.nodes} == {root}
            assert board.mask[root].bit_count() == feature.size
            assert (board.needs(root) == 0) == (not feature.open_sides)
            assert board.men[2 * root : 2 * root + 2] == [feature.strength(p) for p in (0, 1)]
        board.undo(mark)


@given(position=POSITIONS, seed=SEEDS)
def test_a_game_taken_back_leaves_no_trace(position: Position, seed: int) -> None:
    """Playing on at random to the end and undoing it restores every register."""
    rng = random.Random(seed)
    state = GameState(position)
    before = registers(state)
    left = [*position.order, *position.bag]
    while left:
        kind = state.board.kind_index[left.pop(0)]
        turns = state.turns(kind, last=not left)
        if turns:
            state.play(rng.choice(turns), last=not left)
    state.undo(0)
    assert registers(state) == before
