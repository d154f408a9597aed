"""What must not change an answer, or must change it by a known amount.

No test here needs to know an answer. Each changes a question with a certain effect on the answer,
and lets every engine answer both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from burgrave.model.components import Node
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.games import Game
from burgrave.model.geometry import PORTS, Cell, Side
from burgrave.model.position import PlayerState, Position
from burgrave.model.tiles import PlacedTile, TileKind
from burgrave.solver.cpsat.base import cp
from burgrave.solver.engines import plays
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from tests.model.test_symmetries import backwards, renamed, swapped, turned
from tests.solver.endings import IN_CASTLE, ending
from tests.solver.questioning import (
    GUARDED,
    Answered,
    Asked,
    asked_for,
    engines,
    questions,
    solved,
    value,
)

pytestmark = pytest.mark.slow

LINES = 60
"""Lines to the end of the endings asked about."""
SEEDS = tuple(seed for seed in range(301, 306) if seed % IN_CASTLE)
"""Endings in small halls."""
KINGS = tuple(range(307, 313))
"""Endings with The Falcon."""
CP_SAT = frozenset({"time", "rank"})
"""The names of the constraint models."""
ENGINES = {name: engine for name, engine in engines().items() if name != "exhaustive"}
"""The engines asked. What changes nothing for the rules engine, on which the exhaustive one
rests, is tested with the rules."""
Value = Callable[[Problem, Fraction], Fraction]
"""What the value of a changed problem must be, from the problem and the value before."""


@cache
def answered(seed: int) -> tuple[tuple[Asked, dict[str, Answered]], ...]:
    """Return the questions about an ending with each engine's answer."""
    return tuple(
        (
            asked,
            {
                name: solved(engine, asked.problem)
                for name, engine in ENGINES.items()
                if plays(name, asked.problem.position.game) and engine.answers(asked.problem)
            },
        )
        for asked in questions(seed, LINES)
    )


def unchanged(problem: Problem, worth: Fraction) -> Fraction:
    """Return the value as it was."""
    return worth


def check(seed: int, change: Callable[[Problem], Problem], expected: Value = unchanged) -> None:
    """Let every engine answer the questions about an ending before and after a change."""
    for asked, answers in answered(seed):
        changed = change(asked.problem)
        for name, before in answers.items():
            assert before.result.value is not None
            after = value(ENGINES[name], changed)
            assert after == expected(asked.problem, before.result.value), f"{asked} by {name}"


# Changes without an effect


@pytest.mark.parametrize("seed", SEEDS)
def test_colours_change_nothing(seed: int) -> None:
    """With the players exchanged, the asker too, values and first moves are the same."""
    for asked, answers in answered(seed):
        problem = replace(
            asked.problem, position=swapped(asked.problem.position), asker=1 - asked.problem.asker
        )
        for name, before in answers.items():
            after = solved(ENGINES[name], problem).result
            assert (after.value, after.first) == (before.result.value, before.result.first)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("quarters", [1, 2])
def test_directions_change_nothing(seed: int, quarters: int) -> None:
    """In a hall turned by a quarter or a half, values are the same."""

    def change(problem: Problem) -> Problem:
        position = problem.position
        for _ in range(quarters):
            position = turned(position)
        return replace(problem, position=position)

    check(seed, change)


def mirrored_kind(kind: TileKind) -> TileKind:
    """Return a kind of tile as a mirror in the north-south line shows it."""
    segments = tuple(
        # North-left lies where north-right was, west where east was: port 2 - p for port p.
        replace(segment, ports=tuple(sorted((2 - port) % PORTS for port in segment.ports)))
        for segment in kind.segments
    )
    return replace(kind, segments=segments)


def mirrored_cell(cell: Cell) -> Cell:
    """Return where a cell lies in the mirror."""
    return Cell(-cell.x, cell.y)


def mirrored_game(game: Game) -> Game:
    """Return a game in the mirror: its tiles, its castle, its pictures; the track stays."""
    board = replace(
        game.board,
        cells=tuple(sorted(map(mirrored_cell, game.board.cells))),
        starts=tuple(
            replace(start, cell=mirrored_cell(start.cell), side=Side(-start.side % 4))
            for start in game.board.starts
        ),
    )
    kinds = tuple(map(mirrored_kind, game.tile_set.kinds))
    return replace(
        game,
        board=board,
        tile_set=replace(game.tile_set, kinds=kinds),
        picture_kinds=tuple(map(mirrored_kind, game.picture_kinds)),
    )


def mirrored(position: Position) -> Position:
    """Return a position in the mirror."""
    tiles = [
        PlacedTile(
            cell=mirrored_cell(tile.cell),
            kind=mirrored_kind(tile.kind),
            rotation=-tile.rotation % 4,
        )
        for tile in position.tiles
    ]
    followers = [
        f._replace(node=Node(mirrored_cell(f.node.cell), f.node.segment))
        for f in position.followers
    ]
    return replace(
        position,
        game=mirrored_game(position.game),
        tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
        followers=tuple(sorted(followers)),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mirror_changes_nothing(seed: int) -> None:
    """With every tile and the hall mirrored, values are the same."""
    check(seed, lambda problem: replace(problem, position=mirrored(problem.position)))


@pytest.mark.parametrize("seed", SEEDS)
def test_names_and_order_of_listing_change_nothing(seed: int) -> None:
    """With kinds renamed, so that they sort and stand in reverse, values are the same."""

    def change(problem: Problem) -> Problem:
        position = renamed(problem.position, backwards)
        tile_set = position.game.tile_set
        listed = replace(tile_set, kinds=tile_set.kinds[::-1])
        return replace(
            problem, position=replace(position, game=replace(position.game, tile_set=listed))
        )

    check(seed, change)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_name_of_its_own_for_each_tile_changes_nothing(seed: int) -> None:
    """With every tile to come of a kind of its own, equal ones too, values are the same."""

    def change(problem: Problem) -> Problem:
        position = problem.position
        kinds = position.game.tile_set.kinds
        to_come = (*position.order, *position.bag)
        own = {
            f"Own{index}": position.game.tile_set.kind(tile) for index, tile in enumerate(to_come)
        }
        kinds += tuple(replace(kind, id=name, count=1) for name, kind in own.items())
        tile_set = replace(position.game.tile_set, kinds=kinds)
        names, known = tuple(own), len(position.order)
        position = replace(
            position,
            game=replace(position.game, tile_set=tile_set),
            order=names[:known],
            bag=names[known:],
        )
        return replace(problem, position=position)

    check(seed, change)


@pytest.mark.parametrize("random_seed", [1, 987_654])
def test_the_seed_of_cp_sat_changes_nothing(
    random_seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another seed the constraint models prove the same values."""
    for seed in SEEDS:
        answered(seed)
    monkeypatch.setattr(cp, "SEED", random_seed)
    for seed in SEEDS:
        for asked, answers in answered(seed):
            for name in CP_SAT & answers.keys():
                assert value(ENGINES[name], asked.problem) == answers[name].result.value


# Changes with a certain effect


def with_players(problem: Problem, change: Callable[[int, PlayerState], PlayerState]) -> Problem:
    """Return a problem in which the players have something else."""
    players = tuple(change(index, state) for index, state in enumerate(problem.position.players))
    return replace(problem, position=replace(problem.position, players=players))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_lap_more_for_both_is_a_lap_more(seed: int) -> None:
    """A whole lap for both players leaves the markers where they are."""
    check(
        seed,
        lambda problem: with_players(
            problem,
            lambda _, state: replace(state, score=state.score + problem.position.game.board.track),
        ),
        lambda problem, worth: (
            worth + problem.position.game.board.track * (problem.goal in {Goal.POINTS, Goal.THEIRS})
        ),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wall_tile_9_more_is_five_points_more(seed: int) -> None:
    """A wall tile 9 in the asker's hand is worth 5 at the end and nothing else.

    It moves no marker before final scoring, and no other wall tile needs it. A win may take
    less, and a horizon may lie before the end.
    """
    for asked, answers in answered(seed):
        problem = asked.problem
        known = (
            problem.order is TileOrder.GIVEN
            and problem.horizon is None
            and problem.goal in {Goal.POINTS, Goal.LEAD}
        )
        if not known:
            continue
        more = with_players(
            problem,
            lambda index, state, asker=problem.asker: replace(
                state, wall_tiles=tuple(sorted((*state.wall_tiles, *[9] * (index == asker))))
            ),
        )
        for name, before in answers.items():
            assert before.result.value is not None
            assert value(ENGINES[name], more) == before.result.value + 5


@pytest.mark.parametrize("seed", SEEDS)
def test_a_follower_more_is_worth_no_less(seed: int) -> None:
    """A follower more in the asker's supply takes nothing from him.

    No rule demands that a follower is placed, and rules count the supply only for placements. So
    every line of play without the follower is legal with him too.
    """
    for asked, answers in answered(seed):
        more = with_players(
            asked.problem,
            lambda index, state, asker=asked.problem.asker: replace(
                state, supply=state.supply + (index == asker)
            ),
        )
        for name, before in answers.items():
            assert before.result.value is not None
            assert value(ENGINES[name], more) >= before.result.value


@pytest.mark.parametrize("seed", SEEDS)
def test_a_horizon_beyond_the_end_is_the_end(seed: int) -> None:
    """A horizon of all tiles that are left, or of more, changes nothing."""
    for asked, answers in answered(seed):
        left = len(asked.problem.position.order) + len(asked.problem.position.bag)
        if asked.problem.horizon is None:
            for name, before in answers.items():
                for horizon in (left, left + 1):
                    after = value(ENGINES[name], replace(asked.problem, horizon=horizon))
                    assert after == before.result.value


# Best play of both with The Falcon


@cache
def forced_with_the_falcon(seed: int) -> tuple[Problem, dict[str, Answered]]:
    """Return the question what can be forced in an ending, with the answers of both searches."""
    at = ending(seed, LINES, falcon=True)
    at = replace(at, game=at.game.with_switches(GUARDED))
    problem = asked_for(at, Goal.WIN if seed % 3 == 0 else Goal.LEAD, Play.AGAINST)
    return problem, {name: solved(ENGINES[name], problem) for name in ("search", "plain")}


def colours(position: Position) -> Position:
    """Return a position with the players exchanged."""
    return swapped(position)


def listing(position: Position) -> Position:
    """Return a position whose kinds of tiles are renamed and listed in reverse."""
    position = renamed(position, backwards)
    tile_set = position.game.tile_set
    listed = replace(tile_set, kinds=tile_set.kinds[::-1])
    return replace(position, game=replace(position.game, tile_set=listed))


@pytest.mark.parametrize("seed", KINGS)
@pytest.mark.parametrize("change", [colours, turned, listing])
def test_symmetries_change_nothing_with_the_falcon(
    seed: int, change: Callable[[Position], Position]
) -> None:
    """Players, directions and names do not change what can be forced."""
    problem, answers = forced_with_the_falcon(seed)
    asker = 1 - problem.asker if change is colours else problem.asker
    changed = replace(problem, position=change(problem.position), asker=asker)
    for name, before in answers.items():
        after = solved(ENGINES[name], changed).result
        assert after.value == before.result.value
        if change is colours:
            assert after.first == before.result.first


@pytest.mark.parametrize("seed", KINGS)
def test_a_token_more_is_worth_no_less(seed: int) -> None:
    """An aerie token more takes nothing from the asker: only the lead in tokens counts."""
    problem, answers = forced_with_the_falcon(seed)

    def richer(index: int, state: PlayerState) -> PlayerState:
        tokens = state.part(FalconHoldings).tokens + (index == problem.asker)
        return state.with_part(FalconHoldings(tokens=tokens))

    more = with_players(problem, richer)
    for name, before in answers.items():
        assert before.result.value is not None
        assert value(ENGINES[name], more) >= before.result.value


@pytest.mark.parametrize("seed", KINGS)
def test_a_king_at_home_is_worth_no_less_than_none(seed: int) -> None:
    """With a king and falconer a player has every move that he has without them."""
    problem, answers = forced_with_the_falcon(seed)
    fewer = with_players(
        problem,
        lambda index, state: replace(state, specials=()) if index == problem.asker else state,
    )
    for name, before in answers.items():
        assert before.result.value is not None
        assert value(ENGINES[name], fewer) <= before.result.value


# Questions beside each other
