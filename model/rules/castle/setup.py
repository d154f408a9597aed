"""The components of The Castle, and positions that cannot arise in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.draws import stack_faults
from burgrave.model.position import Move, Position
from burgrave.model.registry import BASES
from burgrave.model.rule import Finding, rule
from burgrave.model.standing import surplus_tiles
from burgrave.model.switches import START_SPACE_IN_KEEP

RULEBOOK = "Carcassonne: The Castle, rulebook (Rio Grande Games, 2003)"
_CONTENTS = f"{RULEBOOK}, 'Contents'"
_SETUP = f"{RULEBOOK}, 'Preparation'"
NAMES = BASES["castle"].players
"""The players in a castle."""
WALL_TILE_NUMBERS = range(1, 10)


@rule("castle.setup.players", f"{RULEBOOK}, title page")
def PLAYERS(position: Position) -> Iterator[Finding]:
    """The game is for exactly two players, White and Black.

    Passes: a position with White and Black.
    Fails: a position with a third player, or a turn of nobody.
    """
    number = len(position.players)
    if position.game.players != NAMES or number != len(NAMES):
        yield PLAYERS.finding(f"{number} players: this game is for White and Black", at="players")
    elif position.to_move not in START_PLAYER(position):
        yield PLAYERS.finding(f"player {position.to_move} is not in the game", at="to_move")


@rule("castle.setup.start", _SETUP)
def START_PLAYER(position: Position) -> Sequence[int]:
    """The players agree who begins.

    Passes: Black moves first.
    Fails: a turn of nobody.
    """
    return range(len(position.players))


@rule("castle.setup.followers", _SETUP)
def FOLLOWERS(position: Position) -> Iterator[Finding]:
    """Each player has 7 followers; one is the scoring marker, so 6 can be placed.

    A study may leave followers out; none may have more than 6.

    Passes: 2 in the supply and 4 on the board.
    Fails: 3 in the supply and 4 on the board.
    """
    most = position.game.followers
    for index, state in enumerate(position.players):
        on_board = sum(
            follower.player == index and follower.rank is Rank.FOLLOWER
            for follower in position.followers
        )
        total = state.supply + state.fresh_followers + on_board
        name = position.game.players[index]
        if total > most:
            yield FOLLOWERS.finding(
                f"{position.game.name(index)} has {total} followers ({state.supply} in the supply,"
                f" {on_board} on the board) and the game gives him {most}",
                at=f"{name}.supply",
            )


@rule("castle.setup.keep", _SETUP, START_SPACE_IN_KEEP)
def KEEPS(position: Position) -> Iterator[Finding]:
    """Each player has one keep, which stands on the largest house that he has scored.

    Its size counts start spaces too (switch ``start_space_in_keep``).

    Passes: a keep of 5 tiles.
    Fails: a keep larger than the castle.
    """
    board = position.game.board
    counted = position.game.value(START_SPACE_IN_KEEP) == "on"
    most = len(board.cells) + (len(board.starts) if counted else 0)
    most *= book_of(position.game).keep_times(position.game)
    for index, state in enumerate(position.players):
        if not 0 <= state.keep <= most:
            yield KEEPS.finding(
                f"{position.game.name(index)}'s keep counts {state.keep} tiles; 0 to {most} are"
                " possible",
                at=f"{position.game.players[index]}.keep",
            )


@rule("castle.setup.tiles", _CONTENTS)
def TILES(position: Position) -> Iterator[Finding]:
    """The game has its tiles once each, face down; a drawn tile is public.

    From which of the stacks a tile is drawn changes nothing.

    Passes: a kind of which the set has two lies on the board and in the bag.
    Fails: it lies on the board, in the bag and in the known order.
    """
    for fault in surplus_tiles(position):
        yield TILES.finding(fault, at="board")


@rule("castle.setup.wall-tiles", _SETUP)
def WALL_TILES_SETUP(position: Position) -> Iterator[Finding]:
    """There are 18 wall tiles, two of each number from 1 to 9.

    One lies face down on each of the 13 corner towers other than 0/1; the other 5 leave
    the game unseen.

    Passes: a tile 4 on tower 12/13 and a tile 4 in hand.
    Fails: three tiles 4, or a tile on tower 0/1.
    """
    seats = {tower.name for tower in position.game.board.towers if tower.holds_tile}
    for name, number in position.towers:
        if name not in seats:
            yield WALL_TILES_SETUP.finding(
                f"no wall tile can lie on tower {name}", at=f"towers.{name}"
            )
        if number and number not in WALL_TILE_NUMBERS:
            yield WALL_TILES_SETUP.finding(f"there is no wall tile {number}", at=f"towers.{name}")
    seen = Counter(number for _, number in position.towers)
    seen.update(position.spent)
    for state in position.players:
        seen.update((*state.wall_tiles, *state.fresh_wall_tiles))
    for number, times in sorted(seen.items()):
        if number and number not in WALL_TILE_NUMBERS:
            yield WALL_TILES_SETUP.finding(f"there is no wall tile {number}", at="wall_tiles")
        elif number and times > 2:  # noqa: PLR2004
            yield WALL_TILES_SETUP.finding(
                f"wall tile {number} is there {times} times; there are two", at="wall_tiles"
            )
    if seen.total() > len(seats):
        yield WALL_TILES_SETUP.finding(
            f"{seen.total()} wall tiles are in the game; {len(seats)} are dealt", at="wall_tiles"
        )


@rule("castle.setup.track", _SETUP)
def TRACK(position: Position) -> Iterator[Finding]:
    """The track has 100 spaces, 0 to 99; a marker that passes 99 continues from 0.

    A score is the laps times 100 plus the space.

    Passes: 98 and 4 points make 102, on space 2.
    Fails: a score below 0.
    """
    for index, state in enumerate(position.players):
        if state.score < 0:
            yield TRACK.finding(
                f"{position.game.name(index)} has {state.score} points",
                at=f"{position.game.players[index]}.score",
            )


@rule("castle.turn.order", f"{RULEBOOK}, 'Playing the game'")
def TURN_ORDER(position: Position, move: Move) -> Iterator[Finding]:
    """A turn is: draw and place a tile, perhaps a follower, score, take wall tiles.

    Features are scored one at a time, and a marker that lands on a corner tower takes its
    tile before the next one is scored. Followers go home at the end of the turn. The tile
    is the one drawn, and only a turn for which no tile is left goes without one.

    Passes: the next tile of a known order is laid.
    Fails: another tile is laid, or none while one is left.
    """
    for fault in stack_faults(position, move):
        yield TURN_ORDER.finding(fault)
    if move.tile is None and (move.followers or move.scoring or move.extra_turns):
        yield TURN_ORDER.finding(
            "a turn without a placement has no follower, no scoring and no wall tile"
        )


SETUP = (PLAYERS, FOLLOWERS, KEEPS, TILES, WALL_TILES_SETUP, TRACK)
"""The rules about components that a position can break."""
