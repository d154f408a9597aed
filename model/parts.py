"""Parts of a state: what an expansion adds to a player or to a position, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

from burgrave.model.components import Rank
from burgrave.model.errors import CallError
from burgrave.model.geometry import Cell

if TYPE_CHECKING:
    from burgrave.model.games import Game

AnyPart = TypeVar("AnyPart", bound="Part")
Form = tuple[object, ...]
"""A value that equal positions share."""


class View(NamedTuple):
    """The names of cells and players in a canonical form."""

    cell: Callable[[Cell], tuple[int, int]]
    """The place of a cell once the board is turned."""
    player: Callable[[int | None], int]
    """A player counted from the one to move; -1 for nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What an expansion adds to a player or to a position; without arguments it is neutral.

    Each field is a key of files. A part of counts from 0 on needs no method of its own. A part
    with cells, players or followers says here what they mean.
    """

    place: ClassVar[str] = ""
    """Where the followers are that it holds, in words: ``on towers``."""

    @classmethod
    def fresh(cls, game: Game) -> Self:  # noqa: ARG003
        """Return what a player has when a game begins."""
        return cls()

    @classmethod
    def read(cls, keys: Any, game: Game, faults: list[str]) -> Self:  # noqa: ARG003
        """Return the part that a file tells of.

        Args:
            keys: the keys of the player or of the position, as attributes.
            game: the game of the file.
            faults: the list to which faults are added.

        """
        return cls(**{one.name: getattr(keys, one.name) for one in fields(cls)})

    def data(self, game: Game) -> dict[str, Any]:  # noqa: ARG002
        """Return the keys of a file, without those that have their default."""
        told = ((one, getattr(self, one.name)) for one in fields(self))
        return {one.name: value for one, value in told if value != one.default}

    def followers(self) -> Iterator[tuple[int, Rank]]:
        """Yield owner and rank of each follower that it holds."""
        yield from ()

    def in_form(self, game: Game) -> Self:  # noqa: ARG002
        """Return the part with its tuples in the order that the rules rely on."""
        return self

    def without(self, cell: Cell) -> Self:  # noqa: ARG002
        """Return the part without what stands on a cell."""
        return self

    def takes(self) -> Iterator[Callable[[Self], Self]]:
        """Yield ways to take a piece out of it, if it is there, which puzzles may not need."""
        yield from ()

    def form(self, view: View) -> Form:  # noqa: ARG002
        """Return everything in it, of which positions with one canonical form have the same."""
        return tuple(getattr(self, one.name) for one in fields(self))

    def look(self, view: View) -> Form:  # noqa: ARG002
        """Return what near-duplicates share of it, as ``form`` does."""
        return ()


def ordered(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return parts by the names of their classes, without neutral ones."""
    there = (one for one in parts if one != type(one)())
    return tuple(sorted(there, key=lambda one: type(one).__name__))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """A state with the parts that expansions bring."""

    parts: tuple[Part, ...] = ()
    """One of each kind, by the names of their classes; neutral ones are left out."""

    def part(self, kind: type[AnyPart]) -> AnyPart:
        """Return the part of a kind; the neutral one if the state has none.

        Raises:
            CallError: it is no class of parts.

        """
        for one in self.parts:
            if type(one) is kind:
                return one
        asked: object = kind  # a script may ask by anything
        if not (isinstance(asked, type) and issubclass(asked, Part)):
            raise CallError(f"a part is asked by its class, like Towers, not by {asked!r}")
        return kind()

    def with_part(self, value: Part) -> Self:
        """Return the state with another part of a kind; itself if it has this one.

        Raises:
            CallError: the value is no part.

        """
        if value == self.part(type(value)):
            return self
        others = (one for one in self.parts if type(one) is not type(value))
        return replace(self, parts=ordered((*others, value)))
