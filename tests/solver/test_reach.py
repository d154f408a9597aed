"""What the bound of ``max`` takes for impossible, against all that can be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest

from model.position import Position
from solver.budget import Budget, OutOfTimeError
from solver.falcon.reach import FalconBounds, Service
from solver.falcon.state import FALCONER, KING, FalconState
from solver.final_value import A_MARKET, larger_keep, usable
from solver.game_state import NUMBERS
from solver.outlook import Goal, Order, Play, Task
from solver.progress import Reporter
from solver.search.reach import Bounds
from solver.search.solo import Solo, Stock
from solver.search.sums import Chances, More, Reach
from solver.states import totals
from solver.tables import COURT, NOTHING
from tests.solver.gatherings import gathering

TURNS = 120
"""Turns after which a search ends."""
FAR = 1000
"""More tokens than there are."""


@dataclass(slots=True)
class Frame:
    """What the bound of a state on the way says."""

    reach: Reach
    depth: int
    """Turns before it."""
    score: int
    had: list[int]
    """By number the wall tiles in hand."""
    out_of_reach: list[int]
    """Features that the asker cannot come to hold."""
    may_keep: bool
    may_have_more: bool


class Witness(Solo):
    """The search with nothing left out, in which every bound on the way is held to its word.

    Attributes:
        broken: what was said to be impossible and came.

    """

    def __init__(self, task: Task, kind: type[Bounds] | None = None) -> None:
        """Begin a search with bounds of a kind, or with those of the game."""
        super().__init__(task, task.begin(task.position))
        if kind is not None:
            self.bounds = kind(self.state, task.asker)
        self.broken: Counter[str] = Counter()
        self.towers = tuple(self.state.towers)
        self.frames: list[Frame] = []
        self.scored: list[list[tuple[int, int, int]]] = []
        self.taken: list[list[int]] = []

    def _promises(self, points: int) -> bool:
        """Tell that everything may be better."""
        return True

    def _idle(self, root: int, rank: int, spare: int) -> bool:
        """Tell that no follower is idle."""
        return False

    def _from(self, stock: Stock) -> None:
        """Look at what the last turn brought, and remember what the bound says now."""
        self._note()
        left = stock.left
        if left:
            self.frames.append(self._frame(left))
            super()._from(stock)
            self.frames.pop()
        else:
            self._settle()
            super()._from(stock)
        if self.path:
            self.scored.pop()
            self.taken.pop()

    def _frame(self, left: tuple[int, ...]) -> Frame:
        """Return what the bound says of the state as it is."""
        reach = self.bounds.reach(left, len(left))
        me, chances = self.task.asker, reach.chances
        own = slice(me * NUMBERS, (me + 1) * NUMBERS)
        hands = zip(self.state.hand[own], self.state.fresh_hand[own], strict=True)
        known = {*chances.held, *chances.wanted}
        falcon = isinstance(self.bounds, FalconBounds)
        return Frame(
            reach=reach,
            depth=len(self.path),
            score=self.state.score[me],
            had=[now + late for now, late in hands],
            out_of_reach=[root for root in chances.front.needs if root not in known],
            may_keep=self.bounds.may_keep(chances),
            may_have_more=not falcon or self.bounds.may_have_more(chances),
        )

    def _note(self) -> None:
        """Compare the last turn with what the bounds before it say."""
        if not self.path:
            return
        state, me = self.state, self.task.asker
        board, turn = state.board, self.path[-1].turn
        claims = [] if turn is None else [c for c in turn.plan.claims if c.winner == me]
        used = {} if turn is None else dict(turn.plan.doubled)
        self.scored.append(
            [
                (
                    board.kind[claim.root],
                    board.mask[claim.root].bit_count(),
                    claim.points << len(used.get(claim.root, ())),
                )
                for claim in claims
            ]
        )
        takes = () if turn is None else turn.plan.takes
        self.taken.append([self.towers[tower] for tower, taker in takes if taker == me])
        won = {claim.root for claim in claims}
        for frame in self.frames:
            chances, more = frame.reach.chances, frame.reach.more
            if state.score[me] - frame.score > frame.reach.gain:
                self.broken["gain"] += 1
            taken = Counter(number for some in self.taken[frame.depth :] for number in some)
            if any(chances.hand[n] < frame.had[n] + times for n, times in taken.items()):
                self.broken["wall tiles"] += 1
            for node in frame.out_of_reach:
                root = board.find(node)
                if root in won or board.men[2 * root + me] > board.men[2 * root + 1 - me]:
                    self.broken["followers"] += 1
            if self._beyond(frame) > sum(more.done.values()) + more.played:
                self.broken["weights and kings"] += 1

    def _beyond(self, frame: Frame) -> int:
        """Return what the asker has scored since a bound beyond its points for each tile."""
        played = frame.reach.chances.weights.played
        return sum(
            max(0, points - played[kind] * size)
            for some in self.scored[frame.depth :]
            for kind, size, points in some
        )

    def _settle(self) -> None:
        """Compare the end with what the bounds before it say."""
        state, me = self.state, self.task.asker
        keeps = larger_keep(state.flags, state.keep, usable(state)) == me
        more = isinstance(state, FalconState) and self._has_more(state)
        for frame in self.frames:
            if keeps and not frame.may_keep:
                self.broken["keep"] += 1
            if more and not frame.may_have_more:
                self.broken["tokens"] += 1
            doubled = frame.reach.more
            most = sum(doubled.done.values()) + doubled.played + doubled.late
            if self._court() + self._beyond(frame) > most:
                self.broken["king at the end"] += 1

    def _court(self) -> int:
        """Return what the asker's king adds to a court in final scoring."""
        state, me = self.state, self.task.asker
        root = state.root_of(me, KING) if isinstance(state, FalconState) else NOTHING
        if root < 0 or not isinstance(state, FalconState) or not state.falcon.king_on_courts:
            return 0
        board = state.board
        held = board.men[2 * root + me] > board.men[2 * root + 1 - me]
        return A_MARKET * board.markets[root] * (held and board.kind[root] == COURT)

    def _has_more(self, state: FalconState) -> bool:
        """Tell whether the asker's tokens bring him points for certain."""
        me, mark = self.task.asker, state.mark()
        total = totals(state)[me]
        state.board.put(state.tokens, 1 - me, state.tokens[1 - me] + FAR)
        without = totals(state)[me]
        state.undo(mark)
        return total > without


def task(at: Position, asker: int, rng: random.Random) -> Task:
    """Return a question about the most that a player can have."""
    return Task(
        position=at,
        asker=asker,
        goal=Goal.POINTS,
        play=rng.choice((Play.HELPED, Play.HELPED, Play.SOLITAIRE)),
        order=Order.GIVEN,
        watch=Budget(nodes=TURNS).start(),
        reporter=Reporter(),
    )


def broken(seed: int, *, falcon: bool, kind: type[Bounds] | None = None) -> Counter[str]:
    """Return what a bound says to be impossible and comes, in the first turns of a search."""
    found: Counter[str] = Counter()
    for at in gathering(seed, falcon=falcon):
        for asker in (0, 1):
            witness = Witness(task(at, asker, random.Random(seed)), kind)
            with suppress(OutOfTimeError):
                witness.run()
            found += witness.broken
    return found


@pytest.mark.parametrize("falcon", [False, True])
@pytest.mark.parametrize("seed", range(24))
def test_nothing_that_is_called_impossible_comes(seed: int, *, falcon: bool) -> None:
    """Followers, wall tiles, keeps, tokens, kings: what a bound leaves out cannot be had."""
    assert not broken(seed, falcon=falcon)


class WithoutTowers(Bounds):
    """Forgets the wall tiles that are taken on the way."""

    def _towers(self, found: Reach) -> set[int]:
        """Find none."""
        return set()


class OneAtATime(Bounds):
    """Forgets that a wall tile that is taken may bring the marker to another one."""

    def _towers(self, found: Reach) -> set[int]:
        """Find towers while no wall tile of a tower is counted."""
        me = self.player * NUMBERS
        own = slice(me, me + NUMBERS)
        hands = zip(self.state.hand[own], self.state.fresh_hand[own], strict=True)
        counted = sum(found.chances.hand) - sum(map(sum, hands))
        return set() if counted else super()._towers(found)


class WithoutNewcomers(Bounds):
    """Forgets the followers that are placed later."""

    @staticmethod
    def gathered(standing: int, tiles: int) -> int:
        """Count those that stand today."""
        return standing


class OneFewer(Bounds):
    """Takes one follower too few to come together."""

    @staticmethod
    def gathered(standing: int, tiles: int) -> int:
        """Count one fewer."""
        return standing + tiles - 2


class WithoutOthers(Bounds):
    """Forgets the followers on other features."""

    @staticmethod
    def gathered(standing: int, tiles: int) -> int:
        """Count the newcomers alone."""
        return tiles - 1


class SmallHouses(Bounds):
    """Takes no house to be completed."""

    def may_keep(self, chances: Chances) -> bool:
        """Tell of the keeps of today."""
        return super().may_keep(chances._replace(held={}, wanted={}, tiles=0))


class WithoutReturn(FalconBounds):
    """Forgets that a king or falconer may come home and be placed anew."""

    def _service(self, chances: Chances, rank: int) -> Service | None:
        """Tell that he stays."""
        found = super()._service(chances, rank)
        return found and Service(found.root, 0 if found.root >= 0 else found.tiles)


class WithoutPlacing(FalconBounds):
    """Forgets that a king or falconer at hand may be placed."""

    def _service(self, chances: Chances, rank: int) -> Service | None:
        """Tell that he is not."""
        found = super()._service(chances, rank)
        return found and Service(found.root, 0)


class WithoutGrowth(FalconBounds):
    """Forgets that chapels grow."""

    def _plain(self, stock: tuple[int, ...], roots: Sequence[int]) -> tuple[int, ...]:
        """Tell of the chapels of today."""
        return super()._plain((), roots)


class WithoutDoubling(FalconBounds):
    """Forgets the king where he stands."""

    def _kings(self, chances: Chances) -> More:
        """Tell of the features that are claimed in turns to come alone."""
        return super()._kings(chances)._replace(done={})


class WithoutFalconer(FalconBounds):
    """Forgets the tokens of the falconer."""

    def _service(self, chances: Chances, rank: int) -> Service | None:
        """Tell that there is none."""
        return None if rank == FALCONER else super()._service(chances, rank)


class WithoutAeries(FalconBounds):
    """Forgets the tokens of aeries, and so of everything but those of today."""

    def _tokens(self, chances: Chances) -> Iterator[int]:
        """Tell of none."""
        return iter(())


@pytest.mark.parametrize(
    ("kind", "seed", "what"),
    [
        (WithoutTowers, 6, "wall tiles"),
        (WithoutTowers, 70, "wall tiles"),
        (OneAtATime, 26, "wall tiles"),
        (WithoutNewcomers, 75, "followers"),
        (WithoutNewcomers, 73, "followers"),
        (OneFewer, 35, "followers"),
        (OneFewer, 53, "followers"),
        (WithoutOthers, 45, "followers"),
        (SmallHouses, 60, "keep"),
        (WithoutGrowth, 9, "weights and kings"),
        (WithoutDoubling, 0, "weights and kings"),
        (WithoutPlacing, 4, "king at the end"),
        (WithoutPlacing, 27, "weights and kings"),
        (WithoutReturn, 209, "king at the end"),
        (WithoutReturn, 233, "tokens"),
        (WithoutFalconer, 53, "tokens"),
        (WithoutAeries, 5, "tokens"),
    ],
)
def test_each_rule_is_needed(kind: type[Bounds], seed: int, what: str) -> None:
    """Without the rule, or with a tighter one, what is called impossible comes."""
    falcon = issubclass(kind, FalconBounds)
    assert broken(seed, falcon=falcon, kind=kind)[what]
    assert not broken(seed, falcon=falcon)
