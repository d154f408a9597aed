"""A dataset as a set of puzzles of the page: listed in part, opened one by one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from burgrave.cli.render.puzzle_heads import entry_head, puzzle_head
from burgrave.cli.serve.limits import MOST_LISTED, MOST_READ
from burgrave.cli.serve.refusals import RefusalError
from burgrave.puzzles.files.datasets import Dataset, Order, opened
from burgrave.puzzles.files.puzzle_files import read_puzzle
from burgrave.puzzles.study.puzzle import Puzzle

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

SORTS = ("theme", "difficulty", "game", "question")
"""The filters of a list."""
ORDERS = {"title": Order.TITLE, "easy": Order.EASY, "hard": Order.HARD}
"""By the name of an order on the page the order of a query."""


@dataclass(frozen=True, slots=True)
class StoredSet:
    """The puzzles of a dataset under one address.

    Attributes:
        dataset: the dataset, as it was when the page began. Others may add to it.
        values: by sort of filter the values that its puzzles had then, sorted.

    """

    dataset: Dataset
    values: Mapping[str, list[str]]
    _read: OrderedDict[str, tuple[str, Puzzle]] = field(default_factory=OrderedDict)
    """Text and puzzle of those asked for last, by id."""
    _reading: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, dataset: Dataset) -> StoredSet:
        """Return the set of a dataset.

        Raises:
            BurgraveError: a partition is broken, or DuckDB is not installed.

        """
        known = dataset.known()
        return cls(dataset, {sort: sorted(known[sort]) for sort in SORTS})

    @property
    def id(self) -> str:
        """The name in addresses."""
        return sha256(str(self.dataset.path.absolute()).encode()).hexdigest()[:12]

    def puzzle(self, puzzle_id: str) -> Puzzle:
        """Return a puzzle.

        Raises:
            RefusalError: there is none of that id.

        """
        return self._found(puzzle_id)[1]

    def text(self, puzzle_id: str) -> str:
        """Return the text of a puzzle's file.

        Raises:
            RefusalError: there is none of that id.

        """
        return self._found(puzzle_id)[0]

    def head(self, puzzle_id: str) -> json_lists.PuzzleHead:
        """Return the list entry of a puzzle.

        Raises:
            RefusalError: there is none of that id.

        """
        return puzzle_head(self.puzzle(puzzle_id))

    def data(self, asked: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
        """Return a part of the set's list as JSON keys.

        Args:
            asked: by sort of filter a value, and under ``order`` the name of an order; empty values
                filter nothing.

        """
        wanted = {sort: [asked[sort]] for sort in SORTS if asked.get(sort)}
        order = ORDERS.get(asked.get("order", ""), Order.TITLE)
        dataset = opened(self.dataset.path)
        heads = dataset.heads(wanted, order=order, most=MOST_LISTED)
        return {
            "id": self.id,
            "title": self.dataset.path.absolute().name,
            "story": "",
            "sets": [],
            "puzzles": [*map(entry_head, heads)],
            "values": dict(self.values),
            "fitting": dataset.count(wanted),
        }

    def _found(self, puzzle_id: str) -> tuple[str, Puzzle]:
        """Return text and value of a puzzle, which are kept for a while."""
        with self._reading:  # requests are worked on in several threads
            if puzzle_id not in self._read:
                text = opened(self.dataset.path).text(puzzle_id)
                if text is None:
                    raise RefusalError(404, f"no puzzle {puzzle_id[:64]!r} in the set {self.id!r}")
                self._read[puzzle_id] = text, read_puzzle(puzzle_id, text)
            self._read.move_to_end(puzzle_id)
            while len(self._read) > MOST_READ:
                self._read.popitem(last=False)
            return self._read[puzzle_id]
