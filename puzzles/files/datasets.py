"""A dataset: many puzzles in a folder of Parquet files, queried without being read whole.

``dataset.json`` names the partitions with their checksums. They never change, and the file is
replaced at once, so that a reader always sees whole puzzles. A partition that it does not name does
not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, model_validator  # noqa: TID253 -- a file model

from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.paths import PathKind, path_kind, read_text, reason
from burgrave.model.files.schema import FileModel
from burgrave.model.files.toml import parse, validate
from burgrave.model.naming import quoted
from burgrave.puzzles.files.dataset_rows import COLUMNS
from burgrave.puzzles.files.filters import Chosen
from burgrave.puzzles.files.parquet import duckdb

if TYPE_CHECKING:
    from burgrave.model.position import Position
    from burgrave.puzzles.judging.canonical import Match

MANIFEST = "dataset.json"
"""The file that makes a folder a dataset."""
_ROWS_AT_ONCE = 1000
_OFFLINE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
"""Settings of DuckDB: it loads nothing from the network."""
_CLAUSES = {
    "id": "list_contains(?::VARCHAR[], id)",
    "game": "list_contains(?::VARCHAR[], game)",
    "question": "list_contains(?::VARCHAR[], question)",
    "theme": "list_has_any(themes, ?::VARCHAR[])",
    "difficulty": "list_contains(?::VARCHAR[], difficulty::VARCHAR)",
}
"""By sort of filter the condition on a row."""


class Order(StrEnum):
    """The order of a list of puzzles."""

    ADDED = "added"
    TITLE = "title"
    EASY = "easy"
    HARD = "hard"


_ORDERS = {
    Order.ADDED: "",
    Order.TITLE: " ORDER BY title, id",
    Order.EASY: " ORDER BY coalesce(difficulty, 3), title, id",
    Order.HARD: " ORDER BY coalesce(difficulty, 3) DESC, title, id",
}
"""By order the end of a query; a puzzle that was not measured counts as one of difficulty 3."""


class PartitionEntry(FileModel):
    """A partition of a dataset."""

    file: Annotated[str, Field(pattern=r"^part-[0-9]{6,9}\.parquet$")]
    puzzles: Annotated[int, Field(ge=1)] = Field(description="Its rows.")
    bytes: Annotated[int, Field(ge=1)] = Field(description="The size of the file.")
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = Field(
        description="The checksum of the file."
    )


def entry_of(file: str, content: bytes, puzzles: int) -> PartitionEntry:
    """Return the entry of a partition.

    Args:
        file: its name.
        content: its content.
        puzzles: its rows.

    """
    checksum = sha256(content).hexdigest()
    return PartitionEntry(file=file, puzzles=puzzles, bytes=len(content), sha256=checksum)


class DatasetFile(FileModel):
    """The manifest of a dataset of puzzles, ``dataset.json``."""

    burgrave: Literal[1]
    type: Literal["dataset"]
    columns: Literal[1] = Field(description="The version of the columns of the partitions.")
    partitions: list[PartitionEntry] = Field(description="In the order in which they were added.")

    @model_validator(mode="after")
    def each_file_counts_once(self) -> Self:
        """Refuse a partition that is named twice."""
        names = [one.file for one in self.partitions]
        if doubled := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"partitions: named twice: {', '.join(doubled)}")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHead:
    """What lists tell of a stored puzzle."""

    id: str
    title: str
    game: str
    """Id of its game."""
    edition: str
    """The edition of its rules; empty for a game that has one edition alone."""
    question: str
    themes: tuple[str, ...]
    difficulty: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A dataset that is there: its manifest was read, and its files have their sizes."""

    path: Path
    partitions: tuple[PartitionEntry, ...]

    @property
    def puzzles(self) -> int:
        """The number of its puzzles."""
        return sum(one.puzzles for one in self.partitions)

    def known(self, words: Sequence[str] = ()) -> dict[str, set[str]]:
        """Return by sort of filter the values that its puzzles have, and which words are ids."""
        sorts = ("game", "question", "theme", "difficulty", "id")
        found: dict[str, set[str]] = {sort: set() for sort in sorts}
        distinct = (
            "SELECT list(DISTINCT game), list(DISTINCT question),"
            " list(DISTINCT difficulty::VARCHAR) FROM read_parquet(?)"
        )
        for games, questions, difficulties in self._asked(distinct):
            found["game"] |= {*games}
            found["question"] |= {*questions}
            found["difficulty"] |= {*difficulties} - {None}
        themes = "SELECT DISTINCT unnest(themes) FROM read_parquet(?)"
        found["theme"] |= {theme for (theme,) in self._asked(themes)}
        if words:
            ids = f"SELECT id FROM read_parquet(?) WHERE {_CLAUSES['id']}"  # noqa: S608 -- a constant
            found["id"] |= {one for (one,) in self._asked(ids, [*words])}
        return found

    def heads(
        self, chosen: Chosen, order: Order = Order.ADDED, most: int | None = None
    ) -> Iterator[StoredHead]:
        """Yield the heads of the puzzles that filters leave.

        Args:
            chosen: the filters.
            order: their order.
            most: how many come at most, the first ones; None for all.

        Raises:
            FileError: a partition is broken.

        """
        query, values = _query("id, title, game, edition, question, themes, difficulty", chosen)
        query += _ORDERS[order] + ("" if most is None else f" LIMIT {most}")
        for one in self._asked(query, *values):
            yield _head(one)

    def count(self, chosen: Chosen) -> int:
        """Return how many puzzles filters leave.

        Raises:
            FileError: a partition is broken.

        """
        query, values = _query("count(*)", chosen)
        return sum(number for (number,) in self._asked(query, *values))

    def texts(self, chosen: Chosen) -> Iterator[str]:
        """Yield the files of the puzzles that filters leave, each JSON in one line.

        Raises:
            FileError: a partition is broken.

        """
        query, values = _query("puzzle", chosen)
        for partition in self.partitions:  # one after the other, so that memory is bounded
            for (text,) in self._asked(query, *values, among=[partition]):
                yield text

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield all puzzles by column.

        Raises:
            FileError: a partition is broken.

        """
        query = f"SELECT {', '.join(COLUMNS)} FROM read_parquet(?)"  # noqa: S608 -- constants
        for partition in self.partitions:
            for row in self._asked(query, among=[partition]):
                yield dict(zip(COLUMNS, row, strict=True))

    def text(self, puzzle_id: str) -> str | None:
        """Return the file of a puzzle as JSON; None if there is none of that id.

        Raises:
            FileError: a partition is broken.

        """
        query, values = _query("puzzle", {"id": [puzzle_id]})
        return next((text for (text,) in self._asked(query, *values)), None)

    def alike(self, position: Position) -> list[tuple[StoredHead, Match]]:
        """Return the puzzles whose position is like another one, the most alike first.

        Raises:
            FileError: a partition is broken.

        """
        from burgrave.puzzles.files.puzzle_files import read_puzzle  # noqa: PLC0415 -- loads the solver
        from burgrave.puzzles.judging.canonical import (  # noqa: PLC0415 -- likewise
            digest,
            form,
            likeness,
            whole_form,
        )

        query = (
            "SELECT id, title, game, edition, question, themes, difficulty, puzzle"
            " FROM read_parquet(?) WHERE form = ? OR look = ?"
        )
        digests = digest(whole_form(position)), digest(form(position))
        found = []
        for *head, text in self._asked(query, *digests):
            match = likeness(position, read_puzzle(head[0], text).position)
            if match is not None:
                found.append((_head(head), match))
        return sorted(found, key=lambda one: one[1].rank)

    def taken(self, forms: Sequence[bytes], ids: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield digest, question, its keys, and id of all puzzles with such a digest or id.

        Raises:
            FileError: a partition is broken.

        """
        query = (
            "SELECT form, question, asked, id FROM read_parquet(?)"
            " WHERE form IN (SELECT unnest(?::BLOB[])) OR id IN (SELECT unnest(?::VARCHAR[]))"
        )
        yield from self._asked(query, forms, ids)

    def _asked(
        self, query: str, *values: Any, among: Sequence[PartitionEntry] | None = None
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query whose first parameter is the files of partitions.

        Args:
            query: the query.
            values: its further parameters.
            among: the partitions; None for all.

        Raises:
            FileError: a partition is not as it was written.
            QuestionError: DuckDB is not installed.

        """
        partitions = self.partitions if among is None else among
        if not partitions:
            return
        engine = duckdb()
        faults = [fault for one in partitions if (fault := self._damage(one))]
        if faults:
            raise FileError(str(self.path), faults)
        files = [str(self.path / one.file) for one in partitions]
        try:
            with engine.connect(":memory:", config=_OFFLINE) as connection:
                connection.execute(query, [files, *values])
                while rows := connection.fetchmany(_ROWS_AT_ONCE):
                    yield from rows
        except engine.Error as error:
            told = str(error).partition("\n")[0]
            raise FileError(str(self.path), [f"cannot be queried: {told}"]) from error

    def _damage(self, entry: PartitionEntry) -> str:
        """Return what is wrong with a partition, by its checksum; empty if nothing is."""
        try:
            found = (self.path / entry.file).stat()
            checksum = _checksum(self.path / entry.file, found.st_size, found.st_mtime_ns)
        except OSError as error:
            if entry not in opened(self.path).partitions:
                return f"{entry.file} was merged into another one meanwhile: run the command again"
            return f"{entry.file} cannot be read: {reason(error)}"
        if checksum != entry.sha256:
            return f"{entry.file} is broken: its checksum is another one. {_MEND}"
        return ""


@lru_cache(maxsize=10_000)
def _checksum(file: Path, size: int, changed: int) -> str:  # noqa: ARG001 -- they tell changes
    """Return the checksum of a file, which is read once while size and time of change stay."""
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()


_MEND = f"Put back a copy of it, or delete its entry from {MANIFEST} to go on without its puzzles"
"""What to do about a broken partition."""


def _query(columns: str, chosen: Chosen) -> tuple[str, list[list[str]]]:
    """Return a query for columns of the puzzles that filters leave, and its parameters."""
    where = " AND ".join(_CLAUSES[sort] for sort in chosen)
    query = f"SELECT {columns} FROM read_parquet(?)"  # noqa: S608 -- values are parameters
    return query + (f" WHERE {where}" if where else ""), [[*one] for one in chosen.values()]


def _head(columns: Sequence[Any]) -> StoredHead:
    """Return the head of a row: its first seven columns."""
    name, title, game, edition, question, themes, difficulty = columns
    return StoredHead(
        id=name,
        title=title,
        game=game,
        edition=edition,
        question=question,
        themes=tuple(themes),
        difficulty=difficulty,
    )


def is_dataset(path: Path) -> bool:
    """Tell whether a folder is a dataset."""
    return path_kind(path) is PathKind.FOLDER and path_kind(path / MANIFEST) is not PathKind.NOTHING


def opened(path: Path) -> Dataset:
    """Open a dataset.

    Raises:
        FileError: its manifest is broken or of another version, or a partition is missing or has
            another size.
        QuestionError: there is no dataset.

    """
    if not is_dataset(path):
        if path_kind(path) is PathKind.FILE:
            helps = f"it is a file; burgrave puzzles DATASET --add {path} adds its puzzles to one"
        else:
            helps = (
                f"it has no {MANIFEST}; burgrave puzzles {path} --add FILE.jsonl makes a new one"
            )
        raise QuestionError(f"{quoted(str(path))} is no dataset: {helps}")
    name = str(path / MANIFEST)
    data = parse(name, read_text(path / MANIFEST))
    found = validate(name, data, DatasetFile, "dataset")
    faults = [fault for one in found.partitions if (fault := _fault(path / one.file, one))]
    if faults:
        raise FileError(str(path), faults)
    return Dataset(path=path, partitions=tuple(found.partitions))


def _fault(file: Path, entry: PartitionEntry) -> str:
    """Return what is wrong with the file of a partition, by its size; empty if nothing is."""
    try:
        size = file.stat().st_size
    except FileNotFoundError:
        return f"{file.name} is missing. {_MEND}"
    except OSError as error:
        return f"{file.name} cannot be read: {reason(error)}"
    if size != entry.bytes:
        return f"{file.name} has {size} bytes, not {entry.bytes}: it is broken. {_MEND}"
    return ""
