"""Compose positions by local search: improve small boards by small changes.

The search is a hill climb on the value of ``appraised``. It starts from a few turns of self-play.
The kernel answers some two hundred questions about such a small board in a second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from burgrave.model.book import book_of
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.games import Game
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.puzzles.candidates.changes import SUPPLY, changed
from burgrave.puzzles.candidates.scenes import player_of
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.fooled import AHEAD, at_a_glance, seen_ahead
from burgrave.puzzles.study.simplify import Keeps, simplified
from burgrave.solver.limits import OutOfTimeError
from burgrave.solver.result import RootMove, TooLargeError

if TYPE_CHECKING:
    from burgrave.solver.search.question import Ending

TURNS = (2, 9)
"""Turns of self-play from which a composition starts."""
STEPS = 400
"""Most changes tried from one start."""
PATIENCE = 70
"""Changes without improvement after which the search leaves a start."""
TWICE = 0.3
"""Probability of two changes at once."""
STARTS = 40
"""Most starts of one composition."""
APPRAISED = 40_000
"""Turns of each search: a position with more to think about is not composed."""
SEARCHED = 15_000
"""Turns of each search for own turns after the key."""
DEFENCES = 24
"""Best replies after which the next own turn is tested; with more it counts as not unique."""
DRAWS = 0.2
"""Share of the compositions in which the key saves a draw; in the others it wins."""


class Found(NamedTuple):
    """Own turns that are unique against every best defence."""

    turns: int
    close: float
    """How near the next own turn is to being unique: the inverse of its best moves, 0 to 1."""


NOTHING = Found(0, 0.0)
"""No own turn is to be found."""


class Aim(NamedTuple):
    """What a composition is to reach; more adds no value."""

    turns: int = 1
    """Own turns that must be found."""
    beyond: bool = True
    """Whether to fool the player who sees the reply; if not, he is to find the key."""


ALONE = Aim()
"""One own turn, which the player who sees the reply does not find."""


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
    own: Found = NOTHING
    """Own turns that must be found."""

    def worth(self, aim: Aim) -> float:
        """Return the value that the climb raises."""
        if self.key is None:
            return self.own.close
        if not self.misled:
            return 1
        turns = min(self.own.turns, aim.turns)
        near = self.own.close if turns < aim.turns else 0
        return 4 + 3 * (self.beyond is aim.beyond) + 3 * (turns - 1 + near)


def appraised(position: Position, key: Move | None = None) -> Appraisal:
    """Return the appraisal of a position, within a short search.

    Args:
        position: a position whose tiles to come are known.
        key: the only best first move that is wanted; None for any.

    """
    points, now = at_a_glance(position)
    if not now:
        return Appraisal()
    try:
        return _appraised(position, key, points | now)
    except (OutOfTimeError, TooLargeError, QuestionError):
        return Appraisal()


def _appraised(position: Position, key: Move | None, natural: set[Move]) -> Appraisal:
    """Return the appraisal of a position in which some moves seem natural."""
    from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

    ending = Ending(position, APPRAISED)
    best = ending.best()
    move = ending.move(best.turns[0])
    if len(best.turns) > 1 or (key is not None and move != key):
        return Appraisal(own=Found(0, 1 / (1 + len(best.turns))))
    if move in natural:
        return Appraisal(key=move, value=best.value, own=Found(1, 0))
    beyond = len(position.order) > AHEAD and move not in seen_ahead(position, APPRAISED)
    ending.play(best.turns[0])
    found = _further(ending, position.to_move)
    return Appraisal(
        key=move,
        value=best.value,
        misled=True,
        beyond=beyond,
        own=found._replace(turns=1 + found.turns),
    )


def sole(position: Position, nodes: int, wanted: Move | None = None) -> RootMove | None:
    """Return the best first move with best play after it, if it is alone and soon proved.

    The kernel alone tells it: no bound is sought where it does not come to an end.

    Args:
        position: a position whose tiles to come are known.
        nodes: turns that each search may play.
        wanted: the move that is to be it; None for any.

    """
    from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

    line = list[Move]()
    try:
        ending = Ending(position, nodes)
        first = ending.best() if wanted is None else ending.alone(wanted)
        if first is None or len(first.turns) > 1:
            return None
        best = first
        while True:
            line.append(ending.move(best.turns[0]))
            ending.play(best.turns[0])
            if not ending.left:
                return RootMove(move=line[0], value=Fraction(first.value), line=tuple(line))
            best = ending.best()
    except (OutOfTimeError, TooLargeError, QuestionError):
        return None


def depth(position: Position, key: Move, forcing: int | None = None) -> int:
    """Return the own turns that a solver must find, each unique against every best defence.

    Args:
        position: a position with one best first move.
        key: that move.
        forcing: the player who forces points on the other; None if each plays for his lead.

    """
    from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

    after = play(position, key).position
    if after.over:
        return 1
    try:
        return 1 + _further(Ending(after, SEARCHED, forcing), position.to_move).turns
    except (OutOfTimeError, TooLargeError, QuestionError):
        return 1


def stays_best(
    position: Position, key: Move, turns: int, nodes: int, forcing: int | None = None
) -> bool:
    """Tell whether one move alone is best and begins enough unique own turns, as ``depth`` counts.

    The kernel alone tells it: no line is replayed.

    Args:
        position: a position with a tile to come.
        key: the move.
        turns: the own turns that it is to begin.
        nodes: turns that the search for it may play; if they are not enough, it does not stay best.
        forcing: as for ``depth``.

    Raises:
        QuestionError: the kernel does not search the position.

    """
    from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

    ending = Ending(position, nodes, forcing)
    try:
        if ending.alone(key) is None:
            return False
    except (OutOfTimeError, TooLargeError):
        return False
    return turns == 1 or depth(position, key, forcing) >= turns


def _further(ending: Ending, player: int) -> Found:
    """Return the unique own turns of a player after every best defence."""
    if not ending.left:
        return NOTHING
    best = ending.best()
    if ending.mover == player:
        if len(best.turns) > 1 or best.listed == 1:
            return Found(0, 1 / len(best.turns) if best.listed > 1 else 0)
        ending.play(best.turns[0])
        found = _further(ending, player)
        ending.undo()
        return found._replace(turns=1 + found.turns)
    if len(best.turns) > DEFENCES:
        return NOTHING
    least = Found(DEFENCES, 1)
    for turn in best.turns:
        ending.play(turn)
        least = min(least, _further(ending, player))
        ending.undo()
        if not least.turns:
            break
    return least


def composed(
    game: Game, tiles: int, turns: int | None, rng: Random, aim: Aim = ALONE
) -> Position | None:
    """Return a composed position with one best first move that misleads; None if none is found.

    Args:
        game: the game.
        tiles: tiles to come.
        turns: turns of self-play from which it starts; None for a few, by lot.
        rng: the only source of chance.
        aim: what it is to reach; its own turns are reached, or nothing is found.

    """
    for _ in range(STARTS):
        at = start(game, tiles, turns, rng)
        if at is None:
            continue
        if appraised(at) == Appraisal():
            # Nothing is known of it within the effort, and little of its neighbours.
            continue
        best, position = _climbed(at, rng, aim)
        if best.misled and best.own.turns >= aim.turns:
            small = _economical(position, best, int(rng.random() >= DRAWS))
            return None if _without_towers(small) else small
    return None


def _without_towers(position: Position) -> bool:
    """Tell whether a position of The Tower has no place for a tower: it is one of Carcassonne."""
    kinds = [position.game.tile_set.kind(tile) for tile in position.order]
    kinds += [tile.kind for tile in position.tiles]
    return bool(book_of(position.game).actions) and not any(kind.tower_place for kind in kinds)


def improved(position: Position, rng: Random, allowed: Keeps, aim: Aim = ALONE) -> Position:
    """Return a better position near one.

    Args:
        position: where the search begins.
        rng: the only source of chance.
        allowed: returns whether a position with one best first move is acceptable.
        aim: what it is to reach.

    """
    best, position = _climbed(position, rng, aim, allowed)
    return _economical(position, best, 1, allowed) if best.misled else position


def start(game: Game, tiles: int, turns: int | None, rng: Random) -> Position | None:
    """Return a small board from a few turns of self-play; None if it is no position to solve."""
    walk = Rehearsal(new_position(game, rng))
    players = tuple(player_of(0, rng) for _ in game.players)
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
    position: Position, rng: Random, aim: Aim, allowed: Keeps | None = None
) -> tuple[Appraisal, Position]:
    """Return the best position that small changes lead to, with its appraisal."""
    best, idle = appraised(position), 0
    more = len(position.order) > AHEAD
    aim = Aim(max(aim.turns, 1 + more), aim.beyond and more)
    most = Appraisal(key=Move(), misled=True, beyond=aim.beyond, own=Found(aim.turns, 0))
    for _ in range(STEPS):
        if best.worth(aim) >= most.worth(aim) or idle > PATIENCE:
            break
        other = changed(position, rng)
        if rng.random() < TWICE:
            other = changed(other, rng)
        idle += 1
        if other == position or problems(other):
            continue
        found = appraised(other)
        better = found.worth(aim) - best.worth(aim)
        if better >= 0 and (allowed is None or allowed(other)):
            idle = 0 if better else idle
            best, position = found, other
    return best, position


def _economical(
    position: Position, good: Appraisal, value: int, allowed: Keeps | None = None
) -> Position:
    """Return a position without pieces that its solution, its depth and its traps do not need.

    Args:
        position: the position.
        good: its appraisal.
        value: the lead that the key is to bring, if no rule depends on scores.
        allowed: returns whether a position with one best first move is acceptable.

    """
    aim = Aim(good.own.turns, good.beyond)

    def keeps(less: Position) -> bool:
        as_good = appraised(less, good.key).worth(aim) >= good.worth(aim)
        return as_good and (allowed is None or allowed(less))

    return _decided(simplified(position, keeps), good, value, keeps)


def _decided(position: Position, good: Appraisal, value: int, keeps: Keeps) -> Position:
    """Return a position in which the key brings a lead, if no rule depends on scores."""
    me = position.to_move
    lead = position.players[me].score - position.players[1 - me].score
    lead += value - appraised(position, good.key).value
    players = list(position.players)
    players[me] = replace(players[me], score=max(lead, 0), at_gate=False)
    players[1 - me] = replace(players[1 - me], score=max(-lead, 0), at_gate=False)
    decided = replace(position, players=tuple(players))
    return decided if not problems(decided) and keeps(decided) else position
