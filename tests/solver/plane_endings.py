"""Random endings of Carcassonne, any expansion, small enough for the exhaustive engine."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from burgrave.model.components import Prisoner, Rank
from burgrave.model.draws import draws
from burgrave.model.expansions.tower.parts import Tower, TowerHoldings, Towers
from burgrave.model.expansions.tower.switches import TOWER_REOPENS
from burgrave.model.files.games import shipped_game
from burgrave.model.games import Game
from burgrave.model.position import PlayerState, Position
from burgrave.model.registry import CARCASSONNE, switches
from burgrave.model.tiles import Mark, TileKind
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel.codec import refusal
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.simulation.walk import Walk
from tests.planes import known, plane_id, walk

INNS = ("inns",)


def some_game(rng: random.Random, players: int, *, tower: bool, others: Sequence[str] = ()) -> Game:
    """Return a game with random switches, of values that every engine knows."""
    name = plane_id(tower=tower, others=others)
    values = {s.name: rng.choice(known(s)) for s in switches(name) if rng.random() < 0.5}
    return shipped_game(name, players=players).with_switches(values)


@cache
def ending(  # noqa: PLR0913 -- what an ending is made of
    seed: int,
    tiles: int,
    lines: int,
    *,
    players: int = 2,
    tower: bool = False,
    inns: bool = False,
    turns: tuple[int, int] = (2, 12),
) -> Position:
    """Return a position some turns after the start with so many tiles left, in known order.

    Args:
        seed: another seed, another ending.
        tiles: tiles to come.
        lines: turns that there may be, multiplied over the tiles as they are on the board.
        players: how many play.
        tower: whether The Tower is played.
        inns: whether Inns & Cathedrals is played.
        turns: how many were played before, at least and at most.

    """
    rng = random.Random(seed)
    while True:
        at = new_position(some_game(rng, players, tower=tower, others=INNS * inns), rng)
        laid = rng.randint(*turns)
        at = replace(at, order=at.order[: laid + tiles])
        for step in walk(at, rng, laid):
            at = step.played.position
        states = (replace(state, supply=rng.choice((0, 0, 1, 2))) for state in at.players)
        at = _with_big(replace(at, players=tuple(states)), rng)
        if len(at.order) == tiles and 1 < breadth(at) <= lines:
            return at


@cache
def besieged(
    seed: int, tiles: int, lines: int, *, players: int = 2, inns: bool = False
) -> Position:
    """Return an ending of The Tower full of towers, guards and prisoners, with low scores.

    Half of the tiles have a tower place, and of some endings one tile to come has no place.

    Args:
        seed: another seed, another ending.
        tiles: tiles to come.
        lines: turns that there may be, multiplied over the tiles as they are on the board.
        players: how many play.
        inns: whether Inns & Cathedrals is played.

    """
    rng = random.Random(seed)
    while True:
        at = new_position(some_game(rng, players, tower=True, others=INNS * inns), rng)
        towers = [tile for tile in at.order if at.game.tile_set.kind(tile).tower_place]
        others = [tile for tile in at.order if tile not in towers]
        turns = rng.randint(4, 22)
        order = [rng.choice((others, towers or others)).pop() for _ in range(turns + tiles)]
        at = replace(at, order=tuple(order))
        for step in walk(at, rng, turns):
            at = step.played.position
        if len(at.order) != tiles:
            continue
        if rng.random() < 0.2:
            at = _with_a_tile_too_many(at, [*others, *towers], rng)
        at = _with_big(replace(_besieged(at, rng), players=_states(at, rng)), rng)
        if 1 < breadth(at) <= lines:
            return at


@cache
def marked(  # noqa: PLR0913 -- what an ending is made of
    seed: int,
    tiles: int,
    lines: int,
    *,
    players: int = 2,
    tower: bool = False,
    others: Sequence[str] = INNS,
) -> Position:
    """Return an ending full of the marks of expansions, and of big followers if there are any.

    Half of the tiles have a mark that the base has not, or a tower place.

    Args:
        seed: another seed, another ending.
        tiles: tiles to come.
        lines: turns that there may be, multiplied over the tiles as they are on the board.
        players: how many play.
        tower: whether The Tower is played.
        others: the expansions that are played besides.

    """
    rng = random.Random(seed)
    known = _marks(shipped_game(CARCASSONNE).tile_set.kinds)
    while True:
        at = new_position(some_game(rng, players, tower=tower, others=others), rng)
        kinds = [at.game.tile_set.kind(tile) for tile in at.order]
        some = [kind.id for kind in kinds if kind.tower_place or _marks([kind]) - known]
        turns = rng.randint(4, 22)
        order = (rng.choice((rng.choice(some), rng.choice(at.order))) for _ in range(turns + tiles))
        at = replace(at, order=tuple(order))
        for step in walk(at, rng, turns):
            at = step.played.position
        if len(at.order) != tiles:
            continue
        at = _standing(at, rng)
        if tower:
            at = _with_big(replace(_besieged(at, rng), players=_states(at, rng)), rng)
        if 1 < breadth(at) <= lines:
            return at


def _marks(kinds: Iterable[TileKind]) -> set[Mark]:
    """Return the marks of some kinds of tiles."""
    return {mark for kind in kinds for one in kind.segments for mark in one.marks}


def _with_a_tile_too_many(at: Position, left: list[str], rng: random.Random) -> Position:
    """Return a position in which one tile to come has no place now, if there is such a tile."""
    misfits = [tile for tile in sorted(set(left)) if not can_be_laid(at, tile)]
    if not misfits:
        return at
    order = list(at.order)
    order[rng.randrange(len(order))] = rng.choice(misfits)
    return replace(at, order=tuple(order))


def can_be_laid(at: Position, tile: str) -> bool:
    """Tell whether a tile has a place if it is drawn next."""
    return next(draws(replace(at, order=(tile,), bag=()))).tile is not None


def _besieged(at: Position, rng: random.Random) -> Position:
    """Return a position with random towers on most tower places."""
    built = {tower.cell: tower for tower in at.part(Towers).built}
    for tile in at.tiles:
        if tile.kind.tower_place and rng.random() < 0.7:
            guard = rng.choice((None, None, *range(len(at.players))))
            shut = guard is None and at.game.value(TOWER_REOPENS) == "off"
            closed = shut and rng.random() < 0.3
            built[tile.cell] = Tower(tile.cell, rng.randint(1, 3), guard, closed)
    return at.with_part(Towers(built=tuple(built[cell] for cell in sorted(built))))


def _states(at: Position, rng: random.Random) -> tuple[PlayerState, ...]:
    """Return players with few followers, pieces and points, and with prisoners."""
    captors = rng.sample(range(len(at.players)), len(at.players))
    return tuple(
        replace(
            state,
            score=rng.choice((0, 1, 2, 3, 4, 6, 30)),
            supply=rng.choice((0, 0, 1, 2)),
        ).with_part(
            TowerHoldings(
                pieces=min(state.part(TowerHoldings).pieces, rng.choice((0, 1, 2, 9))),
                # Of two players one at most holds prisoners of the other.
                prisoners=tuple(
                    sorted(
                        Prisoner(owner)
                        for rank, owner in enumerate(captors)
                        if rank > captors.index(player)
                        for _ in range(rng.choice((0, 0, 1, 2)))
                    )
                ),
            )
        )
        for player, state in enumerate(at.players)
    )


def _with_big(at: Position, rng: random.Random) -> Position:
    """Return a position in which some big followers are guards, prisoners or away, if any are."""
    if not at.game.specials:
        return at
    states, built = list(at.players), list(at.part(Towers).built)
    for player, state in enumerate(states):
        if Rank.BIG not in state.specials:
            continue
        guarded = [i for i, tower in enumerate(built) if tower.guard == player]
        holders = [
            captor
            for captor in range(len(states))
            if captor != player and not state.part(TowerHoldings).held(captor)
        ]
        if guarded and rng.random() < 0.3:
            index = rng.choice(guarded)
            built[index] = built[index]._replace(rank=Rank.BIG)
        elif at.part(Towers).built and holders and rng.random() < 0.7:
            captor = rng.choice(holders)
            held, taken = states[captor].part(TowerHoldings), Prisoner(player, Rank.BIG)
            states[captor] = states[captor].with_part(held.with_prisoner(taken, at.game))
        elif rng.random() < 0.5:
            continue
        states[player] = replace(states[player], specials=())
    return replace(at, players=tuple(states)).with_part(Towers(built=tuple(built)))


def _standing(at: Position, rng: random.Random) -> Position:
    """Return a position in which one of a player's followers on the board may be the big one."""
    followers, states = [one._replace(rank=Rank.FOLLOWER) for one in at.followers], []
    for player, state in enumerate(at.players):
        his = [index for index, one in enumerate(followers) if one.player == player]
        big = at.game.specials
        if big and his and rng.random() < 0.5:
            index = rng.choice(his)
            followers[index], big = followers[index]._replace(rank=Rank.BIG), ()
        states.append(replace(state, supply=rng.choice((0, 0, 1, 2)), specials=big))
    return replace(at, followers=tuple(followers), players=tuple(states))


def breadth(at: Position) -> int:
    """Return the product of the numbers of turns with each tile to come on the present board.

    It is 0 if players own more followers than the kernel has room for.
    """
    if refusal(at) is not None:
        return 0
    walk = Walk(at)
    product = 1
    for tile in at.order:
        product *= max(1, len(walk.turns(tile, last=False)))
    return product


def asked(at: Position, rng: random.Random) -> Problem:
    """Return a random question about an ending, its order known, in part or not at all."""
    play = rng.choice((Play.AGAINST, Play.AGAINST, Play.HELPED, Play.SOLITAIRE))
    if len(at.players) > 2 and rng.random() < 0.7:
        play = Play.EACH
    goal = rng.choice((Goal.POINTS, Goal.LEAD, Goal.WIN))
    if play is Play.AGAINST and goal is Goal.POINTS:
        goal = Goal.LEAD
    known = rng.choice((0, 1, len(at.order)))
    at = replace(at, order=at.order[:known], bag=tuple(sorted(at.order[known:])))
    unknown = (TileOrder.CHANCE, TileOrder.CHANCE, TileOrder.CHOOSE, TileOrder.ANY)
    order = rng.choice(unknown) if at.bag else TileOrder.GIVEN
    asker = rng.randrange(len(at.players))
    if play is Play.EACH:
        asker, order = at.to_move, TileOrder.CHANCE if at.bag else TileOrder.GIVEN
    return Problem(
        position=at,
        asker=asker,
        goal=goal,
        play=play,
        order=order,
        horizon=rng.randint(1, 3) if rng.random() < 0.3 else None,
        every=rng.random() < 0.5,
    )
