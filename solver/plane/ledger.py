"""What each turn changes in the final scoring, and which of it a turn elsewhere leaves alone.

Were the game to end now, final scoring would bring a *total*: a sum over roads, cities,
cloisters and farms. An entry of the ledger tells for a place by how much the total
changes if a tile is laid there, without a follower and with one on each feature. So the last
tile of a game need not be played on every place to know what it is worth there.

An entry depends on the features that the tile would touch and, through its fields, on who farms
round their cities. Each entry knows what it *reads* and what it *writes*, as bits of nodes; a
turn spoils the entries that read what it writes and those of the cells next to it. All others
are true after it too. Cloisters need no bits: a tile beside an occupied one adds a point, be it
the eighth or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from solver.plane.ending import EACH_CITY, harvest, shares
from solver.plane.state import PlaneState
from solver.plane.tables import CLOISTER, FIELD, MAN, NOTHING


class Claim(NamedTuple):
    """A follower placed on a feature of the tile."""

    segments: tuple[int, ...]
    """The segments of the feature on the tile, ascending."""
    change: int
    """By how much the total changes, the tile included."""
    writes: int
    """What it writes besides what the tile writes."""


class Entry(NamedTuple):
    """What a tile changes on a place."""

    cell: int
    rotation: int
    change: int
    """By how much the total changes without a follower."""
    claims: tuple[Claim, ...]
    """Every feature on which a player with a follower may place it."""
    reads: int
    writes: int
    grows: tuple[tuple[int, int], ...] = ()
    """Fields that it extends without writing them: their nodes, and the segments of the tile, all
    of open cities, that they come to border, as bits. Nothing else in an entry names the tile's
    own nodes, whose numbers depend on how many tiles lie when it is laid."""


class _Met(NamedTuple):
    """An old feature that a tile meets, as it was before."""

    segment: int
    """The segment of the tile that meets it."""
    root: int
    nodes: int
    near: int


class _Draft:
    """An entry that is being made, the tile on the board.

    Attributes:
        met: the old features that the tile meets.
        segments: by root the segments of the tile that belong to the feature.
        walled: the cities that the tile completes, their nodes as bits.
        old: the nodes that are not the tile's own, as bits.

    """

    def __init__(self, mover: int, farmed: int, met: list[_Met]) -> None:
        """Begin an entry."""
        self.mover = mover
        self.farmed = farmed
        self.met = met
        self.segments: dict[int, tuple[int, ...]] = {}
        self.walled: list[int] = []
        self.old = 0
        self.change = 0
        self.reads = 0
        self.writes = 0
        self.claims: list[tuple[tuple[int, ...], int, int]] = []
        self.grows: list[tuple[int, int]] = []


class Ledger:
    """Totals and entries for a position that turns are played on.

    Attributes:
        state: the position.
        far: what is read and written of farms is told by bits from here on.

    """

    def __init__(self, state: PlaneState, weights: Sequence[int]) -> None:
        """Keep the books of a position of Carcassonne without The Tower.

        Args:
            state: the position; ``entry`` is always about what it is at the moment.
            weights: by player what a point of his adds to the total.

        """
        self.state = state
        self.weights = tuple(weights)
        self._gains: dict[int, int] = {}
        self.far = len(state.board.parent)

    def gain(self, men: int) -> int:
        """Return what a point on a feature adds to the total, by the followers on it."""
        found = self._gains.get(men)
        if found is None:
            leaders = self.state.board.tables.leaders(men)
            found = self._gains[men] = sum(self.weights[player] for player in leaders)
        return found

    def total(self) -> int:
        """Return the total of the position."""
        scored = sum(w * s for w, s in zip(self.weights, self.state.score, strict=True))
        return scored + sum(self.gain(men) * points for men, points in shares(self.state))

    def fields(self) -> tuple[tuple[int, int], ...]:
        """Return the followers and the cities near of every field on which somebody stands."""
        board = self.state.board
        roots = {
            board.find(node) for node in self.state.posts if node >= 0 and board.what[node] == FIELD
        }
        return tuple((board.men[root], board.near[root]) for root in roots)

    def farmed(self, fields: Sequence[tuple[int, int]]) -> int:
        """Return what farms add to the total."""
        board = self.state.board
        return sum(self.gain(men) * points for men, points in harvest(board, fields))

    def entry(self, cell: int, kind: int, rotation: int, mover: int, farmed: int) -> Entry:
        """Return what a tile changes on a place.

        Args:
            cell: where it is laid.
            kind: index of the kind of tile.
            rotation: clockwise quarter turns.
            mover: who lays it.
            farmed: what farms add to the total of the position.

        """
        board = self.state.board
        draft = _Draft(mover, farmed, self._met(cell, kind * 4 + rotation))
        self._before(draft)
        walled = len(board.walled)
        board.lay(cell, kind, rotation)
        base = board.slot[cell] * board.tables.width
        draft.old = (1 << base) - 1
        draft.walled = board.walled[walled:]
        for segment in range(len(board.tables.segments[kind])):
            root = board.find(base + segment)
            draft.segments[root] = (*draft.segments.get(root, ()), segment)
        self._buildings(draft)
        for step in board.ring if board.cloisters else ():
            node = board.cloisters.get(cell + step, NOTHING)
            if node >= 0 and board.men[node]:
                draft.change += self.gain(board.men[node])
        self._fields(draft, base)
        board.lift()
        claims = (
            Claim(here, draft.change + brings, wrote)
            for here, brings, wrote in sorted(draft.claims)
        )
        return Entry(
            cell,
            rotation,
            draft.change,
            tuple(claims),
            draft.reads,
            draft.writes,
            tuple(draft.grows),
        )

    def _met(self, cell: int, lie: int) -> list[_Met]:
        """Return the features that a tile meets."""
        board = self.state.board
        found = []
        for side, step in enumerate(board.steps):
            other = board.lie[cell + step]
            if other >= 0:
                base = board.slot[cell + step] * board.tables.width
                for mine, theirs in board.tables.contacts(lie, side, other):
                    root = board.find(base + theirs)
                    found.append(_Met(mine, root, board.nodes[root], board.near[root]))
        return found

    def _before(self, draft: _Draft) -> None:
        """Take away what the features that a tile meets are worth before it is laid."""
        board = self.state.board
        for old in {old.root: old for old in draft.met}.values():
            draft.reads |= old.nodes
            if board.what[old.root] == FIELD:
                draft.reads |= old.near << self.far
            else:
                draft.writes |= old.nodes
                if men := board.men[old.root]:
                    draft.change -= self.gain(men) * board.unfinished(old.root)

    def _buildings(self, draft: _Draft) -> None:
        """Add what roads, cities and cloisters are worth with the tile."""
        board = self.state.board
        for city in draft.walled:
            draft.reads |= (city & draft.old) << self.far
            draft.writes |= (city & draft.old) << self.far
        for root, here in draft.segments.items():
            if board.what[root] == FIELD:
                continue
            finished = board.what[root] != CLOISTER and not board.open[root]
            points = board.worth(root) if finished else board.unfinished(root)
            if men := board.men[root]:
                draft.change += self.gain(men) * points
            else:
                draft.claims.append((here, self.weights[draft.mover] * points, 0))

    def _fields(self, draft: _Draft, base: int) -> None:
        """Add what farms bring with the tile, whose first node is given."""
        board = self.state.board
        fields = [root for root in draft.segments if board.what[root] == FIELD]
        farmed = draft.farmed
        if draft.walled or any(board.men[root] for root in fields):
            farmed = self.farmed(self.fields())
            draft.change += farmed - draft.farmed
        for root in fields:
            here = draft.segments[root]
            met = {old.root: old for old in draft.met if old.segment in here}
            nodes = near = 0
            for old in met.values():
                nodes |= old.nodes
                near |= old.near
            cities = self._cities(board.near[root])
            wrote = nodes | ((near | cities) & draft.old) << self.far
            gained = board.near[root] & ~near
            if len(met) > 1 or any(city & gained for city in draft.walled):
                draft.writes |= wrote
            elif met and gained:
                draft.grows.append((nodes, gained >> base))
            if not board.men[root] and FIELD in board.tables.claimed:
                brings = self._farmer(draft.mover, board.near[root], farmed) if cities else 0
                draft.claims.append((here, brings, wrote))

    def _cities(self, near: int) -> int:
        """Return all nodes of the completed cities of which some are near."""
        found = 0
        for city in self.state.board.walled:
            if city & near:
                found |= city
        return found

    def _farmer(self, mover: int, near: int, farmed: int) -> int:
        """Return what a farmer on an empty field near completed cities adds to the total."""
        board = self.state.board
        if board.tables.farms == "field3":
            paying = sum(1 for city in board.walled if city & near)
            return self.weights[mover] * EACH_CITY * paying
        return self.farmed((*self.fields(), (1 << MAN * mover, near))) - farmed
