"""Turns each of which is the best if the game ended after it: a guess, with nothing proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from model.position import Move
from solver.outlook import Goal, Order, Task
from solver.plane.ending import final_scores
from solver.plane.game import PlaneGame
from solver.plane.state import Turn as PlaneTurn
from solver.search.castle import CastleGame, Option, Shown
from solver.search.chance import Draw, Reveal, Stock
from solver.states import totals


class _InCastle(CastleGame):
    """A game in a castle."""

    def best(self, kind: int, *, last: bool) -> Any:
        """Return the best turn with a kind of tile, or its beginning; None if it has no place."""
        turns = self.turns(kind, last=last) if kind >= 0 else ()
        return max(turns, key=lambda turn: self._liking(turn, last=last), default=None)

    def _liking(self, option: Option, *, last: bool) -> tuple[Fraction | int, bool]:
        """Return how the player to move likes a turn: of equals he claims what may help him."""
        worth = self._worth(option, last=last)
        named = option.named if isinstance(option, Reveal) else option
        turn = named.turn if isinstance(named, Shown) else named
        gains = self.state.turn[0] == self.task.asker or not self.serving
        return worth if self.serving else -worth, (turn.segment >= 0) is gains

    def _worth(self, option: Option, *, last: bool) -> Fraction | int:
        """Return what the game were worth if it ended after a turn."""
        if not isinstance(option, Reveal):
            mark = self.mark()
            self.play(option, last=last)
            worth = self.end()
            self.undo(mark)
            return worth
        choose = max if self.serving else min
        cases = [
            (ways, choose(self._worth(turn, last=last) for turn in turns))
            for ways, turns in option.cases
        ]
        if self.task.order is Order.CHANCE:
            return Fraction(sum(ways * worth for ways, worth in cases)) / option.ways
        return (max if self.task.order is Order.CHOOSE else min)(worth for _, worth in cases)

    def move(self, turn: Any, gone: tuple[str, ...]) -> Move:
        """Return a turn as a move."""
        turn = turn.named if isinstance(turn, Reveal) else turn
        turn = turn.turn if isinstance(turn, Shown) else turn
        return Move(discards=gone) if turn is None else self.state.move(turn, gone)

    def follow(self, turn: Any, *, last: bool) -> None:
        """Play a turn."""
        if turn is None:
            self.pass_turn()
        else:
            self.play(turn, last=last)

    def scores(self) -> Sequence[int]:
        """Return each player's total if the game ended now."""
        return totals(self.state)


class _OnPlane(PlaneGame):
    """A game of Carcassonne or The Tower."""

    def best(self, kind: int, *, last: bool) -> PlaneTurn:
        """Return the best turn with a kind of tile, or without one."""
        if kind < 0:
            return self.best_pass()
        gains = self.state.turn[0] == self.task.asker or not self.serving
        turns = self.turns(kind, last=last)
        return max(turns, key=lambda turn: (self.promise(turn), (turn.segment >= 0) is gains))

    def move(self, turn: PlaneTurn, gone: tuple[str, ...]) -> Move:
        """Return a turn as a move."""
        return self.state.move(turn, gone)

    def follow(self, turn: PlaneTurn, *, last: bool) -> None:
        """Play a turn."""
        self.play(turn, last=last)

    def scores(self) -> Sequence[int]:
        """Return each player's total if the game ended now."""
        return final_scores(self.state)


class Greedy:
    """Plays the game of a task by looking no further than a turn."""

    def __init__(self, task: Task) -> None:
        """Take over the position of a task; who wants to win is taken to want the lead."""
        self.task = task
        if task.goal is Goal.WIN:
            task = replace(task, goal=Goal.LEAD)
        endless = task.position.game.board.endless
        self.game: _InCastle | _OnPlane = _OnPlane(task) if endless else _InCastle(task)
        board, position = self.game.state.board, task.position
        self._ids = [kind.id for kind in board.tables.kinds]
        kind = board.kind_index
        bag = tuple(sorted(kind[tile] for tile in position.bag))
        self.stock = Stock(tuple(kind[tile] for tile in position.order), bag)

    def first(self) -> tuple[Move, ...]:
        """Return a first move for every tile that may be drawn, in the order of the rules engine.

        Of a turn in which a face-down wall tile is taken, it is one that begins as the best does.
        """
        known: dict[tuple[int, bool], Any] = {}
        moves = []
        for gone, draw in self._draws(self.stock):
            key = draw.kind, not draw.left.size
            if key not in known:
                known[key] = self.game.best(draw.kind, last=not draw.left.size)
            moves.append(self.game.move(known[key], gone))
        return tuple(moves)

    def line(self) -> tuple[tuple[Move, ...], Sequence[int]]:
        """Return moves to the end, or to the horizon, and what each player has then.

        Tiles of a bag come in the order of their ids. No wall tile may lie face down.
        """
        stock = self.stock
        until = max(0, stock.size - (self.task.horizon or stock.size))
        moves = []
        while stock.size > until:
            gone, draw = next(self._draws(stock))
            last = not draw.left.size
            turn = self.game.best(draw.kind, last=last)
            moves.append(self.game.move(turn, gone))
            self.game.follow(turn, last=last)
            stock = draw.left
        state = self.game.state
        return tuple(moves), state.score if stock.size else self.game.scores()

    def _draws(self, stock: Stock) -> Iterator[tuple[tuple[str, ...], Draw]]:
        """Yield what may be drawn, with the ids of the tiles that have no place."""
        draws = {stock.names(draw, self._ids): draw for draw in stock.draws(self.game.placeable)}
        for gone, tile in sorted(draws):
            yield gone, draws[gone, tile]
