"""Games to be reviewed, and finished turns kept in a file so that a review can go on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from cli import sources
from cli.lines import play_line
from cli.progress import watching
from cli.render.review import Game, turn_data
from model.errors import FileError, QuestionError
from model.files.paths import read_text
from model.files.positions import Record
from model.notation import read_move, write_move
from puzzles.review import ReviewedTurn, review
from solver.limits import Limits


def game_of(argument: str) -> Game:
    """Read a record or a saved game.

    Raises:
        BurgraveError: it cannot be read, or a move in it is illegal.

    """
    return game_from(*sources.record(argument))


def game_from(name: str, record: Record) -> Game:
    """Play a record.

    Args:
        name: what errors call it.
        record: the record.

    Raises:
        QuestionError: a move in it is illegal, or it has none.

    """
    line = play_line(record.position, record.moves, place=f"{name}: move ")
    if line.refused:
        raise QuestionError(
            f"{name}: move {len(line.turns) + 1} is illegal; burgrave replay says why"
        )
    if not line.turns:
        raise QuestionError(f"{name}: no move was played")
    before = [line.start, *(turn.played.position for turn in line.turns)]
    turns = tuple(
        (position, read_move(position, turn.notation))
        for position, turn in zip(before, line.turns, strict=False)
    )
    return Game(name=name, title=record.title or "", turns=turns)


def reviewed(
    game: Game, *, playouts: int, seed: int, budget: Limits, keep: Path | None
) -> list[ReviewedTurn]:
    """Review a game, each finished turn being kept if that is wanted.

    Args:
        game: the game.
        playouts: for each turn.
        seed: of all chance.
        budget: the threads.
        keep: the file of finished turns; None to keep nothing.

    Raises:
        FileError: the file keeps turns of another game or another review.

    """
    head = {"review": _digest(game), "playouts": playouts, "seed": seed}
    done = [] if keep is None else _kept(keep, head, game)
    if keep is not None and not done:
        keep.write_text(json.dumps(head) + "\n", encoding="utf-8")
    with watching() as reporter:
        turns = review(
            game.turns,
            playouts=playouts,
            seed=seed,
            skip=len(done),
            budget=budget,
            reporter=reporter,
        )
        for turn in turns:
            done.append(turn)
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(turn_data(game, turn)) + "\n")
    return done


def _digest(game: Game) -> str:
    """Return what tells games apart."""
    moves = "\n".join(write_move(position, move) for position, move in game.turns)
    return hashlib.sha256(f"{game.turns[0][0].game.id}\n{moves}".encode()).hexdigest()[:16]


def _kept(file: Path, head: dict[str, Any], game: Game) -> list[ReviewedTurn]:
    """Return the turns that a file keeps; none if there is no such file."""
    if not file.exists():
        return []
    lines = read_text(file).splitlines()
    try:
        data = [json.loads(line) for line in lines]
    except ValueError as error:
        raise FileError(str(file), [f"is not a review that can go on: {error}"]) from error
    if not data or data[0] != head:
        raise FileError(str(file), ["keeps the review of another game, or with other options"])
    return [_turn(game, one) for one in data[1:]]


def _turn(game: Game, data: dict[str, Any]) -> ReviewedTurn:
    """Return a turn that a file keeps."""
    position = game.turns[data["number"] - 1][0]
    known = {field.name: data[field.name] for field in fields(ReviewedTurn)}
    known |= {
        "played": read_move(position, data["played"]),
        "best": read_move(position, data["best"]),
        "missed": tuple(data["missed"]),
    }
    return ReviewedTurn(**known)
