"""Records of games that the page opens and reviews."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burgrave.cli.render.review import Game, turn_data
from burgrave.cli.reviews import game_from
from burgrave.cli.serve.bodies import RecordBody, ReviewBody
from burgrave.cli.serve.catalogue import PASTED
from burgrave.cli.serve.limits import MOST_RECORDED, MOST_TILES
from burgrave.cli.serve.steps import step
from burgrave.cli.sources import record_from
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.puzzles.games.review import review
from burgrave.solver.limits import Limits, Reporter


def _game(text: str) -> Game:
    """Read a record or a save of JCloisterZone.

    Raises:
        BurgraveError: it cannot be read, is too large for the page, or a move in it is illegal.

    """
    read = record_from(PASTED, text)
    if len(read.moves) > MOST_RECORDED or len(read.position.tiles) > MOST_TILES:
        raise QuestionError(f"{len(read.moves)} turns: this page takes {MOST_RECORDED}")
    return game_from(PASTED, read)


def opened_record(body: RecordBody) -> dict[str, Any]:
    """Return the turns of a record, each with the position before and after it.

    Raises:
        BurgraveError: it cannot be read, or a move in it is illegal.

    """
    game = _game(body.text)
    return {
        "title": game.title,
        "players": list(game.turns[0][0].game.players),
        "turns": [step(position, move, play(position, move)) for position, move in game.turns],
    }


def reviewed(
    ask: ReviewBody, reporter: Reporter, told: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Review a game, turn by turn.

    Args:
        ask: the question.
        reporter: hears about progress.
        told: is given the JSON keys of each turn once it is reviewed.

    Returns:
        How many turns the game has.

    Raises:
        BurgraveError: the game cannot be read, or the compiled search does not know something
            in it.

    """
    game = _game(ask.text)
    budget = Limits(seconds=ask.seconds, jobs=1)
    for turn in review(
        game.turns, playouts=ask.playouts, skip=ask.skip, budget=budget, reporter=reporter
    ):
        told(dict(turn_data(game, turn)))
    return {"turns": len(game.turns)}
