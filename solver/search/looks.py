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
    doublable: bool = True
    """Whether wall tiles may double it."""
    tokens: int = 0
    """Aerie tokens that it brings."""


class Entry(NamedTuple):
    """A feature that somebody holds, and what it brings at the end."""

    slot: int
    """``kind * 2 + player``."""
    worth: int
    """What a wall tile scores: points, of courts markets."""
    points: int = 0
    """What White's lead grows by without wall tiles."""
    tokens: int = 0
    """Likewise his lead in aerie tokens."""


class Change(NamedTuple):
    """What becomes of the uncompleted features, or courts, of a kind that a player holds."""

    slot: int
    """``kind * 2 + player``."""
    gone: tuple[int, ...]
    """Points, of courts markets, of those that he holds no more, or that are others now."""
    made: tuple[int, ...]
    """Likewise of those that he holds now."""


class Effect(NamedTuple):
    """What an option does, wall tiles and their towers apart."""

    gains: tuple[Gain, ...]
    """Points for what is completed, in the order of the lowest nodes."""
    court: int
    """What White's lead for courts grows by."""
    changes: tuple[Change, ...]
    slots: int
    """The slots of the changes, as bits."""
    tokens: int = 0
    """What White's lead in aerie tokens for courts grows by."""


class Option(NamedTuple):
    """A rotation and a follower."""

    rotation: int
    segment: int
    """The segment on which a follower is placed, or -1."""
    effect: Effect
    zone: int
    """The empty cells on which a later tile would meet something else, as bits."""
    kind: int
    """Of the feature that is claimed, an index of ``Kind``; -1 for none."""
    needs: int
    """How many cells have to be filled at least for the feature that is claimed to be complete, or
    for a court to be closed."""
    barren: bool
    """Whether the feature that is claimed is a court that brings nothing as it is."""
    hope: int
    """A rough worth of the feature that is claimed, if it is not complete."""
    calm: bool
    """Whether nobody scores anything and no follower goes home."""
    rank: int = 0
    """What the follower is, as in a turn."""

    def able(self, claims: int) -> bool:
        """Tell whether a player has the follower that it needs.

        Args:
            claims: the ranks that he may place, as bits.

        """
        return self.segment < 0 or claims >> self.rank & 1 > 0


Parts = tuple[frozenset[Effect], frozenset[Effect]]
"""Effects by which no marker moves, and effects by which one does."""


class Look:
    """What a kind of tile can do on a cell for a player.

    Attributes:
        cell: the cell.
        mover: the player.
        zone: that cell and the empty cells on which a later tile would meet something else.
        options: every rotation and follower, supposing that there is one in the supply.
        scores: whether any of them completes a feature that somebody scores.

    """

    __slots__ = ("_effects", "_parts", "cell", "mover", "options", "scores", "zone")

    def __init__(self, cell: int, mover: int, zone: int, options: tuple[Option, ...]) -> None:
        """Keep what was worked out."""
        self.cell = cell
        self.mover = mover
        self.zone = zone
        self.options = options
        self.scores = any(option.effect.gains for option in options)
        self._effects: dict[int, tuple[Effect, ...]] = {}
        self._parts: dict[int, Parts] = {}

    def effects(self, claims: int) -> tuple[Effect, ...]:
        """Return what the options do of a player who may place some ranks, given as bits."""
        found = self._effects.get(claims)
        if found is None:
            able = (option.effect for option in self.options if option.able(claims))
            found = self._effects[claims] = tuple(dict.fromkeys(able))
        return found

    def parts(self, claims: int) -> Parts:
        """Return the ``effects`` by which no marker moves, and those by which one does."""
        found = self._parts.get(claims)
        if found is None:
            every = self.effects(claims)
            quiet = frozenset(effect for effect in every if not effect.gains)
            found = self._parts[claims] = quiet, frozenset(every) - quiet
        return found

    def with_effect(self, effect: Effect, *, claims: int) -> Iterator[Option]:
        """Yield the options that have an effect.

        Args:
            effect: one of ``effects``.
            claims: the ranks that the player may place, as bits.

        """
        for option in self.options:
            if option.effect is effect and option.able(claims):
                yield option


Ends = tuple[list[int], set[int], list[Entry]]
"""Of the features that a new tile meets: the roots of those that it completes, the roots of all,
and what they brought before."""
ORDINARY = (0,)
"""What a follower is in The Castle, as in a turn."""


class Looks:
    """The looks of a search, by kind of tile, cell and what has happened around it.

    Attributes:
        ranks: what a follower may be.
        state: the state that is searched.
        around: by cell inside the number of what has happened around it.

    """

    ranks: tuple[int, ...] = ORDINARY

    def __init__(self, state: GameState) -> None:
        """Number the cells of a position."""
        self.state = state
        self.around = list(range(state.board.tables.inside))
        self._next = len(self.around)
        self._numbers: dict[tuple[int, ...], int] = {}
        self._looks: dict[tuple[int, int, int], Look | None] = {}
        self._alike: dict[tuple[object, ...], Look | None] = {}

    def step(self, turn: Turn, mover: int, disturbed: int) -> None:
        """Take note of a turn on the board; it is forgotten when the turn is taken back.

        Args:
            turn: the turn.
            mover: who has played it.
            disturbed: what ``BoardState.disturbed`` was when its tile had been laid.

        """
        around, put = self.around, self.state.board.put
        cell = turn.cell
        claim = turn.segment, turn.rank
        what = self._number((around[cell], cell, turn.kind, turn.rotation, *claim, mover))
        while disturbed:
            bit = disturbed & -disturbed
            disturbed ^= bit
            other = bit.bit_length() - 1
            put(around, other, self._number((around[other], what)))

    def _number(self, key: tuple[int, ...]) -> int:
        """Return the number that stands for a key."""
        found = self._numbers.get(key)
        if found is None:
            if len(self._numbers) >= MOST:
                self._numbers.clear()
            found = self._numbers[key] = self._next
            self._next += 1
        return found

    def _find(self, key: tuple[int, int, int], cell: int) -> Look | None:
        """Return what a kind of tile can do on an empty cell for a player; None if nothing.

        Args:
            key: what has happened around the cell, the kind and the player.
            cell: the cell.

        """
        if len(self._looks) >= MOST:
            self._looks.clear()
        _, kind, mover = key
        found = self._looks[key] = self._alike_or_new(cell, kind, mover)
        return found

    def _alike_or_new(self, cell: int, kind: int, mover: int) -> Look | None:
        """Return the look of a cell around which other things happened with the same result."""
        if self.state.board.holes_block:
            # A tile may complete a feature that it does not meet.
            return self._work_out(cell, kind, mover)
        key = (cell, kind, mover, *self._surroundings(cell))
        try:
            return self._alike[key]
        except KeyError:
            if len(self._alike) >= MOST:
                self._alike.clear()
            found = self._alike[key] = self._work_out(cell, kind, mover)
            return found

    def _surroundings(self, cell: int) -> Iterator[object]:
        """Yield all that a tile on a cell would meet: tiles, and the features that face it."""
        board = self.state.board
        t, men = board.tables, board.men
        for side, other, _ in t.around[cell]:
            lie = board.lie[other]
            yield lie
            if lie < 0:
                continue
            for segment in t.edges[lie * 4 + (side + 2) % 4]:
                root = board.find(other * PORTS + segment)
                yield root
                yield board.mask[root]
                yield board.faces[root] & board.empty
                yield board.fountains[root]
                yield board.markets[root]
                yield men[2 * root]
                yield men[2 * root + 1]

    def then(
        self, look: Look, laid: int, option: Option, kind: int
    ) -> Iterator[tuple[int, Look | None] | None]:
        """Yield what the opponent can do near an option after it, as far as that is known.

        Args:
            look: what a tile can do on a cell.
            laid: index of that tile's kind.
            option: the option that is taken.
            kind: index of the kind of the opponent's tile.

        Yields:
            Each cell with its look, if the tile has a place there; None for an unknown one.

        """
        around, numbers, looks = self.around, self._numbers, self._looks
        cell, mover = look.cell, look.mover
        claim = option.segment, option.rank
        what = numbers.get((around[cell], cell, laid, option.rotation, *claim, mover), -1)
        left = option.zone & self.state.board.tables.usable
        while left:
            bit = left & -left
            left ^= bit
            near = bit.bit_length() - 1
            key = numbers.get((around[near], what), -1), kind, 1 - mover
            found = looks.get(key)
            yield (near, found) if found is not None or key in looks else None

    def known(self, cell: int, kind: int, mover: int) -> Look | None:
        """Return the look of a cell that ``places`` has yielded."""
        return self._looks.get((self.around[cell], kind, mover))

    def at(self, cell: int, kind: int, mover: int) -> Look | None:
        """Return what a kind of tile can do on an empty cell for a player; None if nothing."""
        key = self.around[cell], kind, mover
        found = self._looks.get(key)
        return self._find(key, cell) if found is None and key not in self._looks else found

    def places(self, kind: int, mover: int, *, first: int = 0) -> Iterator[Look]:
        """Yield the look of every cell on which a kind of tile has a place.

        Args:
            kind: index of the kind.
            mover: the player.
            first: the cell that is looked at before the others.

        """
        board = self.state.board
        around, known = self.around, self._looks
        left = board.empty & board.tables.usable
        bit = left & 1 << first or left & -left
        while left:
            left ^= bit
            cell = bit.bit_length() - 1
            key = around[cell], kind, mover
            look = known.get(key)
            if look is None and key not in known:
                look = self._find(key, cell)
            if look:
                yield look
            bit = left & -left

    def _work_out(self, cell: int, kind: int, mover: int) -> Look | None:
        """Lay the tile in every rotation and look at what becomes of the features."""
        board = self.state.board
        rotations = board.rotations(cell, kind)
        if not rotations:
            return None
        met = self._met(cell)
        before = [entry for root in met if (entry := self._entry(root, 0))]
        zone, options = 1 << cell, []
        effects: dict[Effect, Effect] = {}
        for rotation in rotations:
            mark = self.state.mark()
            done = board.lay(cell, kind, rotation)
            zone |= board.disturbed
            nodes = range(cell * PORTS, cell * PORTS + len(board.tables.segments[kind]))
            own = [board.find(node) for node in nodes]
            ends: Ends = done, {*own, *map(board.find, met)}, before
            for segment, root in enumerate([NOTHING, *own], NOTHING):
                # A follower on a free feature, on the first of its segments.
                taken = root >= 0 and (board.men[2 * root] or board.men[2 * root + 1])
                if taken or (root >= 0 and own.index(root) != segment):
                    continue
                for rank in self.ranks if root >= 0 and root not in done else ORDINARY:
                    option = self._option(rotation, segment, rank, mover, root, ends)
                    effect = effects.setdefault(option.effect, option.effect)
                    options.append(option._replace(effect=effect))
            board.undo(mark)
        return Look(cell, mover, zone, tuple(options))

    def _option(  # noqa: PLR0913, PLR0917 -- all that makes an option
        self, rotation: int, segment: int, rank: int, mover: int, root: int, ends: Ends
    ) -> Option:
        """Return an option with the tile that has just been laid.

        Args:
            rotation: of the tile.
            segment: on which a follower is placed, or -1.
            rank: of the follower.
            mover: the player.
            root: of the claimed feature, or -1.
            ends: what becomes of the features that the tile meets.

        """
        effect = self._effect(root, mover, ends)
        hope = 0 if root < 0 or root in ends[0] else self._hope(root)
        kind, needs, barren = self._claimed(root, mover, ends[0])
        board = self.state.board
        stood = any(board.men[2 * at] or board.men[2 * at + 1] for at in ends[0])
        calm = not (effect.gains or stood)
        return Option(
            rotation, segment, effect, board.disturbed, kind, needs, barren, hope, calm, rank
        )

    def _claimed(self, root: int, mover: int, done: list[int]) -> tuple[int, int, bool]:
        """Return the kind of a feature, the cells that it needs, whether it is a bare court."""
        if root < 0:
            return NOTHING, 0, False
        board = self.state.board
        kind, needs = board.kind[root], board.needs(root).bit_count()
        if kind == COURT:
            return kind, needs, self.entry(root, mover) is None
        # What is closed and not complete needs a cell that it walls in.
        return kind, 0 if root in done else max(needs, 1), False

    def _hope(self, root: int) -> int:
        """Return a rough worth of a claim on an uncompleted feature."""
        board = self.state.board
        if board.kind[root] == COURT:
            return A_MARKET * board.markets[root] + 2
        return 2 * self.state.worth(root) // (1 + board.needs(root).bit_count())

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

    def entry(self, root: int, winner: int) -> Entry | None:
        """Return what a feature that is not complete brings who holds it; None for nothing."""
        kind = self.state.board.kind[root]
        slot = 2 * kind + winner
        if kind != COURT:
            return Entry(slot, self.state.worth(root))
        markets = self.state.board.markets[root]
        points = A_MARKET * markets
        return Entry(slot, markets, -points if winner else points) if markets else None

    def _entry(self, root: int, more: int) -> Entry | None:
        """Return what a feature brings who holds it; None if nobody holds it.

        Args:
            root: of the feature.
            more: followers that White has on it beyond those that stand there.

        """
        men = self.state.board.men
        lead = men[2 * root] - men[2 * root + 1] + more
        return self.entry(root, int(lead < 0)) if lead else None

    def _gain(self, root: int, winner: int) -> Gain:
        """Return what a completed feature brings."""
        kind = self.state.board.kind[root]
        return Gain(winner, self.state.worth(root), kind, self._keep(root) if kind == HOUSE else 0)

    def _effect(self, claimed: int, mover: int, ends: Ends) -> Effect:
        """Return what a follower, or none, does on the tile that has just been laid."""
        done, roots, before = ends
        men, one = self.state.board.men, 1 - 2 * mover
        gains = []
        for root in done:
            lead = men[2 * root] - men[2 * root + 1] + (root == claimed) * one
            if lead:
                gains.append(self._gain(root, int(lead < 0)))
        after = [
            entry
            for root in roots.difference(done)
            if (entry := self._entry(root, (root == claimed) * one))
        ]
        court = sum(entry.points for entry in after) - sum(entry.points for entry in before)
        tokens = sum(entry.tokens for entry in after) - sum(entry.tokens for entry in before)
        changes = _changes(before, after)
        slots = sum(1 << change.slot for change in changes)
        return Effect(tuple(gains), court, changes, slots, tokens)

    def _keep(self, root: int) -> int:
        """Return the size of the keep that a completed house brings."""
        board = self.state.board
        mask = board.mask[root]
        if not self.state.flags.start_in_keep:
            mask &= (1 << board.tables.inside) - 1
        return mask.bit_count()


def _changes(before: list[Entry], after: list[Entry]) -> tuple[Change, ...]:
    """Return what is different in each slot."""
    gone = sorted((entry.slot, entry.worth) for entry in before if entry.worth)
    made = sorted((entry.slot, entry.worth) for entry in after if entry.worth)
    for entry in list(gone):
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
