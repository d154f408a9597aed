"""Puzzles on their way into a dataset and out of it, and what is told of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burgrave.cli import sources
from burgrave.cli.kept import lines_of
from burgrave.cli.output import note
from burgrave.cli.progress import in_stages
from burgrave.cli.render.puzzle_heads import entry_head
from burgrave.model.errors import FileError
from burgrave.model.files.paths import PathKind, path_kind, write_whole
from burgrave.model.naming import times
from burgrave.puzzles.files import library
from burgrave.puzzles.files.adding import Added, add
from burgrave.puzzles.files.datasets import Dataset, is_dataset, opened
from burgrave.puzzles.files.puzzle_files import load_puzzle, puzzle_data, read_puzzle
from burgrave.puzzles.judging.canonical import Match
from burgrave.puzzles.study.puzzle import Puzzle

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

_MOST_FAULTS = 20
"""Broken lines of a file that are told at most."""
_NAMED = 5
"""Puzzles that a sentence names at most."""
_ENDINGS = {".toml", ".json"}
"""Endings of files that hold one puzzle."""
_LIKE = {
    Match.SAME: "The position stands in {} as {}: {} ({})",
    Match.TURNED: "The position, turned or mirrored, stands in {} as {}: {} ({})",
    Match.LOOK: "The board, with other scores, supplies or tiles to come, stands in {} as {}:"
    " {} ({})",
}
"""By likeness the sentence about a puzzle: the place, its id, title and question."""


def added(path: Path, arguments: Sequence[str]) -> Added:
    """Add puzzles to a dataset, with progress on standard error.

    Args:
        path: the folder of the dataset, which is made if nothing is there.
        arguments: files, folders and other datasets with puzzles, ids and sets of shipped ones.

    Raises:
        BurgraveError: a puzzle cannot be read, or the dataset cannot be used; nothing is added.

    """
    with in_stages() as stages:
        found = add(path, _puzzles_in(arguments), lambda seen: stages.at(f"puzzles: {seen}"))
    if not found.alone:
        note(f"{path}: cannot be locked here; let no other run write to it.")
    return found


def added_data(found: Added) -> json_lists.AddedPuzzles:
    """Return what became of added puzzles, as JSON."""
    return {
        "dataset": str(found.dataset),
        "added": found.added,
        "present": found.present,
        "doubles": [{"id": one, "stands_as": there} for one, there in found.doubles],
        "renamed": found.renamed,
        "puzzles": found.puzzles,
    }


def added_text(found: Added) -> str:
    """Return what became of added puzzles, in words."""
    text = f"{times(found.added, 'puzzle')} added to {found.dataset}, which has {found.puzzles}."
    if found.present:
        some = found.doubles[:_NAMED]
        such = ", ".join(
            one if one == there else f"{one} (there as {there})" for one, there in some
        )
        more = found.present - len(some)
        text += (
            f"\n{times(found.present, 'puzzle')} not added, since the position with this question"
            f" is there already: {such}{f' and {more} more' if more else ''}."
        )
    if found.renamed:
        text += f"\n{times(found.renamed, 'puzzle')} got another id, since another one has theirs."
    return text


def _puzzles_in(arguments: Iterable[str]) -> Iterator[Puzzle]:
    """Yield the puzzles of all arguments, one after the other."""
    for argument in arguments:
        path = Path(argument)
        if is_dataset(path):
            for text in opened(path).texts({}):
                yield read_puzzle(argument, text)
        elif path_kind(path) is PathKind.FOLDER:
            yield from _in_folder(path)
        elif path.suffix.lower() == ".jsonl":
            yield from _in_lines(path)
        else:
            yield from sources.puzzles(argument)


def _in_folder(path: Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a folder, by the names of their files.

    Raises:
        FileError: it holds none, or a file is none.

    """
    files = sorted(one for one in path.iterdir() if one.suffix.lower() in _ENDINGS)
    if not files:
        raise FileError(str(path), ["holds no puzzles: no file there ends in .toml or .json"])
    yield from map(load_puzzle, files)


def _in_lines(path: Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a file, each a line; more lines are looked at before an error.

    Raises:
        FileError: it is empty, or lines hold no puzzle; the first problems.

    """
    faults: list[str] = []
    empty = True
    for number, line in enumerate(lines_of(path), start=1):
        if not line.strip():
            continue
        empty = False
        puzzle = _of_line(path, number, line, faults)
        if puzzle is not None and not faults:
            yield puzzle
        if len(faults) >= _MOST_FAULTS:
            break
    if faults or empty:
        raise FileError(str(path), faults[:_MOST_FAULTS] or ["is empty"])


def _of_line(path: Path, number: int, line: bytes, faults: list[str]) -> Puzzle | None:
    """Return the puzzle of a line; None if it holds none, and then its problems are added."""
    try:
        return read_puzzle(str(path), line.decode("utf-8"))
    except UnicodeDecodeError as error:
        faults.append(f"line {number}: byte {error.start} is not UTF-8 text")
    except FileError as error:
        faults += [f"line {number}: {problem}" for problem in error.problems]
    return None


def write_found(path: Path, texts: Iterable[str]) -> int:
    """Write puzzles to a file, each a line, and return how many they were.

    Raises:
        FileError: it cannot be written; what was there is untouched.

    """
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        for text in texts:
            count += 1
            yield f"{text}\n".encode()

    write_whole(path, lines())
    return count


def shipped_texts(entries: Iterable[library.Entry]) -> Iterator[str]:
    """Yield shipped puzzles as files, each JSON in one line."""
    return (json.dumps(puzzle_data(library.puzzle(entry))) for entry in entries)


def like(argument: str, dataset: Dataset | None) -> tuple[list[json_lists.LikePuzzle], str]:
    """Return the puzzles whose position is like another one, as JSON and in sentences.

    Args:
        argument: names the position.
        dataset: the dataset that is searched; None for the shipped puzzles.

    Raises:
        BurgraveError: the position or the dataset cannot be read.

    """
    position = sources.position(argument)
    where = "the shipped puzzles" if dataset is None else str(dataset.path)
    found = library.alike(position) if dataset is None else dataset.alike(position)
    data: list[json_lists.LikePuzzle] = [
        {**entry_head(one), "match": match.value} for one, match in found
    ]
    lines = [_LIKE[match].format(where, one.id, one.title, one.question) for one, match in found]
    exact = any(match is not Match.LOOK for _, match in found)
    if not exact:
        lines.insert(0, f"The position does not stand in {where}, nor turned or mirrored.")
    return data, "\n".join(lines)
