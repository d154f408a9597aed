"""Searches on the plane against every line through the rules engine, and their bookkeeping."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from puzzles.selfplay.games import new_position
from solver.answers import Status
from solver.budget import Budget
from solver.outlook import Goal, Order, Play, Task
from solver.plane.ending import final_scores
from solver.plane.engine import LedgerEngine, PlaneEngine
from solver.plane.ledger import Entry, Ledger
from solver.plane.page import Option, Page, options
from solver.plane.state import PlaneState
from solver.progress import Reporter
from solver.questions import forced, forced_alone, legal
from solver.states import plane_state
from tests.solver.plane_endings import asked, besieged, ending, some_game
from tests.solver.questioning import able, ask, broken_bound, broken_lines, compare

SIDE_BY_SIDE = 16
"""Bits for the score of a player in the totals of these tests."""


@pytest.mark.parametrize("seed", range(40))
def test_every_line_gives_the_same_answer(seed: int) -> None:
    """Values and first moves are those of the exhaustive engine; early stops tell the truth."""
    rng = random.Random(seed)
    players, tower = 2 + seed // 2 % 2, seed % 2 == 1
    tiles = rng.choice((1, 2)) if players == 2 else 2
    at = ending(seed, tiles, 80, players=players, tower=tower)
    task = asked(at, rng)
    answering = able(task)
    answers = {name: ask(engine, task, Budget()) for name, engine in answering.items()}
    assert {answer.finding.status for answer in answers.values()} == {Status.OPTIMAL}
    results = list(compare(task, answers))
    assert results
    assert not [result for result in results if result.wrong], str(task)
    for name, engine in answering.items():
        assert not list(broken_lines(task, answers[name].finding))
        if name != "exhaustive":
            assert not list(broken_bound(engine, task, answers[name], rng))


@pytest.mark.parametrize("seed", range(100, 106))
def test_looking_up_and_playing_come_to_the_same(seed: int) -> None:
    """On longer endings the two engines on the state agree."""
    rng = random.Random(seed)
    task = replace(asked(ending(seed, 3, 8000), rng), horizon=None)
    answers = {e.name: ask(e, task, Budget()) for e in (LedgerEngine(), PlaneEngine())}
    assert not [result for result in compare(task, answers) if result.wrong], str(task)


@pytest.mark.parametrize("seed", range(4))
def test_of_two_each_plays_for_himself(seed: int) -> None:
    """With towers, guards and prisoners, max^n comes to what best play against each other is."""
    outlook = forced(besieged(seed, 2, 2000), certify=True)
    assert outlook.engine == "maxn"
    assert outlook.confirmed[-1] == "confirmed by a second engine, plane"


@pytest.mark.parametrize("seed", range(4))
def test_without_pieces_one_guard_stands_for_all(seed: int) -> None:
    """Once no tower can be raised the searches look at one guard, and find what every line says."""
    at = besieged(seed, 2, 250)
    players = tuple(replace(state, pieces=0, supply=1 + seed % 2) for state in at.players)
    at = replace(at, players=players)
    task = replace(asked(at, random.Random(seed)), horizon=None)
    answers = {name: ask(engine, task, Budget()) for name, engine in able(task).items()}
    assert {"plane", "exhaustive"} <= {*answers}
    results = list(compare(task, answers))
    assert results
    assert not [result for result in results if result.wrong], str(task)
    state = plane_state(at)
    for kind in {state.board.kind_index[tile] for tile in at.order}:
        few = [turn for turn in state.turns(kind, alike=False) if turn.guard >= 0]
        told = {turn._replace(guard=0) for turn in state.turns(kind) if turn.guard >= 0}
        assert {turn._replace(guard=0) for turn in few} <= told
        assert len(few) == len({turn._replace(guard=0) for turn in few})


@pytest.mark.parametrize("seed", range(3))
def test_nobody_can_take_the_floor_away(seed: int) -> None:
    """Of three each plays for himself: nobody gets less than he has against all the others."""
    at = ending(seed, 2, 400, players=3)
    outlook = forced(at, certify=True)
    assert (outlook.engine, outlook.play) == ("maxn", Play.EACH)
    assert outlook.confirmed[-1] == "confirmed by a second engine, exhaustive"
    assert outlook.floor is not None
    assert outlook.value is not None
    assert outlook.floor <= outlook.value
    alone = Task(
        position=at,
        asker=at.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=Order.GIVEN,
        watch=Budget().start(),
        reporter=Reporter(),
    )
    assert PlaneEngine().solve(alone).value == outlook.floor


@pytest.mark.parametrize("seed", [0, 1, 10])
@pytest.mark.parametrize("alike", [(0, 0, 1), (0, 1, 1), (2, 2, 2)])
def test_tiles_that_are_alike_and_tiles_without_a_place(seed: int, alike: tuple[int, ...]) -> None:
    """Of a bag with equal tiles, or with one that rarely has a place, both engines say the same."""
    rng = random.Random(seed)
    at = ending(seed, 3, 8000)
    players = tuple(replace(state, score=rng.randrange(60)) for state in at.players)
    for bag in (tuple(at.order[index] for index in alike), ("C", *at.order[:2])):
        task = Task(
            position=replace(at, order=(), bag=tuple(sorted(bag)), players=players),
            asker=rng.randrange(2),
            goal=Goal.LEAD,
            play=Play.AGAINST,
            order=Order.CHANCE,
            every=rng.random() < 0.5,
            watch=Budget().start(),
            reporter=Reporter(),
        )
        answers = {e.name: ask(e, task, Budget()) for e in (LedgerEngine(), PlaneEngine())}
        assert not [result for result in compare(task, answers) if result.wrong], str(task)


@pytest.mark.parametrize("seed", [4, 5, 17])
def test_a_solitaire_is_told_as_one_player_plays_it(seed: int) -> None:
    """One player lays all tiles; the other, who has no follower left, places none in the line."""
    at = ending(seed, 2, 400)
    asker = at.to_move
    counts = [sum(f.player == player for f in at.followers) for player in (0, 1)]
    players = [replace(state, supply=0) for state in at.players]
    players[asker] = replace(players[asker], supply=counts[1 - asker] - counts[asker])
    task = Task(
        position=replace(at, players=tuple(players)),
        asker=asker,
        goal=Goal.POINTS,
        play=Play.SOLITAIRE,
        order=Order.GIVEN,
        watch=Budget().start(),
        reporter=Reporter(),
    )
    for engine in (LedgerEngine(), PlaneEngine()):
        finding = engine.solve(task)
        assert finding.first[0].line[1:]
        assert not list(broken_lines(task, finding))


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
    state = plane_state(position)
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


@pytest.mark.parametrize("seed", range(100, 106))
def test_the_best_first_move_is_told_if_it_is_alone(seed: int) -> None:
    """Wherever a search begins, a first move that is alone is proved, and no other is."""
    at = ending(seed, 2, 2000) if seed % 2 else besieged(seed, 2, 2000)
    whole = forced(at)
    moves = [one.move for one in whole.first]
    for likely in ((), (moves[-1],), tuple(legal(at)[:2])):
        found = forced_alone(at, likely)
        alone = found.status is Status.OPTIMAL and found.complete
        assert alone == (len(moves) == 1)
        assert len(found.first) <= 2
        if alone:
            assert (found.value, found.first) == (whole.value, whole.first)
        else:
            assert found.value is not None
            assert whole.value is not None
            assert found.value <= whole.value


@pytest.mark.parametrize("seed", range(100, 104))
def test_so_many_first_moves_are_told_as_are_asked_for(seed: int) -> None:
    """Value and first moves are those of the whole answer, which is not said to be complete."""
    at = ending(seed, 2, 2000) if seed % 2 else besieged(seed, 2, 2000)
    whole, one = forced(at), forced(at, told=1)
    assert (one.value, one.status, one.first) == (whole.value, whole.status, whole.first[:1])
    assert one.complete == (len(whole.first) == 1)
