"""The incremental state of The Falcon against the reference engine, turn by turn."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from model.components import Rank
from model.draws import draws
from model.engine import legal_moves, play
from model.final import final_scoring
from model.position import Position
from solver.falcon.state import FalconState
from solver.states import totals
from tests.solver.positions import rich_falcon_position
from tests.strategies import walk


def registers(state: FalconState) -> tuple[object, ...]:
    """Return everything of a state that does not depend on how it was reached."""
    board = state.board
    posts = sorted(board.anchor[board.find(node)] for node in state.posts if node >= 0)
    specials = [board.anchor[board.find(n)] if n >= 0 else n for n in state.specials]
    lists = (
        state.supply,
        state.fresh_men,
        state.score,
        state.at_gate,
        state.keep,
        state.hand,
        state.fresh_hand,
        state.towers,
        state.turn,
        state.tokens,
        state.gone,
        board.lie,
    )
    return (tuple(posts), tuple(specials), *(tuple(values) for values in lists))


@pytest.mark.parametrize("seed", range(40))
def test_turns_are_the_reference_moves(seed: int) -> None:
    """The state lists the reference's moves, in its order, and plays them to the same position."""
    rng = random.Random(seed)
    position = rich_falcon_position(seed)
    draw = rng.choice(list(draws(position)))
    state = FalconState(position)
    if draw.tile is None:
        state.pass_turn()
        (passing,) = legal_moves(position)
        assert registers(state) == registers(FalconState(play(position, passing).position))
        return
    last = len(position.order) + len(position.bag) - len(draw.discards) == 1
    listed = state.turns(state.board.kind_index[draw.tile], last=last)
    moves = [state.move(turn, draw.discards) for turn in listed]
    assert moves == list(legal_moves(position, draw.tile))
    before = registers(state)
    scoring = [turn for turn in listed if turn.plan.claims]
    some = rng.sample(listed, min(4, len(listed))) + rng.sample(scoring, min(6, len(scoring)))
    for turn in some:
        move = state.move(turn, draw.discards)
        mark = state.mark()
        state.play(turn, last=last)
        reached = play(position, move).position
        assert registers(state) == registers(FalconState(reached))
        state.undo(mark)
        assert registers(state) == before


def ending(seed: int) -> Position:
    """Return a position with no tile left, wall tiles 4 to 9 in hand, kings on the board."""
    rng = random.Random(seed)
    position = rich_falcon_position(seed)
    for step in walk(position, rng, rng.randint(0, 3)):
        position = step.played.position
    deck = [n for n in range(4, 10) for _ in range(2)]
    rng.shuffle(deck)
    hands = [sorted(deck.pop() for _ in range(rng.randrange(7))) for _ in position.players]
    players = tuple(
        replace(state, wall_tiles=tuple(hand), fresh_wall_tiles=())
        for state, hand in zip(position.players, hands, strict=True)
    )
    return replace(position, players=players, order=(), bag=(), in_extra_turn=False, extra_turns=0)


def test_final_scores_are_the_reference_totals() -> None:
    """Final scoring on the state gives the totals of the reference, kings on many a feature."""
    kings = 0
    for seed in range(60):
        over = ending(seed)
        kings += any(follower.rank is Rank.KING for follower in over.followers)
        assert totals(FalconState(over)) == final_scoring(over).scores, seed
    assert kings >= 20
