"""All turns to come of Carcassonne as one model, against every line and against the search."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from burgrave.model.components import Follower, Node, Role
from burgrave.model.position import Position
from burgrave.model.tiles import Kind
from burgrave.solver.cpsat.engine import rank_engine, time_engine
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import maximum
from burgrave.solver.result import Status
from burgrave.solver.search.by_rules import ExhaustiveEngine
from burgrave.solver.search.engine import SearchEngine
from tests.solver.plane_endings import ending

MODELS = (time_engine(), rank_engine())


def problem_of(at: Position, seed: int) -> Problem:
    """Return one of the questions that the models answer."""
    rng = random.Random(seed)
    return Problem(
        position=at,
        asker=rng.randrange(len(at.players)),
        goal=rng.choice((Goal.POINTS, Goal.LEAD)),
        play=rng.choice((Play.HELPED, Play.SOLITAIRE)),
        order=TileOrder.GIVEN,
    )


def farmed(seed: int, tiles: int, tie: str) -> Position:
    """Return an ending with many farmers whose farms pay once a city."""
    rng = random.Random(seed)
    at = ending(seed, tiles, 30_000, players=2 + seed % 3, turns=(25, 35))
    taken = {follower.node for follower in at.followers}
    nodes = [
        Node(tile.cell, index)
        for tile in at.tiles
        for index, segment in enumerate(tile.kind.segments)
        if segment.kind is Kind.FIELD and Node(tile.cell, index) not in taken
    ]
    # The kernel has room for 8 followers of a player, one more than the game gives him.
    supply = [
        7 - sum(one.player == number for one in at.followers) for number in range(len(at.players))
    ]
    more = []
    for node in nodes:
        able = [player for player, left in enumerate(supply) if left]
        if able and rng.random() < 0.7:
            player = rng.choice(able)
            supply[player] -= 1
            more.append(Follower(node, player, Role.FARMER))
    players = tuple(
        replace(player, supply=left) for player, left in zip(at.players, supply, strict=True)
    )
    ways = {"farms": "field3_once", "field3_once_scope": "city", "tie": tie}
    game = at.game.with_switches(ways)
    followers = tuple(sorted([*at.followers, *more]))
    return replace(at, game=game, players=players, followers=followers)


def values(problem: Problem, *engines: object) -> set[tuple[Status, object]]:
    """Return what engines come to, each of which must answer the problem."""
    found = set()
    for engine in engines:
        assert engine.answers(problem)  # type: ignore[attr-defined]
        result = engine.solve(problem)  # type: ignore[attr-defined]
        found.add((result.status, result.value))
    return found


@pytest.mark.parametrize("seed", range(9))
def test_one_tile_is_worth_what_every_line_says(seed: int) -> None:
    """The last tile, by the rules engine and by both models, for 2 to 4 players."""
    at = ending(seed, 1, 400, players=2 + seed % 3)
    assert len(values(problem_of(at, seed), ExhaustiveEngine(), *MODELS)) == 1


@pytest.mark.parametrize("seed", range(200, 212))
def test_several_tiles_are_worth_what_the_search_says(seed: int) -> None:
    """2 and 3 tiles, random switches: joined features, returns, ties, all ways of farming."""
    at = ending(seed, 2 + seed % 2, 30_000, players=2 + seed % 3)
    problem = problem_of(at, seed)
    found = values(problem, SearchEngine(), *MODELS)
    assert len(found) == 1, str(problem)
    assert found.pop()[0] is Status.OPTIMAL


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("number", "tie", "farms"),
    [(422, "all_full", "field3_once"), (424, "none", "field3_once"), (422, "all_full", "city4")],
)
def test_the_strongest_field_takes_a_city(number: int, tie: str, farms: str) -> None:
    """The last tile, where several fields with farmers are at one city that pays once."""
    at = farmed(number, 1, tie)
    at = replace(at, game=at.game.with_switches({"farms": farms}))
    problem = replace(problem_of(at, number), goal=Goal.LEAD)
    assert len(values(problem, SearchEngine(), *MODELS)) == 1


@pytest.mark.long
@pytest.mark.slow
def test_farms_paid_once_a_city_by_the_number_of_farmers() -> None:
    """The strongest field at a city takes it; that a city pays once a player is worth another."""
    differs = 0
    for seed, tie in product((412, 413, 415), ("all_full", "none")):
        at = farmed(seed, 1 + seed % 2, tie)
        problem = replace(problem_of(at, seed), goal=Goal.LEAD)
        once = values(problem, SearchEngine(), *MODELS)
        assert len(once) == 1, str(problem)
        each = at.game.with_switches({"field3_once_scope": "player"})
        differs += once != values(replace(problem, position=replace(at, game=each)), SearchEngine())
    assert differs > 1


def test_a_maximum_of_few_lines_is_searched_and_confirmed_by_a_model() -> None:
    """The line that it shows was replayed, and a model comes to the same."""
    at = ending(0, 3, 30_000)
    answer = maximum(at, certify=True)
    assert (answer.engine, answer.status) == ("search", Status.OPTIMAL)
    assert len(answer.line) <= len(at.order)
    assert answer.scores is not None
    assert answer.scores[at.to_move] == answer.value
    assert answer.confirmed[-1] == "confirmed by a second engine, time"


@pytest.mark.parametrize("goal", [Goal.POINTS, Goal.LEAD])
def test_a_study_of_one_player(goal: Goal) -> None:
    """Nobody else is there to be led over: both goals are his points."""
    at = ending(2, 1, 400)
    alone = replace(
        at,
        game=replace(at.game, players=at.game.players[:1]),
        players=at.players[:1],
        followers=tuple(one for one in at.followers if one.player == 0),
        to_move=0,
    )
    problem = replace(problem_of(alone, 2), asker=0, goal=goal)
    found = values(problem, ExhaustiveEngine(), *MODELS)
    assert found == values(replace(problem, goal=Goal.POINTS), MODELS[0])


@pytest.mark.parametrize("seed", [300, 302, 303])
def test_the_best_order_of_a_bag(seed: int) -> None:
    """Where the order may be chosen the search comes to the same, and one line is shown."""
    at = ending(seed, 2, 2_000)
    bag = replace(at, order=(), bag=tuple(sorted(at.order)))
    problem = replace(problem_of(bag, seed), order=TileOrder.CHOOSE)
    assert len(values(problem, SearchEngine(), *MODELS)) == 1
    answer = maximum(bag, order=TileOrder.CHOOSE, engine="time")
    assert answer.status is Status.OPTIMAL
