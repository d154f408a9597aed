"""What The Tower adds to a state: tower pieces and prisoners of players, towers on the board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter, methodcaller
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from burgrave.model.components import Prisoner, Rank
from burgrave.model.expansions.tower.switches import (
    EXCHANGE_CHOICE,
    EXCHANGE_RATIO,
    EXCHANGE_SIZES,
)
from burgrave.model.geometry import Cell
from burgrave.model.naming import quoted
from burgrave.model.parts import Form, Part, View

if TYPE_CHECKING:
    from burgrave.model.games import Game

PIECES_EACH = {1: 10, 2: 10, 3: 9, 4: 7, 5: 6, 6: 5}
"""Tower pieces of each player by the number of players; a study of one has those of two."""
_TOWER = re.compile(
    r"(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3}):(?P<height>\d{1,2})"
    r"(?: (?:(?P<closed>closed)|(?P<guard>[a-z]\w*)(?::(?P<rank>[a-z]+))?))?",
    re.IGNORECASE,
)


class Tower(NamedTuple):
    """A tower that has been begun on a tower place."""

    cell: Cell
    height: int
    """Tower pieces in it, 1 or more."""
    guard: int | None = None
    """Index of the player whose follower stands on it, if one does."""
    closed: bool = False
    """Whether it stays complete although its guard has been taken."""
    rank: Rank = Rank.FOLLOWER
    """The rank of that follower."""

    def reaches(self, cell: Cell) -> bool:
        """Tell whether a cell is in its reach: straight on, no farther than its height.

        >>> tower = Tower(Cell(0, 0), 1)
        >>> tower.reaches(Cell(0, 1)), tower.reaches(Cell(1, 1))
        (True, False)
        """
        dx, dy = abs(cell.x - self.cell.x), abs(cell.y - self.cell.y)
        return min(dx, dy) == 0 and max(dx, dy) <= self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class TowerHoldings(Part):
    """What a player has of The Tower."""

    pieces: int = 0
    """Tower pieces that may be built."""
    prisoners: tuple[Prisoner, ...] = ()
    """Followers of others held prisoner, sorted; or by owner, then in the order in which they were
    taken, where ``oldest_first`` holds."""

    place: ClassVar[str] = "held prisoner"

    @classmethod
    def fresh(cls, game: Game) -> Self:
        """Return what a player has when a game begins."""
        return cls(pieces=PIECES_EACH.get(len(game.players), 0))

    @classmethod
    def read(cls, keys: Any, game: Game, faults: list[str]) -> Self:
        """Return what a file says that a player has; prisoners by their owners, ``blue:big``."""
        found = []
        for line in keys.prisoners:
            name, _, word = line.partition(":")
            if name not in game.players:
                faults.append(f"prisoners: no player {name}; there are {', '.join(game.players)}")
            elif (rank := _rank(game, word, "prisoners", faults)) is not None:
                found.append(Prisoner(game.players.index(name), rank))
        return cls(pieces=keys.pieces, prisoners=_in_order(found, game))

    def data(self, game: Game) -> dict[str, Any]:
        """Return the keys of a file, without those that have their default."""
        prisoners = [game.owned(one) for one in self.prisoners]
        lists = {"pieces": self.pieces, "prisoners": prisoners}
        return {key: value for key, value in lists.items() if value}

    def followers(self) -> Iterator[tuple[int, Rank]]:
        """Yield owner and rank of each prisoner."""
        yield from self.prisoners

    def in_form(self, game: Game) -> Self:
        """Return the part with its prisoners in order."""
        return replace(self, prisoners=_in_order(self.prisoners, game))

    def takes(self) -> Iterator[Callable[[Self], Self]]:
        """Yield a way to take all prisoners."""
        if self.prisoners:
            yield lambda part: replace(part, prisoners=())

    def form(self, view: View) -> Form:
        """Return pieces and prisoners; these by their owners, those of one owner in their order."""
        held = ((view.player(owner), str(rank)) for owner, rank in self.prisoners)
        return self.pieces, tuple(sorted(held, key=itemgetter(0)))

    def with_prisoner(self, taken: Prisoner, game: Game) -> Self:
        """Return the part with one more prisoner, the last one taken."""
        return replace(self, prisoners=_in_order((*self.prisoners, taken), game))

    def freed(self, owner: int, ranks: Iterable[Rank]) -> Self:
        """Return the part without prisoners of one player, the first of each rank named."""
        left = list(self.prisoners)
        for rank in ranks:
            left.remove(Prisoner(owner, rank))
        return replace(self, prisoners=tuple(left))

    def held(self, owner: int) -> tuple[Rank, ...]:
        """Return the ranks of a player's followers that are held prisoner, in their order."""
        return tuple(one.rank for one in self.prisoners if one.owner == owner)


@dataclass(frozen=True, slots=True, kw_only=True)
class Towers(Part):
    """The towers on the board."""

    built: tuple[Tower, ...] = ()
    """Towers begun on tower places, by cell."""

    place: ClassVar[str] = "on towers"

    @classmethod
    def read(cls, keys: Any, game: Game, faults: list[str]) -> Self:
        """Return the towers of a file, ``3,4:2 red``."""
        return cls(built=tuple(sorted(_towers(game, keys.built, faults))))

    def data(self, game: Game) -> dict[str, Any]:
        """Return the key of a file."""
        return {"built": [_line(game, tower) for tower in self.built]}

    def followers(self) -> Iterator[tuple[int, Rank]]:
        """Yield owner and rank of each guard."""
        yield from ((one.guard, one.rank) for one in self.built if one.guard is not None)

    def in_form(self, game: Game) -> Self:  # noqa: ARG002
        """Return the part with its towers by cell."""
        return replace(self, built=tuple(sorted(self.built, key=lambda tower: tower.cell)))

    def without(self, cell: Cell) -> Self:
        """Return the towers without the one on a cell."""
        return replace(self, built=tuple(tower for tower in self.built if tower.cell != cell))

    def takes(self) -> Iterator[Callable[[Self], Self]]:
        """Yield ways to take a tower, its guard with it."""
        yield from (methodcaller("without", tower.cell) for tower in self.built)

    def form(self, view: View) -> Form:
        """Return place, height and guard of each tower."""
        return tuple(
            sorted(
                (view.cell(t.cell), t.height, t.closed, str(t.rank), view.player(t.guard))
                for t in self.built
            )
        )

    def look(self, view: View) -> Form:
        """Return place, height and guard of each tower, whatever his rank."""
        return tuple(
            sorted((view.cell(t.cell), t.height, view.player(t.guard)) for t in self.built)
        )

    @property
    def guarded(self) -> tuple[Tower, ...]:
        """The towers with a guard."""
        return tuple(tower for tower in self.built if tower.guard is not None)

    def on(self, cell: Cell) -> Tower | None:
        """Return the tower begun on a cell, if any."""
        return next((tower for tower in self.built if tower.cell == cell), None)


def oldest_first(game: Game) -> bool:
    """Tell whether prisoners of one owner stand in the order in which they were taken.

    By ``exchange_choice`` at ``oldest`` the first of them comes home by an exchange. The order says
    nothing where all of them come home, or those of one rank alone: there they are sorted, as in
    games with the other values.
    """
    return (
        bool(game.specials)
        and game.value(EXCHANGE_CHOICE) == "oldest"
        and game.value(EXCHANGE_SIZES) == "any"
        and game.value(EXCHANGE_RATIO) == "one"
    )


def _in_order(prisoners: Iterable[Prisoner], game: Game) -> tuple[Prisoner, ...]:
    """Return prisoners, given in the order in which they were taken, as positions hold them."""
    return tuple(sorted(prisoners, key=attrgetter("owner") if oldest_first(game) else None))


def _rank(game: Game, word: str, at: str, faults: list[str]) -> Rank | None:
    """Return the rank that a word names, an ordinary follower's without one; None if no rank."""
    if not word:
        return Rank.FOLLOWER
    if word.lower() in game.specials:
        return Rank(word.lower())
    faults.append(f"{at}: there is no rank {quoted(word)}{game.foreign(word)}")
    return None


def _towers(game: Game, lines: Sequence[str], faults: list[str]) -> Iterator[Tower]:
    """Yield the towers of a file."""
    for index, line in enumerate(lines):
        match = _TOWER.fullmatch(line)
        guard = match["guard"].lower() if match and match["guard"] else None
        if match is None:
            faults.append(f"built[{index}]: {line!r} is no tower, like '3,4:2' or '3,4:2 red'")
        elif guard is not None and guard not in game.players:
            allowed = ", ".join(game.players)
            faults.append(f"built[{index}]: no player {guard}: allowed are {allowed}")
        elif (rank := _rank(game, match["rank"] or "", f"built[{index}]", faults)) is not None:
            yield Tower(
                cell=Cell(int(match["x"]), int(match["y"])),
                height=int(match["height"]),
                guard=None if guard is None else game.players.index(guard),
                closed=match["closed"] is not None,
                rank=rank,
            )


def _line(game: Game, tower: Tower) -> str:
    """Write a tower; ``_towers`` gives it back."""
    guard = "" if tower.guard is None else f" {game.owned(Prisoner(tower.guard, tower.rank))}"
    return f"{tower.cell}:{tower.height}{guard}{' closed' if tower.closed else ''}"
