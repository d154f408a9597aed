"""The columns of a dataset, with their types in Parquet."""

from __future__ import annotations

from typing import Any

from pydantic import Field  # noqa: TID253 -- a file model

from burgrave.model.files.schema import FileModel
from burgrave.puzzles.files.parquet import arrow


class PuzzleRow(FileModel):
    """A puzzle in a partition of a dataset; the columns have this order."""

    id: str = Field(description="Its id, which no other puzzle of the dataset has.")
    title: str
    game: str = Field(description="Id of its game: 'castle+falcon'.")
    edition: str = Field(description="Edition of the rules; empty for a game with one alone.")
    question: str = Field(description="Name of its question: 'force'.")
    asked: str = Field(
        description="The question's other keys as JSON, players counted from the one to move; a"
        " move, feature or tile as a digest, which a turned copy shares."
    )
    themes: list[str] = Field(description="What the solution shows.")
    rules: list[str] = Field(description="Ids of the rules that the answer rests on.")
    difficulty: int | None = Field(description="1 (easy) to 5 (hard); null if not measured.")
    quality: int | None = Field(description="0 to 100; null if not measured.")
    engines: list[str] = Field(description="The engines that proved the answer.")
    source: str = Field(description="Where the position comes from, in words.")
    generator: str = Field(description="The run that made it, as JSON; empty if none did.")
    lesson: str = Field(description="The author's words, as JSON; empty if there are none.")
    answer: str = Field(description="The stored answer, as JSON.")
    position: str = Field(description="The keys of its position, as JSON.")
    puzzle: str = Field(description="The whole file of the puzzle, as JSON in one line.")
    form: bytes = Field(
        description="Digest of the position, the same for turned and mirrored copies and for other"
        " colours."
    )
    look: bytes = Field(
        description="Digest of board, followers and next tile alone, likewise: scores, supplies"
        " and later tiles are left out."
    )


COLUMNS = tuple(PuzzleRow.model_fields)
"""Names of the columns, in their order."""
_TYPES = {"str": "string", "int | None": "int16", "bytes": "binary", "list[str]": "list<string>"}
"""By the annotation of a column its type in Parquet, for people and for pyarrow."""


def column_type(name: str) -> str:
    """Return the type of a column in Parquet, ``list<string>``."""
    return _TYPES[PuzzleRow.__annotations__[name]]


def arrow_schema() -> Any:
    """Return the columns as a schema of pyarrow.

    Raises:
        QuestionError: pyarrow is not installed.

    """
    pa, _ = arrow("a dataset of puzzles")
    made = {
        "string": pa.string(),
        "int16": pa.int16(),
        "binary": pa.binary(),
        "list<string>": pa.list_(pa.string()),
    }
    return pa.schema([(name, made[column_type(name)]) for name in COLUMNS])
