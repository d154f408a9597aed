"""Expectimax as an engine for questions in which something is not known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import perm

from model.position import Move
from model.rules.castle.wall_tiles import unseen
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.outlook import NOTHING, Finding, First, Goal, Order, Task
from solver.search.castle import CastleGame, Option, Played, Shown
from solver.search.chance import Draw, Expectimax, Reveal, Stock
from solver.search.several import try_all
from solver.search.star import Star2


class ExpectimaxEngine:
    """Plays every turn on the incremental state, whatever is drawn, with nothing cut off."""

    name = "expectimax"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: something is not known, and a tile is to come."""
        position = task.position
        hidden = sum(not number for _, number in position.towers)
        return (
            task.order is not Order.GIVEN
            and not position.over
            and task.horizon != 0
            and hidden <= unseen(position).total()
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task, with the first moves of every tile that may be drawn."""
        if task.watch.out:
            return NOTHING
        return Every(task).answer()


class Star2Engine:
    """Leaves out turns and draws that cannot change the answer."""

    name = "star2"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: something is left to chance, and a tile is to come."""
        open_end = task.order is Order.CHANCE and task.goal is not Goal.POINTS
        return open_end and ExpectimaxEngine().covers(task)

    def solve(self, task: Task) -> Finding:
        """Answer a task, with the first moves of every tile that may be drawn."""
        if task.watch.out:
            return NOTHING
        return Pruned(task).answer()


@dataclass(slots=True)
class Case:
    """A tile that may be drawn first."""

    draw: Draw
    scale: int
    """What the values are multiplied by."""
    options: Sequence[Option]
    """Every first turn, as the rules engine lists them; none if no tile has a place."""
    moves: Sequence[Move]
    """As the rules engine writes them."""
    values: dict[int, int] = field(default_factory=dict)
    """Of the first turns, by their place in ``moves``, as far as they are known."""

    @property
    def worths(self) -> Collection[int]:
        """The values known so far."""
        return self.values.values()


class Root(ABC):
    """A task taken apart into first tiles and first turns, and its answer put together.

    Attributes:
        task: the task.
        game: the game, in the position of the task.
        cases: what may be drawn, in the order of the rules engine.
        until: with so many tiles left, not 0, scores are compared as they stand.

    """

    def __init__(self, task: Task) -> None:
        """Take over a task."""
        self.task = task
        self.game = CastleGame(task)
        self.serving = self.game.serving
        board = self.game.state.board
        position = task.position
        self.stock = Stock(
            tuple(board.kind_index[tile] for tile in position.order),
            tuple(sorted(board.kind_index[tile] for tile in position.bag)),
        )
        self.until = max(0, self.stock.size - (task.horizon or self.stock.size))
        self.by_chance = task.order is Order.CHANCE
        self.scale = 1
        if self.by_chance:
            self.scale = self.stock.orders * perm(sum(self.game.pool), self.game.hidden)
        self._ids = [kind.id for kind in board.tables.kinds]
        draws = sorted(self.stock.draws(self.game.placeable), key=self._names)
        self.cases = [self._case(draw) for draw in draws]
        self.firsts = [(case, at) for case in self.cases for at in range(len(case.options))]

    @abstractmethod
    def value(self, case: Case, option: Option, bar: int | None) -> int:
        """Return what a first turn is worth.

        Args:
            case: the first tile.
            option: the first turn.
            bar: the best value with that tile so far, None if there is none. If not every value
                is asked for, a turn that is worse may be given any value on that side of it.

        """

    def __len__(self) -> int:
        """Return the number of first turns."""
        return len(self.firsts)

    def bar(self, index: int) -> int | None:
        """Return the best value so far with the tile of a first turn."""
        worths = self.firsts[index][0].worths
        return self._best(worths) if worths else None

    def search(self, index: int, bar: int | None) -> int:
        """Return what a first turn is worth; see ``value``."""
        case, at = self.firsts[index]
        return self.value(case, case.options[at], bar)

    def learn(self, index: int, found: int) -> None:
        """Hear what a first turn is worth."""
        case, at = self.firsts[index]
        better = not case.values or found > max(case.worths)
        case.values[at] = found
        if better and self.serving and len(self.cases) == 1 and self.task.goal is Goal.LEAD:
            self.task.reporter.found(Fraction(found, case.scale))

    def answer(self) -> Finding:
        """Return the answer, or what is known of it when time runs out or at Ctrl-C."""
        try:
            try_all(self)
        except (OutOfTimeError, KeyboardInterrupt):
            return self._bound()
        return self._answer()

    def _case(self, draw: Draw) -> Case:
        """Return a first tile with its turns."""
        scale = self.scale // draw.out_of if self.by_chance else self.scale
        gone, _ = self._names(draw)
        if draw.kind >= 0:
            options = self.game.listed(draw.kind, last=not draw.left.size)
            return Case(draw, scale, options, [self._move(option, gone) for option in options])
        # Nothing is left to choose: the value is known at once.
        self.game.pass_turn()
        return Case(draw, scale, (), [Move(discards=gone)], {0: self.game.end() * scale})

    def _names(self, draw: Draw) -> tuple[tuple[str, ...], str]:
        """Return the ids of the tiles of a draw."""
        return self.stock.names(draw, self._ids)

    def _best(self, values: Collection[int]) -> int:
        """Return the value of the best of some first turns for the player to move."""
        return max(values) if self.serving else min(values)

    def _answer(self) -> Finding:
        """Return the proved answer once all values are known."""
        best = [self._best(case.worths) for case in self.cases]
        if self.by_chance:
            pairs = zip(self.cases, best, strict=True)
            value = sum(case.draw.ways * worth for case, worth in pairs)
        else:
            value = max(best) if self.task.order is Order.CHOOSE else min(best)
        return Finding(
            status=Status.OPTIMAL,
            value=Fraction(value, self.scale),
            first=tuple(
                first
                for case, worth in zip(self.cases, best, strict=True)
                for first in self._first(case, None if self.task.every else worth)
            ),
            nodes=self.task.watch.nodes,
        )

    def _bound(self) -> Finding:
        """Return what is known after an early stop.

        With one first tile, the mover being served, he can have the best of the turns known.
        """
        case = self.cases[0]
        if len(self.cases) > 1 or not self.serving or not case.values:
            return replace(NOTHING, nodes=self.task.watch.nodes)
        value = max(case.worths)
        return Finding(
            status=Status.BOUND,
            value=Fraction(value, case.scale),
            first=tuple(self._first(case, None if self.task.every else value)),
            complete=False,
            nodes=self.task.watch.nodes,
        )

    @staticmethod
    def _first(case: Case, worth: int | None) -> Iterator[First]:
        """Yield the first moves with a tile.

        Args:
            case: the tile.
            worth: the value that they must have; None for all.

        """
        # After an early stop some values are missing.
        for at, move in enumerate(case.moves):
            value = case.values.get(at)
            if value is not None and worth in {None, value}:
                yield First(move=move, value=Fraction(value, case.scale))

    def _move(self, option: Option, gone: tuple[str, ...]) -> Move:
        """Return the move of the rules engine that an option stands for."""
        turn = option.named if isinstance(option, Reveal) else option
        turn = turn.turn if isinstance(turn, Shown) else turn
        return self.game.state.move(turn, gone)


class Every(Root):
    """First turns searched with nothing cut off."""

    def __init__(self, task: Task) -> None:
        """Take over a task."""
        super().__init__(task)
        self.tree: Expectimax[Played] = Expectimax(self.game, task.order, self.until, task.watch)

    def value(self, case: Case, option: Option, bar: int | None) -> int:  # noqa: ARG002 -- as asked
        """Return what a first turn is worth."""
        return self.tree.after(option, case.draw, case.scale)


class Pruned(Root):
    """First turns searched by Star2."""

    def __init__(self, task: Task) -> None:
        """Take over a task."""
        super().__init__(task)
        game = self.game
        self.star: Star2[Played] = Star2(
            game, self.until, task.watch, last_two=game.last_two, replied=game.replied
        )

    def value(self, case: Case, option: Option, bar: int | None) -> int:
        """Return what a first turn is worth; or, if it is worse than others, not less."""
        least, most = self.game.limits
        low, high = (least - 1) * case.scale, (most + 1) * case.scale
        if bar is not None and not self.task.every:
            # One unit wider than needed, so that turns as good as the best are told apart.
            if self.serving:
                low = bar - 1
            else:
                high = bar + 1
        return self.star.after(option, case.draw, case.scale, low, high)
