"""The kind of a mistake, by what it does otherwise than the best move."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from burgrave.model.engine import legal_moves, play
from burgrave.model.final import final_scoring
from burgrave.model.position import Move, Position
from burgrave.puzzles.games.kinds import HELPED, KINDS, PHASES, kind_of, phase_of
from burgrave.puzzles.games.review import ReviewedTurn, as_reviewed
from tests.late import late

NOTHING = ReviewedTurn(
    number=1,
    player=0,
    played=Move(),
    best=Move(),
    before=0.0,
    luck=0.0,
    gain=0.0,
    after=0.0,
    loss=0.0,
    loss_low=0.0,
    loss_high=0.0,
    win_loss=0.0,
    mark="",
    proved=False,
    missed=(),
)


@cache
def ended_now(position: Position, move: Move) -> int:
    """Return the opponent's points if the game ended after a move."""
    after = play(position, move).position
    return final_scoring(replace(after, order=(), bag=())).scores[1 - position.to_move]


@pytest.mark.long
def test_kinds_follow_from_both_moves() -> None:
    found = set()
    for tiles, seed, step in ((12, 2, 7), (66, 2, 7), (69, 1, 5)):
        position = late("carcassonne", tiles, seed)
        some = [*legal_moves(position)][::step]
        for played, best in product(some, repeat=2):
            kind = kind_of(position, replace(NOTHING, played=played, best=best))
            found.add(kind)
            roles = [[str(one.role) for one in move.followers] for move in (played, best)]
            farmers = ["farmer" in some for some in roles]
            if played == best:
                assert kind is None
            elif farmers[0] != farmers[1]:
                assert kind == "farm"
            elif bool(roles[0]) != bool(roles[1]):
                assert kind == ("follower wasted" if roles[0] else "follower kept")
            else:
                assert kind in {"blocked cell", "helped", "other follower", "place"}
                helped = ended_now(position, played) - ended_now(position, best) >= HELPED
                assert kind == "blocked cell" or (kind == "helped") == helped
                assert kind != "other follower" or roles[0] != roles[1]
    assert found == {None, *KINDS}


def test_a_wall_tile_that_nobody_knows_counts_for_nobody() -> None:
    position = late("castle", 6, 7)
    moves = [as_reviewed(position, move) for move in legal_moves(position)]
    after = [play(position, one).position.players[position.to_move] for one in moves]
    taking = [one for one, own in zip(moves, after, strict=True) if 0 in own.wall_tiles]
    pairs = ((one, best) for one in taking for best in moves[::3])
    found = {kind_of(position, replace(NOTHING, played=one, best=best)) for one, best in pairs}
    assert found & {"helped", "other follower", "place"}


def test_phases_are_thirds_of_the_tiles() -> None:
    phases = [phase_of(late("carcassonne", tiles, 1)) for tiles in (70, 50, 47, 26, 20, 1)]
    assert phases == [*(PHASES[0],) * 2, *(PHASES[1],) * 2, *(PHASES[2],) * 2]
