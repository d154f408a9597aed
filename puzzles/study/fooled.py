"""Players of limited foresight, and the share of them that a puzzle fools.

Each player names the first moves that seem best to him. He solves a puzzle in the share of these
moves that are right, as if he drew one of them by lot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from burgrave.model.errors import QuestionError
from burgrave.model.notation import read_move
from burgrave.model.places import placeable
from burgrave.model.position import Move, Position
from burgrave.puzzles.questions import Help, Question, Series
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.puzzle import Solved
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal
from burgrave.solver.questions import evaluate, expected, forced
from burgrave.solver.result import Status
from burgrave.solver.simulation import quick_table

AHEAD = 2
"""Turns that the third player sees."""
PLAYOUTS = 240
"""Games that the fourth player plays out."""
LIMIT = Limits(nodes=400_000)
"""Turns that the third player may search; he solves nothing that takes more."""


def share(favourites: Collection[Move], right: Collection[Move]) -> Fraction:
    """Return the share of a player's favourites that are right; 0 if he has none."""
    return Fraction(sum(move in right for move in favourites), len(favourites) or 1)


class Seen(NamedTuple):
    """What a turn shows at a glance to a player who is asked for no lead over his opponent."""

    lead: int
    """What he is asked for, if the game ended after it: a score, or a lead that both help."""
    points: int
    """The points that it wins for the player whose score counts."""
    takes: int = 0
    """Wall tiles that count for the player: none."""


def offered(position: Position, asker: int) -> Mapping[Move, Seen]:
    """Return what each turn offers to a player who forces points on his opponent.

    Args:
        position: the position, with a tile that has a place.
        asker: the player, who is to move.

    """
    from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

    ending, walk = Ending(short(position, 1), forcing=asker), Rehearsal(position)
    # Of two players the one has won what the lead of the other has not.
    won = {walk.move(look): look.points - look.gain for look in walk.looks()}
    ends = {ending.move(turn): value for turn, value in ending.values().items()}
    return {move: Seen(value, won.get(move, 0)) for move, value in ends.items()}


def glanced(position: Position, question: Question) -> Mapping[Move, Seen]:
    """Return what each turn shows at a glance to a player who is asked a leadless question.

    Args:
        position: the position, with a tile that has a place.
        question: the question.

    """
    if question.forces is not None:
        return offered(position, question.forces)
    assert isinstance(question, Help | Series)
    mine, walk = question.asker == position.to_move, Rehearsal(position)
    # Of two players the other one has won what the lead has not.
    won = {
        walk.move(look): look.points if mine else look.points - look.gain for look in walk.looks()
    }
    ends = _ends(short(position, 1), question)
    return {move: Seen(value, won.get(move, 0)) for move, value in ends.items()}


def _ends(position: Position, question: Help | Series) -> Mapping[Move, int]:
    """Return the asker's score or lead after each turn with the last tile."""
    game, ends = quick_table(position), dict[Move, int]()
    *gone, tile = position.order
    for turn in game.turns(tile, last=True):
        move = game.move(turn, tuple(gone))
        game.play(turn, last=True)
        totals = list(game.totals())
        game.undo()
        mine = totals.pop(question.asker)
        ends[move] = mine - max(totals) if question.goal is Goal.LEAD else mine
    return ends


def solved(position: Position, right: Collection[Move], question: Question | None = None) -> Solved:
    """Return the share in which each player solves a puzzle.

    Args:
        position: its position, with a tile that has a place.
        right: its best first moves.
        question: its question. The players look at the lead, or at what a leadless question asks
            for, of which playouts solve nothing.

    """
    points, now = at_a_glance(position, question)
    if question is not None and question.leadless:
        two = _seen_two(position, question)
        return Solved(share(points, right), share(now, right), share(two, right), Fraction(0))
    seen = share(now, right) if _tiles(position) == 1 else share(ahead(position), right)
    return Solved(
        share(points, right), share(now, right), seen, share(_played_out(position), right)
    )


def at_a_glance(
    position: Position, question: Question | None = None
) -> tuple[set[Move], set[Move]]:
    """Return the moves with most points in their turn, and those with the largest lead after it.

    The first set is empty if no move wins points: such a player would guess. Of a leadless
    question the points of the player count whose score counts, and what is asked for.
    """
    if question is not None and question.leadless:
        seen = glanced(position, question)
        most = max((one.points for one in seen.values()), default=0)
        now = max((one.lead for one in seen.values()), default=0)
        return (
            {move for move, one in seen.items() if one.points == most > 0},
            {move for move, one in seen.items() if one.lead == now},
        )
    walk = Rehearsal(position)
    looks = walk.looks()
    points = max((look.points for look in looks), default=0)
    lead = max((look.lead for look in looks), default=0)
    return (
        {walk.move(look) for look in looks if look.points == points > 0},
        {walk.move(look) for look in looks if look.lead == lead},
    )


def _seen_two(position: Position, question: Question) -> set[Move]:
    """Return the moves that are best if the game ended after the next turn.

    That turn is played as the question says: for the asker, or by an opponent who resists.
    """
    if question.forces is not None:
        values = question.values(short(position), LIMIT)
        best = max(values.values(), default=None)
        return {read_move(position, text) for text, value in values.items() if value == best}
    found = question.reply(short(position), budget=LIMIT).facts
    proved = found["status"] == str(Status.OPTIMAL)
    return {read_move(position, text) for text in found["moves"] if proved}


def ahead(position: Position) -> set[Move]:
    """Return the moves that are best if the game ended after the opponent's reply.

    A bag is seen whole or not at all: if the reply would be drawn from it, every draw counts.
    """
    position = short(position)
    ask = expected if position.bag else forced
    answer = ask(position, budget=LIMIT)
    if answer.status is not Status.OPTIMAL:
        return set()
    return {one.move for one in answer.first if one.value == answer.value}


def seen_ahead(position: Position, nodes: int) -> set[Move]:
    """Return what ``ahead`` returns, at speed, of a position whose tiles to come are known.

    Args:
        position: the position.
        nodes: turns that the player may search.

    Raises:
        QuestionError: the kernel does not search the position.
        OutOfTimeError: the turns are used up.
        TooLargeError: the search is too large for the kernel.

    """
    from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

    ending = Ending(short(position), nodes)
    return {ending.move(turn) for turn in ending.best().turns}


def short(position: Position, turns: int = AHEAD) -> Position:
    """Return the position with the tiles of the next turns alone, if they are known."""
    fit = [at for at, tile in enumerate(position.order) if placeable(position, tile)]
    if len(fit) < turns:
        return position
    return replace(position, order=position.order[: fit[turns - 1] + 1], bag=())


def _tiles(position: Position) -> int:
    """Return the number of tiles to come."""
    return len(position.order) + len(position.bag)


def _played_out(position: Position) -> set[Move]:
    """Return the moves that playouts rate best; none if playouts do not support the game."""
    try:
        found = evaluate(position, prove=False, foresight=False, playouts=PLAYOUTS).moves
    except QuestionError:
        return set()
    best = max((one.value for one in found), default=0.0)
    return {one.move for one in found if one.value == best}
