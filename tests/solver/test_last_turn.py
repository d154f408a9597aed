"""The best last turn, from facts about single cells, is that of all turns played."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from solver import state as board
from solver.final_value import final_scores
from solver.game_state import GameState
from solver.search import last_turn, looks
from solver.search.last_turn import LastTurns
from solver.search.situation import FACE_DOWN, LEAD, FaceDownError, Measure, measured
from tests.solver.endings import ending

FAR = 1 << 20


def ends(state: GameState, kind: int, measure: Measure) -> list[int]:
    """Return what the end is worth after each last turn with a tile, all of them played."""
    found = []
    for turn in state.turns(kind, last=True):
        mark = state.mark()
        state.play(turn, last=True)
        found.append(measured(final_scores(state), measure))
        state.undo(mark)
    return found


def compare(last: LastTurns, kind: int, rng: random.Random) -> None:
    """Compare the best last turn for either player, and where less is enough."""
    found = ends(last.state, kind, last.measure)
    up = last.state.turn[0] == 0
    best = max(found, default=None) if up else min(found, default=None)
    takes = [t for turn in last.state.turns(kind, last=True) for t, _ in turn.plan.takes]
    if any(last.state.towers[tower] == FACE_DOWN for tower in takes):
        with pytest.raises(FaceDownError):
            last.best(kind, -FAR, FAR)
        return
    assert last.best(kind, -FAR, FAR) == best
    if best is not None:
        low = best + rng.choice((-2, -1, 0, 1))
        high = low + rng.choice((1, 2, 9))
        inside = last.best(kind, low, high)
        assert inside is not None
        assert max(low, min(high, inside)) == max(low, min(high, best))


@pytest.mark.parametrize("seed", range(1, 41))
def test_facts_agree_with_play(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As turns are played and taken back, with what is known of cells kept, or soon forgotten."""
    if seed % 3 == 0:
        monkeypatch.setattr(looks, "MOST", 5)
        monkeypatch.setattr(last_turn, "MOST", 3)
        monkeypatch.setattr(board, "AREAS", 3)
    rng = random.Random(seed)
    at = ending(seed, 120)
    if rng.random() < 0.3:
        at = replace(at, towers=tuple((name, FACE_DOWN) for name, _ in at.towers))
    state = GameState(at)
    last = LastTurns(state, (True, False), rng.choice((LEAD, LEAD, (1, 0), (0, 1))))
    if not last.able:
        return
    kinds = sorted({state.board.kind_index[tile] for tile in at.order})
    for _ in range(2):
        compare(last, rng.choice(kinds), rng)
        mark = state.mark()
        for kind in rng.sample(kinds, len(kinds)):
            if turns := state.turns(kind, last=False):
                turn, mover = rng.choice(turns), state.turn[0]
                state.play(turn, last=False)
                last.looks.step(turn, mover, state.board.disturbed)
                compare(last, rng.choice(kinds), rng)
        state.undo(mark)
        compare(last, rng.choice(kinds), rng)
