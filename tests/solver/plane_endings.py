"""Random endings of Carcassonne and The Tower, small enough for the exhaustive engine."""

from __future__ import annotations

import random
from dataclasses import replace

from model.files.games import COLOURS, carcassonne_game
from model.games import Game
from model.position import Position
from model.switches import CARCASSONNE_SWITCHES, TOWER_SWITCHES
from puzzles.selfplay import new_position
from solver.budget import Budget
from solver.outlook import Goal, Order, Play, Task
from solver.progress import Reporter
from solver.states import plane_state
from tests.planes import walk


def some_game(rng: random.Random, players: int, *, tower: bool) -> Game:
    """Return a game with random switches."""
    switches = CARCASSONNE_SWITCHES + (TOWER_SWITCHES if tower else ())
    values = {s.name: rng.choice(s.values) for s in switches if rng.random() < 0.5}
    return carcassonne_game(tower=tower, players=COLOURS[:players]).with_switches(values)


def ending(  # noqa: PLR0913 -- what an ending is made of
    seed: int,
    tiles: int,
    lines: int,
    *,
    players: int = 2,
    tower: bool = False,
    turns: tuple[int, int] = (2, 12),
) -> Position:
    """Return a position some turns after the start with so many tiles left, in known order.

    Args:
        seed: another seed, another ending.
        tiles: tiles to come.
        lines: turns that there may be, multiplied over the tiles as they are on the board.
        players: how many play.
        tower: whether The Tower is played.
        turns: how many were played before, at least and at most.

    """
    rng = random.Random(seed)
    while True:
        at = new_position(some_game(rng, players, tower=tower), rng)
        laid = rng.randint(*turns)
        at = replace(at, order=at.order[: laid + tiles])
        for step in walk(at, rng, laid):
            at = step.played.position
        states = (replace(state, supply=rng.choice((0, 0, 1, 2))) for state in at.players)
        at = replace(at, players=tuple(states))
        if len(at.order) == tiles and 1 < breadth(at) <= lines:
            return at


def breadth(at: Position) -> int:
    """Return the product of the numbers of turns with each tile to come on the present board."""
    state = plane_state(at)
    product = 1
    for tile in at.order:
        product *= max(1, len(state.turns(state.board.kind_index[tile])))
    return product


def asked(at: Position, rng: random.Random) -> Task:
    """Return a random question about an ending, its order known, in part or not at all."""
    play = rng.choice((Play.AGAINST, Play.AGAINST, Play.HELPED, Play.SOLITAIRE))
    if len(at.players) > 2 and rng.random() < 0.7:
        play = Play.EACH
    goal = rng.choice((Goal.POINTS, Goal.LEAD, Goal.WIN))
    if play is Play.AGAINST and goal is Goal.POINTS:
        goal = Goal.LEAD
    known = rng.choice((0, 1, len(at.order)))
    at = replace(at, order=at.order[:known], bag=tuple(sorted(at.order[known:])))
    unknown = (Order.CHANCE, Order.CHANCE, Order.CHOOSE, Order.ANY)
    order = rng.choice(unknown) if at.bag else Order.GIVEN
    asker = rng.randrange(len(at.players))
    if play is Play.EACH:
        asker, order = at.to_move, Order.CHANCE if at.bag else Order.GIVEN
    return Task(
        position=at,
        asker=asker,
        goal=goal,
        play=play,
        order=order,
        horizon=rng.randint(1, 3) if rng.random() < 0.3 else None,
        every=rng.random() < 0.5,
        watch=Budget().start(),
        reporter=Reporter(),
    )
