"""Values of switches that few engines know: the others refuse them by name, these agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from burgrave.model.components import Rank
from burgrave.model.draws import draws
from burgrave.model.engine import legal_moves
from burgrave.model.errors import QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.position import Position
from burgrave.model.registry import CASTLE, GAMES
from burgrave.model.rules.index import SWITCHES
from burgrave.model.tiles import Kind
from burgrave.puzzles.games.levels import LEVELS, answer
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.cpsat.base.instance import survey
from burgrave.solver.engines import ENGINES, GAME_ENGINES, ONLY_BY, plays, unknown
from burgrave.solver.limits import Limits
from burgrave.solver.problem import DECIDED_BY_OTHERS, Goal, Play, Problem, TileOrder, Wish
from burgrave.solver.questions import (
    ahead,
    at_sight,
    best,
    best_lines,
    choose,
    continuations,
    evaluate,
    expected,
    forced,
    inflicted,
    legal,
    maximum,
    turn_problem,
    why_not,
    why_out_of_reach,
    winning,
)
from burgrave.solver.questions.partial_answer import solved
from burgrave.solver.search.by_rules import ExhaustiveEngine
from burgrave.solver.search.engine import SearchEngine
from burgrave.solver.search.turns import ReferenceEngine
from burgrave.solver.simulation import simulation
from tests import planes
from tests.solver.brute import BruteEngine
from tests.strategies import falcon_hall_game, falcon_opening, named, walk

VALUES = sorted(ONLY_BY)
each_value = pytest.mark.parametrize(("name", "value"), VALUES)
ANSWERED = sorted({*VALUES} - DECIDED_BY_OTHERS)
"""The values by which questions that choose among turns have an answer."""
each_answered = pytest.mark.parametrize(("name", "value"), ANSWERED)


def usual(name: str) -> Game:
    """Return the smallest game that has a switch."""
    return next(g for g in map(shipped_game, GAMES) if name in {s.name for s, _ in g.switches})


def game_with(name: str, value: str) -> Game:
    """Return the smallest game that has a switch, with a value of it."""
    return usual(name).with_switches({name: value})


def last_turn(game: Game) -> Position:
    """Return the beginning of a game of which one tile is to come."""
    position = new_position(game, Random(5))
    return replace(position, order=position.order[:1])


@each_value
def test_the_table_names_values_that_there_are(name: str, value: str) -> None:
    """Other values than the default of switches of some game, with engines that there are."""
    switch = next(switch for switch in SWITCHES if switch.name == name)
    assert value in switch.values[1:]
    known = {*ENGINES, *GAME_ENGINES}
    least = {"reference", "exhaustive"} if (name, value) in ANSWERED else {"reference"}
    assert least <= ONLY_BY[name, value] <= known


@each_value
def test_an_engine_that_does_not_know_a_value_refuses_it_by_name(name: str, value: str) -> None:
    """Asked by name, and by whatever its answers are made from; the default it knows."""
    game = game_with(name, value)
    position = last_turn(game)
    wanted = f"{name} = {value}"
    foreign = {*ENGINES, *GAME_ENGINES} - ONLY_BY[name, value]
    for engine in foreign:
        assert unknown(engine, game) == (wanted,)
        assert not plays(engine, game)
        assert plays(engine, usual(name))
        for question in (legal, best) if engine in ENGINES else (forced,):
            with pytest.raises(QuestionError, match=wanted):
                question(position, engine=engine)
    assert "cpsat" in foreign
    builds = [lambda: survey(position, 1)]
    builds += [lambda: simulation(position)] if "state" in foreign else []
    for build in builds:
        with pytest.raises(QuestionError, match=wanted):
            build()


@pytest.mark.every_case
@pytest.mark.parametrize(("name", "value"), sorted(DECIDED_BY_OTHERS))
def test_nothing_is_chosen_where_another_player_decides_within_the_turn(
    name: str, value: str
) -> None:
    """Every question that chooses among turns is refused by name; turns are listed and counted."""
    position = last_turn(game_with(name, value))
    usually = turn_problem(last_turn(usual(name)), None)
    choosing: list[Callable[[Position], object]] = [
        best,
        maximum,
        forced,
        expected,
        winning,
        inflicted,
        partial(ahead, tiles=1),
        best_lines,
        evaluate,
        at_sight,
        partial(choose, playouts=9),
        partial(answer, level=LEVELS[1]),
        simulation,
        lambda at: replace(usually, position=at),
        lambda at: why_not(at, Wish(cell=Cell(0, 1))),
        lambda at: why_out_of_reach(at, 99),
    ]
    for question in choosing:
        with pytest.raises(QuestionError, match=f"{name} = {value}"):
            question(position)
    for engine in (*ENGINES, *GAME_ENGINES):
        question = best if engine in ENGINES else forced
        with pytest.raises(QuestionError, match=f"{name} = {value}"):
            question(position, engine=engine)
    turns = legal(position)
    assert turns == tuple(legal_moves(position))
    assert continuations(position).lines == len(turns)


@each_answered
def test_a_refusal_names_the_engines_that_can_be_chosen_instead(name: str, value: str) -> None:
    """Of one turn those of one turn, of the rest of a game those that answer the question."""
    position = last_turn(game_with(name, value))
    knows = {engine for engine in (*ENGINES, *GAME_ENGINES) if plays(engine, position.game)}
    helped = {"search", "exhaustive"} & knows
    most = partial(maximum, asker=0)
    for question, engine, instead in (
        (best, "cpsat", knows & {*ENGINES}),
        (most, "time", helped),
        (most, "rank", helped),
    ):
        with pytest.raises(QuestionError) as refused:
            question(position, engine=engine)
        said = str(refused.value)
        assert said.startswith(f"the engine {engine} does not know {name} = {value}; ")
        told = said.partition("; ")[2].removesuffix(" do").removesuffix(" does")
        assert {*told.split(", ")} == instead


@each_answered
def test_reasons_name_no_engine_since_none_can_be_chosen(name: str, value: str) -> None:
    """They come from the constraint model alone, of a turn, a feature and a score."""
    position = last_turn(game_with(name, value))
    wanted = f"reasons come from the constraint model, which does not know {name} = {value}$"
    with pytest.raises(QuestionError, match=wanted):
        why_not(position, Wish(cell=Cell(0, 1)))
    with pytest.raises(QuestionError, match=wanted):
        why_out_of_reach(named(position), 99)


@each_answered
def test_who_asks_for_no_engine_gets_one_that_knows_the_value(name: str, value: str) -> None:
    """The rules engine answers for a turn; the rest of a game is searched or tried whole."""
    position = last_turn(game_with(name, value))
    on_kernel = "search" in ONLY_BY[name, value]
    assert best(position).engine == "reference"
    assert legal(position) == tuple(legal_moves(position))
    assert forced(position).engine == ("search" if on_kernel else "alphabeta")


@pytest.mark.parametrize(("name", "value"), [one for one in ANSWERED if "search" in ONLY_BY[one]])
@pytest.mark.parametrize("seed", range(8))
def test_the_kernel_plays_by_the_values_that_it_knows(name: str, value: str, seed: int) -> None:
    """The value of each last move is that of the rules engine."""
    position = named(late(name, value, Random(seed)))
    at = replace(position, order=position.order[:1], bag=())
    for play in (Play.HELPED, Play.AGAINST):
        problem = Problem(
            position=at,
            asker=at.to_move,
            goal=Goal.LEAD,
            play=play,
            order=TileOrder.CHANCE,
            every=True,
        )
        said = [(one.move, one.value) for one in SearchEngine().solve(problem).first]
        assert said == [(one.move, one.value) for one in ExhaustiveEngine().solve(problem).first]


def late(name: str, value: str, rng: Random) -> Position:
    """Return a position some turns into a random game.

    A castle is a small hall with king, falconer or chapel in it.
    """
    if (game := game_with(name, value)).base != CASTLE:
        begun = new_position(game, rng)
        return [step.played.position for step in planes.walk(begun, rng, 12)][-1]
    game = falcon_hall_game(rng, {name: value}, (3, 3))
    while True:
        position = falcon_opening(game, rng, tiles=7)
        for step in walk(position, rng, rng.randint(2, 5)):
            position = position if step.played.position.over else step.played.position
        ranks = {follower.rank for follower in position.followers} - {Rank.FOLLOWER}
        chapels = any(s.kind is Kind.CHAPEL for t in position.tiles for s in t.kind.segments)
        if position.order and (chapels if name == "chapel_completion" else ranks):
            return position


@pytest.mark.parametrize(
    ("name", "value"), [one for one in ANSWERED if usual(one[0]).base == CASTLE]
)
@pytest.mark.parametrize("seed", range(2))
def test_brute_force_and_the_rules_engine_agree(name: str, value: str, seed: int) -> None:
    """Every legal move is the same by both, with its points."""
    position = late(name, value, Random(seed))
    brute, reference = BruteEngine(), ReferenceEngine()
    for draw in draws(position):
        problem = turn_problem(position, draw)
        assert set(brute.moves(problem) or ()) == set(reference.moves(problem) or ())


@each_answered
@pytest.mark.parametrize("seed", range(3))
def test_limits_hold_for_values_that_few_engines_know(name: str, value: str, seed: int) -> None:
    """What a player can have lies between the limits that a stopped search tells."""
    position = late(name, value, Random(seed))
    at = replace(position, order=position.order[:1], bag=())
    for asker in (0, 1):
        problem = Problem(
            position=at,
            asker=asker,
            goal=Goal.LEAD,
            play=Play.HELPED,
            order=TileOrder.GIVEN,
        )
        found = ExhaustiveEngine().solve(problem).value
        told = solved(ExhaustiveEngine(), problem, Limits(nodes=0))
        assert found is not None
        assert told.least is not None
        assert told.most is not None
        assert told.least <= found <= told.most
