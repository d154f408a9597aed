"""Turns that are tried first, since they were good elsewhere: they must be legal here."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import play, shape, turns, turns_at, undo
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, TileOrder, pose
from burgrave.solver.search.engine import SearchEngine
from burgrave.solver.search.question import job_of
from tests.late import near_end

PAIRS = 400
"""Turns of another node that are asked for in one position."""


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["castle", "falcon", "carcassonne", "carcassonne+inns+tower"])
def test_a_turn_of_another_node_is_listed_if_it_is_legal_here(name: str, seed: int) -> None:
    """It keeps its shape. If it lays another kind of tile than the drawn one, none is listed."""
    at, rng = near_end(name, 5, seed), random.Random(f"killers {name} {seed}")
    opened = Opened(at)
    s, t = opened.state, opened.tables
    problem = pose(at, Goal.LEAD, Play.AGAINST, TileOrder.GIVEN, None)
    q = job_of(problem, opened, 0)

    def listed(kind: int) -> list[int]:
        return [int(one) for one in q.out[: turns(s, t, kind, False, True, q.out, q.hints, 0)]]

    first, *kinds = (opened.kind(one) for one in at.order)
    likes = [turn for kind in kinds for turn in listed(kind)]
    found = others = 0
    for turn in rng.sample(listed(first), 4):
        play(s, t, turn, False)
        legal = {kind: listed(kind) for kind in kinds}
        for like in rng.choices(likes, k=PAIRS):
            kind = rng.choice(kinds)
            end = turns_at(s, t, kind, like, False, q.out, q.hints, 0)
            here = [int(one) for one in q.out[:end]]
            assert all(one in legal[kind] and shape(s, one) == shape(s, like) for one in here)
            found += end > 0
            others += like not in legal[kind]
        undo(s, t)
    assert found
    assert others


@pytest.mark.slow
@pytest.mark.parametrize("name", ["castle", "carcassonne"])
def test_a_full_table_of_answers_changes_no_expectation(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns of all kinds share the slots of the table, as they do in long searches."""
    at = near_end(name, 4, 1)
    at = replace(at, order=at.order[:1], bag=tuple(sorted((*at.order[1:], *at.bag))))
    problem = replace(pose(at, Goal.LEAD, Play.AGAINST, TileOrder.CHANCE, None), every=True)
    plain = SearchEngine(without=["killers"]).solve(problem, Limits())

    def job(*args: Any) -> Any:
        made = job_of(*args)
        opened = Opened(at)
        likes = [
            int(one)
            for kind in {opened.kind(one) for one in at.bag}
            for one in made.out[
                : turns(opened.state, opened.tables, kind, False, True, made.out, made.hints, 0)
            ]
        ]
        rng = random.Random(1)
        made.answer[:] = [[rng.choice(likes) for _ in row] for row in made.answer]
        return made

    monkeypatch.setattr("burgrave.solver.search.root.job_of", job)
    found = SearchEngine().solve(problem, Limits())
    assert [(one.move, one.value) for one in found.first] == [
        (one.move, one.value) for one in plain.first
    ]
