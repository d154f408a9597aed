"""The positions and puzzles that come with the program, by id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import TYPE_CHECKING

from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import read_position
from burgrave.model.files.toml import parse
from burgrave.model.games import DEFAULT_EDITION
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.model.registry import BASES, CASTLE, split

if TYPE_CHECKING:
    from burgrave.puzzles.judging.canonical import Match
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


def alike(wanted: Position) -> list[tuple[Entry, Match]]:
    """Return the shipped puzzles whose position is like another one, the most alike first."""
    from burgrave.puzzles.judging.canonical import likeness  # noqa: PLC0415 -- one entry needs none

    same_game = (entry for entry in puzzle_entries() if entry.game == wanted.game.id)
    found = ((entry, likeness(wanted, position(entry))) for entry in same_game)
    return sorted(
        ((entry, match) for entry, match in found if match is not None),
        key=lambda one: one[1].rank,
    )


def select(
    filters: Iterable[str], named: Mapping[str, str | None] = MappingProxyType({})
) -> tuple[Entry, ...]:
    """Return the shipped puzzles that filters leave, by id; all without a filter.

    Args:
        filters: each the id of a puzzle or of a set, a game, a theme, a question, or a difficulty
            (``3``) or a range of it (``2-4``). Of one sort any may hold, of different sorts all
            must: ``castle 1-2`` are the easy ones of The Castle. A set keeps its order.
        named: by ``game``, ``theme``, ``question`` and ``difficulty`` further values with commas,
            or None.

    Raises:
        QuestionError: a filter says nothing of any puzzle.

    """
    from burgrave.puzzles.files.filters import chosen  # noqa: PLC0415 -- one entry needs no filter
    from burgrave.puzzles.files.sets import shipped_sets  # noqa: PLC0415 -- likewise

    every, sets = puzzle_entries(), {one.id: one.puzzles for one in shipped_sets()}
    sorts = ("id", "game", "question", "theme")
    known = {sort: {name for e in every for name in e.traits[sort]} for sort in sorts}
    wanted = chosen(filters, named, {"set": sets, **known}, "burgrave puzzles lists them.")
    order = [one for name in wanted.get("set", ()) for one in sets[name]]

    def left(entry: Entry) -> bool:
        of = {
            **entry.traits,
            "difficulty": (str(entry.difficulty),),
            "set": [name for name in sets if entry.id in sets[name]],
        }
        return all({*of[sort]} & {*values} for sort, values in wanted.items())

    found = filter(left, every)
    return tuple(sorted(found, key=lambda e: order.index(e.id)) if order else found)
