"""Exact values of endings of Carcassonne: alpha-beta, chance over the bag, help.

Turns are played on the incremental state, their changes read off the ledger. The last tile is
never laid: the best entry for it says what it is worth. Before a turn is played after which
one tile is left, the reply that the turn leaves alone bounds its value; most turns are
refuted by it without being played.

Where the order is left to chance, values are sums over all orders of the bag
(``solver.search.chance``), so that they stay whole numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.outlook import Order, Play, Task
from solver.plane.ledger import Ledger
from solver.plane.page import Option, Page, options
from solver.plane.root import INFINITY, Line, stock_of
from solver.plane.state import Turn
from solver.plane.tables import NOTHING
from solver.plane.yard import Yardstick
from solver.search.chance import Draw, Stock
from solver.states import plane_state


class _Reply(NamedTuple):
    """The last tile, laid in reply to a turn."""

    kind: int
    mover: int
    able: bool
    """Whether who lays it has a follower to place."""


class Node(NamedTuple):
    """A position of a search."""

    page: Page
    """Its ledger."""
    total: int
    """What its scores and final scoring amount to."""
    scale: int
    """What its value is told times: a number that all chances to come divide."""

    def scaled(self, draw: Draw) -> Node:
        """Return the position where a tile has been drawn by chance."""
        return self._replace(scale=self.scale // draw.out_of)


class Search:
    """One search for the value of positions of a task.

    Attributes:
        state: the position; it is as before once a value has been found.
        root: the position of the task.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task."""
        self.task = task
        self.state = plane_state(task.begin(task.position))
        self.yard = Yardstick(task)
        self.ledger = Ledger(self.state, self.yard.weights)
        stock = stock_of(self.state, task.position)
        scale = stock.orders if task.order is Order.CHANCE else 1
        self.root = Node(Page(self.ledger), self.ledger.total(), scale)

    def value(self, node: Node, stock: Stock, low: int, high: int) -> tuple[int, Line | None]:
        """Return what a position is worth to the asker, and a line to it if all is known.

        Args:
            node: the position.
            stock: the tiles to come.
            low: a value that the asker has elsewhere.
            high: a value to which the opponents hold him elsewhere.

        Returns:
            The exact value if it lies between ``low`` and ``high``; otherwise a bound on the
            side beyond which it lies. Value and limits are times the scale of the node.

        Raises:
            OutOfTimeError: the time is used up.

        """
        if not stock.size:
            return self.yard.worth(node.total) * node.scale, None
        draws = list(stock.draws(self.state.board.fits))
        if len(draws) == 1:
            return self.drawn(node, draws[0], low, high)
        if self.task.order is Order.CHANCE:
            return sum(
                draw.ways * self.drawn(node.scaled(draw), draw, -INFINITY, INFINITY)[0]
                for draw in draws
            ), None
        highest = self.task.order is Order.CHOOSE
        best = -INFINITY if highest else INFINITY
        for draw in draws:
            value, _ = self.drawn(node, draw, low, high)
            best = max(best, value) if highest else min(best, value)
            low, high = (max(low, best), high) if highest else (low, min(high, best))
            if low >= high:
                break
        return best, None

    def drawn(self, node: Node, draw: Draw, low: int, high: int) -> tuple[int, Line | None]:
        """Return the value where a tile has been drawn."""
        if draw.kind < 0:
            passing = Line(draw.gone, Turn(NOTHING, NOTHING, 0), None)
            return self.yard.worth(node.total) * node.scale, passing
        if not draw.left.size:
            return self._last(node, draw, low, high)
        gains = self.task.serves(self.state.turn[0])
        node.page.prepare(draw.left, self.mover)
        reply = self._reply(draw.left, gains=gains)
        best, line = (-INFINITY, None) if gains else (INFINITY, None)
        for option in self.ordered(node, draw.kind):
            bound = None if reply is None else self._bound(node, option, reply)
            if bound is not None and (bound <= low if gains else bound >= high):
                best = max(best, bound) if gains else min(best, bound)
                continue
            value, after = self.after(node, draw, option, low, high)
            if (value > best) if gains else (value < best):
                best, line = value, Line(draw.gone, option.turn(draw.kind), after)
                low, high = (max(low, best), high) if gains else (low, min(high, best))
                if low >= high:
                    break
        return best, line

    def _last(self, node: Node, draw: Draw, low: int, high: int) -> tuple[int, Line]:
        """Return the value where the last tile has been drawn, which has a place."""
        self.task.watch.tick()
        mover = self.state.turn[0]
        gains = self.task.serves(mover)
        if self.yard.rising:
            bound = -(-high // node.scale) if gains else low // node.scale
            enough = self.yard.enough(node.total, bound)
            best = node.page.best(draw.kind, mover, highest=gains, enough=enough)
        else:
            best = self.ordered(node, draw.kind)[0]
        assert best is not None, "a tile that has a place has an entry"
        worth = self.yard.worth(node.total + best.change) * node.scale
        return worth, Line(draw.gone, best.turn(draw.kind), None)

    def ordered(self, node: Node, kind: int) -> list[Option]:
        """Return every turn with a kind of tile, those first that look best to who lays it."""
        mover = self.state.turn[0]
        able = self.state.supply[mover] > 0
        found = [o for entry in node.page.table(kind, mover) for o in options(entry, able=able)]
        worth, rising = self.yard.worth, self.yard.rising
        found.sort(
            key=lambda o: o.change if rising else worth(node.total + o.change),
            reverse=self.task.serves(mover),
        )
        return found

    def mover(self, ahead: int) -> int:
        """Return who lays a tile so many turns later, if each has a place."""
        if self.task.play is Play.SOLITAIRE:
            return self.task.asker
        return (self.state.turn[0] + ahead) % self.state.players

    def _reply(self, rest: Stock, *, gains: bool) -> _Reply | None:
        """Return the last tile and its player, if he wants the contrary of who moves now."""
        mover = self.mover(1)
        if rest.size > 1 or not self.yard.rising or self.task.serves(mover) is gains:
            return None
        return _Reply((rest.order + rest.bag)[0], mover, self.state.supply[mover] > 0)

    def _bound(self, node: Node, option: Option, reply: _Reply) -> int | None:
        """Return what the best reply that a turn leaves alone makes of it, if there is one.

        Followers who come home in the turn can only add to the replies.
        """
        highest = self.task.serves(reply.mover)
        found = node.page.untouched(
            option, reply.kind, reply.mover, able=reply.able, highest=highest
        )
        if found is None:
            return None
        return self.yard.worth(node.total + option.change + found.change) * node.scale

    def after(
        self, node: Node, draw: Draw, option: Option, low: int, high: int
    ) -> tuple[int, Line | None]:
        """Return the value and the line that follow a turn."""
        self.task.watch.tick()
        state = self.state
        mark = state.mark()
        state.play(option.turn(draw.kind))
        if self.task.play is Play.SOLITAIRE:
            state.put(state.turn, 0, self.task.asker)
        page = Page(self.ledger, node.page, option)
        try:
            following = Node(page, node.total + option.change, node.scale)
            return self.value(following, draw.left, low, high)
        finally:
            state.undo(mark)
