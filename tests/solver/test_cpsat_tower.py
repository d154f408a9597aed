"""All turns to come of The Tower as one model, against random lines, every line and the search.

Towers, prisoners and ransoms seldom change the best value, so that comparing best values says
little about them. So the model is fixed to random lines, and must find their end. And lines of the
model by random objectives must be legal, with the model's end.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from burgrave.model.components import Follower, Node, Role
from burgrave.model.engine import legal_moves, play
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.expansions.tower.prisoners import choices, paid
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.geometry import Cell
from burgrave.model.position import Capture, Move, PlayerState, Position
from burgrave.model.stage import Stage
from burgrave.model.tiles import Kind, PlacedTile
from burgrave.solver.cpsat.base.cp import Literal, holding, maximise, weighted
from burgrave.solver.cpsat.base.features import Model
from burgrave.solver.cpsat.engine import play_model, rank_engine, time_engine
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import maximum
from burgrave.solver.result import Status
from burgrave.solver.search.by_rules import ExhaustiveEngine
from burgrave.solver.search.engine import SearchEngine
from tests.corpus import endings
from tests.solver.plane_endings import besieged, marked
from tests.solver.test_cpsat_plane import problem_of, values

MODELS = (time_engine(), rank_engine())
RECORDED = Path(__file__).parent.parent / "data" / "corpus" / "base_tower.jsonl.gz"
Key = tuple[object, ...]
"""The decision of a variable, and its place."""


def decisions(model: Model) -> dict[Key, Literal]:
    """Return all variables that a play decides."""
    table = model.play.table
    found: dict[Key, Literal] = {
        ("lies", tile, spot): literal
        for tile, x in enumerate(table.placement.x)
        for spot, literal in x.items()
    }
    found |= {("stands", part): literal for part, literal in table.on.items()}
    found |= {("ranked", tile, rank): literal for (tile, rank), literal in table.ranks.items()}
    named = {
        "piece": table.pieces,
        "guard": table.guards,
        "take": table.takes,
        "back": table.backs,
    }
    for name, turns in named.items():
        for turn, literals in enumerate(turns):
            found |= {(name, turn, key): literal for key, literal in literals.items()}
    for turn, deals in enumerate(model.play.deals):
        for (mover, ransom), literal in deals.items():
            found["late" if ransom.late else "early", turn, (mover, ransom)] = literal
    return found


def decided(model: Model, line: list[Move]) -> Iterator[Key]:
    """Yield what the moves of a line decide."""
    table, instance = model.play.table, model.play.table.instance
    standing: dict[object, int] = {
        follower.node: unit for unit, follower in enumerate(instance.position.followers)
    }
    standing |= {(cell, None): unit for cell, unit in table.guarded.items()}
    laid: dict[Cell, int] = {}
    at, tile = instance.position, 0
    for move in line:
        tile += len(move.discards)
        turn = tile if move.tile is not None else tile - 1
        if move.cell is not None:
            laid[move.cell] = tile
            yield "lies", tile, (move.cell, move.rotation)
        for one in move.followers:
            standing[one.cell, one.segment] = table.unit(tile)
            yield "stands", instance.new_of(tile)[one.segment].number
        for one in (*move.followers, *move.guards):
            yield from (("ranked", turn, one.rank) for rank in at.game.specials if one.rank is rank)
        for taken in move.captures:
            yield "take", turn, standing.pop(taken[:2])
            early = [ransom for ransom in move.ransoms if not ransom.late]
            home = choices(Stage(position=paid(at, early), placement=None), taken)
            if home and table.backs[turn]:
                yield "back", turn, taken.back or home[0]
        for cell in move.pieces:
            yield "piece", turn, laid.get(cell, cell)
        for cell, _ in move.guards:
            standing[cell, None] = table.unit(turn)
            yield "guard", turn, laid.get(cell, cell)
        for ransom in move.ransoms:
            yield "late" if ransom.late else "early", turn, (at.to_move, ransom)
        tile += move.tile is not None
        at = play(at, move).position


def kinds(move: Move) -> Iterator[str]:
    """Yield the kinds of actions in a move."""
    yield from ("piece" for _ in move.pieces)
    yield from ("guard" for _ in move.guards)
    yield from ("guard taken" if one.segment is None else "taken" for one in move.captures)
    yield from ("choice" for one in move.captures if one.back is not None)
    yield from ("late ransom" if one.late else "ransom" for one in move.ransoms)
    yield from ("discard" for _ in move.discards)
    yield from ("no tile",) if move.tile is None else ()


def random_line(at: Position, rng: random.Random) -> tuple[list[Move], Position]:
    """Return a random line to the end, with much that is rare, and its end."""
    line: list[Move] = []
    while not at.over:
        by_kind: dict[tuple[str, ...], list[Move]] = {}
        for move in legal_moves(at):
            by_kind.setdefault(tuple(kinds(move)), []).append(move)
        line.append(rng.choice(by_kind[rng.choice(sorted(by_kind))]))
        at = play(at, line[-1]).position
    return line, at


def points_of(at: Position, seed: int) -> Problem:
    """Return a question about a player's points, which the model adds up exactly."""
    return replace(problem_of(at, seed), goal=Goal.POINTS, play=Play.HELPED)


@pytest.mark.long
@pytest.mark.parametrize("inns", [False, True])
def test_every_line_is_a_play_of_the_model(*, inns: bool) -> None:
    """Random lines to the end: the model knows each, and its score."""
    met: Counter[str] = Counter()
    for seed in (3, 5, 10, 20, 23, 37, 50, 59):
        at = besieged(seed, 1 + seed % 3, 4000, players=2 + seed % 4, inns=inns)
        rng = random.Random(seed)
        problem = points_of(at, seed)
        model = play_model(problem, MODELS[seed % 2].encoding)
        variables = decisions(model)
        for _ in range(4):
            line, end = random_line(at, rng)
            met.update(kind for move in line for kind in kinds(move))
            keys = set(decided(model, line))
            assert keys <= variables.keys(), f"{seed}: {line}"
            fixed = [one if key in keys else ~one for key, one in variables.items()]
            fixed_model = holding(model.logic.model, fixed)
            found = maximise(fixed_model, model.value, lambda _: None, Limits().start())
            assert found.value == final_scoring(end).scores[problem.asker], f"{seed}: {line}"
    rare = {"piece", "guard", "taken", "guard taken", "ransom", "late ransom", "discard"}
    assert met.keys() >= {*rare, "no tile"} or inns


@pytest.mark.long
def test_every_play_of_the_model_is_a_line() -> None:
    """What random wishes lead to is legal, and scores what the model says."""
    met: Counter[str] = Counter()
    for seed in range(100, 116):
        at = besieged(seed, 1 + seed % 3, 4000, players=2 + seed % 4)
        rng = random.Random(seed)
        problem = points_of(at, seed)
        model = play_model(problem, MODELS[seed % 2].encoding)
        wished = ("guard", "take", "early", "late", "stands")
        for _ in range(3):
            wish = rng.choice(wished)
            value = weighted(
                (rng.randint(-3, 30 if key[0] == wish else 8), literal)
                for key, literal in decisions(model).items()
            )
            found = maximise(
                model.logic.model,
                value,
                lambda reading: (model.read(reading), reading(model.value)),  # noqa: B023 -- called at once
                Limits().start(),
            )
            assert found.row is not None
            plan, worth = found.row
            line, ended = model.replay(problem, plan)
            met.update(kind for move in line for kind in kinds(move))
            assert worth == ended, f"{seed}: {line}"
    assert met.keys() >= {"piece", "guard", "taken", "guard taken", "ransom", "late ransom"}


@pytest.mark.parametrize("seed", range(200, 206))
def test_one_tile_is_worth_what_every_line_says(seed: int) -> None:
    """The last tile among towers, by the rules engine, the search and both models."""
    at = besieged(seed, 1, 100, players=2 + seed % 3)
    assert len(values(problem_of(at, seed), ExhaustiveEngine(), SearchEngine(), *MODELS)) == 1


@pytest.mark.parametrize("seed", [300, 301, 302, 304, 306, 307, 308, 310, 311])
def test_several_tiles_are_worth_what_the_search_says(seed: int) -> None:
    """2 and 3 tiles, 2 to 4 players, random switches."""
    at = besieged(seed, 2 + seed % 2, 1200, players=2 + seed % 3)
    found = values(problem_of(at, seed), SearchEngine(), *MODELS)
    assert len(found) == 1, str(problem_of(at, seed))
    assert found.pop()[0] is Status.OPTIMAL


@pytest.mark.parametrize("tower", [False, True])
@pytest.mark.parametrize("seed", range(400, 408))
def test_inns_and_big_followers_are_worth_what_every_line_says(seed: int, *, tower: bool) -> None:
    """Marks that come and go, followers with weights, for 2 to 6 players."""
    at = marked(seed, 1 + seed % 2, 200, players=2 + seed % 5, tower=tower)
    assert len(values(problem_of(at, seed), ExhaustiveEngine(), *MODELS)) == 1


def test_who_is_taken_leaves_his_feature_free() -> None:
    """Blue's knight is taken, and red's own one completes the city in the next turn."""
    game = shipped_game("carcassonne+tower")
    game = game.with_switches({"farmers": "off", "small_city": "4"})
    kind = game.tile_set.kind("TW01")
    city = next(i for i, one in enumerate(kind.segments) if one.kind is Kind.CITY)
    at = Position(
        game=game,
        tiles=(PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0),),
        followers=(Follower(Node(Cell(0, 0), city), 1, Role.KNIGHT),),
        players=(PlayerState(supply=1).with_part(TowerHoldings(pieces=1)), PlayerState(supply=0)),
        order=("U", "E"),
    )
    problem = replace(problem_of(at, 1), asker=0, goal=Goal.POINTS, play=Play.SOLITAIRE)
    assert {value for _, value in values(problem, ExhaustiveEngine(), *MODELS)} == {4}
    for model in MODELS:
        first, second = model.solve(problem).first[0].line
        assert first.captures == (Capture(Cell(0, 0), city),)
        assert [one.role for one in second.followers] == [Role.KNIGHT]


def test_the_end_of_a_recorded_game() -> None:
    """Three tiles before the end of a whole game of two, by the search and both models."""
    at = next(endings(RECORDED, 3))
    problem = replace(problem_of(at, 1), goal=Goal.LEAD)
    assert len(values(problem, SearchEngine(), *MODELS)) == 1


def test_a_maximum_of_the_tower_is_confirmed() -> None:
    """The model answers, the other encoding confirms; what the search says the model confirms."""
    at = besieged(1, 2, 1000)
    answer = maximum(at, engine="time", certify=True)
    assert (answer.engine, answer.status) == ("time", Status.OPTIMAL)
    assert answer.confirmed[-1] == "confirmed by a second engine, search"
    searched = maximum(at, engine="search", certify=True)
    assert searched.value == answer.value
    assert searched.confirmed[-1] == "confirmed by a second engine, time"


def test_the_best_order_of_a_bag() -> None:
    """Where the order may be chosen the search comes to the same."""
    at = besieged(3, 2, 1000)
    problem = replace(
        problem_of(at, 3),
        position=replace(at, order=(), bag=tuple(sorted(at.order))),
        order=TileOrder.CHOOSE,
    )
    assert len(values(problem, SearchEngine(), *MODELS)) == 1
