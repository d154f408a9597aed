"""The ledger of one position of a search, taken over from the position a turn before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from solver.plane.ledger import Entry, Ledger
from solver.plane.state import Turn
from solver.plane.tables import NOTHING
from solver.search.chance import Stock


class Option(NamedTuple):
    """A turn with what it changes."""

    change: int
    """By how much the total changes."""
    entry: Entry
    segment: int
    """The segment on which a follower is placed, or -1."""
    writes: int
    """What the turn writes."""

    def turn(self, kind: int) -> Turn:
        """Return it as a turn of the state."""
        return Turn(self.entry.cell, kind, self.entry.rotation, self.segment)

    def alike(self) -> tuple[int, ...]:
        """Return all segments on which the follower comes to the same, his own first."""
        for claim in self.entry.claims:
            if claim.segments[0] == self.segment:
                return claim.segments
        return (NOTHING,)


def options(entry: Entry, *, able: bool) -> Iterator[Option]:
    """Yield the turns on a place.

    Args:
        entry: the place.
        able: whether the player has a follower to place.

    """
    yield Option(entry.change, entry, NOTHING, entry.writes)
    for claim in entry.claims if able else ():
        yield Option(claim.change, entry, claim.segments[0], entry.writes | claim.writes)


class Page:
    """The entries of a position, computed when they are wanted.

    Attributes:
        ledger: the books; its state must stand at this page's position when entries are asked for.
        tables: the entries that are known, by kind of tile and player.

    """

    def __init__(
        self, ledger: Ledger, before: Page | None = None, made: Option | None = None
    ) -> None:
        """Open a page.

        Args:
            ledger: the books.
            before: the page of the position a turn before, if entries are to be taken over.
            made: that turn.

        """
        self.ledger = ledger
        self._before = before
        self._made = made
        self.tables: dict[tuple[int, int], list[Entry]] = {}
        self._ranks: dict[tuple[int, int, bool, bool], list[Option]] = {}
        self._farmed: int | None = None

    def entry(self, cell: int, kind: int, rotation: int, mover: int) -> Entry:
        """Return a new entry."""
        if self._farmed is None:
            self._farmed = self.ledger.farmed(self.ledger.fields())
        return self.ledger.entry(cell, kind, rotation, mover, self._farmed)

    def table(self, kind: int, mover: int) -> list[Entry]:
        """Return an entry for every place of a kind of tile."""
        found = self.tables.get((kind, mover))
        if found is None:
            found, spoilt = self._split(kind, mover)
            found += [self.entry(cell, kind, rotation, mover) for cell, rotation in spoilt]
            self.tables[kind, mover] = found
        return found

    def _split(self, kind: int, mover: int) -> tuple[list[Entry], list[tuple[int, int]]]:
        """Return the entries that hold from a turn before, and the places that need new ones."""
        before, made = self._before, self._made
        board = self.ledger.state.board
        if before is None or made is None or (kind, mover) not in before.tables:
            return [], list(board.places(kind))
        kept, spoilt = [], []
        block = board.block(made.entry.cell)
        shift = self.ledger.far + board.slot[made.entry.cell] * board.tables.width
        growth = [(nodes, more << shift) for nodes, more in made.entry.grows]
        for entry in before.tables[kind, mover]:
            if entry.cell in block:
                continue
            if entry.reads & made.writes:
                spoilt.append((entry.cell, entry.rotation))
            else:
                kept.append(_grown(entry, growth))
        spoilt += [
            (cell, rotation)
            for cell in block
            if board.lie[cell] < 0 and board.wants[cell]
            for rotation in board.tables.fitting(kind, board.wants[cell])
        ]
        return kept, spoilt

    def prepare(self, rest: Stock, mover: Callable[[int], int]) -> None:
        """Fill the tables that pages after this one will take entries from.

        Args:
            rest: the tiles that come after the next turn.
            mover: tells who lays a tile so many turns later.

        """
        for ahead in range(rest.size):
            for kind in rest.order[ahead : ahead + 1] or sorted(set(rest.bag)):
                self.table(kind, mover(ahead + 1))

    def ranked(self, kind: int, mover: int, *, able: bool, highest: bool) -> list[Option]:
        """Return the best turn on each place, the best of them first.

        Args:
            kind: the kind of tile.
            mover: who lays it.
            able: whether he has a follower to place.
            highest: whether a high total is good for him.

        """
        key = (kind, mover, able, highest)
        found = self._ranks.get(key)
        if found is None:
            table = self.table(kind, mover)
            found = [best_option(entry, able=able, highest=highest) for entry in table]
            found.sort(key=lambda option: option.change, reverse=highest)
            self._ranks[key] = found
        return found

    def untouched(
        self, made: Option, kind: int, mover: int, *, able: bool, highest: bool
    ) -> Option | None:
        """Return the best turn of those that a turn made on this page's position leaves alone.

        Args:
            made: the turn made.
            kind: the kind of tile laid after it.
            mover: who lays it.
            able: whether he has a follower to place.
            highest: whether a high total is good for him.

        """
        block = self.ledger.state.board.block(made.entry.cell)
        writes = made.writes
        for option in self.ranked(kind, mover, able=able, highest=highest):
            if not option.entry.reads & writes and option.entry.cell not in block:
                return option
        return None

    def best(self, kind: int, mover: int, *, highest: bool, enough: int | None) -> Option | None:
        """Return the best turn with a kind of tile; None if it has no place.

        Args:
            kind: the kind of tile.
            mover: who lays it.
            highest: whether a high total is good for him.
            enough: a change as good as this ends the search for better ones.

        """
        able = self.ledger.state.supply[mover] > 0
        before, made = self._before, self._made
        if (kind, mover) in self.tables or before is None or made is None:
            ranked = self.ranked(kind, mover, able=able, highest=highest)
            return ranked[0] if ranked else None
        found = before.untouched(made, kind, mover, able=able, highest=highest)
        _, spoilt = self._split(kind, mover)
        for cell, rotation in spoilt:
            if found is not None and enough is not None and _as_good(found.change, enough, highest):
                break
            option = best_option(
                self.entry(cell, kind, rotation, mover), able=able, highest=highest
            )
            if found is None or not _as_good(found.change, option.change, highest):
                found = option
        return found


def _as_good(change: int, other: int, highest: bool) -> bool:  # noqa: FBT001 -- the hot path
    """Tell whether a change is as good as another, or better."""
    return change >= other if highest else change <= other


def best_option(entry: Entry, *, able: bool, highest: bool) -> Option:
    """Return the best turn on a place."""
    choose = max if highest else min
    return choose(options(entry, able=able), key=lambda option: option.change)


def _grown(entry: Entry, growth: Sequence[tuple[int, int]]) -> Entry:
    """Return an entry that holds after a turn, with what its fields have come to border."""
    for nodes, more in growth:
        if entry.reads & nodes:
            entry = entry._replace(
                reads=entry.reads | more,
                writes=entry.writes | more if entry.writes & nodes else entry.writes,
                claims=tuple(
                    claim._replace(writes=claim.writes | more) if claim.writes & nodes else claim
                    for claim in entry.claims
                ),
            )
    return entry
