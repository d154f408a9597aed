"""The positions and puzzles that come with the program, by id."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import read_position
from burgrave.model.files.toml import parse
from burgrave.model.games import DEFAULT_EDITION
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.model.registry import BASES, CASTLE, split

if TYPE_CHECKING:
    from burgrave.puzzles.study.puzzle import Puzzle

_FOLDER = resources.files("burgrave.puzzles") / "library"
_ID = re.compile(r"[a-z0-9-]+")
"""Pattern of ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A shipped position or puzzle."""

    id: str
    """The name of its file, without ending."""
    kind: str
    """``position`` or ``puzzle``."""
    title: str
    game: str
    """Id of its game."""
    edition: str
    """The edition of its rules; empty for a game that has one edition alone."""
    text: str
    """The text of the file."""
    question: str = ""
    """The puzzle's question; empty for a position."""
    themes: tuple[str, ...] = ()
    difficulty: int | None = None

    @property
    def traits(self) -> Mapping[str, tuple[str, ...]]:
        """The words of filters, by sort."""
        return {
            "id": (self.id,),
            "game": (self.game,),
            "question": (self.question,),
            "theme": self.themes,
        }

    @property
    def file(self) -> str:
        """The path of its file in the program's folder."""
        return f"puzzles/library/{self.id}.toml"


@cache
def entries() -> tuple[Entry, ...]:
    """Return everything that is shipped, by id."""
    found = (_entry(file) for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(found, key=lambda entry: entry.id))


def _entry(file: Traversable) -> Entry:
    """Return the entry of a shipped file."""
    text = file.read_text(encoding="utf-8")
    data = parse(file.name, text)
    keys = data.get("position", data)
    game = str(keys.get("game", CASTLE))
    usual = DEFAULT_EDITION if BASES[split(game)[0]].edited else ""
    return Entry(
        id=file.name.removesuffix(".toml"),
        kind=str(data["type"]),
        title=str(data["title"]),
        game=game,
        edition=str(keys.get("edition", usual)),
        text=text,
        question=str(data.get("question", "")),
        themes=tuple(data.get("themes", ())),
        difficulty=data.get("difficulty"),
    )


def find(entry_id: str) -> Entry:
    """Return a shipped position or puzzle; no other file is read.

    Raises:
        QuestionError: there is none of that id.

    """
    name = entry_id.lower()
    if _ID.fullmatch(name) and (file := _FOLDER / f"{name}.toml").is_file():
        return _entry(file)
    known = [entry.id for entry in entries()]
    lists = "burgrave positions and burgrave puzzles list what is shipped."
    raise QuestionError(
        f"no file and no shipped position {quoted(entry_id)}.{suggestion(entry_id, known, lists)}"
    )


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
    from burgrave.puzzles.files.puzzle_files import read_puzzle  # noqa: PLC0415 -- a position needs no questions

    return read_puzzle(entry.id, entry.text)


def puzzle_entries() -> tuple[Entry, ...]:
    """Return the shipped puzzles, by id."""
    return tuple(entry for entry in entries() if entry.kind == "puzzle")


def select(filters: Iterable[str]) -> tuple[Entry, ...]:
    """Return the shipped puzzles that filters leave, by id; all without a filter.

    Args:
        filters: each the id of a puzzle or of a set, a game, a theme, a question, or a difficulty
            (``3``) or a range of it (``2-4``). Of one sort any may hold, of different sorts all
            must: ``castle 1-2`` are the easy ones of The Castle. A set keeps its order.

    Raises:
        QuestionError: a filter says nothing of any puzzle.

    """
    chosen: dict[str, set[str]] = {}
    order: list[str] = []
    for word in filters:
        sort, found = _named(word.lower())
        chosen.setdefault(sort, set()).update(found)
        order += found if sort == "set" else ()
    left = (e for e in puzzle_entries() if all(e.id in ids for ids in chosen.values()))
    return tuple(sorted(left, key=lambda e: order.index(e.id)) if order else left)


def _named(word: str) -> tuple[str, Collection[str]]:
    """Return the sort of a filter, and the ids of the puzzles that pass it."""
    from burgrave.puzzles.files.sets import shipped_sets  # noqa: PLC0415 -- one entry needs no set
    from burgrave.puzzles.study.puzzle import HARDEST  # noqa: PLC0415 -- likewise

    span = re.fullmatch(rf"([1-{HARDEST}])(?:-([1-{HARDEST}]))?", word)
    if span is not None and (levels := range(int(span[1]), int(span[2] or span[1]) + 1)):
        return "difficulty", {e.id for e in puzzle_entries() if e.difficulty in levels}
    for one in shipped_sets():
        if one.id == word:
            return "set", one.puzzles
    for sort in ("id", "game", "question", "theme"):
        if found := {entry.id for entry in puzzle_entries() if word in entry.traits[sort]}:
            return sort, found
    traits = ("id", "game", "question", "theme")
    known = {name for entry in puzzle_entries() for sort in traits for name in entry.traits[sort]}
    known |= {one.id for one in shipped_sets()}
    raise QuestionError(
        f"no puzzle has the id, game, theme or question {quoted(word)}, nor is it a set or a"
        f" difficulty like 2-4.{suggestion(word, sorted(known), 'burgrave puzzles lists them.')}"
    )
