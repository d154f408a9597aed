"""Games that players of the program play against each other, move by move."""

from __future__ import annotations

from random import Random

from burgrave.model.book import book_of
from burgrave.model.engine import play
from burgrave.model.files.games import first_tiles
from burgrave.model.games import Game
from burgrave.model.position import Move, Position
from burgrave.model.rules.castle.setup import WALL_TILE_NUMBERS
from burgrave.puzzles.selfplay.players import Player


def new_position(game: Game, rng: Random) -> Position:
    """Set up a game: tiles in a known random order, wall tiles dealt at random.

    In a castle each corner tower that holds a wall tile gets one; those that are left over
    leave the game unseen. In Carcassonne the start tile lies on 0,0.

    Args:
        game: the game.
        rng: the only source of chance.

    """
    tiles, laid = list(game.tile_set.all_tiles()), first_tiles(game)
    for tile in laid:
        if tile.kind.id in tiles:
            tiles.remove(tile.kind.id)
    rng.shuffle(tiles)
    towers = [tower.name for tower in game.board.towers if tower.holds_tile]
    wall_tiles = [number for number in WALL_TILE_NUMBERS for _ in range(2)] if towers else []
    rng.shuffle(wall_tiles)
    return Position(
        game=game,
        tiles=laid,
        players=(book_of(game).fresh(game),) * len(game.players),
        order=tuple(tiles),
        towers=tuple(zip(towers, wall_tiles, strict=False)),
    )


def play_game(
    position: Position, players: tuple[Player, ...], rng: Random
) -> list[tuple[Position, Move]]:
    """Play a game to its last tile.

    Args:
        position: where it begins.
        players: who plays for White and for Black.
        rng: the only source of chance: the same seed gives the same game.

    Returns:
        Every position with the move played in it; the last move leads to final scoring.

    """
    line = []
    while not position.over:
        move = players[position.to_move](position, rng)
        line.append((position, move))
        position = play(position, move).position
    return line
