"""Many games reviewed in order, each kept as it is finished; a broken one is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from burgrave.cli.output import note
from burgrave.cli.render.review import Game
from burgrave.cli.reviews import digest_of, game_of, reviewed
from burgrave.model.errors import BurgraveError, FileError, QuestionError
from burgrave.model.files.paths import PathKind, path_kind, reason
from burgrave.model.naming import times
from burgrave.puzzles.games.review import ReviewedTurn
from burgrave.solver.limits import Limits

ENDINGS = frozenset({".toml", ".json", ".jcz", ".txt"})
"""Endings of the files of a folder that are taken for games: records, saves, logs, links."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A game that cannot be reviewed."""

    name: str
    error: str


def listed(arguments: Sequence[str]) -> list[str]:
    """Return the games that arguments name; a folder stands for the games in it, by name.

    Raises:
        QuestionError: a folder holds no game.
        FileError: a folder cannot be read.

    """
    found = []
    for argument in arguments:
        folder = Path(argument)
        if argument and argument != "-" and path_kind(folder) is PathKind.FOLDER:
            files = _files(folder)
            if not files:
                endings = ", ".join(sorted(ENDINGS))
                raise QuestionError(f"{argument}: no file in this folder ends in {endings}")
            found += files
        else:
            found.append(argument)
    return found


def is_folder(argument: str) -> bool:
    """Tell whether an argument names a folder."""
    return bool(argument) and path_kind(Path(argument)) is PathKind.FOLDER


def _files(folder: Path) -> list[str]:
    """Return the games of a folder, by name."""
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise FileError(str(folder), [f"cannot be read: {reason(error)}"]) from error
    return [
        str(file)
        for file in inside
        if file.suffix.lower() in ENDINGS
        and not file.name.startswith(".")
        and path_kind(file) is PathKind.FILE
    ]


def ready(folder: Path | None) -> None:
    """Make the folder of kept reviews if it is not there.

    Raises:
        FileError: it cannot be made.

    """
    if folder is None:
        return
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        told = "name a folder in which reviews are kept, one file a game"
        raise FileError(str(folder), [f"cannot be a folder: {reason(error)}; {told}"]) from error


def review_all(
    names: Sequence[str], *, playouts: int, seed: int, budget: Limits, keep: Path | None
) -> Iterator[tuple[Game, list[ReviewedTurn]] | LeftOut]:
    """Yield games with their reviewed turns, in order; tell on standard error how far it is.

    Args:
        names: the games.
        playouts: for each turn.
        seed: of all chance.
        budget: the threads.
        keep: the folder in which each game has a file of its finished turns; None for none.

    """
    for index, name in enumerate(names, start=1):
        try:
            game = game_of(name)
            file = None if keep is None else keep / f"{_stem(name)}-{digest_of(game)}.jsonl"
            turns = reviewed(game, playouts=playouts, seed=seed, budget=budget, keep=file)
        except BurgraveError as error:
            note(f"{index} of {len(names)}: left out: {error}")
            yield LeftOut(name=name, error=str(error))
        else:
            note(f"{index} of {len(names)}: {name}, {times(len(turns), 'turn')}")
            yield game, turns


def _stem(name: str) -> str:
    """Return the part of a game's name that the file of its review has."""
    stem = "".join(one if one.isalnum() else "-" for one in Path(name).stem)
    return stem[:40].strip("-") or "game"
