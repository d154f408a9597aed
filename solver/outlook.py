"""Questions about the rest of a game: what is asked, and what a search found.

A task says who decides for what end and what is known of the order of the tiles. Values
are counted for one player, the *asker*; a line of play ends with final scoring, or where
the horizon of the task lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import factorial
from typing import Protocol

from model.position import Move, Position
from model.rules.castle.wall_tiles import unseen
from solver.answers import Status
from solver.budget import Stopwatch
from solver.progress import Reporter


class Goal(StrEnum):
    """What the asker wants to be large."""

    POINTS = "points"
    """His own final score."""
    LEAD = "lead"
    """His final score less the opponent's."""
    WIN = "win"
    """The probability of winning less that of losing; of equal ones, that of a decision."""


class Play(StrEnum):
    """Who decides for what end."""

    HELPED = "helped"
    """All choices of both players serve the asker."""
    SOLITAIRE = "solitaire"
    """Every turn to come is the asker's."""
    AGAINST = "against"
    """All others play against the asker, which a single opponent does who plays for himself."""
    EACH = "each"
    """Of more than two players each plays best for himself, and takes the others to do so."""


class Order(StrEnum):
    """What becomes of what nobody knows: the order of the bag and face-down wall tiles."""

    GIVEN = "given"
    """Nothing of that kind is left: everything is known."""
    CHOOSE = "choose"
    """It comes as is best for the asker."""
    ANY = "any"
    """It comes as is worst for the asker; players see what comes when it comes."""
    CHANCE = "chance"
    """It comes by chance, everything unseen being equally likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question about the rest of a game, and the means to answer it."""

    position: Position
    asker: int
    """The player for whom values are counted."""
    goal: Goal
    play: Play
    order: Order
    horizon: int | None = None
    """Tiles to be laid before scores are compared as they stand on the track; None, or more
    than are left: to the end of the game, with final scoring."""
    every: bool = False
    """Whether the value of each first move is asked for, not of the best alone."""
    told: int | None = None
    """First moves that are told at most, replayed and with a line; None for all."""
    sole: bool = False
    """Whether the best first move is wanted only if it is alone: an engine may stop with a bound
    at two that are as good."""
    likely: tuple[Move, ...] = ()
    """First moves that may be best: an engine may look at them first."""
    watch: Stopwatch
    reporter: Reporter

    @property
    def decisive(self) -> int:
        """Return how much more a win weighs than a decision, by which exact odds are told."""
        hidden = sum(not number for _, number in self.position.towers)
        pool = sum(unseen(self.position).values())
        draws = factorial(len(self.position.bag))
        for seen in range(min(hidden, pool)):
            draws *= pool - seen
        return 2 * draws

    def worth(self, *totals: int) -> int:
        """Return what an end is worth to the asker.

        Args:
            totals: each player's total. A lead is over the best of the others, if there are any.

        """
        mine = totals[self.asker]
        theirs = max(totals[: self.asker] + totals[self.asker + 1 :], default=0)
        if self.goal is Goal.POINTS:
            return mine
        if self.goal is Goal.LEAD:
            return mine - theirs
        sign = (mine > theirs) - (mine < theirs)
        return self.decisive * sign + abs(sign)

    def worths(self, *totals: int) -> tuple[int, ...]:
        """Return what an end is worth to the asker, and to the others if each plays for himself.

        Args:
            totals: each player's total.

        Returns:
            The asker's worth alone; or with ``Play.EACH`` that of every player, each as if he
            were the asker, the asker's first and the others' in turn.

        """
        if self.play is not Play.EACH:
            return (self.worth(*totals),)
        turn = (*range(self.asker, len(totals)), *range(self.asker))
        return tuple(replace(self, asker=player).worth(*totals) for player in turn)

    def liking(self, player: int, worths: Sequence[Fraction | int]) -> tuple[Fraction | int, ...]:
        """Return how a player likes an end; of two he chooses the one with the larger liking.

        With ``Play.EACH`` he takes what is best for himself. Of ends equally good for him he
        takes, so that the answer does not depend on an order of moves, what is worst for the
        asker, then what is worst for each of the others in turn.

        Args:
            player: who chooses.
            worths: what ``worths`` says of the end, or what is expected of it.

        """
        if self.play is not Play.EACH:
            return (worths[0] if self.serves(player) else -worths[0],)
        own = (player - self.asker) % len(worths)
        return (worths[own], *(-worths[index] for index in range(len(worths)) if index != own))

    def begin(self, position: Position) -> Position:
        """Return the position as the asker meets it: in a solitaire every turn is his.

        A finished game stays as it is, because final scoring asks who had the last turn.
        """
        if position.over:
            return position
        if self.play is Play.SOLITAIRE and position.to_move != self.asker:
            return replace(position, to_move=self.asker, extra_turns=0, in_extra_turn=False)
        return position

    def serves(self, player: int) -> bool:
        """Tell whether a player's choices serve the asker."""
        return self.play in {Play.HELPED, Play.SOLITAIRE} or player == self.asker


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """Probabilities of the end of a game for the asker; they add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction


def odds(task: Task, value: Fraction) -> Odds:
    """Return the probabilities that the value of a task with the goal ``win`` stands for."""
    # value = decisive * (win - loss) + (win + loss), and decisive * (win - loss) is even.
    whole = value.numerator // value.denominator // 2
    lead = Fraction(2 * whole, task.decisive)
    decided = value - 2 * whole
    return Odds(win=(decided + lead) / 2, draw=1 - decided, loss=(decided - lead) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """A first move with what follows from it."""

    move: Move
    value: Fraction
    """What it is worth to the asker."""
    line: tuple[Move, ...] = ()
    """The move and best play after it to the end, where everything is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What an engine found out about a task."""

    status: Status
    """``optimal``: value and first moves are proved; ``bound``: time ran out, and the asker
    can have at least the value; ``unknown``: nothing was found in the time."""
    value: Fraction | None
    """What the position is worth to the asker."""
    first: tuple[First, ...] = ()
    """The best first moves, or each of them with its value, in the order of the rules engine.
    With an unknown first tile, those of every tile that may be drawn."""
    complete: bool = True
    """Whether all equally good first moves are there, and not one of them alone."""
    nodes: int = 0
    """Turns played by the search, or conflicts met by CP-SAT."""
    most: Fraction | None = None
    """After an early stop: the value is no more, if the engine knows that much."""


NOTHING = Finding(status=Status.UNKNOWN, value=None, complete=False)
"""Nothing was found in the time."""


class TooLargeError(Exception):
    """A question does not fit into the tables of an engine: another engine must answer it."""


class OutlookEngine(Protocol):
    """A way to answer tasks."""

    @property
    def name(self) -> str:
        """The name by which it is chosen."""

    def solve(self, task: Task) -> Finding:
        """Answer a task that ``covers`` accepts; Ctrl-C ends it like the end of the time.

        Raises:
            TooLargeError: it shows on the way that the task is too large for the engine.

        """

    def covers(self, task: Task) -> bool:
        """Tell whether the engine can answer a task at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The answer to a question about the rest of a game."""

    asker: int
    """The player for whom values are counted."""
    goal: Goal
    play: Play
    order: Order
    tiles: int
    """Tiles looked ahead, to the end of the game or to the horizon."""
    value: Fraction | None
    """What the position is worth to the asker: points or points of lead; None if nothing is
    known. For the goal ``win``, the probability of winning less that of losing."""
    odds: Odds | None
    """Win, draw, loss, for the goal ``win``."""
    status: Status
    first: tuple[First, ...]
    """First moves with their values, in the order of the rules engine."""
    complete: bool
    """Whether all equally good first moves are among them."""
    line: tuple[Move, ...]
    """Best play to the end from the first of the best of them, where everything is known."""
    scores: tuple[int, ...] | None
    """The totals at the end of that line, by player."""
    engine: str
    nodes: int
    """Turns played by the search, or conflicts met by CP-SAT."""
    seconds: float
    """Wall-clock time from question to answer."""
    least: Fraction | None = None
    """The value is no less; it is the value once that is proved. None if no limit is known."""
    most: Fraction | None = None
    """The value is no more, likewise."""
    guess: tuple[Move, ...] = ()
    """After an early stop, first moves that no search stands behind, one for each tile that may
    be drawn: each is best for who moves if the game ended after it."""
    floor: Fraction | None = None
    """What the asker has at least whatever the others do, all of them taken to play against
    him: told where each of more than two plays for himself."""
    confirmed: tuple[str, ...]
    """What was confirmed, and by what, one sentence each."""
