"""Keys of positions: two positions of a search share one just if they are the same."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace

import pytest

from burgrave.model.draws import draws
from burgrave.model.engine import play
from burgrave.model.position import Position
from burgrave.solver.kernel.chance import set_key
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import play as lay
from burgrave.solver.kernel.game import turns, undo
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.search.question import job_of
from tests.late import near_end

pytestmark = pytest.mark.slow
LINES = 60
AGAIN = 0.8
"""Share of turns that an earlier line had too, so that lines meet."""


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["castle", "falcon", "carcassonne", "carcassonne+inns+tower"])
def test_a_key_belongs_to_one_position(name: str, seed: int) -> None:
    """After lines that lay the tiles of a bag in several orders."""
    at, rng = near_end(name, 5, seed), random.Random(f"{name} {seed}")
    at = replace(at, order=(), bag=tuple(sorted((*at.order, *at.bag))))
    opened = Opened(at)
    problem = Problem(
        position=at,
        asker=at.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=TileOrder.CHANCE,
    )
    q = job_of(problem, opened, 0)
    positions: defaultdict[tuple[int, int], set[Position]] = defaultdict(set)
    played: set[int] = set()
    lines: defaultdict[tuple[int, int], set[tuple[str, ...]]] = defaultdict(set)
    for _ in range(LINES):
        line, here = [], at
        for draw in rng.sample(sorted(at.bag), 4):
            if all(one.tile != draw or one.discards for one in draws(here)):
                break
            kind = opened.kind(draw)
            end = turns(opened.state, opened.tables, kind, False, True, q.out, q.hints, 0)
            listed = [int(turn) for turn in q.out[:end]]
            again = [turn for turn in listed if turn in played]
            turn = rng.choice(again if again and rng.random() < AGAIN else listed)
            played.add(turn)
            here = play(here, opened.move(opened.state, turn, ())).position
            lay(opened.state, opened.tables, turn, False)
            line.append(draw)
            q.bag[kind] -= 1
            set_key(opened.state, opened.tables, q, 1)
            key = int(q.key[0]), int(q.key[1])
            positions[key].add(replace(here, discarded=()))
            lines[key].add(tuple(line))
        for draw in line:
            undo(opened.state, opened.tables)
            q.bag[opened.kind(draw)] += 1
    assert all(len(same) == 1 for same in positions.values())
    assert len(set.union(*positions.values())) == len(positions)
    assert any(len(orders) > 1 for orders in lines.values())
