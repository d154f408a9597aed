"""What the tiles to come can still bring a player, at most: the bound of branch and bound.

No play can reach more, whoever helps, in whatever order the tiles come, whatever the switches
say. The bound adds up what cannot be had together, and leaves out only what is impossible:

- a feature is completed only if every empty cell that it faces is filled. Of the open features
  count those that need no more cells than tiles are left, and of these the best choice whose
  cells are together no more (``most``). A feature that grows needs what its parts needed, but
  for the cells that were filled meanwhile;
- a segment of a tile to come is completed only if the other tiles to come can fill all the
  cells that it faces. It counts on the best cell and at the best rotation that the tiles of now
  allow: tiles laid later only forbid more, and fill no more cells than there are of them;
- a feature on which the opponent is not outnumbered counts only if the player can outnumber
  him: with followers on other open features of the kind and those placed before the last tile,
  since nobody can be placed on a claimed feature itself;
- wall tiles count if they are in hand, or if the marker can come to any tower that has one.

Everything else counts in full, once for each feature or segment, whoever stands where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model.geometry import PORTS
from model.rules.final_tiles import TARGETS, TILE_9
from model.rules.keeps import KEEP_BONUS
from solver.final_value import A_MARKET, KEEP_TILE, POINTS_TILE
from solver.game_state import NUMBERS, GameState
from solver.tables import COURT, HOUSE, KINDS, PATH, TOWER

FINAL = {KINDS.index(kind): number for number, (kind, _) in TARGETS.items()}
"""By kind of segment the wall tile that scores it at the end."""
DOUBLER = {TOWER: 2, HOUSE: 3}
"""By kind of segment the wall tile that doubles it."""
SIDES = 4
AREAS = 1 << 16
"""Empty areas remembered: about 10 MB."""
Item = tuple[int, int]
"""The cells that a feature needs, as bits, and what it is worth once they are filled."""
Weights = tuple[int, int, int, int]
"""By kind of segment, what a tile of a feature brings at most; of a court, what a market does."""


def most(items: Sequence[Item], spare: int) -> int:
    """Return the largest total of features that need together no more than ``spare`` cells.

    Args:
        items: the features; none needs more by itself.
        spare: the number of cells that can be filled.

    """
    union = total = 0
    for needs, value in items:
        union |= needs
        total += value
    if union.bit_count() <= spare:
        return total
    needs, value = items[-1]
    without = most(items[:-1], spare)
    spare -= needs.bit_count()
    left = [(other & ~needs, worth) for other, worth in items[:-1]]
    return max(without, value + most([one for one in left if one[0].bit_count() <= spare], spare))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A bound for one state."""

    sure: int
    """Points that need no cell to be filled: score, courts, area, wall tiles at the end."""
    items: tuple[Item, ...]
    """Features of the board that can be completed."""
    weights: Weights
    brings: dict[int, int]
    """By kind of tile to come, what its segments bring at most."""
    stock: tuple[int, ...]
    """The kinds of the tiles to come."""
    tiles: int
    """Tiles that can be laid."""
    faced: dict[int, int]
    """By empty cell the sides beyond which a cell is empty, as bits."""

    @property
    def total(self) -> int:
        """The most that the player can reach."""
        return self.sure + most(self.items, self.tiles) + self._best(self.stock, self.tiles)

    def others(self, kind: int) -> int:
        """Return what the tiles after the next, which is of a kind, bring at most."""
        rest = list(self.stock)
        rest.remove(kind)
        return self._best(rest, self.tiles - 1)

    def with_filled(self, cell: int) -> int:
        """Return the most for features of the board if the next tile fills a cell."""
        spare, taken = self.tiles - 1, ~(1 << cell)
        left = [(needs & taken, value) for needs, value in self.items]
        return most([one for one in left if one[0].bit_count() <= spare], spare)

    def _best(self, kinds: Sequence[int], tiles: int) -> int:
        """Return what the best ``tiles`` of some kinds bring."""
        return sum(sorted((self.brings[kind] for kind in kinds), reverse=True)[:tiles])


class Bounds:
    """Makes the bounds of one search.

    Attributes:
        state: the state; it may change between two calls.
        player: whose points are counted.

    """

    def __init__(self, state: GameState, player: int) -> None:
        """Remember whose reach is asked for."""
        self.state = state
        self.player = player
        self._areas: dict[int, int] = {}
        self._values: dict[tuple[int, Weights], tuple[int, ...]] = {}

    def reach(self, stock: tuple[int, ...], tiles: int) -> Reach:
        """Return a bound for the state as it is.

        Args:
            stock: the kinds of the tiles to come.
            tiles: how many of them can be laid before scores are compared.

        """
        state, start = self.state, self.player * NUMBERS
        hand = [state.hand[start + n] + state.fresh_hand[start + n] for n in range(NUMBERS)]
        needs, faced = self._frontier()
        found = self._reach(stock, tiles, needs, faced, hand)
        if self._comes_to_tower(found):
            for number in state.towers:
                if number >= 0:
                    hand[number] += 1
            found = self._reach(stock, tiles, needs, faced, hand)
        return found

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

    def place(self, reach: Reach, cell: int, lie: int) -> int:
        """Return what the segments of the next tile bring at most on a place.

        Args:
            reach: the bound of the state.
            cell: an empty cell.
            lie: kind and rotation of the tile.

        """
        return self._value(lie, reach.faced[cell], reach.tiles - 1, reach.weights)

    def _table(self, lie: int, weights: Weights) -> Iterator[int]:
        """Yield the values of a tile by sides faced and by spare."""
        t = self.state.board.tables
        kind = lie // 4
        sides = [0] * len(t.segments[kind])
        for side in range(SIDES):
            for segment in t.edges[lie * 4 + side]:
                sides[segment] |= 1 << side
        markets = sum(t.markets[kind]) * weights[COURT]
        for faced in range(1 << SIDES):
            for spare in range(SIDES + 1):
                yield markets + sum(
                    weights[what]
                    for what, at in zip(t.segments[kind], sides, strict=True)
                    if what != COURT and (at & faced).bit_count() <= spare
                )

    def _frontier(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return by open feature the cells that it needs, and by empty cell its empty sides."""
        board = self.state.board
        lies, edges, around = board.lie, board.tables.edges, board.tables.around
        needs: dict[int, int] = {}
        faced: dict[int, int] = {}
        empty = left = board.empty
        while left:
            bit = left & -left
            left ^= bit
            cell = bit.bit_length() - 1
            sides = 0
            for side, other, _ in around[cell]:
                lie = lies[other]
                if lie < 0:
                    sides |= 1 << side
                    continue
                for segment in edges[lie * 4 + (side + 2) % 4]:
                    root = board.find(other * PORTS + segment)
                    needs[root] = board.faces[root] & empty
            faced[cell] = sides
        return needs, faced

    def _reach(
        self,
        stock: tuple[int, ...],
        tiles: int,
        needs: dict[int, int],
        faced: dict[int, int],
        hand: Sequence[int],
    ) -> Reach:
        """Return a bound with so many wall tiles of each number."""
        board = self.state.board
        held = self._holdable(needs, tiles)
        if board.holes_block:
            closed = [root for root in board.roots() if not board.needs(root) and board.holed(root)]
            held |= dict.fromkeys(closed, 0)
        weights = self._weights(stock, held, hand)
        can = {r: n for r, n in held.items() if n.bit_count() <= tiles and board.kind[r] != COURT}
        items = tuple(
            (cells, board.mask[root].bit_count() * weights[board.kind[root]])
            for root, cells in can.items()
        )
        houses = sum(board.mask[root].bit_count() for root in can if board.kind[root] == HOUSE)
        sure = self.state.score[self.player] + self._courts(stock, held, weights[COURT])
        sure += self._at_end(stock, held, hand)
        if self._may_keep(houses + len(stock), hand):
            sure += self._area()
        cells = {
            (board.care[cell], board.wants[cell], sides)
            for cell, sides in faced.items()
            if board.tables.usable >> cell & 1
        }
        return Reach(
            sure=sure,
            items=items,
            weights=weights,
            brings={kind: self._brings(kind, tiles, cells, weights) for kind in set(stock)},
            stock=stock,
            tiles=tiles,
            faced=faced,
        )

    def _holdable(self, needs: dict[int, int], tiles: int) -> dict[int, int]:
        """Return the open features, with their needs, that the player can come to hold."""
        board, men = self.state.board, self.state.board.men
        me, they = self.player, 1 - self.player
        standing = [0] * len(KINDS)
        for root in needs:
            standing[board.kind[root]] += men[2 * root + me]
        found = {}
        for root, cells in needs.items():
            mine, theirs = men[2 * root + me], men[2 * root + they]
            more = standing[board.kind[root]] - mine + tiles - 1
            if not theirs or mine + more > theirs:
                found[root] = cells
        return found

    def _weights(
        self, stock: tuple[int, ...], held: dict[int, int], hand: Sequence[int]
    ) -> Weights:
        """Return what a tile of each kind of feature brings at most."""
        board, flags = self.state.board, self.state.flags
        t = board.tables
        fountain = any(sum(t.fountains[kind]) for kind in set(stock)) or any(
            board.fountains[root] for root in held
        )
        times = {
            kind: 1 << min(hand[number], 1 if flags.double_once else hand[number])
            for kind, number in DOUBLER.items()
        }
        sevens = hand[FINAL[COURT]]
        market = A_MARKET + (min(sevens, 1) if flags.once_per_feature else sevens)
        return 1 + fountain, 2 * times[TOWER], times[HOUSE], market

    def _courts(self, stock: tuple[int, ...], held: dict[int, int], market: int) -> int:
        """Return what the courts of the board bring at most at the end."""
        board, men = self.state.board, self.state.board.men
        me, they = self.player, 1 - self.player
        t = board.tables
        grows = any(COURT in t.segments[kind] for kind in set(stock))
        found = {root for root in held if grows and board.kind[root] == COURT}
        for node in self.state.posts[me * self.state.men_each : (me + 1) * self.state.men_each]:
            if node >= 0 and board.kind[node] == COURT:
                root = board.find(node)
                if men[2 * root + me] > men[2 * root + they]:
                    found.add(root)
        return market * sum(board.markets[root] for root in found)

    def _at_end(self, stock: tuple[int, ...], held: dict[int, int], hand: Sequence[int]) -> int:
        """Return what wall tiles 4, 5, 6 and 9 bring at most."""
        board = self.state.board
        t = board.tables
        total = TILE_9() * hand[POINTS_TILE]
        for kind, points in ((PATH, 2), (TOWER, 2), (HOUSE, 1)):
            uses = hand[FINAL[kind]]
            if uses:
                tiles = sum(
                    board.mask[root].bit_count() for root in held if board.kind[root] == kind
                )
                tiles += sum(t.segments[one].count(kind) for one in stock)
                total += points * tiles * (1 if self.state.flags.once_per_feature else uses)
        return total

    def _may_keep(self, houses: int, hand: Sequence[int]) -> bool:
        """Tell whether the player can have the larger keep in the end.

        Args:
            houses: more tiles than any house can have that is still to be completed.
            hand: wall tiles by number.

        """
        keep = self.state.keep
        mine = max(keep[self.player], houses) + KEEP_BONUS * hand[KEEP_TILE]
        return mine > keep[1 - self.player]

    def _area(self) -> int:
        """Return the largest empty area, which can only become smaller."""
        empty = self.state.board.empty
        area = self._areas.get(empty)
        if area is None:
            if len(self._areas) == AREAS:
                self._areas.clear()
            area = self._areas[empty] = self.state.board.largest_empty_area()
        return area

    def _brings(
        self, kind: int, tiles: int, cells: set[tuple[int, int, int]], weights: Weights
    ) -> int:
        """Return what a tile of a kind brings at most on any cell.

        Args:
            kind: index of the kind.
            tiles: how many tiles can be laid, this one included.
            cells: for each cell the sides on which it asks for a path or for none, those with
                a path, and those that face an empty cell.
            weights: what a tile brings by kind of segment.

        """
        t = self.state.board.tables
        best = 0
        for rotation in t.rotations[kind]:
            lie = kind * 4 + rotation
            paths = t.paths[lie]
            for care, wants, faced in cells:
                if paths & care == wants:
                    best = max(best, self._value(lie, faced, tiles - 1, weights))
        return best

    def _comes_to_tower(self, found: Reach) -> bool:
        """Tell whether the marker can come to a tower with a wall tile, as far as a bound says."""
        state = self.state
        if not any(number >= 0 for number in state.towers):
            return False
        gain = most(found.items, found.tiles) + sum(found.brings[kind] for kind in found.stock)
        score, track = state.score[self.player], len(state.landing)
        reached = (state.landing[space % track] for space in range(score + 1, score + gain + 1))
        return any(tower >= 0 and state.towers[tower] >= 0 for tower in reached)
