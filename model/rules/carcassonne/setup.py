"""The components of Carcassonne, and the order of turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.draws import stack_faults
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding, rule
from burgrave.model.standing import surplus_tiles

RULEBOOK = "Carcassonne, rules of the base game (Rio Grande Games, first edition, 2006)"
_SETUP = f"{RULEBOOK}, 'Preparation'"
MOST_PLAYERS = 6
"""Players with the sixth colour, which comes with Inns & Cathedrals."""
START_TILE = "D"
"""The kind of tile that lies on the table at the start."""
FOLLOWERS_EACH = 7
"""Followers of a player besides the scoring marker."""


@rule("carcassonne.setup.players", _SETUP)
def PLAYERS(position: Position) -> Iterator[Finding]:
    """The game is for 2 to 5 players, with a sixth colour for 6; a study may have one.

    Any player may begin; the turn goes round in the order of the players.

    Passes: a position with Red, Blue and Green.
    Fails: a position with seven players.
    """
    number = len(position.players)
    if not 1 <= number <= MOST_PLAYERS or number != len(position.game.players):
        yield PLAYERS.finding(f"{number} players: 2 to {MOST_PLAYERS} can play", at="players")
    elif not 0 <= position.to_move < number:
        yield PLAYERS.finding(f"player {position.to_move} is not in the game", at="to_move")


def sixth_colour(position: Position) -> Iterator[Finding]:
    """Yield the parts for six players that the base game lacks."""
    if len(position.players) > book_of(position.game).most_players:
        yield PLAYERS.finding(
            "the followers of a sixth player come with the expansion Inns & Cathedrals, without"
            " which this game is played",
            at="players",
        )


@rule("carcassonne.setup.followers", _SETUP)
def FOLLOWERS(position: Position) -> Iterator[Finding]:
    """Each player has 8 followers; one is the scoring marker, so 7 can be placed.

    Those on towers and those held prisoner are among the 7; those of a rank are not. A study may
    leave followers out.

    Passes: 2 in the supply, 3 on the board, 1 on a tower, 1 held prisoner.
    Fails: 3 in the supply, and the same elsewhere.
    """
    most, book = position.game.followers, book_of(position.game)
    parts = [kind.place for kind in (*book.position_parts, *book.player_parts) if kind.place]
    for index, state in enumerate(position.players):
        plain = (index, Rank.FOLLOWER)
        on_board = sum((one.player, one.rank) == plain for one in position.followers)
        there = Counter({"in the supply": state.supply, "on the board": on_board})
        there.update(dict.fromkeys(parts, 0))
        for place, owner, rank in position.elsewhere():
            there[place] += (owner, rank) == plain
        if sum(there.values()) > most:
            counted = ", ".join(f"{number} {place}" for place, number in there.items())
            yield FOLLOWERS.finding(
                f"{position.game.name(index)} has {sum(there.values())} followers ({counted}) and"
                f" the game gives him {most}",
                at=f"{position.game.players[index]}.supply",
            )


@rule("carcassonne.setup.tiles", _SETUP)
def TILES(position: Position) -> Iterator[Finding]:
    """The start tile, one of the four D, lies on the table; the others are drawn face down.

    With The Tower its 18 tiles are shuffled in. No tile is there more often than in its set.

    Passes: one D on the board and three in the bag.
    Fails: five D.
    """
    for fault in surplus_tiles(position):
        yield TILES.finding(fault, at="board")


@rule("carcassonne.setup.track", _SETUP)
def TRACK(position: Position) -> Iterator[Finding]:
    """A score is a number from 0; the track of 50 spaces only shows it, lap by lap.

    Passes: 48 and 6 points make 54, a lap and 4.
    Fails: a score below 0.
    """
    for index, state in enumerate(position.players):
        if state.score < 0:
            yield TRACK.finding(
                f"{position.game.name(index)} has {state.score} points",
                at=f"{position.game.players[index]}.score",
            )


@rule("carcassonne.turn.order", f"{RULEBOOK}, 'Playing the game'")
def TURN_ORDER(position: Position, move: Move) -> Iterator[Finding]:
    """A turn is: draw and place a tile, perhaps a follower, score what the tile completes.

    The tile is the one drawn; only a turn for which no tile is left goes without one. In The Tower
    a player may take one of its actions instead of placing a follower. All actions come before
    scoring, capture and exchange included.

    Passes: the next tile of a known order is laid.
    Fails: another tile is laid, or none while one is left.
    """
    for fault in stack_faults(position, move):
        yield TURN_ORDER.finding(fault)
    if move.tile is None and move.followers:
        yield TURN_ORDER.finding("a turn without a tile has no segment for a follower")
    if move.scoring or move.extra_turns or move.declared or move.reveals:
        yield TURN_ORDER.finding("there are no wall tiles and no order of scoring in this game")
    tower = move.ransoms or move.pieces or move.captures or move.guards
    if tower and not book_of(position.game).actions:
        yield TURN_ORDER.finding(
            "there are no tower pieces, guards or prisoners in this game without The Tower"
        )


SETUP = (PLAYERS, FOLLOWERS, TILES, TRACK)
"""The rules about components that a position can break."""
