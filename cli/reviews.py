"""Games to be reviewed, their turns kept in a file so that a review can go on, their mistakes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from burgrave.cli import sources
from burgrave.cli.asking import Task, tried_all
from burgrave.cli.kept import Kept
from burgrave.cli.lines import play_line
from burgrave.cli.output import note, writable
from burgrave.cli.progress import Pace, ending, interrupts, watching
from burgrave.cli.render import json_estimates
from burgrave.cli.render.review import Game, turn_data
from burgrave.model.draws import as_seen
from burgrave.model.errors import QuestionError
from burgrave.model.files.paths import read_text
from burgrave.model.files.positions import Record
from burgrave.model.naming import times
from burgrave.model.notation import read_move, write_move
from burgrave.puzzles.files.puzzle_files import write_puzzle
from burgrave.puzzles.games.review import (
    ReviewedTurn,
    Stretch,
    as_reviewed,
    review,
    review_stretch,
    stretches,
)
from burgrave.puzzles.making.gathering import Folder
from burgrave.puzzles.making.mistakes import mistake_hints, puzzle_of, retried
from burgrave.puzzles.questions.wording import a_move
from burgrave.puzzles.words.tutor import Attempt
from burgrave.solver.limits import Limits
from burgrave.solver.pool import Pool
from burgrave.solver.workers.tasks import ordered


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
    line = play_line(record.position, record.moves, place=f"{name}: move ", read=read_move)
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
        FileError: the file keeps turns of another game or another review, or cannot be written.
        QuestionError: no file can be written there.

    """
    kept = kept_turns(game, playouts=playouts, seed=seed, file=keep)
    with watching() as reporter, interrupts() as interrupted:
        turns = review(
            game.turns,
            playouts=playouts,
            seed=seed,
            skip=len(from_the_first(kept)),
            budget=budget,
            reporter=reporter,
        )
        for turn in turns:
            if interrupted:
                # A proof that ended at Ctrl-C left the turn to an estimate.
                raise KeyboardInterrupt
            kept.add(turn.number, turn)
    return from_the_first(kept)


def reviewed_by(
    pool: Pool, game: Game, *, playouts: int, seed: int, keep: Path | None
) -> list[ReviewedTurn]:
    """Let workers review a game; arguments, result and errors are those of ``reviewed``."""
    kept = kept_turns(game, playouts=playouts, seed=seed, file=keep)
    work = partial(review_stretch, playouts=playouts, seed=seed)
    pace = Pace(wanted=len(game.turns), done=len(kept), name="turns")
    with closing(ordered(work, left(game, kept), pool)) as results:
        for done in results:
            keep_all(kept, done.result())
            pace.tell(len(kept))
    return from_the_first(kept)


def kept_turns(
    game: Game, *, playouts: int, seed: int, file: Path | None
) -> Kept[int, ReviewedTurn]:
    """Return the finished turns of a review by their numbers, in a file if that is wanted.

    Args:
        game: the game.
        playouts: for each turn.
        seed: of all chance.
        file: the file of finished turns; None to keep nothing.

    Raises:
        FileError: the file keeps turns of another game or another review.
        QuestionError: no file can be written there.

    """
    about = {"answers": "review", "game": digest_of(game), "playouts": playouts, "seed": seed}
    told, read = partial(turn_data, game), partial(turn_from, game)
    return Kept(file, about, key=str, told=told, read=read)


def from_the_first(kept: Kept[int, ReviewedTurn]) -> list[ReviewedTurn]:
    """Return the finished turns of a review before the first one that is not finished."""
    turns: list[ReviewedTurn] = []
    while (turn := kept.get(len(turns) + 1)) is not None:
        turns.append(turn)
    return turns


def left(game: Game, kept: Kept[int, ReviewedTurn], index: int = 0) -> Iterator[Stretch]:
    """Yield the stretches of a game, which has an index, with a turn that is not kept."""
    for one in stretches(index, game.turns, len(from_the_first(kept))):
        numbers = range(one.before + 1, one.before + len(one.turns) + 1)
        if any(kept.get(number) is None for number in numbers):
            yield one


def keep_all(kept: Kept[int, ReviewedTurn], turns: Iterable[ReviewedTurn]) -> None:
    """Keep turns.

    Raises:
        FileError: they cannot be written.

    """
    for turn in turns:
        kept.add(turn.number, turn)


def mistakes_of(turns: Sequence[ReviewedTurn], player: int | None) -> list[ReviewedTurn]:
    """Return the mistakes of one player or of all."""
    return [turn for turn in turns if turn.mistake and player in {None, turn.player}]


def places_ready(picture: Path | None, puzzles: Path | None, *, force: bool) -> None:
    """Refuse places that cannot get a picture or puzzles, before any work is done.

    Raises:
        FileError: the folder of puzzles cannot be made or written to.
        QuestionError: the file of the picture has another ending, is there, or cannot be made.

    """
    if picture is not None and picture.suffix.lower() != ".svg":
        raise QuestionError(f"--picture {picture}: name a file that ends in .svg")
    writable(picture, force=force)
    if puzzles is not None:
        Folder(puzzles).ready()


def write_puzzles(
    game: Game, mistakes: Sequence[ReviewedTurn], folder: Path, *, force: bool
) -> list[str]:
    """Write each mistake that makes a proved puzzle to a file.

    Args:
        game: the game.
        mistakes: turns with their values.
        folder: where to, as ``places_ready`` accepts it; it is made if it is not there.
        force: whether files are replaced.

    Returns:
        The ids of the puzzles.

    Raises:
        FileError: nothing can be written there.
        QuestionError: another puzzle with the same id is there.

    """
    store = Folder(folder)
    stem = re.sub(r"[^A-Za-z0-9]+", "-", Path(game.name).stem).strip("-") or "game"
    found = []
    with watching() as reporter:
        for turn in mistakes:
            reporter.stage(f"puzzle of turn {turn.number}")
            with ending():
                made = puzzle_of(turn, game.turns[turn.number - 1][0], stem)
            if made is None:
                continue
            file = store.file(made)
            if not force and file.exists() and read_text(file) != write_puzzle(made):
                raise QuestionError(f"{file}: the file exists; add --force to replace it")
            store.add(made)
            found.append(made.id)
    note(f"{times(len(mistakes), 'mistake')}, {times(len(found), 'puzzle')} written to {folder}")
    return found


def asked(
    game: Game, mistakes: Sequence[ReviewedTurn], *, playouts: int, seed: int, budget: Limits
) -> bool:
    """Let the user try mistakes again; return whether a better move was found for each."""
    if not mistakes:
        note("No move is marked as a mistake.")
    tasks = [
        _task(game, turn, partial(retried, playouts=playouts, seed=seed, budget=budget))
        for turn in mistakes
    ]
    return tried_all(tasks, "mistake")


def _task(game: Game, turn: ReviewedTurn, judge: Callable[..., Attempt]) -> Task:
    """Return a mistake as a task for the user."""
    position = game.turns[turn.number - 1][0]
    played, best = (write_move(position, move) for move in (turn.played, turn.best))
    sort = "proved" if turn.proved else "estimate"
    idea = [f"  It shows: {', '.join(turn.missed)}."] if turn.missed else []
    return Task(
        title=f"Turn {turn.number} of {game.name}",
        position=as_seen(position),
        question=(
            f"{game.players[turn.player]} played {played} and lost {turn.loss:.1f}"
            f" points of lead ({sort}). Which move is better?"
        ),
        form=a_move(position.game),
        hints=partial(mistake_hints, turn, position),
        attempt=partial(judge, position, played=turn.played, best=turn.best),
        solution=lambda: (
            f"  Best: {best}. {played} loses {turn.loss:.1f} points of lead ({sort}).",
            *idea,
        ),
    )


def digest_of(game: Game) -> str:
    """Return what tells games apart."""
    moves = "\n".join(write_move(position, move) for position, move in game.turns)
    return hashlib.sha256(f"{game.turns[0][0].game.id}\n{moves}".encode()).hexdigest()[:16]


def turn_from(game: Game, kept: Mapping[str, Any]) -> ReviewedTurn:
    """Return a turn of a game from its JSON keys, as a file keeps them.

    Raises:
        LookupError: the game has no such turn.
        ValueError: they are no turn, or another one.
        NotationError: its best move cannot be read.

    """
    from pydantic import TypeAdapter

    data = TypeAdapter(json_estimates.ReviewedTurn).validate_python(kept)
    position, played = game.turns[data["number"] - 1]
    known: dict[str, Any] = {
        **data,
        "played": as_reviewed(position, played),
        "best": read_move(position, data["best"]),
        "missed": tuple(data["missed"]),
    }
    turn = ReviewedTurn(**known)
    if turn_data(game, turn) != data or turn.number < 1:
        raise ValueError
    return turn
