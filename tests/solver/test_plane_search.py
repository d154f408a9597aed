"""Searches on the plane against every line through the rules engine, and their bookkeeping."""

from __future__ import annotations

import random

import pytest

from puzzles.selfplay import new_position
from solver.answers import Status
from solver.budget import Budget
from solver.outlook import Play
from solver.plane.ending import final_scores
from solver.plane.engine import LedgerEngine
from solver.plane.ledger import Entry, Ledger
from solver.plane.page import Option, Page, options
from solver.plane.state import PlaneState
from solver.search.exhaustive import ExhaustiveEngine
from tests.solver.plane_endings import asked, ending, some_game
from tests.solver.questioning import ask, broken_bound, broken_lines, compare

SIDE_BY_SIDE = 16
"""Bits for the score of a player in the totals of these tests."""


@pytest.mark.parametrize("seed", range(24))
def test_every_line_gives_the_same_answer(seed: int) -> None:
    """Values and first moves are those of the exhaustive engine; early stops tell the truth."""
    rng = random.Random(seed)
    tiles = rng.choice((1, 1, 2))
    task = asked(ending(seed, tiles, 160, players=rng.choice((2, 2, 3))), rng)
    if task.play is Play.AGAINST and len(task.position.players) > 2:
        return
    engine = LedgerEngine()
    assert engine.covers(task)
    answers = {e.name: ask(e, task, Budget()) for e in (ExhaustiveEngine(), engine)}
    assert {answer.finding.status for answer in answers.values()} == {Status.OPTIMAL}
    results = list(compare(task, answers))
    assert results
    assert not [result for result in results if result.wrong], str(task)
    finding = answers[engine.name].finding
    assert not list(broken_lines(task, finding))
    assert not list(broken_bound(engine, task, answers[engine.name], rng))


def told(entries: list[Entry]) -> object:
    """Return what entries say, in an order that does not depend on how they were made."""
    return sorted(
        (e.cell, e.rotation, e.change, [(c.segments, c.change) for c in e.claims]) for e in entries
    )


def packed(state: PlaneState) -> int:
    """Return the totals of all players, were the game over, as one number."""
    return sum(score << SIDE_BY_SIDE * player for player, score in enumerate(final_scores(state)))


@pytest.mark.parametrize("seed", range(12))
def test_the_ledger_says_what_playing_on_comes_to(seed: int) -> None:
    """Four turns deep, entries taken over from page to page equal new ones and final scoring."""
    rng = random.Random(seed)
    game = some_game(rng, rng.randint(2, 4), tower=False)
    position = new_position(game, rng)
    state = PlaneState(position)
    for tile in position.order[: rng.randint(8, 60)]:
        if turns := state.turns(state.board.kind_index[tile]):
            state.play(rng.choice(turns))
    ledger = Ledger(state, [1 << SIDE_BY_SIDE * player for player in range(state.players)])
    kinds = rng.sample(range(len(game.tile_set.kinds)), 2)
    page, total = Page(ledger), ledger.total()
    assert total == packed(state)
    for _ in range(4):
        mover = state.turn[0]
        tables = {(k, p): page.table(k, p) for k in kinds for p in range(state.players)}
        chosen = rng.choice(kinds)
        able = state.supply[mover] > 0
        found = [o for entry in tables[chosen, mover] for o in options(entry, able=able)]
        if not found:
            return
        made: Option = rng.choice(found)
        state.play(made.turn(chosen))
        total += made.change
        assert total == packed(state)
        page, new = Page(ledger, page, made), Page(ledger)
        for kind in kinds:
            for player in range(state.players):
                best = page.best(kind, player, highest=True, enough=None)
                other = new.best(kind, player, highest=True, enough=None)
                assert (best and best.change) == (other and other.change)
                assert told(page.table(kind, player)) == told(new.table(kind, player))
