"""Questions about positions whose first tiles have no place, compared with a plain reading.

The engines would agree even if all of them got the question wrong: which tiles are drawn before a
horizon, who has the last turn. The plain reading shares none of that.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from burgrave.model.draws import surely_placeable
from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import load_position
from burgrave.model.position import Position
from burgrave.solver.problem import Goal, Play, TileOrder
from burgrave.solver.questions import (
    ahead,
    best,
    best_lines,
    continuations,
    drawn_first,
    expected,
    forced,
    maximum,
    winning,
)
from burgrave.solver.result import Status
from tests.solver.endings import ending
from tests.solver.plain import Plain, fits, lead, points, win
from tests.solver.questioning import GUARDED

FOUND = Path(__file__).parents[1] / "data" / "found"
LINES = 16
"""Lines to the end of an ending: every move of the plain reading builds the features anew."""
MOST = 4
"""Tiles to come, those without a place included."""
FALCON = pytest.mark.parametrize("falcon", [False, True], ids=["castle", "falcon"])


def found(name: str) -> Position:
    """Return a position of ``tests/data/found``."""
    return load_position(FOUND / f"{name}.toml")


def stuck(seed: int, *, falcon: bool) -> Position:
    """Return a random ending with one or two tiles in hand that have no place, in known order."""
    rng = random.Random(f"stuck {seed}")
    while True:
        at = ending(rng.randrange(1 << 30) * 12 + 1, LINES, falcon=falcon)
        at = replace(at, game=at.game.with_switches(GUARDED))
        kinds = [kind.id for kind in at.game.tile_set.kinds if not fits(at, kind.id)]
        if kinds and len(at.order) < MOST:
            first = rng.choices(kinds, k=rng.choice((1, 2)))
            return replace(at, order=(*first, *at.order))


def forgotten(at: Position, rng: random.Random) -> Position:
    """Return a position with all tiles in the bag but the first one or two."""
    known = rng.choice((1, 2))
    return replace(at, order=at.order[:known], bag=tuple(sorted(at.order[known:])))


@FALCON
@pytest.mark.parametrize("seed", range(3))
def test_known_order(seed: int, *, falcon: bool) -> None:
    """Every question about tiles in known order."""
    at = stuck(seed, falcon=falcon)
    asker, other = at.to_move, 1 - at.to_move
    for tiles in range(len(at.order) + 1):
        plain = Plain(asker=asker).worth(at, tiles + 1)
        assert (ahead(at, tiles).value,) == plain, tiles
    whole = Plain(asker=asker).worth(at)
    assert (forced(at).value,) == (expected(at).value,) == (best_lines(at).value,) == whole
    assert winning(at).value == (whole > (0,)) - (whole < (0,))
    gains = [
        play(at, move).position.players[asker].score - at.players[asker].score
        for move in legal_moves(at)
    ]
    assert best(at).value == max(gains)
    assert continuations(at, 1).lines == len(gains)
    rng = random.Random(seed)
    for how in (Play.HELPED, Play.SOLITAIRE):
        player, goal = rng.choice((asker, other)), rng.choice((Goal.POINTS, Goal.LEAD))
        most = maximum(at, asker=player, goal=goal, play=how, certify=True)
        plain = Plain(
            asker=player,
            goal=lead if goal is Goal.LEAD else points,
            helped=True,
            alone=how is Play.SOLITAIRE,
        )
        assert (most.value,) == plain.worth(at), (player, goal, how)


@FALCON
@pytest.mark.parametrize("seed", range(3))
def test_tiles_in_the_bag(seed: int, *, falcon: bool) -> None:
    """Every question about tiles that come by chance."""
    at = forgotten(stuck(seed, falcon=falcon), random.Random(seed))
    plain = Plain(asker=at.to_move)
    for tiles in range(len(at.order) + len(at.bag) + 1):
        assert (ahead(at, tiles).value,) == plain.worth(at, tiles + 1), tiles
    assert (expected(at, certify=True).value,) == plain.worth(at)
    assert winning(at).value == Plain(asker=at.to_move, goal=win).worth(at)[0]
    if all(not fits(at, tile) for tile in at.order):
        for tile in sorted(set(at.bag) - set(at.order)):
            rest = list(at.bag)
            rest.remove(tile)
            drawn = replace(at, order=(*at.order, tile), bag=tuple(rest))
            assert drawn_first(at, tile.lower()) == drawn
            assert (expected(drawn).value,) == plain.worth(drawn)


def test_the_turn_depends_on_what_is_drawn() -> None:
    """With two tiles in the bag the value is the mean, and turns with both are told."""
    answer = ahead(found("ahead-bag"), 0)
    assert (answer.status, answer.value) == (Status.OPTIMAL, Fraction(3))
    assert {first.move.tile for first in answer.first} == {"A1", "Z9"}
    assert {first.value for first in answer.first} == {2, 4}


def test_the_next_tile_of_the_order_is_laid() -> None:
    """Not one that comes later."""
    answer = ahead(found("ahead-known-order"), 0)
    assert (answer.status, answer.value) == (Status.OPTIMAL, 4)
    assert {first.move.tile for first in answer.first} == {"Z9"}


def test_a_tile_of_the_bag_follows_tiles_without_a_place() -> None:
    """It can be named although a known tile comes first; a known tile with a place goes first."""
    at = found("ahead-bag")
    assert drawn_first(at, "z9").order == ("CC", "Z9")
    assert drawn_first(at, "cc") == at
    with pytest.raises(QuestionError, match="the next is Z9"):
        drawn_first(replace(at, order=("CC", "Z9"), bag=("A1",)), "A1")


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("goal", [Goal.POINTS, Goal.LEAD])
def test_a_solitaire_ends_with_the_turn_of_the_asker(player: int, goal: Goal) -> None:
    """He takes aerie tokens first, in every engine that answers."""
    at = found("solitaire-last-turn")
    plain = Plain(asker=player, goal=lead if goal is Goal.LEAD else points, alone=True)
    told = maximum(at, asker=player, goal=goal, play=Play.SOLITAIRE)
    assert told.value == {(0, Goal.LEAD): -74, (0, Goal.POINTS): 2}.get(
        (player, goal), 86 if goal is Goal.LEAD else 88
    )
    assert (told.value,) == plain.worth(at)
    for order in (TileOrder.GIVEN, TileOrder.CHOOSE):
        where = at if order is TileOrder.GIVEN else replace(at, order=(), bag=at.order)
        for name in ("search", "time", "rank", "exhaustive"):
            try:
                again = maximum(
                    where, asker=player, goal=goal, play=Play.SOLITAIRE, order=order, engine=name
                )
            except QuestionError:
                continue  # the engine does not answer this question
            assert again.value == told.value, name


@FALCON
@pytest.mark.parametrize("seed", range(10))
def test_a_place_is_promised_only_if_it_is_sure(seed: int, *, falcon: bool) -> None:
    """A tile of which it is said that it keeps a place has one after any turns."""
    rng = random.Random(seed)
    at = ending(12 * seed + 1, LINES, falcon=falcon)
    kinds = [kind.id for kind in at.game.tile_set.kinds]
    for laid in range(len(at.order) + 1):
        for kind in kinds:
            assert surely_placeable(at, kind, 0) == fits(at, kind)
        start, sure = at, [kind for kind in kinds if surely_placeable(at, kind, laid)]
        for _ in range(laid):
            if start.over:
                break
            start = play(start, rng.choice(list(legal_moves(start)))).position
        assert all(fits(start, kind) for kind in sure)
