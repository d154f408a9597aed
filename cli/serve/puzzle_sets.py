"""The sets of puzzles of the page: the shipped ones, and files that a user opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from burgrave.cli.render.puzzle_heads import entry_head, puzzle_head
from burgrave.cli.serve.documents import refuse_large
from burgrave.cli.serve.limits import MOST_PUZZLES, MOST_SETS
from burgrave.cli.serve.refusals import RefusalError
from burgrave.cli.serve.stored_sets import StoredSet
from burgrave.cli.sources import Source, body_of
from burgrave.model.errors import QuestionError
from burgrave.puzzles.files import library
from burgrave.puzzles.files.datasets import Dataset
from burgrave.puzzles.files.puzzle_files import read_puzzle, read_puzzles, write_puzzle
from burgrave.puzzles.files.sets import ShippedSet, shipped_sets
from burgrave.puzzles.study.puzzle import Puzzle

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

SHIPPED = "library"
"""The id of the set of shipped puzzles."""


@dataclass(frozen=True, slots=True)
class PuzzleSet:
    """Puzzles under one address.

    Attributes:
        id: the name in addresses.
        title: its title.
        texts: the text of each puzzle's file, by the puzzle's id.
        heads: the list entry of each puzzle.
        read: the puzzles that were read already.
        story: what the set teaches; empty for a set without a story.
        among: the other shipped sets, each its id and title; empty for an opened set.

    """

    id: str
    title: str
    texts: dict[str, str]
    heads: tuple[json_lists.PuzzleHead, ...]
    read: dict[str, Puzzle] = field(default_factory=dict)
    story: str = ""
    among: tuple[tuple[str, str], ...] = ()

    def puzzle(self, puzzle_id: str) -> Puzzle:
        """Return a puzzle.

        Raises:
            RefusalError: there is none of that id.

        """
        if puzzle_id not in self.texts:
            raise RefusalError(404, f"no puzzle {puzzle_id[:64]!r} in the set {self.id!r}")
        if puzzle_id not in self.read:
            self.read[puzzle_id] = read_puzzle(puzzle_id, self.texts[puzzle_id])
        return self.read[puzzle_id]

    def text(self, puzzle_id: str) -> str:
        """Return the text of a puzzle's file.

        Raises:
            RefusalError: there is none of that id.

        """
        self.puzzle(puzzle_id)
        return self.texts[puzzle_id]

    def head(self, puzzle_id: str) -> json_lists.PuzzleHead:
        """Return the list entry of a puzzle.

        Raises:
            RefusalError: there is none of that id.

        """
        self.puzzle(puzzle_id)
        return next(head for head in self.heads if head["id"] == puzzle_id)

    def data(self, _: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
        """Return the set's list as JSON keys; the page filters it itself."""
        return {
            "id": self.id,
            "title": self.title,
            "story": self.story,
            "sets": [{"id": one, "title": title} for one, title in self.among],
            "puzzles": list(self.heads),
        }


class PuzzleSets:
    """All sets of a page; opened ones are kept until others take their place."""

    def __init__(self) -> None:
        """Begin with the shipped puzzles."""
        shipped, sets = library.puzzle_entries(), shipped_sets()
        among = tuple((one.id, one.title) for one in sets)
        read: dict[str, Puzzle] = {}
        self._shipped = {
            SHIPPED: PuzzleSet(
                SHIPPED,
                "Shipped puzzles",
                {entry.id: entry.text for entry in shipped},
                tuple(map(entry_head, shipped)),
                read,
                among=among,
            )
        }
        by_id = {entry.id: entry for entry in shipped}
        for one in sets:
            entries = [by_id[name] for name in one.puzzles]
            self._shipped[one.id] = PuzzleSet(
                one.id,
                one.title,
                {entry.id: entry.text for entry in entries},
                tuple(map(entry_head, entries)),
                read,
                one.story,
                among,
            )
        self._opened: dict[str, PuzzleSet] = {}
        self._staying: dict[str, PuzzleSet | StoredSet] = {}
        self._taking = Lock()

    def find(self, set_id: str) -> PuzzleSet | StoredSet:
        """Return a set.

        Raises:
            RefusalError: there is none of that id.

        """
        if set_id in self._shipped:
            return self._shipped[set_id]
        found = self._staying.get(set_id) or self._opened.get(set_id)
        if found is None:
            raise RefusalError(404, "this page has no such set of puzzles; open its file again")
        return found

    def keep(self, dataset: Dataset) -> StoredSet:
        """Take a dataset as a set that stays.

        Raises:
            BurgraveError: a partition is broken, or DuckDB is not installed.

        """
        made = StoredSet.of(dataset)
        self._staying[made.id] = made
        return made

    def shipped(self, set_id: str) -> bool:
        """Tell whether a set is shipped, so that tests stand behind its answers."""
        return set_id in self._shipped

    def add(self, name: str, text: str) -> PuzzleSet:
        """Take the puzzles of a file. The same text has the same id again.

        Args:
            name: what people call the file.
            text: a puzzle, or lines of puzzles as ``generate`` writes them.

        Raises:
            BurgraveError: a puzzle in it cannot be read, or there are too many or too large ones.

        """
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and all(line.startswith("{") for line in lines):
            if len(lines) > MOST_PUZZLES:
                raise QuestionError(f"{len(lines)} puzzles: this page takes {MOST_PUZZLES}")
            for line in lines:
                refuse_large(body_of(Source(name=name, text=line))[0])
            found = read_puzzles(name, text)
        else:
            refuse_large(body_of(Source(name=name, text=text))[0])
            found = [read_puzzle(name, text)]
        return self.take(name, found)

    def take(
        self,
        name: str,
        found: Iterable[Puzzle],
        *,
        stays: bool = False,
        story: str = "",
        among: Sequence[ShippedSet] = (),
    ) -> PuzzleSet:
        """Take puzzles as a set under a name; one that comes again counts once.

        Args:
            name: what people call it.
            found: the puzzles.
            stays: whether sets that are opened later never take its place.
            story: what it teaches.
            among: shipped sets whose puzzles are all in it.

        Raises:
            QuestionError: two puzzles have the same id.

        """
        texts: dict[str, str] = {}
        read: dict[str, Puzzle] = {}
        for puzzle in found:
            text = write_puzzle(puzzle, as_json=True)
            if texts.setdefault(puzzle.id, text) != text:
                raise QuestionError(f"two puzzles have the id {puzzle.id!r}; rename one")
            read.setdefault(puzzle.id, puzzle)
        digest = sha256("".join(texts.values()).encode()).hexdigest()[:12]
        made = PuzzleSet(
            digest,
            name,
            texts,
            tuple(map(puzzle_head, read.values())),
            read,
            story,
            tuple((one.id, one.title) for one in among),
        )
        if stays:
            self._staying[digest] = made
            return made
        with self._taking:  # requests are worked on in several threads
            self._opened.pop(digest, None)
            self._opened[digest] = made
            while len(self._opened) > MOST_SETS:
                del self._opened[next(iter(self._opened))]
        return made
