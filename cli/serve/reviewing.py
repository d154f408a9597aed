"""Records of games that the page opens and reviews."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from typing import Any

from burgrave.cli.drawings import game_drawing, link
from burgrave.cli.render.review import Game, turn_data
from burgrave.cli.reviews import game_from, turn_from
from burgrave.cli.serve.bodies import HarvestBody, RecordBody, ReviewBody
from burgrave.cli.serve.catalogue import PASTED
from burgrave.cli.serve.limits import MOST_RECORDED, MOST_TILES
from burgrave.cli.serve.steps import step
from burgrave.cli.sources import record_from
from burgrave.model.draws import as_seen
from burgrave.model.engine import play
from burgrave.model.errors import NotationError, QuestionError
from burgrave.puzzles.files.puzzle_files import puzzle_data
from burgrave.puzzles.games.review import review
from burgrave.puzzles.making.mistakes import puzzle_of
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


def linked_record(site: str | None, body: RecordBody) -> dict[str, Any]:
    """Return the address at which a published copy shows a record.

    Args:
        site: the address of the copy; None if the page knows none.
        body: the record.

    Raises:
        BurgraveError: it cannot be read, a move in it is illegal, or it has tiles of its own.
        QuestionError: the page knows no copy.

    """
    return {"url": link(site, game_drawing(_game(body.text)))}


def opened_record(body: RecordBody) -> dict[str, Any]:
    """Return the turns of a record, each with the position before and after it.

    The positions are those that the players saw: what came later is in the bag.

    Raises:
        BurgraveError: it cannot be read, or a move in it is illegal.

    """
    game = _game(body.text)
    return {
        "title": game.title,
        "players": list(game.turns[0][0].game.players),
        "turns": [
            step(position, move, play(position, move), as_seen) for position, move in game.turns
        ],
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


def harvested(ask: HarvestBody, reporter: Reporter) -> dict[str, Any]:
    """Make puzzles of mistakes of a reviewed game.

    Args:
        ask: the game, and the turns that were mistakes, as its review told them.
        reporter: hears about progress.

    Returns:
        The puzzles that two engines proved, as the text of a set.

    Raises:
        BurgraveError: the game cannot be read, or a turn is none of its review.

    """
    game = _game(ask.text)
    made = []
    for keys in ask.turns:
        number = keys.get("number")
        try:
            turn = turn_from(game, keys)
        except (ValueError, LookupError, NotationError):
            raise QuestionError(f"turn {number} is not a turn of a review of this game") from None
        reporter.stage(f"turn {number}")
        puzzle = puzzle_of(turn, game.turns[turn.number - 1][0], "game")
        made += [] if puzzle is None else [json.dumps(puzzle_data(puzzle))]
    return {"puzzles": len(made), "text": "".join(f"{line}\n" for line in made)}


def sample() -> dict[str, Any]:
    """Return the record of a game for users who have none at hand, with the turns of its review.

    ``python -m benchmarks.sample_review`` finds the review anew.
    """
    folder = resources.files("burgrave.cli.serve")
    lines = (folder / "sample_review.jsonl").read_text(encoding="utf-8").splitlines()
    return {
        "text": (folder / "sample.toml").read_text(encoding="utf-8"),
        "reviewed": [json.loads(line) for line in lines],
    }
