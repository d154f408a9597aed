"""A task about Carcassonne taken apart into first tiles and first turns, and put together again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from model.position import Position
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.outlook import NOTHING, Finding, First, Order, Play, Task
from solver.plane.state import PlaneState, Turn
from solver.search.chance import Draw, Stock
from solver.states import plane_state

EVERY = 1 << 30
"""More first moves than there are."""
INFINITY = 1 << 62
"""More than any end is worth."""


@dataclass(frozen=True, slots=True)
class Line:
    """Turns from a node to the end of the game, as a linked list."""

    gone: tuple[int, ...]
    """Tiles that had no place before it."""
    turn: Turn
    rest: Line | None


class FirstTurns(Protocol):
    """A search for what first turns are worth."""

    @property
    def state(self) -> PlaneState:
        """The position of the task."""

    def first(self, draw: Draw) -> Iterator[Sequence[Turn]]:
        """Yield the first turns with a tile that has a place, those that look best first.

        Turns that lead to the same are yielded together.
        """

    def value(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:
        """Return what a first turn is worth, or a bound beyond an end of the window.

        Args:
            draw: what was drawn for it.
            turn: the turn, which lays no tile if none is left that has a place.
            scale: of value and window.
            low: values at or below it need not be told apart.
            high: values at or above it need not be told apart.

        """

    def line(self, draw: Draw, turn: Turn, worth: int) -> Line | None:
        """Return what follows a first turn with best play, all being known.

        Args:
            draw: what was drawn for it.
            turn: the first of some first turns that lead to the same.
            worth: its value.

        Returns:
            The turns after it; None if it ends the game or its line is not told.

        """


def stock_of(state: PlaneState, position: Position) -> Stock:
    """Return the tiles to come of a position."""
    kind = state.board.kind_index
    bag = tuple(sorted(kind[tile] for tile in position.bag))
    return Stock(tuple(kind[tile] for tile in position.order), bag)


class Root:
    """The first moves of a task."""

    def __init__(self, task: Task, search: FirstTurns) -> None:
        """Remember who searches."""
        self.task = task
        self.search = search
        self.state = search.state
        self.stock = stock_of(self.state, task.position)
        self.gains = task.serves(self.state.turn[0])

    def finding(self) -> Finding:
        """Return what is found in the time."""
        draws = sorted(self.stock.draws(self.state.board.fits), key=self._names)
        first: list[First] = []
        values: list[tuple[Fraction, Fraction]] = []
        for draw in draws:
            told, whole = self._moves(draw)
            if not whole:
                return self._stopped(told if len(draws) == 1 else [])
            best = self._best([one.value for one in told])
            values.append((Fraction(draw.ways, draw.out_of), best))
            first += [one for one in told if self.task.every or one.value == best]
        return Finding(
            status=Status.OPTIMAL,
            value=self._unknown(values),
            first=tuple(first),
            nodes=self.task.watch.nodes,
        )

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

    def _best(self, values: Sequence[Fraction]) -> Fraction:
        """Return the value that the player to move chooses."""
        return max(values) if self.gains else min(values)

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
        scale = draw.left.orders if self.task.order is Order.CHANCE else 1
        found: dict[Turn, int] = {}
        same: dict[Turn, Turn] = {}
        best: int | None = None
        whole = True
        passes = self.state.passes() if draw.kind < 0 else []
        try:
            for turns in [(turn,) for turn in passes] or self._first(draw):
                low, high = -INFINITY, INFINITY
                if best is not None and not self.task.every:
                    # One wider than needed, so that turns as good as the best are told apart.
                    low, high = (best - 1, high) if self.gains else (low, best + 1)
                worth = self.search.value(draw, turns[0], scale, low, high)
                again = worth == best or len(turns) > 1
                found |= dict.fromkeys(turns, worth)
                same |= dict.fromkeys(turns, turns[0])
                if best is None or (worth > best if self.gains else worth < best):
                    best = worth
                    self.task.reporter.found(Fraction(worth, scale))
                if self.task.sole and again and worth == best:
                    whole = False
                    break
        except (OutOfTimeError, KeyboardInterrupt):
            whole = False
            # A turn may have been broken off anywhere in it.
            self.state = plane_state(self.task.begin(self.task.position))
        listed = passes or self.state.turns(draw.kind)
        named = [t for t in listed if t in found and (self.task.every or found[t] == best)]
        lines = len(named) if self.task.told is None else self.task.told
        told = [
            self._told(draw, t, Fraction(found[t], scale), same[t] if whole and i < lines else None)
            for i, t in enumerate(named)
        ]
        return told, whole

    def _first(self, draw: Draw) -> Iterator[Sequence[Turn]] | list[Sequence[Turn]]:
        """Return the first turns with a tile, likely ones before those that look best."""
        likely, first = self.task.likely, self.search.first(draw)
        if not likely:
            return first
        gone = self._names(draw)[0]

        def rank(turns: Sequence[Turn]) -> int:
            moves = [self.state.move(turn, gone) for turn in turns]
            return min((likely.index(move) for move in moves if move in likely), default=EVERY)

        return sorted(first, key=rank)

    def _told(self, draw: Draw, turn: Turn, value: Fraction, searched: Turn | None) -> First:
        """Return a first move as it is told, with its line if all is known and the line is told.

        Args:
            draw: what was drawn.
            turn: the first turn.
            value: what it is worth.
            searched: the turn searched for it; None if the search was broken off.

        """
        move = self.state.move(turn, self._names(draw)[0])
        if self.task.order is not Order.GIVEN or searched is None:
            return First(move=move, value=value)
        line = self.search.line(draw, searched, int(value))
        if line is None and draw.left.size:
            return First(move=move, value=value)
        moves = [move]
        mark = self.state.mark()
        self._play(turn)
        while line is not None:
            moves.append(self.state.move(line.turn, self._ids(line.gone)))
            self._play(line.turn)
            line = line.rest
        self.state.undo(mark)
        return First(move=move, value=value, line=tuple(moves))

    def _play(self, turn: Turn) -> None:
        """Play a turn of a line; in a solitaire the next one is the asker's too."""
        self.state.play(turn)
        if self.task.play is Play.SOLITAIRE:
            self.state.put(self.state.turn, 0, self.task.asker)

    def _names(self, draw: Draw) -> tuple[tuple[str, ...], str]:
        """Return the ids of the tiles of a draw."""
        return self.stock.names(draw, [kind.id for kind in self.state.board.tables.kinds])

    def _ids(self, kinds: tuple[int, ...]) -> tuple[str, ...]:
        """Return kinds of tiles by their ids."""
        known = self.state.board.tables.kinds
        return tuple(known[kind].id for kind in kinds)
