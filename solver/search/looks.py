"""What a tile can do on a cell, worked out once for all positions that look alike from there.

What a turn on a cell does to the features depends on what they are like around that cell, and
on nothing else. ``Looks`` gives every empty cell a number for what has happened around it
since the search began: a tile that is laid gives a new number to the cells that its features,
and the features that it met, face (``BoardState.disturbed``); the new number stands for the
old one, for what is laid, and for what had happened around the cell where it is laid. Two
positions of one search in which a cell has one number are the same as seen from that cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from model.geometry import PORTS
from solver.final_value import A_MARKET
from solver.game_state import GameState, Turn
from solver.tables import COURT, HOUSE, NOTHING

MOST = 200_000
"""Looks and numbers that are kept; with more, all are forgotten and worked out anew."""


class Gain(NamedTuple):
    """Points for a completed feature."""

    winner: int
    points: int
    kind: int
    """Of the feature, an index of ``Kind``."""
    keep: int
    """The size of the keep that it may bring; 0 if it is no house."""


class Change(NamedTuple):
    """What becomes of the uncompleted features, or courts, of a kind that a player holds."""

    slot: int
    """``kind * 2 + player``."""
    gone: tuple[int, ...]
    """Points, of courts markets, of those that he holds no more, or that are others now."""
    made: tuple[int, ...]
    """Likewise of those that he holds now."""


class Option(NamedTuple):
    """A rotation and a follower, and all that they do; wall tiles and their towers apart."""

    rotation: int
    segment: int
    """The segment on which a follower is placed, or -1."""
    gains: tuple[Gain, ...]
    """Points for what is completed, in the order of the lowest nodes."""
    court: int
    """What White's lead for courts grows by."""
    changes: tuple[Change, ...]
    hope: int
    """A rough worth of the feature that is claimed, if it is not complete."""


class Look:
    """What a kind of tile can do on a cell for a player.

    Attributes:
        cell: the cell.
        mover: the player.
        zone: that cell and the empty cells on which a later tile would meet something else.
        options: every rotation and follower, supposing that there is one in the supply.

    """

    __slots__ = ("cell", "mover", "options", "zone")

    def __init__(self, cell: int, mover: int, zone: int, options: tuple[Option, ...]) -> None:
        """Keep what was worked out."""
        self.cell = cell
        self.mover = mover
        self.zone = zone
        self.options = options


class Looks:
    """The looks of a search, by kind of tile, cell and what has happened around it.

    Attributes:
        state: the state that is searched.
        around: by cell inside the number of what has happened around it.

    """

    def __init__(self, state: GameState) -> None:
        """Number the cells of a position."""
        self.state = state
        self.around = list(range(state.board.tables.inside))
        self._next = len(self.around)
        self._numbers: dict[tuple[int, ...], int] = {}
        self._looks: dict[tuple[int, int, int], Look | None] = {}

    def step(self, turn: Turn, mover: int) -> list[tuple[int, int]]:
        """Take note of a turn that was just played; return what ``back`` needs."""
        around, board = self.around, self.state.board
        cell = turn.cell
        what = self._number((around[cell], cell, turn.kind, turn.rotation, turn.segment, mover))
        old = []
        left = board.disturbed
        while left:
            bit = left & -left
            left ^= bit
            other = bit.bit_length() - 1
            old.append((other, around[other]))
            around[other] = self._number((around[other], what))
        return old

    def back(self, old: list[tuple[int, int]]) -> None:
        """Forget the turn of a ``step``."""
        for cell, number in old:
            self.around[cell] = number

    def _number(self, key: tuple[int, ...]) -> int:
        """Return the number that stands for a key."""
        found = self._numbers.get(key)
        if found is None:
            if len(self._numbers) >= MOST:
                self._numbers.clear()
            found = self._numbers[key] = self._next
            self._next += 1
        return found

    def of(self, cell: int, kind: int, mover: int) -> Look | None:
        """Return what a kind of tile can do on an empty cell for a player; None if nothing."""
        key = self.around[cell], kind, mover
        try:
            return self._looks[key]
        except KeyError:
            if len(self._looks) >= MOST:
                self._looks.clear()
            found = self._looks[key] = self._work_out(cell, kind, mover)
            return found

    def places(self, kind: int, mover: int, *, first: int = 0) -> Iterator[Look]:
        """Yield the look of every cell on which a kind of tile has a place.

        Args:
            kind: index of the kind.
            mover: the player.
            first: the cell that is looked at before the others.

        """
        board = self.state.board
        left = board.empty & board.tables.usable
        bit = left & 1 << first or left & -left
        while left:
            left ^= bit
            cell = bit.bit_length() - 1
            if look := self.of(cell, kind, mover):
                yield look
            bit = left & -left

    def _work_out(self, cell: int, kind: int, mover: int) -> Look | None:
        """Lay the tile in every rotation and look at what becomes of the features."""
        board = self.state.board
        rotations = board.rotations(cell, kind)
        if not rotations:
            return None
        met = self._met(cell)
        before = [entry for root in met if (entry := self._entry(root, 0, mover))]
        zone, options = 1 << cell, []
        for rotation in rotations:
            mark = self.state.mark()
            done = board.lay(cell, kind, rotation)
            zone |= board.disturbed
            nodes = range(cell * PORTS, cell * PORTS + len(board.tables.segments[kind]))
            own = [board.find(node) for node in nodes]
            after = {*own, *map(board.find, met)}
            for segment, root in enumerate([NOTHING, *own], NOTHING):
                # A follower on a free feature, on the first of its segments.
                taken = root >= 0 and (board.men[2 * root] or board.men[2 * root + 1])
                if not taken and (root < 0 or own.index(root) == segment):
                    ends = done, after, before
                    options.append(self._option(rotation, segment, root, mover, ends))
            board.undo(mark)
        return Look(cell, mover, zone, tuple(options))

    def _met(self, cell: int) -> set[int]:
        """Return the roots of the features at the edges of an empty cell."""
        board = self.state.board
        t = board.tables
        return {
            board.find(other * PORTS + segment)
            for side, other, _ in t.around[cell]
            if board.lie[other] >= 0
            for segment in t.edges[board.lie[other] * 4 + (side + 2) % 4]
        }

    def _entry(self, root: int, more: int, mover: int) -> tuple[int, int] | None:
        """Return the slot and the worth of a feature; None if nobody holds it.

        Args:
            root: of the feature.
            more: followers that the mover has on it beyond those that stand there.
            mover: the player.

        """
        board = self.state.board
        lead = board.men[2 * root] - board.men[2 * root + 1] + (more - 2 * more * mover)
        if not lead:
            return None
        court = board.kind[root] == COURT
        worth = board.markets[root] if court else self.state.worth(root)
        return (2 * board.kind[root] + (lead < 0), worth) if worth else None

    def _option(
        self,
        rotation: int,
        segment: int,
        claimed: int,
        mover: int,
        ends: tuple[list[int], set[int], list[tuple[int, int]]],
    ) -> Option:
        """Return what a follower, or none, does on the tile that has just been laid."""
        done, roots, before = ends
        board, men = self.state.board, self.state.board.men
        gains = []
        for root in done:
            lead = men[2 * root] - men[2 * root + 1] + (root == claimed) * (1 - 2 * mover)
            if lead:
                size = self._keep(root) if board.kind[root] == HOUSE else 0
                gains.append(Gain(int(lead < 0), self.state.worth(root), board.kind[root], size))
        after = [
            entry
            for root in roots.difference(done)
            if (entry := self._entry(root, int(root == claimed), mover))
        ]
        courts = [
            sign * A_MARKET * (worth if slot % 2 == 0 else -worth)
            for sign, entries in ((1, after), (-1, before))
            for slot, worth in entries
            if slot // 2 == COURT
        ]
        hope = 0
        if claimed >= 0 and claimed not in done:
            worth = board.markets[claimed] * 3 + 2
            if board.kind[claimed] != COURT:
                worth = 2 * self.state.worth(claimed) // (1 + board.needs(claimed).bit_count())
            hope = worth
        return Option(rotation, segment, tuple(gains), sum(courts), _changes(before, after), hope)

    def _keep(self, root: int) -> int:
        """Return the size of the keep that a completed house brings."""
        board = self.state.board
        mask = board.mask[root]
        if not self.state.flags.start_in_keep:
            mask &= (1 << board.tables.inside) - 1
        return mask.bit_count()


def _changes(before: list[tuple[int, int]], after: list[tuple[int, int]]) -> tuple[Change, ...]:
    """Return what is different in each slot."""
    gone, made = sorted(before), sorted(after)
    for entry in before:
        if entry in made:
            gone.remove(entry)
            made.remove(entry)
    return tuple(
        Change(
            slot,
            tuple(worth for other, worth in gone if other == slot),
            tuple(worth for other, worth in made if other == slot),
        )
        for slot in sorted({slot for slot, _ in (*gone, *made)})
    )
