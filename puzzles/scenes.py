"""Positions for puzzles: late in games of self-play by players who keep followers back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random

from model.engine import play
from model.files.games import CASTLE_GAMES, carcassonne_game
from model.games import WITH_TOWER, Game
from model.position import Position
from puzzles.plane_player import Passable
from puzzles.players import Player, Sensible
from puzzles.selfplay import new_position

BEFORE = 6
"""Turns before the puzzle at which the endings of one game part."""
ENDINGS = 8
"""Endings of one game, each after other tiles."""
ORDERS = 3
"""Orders of the last tiles that are looked at in each ending, as far as there are so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where in a game puzzles are looked for."""

    game: str
    """Id of the game."""
    tiles_left: int
    """Tiles to come."""
    turns: int | None = None
    """Turns played, after which the tiles not wanted are left out; None for a whole game."""

    def far(self, position: Position, turns: int) -> bool:
        """Tell whether a game is as far as some turns before the stage."""
        if self.turns is None:
            return len(position.order) <= self.tiles_left + turns
        laid = len(position.tiles) + len(position.discarded) - position.game.board.endless
        return laid >= self.turns - turns or len(position.order) <= self.tiles_left


def game_named(name: str) -> Game:
    """Return a game of two players with its default switches, by id."""
    if name in CASTLE_GAMES:
        return CASTLE_GAMES[name](None)
    return carcassonne_game(tower=name == WITH_TOWER)


def scenes(stage: Stage, rng: Random) -> Iterator[Position]:
    """Yield positions of one game in different endings, all reached by legal play.

    Args:
        stage: the game and the tiles to come.
        rng: the only source of chance.

    """
    game = game_named(stage.game)
    players = tuple(_player(game, rng) for _ in game.players)
    parted = _played(new_position(game, rng), players, rng, stage, BEFORE)
    for _ in range(ENDINGS):
        order = list(parted.order)
        rng.shuffle(order)
        end = _played(replace(parted, order=tuple(order)), players, rng, stage, 0)
        if stage.turns is not None:
            end = replace(end, order=end.order[: stage.tiles_left])
        # A tile without a place can make the last turns of a game pass by the number wanted.
        if len(end.order) == stage.tiles_left:
            orders = sorted(set(permutations(end.order)))
            for last in rng.sample(orders, min(ORDERS, len(orders))):
                yield replace(end, order=last)


def _player(game: Game, rng: Random) -> Player:
    """Return a player of some strength who keeps followers back."""
    looseness = rng.choice((0.1, 0.3, 0.6))
    if game.board.endless:
        return Passable(reserve=rng.choice((2, 3)), looseness=looseness)
    return Sensible(reserve=rng.choice((2, 3)), looseness=looseness)


def _played(
    position: Position, players: tuple[Player, ...], rng: Random, stage: Stage, before: int
) -> Position:
    """Play on until some turns before a stage."""
    while not stage.far(position, before):
        position = play(position, players[position.to_move](position, rng)).position
    return position
