"""Puzzles added to a dataset: each position once, all of them or none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from burgrave.model.components import Node
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.features import position_features
from burgrave.model.files.locks import locked
from burgrave.model.files.paths import PathKind, path_kind, probe, reason, write_whole
from burgrave.model.files.toml import FORMAT
from burgrave.model.naming import quoted
from burgrave.model.notation import read_move
from burgrave.model.position import Move
from burgrave.model.words import read_node
from burgrave.puzzles.files.dataset_rows import arrow_schema
from burgrave.puzzles.files.datasets import (
    MANIFEST,
    Dataset,
    PartitionEntry,
    entry_of,
    is_dataset,
    opened,
)
from burgrave.puzzles.files.parquet import arrow, duckdb
from burgrave.puzzles.files.puzzle_files import puzzle_data
from burgrave.puzzles.judging.canonical import digest, form, named_form, whole_form
from burgrave.puzzles.study.puzzle import Puzzle

ROWS = 20_000
"""Puzzles in a partition at most; gathering and writing them takes some 350 MB."""
LEVEL = 9
"""Of zstd: a fifth smaller than the usual 1, at 0.2 ms a puzzle; 15 takes 1 ms for 6 % more."""
TOLD = 100
"""Puzzles that are named at most, of those that were there already."""
_LONGEST = 32
"""Characters of an id."""
_MARK = 8
"""Characters that tell an id from one that is taken."""
Row = dict[str, Any]
"""A puzzle by column."""
Key = tuple[bytes, str, str]
"""Puzzles with the same digest of the position, question and keys of the question are one."""


@dataclass(slots=True, kw_only=True)
class Added:
    """What became of puzzles that were to be added."""

    dataset: Path
    added: int = 0
    present: int = 0
    """Puzzles that were there already, or came twice."""
    renamed: int = 0
    """Puzzles that got another id, because another puzzle had theirs."""
    puzzles: int = 0
    """All puzzles of the dataset."""
    doubles: list[tuple[str, str]] = field(default_factory=list)
    """Of the first of those that were there: their ids, and the ids they have there."""
    alone: bool = True
    """Whether other runs were kept out; not all file systems have locks."""


def add(path: Path, puzzles: Iterable[Puzzle], tell: Callable[[int], object]) -> Added:
    """Add puzzles to a dataset, which is made if nothing is there.

    At an error or Ctrl-C the dataset is as it was.

    Args:
        path: its folder.
        puzzles: the puzzles.
        tell: hears how many puzzles were looked at.

    Raises:
        FileError: the dataset is broken or cannot be written.
        QuestionError: the folder holds something else, another run writes there, or the extra is
            not installed.

    """
    arrow_schema()
    duckdb()
    new = _refuse_other(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(str(path), [f"cannot be made: {reason(error)}"]) from error
    try:
        with locked(path / ".lock", path) as alone:
            probe(path)
            if made := not is_dataset(path):
                # First of all, so that the partitions of a run that is killed belong to a dataset.
                write_whole(path / MANIFEST, manifest(()))
            before = opened(path)
            _sweep(before)
            try:
                return _Adding(before, Added(dataset=path, alone=alone), tell).run(iter(puzzles))
            except BaseException:  # Ctrl-C too
                if made:
                    with suppress(OSError):
                        (path / MANIFEST).unlink()
                raise
    finally:
        if new:  # and perhaps nothing came to stay there
            with suppress(OSError):
                path.rmdir()


def _refuse_other(path: Path) -> bool:
    """Refuse a place that is neither a dataset nor free.

    Returns:
        Whether nothing is there.

    Raises:
        QuestionError: it is such a place.
        FileError: it cannot be looked at.

    """
    kind = path_kind(path)
    if kind is PathKind.NOTHING or is_dataset(path):
        return kind is PathKind.NOTHING
    if kind is not PathKind.FOLDER:
        raise QuestionError(f"{path}: is no folder; a dataset is a folder, which --add makes")
    try:
        others = [one.name for one in path.iterdir() if not one.name.startswith(".")]
    except OSError as error:
        raise FileError(str(path), [f"cannot be read: {reason(error)}"]) from error
    if [name for name in others if not name.startswith("part-")]:
        raise QuestionError(
            f"{quoted(str(path))} is no dataset: it has other files and no {MANIFEST}; name a new"
            " folder"
        )
    if others:
        raise QuestionError(
            f"{quoted(str(path))} has partitions and no {MANIFEST}: put that back, or name a new"
            " folder"
        )
    return False


def _sweep(dataset: Dataset) -> None:
    """Remove partitions that the manifest does not name: merged, or left by an interrupted run."""
    named = {one.file for one in dataset.partitions}
    left = [*dataset.path.glob("part-*.parquet"), *dataset.path.glob(".part-*.parquet.*")]
    left += dataset.path.glob(f".{MANIFEST}.*")
    for file in left:
        if file.name not in named:
            with suppress(OSError):  # the writer reports a folder that cannot be written
                file.unlink()


class _Adding:
    """One run that adds puzzles."""

    def __init__(self, before: Dataset, told: Added, tell: Callable[[int], object]) -> None:
        """Begin with the partitions that are there."""
        self._before, self._told, self._tell = before, told, tell
        self._new: list[PartitionEntry] = []
        self._keys: dict[Key, str] = {}
        self._ids: set[str] = set()

    def run(self, puzzles: Iterator[Puzzle]) -> Added:
        """Write partitions, then the manifest; remove the partitions if that fails.

        Small partitions at the end become one.
        """
        path, told = self._before.path, self._told
        rows = self._rows(puzzles)
        try:
            while batch := [*islice(rows, ROWS)]:
                if fresh := [*self._fresh(batch)]:
                    self._write(fresh)
            entries = [*self._before.partitions, *self._new]
            if self._new:
                entries = self._merged(entries)
                write_whole(path / MANIFEST, manifest(entries))
        except BaseException:  # Ctrl-C too
            for one in self._new:
                with suppress(OSError):
                    (path / one.file).unlink(missing_ok=True)
            raise
        _sweep(Dataset(path=path, partitions=(*entries,)))
        told.puzzles = sum(one.puzzles for one in entries)
        return told

    def _rows(self, puzzles: Iterator[Puzzle]) -> Iterator[Row]:
        """Yield puzzles as rows, which take a fifth of their memory."""
        for number, puzzle in enumerate(puzzles, start=1):
            self._tell(number)
            yield row(puzzle)

    def _fresh(self, batch: list[Row]) -> Iterator[Row]:
        """Yield the rows of a batch that the dataset does not have, with ids of their own."""
        told = self._told
        ids = [name for one in batch for name in _ids(one)]
        stored: dict[Key, str] = {}
        taken: set[str] = set()
        for whole, question, keys, name in self._before.taken([one["form"] for one in batch], ids):
            stored.setdefault((whole, question, keys), name)
            taken.add(name)
        for one in batch:
            key, named = _key(one), one["id"]
            if (there := stored.get(key, self._keys.get(key))) is not None:
                told.present += 1
                told.doubles += [(named, there)] if len(told.doubles) < TOLD else []
                continue
            free = (name for name in _ids(one) if name not in taken and name not in self._ids)
            if (name := next(free, None)) is None:
                raise QuestionError(f"other puzzles have the ids of {named}; give it another")
            told.added += 1
            told.renamed += name != named
            self._keys[key] = name
            self._ids.add(name)
            yield one if name == named else _renamed(one, name)

    def _merged(self, entries: list[PartitionEntry]) -> list[PartitionEntry]:
        """Merge the last partitions, each of which has no more rows than those after it together.

        So each row is written again at most as often as its partition can double, and as many
        partitions as that stay beside full ones.

        Raises:
            FileError: a partition is broken, or the merged one cannot be written.

        """
        first, rows = len(entries) - 1, entries[-1].puzzles
        while first and entries[first - 1].puzzles <= min(rows, ROWS - rows):
            first -= 1
            rows += entries[first].puzzles
        if first == len(entries) - 1:
            return entries
        self._write([*Dataset(path=self._before.path, partitions=(*entries[first:],)).rows()])
        return [*entries[:first], self._new[-1]]

    def _write(self, rows: list[Row]) -> None:
        """Write a partition.

        Raises:
            FileError: it cannot be written.

        """
        named = [one.file for one in (*self._before.partitions, *self._new)]
        number = max((int(name[len("part-") : -len(".parquet")]) for name in named), default=0)
        file = self._before.path / f"part-{number + 1:06}.parquet"
        content = partition(rows)
        self._new.append(entry_of(file.name, content, len(rows)))
        write_whole(file, content)


def partition(rows: Sequence[Row]) -> bytes:
    """Return the content of a partition.

    Args:
        rows: the puzzles by column, as ``row`` gives them.

    Raises:
        QuestionError: pyarrow is not installed.

    """
    pa, parquet = arrow("a dataset of puzzles")
    sink = pa.BufferOutputStream()
    table = pa.Table.from_pylist(rows, schema=arrow_schema())
    parquet.write_table(table, sink, compression="zstd", compression_level=LEVEL)
    return bytes(sink.getvalue())


def manifest(entries: Iterable[PartitionEntry]) -> str:
    """Return the text of a manifest."""
    data = {
        "burgrave": FORMAT,
        "type": "dataset",
        "columns": 1,
        "partitions": [one.model_dump() for one in entries],
    }
    return json.dumps(data, indent=1) + "\n"


def _key(one: Row) -> Key:
    """Return by what a puzzle is found again, whatever it is called."""
    return one["form"], one["question"], one["asked"]


def _ids(one: Row) -> tuple[str, str]:
    """Return the id of a puzzle, and the one that it gets if another puzzle has it."""
    mark = digest(_key(one)).hex()[:_MARK]
    return one["id"], f"{one['id'][: _LONGEST - _MARK - 1]}-{mark}"


def _renamed(one: Row, name: str) -> Row:
    """Return a puzzle under another id."""
    return {**one, "id": name, "puzzle": json.dumps({**json.loads(one["puzzle"]), "id": name})}


def row(puzzle: Puzzle) -> Row:
    """Return a puzzle as a row, by column."""
    data = puzzle_data(puzzle)
    position = puzzle.position
    edition = position.game.edition
    lesson = {key: words for key, words in asdict(puzzle.lesson).items() if words}
    stamp, measures = puzzle.certification, puzzle.measures
    return {
        "id": puzzle.id,
        "title": puzzle.title,
        "game": position.game.id,
        "edition": "" if edition is None else edition.name,
        "question": puzzle.question.name,
        "asked": _asked(puzzle),
        "themes": list(puzzle.themes),
        "rules": list(puzzle.rules),
        "difficulty": puzzle.difficulty,
        "quality": None if measures is None else measures.score,
        "engines": [] if stamp is None else list(stamp.engines),
        "source": puzzle.provenance,
        "generator": json.dumps(data["generator"]) if puzzle.origin else "",
        "lesson": json.dumps(lesson) if lesson else "",
        "answer": json.dumps(data["answer"]),
        "position": json.dumps(data["position"]),
        "puzzle": json.dumps(data),
        "form": digest(whole_form(position)),
        "look": digest(form(position)),
    }


def _asked(puzzle: Puzzle) -> str:
    """Return the keys of a puzzle's question, besides its name, as JSON, the same for a copy."""
    position, question = puzzle.position, puzzle.question
    keys = dict(question.data(position))
    if "asker" in keys:
        seat = position.game.players.index(keys["asker"])
        keys["asker"] = (seat - position.to_move) % len(position.players)
    named: dict[str, Iterable[Move | Node | str]] = {}
    if question.about:
        named["move"] = [read_move(position, question.about)]
    if "feature" in keys:
        node = read_node(position, keys["feature"])
        named["feature"] = position_features(position).at(node).nodes
    if keys.get("tile"):
        named["tile"] = [keys["tile"]]
    for key, things in named.items():
        keys[key] = digest(min(named_form(position, one) for one in things)).hex()
    return json.dumps(keys, sort_keys=True)
