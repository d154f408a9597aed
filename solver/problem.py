"""A question about one turn or the rest of a game.

A problem states the aims of the players and the knowledge of the tile order. Values are counted
for one player, the *asker*. A line of play ends with final scoring or at the horizon of the
problem. A question about one turn is a problem with the horizon 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import factorial, perm

from burgrave.model.draws import Draw
from burgrave.model.errors import QuestionError
from burgrave.model.geometry import Cell
from burgrave.model.position import Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.model.tiles import Kind

TWO = 2
"""Players who play against each other; of more each plays for himself."""


class Goal(StrEnum):
    """The value that the asker maximises."""

    POINTS = "points"
    """His own score: final, or the points that he wins in the turn."""
    LEAD = "lead"
    """His score less the opponent's: final, or of the turn."""
    WIN = "win"
    """The probability of winning less that of losing; of equal ones, that of a decision."""
    THEIRS = "theirs"
    """The score of his only opponent, who tries to keep it low."""


class Play(StrEnum):
    """The aims of the players' choices."""

    HELPED = "helped"
    """All choices of both players serve the asker."""
    SOLITAIRE = "solitaire"
    """Every turn to come is the asker's."""
    AGAINST = "against"
    """All others play against the asker, which a single opponent does who plays for himself."""
    EACH = "each"
    """Of more than two players each plays best for himself, and takes the others to do so."""


WITHOUT_OPPONENT = frozenset((Play.HELPED, Play.SOLITAIRE))
"""Nobody plays against the asker."""


class TileOrder(StrEnum):
    """How unknowns are resolved: the order of the bag and face-down wall tiles."""

    GIVEN = "given"
    """There are no unknowns."""
    CHOOSE = "choose"
    """Unknowns come in the best way for the asker."""
    ANY = "any"
    """Unknowns come in the worst way for the asker; players see each when it comes."""
    CHANCE = "chance"
    """Unknowns come by chance; all unseen items are equally likely."""


DECIDED_BY_OTHERS = frozenset({("exchange_choice", "captor")})
"""The values of switches by which another player decides within the turn, by name and value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A question about the rest of a game: a value, without the time and effort to answer it.

    Every answer that chooses among turns is one to a problem.

    Raises:
        QuestionError: another player decides within the turn, so that no turn is the mover's
            choice; the message names the value of the switch.

    """

    position: Position
    asker: int
    """The player for whom values are counted."""
    goal: Goal
    play: Play
    order: TileOrder
    horizon: int | None = None
    """Tiles to be laid before the scores on the track are compared. None, or more than are left:
    the game is played to its end, with final scoring."""
    every: bool = False
    """Whether the value of each first move is wanted, not only the best."""
    told: int | None = None
    """Maximum number of first moves reported, replayed and with a line; None for all."""
    gains: bool = False
    """Whether the points of the turn count, without final scoring, and not the totals."""
    draw: Draw | None = None
    """The draw of the turn; None if the position determines it."""
    top: int = 1
    """Moves of the turn that are wanted at least; moves equal to the last of them come too."""

    def __post_init__(self) -> None:
        """Refuse a game in which another player decides within the turn."""
        values = {(switch.name, value) for switch, value in self.position.game.switches}
        for name, value in sorted(values & DECIDED_BY_OTHERS):
            raise QuestionError(
                f"with {name} = {value} another player decides within the turn, so that no turn is"
                f" the mover's choice alone; give {name} another value"
            )

    @property
    def decisive(self) -> int:
        """Return the weight of a win against a decision; it makes odds exact."""
        pool = unseen(self.position).total()
        shown = perm(pool, min(face_down(self.position), pool))
        return 2 * factorial(len(self.position.bag)) * shown

    def worth(self, *totals: int) -> int:
        """Return the value of an end for the asker by each player's total, or points in the turn.

        A lead in totals is over the best opponent; one in points of the turn is over all opponents
        together.
        """
        mine = totals[self.asker]
        if self.gains and self.goal is Goal.LEAD:
            return 2 * mine - sum(totals)
        theirs = max(totals[: self.asker] + totals[self.asker + 1 :], default=0)
        if self.goal is Goal.POINTS:
            return mine
        if self.goal is Goal.LEAD:
            return mine - theirs
        if self.goal is Goal.THEIRS:
            return theirs
        sign = (mine > theirs) - (mine < theirs)
        return self.decisive * sign + abs(sign)

    def worths(self, *totals: int) -> tuple[int, ...]:
        """Return the values of an end by each player's total: the asker's.

        With ``Play.EACH``, the value of every player as if he were the asker, in the order of
        turns from the asker on.
        """
        if self.play is not Play.EACH:
            return (self.worth(*totals),)
        turn = (*range(self.asker, len(totals)), *range(self.asker))
        return tuple(replace(self, asker=player).worth(*totals) for player in turn)

    def liking(self, player: int, worths: Sequence[Fraction | int]) -> tuple[Fraction | int, ...]:
        """Return a player's preference for an end; he chooses the larger one.

        With ``Play.EACH`` he takes his own best end. Of equal ones he takes the worst for the
        asker, then the worst for each other player in turn. So the answer does not depend on the
        order of moves. ``worths`` may hold expectations.
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
        return self.play in WITHOUT_OPPONENT or player == self.asker


def pose(
    position: Position, goal: Goal, play: Play, order: TileOrder, asker: int | None = None
) -> Problem:
    """Return a question about the rest of a game; without an asker it is the one to move.

    Raises:
        QuestionError: the game has no such player.

    """
    asker = position.to_move if asker is None else asker
    if asker not in range(len(position.players)):
        last = len(position.players) - 1
        raise QuestionError(f"asker = {asker}: the players are numbered from 0 to {last}")
    return Problem(position=position, asker=asker, goal=goal, play=play, order=order)


def the_draw(problem: Problem) -> Draw:
    """Return the draw of a problem about one turn."""
    assert problem.draw is not None
    return problem.draw


def face_down(position: Position) -> int:
    """Return the number of face-down wall tiles on towers."""
    return sum(not number for _, number in position.towers)


def with_numbers(position: Position, numbers: Iterable[int]) -> Position:
    """Return a position whose face-down wall tiles have numbers, in the order of the towers."""
    left = iter(numbers)
    towers = tuple((name, number or next(left)) for name, number in position.towers)
    return replace(position, towers=towers)


def has_unknowns(position: Position) -> bool:
    """Tell whether a tile, or the number of a wall tile on a tower, is not known."""
    return bool(position.bag or face_down(position))


def rivalry(position: Position) -> Play:
    """Return the kind of play without help; with two players the other one is the opponent."""
    return Play.EACH if len(position.players) > TWO else Play.AGAINST


def against(
    position: Position, goal: Goal, order: TileOrder | None = None, *, every: bool
) -> Problem:
    """Return the problem of the player to move against his opponent, or among several of them.

    Without an order it is known, or by chance where something is not known.
    """
    unknown = TileOrder.CHANCE if has_unknowns(position) else TileOrder.GIVEN
    problem = pose(position, goal, rivalry(position), unknown if order is None else order)
    return replace(problem, every=every)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Demands on a turn; None demands nothing. The empty wish is to lay the tile."""

    cell: Cell | None = None
    """The tile lies here."""
    rotation: int | None = None
    """It lies at this rotation, or at an equivalent one: quarter turns, 0 to 3."""
    follower: Kind | None = None
    """A follower is placed on a segment of this kind."""
    doubled: Kind | None = None
    """A completed feature of this kind is doubled by a wall tile."""
    extra_turns: int = 0
    """The minimum number of wall tiles 1 played."""
