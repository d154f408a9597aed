"""Branch and bound for one will: the most that any play can reach for a player.

All choices serve the asker, so that a line of play is one row of decisions: the draws, where
the order may be chosen, and every turn. The search goes through the rows depth first, turns
that bring points first, and leaves out

- states, and places of a tile, from which the bound of ``solver.search.reach`` does not allow
  more than the best line found so far, and last turns of which the best is no better;
- all segments but one of those of a tile that are one feature, as places for a follower;
- idle followers.

A follower is idle on a path, tower, house or chapel that faces more empty cells than tiles are
left, while no wall tile that scores such features at the end is in a hand or on a tower. The
feature is never completed, whatever joins it, because all of those cells would have to be filled.
So nobody on it scores or comes home, and to hold it is worth nothing. Without the follower the
same turns are legal, since one more follower in the supply and one claimed feature less forbid
nothing, and they end with the same scores. For the same reason he is idle on a court that cannot
grow any more and brings neither points nor tokens.

Memory: the states of one line with their turns, and tables of bounded size: some 10 MB of empty
areas, and what ``solver.search.last_turn`` knows of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import NamedTuple

from model.position import Move, Position
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.falcon.reach import bounds_of
from solver.game_state import NUMBERS, GameState, Turn
from solver.outlook import NOTHING, Finding, First, Goal, Order, Play, Task
from solver.search.castle import take_over
from solver.search.last_turn import LastTurns
from solver.search.reach import FINAL
from solver.search.situation import LEAD
from solver.search.sums import Reach
from solver.states import game_state, totals
from solver.tables import COURT

MOST = 1 << 40
"""More points than a game can bring."""


class BoundEngine:
    """Searches every line that no bound cuts off."""

    name = "bound"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: everybody serves the asker, the towers are known."""
        known = not task.position.bag or task.order is Order.CHOOSE
        return (
            task.play is not Play.AGAINST
            and task.order in {Order.GIVEN, Order.CHOOSE}
            and not task.every
            and known
            and all(number for _, number in task.position.towers)
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task; one of the best first moves comes with its line."""
        if task.watch.out:
            return NOTHING
        position = task.begin(task.position)
        search = Solo(task, position)
        try:
            search.run()
            proved = True
        except (OutOfTimeError, KeyboardInterrupt):
            proved = False
        if search.best is None:
            return replace(NOTHING, nodes=task.watch.nodes)
        value = Fraction(search.best)
        line = moves_of(task, position, search.line)
        return Finding(
            status=Status.OPTIMAL if proved else Status.BOUND,
            value=value,
            first=(First(move=line[0], value=value, line=line),) if line else (),
            complete=not line,
            nodes=task.watch.nodes,
        )


class Stock(NamedTuple):
    """The tiles to come, by index of their kinds."""

    order: tuple[int, ...]
    """Those whose order is known."""
    bag: tuple[int, ...]
    """Those that come after them, in the best order."""

    @property
    def left(self) -> tuple[int, ...]:
        """All of them."""
        return self.order + self.bag


class Step(NamedTuple):
    """A turn with its draw."""

    gone: tuple[int, ...]
    """Kinds of the tiles that had no place."""
    turn: Turn | None
    """What is done with the tile that had one; None if none had."""


class Draw(NamedTuple):
    """What may be drawn."""

    gone: tuple[int, ...]
    kind: int
    """The kind that has a place, or -1 if none has."""
    rest: Stock
    """What is left then."""


class Solo:
    """One search.

    Attributes:
        best: what the best line found so far is worth; None if none was found.
        line: that line.
        idle_at_end: by kind of feature, whether nobody can have the wall tile that scores it
            at the end.

    """

    def __init__(self, task: Task, position: Position) -> None:
        """Begin at a position as the asker meets it."""
        self.task = task
        self.state = game_state(position)
        self.bounds = bounds_of(self.state, task.asker)
        white = (1, 0) if task.goal is Goal.POINTS else LEAD
        measure = white if task.asker == 0 else (white[1], white[0])
        self.last = LastTurns(self.state, (True, True), measure)
        board = self.state.board
        self.all = Stock(
            tuple(board.kind_index[tile] for tile in position.order),
            tuple(board.kind_index[tile] for tile in sorted(position.bag)),
        )
        there = {*self.state.towers}
        there |= {at % NUMBERS for at, n in enumerate(self.state.hand) if n}
        there |= {at % NUMBERS for at, n in enumerate(self.state.fresh_hand) if n}
        self.idle_at_end = {kind: number not in there for kind, number in FINAL.items()}
        self.end = len(self.all.left) if task.horizon is None else task.horizon
        self.best: int | None = None
        self.line: tuple[Step, ...] = ()
        self.path: list[Step] = []

    def run(self) -> None:
        """Search to the end.

        Raises:
            OutOfTimeError: the time is used up; ``best`` and ``line`` are what was found.

        """
        self._from(self.all)

    def _from(self, stock: Stock) -> None:
        """Search everything that may follow on a state with some tiles to come."""
        left = stock.left
        tiles = min(len(left), self.end - (len(self.all.left) - len(left)))
        if not left:
            self._end(*totals(self.state))
        elif tiles <= 0:
            self._end(*self.state.score)
        elif len(left) > 1 or self._ends_better(left[0]):
            reach = self.bounds.reach(left, tiles)
            if self._promises(reach.total):
                for draw in self._draws(stock):
                    self._turns(draw, reach)

    def _ends_better(self, kind: int) -> bool:
        """Tell whether some turn with the last tile may end better than the best line so far."""
        if self.best is None or not self.last.able:
            return True
        value = self.last.best(kind, -MOST, MOST)
        if value is None:
            return True
        totals = [0, 0]
        totals[self.task.asker] = value
        return self.task.worth(*totals) > self.best

    def _end(self, *totals: int) -> None:
        """Compare the end of a line with the best so far."""
        value = self.task.worth(*totals)
        if self.best is None or value > self.best:
            self.best, self.line = value, tuple(self.path)
            self.task.reporter.found(value)

    def _promises(self, points: int) -> bool:
        """Tell whether a better line is possible where the asker has at most so many points."""
        if self.best is None:
            return True
        totals = list(self.state.score)
        totals[self.task.asker] = points
        return self.task.worth(*totals) > self.best

    def _draws(self, stock: Stock) -> Iterator[Draw]:
        """Yield what may be drawn, tiles without a place before it included."""
        board = self.state.board
        placeable = {kind: any(True for _ in board.places(kind)) for kind in set(stock.left)}
        for at, kind in enumerate(stock.order):
            if placeable[kind]:
                yield Draw(stock.order[:at], kind, Stock(stock.order[at + 1 :], stock.bag))
                return
        stuck = [kind for kind in stock.bag if not placeable[kind]]
        free = [kind for kind in stock.bag if placeable[kind]]
        if not free:
            yield Draw(stock.left, -1, Stock((), ()))
        for kind, gone in product(sorted(set(free)), _choices(stuck)):
            rest = list(stock.bag)
            for one in (kind, *gone):
                rest.remove(one)
            yield Draw(stock.order + gone, kind, Stock((), tuple(rest)))

    def _turns(self, draw: Draw, reach: Reach) -> None:
        """Search every turn with a draw."""
        if draw.kind < 0:
            self._step(Step(draw.gone, None), draw.rest)
            return
        for bound, turn in self._promising(draw, reach):
            if self._promises(bound):
                self._step(Step(draw.gone, turn), draw.rest)

    def _step(self, step: Step, rest: Stock) -> None:
        """Play a turn, search what may follow, and take it back."""
        self.task.watch.tick()
        state, mark, mover = self.state, self.state.mark(), self.state.turn[0]
        self.path.append(step)
        advance(self.task, state, step, last=not rest.left)
        if step.turn is not None and self.last.able:
            self.last.looks.step(step.turn, mover, state.board.disturbed)
        self._from(rest)
        self.path.pop()
        state.undo(mark)

    def _promising(self, draw: Draw, reach: Reach) -> list[tuple[int, Turn]]:
        """Return the turns from which the bound allows more, with it, the best ones first."""
        state, asker = self.state, self.task.asker
        last, spare = not draw.rest.left, reach.chances.tiles - 1
        idle = partial(self._idle, spare=spare)
        filled: dict[int, tuple[Reach, int]] = {}
        found: list[tuple[int, int, Turn]] = []
        for cell, rotation in list(state.board.places(draw.kind)):
            if cell not in filled:
                filled[cell] = self._filled(reach, draw.kind, cell)
            here, bound = filled[cell]
            bound += self.bounds.place(here, cell, draw.kind * 4 + rotation)
            if self._promises(bound):
                turns = state.turns_on(cell, draw.kind, rotation, last=last, alike=False, idle=idle)
                for turn in turns:
                    gain = turn.plan.scores[asker] - state.score[asker]
                    mine = turn.segment >= 0 and state.turn[0] == asker
                    found.append((4 * gain + bound + 2 * mine, bound, turn))
        found.sort(key=lambda one: -one[0])
        return [(bound, turn) for _, bound, turn in found]

    def _filled(self, reach: Reach, kind: int, cell: int) -> tuple[Reach, int]:
        """Return the bound if the next tile lies on a cell, and that but for what the tile brings.

        Args:
            reach: the bound of the state.
            kind: of the next tile.
            cell: where it is laid. If it is the only one, the rest of the board stays as it is.

        """
        if reach.chances.tiles == 1:
            reach = self.bounds.reach(reach.chances.stock, 1, cell)
        return reach, reach.sure + reach.late + reach.others(kind) + reach.with_filled(cell)

    def _idle(self, root: int, rank: int, spare: int) -> bool:
        """Tell whether a follower on a feature can bring nobody anything.

        Args:
            root: the feature, with the new tile.
            rank: what the follower is.
            spare: how many tiles can be laid after it.

        """
        board = self.state.board
        if board.kind[root] == COURT:
            return self.state.barren(root, rank) and not (board.needs(root) and spare)
        forgotten = self.idle_at_end.get(board.kind[root], True)
        return forgotten and board.needs(root).bit_count() > spare


def advance(task: Task, state: GameState, step: Step, *, last: bool) -> None:
    """Play a step; in a solitaire the asker takes every turn over.

    Args:
        task: the question.
        state: the state before the step.
        step: the draw with its turn; without a turn the game ends.
        last: whether no tile is left after the step.

    """
    if step.turn is None:
        state.pass_turn()
        return
    state.play(step.turn, last=last)
    if not last:
        take_over(task, state)


def moves_of(task: Task, position: Position, line: Sequence[Step]) -> tuple[Move, ...]:
    """Return a line as moves of the reference engine.

    Args:
        task: the question.
        position: where the line begins.
        line: its steps.

    """
    state = game_state(position)
    kinds = state.board.tables.kinds
    moves = []
    for step in line:
        gone = tuple(kinds[kind].id for kind in step.gone)
        moves.append(Move(discards=gone) if step.turn is None else state.move(step.turn, gone))
        advance(task, state, step, last=step is line[-1])
    return tuple(moves)


def _choices(stuck: Sequence[int]) -> list[tuple[int, ...]]:
    """Return every choice of some of the tiles that have no place, each once."""
    sizes = range(len(stuck) + 1)
    return list(dict.fromkeys(some for size in sizes for some in combinations(stuck, size)))
