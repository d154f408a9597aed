"""Puzzles gathered from candidates in their order, kept in a folder or a file as they come.

The kept puzzles record the progress. A new run continues after the last accepted candidate and
finds the same puzzles.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Protocol

from burgrave.model.errors import BurgraveError, FileError, QuestionError
from burgrave.model.files.paths import (
    MANY_BYTES,
    PathKind,
    path_kind,
    probe,
    read_text,
    reason,
    write_whole,
)
from burgrave.puzzles.files.puzzle_files import (
    load_puzzle,
    puzzle_data,
    read_puzzle,
    read_puzzles,
    write_puzzle,
)
from burgrave.puzzles.judging.canonical import form
from burgrave.puzzles.study.puzzle import Origin, Puzzle
from burgrave.solver.pool import Pool
from burgrave.solver.workers.tasks import in_words, ordered

BEGINNING = '{"burgrave": 1, "type": "puzzle", '
"""Beginning of a line in a file of puzzles; other lines are never cut off."""


class Maker(Protocol):
    """A wish for puzzles, which other processes can receive."""

    def origin(self, index: int) -> Origin:
        """Return the provenance in the puzzle of a number."""

    def candidate(self, index: int) -> Puzzle | None:
        """Return the puzzle of a number, if there is one."""


class Store(Protocol):
    """The store of puzzles."""

    @property
    def lock(self) -> Path:
        """The file that a run locks while it writes there."""

    def read(self) -> list[Puzzle]:
        """Return the puzzles that are there already, in the order of their numbers."""

    def ready(self) -> None:
        """Refuse a place that cannot be written; else cut off a half-written end."""

    def add(self, puzzle: Puzzle) -> None:
        """Keep a puzzle, whole or not at all."""

    def file(self, puzzle: Puzzle) -> Path:
        """Return the file in which a puzzle is kept."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A file with a puzzle on each line, as JSON."""

    path: Path

    @property
    def lock(self) -> Path:
        """The file that a run locks while it writes there: not the file itself, which is read."""
        return self.path.with_name(f".{self.path.name}.lock")

    def read(self) -> list[Puzzle]:
        """Return the puzzles of the file, without half a line at its end.

        Raises:
            FileError: a line holds no puzzle.

        """
        if path_kind(self.path) is PathKind.NOTHING:
            return []
        text = read_text(self.path, MANY_BYTES)
        end = text.rfind("\n") + 1
        half = text[end:]
        if not (half.startswith(BEGINNING) or BEGINNING.startswith(half)):
            raise FileError(str(self.path), ["the last line is no puzzle, nor the half of one"])
        return read_puzzles(str(self.path), text[:end])

    def ready(self) -> None:
        """Cut off half a line, which an interrupted run has left.

        Raises:
            FileError: the file cannot be written.

        """
        if path_kind(self.path) is PathKind.NOTHING:
            probe(self.path.parent)
            return
        try:
            with self.path.open("r+b") as file:
                file.truncate(file.read().rfind(b"\n") + 1)
        except OSError as error:
            raise FileError(str(self.path), [f"cannot be written: {reason(error)}"]) from error

    def add(self, puzzle: Puzzle) -> None:
        """Add a line.

        Raises:
            FileError: it cannot be written.

        """
        # In ASCII, so that half a line is text too.
        line = json.dumps(puzzle_data(puzzle)) + "\n"
        try:
            with self.path.open("a", encoding="ascii", newline="\n") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise FileError(str(self.path), [f"cannot be written: {reason(error)}"]) from error

    def file(self, puzzle: Puzzle) -> Path:  # noqa: ARG002 -- one file for all
        """Return the file in which a puzzle is kept."""
        return self.path


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with a file for each puzzle, named by its id."""

    path: Path

    @property
    def lock(self) -> Path:
        """The file that a run locks while it writes there."""
        return self.path / ".lock"

    def read(self) -> list[Puzzle]:
        """Return the puzzles of the folder.

        Raises:
            FileError: a file holds no puzzle.

        """
        if path_kind(self.path) is not PathKind.FOLDER:
            return []
        kept = [load_puzzle(path) for path in sorted(self.path.glob("*.toml"))]
        return sorted(kept, key=lambda puzzle: puzzle.origin.index if puzzle.origin else -1)

    def ready(self) -> None:
        """Look whether the folder can be written to, or be made.

        Raises:
            FileError: it cannot.

        """
        above = (self.path, *self.path.absolute().parents)
        probe(next(path for path in above if path_kind(path) is not PathKind.NOTHING))

    def add(self, puzzle: Puzzle) -> None:
        """Write a file, which is there whole or not at all.

        Raises:
            FileError: it cannot be written.

        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(str(self.path), [f"cannot be made: {reason(error)}"]) from error
        write_whole(self.file(puzzle), write_puzzle(puzzle))

    def file(self, puzzle: Puzzle) -> Path:
        """Return the file in which a puzzle is kept."""
        return self.path / f"{puzzle.id}.toml"


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a candidate."""

    index: int
    puzzle: Puzzle | None


def begun(wish: Maker, store: Store) -> list[Puzzle]:
    """Return the puzzles of an earlier run of the same wish, to continue it.

    Raises:
        QuestionError: the store holds puzzles of another run.
        FileError: nothing can be kept there.

    """
    kept = store.read()
    for puzzle in kept:
        origin = puzzle.origin
        asked = wish.origin(0 if origin is None else origin.index)
        if origin != asked:
            by = "" if origin is None else f", but for {origin.words}; wanted is {asked.words}"
            raise QuestionError(
                f"{store.file(puzzle)}: the puzzle {puzzle.id} is there already and was not made by"
                f" this command{by}:"
                " give another place, or the same options as before"
            )
    store.ready()
    return kept


def gather(
    wish: Maker, kept: list[Puzzle], pool: Pool | None = None
) -> Generator[Found, None, None]:
    """Yield the results of the candidates after the kept ones, in order, without end.

    A puzzle that nearly is one that was accepted before comes as none.

    Args:
        wish: the wish.
        kept: the puzzles that are there already.
        pool: the workers that make candidates; None for this process, which is not to be
            interrupted: searches treat Ctrl-C as the end of their time, so that the candidate would
            count as one without a puzzle.

    Raises:
        BurgraveError: a candidate failed. No later one is tried, since the puzzles would be others.

    """
    seen = {form(puzzle.position) for puzzle in kept}
    first = max((p.origin.index for p in kept if p.origin is not None), default=-1) + 1
    for done in ordered(partial(_text, wish), count(first), pool):
        if done.error is not None:
            told = f"candidate {done.item}: {in_words(done.error)}; what is finished is kept"
            raise BurgraveError(told) from done.error
        puzzle = read_puzzle("candidate", done.value) if done.value else None
        if puzzle is None or form(puzzle.position) in seen:
            yield Found(done.item, None)
        else:
            seen.add(form(puzzle.position))
            yield Found(done.item, puzzle)


def _text(wish: Maker, index: int) -> str:
    """Return a candidate as a file, in which form it goes from process to process."""
    puzzle = wish.candidate(index)
    return "" if puzzle is None else write_puzzle(puzzle, as_json=True)
