"""Hypothesis strategies for positions and games of Carcassonne, with expansions and without."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from burgrave.model.book import book_of
from burgrave.model.draws import draws
from burgrave.model.engine import play
from burgrave.model.features import position_features
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.games import Game
from burgrave.model.laying import lay
from burgrave.model.placement import Placement
from burgrave.model.places import places
from burgrave.model.position import Move, Position
from burgrave.model.registry import CARCASSONNE, ids, split, switches
from burgrave.model.rule import Switch
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.engines import ONLY_BY
from tests.strategies import SEEDS, Step

EDITIONS = (*editions(), "switches")
"""The editions of the rules, and random values of each switch."""


def known(switch: Switch) -> tuple[str, ...]:
    """Return the values of a switch that every engine knows, so that all can be compared."""
    return tuple(value for value in switch.values if (switch.name, value) not in ONLY_BY)


OTHERS = tuple(
    sorted({name for game in ids(base=CARCASSONNE) for name in split(game)[1]} - {"tower"})
)
"""The expansions of Carcassonne besides The Tower."""


def plane_id(*, tower: bool, others: Sequence[str] = ()) -> str:
    """Return the id of a game of Carcassonne with some expansions, of ``OTHERS`` too."""
    return "+".join((CARCASSONNE, *sorted((*others, *("tower",) * tower))))


def rich_plane(seed: int, edition: str, *, others: Sequence[str] = ()) -> Position:
    """Return a position of a random game with scores about the price of a follower.

    Args:
        seed: the same number gives the same position.
        edition: one of ``EDITIONS``.
        others: the expansions that are played besides The Tower, which is played mostly.

    """
    rng = random.Random(seed)
    name = plane_id(tower=rng.random() < 0.7, others=others)
    game = shipped_game(name, players=rng.randint(2, 6))
    if edition == "switches":
        game = game.with_switches({each.name: rng.choice(known(each)) for each, _ in game.switches})
    else:
        game = shipped_game(name, players=game.players, edition=edition)
    position = new_position(game, rng)
    poor = tuple(replace(state, score=rng.choice((0, 0, 2, 5))) for state in position.players)
    position = replace(position, players=poor)
    for step in walk(position, rng, rng.randint(0, 24)):
        position = step.played.position
    shown = rng.choice((0, 1, len(position.order)))
    bag = tuple(sorted(position.order[shown : shown + 3]))
    return replace(position, order=position.order[:shown], bag=bag)


@st.composite
def plane_game_of(draw: st.DrawFn, *, tower: bool | None = None, every: bool = False) -> Game:
    """Games of 2 to 6 players with random switches, with each expansion or without.

    With ``every`` the switches have values too that not every engine knows.
    """
    with_tower = draw(st.booleans()) if tower is None else tower
    others = [name for name in OTHERS if draw(st.booleans())]
    name = plane_id(tower=with_tower, others=others)
    values = {
        switch.name: draw(st.sampled_from(switch.values if every else known(switch)))
        for switch in switches(name)
        if draw(st.booleans())
    }
    players = draw(st.integers(min_value=2, max_value=6))
    return shipped_game(name, players=players).with_switches(values)


def some_placement(position: Position, rng: random.Random) -> tuple[Placement | None, Move]:
    """Return a tile that may be drawn on a random legal cell, and the move so far."""
    draw = rng.choice(list(draws(position)))
    if draw.tile is None:
        return None, Move(discards=draw.discards)
    tile = rng.choice(list(places(position, draw.tile)))
    begun = Move(discards=draw.discards, tile=draw.tile, cell=tile.cell, rotation=tile.rotation)
    return lay(position, tile, position_features(position)), begun


def some_move(position: Position, rng: random.Random) -> Move:
    """Return a random legal move, one that captures or pays a ransom if chance wants it."""
    placement, begun = some_placement(position, rng)
    conduct = book_of(position.game).conduct
    if placement is None:
        return rng.choice(list(conduct.passes(position, begun.discards)))
    moves = list(conduct.turns(placement, begun.discards))
    rare = [move for move in moves if move.captures or move.ransoms or move.guards]
    return rng.choice(rare if rare and rng.random() < 0.5 else moves)


def walk(position: Position, rng: random.Random, turns: int) -> Iterator[Step]:
    """Yield the turns of a random game, so many at most."""
    while not position.over and turns:
        move = some_move(position, rng)
        played = play(position, move)
        yield Step(position, move, played)
        position = played.position
        turns -= 1


@st.composite
def plane_games(
    draw: st.DrawFn, turns: int = 24, *, tower: bool | None = None, every: bool = False
) -> list[Step]:
    """Games of some turns, the order of the tiles known, in part or not at all."""
    rng = random.Random(draw(SEEDS))
    position = new_position(draw(plane_game_of(tower=tower, every=every)), rng)
    known = rng.choice((len(position.order), 3, 0))
    bag = tuple(sorted(position.order[known:]))
    position = replace(position, order=position.order[:known], bag=bag)
    return list(walk(position, rng, turns))
