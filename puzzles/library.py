"""The positions and puzzles that come with the program, by id."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from model.errors import QuestionError
from model.files.positions import read_position
from model.files.toml import parse
from model.position import Position
from puzzles.puzzle import Puzzle, read_puzzle


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A shipped position or puzzle."""

    id: str
    """The name of its file, without ending."""
    kind: str
    """``position`` or ``puzzle``."""
    title: str
    text: str
    """The file as it is."""


@cache
def entries() -> tuple[Entry, ...]:
    """Return everything that is shipped, by id."""
    found = []
    for file in (resources.files("puzzles") / "library").iterdir():
        if not file.name.endswith(".toml"):
            continue
        text = file.read_text(encoding="utf-8")
        data = parse(file.name, text)
        found.append(
            Entry(
                id=file.name.removesuffix(".toml"),
                kind=str(data["type"]),
                title=str(data["title"]),
                text=text,
            )
        )
    return tuple(sorted(found, key=lambda entry: entry.id))


def find(entry_id: str) -> Entry:
    """Return a shipped position or puzzle.

    Raises:
        QuestionError: there is none of that id.

    """
    for entry in entries():
        if entry.id == entry_id.lower():
            return entry
    shown = ", ".join(entry.id for entry in entries())
    raise QuestionError(f"no file and no shipped position '{entry_id}'; shipped are {shown}")


def position(entry: Entry) -> Position:
    """Return the position of an entry, a puzzle's too."""
    if entry.kind == "puzzle":
        return puzzle(entry).position
    return read_position(entry.id, entry.text)


def puzzle(entry: Entry) -> Puzzle:
    """Return an entry as a puzzle.

    Raises:
        QuestionError: it is a position without a question.

    """
    if entry.kind != "puzzle":
        raise QuestionError(f"{entry.id} is a position without a question, not a puzzle")
    return read_puzzle(entry.id, entry.text)
