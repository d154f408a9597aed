"""Positions for tests of the solver: small ones written by hand, rich ones by chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from burgrave.model.components import Rank
from burgrave.model.files.positions import read_position
from burgrave.model.position import PlayerState, Position
from burgrave.model.switches import CASTLE_SWITCHES
from tests.strategies import (
    FALCON_KNOWN,
    after,
    castle_with,
    falcon_hall_game,
    falcon_opening,
    falcon_with,
    hall_game,
    opening,
)

KINDS = """
[[kinds]]
id = "CC"  # a court on all sides
segments = ["court N E S W"]
[[kinds]]
id = "TT"  # the end of a tower
segments = ["tower N", "court E S W"]
[[kinds]]
id = "T2"  # a straight tower
segments = ["tower N S", "court E", "court W"]
[[kinds]]
id = "T3"  # a tower with three arms
segments = ["tower N E S", "court W"]
[[kinds]]
id = "TL"  # a tower round a corner
segments = ["tower N E", "court S W"]
[[kinds]]
id = "TQ"  # the end of a tower, and a path that is complete at once
segments = ["tower S", "court N E W", "path"]
squares = [[2]]
[[kinds]]
id = "TTT"  # three ends of towers
segments = ["tower N", "tower E", "tower S", "court W"]
[[kinds]]
id = "HU"  # two ends of houses
segments = ["house N", "house E", "court S W"]
[[kinds]]
id = "HL"  # a house round a corner
segments = ["house E S", "court N W"]
[[kinds]]
id = "HC"  # a house inside a court
segments = ["court N E S W", "house"]
[[kinds]]
id = "PP"  # a straight path
segments = ["path N S", "court NR E SL", "court SR W NL"]
[[kinds]]
id = "PF"  # a straight path with a fountain
segments = ["path N S fountain", "court NR E SL", "court SR W NL"]
[[kinds]]
id = "PQ"  # a path into a square
segments = ["path N", "court NL NR E S W"]
squares = [[0]]
[[kinds]]
id = "PX"  # two paths into one square
segments = ["path N", "path S", "court NR E SL", "court SR W NL"]
squares = [[0, 1]]
"""


STARTS = """
[start_spaces]
"6/7" = "path"
"18/19" = "tower"
"40/41" = "court-market"
"50/51" = "path"
"62/63" = "house"
"74/75" = "court-market"
"94/95" = "path"
"""
"""A picture on each start space that one kind of segment fills."""


def position(board: Sequence[str], tile: str, more: str = "") -> Position:
    """Return a hand-made position in which White is to lay ``tile``.

    Args:
        board: lines of the board.
        tile: the next tile, or several with spaces between.
        more: further keys of the file, as TOML.

    """
    lines = ", ".join(f'"{line}"' for line in board)
    order = ", ".join(f'"{name}"' for name in tile.split())
    head = f'burgrave = 1\ntype = "position"\nboard = [{lines}]\norder = [{order}]\n'
    starts = STARTS if "[start_spaces]" not in more else ""
    return read_position("by hand", head + more + starts + KINDS, check=False)


def rich_position(seed: int) -> Position:
    """Return a random position: random switches, wall tiles 1 to 3 in hand, markers near towers.

    Two of three are in a small hall with random tiles, the others in the castle.
    """
    rng = random.Random(seed)
    switches = {switch.name: rng.choice(switch.values) for switch in CASTLE_SWITCHES}
    while True:
        if seed % 3:
            game, turns = hall_game(rng, switches, (5, 4)), rng.randrange(15)
        else:
            game, turns = castle_with(rng, switches, own_kinds=4), rng.randrange(40)
        found = after(opening(game, rng), rng, turns)
        if not found.over:
            return _armed(found if seed % 3 else _next_known(found, rng), rng)


def rich_falcon_position(seed: int) -> Position:
    """Return a random position of The Falcon, likewise, kings and falconers in play."""
    rng = random.Random(seed)
    switches = {s.name: rng.choice(s.values) for s in (*CASTLE_SWITCHES, *FALCON_KNOWN)}
    while True:
        if seed % 4:
            game, turns = falcon_hall_game(rng, switches), rng.randrange(2, 11)
        else:
            game, turns = falcon_with(rng, switches), rng.randrange(50)
        found = after(falcon_opening(game, rng), rng, turns)
        if not found.over:
            return _armed(_next_known(found, rng), rng)


def _next_known(position: Position, rng: random.Random) -> Position:
    """Return the position with its next tile known: 40 kinds in a bag are 10,000 moves."""
    if position.order:
        return position
    bag = list(position.bag)
    drawn = bag.pop(rng.randrange(len(bag)))
    return replace(position, order=(drawn,), bag=tuple(bag))


def _armed(position: Position, rng: random.Random) -> Position:
    """Return the position with wall tiles 1 to 3 dealt out and followers at hand.

    The wall tiles on the towers are turned face down, so that no number is there too often.
    """
    deck = [1, 1, 2, 2, 3, 3]
    rng.shuffle(deck)
    hands = [sorted(deck.pop() for _ in range(rng.randrange(4))) for _ in position.players]
    players = tuple(
        _near_tower(replace(state, wall_tiles=tuple(hand), fresh_wall_tiles=()), position, rng)
        for state, hand in zip(position.players, hands, strict=True)
    )
    players = tuple(
        replace(state, supply=min(state.supply, _left_over(position, index)))
        for index, state in enumerate(players)
    )
    towers = tuple((name, 0) for name, _ in position.towers)
    return replace(position, players=players, towers=towers, spent=())


def _left_over(position: Position, player: int) -> int:
    """Return how many ordinary followers of a player stand nowhere."""
    standing = [f for f in position.followers if (f.player, f.rank) == (player, Rank.FOLLOWER)]
    return position.game.followers - len(standing) - position.players[player].fresh_followers


def _near_tower(state: PlayerState, position: Position, rng: random.Random) -> PlayerState:
    """Return the player with a follower more often than not, the marker before a tower."""
    supply = max(state.supply, rng.randrange(3))
    held = [tower for tower in position.game.board.towers if tower.name in dict(position.towers)]
    if not held:
        return replace(state, supply=supply)
    score = position.game.board.track + rng.choice(held).spaces[0] - rng.randint(1, 8)
    return replace(state, supply=supply, score=score, at_gate=False)
