"""Games of Carcassonne from the first tile on, as other programs record them and read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.engine import play
from burgrave.model.errors import BurgraveError, QuestionError
from burgrave.model.files.games import first_tiles, shipped_tiles
from burgrave.model.files.positions import Record
from burgrave.model.games import Game
from burgrave.model.notation import read_move
from burgrave.model.position import Move, Position
from burgrave.model.registry import CARCASSONNE


def begun(game: Game) -> Position:
    """Return the position before the first draw, with all tiles but the first in the bag."""
    (start,) = first_tiles(game)
    bag = list(game.tile_set.all_tiles())
    bag.remove(start.kind.id)
    return Position(
        game=game,
        tiles=(start,),
        players=(book_of(game).fresh(game),) * len(game.players),
        bag=tuple(bag),
    )


def whole_turns(record: Record, program: str) -> Iterator[tuple[Position, Move, Position]]:
    """Yield each turn of a game: the position before it, the move, and the position after it.

    Args:
        record: a game of Carcassonne without an expansion, from its first turn on.
        program: the program for which it is written, for errors.

    Raises:
        QuestionError: it is another game, it begins otherwise, or a move is illegal.

    """
    at = record.position
    if at.game.id != CARCASSONNE or at.game.tile_set != shipped_tiles(CARCASSONNE):
        raise QuestionError(
            f"{program} has the printed tiles of Carcassonne alone; this is"
            f" {at.game.title}{' with tiles of its own' if at.game.id == CARCASSONNE else ''}"
        )
    if at != replace(begun(at.game), order=at.order, bag=at.bag):
        raise QuestionError(
            f"a game for {program} begins before the first turn, with the first tile alone on the"
            " table and all followers in hand; this record begins otherwise"
        )
    for number, text in enumerate(record.moves, start=1):
        try:
            move = read_move(at, text)
            after = play(at, move).position
        except BurgraveError as error:
            fault = f"move {number} is illegal: burgrave replay says why"
            raise QuestionError(fault) from error
        yield at, move, after
        at = after
