"""What the tiles to come can still bring a player, at most: the bound of branch and bound.

No play can reach more, whoever helps, in whatever order the tiles come, whatever the switches
say. ``docs/explanation/maximum.md`` has the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from model.geometry import PORTS
from model.rules.castle.final_tiles import TARGETS, TILE_9
from model.rules.castle.keeps import KEEP_BONUS
from solver.final_value import A_MARKET, KEEP_TILE, POINTS_TILE
from solver.game_state import NUMBERS, GameState
from solver.search.parts import SIDES, Part, parts
from solver.search.sums import WITHOUT_KINGS, Chances, Front, Item, More, Reach, Weights
from solver.tables import COURT, HOUSE, KINDS, PATH, TOWER

FINAL = {KINDS.index(kind): number for number, (kind, _) in TARGETS.items()}
"""By kind of segment the wall tile that scores it at the end."""
DOUBLER = {TOWER: 2, HOUSE: 3}
"""By kind of segment the wall tile that doubles it."""


class Bounds:
    """Makes the bounds of one search.

    Attributes:
        state: the state; it may change between two calls.
        player: whose points are counted.
        unseen: the numbers that a face-down wall tile may have; none if none lies on a tower.
        completed: the kinds of features that are scored once they are complete.

    """

    completed: tuple[int, ...] = (PATH, TOWER, HOUSE)

    def __init__(self, state: GameState, player: int, unseen: tuple[int, ...] = ()) -> None:
        """Remember whose reach is asked for."""
        self.state = state
        self.player = player
        self.unseen = unseen
        self._values: dict[tuple[int, Weights], tuple[int, ...]] = {}
        t = state.board.tables
        self._parts = [tuple(parts(t, lie)) for lie in range(len(t.paths))]
        self._shows = [reduce(or_, (one.bits for one in some), 0) for some in self._parts]

    def reach(self, stock: tuple[int, ...], tiles: int, only: int | None = None) -> Reach:
        """Return a bound for the state as it is.

        Args:
            stock: the kinds of the tiles to come.
            tiles: how many of them can be laid before scores are compared.
            only: the cell on which the only tile is laid, if that is known.

        """
        state, start = self.state, self.player * NUMBERS
        hand = [state.hand[start + n] + state.fresh_hand[start + n] for n in range(NUMBERS)]
        front = self._front() if only is None else self._front().at(only)
        found = self._reach(stock, tiles, front, hand)
        counted: set[int] = set()
        while more := self._towers(found) - counted:
            counted |= more
            for tower in more:
                for number in (state.towers[tower],) if state.towers[tower] else self.unseen:
                    hand[number] += 1
            found = self._reach(stock, tiles, front, hand)
        return found

    def place(self, reach: Reach, cell: int, lie: int) -> int:
        """Return what the next tile brings at most on a place, but for features that are held.

        Args:
            reach: the bound of the state.
            cell: an empty cell.
            lie: kind and rotation of the tile.

        """
        chances = reach.chances
        value = self._value(lie, chances.front.faced[cell], chances.tiles - 1, chances.weights)
        shows = self._shows[lie]
        for bits, worth in reach.joins[cell]:
            if bits & shows:
                value += worth
        return value

    def _value(self, lie: int, faced: int, spare: int, weights: Weights) -> int:
        """Return what the segments of a tile bring at most.

        Args:
            lie: its kind and rotation.
            faced: the sides beyond which a cell is empty, as bits.
            spare: how many of those cells can be filled.
            weights: by kind of segment, what it brings.

        """
        table = self._values.get((lie, weights))
        if table is None:
            table = self._values[lie, weights] = tuple(self._table(lie, weights))
        return table[faced * (SIDES + 1) + min(spare, SIDES)]

    def _table(self, lie: int, weights: Weights) -> Iterator[int]:
        """Yield the values of a tile by sides faced and by spare."""
        for faced in range(1 << SIDES):
            for spare in range(SIDES + 1):
                yield sum(
                    self._own(one, weights, closes=(one.sides & faced).bit_count() <= spare)
                    for one in self._parts[lie]
                )

    def _own(self, one: Part, weights: Weights, *, closes: bool) -> int:
        """Return what a part of a tile to come brings that can be completed, or cannot."""
        if one.kind == COURT:
            return one.markets * (weights.played[COURT] + weights.left[COURT])
        return self._worth(one.kind, weights, closes=closes)

    @staticmethod
    def _worth(kind: int, weights: Weights, *, closes: bool) -> int:
        """Return what a tile of a feature brings that can be completed, or cannot."""
        left = weights.left[kind]
        return max(weights.played[kind], left) if closes else left

    def _front(self) -> Front:
        """Return where tiles may come to lie."""
        board = self.state.board
        lies, edges, around = board.lie, board.tables.edges, board.tables.around
        empty = left = board.empty
        front = Front({}, {}, {}, empty)
        while left:
            bit = left & -left
            left ^= bit
            cell = bit.bit_length() - 1
            sides = 0
            joins: dict[int, int] = {}
            for side, other, _ in around[cell]:
                lie = lies[other]
                if lie < 0:
                    sides |= 1 << side
                    continue
                for segment in edges[lie * 4 + (side + 2) % 4]:
                    root = board.find(other * PORTS + segment)
                    front.needs[root] = board.faces[root] & empty
                    joins[root] = joins.get(root, 0) | 1 << (side * len(KINDS) + board.kind[root])
            front.faced[cell] = sides
            front.joins[cell] = joins
        return front

    def _reach(
        self, stock: tuple[int, ...], tiles: int, front: Front, hand: Sequence[int]
    ) -> Reach:
        """Return a bound with so many wall tiles of each number."""
        held, wanted = self._sorted(front, tiles)
        plain = self._plain(stock, (*held, *wanted))
        weights = self._weights(plain, hand)
        chances = Chances(stock, tiles, front, held, wanted, tuple(hand), plain, weights)
        more = self._kings(chances)
        items, played, late = self._items(chances, more)
        courts = self._courts()
        late += weights.left[COURT] * sum(courts[: self._uses(stock, COURT, hand)])
        found = Reach(
            chances=chances,
            more=more,
            sure=self.state.score[self.player] + A_MARKET * sum(courts) + self._rest(chances),
            late=late + more.played + more.late,
            items=items,
            played=played,
            brings={},
            joins=self._joins(chances, more),
        )
        for kind in set(stock):
            found.brings[kind] = self._brings(found, kind)
        return found

    def _items(
        self, chances: Chances, more: More
    ) -> tuple[tuple[Item, ...], tuple[Item, ...], int]:
        """Return the features that are held and can be completed, and what all of them bring late.

        Returns:
            Their worth beyond what they bring at the end, in play, and what wall tiles 4 to 6
            bring at the end.

        """
        board, weights = self.state.board, chances.weights
        items: list[Item] = []
        played: list[Item] = []
        late = 0
        for kind in self.completed:
            mine = [
                (cells, self._size(root), more.done.get(root, 0))
                for root, cells in chances.held.items()
                if board.kind[root] == kind
            ]
            uses = self._uses(chances.stock, kind, chances.hand)
            sizes = sorted((size for _, size, _ in mine), reverse=True)
            late += weights.left[kind] * sum(sizes[:uses])
            bar = sizes[uses - 1] if 0 < uses <= len(sizes) else 0
            for cells, size, extra in mine:
                if cells.bit_count() <= chances.tiles:
                    value = weights.played[kind] * size + extra
                    played.append((cells, value))
                    value -= weights.left[kind] * max(0, size - bar)
                    items.append((cells, max(0, value)))
        return tuple(items), tuple(played), late

    def _kings(self, chances: Chances) -> More:  # noqa: ARG002 -- for games with kings
        """Return what kings add."""
        return WITHOUT_KINGS

    def _rest(self, chances: Chances) -> int:
        """Return what the end brings besides what followers stand on."""
        points = TILE_9() * chances.hand[POINTS_TILE]
        return points + (self.area(chances) if self.may_keep(chances) else 0)

    def area(self, chances: Chances) -> int:
        """Return the largest empty area, which can only become smaller."""
        return self.state.board.largest_area(chances.front.empty)

    def _size(self, root: int) -> int:
        """Return the tiles of a feature."""
        return self.state.board.mask[root].bit_count()

    def _joins(self, chances: Chances, more: More) -> dict[int, list[tuple[int, int]]]:
        """Return by cell the features that a tile there may join and that are not held."""
        wanted = chances.wanted
        found: dict[int, list[tuple[int, int]]] = {}
        for cell, there in chances.front.joins.items():
            found[cell] = []
            for root, bits in there.items():
                if root in wanted:
                    closes = (wanted[root] & ~(1 << cell)).bit_count() < chances.tiles
                    value = self._joined(root, chances.weights, closes=closes)
                    found[cell].append((bits, value + more.done.get(root, 0) * closes))
        return found

    def _sorted(self, front: Front, tiles: int) -> tuple[dict[int, int], dict[int, int]]:
        """Return the features that the player holds, and those that he can come to hold.

        Both with the cells that they need. Features that he cannot come to hold are left out.
        """
        board, men = self.state.board, self.state.board.men
        me, they = self.player, 1 - self.player
        standing = [0] * len(KINDS)
        for root in front.needs:
            standing[board.kind[root]] += men[2 * root + me]
        held, wanted = {}, {}
        for root, cells in front.needs.items():
            mine, theirs = men[2 * root + me], men[2 * root + they]
            if mine > theirs:
                held[root] = cells
            elif not theirs or self.gathered(standing[board.kind[root]], tiles) > theirs:
                wanted[root] = cells
        if board.holes_block:
            for root in board.roots():
                if not board.needs(root) and men[2 * root + me] > men[2 * root + they]:
                    held[root] = 0
        return held, wanted

    @staticmethod
    def gathered(standing: int, tiles: int) -> int:
        """Return how many followers a player can have on one feature at most.

        Args:
            standing: those that he has on features of its kind.
            tiles: the tiles to come; the last of them joins, and can be claimed no more then.

        """
        return standing + tiles - 1

    def _plain(self, stock: tuple[int, ...], roots: Sequence[int]) -> tuple[int, ...]:
        """Return what a tile of each kind of feature brings at most, without wall tiles.

        Args:
            stock: the kinds of the tiles to come.
            roots: the features that the player may come to hold.

        """
        board = self.state.board
        t = board.tables
        fountains = any(sum(t.fountains[kind]) for kind in set(stock)) or any(
            board.fountains[root] for root in roots
        )
        plain = [1] * len(KINDS)
        plain[PATH], plain[TOWER], plain[COURT] = 1 + fountains, 2, A_MARKET
        return tuple(plain)

    def _weights(self, plain: Sequence[int], hand: Sequence[int]) -> Weights:
        """Return what a tile of each kind of feature brings at most, with wall tiles."""
        flags = self.state.flags
        played, left = list(plain), [0] * len(KINDS)
        for kind, number in DOUBLER.items():
            played[kind] <<= min(hand[number], 1) if flags.double_once else hand[number]
        for kind, number in FINAL.items():
            times = min(hand[number], 1) if flags.once_per_feature else hand[number]
            left[kind] = times * (1 if kind == COURT else plain[kind])
        return Weights(tuple(played), tuple(left))

    def _uses(self, stock: tuple[int, ...], kind: int, hand: Sequence[int]) -> int:
        """Return of how many features of today one can score the parts at the end, at most."""
        held = hand[FINAL[kind]] if kind in FINAL else 0
        uses = held if self.state.flags.once_per_feature else min(held, 1)
        return uses + self._merges(stock, kind) if uses else 0

    def _merges(self, stock: tuple[int, ...], kind: int) -> int:
        """Return how many features of a kind the tiles to come can join to others at most."""
        return sum(
            max(0, part.ports - 1)
            for one in stock
            for part in self._parts[4 * one]
            if part.kind == kind
        )

    def _joined(self, root: int, weights: Weights, *, closes: bool) -> int:
        """Return what a feature brings that a tile to come joins."""
        board = self.state.board
        kind = board.kind[root]
        if kind == COURT:
            return board.markets[root] * (weights.played[COURT] + weights.left[COURT])
        return self._size(root) * self._worth(kind, weights, closes=closes)

    def _courts(self) -> list[int]:
        """Return the markets on each court that the player holds, the most first."""
        board, men = self.state.board, self.state.board.men
        me, they = self.player, 1 - self.player
        roots = {board.find(node) for node in self.state.stands(me)}
        courts = [root for root in roots if board.kind[root] == COURT]
        held = [board.markets[r] for r in courts if men[2 * r + me] > men[2 * r + they]]
        return sorted(held, reverse=True)

    def may_keep(self, chances: Chances) -> bool:
        """Tell whether the player can have the larger keep in the end."""
        board, keep = self.state.board, self.state.keep
        houses = {
            root: self._size(root)
            for some in (chances.held, chances.wanted)
            for root, cells in some.items()
            if board.kind[root] == HOUSE and cells.bit_count() <= chances.tiles
        }
        house = chances.front.joined(houses, chances.tiles, board.empty) + chances.tiles
        mine = max(keep[self.player], house, *houses.values())
        return mine + KEEP_BONUS * chances.hand[KEEP_TILE] > keep[1 - self.player]

    def _brings(self, found: Reach, kind: int) -> int:
        """Return what a tile of a kind brings at most on any empty cell."""
        board = self.state.board
        t = board.tables
        best = 0
        for cell in found.chances.front.faced:
            if not t.usable >> cell & 1:
                continue
            care, wants = board.asked(cell)
            for rotation in t.rotations[kind]:
                lie = kind * 4 + rotation
                if t.paths[lie] & care == wants:
                    best = max(best, self.place(found, cell, lie))
        return best

    def _towers(self, found: Reach) -> set[int]:
        """Return the towers with a wall tile to which the marker can come, by a bound."""
        state = self.state
        if not any(number >= 0 for number in state.towers):
            return set()
        score, track = state.score[self.player], len(state.landing)
        spaces = range(score + 1, score + found.gain + 1)
        reached = {state.landing[space % track] for space in spaces}
        return {tower for tower in reached if tower >= 0 and state.towers[tower] >= 0}
