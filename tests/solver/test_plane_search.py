"""The search on the plane against every line through the rules engine."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.files.positions import read_position
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import forced, game, maximum
from burgrave.solver.result import Status, TooLargeError
from burgrave.solver.search.engine import SearchEngine
from tests.solver.plane_endings import asked, besieged, ending
from tests.solver.questioning import able, ask, broken_bound, broken_lines, compare, engines


@pytest.mark.parametrize("seed", range(40))
def test_every_line_gives_the_same_answer(seed: int) -> None:
    """Values and first moves are those of the exhaustive engine; early stops tell the truth."""
    rng = random.Random(seed)
    players, tower = 2 + seed // 2 % 2, seed % 2 == 1
    tiles = rng.choice((1, 2)) if players == 2 else 2
    at = ending(seed, tiles, 80, players=players, tower=tower)
    problem = asked(at, rng)
    answering = able(problem)
    answers = {name: ask(engine, problem, Limits()) for name, engine in answering.items()}
    assert {answer.result.status for answer in answers.values()} == {Status.OPTIMAL}
    results = list(compare(problem, answers))
    assert results
    assert not [result for result in results if result.wrong], str(problem)
    for name, engine in answering.items():
        assert not list(broken_lines(problem, answers[name].result))
        if name != "exhaustive":
            assert not list(broken_bound(engine, problem, answers[name], rng))


@pytest.mark.parametrize("seed", range(100, 106))
def test_prunings_change_nothing_on_longer_endings(seed: int) -> None:
    """With and without them values and first moves are the same."""
    rng = random.Random(seed)
    problem = replace(asked(ending(seed, 3, 8000), rng), horizon=None)
    answers = {e.name: ask(e, problem, Limits()) for e in (engines()["search"], engines()["plain"])}
    assert not [result for result in compare(problem, answers) if result.wrong], str(problem)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_every_line_gives_the_same_answer_with_inns(seed: int) -> None:
    """Big followers, inns and cathedrals: the search has what the exhaustive engine finds."""
    rng, tower = random.Random(f"inns {seed}"), seed % 2 == 1
    at = ending(seed, 2 - tower, 400, players=2 + seed // 2, tower=tower, inns=True, turns=(2, 8))
    problem = asked(at, rng)
    by_lines = {name: engines()[name] for name in ("exhaustive", "search", "plain")}
    answers = {name: ask(engine, problem, Limits()) for name, engine in by_lines.items()}
    results = list(compare(problem, answers))
    assert results
    assert not [result for result in results if result.wrong], str(problem)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_without_pieces_one_guard_stands_for_all(seed: int) -> None:
    """Once no tower can be raised the search looks at one guard, and find what every line says."""
    at = besieged(seed, 2, 250)
    players = tuple(
        replace(state, supply=1 + seed % 2).with_part(replace(state.part(TowerHoldings), pieces=0))
        for state in at.players
    )
    at = replace(at, players=players)
    problem = replace(asked(at, random.Random(seed)), horizon=None)
    answers = {name: ask(engine, problem, Limits()) for name, engine in able(problem).items()}
    assert {"search", "plain", "exhaustive"} <= {*answers}
    results = list(compare(problem, answers))
    assert results
    assert not [result for result in results if result.wrong], str(problem)


@pytest.mark.parametrize("seed", range(3))
def test_a_short_search_comes_before_the_models(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names one best first move as they do; if it loses patience, they answer."""
    at = besieged(seed, 2, 400, players=2 + seed)
    problem = Problem(
        position=at,
        asker=at.to_move,
        goal=Goal.POINTS,
        play=Play.HELPED,
        order=TileOrder.GIVEN,
    )
    whole = SearchEngine().solve(problem)
    monkeypatch.setattr(game, "FEW", 0)
    monkeypatch.setattr("burgrave.solver.search.question.LINES", 0)
    quick = maximum(at, certify=True)
    assert (quick.engine, quick.value) == ("search", whole.value)
    assert quick.confirmed[-1] == "confirmed by a second engine, time"
    assert {one.move for one in quick.first} <= {one.move for one in whole.first}
    assert quick.complete == (len(whole.first) == len(quick.first) == 1)
    with pytest.raises(TooLargeError):
        SearchEngine(patience=1).solve(problem)
    monkeypatch.setattr("burgrave.solver.search.engine.PATIENCE", 1)
    models = maximum(at, certify=True)
    assert (models.engine, models.value) == ("time", whole.value)
    assert models.confirmed[-1] == "confirmed by a second engine, rank"


@pytest.mark.parametrize("seed", range(3))
def test_nobody_can_take_the_floor_away(seed: int) -> None:
    """Of three each plays for himself: nobody gets less than he has against all the others."""
    at = ending(seed, 2, 400, players=3)
    answer = forced(at, certify=True)
    assert (answer.engine, answer.play) == ("search", Play.EACH)
    assert answer.confirmed[-1] == "confirmed by a second engine, exhaustive"
    assert answer.floor is not None
    assert answer.value is not None
    assert answer.floor <= answer.value
    alone = Problem(
        position=at,
        asker=at.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=TileOrder.GIVEN,
    )
    assert SearchEngine().solve(alone).value == answer.floor


@pytest.mark.parametrize("seed", [0, 1, 10])
@pytest.mark.parametrize("alike", [(0, 0, 1), (0, 1, 1), (2, 2, 2)])
def test_tiles_that_are_alike_and_tiles_without_a_place(seed: int, alike: tuple[int, ...]) -> None:
    """Of a bag with equal tiles, or with one that rarely has a place, prunings change nothing."""
    rng = random.Random(seed)
    at = ending(seed, 3, 8000)
    players = tuple(replace(state, score=rng.randrange(60)) for state in at.players)
    for bag in (tuple(at.order[index] for index in alike), ("C", *at.order[:2])):
        problem = Problem(
            position=replace(at, order=(), bag=tuple(sorted(bag)), players=players),
            asker=rng.randrange(2),
            goal=Goal.LEAD,
            play=Play.AGAINST,
            order=TileOrder.CHANCE,
            every=rng.random() < 0.5,
        )
        answers = {
            e.name: ask(e, problem, Limits()) for e in (engines()["search"], engines()["plain"])
        }
        assert not [result for result in compare(problem, answers) if result.wrong], str(problem)


@pytest.mark.parametrize("seed", [4, 5, 17])
def test_a_solitaire_is_told_as_one_player_plays_it(seed: int) -> None:
    """One player lays all tiles; the other, who has no follower left, places none in the line."""
    at = ending(seed, 2, 400)
    asker = at.to_move
    counts = [sum(f.player == player for f in at.followers) for player in (0, 1)]
    players = [replace(state, supply=0) for state in at.players]
    players[asker] = replace(players[asker], supply=counts[1 - asker] - counts[asker])
    problem = Problem(
        position=replace(at, players=tuple(players)),
        asker=asker,
        goal=Goal.POINTS,
        play=Play.SOLITAIRE,
        order=TileOrder.GIVEN,
    )
    for engine in (engines()["search"], engines()["plain"]):
        result = engine.solve(problem)
        assert result.first[0].line[1:]
        assert not list(broken_lines(problem, result))


@pytest.mark.parametrize("seed", range(100, 104))
def test_so_many_first_moves_are_told_as_are_asked_for(seed: int) -> None:
    """Value and first moves are those of the whole answer, which is not said to be complete."""
    at = ending(seed, 2, 2000) if seed % 2 else besieged(seed, 2, 2000)
    whole, one = forced(at), forced(at, told=1)
    assert (one.value, one.status, one.first) == (whole.value, whole.status, whole.first[:1])
    assert one.complete == (len(whole.first) == 1)


ROUND_A_ROAD = """
burgrave = 1
type = "position"
game = "carcassonne"
to_move = "red"
board = [
    "E@0,1r1 red:farmer.N", "R@1,1r2", "D@1,0r0", "A@2,0r1", "D@-1,0r2", "N@-1,-1r1",
    "E@0,-1r3", "B@-1,1r0",
]
order = ["U", "U"]
"""
"""A road on the empty cell 0,0 parts two fields that meet round its end."""


@pytest.mark.parametrize("play", [Play.HELPED, Play.SOLITAIRE])
def test_segments_of_the_last_tile_may_meet_round_the_board(play: Play) -> None:
    """The farmer north of the road has the complete city in the south too, by another field."""
    problem = Problem(
        position=read_position("by hand", ROUND_A_ROAD),
        asker=0,
        goal=Goal.POINTS,
        play=play,
        order=TileOrder.GIVEN,
    )
    answers = {e.name: ask(e, problem, Limits()) for e in (engines()["search"], engines()["plain"])}
    assert answers["search"].result.complete
    assert [one for one in compare(problem, answers) if one.what == "moves"]
    assert not [one for one in compare(problem, answers) if one.wrong]
