"""Two players of Carcassonne or The Tower against each other: alpha-beta by null windows.

What one gains on the other he loses to him, so values have *windows*: what lies at or below
``low``, or at or above ``high``, need not be told apart. After a first turn others are only asked
whether they are better, by windows of one point (T. A. Marsland and M. Campbell, "Parallel search
of strongly ordered game trees", Computing Surveys 14, 1982); by chance every case is searched in
full.

The last tile is never followed by a turn that is played: of it counts who stands where when the
game ends, and that is told by what the tile, a follower or a prisoner changes. What the best last
turn comes to is kept by all that it depends on; of towers these are the followers within reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import mul
from typing import NamedTuple

from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from solver.budget import OutOfTimeError
from solver.memo import Memo
from solver.outlook import Order, Task
from solver.plane.ending import Gains, Reckoning, final_scores
from solver.plane.root import INFINITY, Line, stock_of
from solver.plane.state import Turn
from solver.plane.tables import MAN
from solver.search.chance import Draw, Stock
from solver.states import plane_state

_Key = tuple[object, ...]
"""All that the best last turn depends on."""


class _Between(NamedTuple):
    """What is known of a lead."""

    low: int
    high: int


UNKNOWN = _Between(-INFINITY, INFINITY)


class DuelSearch:
    """A search of a game of two players; see ``FirstTurns``.

    Attributes:
        state: the position of the task.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task."""
        self.task = task
        self.state = plane_state(task.position)
        left = stock_of(self.state, task.position).size
        self.until = max(0, left - (task.horizon or left))
        weights = [1 if player == task.asker else -1 for player in range(self.state.players)]
        self._gains = Gains(self.state.board.tables, weights)
        self._weights = weights
        self._laid = len(self.state.board.cell)
        self._ends = Memo[_Key, _Between]()
        self._worths: dict[int, int] = {}
        self._refuting: dict[tuple[int, int], tuple[int, int]] = {}
        self._good: dict[tuple[int, int], Turn] = {}
        self._best = -INFINITY

    def first(self, draw: Draw) -> Iterator[Sequence[Turn]]:
        """Yield the first turns with a tile, those that lead to the same together."""
        self._best = -INFINITY
        same: dict[tuple[object, ...], list[Turn]] = {}
        board = self.state.board
        promises: dict[Turn, int] = {}
        for turns, done in self.state.laid(draw.kind, alike=True):
            base = board.slot[turns[0].cell] * board.tables.width
            for turn, promise in self._promised(turns, done):
                feature = board.find(base + turn.segment) if turn.segment >= 0 else -1
                key = (*turn._replace(segment=0), feature)
                same.setdefault(key, []).append(turn)
                promises[turn] = promise
        yield from sorted(same.values(), key=lambda turns: -promises[turns[0]])

    def value(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:
        """Return what a first turn is worth; see ``FirstTurns``."""
        if self._narrow and low > -INFINITY:
            found = self._tested(draw, turn, scale, low, high)
        else:
            found = self._after(draw, turn, scale, low, high)
        self._best = max(self._best, found)
        return found

    def line(self, draw: Draw, turn: Turn, worth: int) -> Line | None:
        """Return what follows one of the best first turns, by searching it again."""
        if worth < self._best:
            return None
        mark = self.state.mark()
        self.state.play(turn)
        try:
            return self._line(draw.left, worth)
        except (OutOfTimeError, KeyboardInterrupt):
            return None
        finally:
            self.state.undo(mark)

    def _line(self, stock: Stock, worth: int) -> Line | None:
        """Return a line from a position that is worth so much."""
        if stock.size <= self.until:
            return None
        (draw,) = stock.draws(self.state.board.fits)
        turns = self._ordered(draw) if draw.kind >= 0 else iter(self.state.passes())
        turn = next(t for t in turns if self._after(draw, t, 1, worth - 1, worth + 1) == worth)
        self.state.play(turn)
        return Line(draw.gone, turn, self._line(draw.left, worth))

    @property
    def _narrow(self) -> bool:
        """Whether a window of one point is sooner searched than a wide one: not by chance."""
        return self.task.order is Order.GIVEN

    def _serves(self) -> bool:
        """Tell whether the player to move chooses for the asker."""
        return self.task.serves(self.state.turn[0])

    def _after(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:
        """Return what is reached by a turn."""
        self.task.watch.tick()
        mark = self.state.mark()
        self.state.play(turn)
        found = self._value(draw.left, scale, low, high)
        self.state.undo(mark)
        return found

    def _tested(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:
        """Return what is reached by a turn that is probably no better than one before it."""
        serving = self._serves()
        test = (low, low + 1) if serving else (high - 1, high)
        found = self._after(draw, turn, scale, *test)
        if serving:
            return self._after(draw, turn, scale, found - 1, high) if low < found < high else found
        return self._after(draw, turn, scale, low, found + 1) if low < found < high else found

    def _value(self, stock: Stock, scale: int, low: int, high: int) -> int:
        """Return what a position is worth, or a bound beyond an end of the window."""
        state = self.state
        if not stock.size:
            return self.task.worth(*final_scores(state)) * scale
        if stock.size <= self.until:
            return self.task.worth(*state.score) * scale
        draws = list(stock.draws(state.board.fits))
        if len(draws) == 1:
            return self._drawn(draws[0], scale, low, high)
        return sum(
            draw.ways * self._drawn(draw, scale // draw.out_of, -INFINITY, INFINITY)
            for draw in draws
        )

    def _drawn(self, draw: Draw, scale: int, low: int, high: int) -> int:
        """Return what a position is worth once a tile is drawn."""
        if draw.kind < 0:
            ends = [self._after(draw, turn, scale, low, high) for turn in self.state.passes()]
            return max(ends) if self._serves() else min(ends)
        if not draw.left.size:
            return self._last(draw.kind, low // scale, -(-high // scale)) * scale
        serving = self._serves()
        best: int | None = None
        for turn in self._ordered(draw):
            if best is None or not self._narrow:
                found = self._after(draw, turn, scale, low, high)
            else:
                found = self._tested(draw, turn, scale, low, high)
            if best is None or (found > best if serving else found < best):
                best = found
                low, high = (max(low, best), high) if serving else (low, min(high, best))
                if low >= high:
                    self._good[draw.kind, draw.left.size] = turn
                    break
        assert best is not None, "a tile that has a place is laid"
        return best

    def _ordered(self, draw: Draw) -> Iterator[Turn]:
        """Yield the turns with a tile: what refuted another before, then by the end after them."""
        good = self._good.get((draw.kind, draw.left.size))
        if good is not None and self._legal(good):
            yield good
        found = [
            promised
            for turns, done in self.state.laid(draw.kind, alike=False)
            for promised in self._promised(turns, done)
        ]
        found.sort(key=lambda promised: -promised[1])
        yield from (turn for turn, _ in found if turn != good)

    def _legal(self, turn: Turn) -> bool:
        """Tell whether a turn that was legal elsewhere is so here."""
        state, board = self.state, self.state.board
        asked = board.wants[turn.cell]
        if board.lie[turn.cell] >= 0 or not asked:
            return False
        if turn.rotation not in board.tables.fitting(turn.kind, asked):
            return False
        mark, towers = state.mark(), state.towers()
        done = state.lay(turn.cell, turn.kind, turn.rotation)
        laid = Turn(turn.cell, turn.kind, turn.rotation)
        found = turn in state.on_place(laid, done, alike=True, towers=towers)
        state.undo(mark)
        return found

    def _promised(self, turns: Sequence[Turn], done: list[int]) -> Iterator[tuple[Turn, int]]:
        """Yield turns on a place with the lead of the player to move if the game ended then."""
        state, board = self.state, self.state.board
        mover = state.turn[0]
        side = self._weights[mover]
        reckoning = Reckoning(state, self._gains, done)
        base = board.slot[turns[0].cell] * board.tables.width
        known: dict[tuple[int, int, int], int] = {}
        for turn in turns:
            scoring = turn.segment, turn.taken, turn.captor
            if scoring not in known:
                change = 0
                if turn.segment >= 0:
                    change = reckoning.changed(board.find(base + turn.segment), 1 << MAN * mover)
                elif turn.taken >= 0:
                    change = self._without(reckoning, turn.taken)
                paid = 2 * PRICE_OF_A_FOLLOWER * (turn.captor >= 0)
                known[scoring] = side * (reckoning.total + change) - paid
            yield turn, known[scoring]

    def _without(self, reckoning: Reckoning, node: int) -> int:
        """Return by how much the lead changes if a follower is taken prisoner."""
        owner = self.state.posts.index(node) // self.state.each
        return reckoning.changed(self.state.board.find(node), -1 << MAN * owner)

    def _last(self, kind: int, low: int, high: int) -> int:
        """Return what the end is worth after the best last turn, or a bound beyond the window."""
        state, board = self.state, self.state.board
        mover = state.turn[0]
        exposed = state.exposed(kind, board.cell)
        key = (
            kind,
            tuple((cell, board.lie[cell]) for cell in board.cell[self._laid :]),
            tuple(state.posts),
            tuple(state.score),
            state.supply[mover] > 0,
            state.ransomable(),
            state.raises(kind),
            frozenset(exposed),
        )
        known = self._ends.get(key, UNKNOWN)
        if known.low >= high or known.low == known.high:
            return known.low
        if known.high <= low:
            return known.high
        serving = self._serves()
        best = -INFINITY if serving else INFINITY
        for place in self._places(kind):
            worth = self._worth(self._lead(place, kind, exposed))
            if worth > best if serving else worth < best:
                best = worth
                if best >= high if serving else best <= low:
                    self._refuting[kind, mover] = place
                    break
        else:
            known = _Between(best, best)
        self._ends[key] = known._replace(low=best) if serving else known._replace(high=best)
        return best

    def _places(self, kind: int) -> Iterator[tuple[int, int]]:
        """Yield the places of the last tile, first the one that refuted another turn before."""
        places = list(self.state.board.places(kind))
        good = self._refuting.get((kind, self.state.turn[0]))
        if good in places:
            yield good
        yield from (place for place in places if place != good)

    def _lead(self, place: tuple[int, int], kind: int, exposed: set[int]) -> int:
        """Return the asker's lead at the end after the best last turn on a place.

        A follower is bought back only to be placed: two players lose and win by it what it costs.
        """
        state, board = self.state, self.state.board
        mover = state.turn[0]
        side = self._weights[mover]
        mark = state.mark()
        done = state.lay(place[0], kind, place[1])
        reckoning = Reckoning(state, self._gains, done)
        paid = 0
        if not state.supply[mover] and state.ransomable():
            state.add(state.supply, mover, 1)
            paid = 2 * PRICE_OF_A_FOLLOWER
        base = board.slot[place[0]] * board.tables.width
        change = 0
        for segment in state.claimable(kind, alike=False):
            brings = side * reckoning.changed(board.find(base + segment), 1 << MAN * mover)
            change = max(change, brings - paid)
        for node in exposed | state.exposed(kind, place[:1]):
            change = max(change, side * self._without(reckoning, node))
        state.undo(mark)
        scored: int = sum(map(mul, self._weights, state.score))
        return scored + reckoning.total + side * change

    def _worth(self, lead: int) -> int:
        """Return what an end with a lead of the asker is worth."""
        found = self._worths.get(lead)
        if found is None:
            totals = [lead if weight > 0 else 0 for weight in self._weights]
            found = self._worths[lead] = self.task.worth(*totals)
        return found
