"""Compose positions by local search: improve small boards by small changes.

The search is a hill climb on the value of ``appraised``. It starts from a few turns of self-play.
The compiled search answers some fifty questions about such a small board in a second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from model.engine import play
from model.position import Move, Position
from model.problems import problems
from puzzles.candidates.changes import SUPPLY, changed
from puzzles.candidates.scenes import game_named, player_of
from puzzles.selfplay.games import new_position
from puzzles.selfplay.rehearsal import Rehearsal
from puzzles.study.fooled import AHEAD, ahead, at_a_glance
from puzzles.study.simplify import Keeps, simplified
from solver.limits import Limits
from solver.questions import forced
from solver.result import RootMove, Status

TURNS = (4, 11)
"""Turns of self-play from which a composition starts."""
STEPS = 120
"""Most changes tried from one start."""
PATIENCE = 45
"""Changes without improvement after which the search leaves a start."""
DEEP = 3
"""Number of own turns above which further turns add no value."""
TWICE = 0.3
"""Probability of two changes at once."""
STARTS = 20
"""Most starts of one composition."""
ANY = "any"
"""The word by which a run asks for compositions, whatever their theme."""
SEARCHED = Limits(nodes=40_000)
"""Turns of each search: a position with more to think about is not composed."""
DEFENCES = 24
"""Best replies after which the next own turn is tested; with more it counts as not unique."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appraisal:
    """The qualities of a position for the composer, heaviest first."""

    key: Move | None = None
    """The only best first move."""
    value: int = 0
    """The lead that it forces."""
    misled: bool = False
    """Whether nobody finds it who takes the largest lead if the game ended after his move, nor who
    takes most points."""
    beyond: bool = False
    """Whether nobody finds it who sees the opponent's reply too."""
    depth: int = 0
    """Own turns that are unique against every best defence."""

    @property
    def worth(self) -> int:
        """The value that the climb raises."""
        if self.key is None:
            return 0
        if not self.misled:
            return 1
        return 4 + 3 * self.beyond + 3 * (min(self.depth, DEEP) - 1)


def appraised(position: Position, key: Move | None = None) -> Appraisal:
    """Return the appraisal of a position, within a short search.

    Args:
        position: a position whose tiles to come are known.
        key: the only best first move that is wanted; None for any.

    """
    points, now = at_a_glance(position)
    if not now:
        return Appraisal()
    first = sole(position, SEARCHED)
    if first is None or (key is not None and first.move != key):
        return Appraisal()
    value = int(first.value)
    if first.move in now or first.move in points:
        return Appraisal(key=first.move, value=value, depth=1)
    more = len(position.order) > AHEAD
    return Appraisal(
        key=first.move,
        value=value,
        misled=True,
        beyond=more and first.move not in ahead(position),
        depth=1 + _further(play(position, first.move).position, position.to_move),
    )


def sole(position: Position, limit: Limits) -> RootMove | None:
    """Return the best first move with best play after it, if it is alone and soon proved."""
    found = forced(position, told=2, budget=limit)
    if found.status is not Status.OPTIMAL or not found.complete or len(found.first) != 1:
        return None
    return found.first[0]


def depth(position: Position, key: Move) -> int:
    """Return the own turns that a solver must find, each unique against every best defence.

    Args:
        position: a position with one best first move.
        key: that move.

    """
    return 1 + _further(play(position, key).position, position.to_move)


def _further(position: Position, player: int) -> int:
    """Return the unique own turns of a player after every best defence to a position."""
    if position.over:
        return 0
    found = forced(position, told=DEFENCES + 1, budget=SEARCHED)
    if found.status is not Status.OPTIMAL or not found.complete:
        return 0
    if position.to_move == player:
        if len(found.first) != 1 or len(Rehearsal(position).looks()) < 2:  # noqa: PLR2004 -- a choice
            return 0
        return 1 + _further(play(position, found.first[0].move).position, player)
    if len(found.first) > DEFENCES:
        return 0
    least: int | None = None
    for one in found.first:
        after = _further(play(position, one.move).position, player)
        least = after if least is None else min(least, after)
        if not least:
            return 0
    return least or 0


def composed(game: str, tiles: int, turns: int | None, rng: Random) -> Position | None:
    """Return a composed position with one best first move that misleads; None if none is found.

    Args:
        game: id of the game.
        tiles: tiles to come.
        turns: turns of self-play from which it starts; None for a few, by lot.
        rng: the only source of chance.

    """
    for _ in range(STARTS):
        at = start(game, tiles, turns, rng)
        if at is None:
            continue
        best, position = _climbed(at, rng)
        if best.misled:
            return _economical(position, best)
    return None


def improved(position: Position, rng: Random, allowed: Keeps) -> Position:
    """Return a better position near one.

    Args:
        position: where the search begins.
        rng: the only source of chance.
        allowed: returns whether a position with one best first move is acceptable.

    """
    best, position = _climbed(position, rng, allowed)
    return _economical(position, best, allowed) if best.misled else position


def start(game: str, tiles: int, turns: int | None, rng: Random) -> Position | None:
    """Return a small board from a few turns of self-play; None if it is no position to solve."""
    chosen = game_named(game)
    walk = Rehearsal(new_position(chosen, rng))
    players = tuple(player_of(chosen, 0, rng) for _ in chosen.players)
    for _ in range(rng.randint(*TURNS) if turns is None else turns):
        turn = players[walk.mover](walk, rng)
        if turn is None:
            return None
        walk.play(turn)
    at = walk.position
    at = replace(
        at,
        order=at.order[:tiles],
        towers=(),
        spent=(),
        discarded=(),
        players=tuple(
            replace(one, supply=rng.randint(1, SUPPLY), wall_tiles=(), fresh_wall_tiles=())
            for one in at.players
        ),
    )
    return None if problems(at) else at


def _climbed(
    position: Position, rng: Random, allowed: Keeps | None = None
) -> tuple[Appraisal, Position]:
    """Return the best position that small changes lead to, with its appraisal."""
    best, idle = appraised(position), 0
    more = len(position.order) > AHEAD
    most = Appraisal(key=best.key or Move(), misled=True, beyond=more, depth=1 + more)
    for _ in range(STEPS):
        if best.worth >= most.worth or idle > PATIENCE:
            break
        other = changed(position, rng)
        if rng.random() < TWICE:
            other = changed(other, rng)
        idle += 1
        if other == position or problems(other):
            continue
        found = appraised(other)
        if found.worth >= best.worth and (allowed is None or allowed(other)):
            idle = idle if found.worth == best.worth else 0
            best, position = found, other
    return best, position


def _economical(position: Position, good: Appraisal, allowed: Keeps | None = None) -> Position:
    """Return a position without pieces that its solution, its depth and its traps do not need."""

    def keeps(less: Position) -> bool:
        as_good = appraised(less, good.key).worth >= good.worth
        return as_good and (allowed is None or allowed(less))

    return _won(simplified(position, keeps), good, keeps)


def _won(position: Position, good: Appraisal, keeps: Keeps) -> Position:
    """Return a position in which the key wins by one point, if no rule depends on scores."""
    me = position.to_move
    lead = position.players[me].score - position.players[1 - me].score
    lead += 1 - appraised(position, good.key).value
    players = list(position.players)
    players[me] = replace(players[me], score=max(lead, 0), at_gate=False)
    players[1 - me] = replace(players[1 - me], score=max(-lead, 0), at_gate=False)
    won = replace(position, players=tuple(players))
    return won if not problems(won) and keeps(won) else position
