"""Many games reviewed in order, each kept as it is finished; a broken one is named."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from burgrave.cli.kept import Kept
from burgrave.cli.output import note
from burgrave.cli.progress import Pace, interrupts
from burgrave.cli.render.review import Game
from burgrave.cli.reviews import digest_of, from_the_first, game_of, keep_all, kept_turns, left
from burgrave.model.errors import BurgraveError, FileError, QuestionError
from burgrave.model.files.paths import PathKind, path_kind, reason
from burgrave.model.naming import times
from burgrave.puzzles.games.review import ReviewedTurn, Stretch, review_stretch
from burgrave.solver.pool import Pool
from burgrave.solver.workers.tasks import Done, in_words, ordered

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


@dataclass(slots=True, kw_only=True)
class _Begun:
    """A game under review."""

    name: str
    left: int = 0
    """Stretches that are not reviewed yet."""
    known: bool = True
    """Whether there is nothing to review: every turn is kept, or the game cannot be read."""
    game: Game | None = None
    """None if it cannot be read."""
    kept: Kept[int, ReviewedTurn] | None = None
    """None likewise."""
    error: str = ""


@dataclass(slots=True, kw_only=True)
class _Line:
    """The games under review, in order."""

    names: Sequence[str]
    playouts: int
    seed: int
    keep: Callable[[Game], Path | None]
    pace: Pace
    games: deque[_Begun] = field(default_factory=deque)
    ended: int = 0

    def stretches(self) -> Iterator[Stretch]:
        """Read the games, and yield the stretches that are not kept yet."""
        for index, name in enumerate(self.names):
            begun = _Begun(name=name)
            self.games.append(begun)
            try:
                game = game_of(name)
                begun.kept = kept_turns(
                    game, playouts=self.playouts, seed=self.seed, file=self.keep(game)
                )
                begun.game = game
            except BurgraveError as error:
                begun.error = str(error)
                continue
            todo = [*left(game, begun.kept, index)]
            begun.left, begun.known = len(todo), not todo
            yield from todo

    def add(self, done: Done[Stretch, list[ReviewedTurn]]) -> None:
        """Keep the turns of the next stretch, or note the error of its game."""
        begun = self.games[0]
        assert begun.kept is not None
        begun.left -= 1
        if done.error is not None:
            begun.error = begun.error or f"{begun.name}: {in_words(done.error)}"
        elif not begun.error:
            keep_all(begun.kept, done.result())
        self.pace.tell(self.ended, f"{begun.name}: turn {len(begun.kept)}")

    def finished(self) -> Iterator[tuple[Game, list[ReviewedTurn]] | LeftOut]:
        """Take the first games out of the line, until one has a stretch to come."""
        while self.games and not self.games[0].left:
            begun = self.games.popleft()
            self.ended += 1
            # The speed is that of reviews: what was known at the beginning took no time.
            self.pace.done += begun.known
            at = f"{self.ended} of {len(self.names)}"
            if begun.game is None or begun.kept is None or begun.error:
                note(f"{at}: left out: {begun.error}")
                yield LeftOut(name=begun.name, error=begun.error)
            else:
                turns = from_the_first(begun.kept)
                told = times(len(turns), "turn")
                note(f"{at}: {begun.name}, {told}{self.pace.rate(self.ended)}")
                yield begun.game, turns


def review_all(
    names: Sequence[str],
    *,
    playouts: int,
    seed: int,
    keep: Callable[[Game], Path | None],
    pool: Pool | None,
) -> Generator[tuple[Game, list[ReviewedTurn]] | LeftOut, None, None]:
    """Yield games with their reviewed turns, in order; tell on standard error how far it is.

    Args:
        names: the games.
        playouts: for each turn.
        seed: of all chance.
        keep: returns the file of the finished turns of a game; None to keep nothing.
        pool: the workers that review stretches of games; None for this process.

    Raises:
        FileError: finished turns cannot be written.
        WorkersError: the workers are gone.

    """
    pace = Pace(wanted=len(names), name="games")
    line = _Line(names=names, playouts=playouts, seed=seed, keep=keep, pace=pace)
    work = partial(review_stretch, playouts=playouts, seed=seed)
    with interrupts() as interrupted, closing(ordered(work, line.stretches(), pool)) as results:
        for done in results:
            if interrupted:
                # A proof that ended at Ctrl-C left the turn to an estimate.
                raise KeyboardInterrupt
            yield from line.finished()
            line.add(done)
            yield from line.finished()
    yield from line.finished()


def kept_in(folder: Path | None) -> Callable[[Game], Path | None]:
    """Return what names the file of a game's finished turns in a folder; None to keep nothing."""
    return lambda game: (
        None if folder is None else folder / f"{_stem(game.name)}-{digest_of(game)}.jsonl"
    )


def _stem(name: str) -> str:
    """Return the part of a game's name that the file of its review has."""
    stem = "".join(one if one.isalnum() else "-" for one in Path(name).stem)
    return stem[:40].strip("-") or "game"
