"""Searches on the incremental state of Carcassonne as an engine for the rest of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from model.games import CARCASSONNE
from model.position import Move
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.outlook import NOTHING, Finding, First, Order, Play, Task
from solver.plane.search import INFINITY, Line, Search
from solver.plane.state import Turn
from solver.search.chance import Draw

TWO_PLAYERS = 2


class LedgerEngine:
    """Answers questions about the rest of a game of Carcassonne without The Tower."""

    name = "ledger"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: to the end of a game, of opponents no more than two."""
        position = task.position
        left = len(position.order) + len(position.bag)
        return (
            position.game.id == CARCASSONNE
            and (task.horizon is None or task.horizon >= left)
            and (task.play is not Play.AGAINST or len(position.players) == TWO_PLAYERS)
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task; Ctrl-C ends it like the end of the time."""
        if task.watch.out:
            return NOTHING
        return _Root(task).finding()


class _Root:
    """The first moves of a task."""

    def __init__(self, task: Task) -> None:
        """Begin a search."""
        self.task = task
        self.search = Search(task)
        self.state = self.search.state
        self.gains = task.serves(self.state.turn[0])

    def finding(self) -> Finding:
        """Return what is found in the time."""
        draws = sorted(self.search.stock.draws(self.state.board.fits), key=self._names)
        first: list[First] = []
        values: list[tuple[Fraction, Fraction]] = []
        for draw in draws:
            told, whole = self._moves(draw)
            if not whole:
                return self._stopped(told if len(draws) == 1 else [])
            choose = max if self.gains else min
            best = choose(one.value for one in told)
            values.append((Fraction(draw.ways, draw.out_of), best))
            first += [one for one in told if self.task.every or one.value == best]
        return Finding(
            status=Status.OPTIMAL,
            value=self._unknown(values),
            first=tuple(first),
            nodes=self.task.watch.nodes,
        )

    def _names(self, draw: Draw) -> tuple[tuple[str, ...], str]:
        """Return the ids of the tiles of a draw, those gone from the bag sorted."""
        known = len(self.search.stock.order)
        gone = self._ids(draw.gone)
        tile = self._ids((draw.kind,))[0] if draw.kind >= 0 else ""
        return (*gone[:known], *sorted(gone[known:])), tile

    def _stopped(self, told: list[First]) -> Finding:
        """Return what is known when the time is up: the asker can have the best move found."""
        nodes = self.task.watch.nodes
        if not told or not self.gains:
            return replace(NOTHING, nodes=nodes)
        value = max(one.value for one in told)
        return Finding(
            status=Status.BOUND,
            value=value,
            first=tuple(one for one in told if one.value == value),
            complete=False,
            nodes=nodes,
        )

    def _unknown(self, values: list[tuple[Fraction, Fraction]]) -> Fraction:
        """Return the value of what may be drawn, by chance and value."""
        if self.task.order is Order.CHOOSE:
            return max(value for _, value in values)
        if self.task.order is Order.ANY:
            return min(value for _, value in values)
        return sum((chance * value for chance, value in values), Fraction(0))

    def _moves(self, draw: Draw) -> tuple[list[First], bool]:
        """Return the first moves with a draw, those that are not best left out by wish.

        Returns:
            The moves in the order of the rules engine, and whether there was time for all.

        """
        search, known = self.search, self.task.order is Order.GIVEN
        node = search.root.scaled(draw) if self.task.order is Order.CHANCE else search.root
        if draw.kind < 0:
            move = Move(discards=self._names(draw)[0])
            value = Fraction(search.yard.worth(node.total))
            return [First(move=move, value=value, line=(move,) if known else ())], True
        found: dict[tuple[int, int, int], tuple[int, Line | None]] = {}
        best: int | None = None
        whole = True
        search.prepare(node.page, draw.left)
        try:
            for option in search.ordered(node, draw.kind):
                low, high = -INFINITY, INFINITY
                if best is not None and not self.task.every:
                    # One wider than needed, so that turns as good as the best are told apart.
                    low, high = (best - 1, high) if self.gains else (low, best + 1)
                worth, rest = search.after(node, draw, option, low, high)
                found[option.entry.cell, option.entry.rotation, option.segment] = worth, rest
                if best is None or (worth > best if self.gains else worth < best):
                    best = worth
                    self.task.reporter.found(Fraction(worth, node.scale))
        except (OutOfTimeError, KeyboardInterrupt):
            whole = False
        told = []
        for turn, same in self._listed(draw.kind):
            if same in found and (self.task.every or found[same][0] == best):
                worth, rest = found[same]
                told.append(self._told(draw, turn, Fraction(worth, node.scale), rest))
        return told, whole

    def _listed(self, kind: int) -> Iterator[tuple[Turn, tuple[int, int, int]]]:
        """Yield every first turn in the order of the rules engine, with the one that is searched.

        Followers on different segments of one feature come to the same.
        """
        mover = self.state.turn[0]
        able = self.state.supply[mover] > 0
        for entry in self.search.root.page.table(kind, mover):
            shown = [(-1, -1)]
            for claim in entry.claims if able else ():
                shown += [(segment, claim.segments[0]) for segment in claim.segments]
            for segment, searched in sorted(shown):
                turn = Turn(entry.cell, kind, entry.rotation, segment)
                yield turn, (entry.cell, entry.rotation, searched)

    def _told(self, draw: Draw, turn: Turn, value: Fraction, line: Line | None) -> First:
        """Return a first move as it is told."""
        move = self.state.move(turn, self._names(draw)[0])
        if self.task.order is not Order.GIVEN:
            return First(move=move, value=value)
        moves = [move]
        mark = self.state.mark()
        self.state.play(turn)
        while line is not None:
            moves.append(self.state.move(line.turn, self._ids(line.gone)))
            self.state.play(line.turn)
            line = line.rest
        self.state.undo(mark)
        return First(move=move, value=value, line=tuple(moves))

    def _ids(self, kinds: tuple[int, ...]) -> tuple[str, ...]:
        """Return kinds of tiles by their ids."""
        known = self.state.board.tables.kinds
        return tuple(known[kind].id for kind in kinds)
