"""The markers on the track: every move of a marker in order, and the wall tiles they take.

A feature that a player scores is known by the first of his footholds on it, so that there
are few moves of a marker to look at: at most one for each foothold. They are put into a row,
turn after turn; within a turn their order is a decision. By the variant of The Falcon gates
stop markers, and what a player has won is where his marker stands.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from model.switches import WALL_TAKE_MOMENT
from solver.cpsat.gates import Place, marched
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.run import IntVar
from solver.cpsat.timeline.features import Led
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.hands import Takes
from solver.cpsat.timeline.prospects import Prospects
from solver.cpsat.timeline.turns import Turns
from solver.cpsat.timeline.worth import Term

Points = Mapping[tuple[int, int], Sequence[Term]]
"""By leader and player: what the feature brings him, as a sum that is 0 unless he scores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gain:
    """What a player scores by one of his footholds."""

    scored: Lit
    by: tuple[Lit, ...]
    """By tile: it has been scored when the tile's turn is over."""
    points: IntVar
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """One move of a marker: the first, second … of a player."""

    moved: Lit
    by: tuple[Lit, ...]
    """By tile: it has been made when the tile's turn is over."""
    place: Place
    """Where the marker stands after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """What becomes of the markers in play."""

    takes: Takes
    """Who takes which wall tile when."""
    stopped: Mapping[int, Sequence[Jump]]
    """By player, of those whose marker a gate may stop: its moves. What he wins is where it
    stands in the end; the others win the points of all that they score."""


def tracking(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    turns: Turns,
    led: Sequence[Led],
    points: Points,
    chances: Prospects,
    counted: Collection[int],
) -> Track:
    """Make the variables of the markers.

    taken[p,w,t] ↔ p has landed on w by t, nobody by t-1, and not the mover before p in t.

    Args:
        logic: the model.
        ground: the position.
        turns: whose turn it is.
        led: the features.
        points: what they bring.
        chances: what is within reach.
        counted: the players whose scores count.

    """
    count = len(ground.kinds)
    landed: dict[tuple[int, str], tuple[Lit, ...]] = {}
    stopped: dict[int, Sequence[Jump]] = {}
    for player in (0, 1):
        stops = player in counted and bool(chances.gates[player])
        if not stops and not any(who == player for who, _ in chances.landings):
            continue
        gains = _gains(logic, ground, led, points, player)
        jumps = _jumps(logic, ground, gains, player, chances.gates[player])
        if stops:
            stopped[player] = jumps
        resting = ground.position.game.value(WALL_TAKE_MOMENT) == "end_of_turn"
        for (who, tower), scores in chances.landings.items():
            if who == player:
                landed[player, tower] = _landed(logic, count, jumps, scores, resting=resting)
    takes: dict[tuple[int, str, int], Lit] = {}
    for (player, tower), mine in landed.items():
        theirs = landed.get((1 - player, tower), (False,) * count)
        for tile in range(count):
            before = (mine[tile - 1], theirs[tile - 1]) if tile else ()
            later = logic.all_of((theirs[tile], turns.moves[tile][1 - player]))
            takes[player, tower, tile] = logic.all_of(
                (mine[tile], *(no(literal) for literal in before), no(later))
            )
    sure = {key: literal for key, literal in takes.items() if literal is not False}
    return Track(takes=sure, stopped=stopped)


def _gains(
    logic: Logic, ground: Ground, led: Sequence[Led], points: Points, player: int
) -> list[_Gain]:
    """Return what each foothold of a player brings: it counts where it is his first.

    first[j,r] ↔ r is scored by the player, j is on r, and no earlier foothold of his is
    """
    scoring = [one for one in led if points.get((one.leader, player))]
    found = []
    for key in sorted({key for one in scoring for key in one.on[player]}):
        ways: list[tuple[Lit, Led]] = []
        for one in scoring:
            on = one.on[player]
            if key in on:
                earlier = [no(literal) for other, literal in on.items() if other < key]
                scored = logic.all_of((one.complete, one.wins[player]))
                ways.append((logic.all_of((scored, on[key], *earlier)), one))
        ways = [way for way in ways if way[0] is not False]
        if ways:
            found.append(_gain(logic, ground, points, player, ways))
    return found


def _gain(
    logic: Logic,
    ground: Ground,
    points: Points,
    player: int,
    ways: Sequence[tuple[Lit, Led]],
) -> _Gain:
    """Return what a foothold brings: first[j,r] → the points of r; none of them → 0."""
    scored = logic.any_of(first for first, _ in ways)
    terms = {one.leader: points[one.leader, player] for _, one in ways}
    most = max(sum(weight for weight, _ in some) for some in terms.values())
    gained = logic.integer(0, most, "gained")
    logic.equal_if([no(scored)], gained, 0)
    for first, one in ways:
        logic.equal_if([first], gained, weighted(terms[one.leader]))
    by = tuple(
        logic.any_of(logic.all_of((first, one.done.get(tile, False))) for first, one in ways)
        for tile in range(len(ground.kinds))
    )
    return _Gain(scored=scored, by=by, points=gained, most=most)


def _jumps(
    logic: Logic, ground: Ground, gains: Sequence[_Gain], player: int, gates: Sequence[int]
) -> list[Jump]:
    """Return the moves of a marker in order: each scored foothold is one of them.

    Σ_m place[j,m] = scored[j]; Σ_j place[j,m] ≤ 1; no gaps; made by turn t in order.
    """
    game, state = ground.position.game, ground.position.players[player]
    count = len(gains)
    place = [
        [
            logic.decision(f"place{j},{m}") if gain.scored is not False else False
            for m in range(count)
        ]
        for j, gain in enumerate(gains)
    ]
    for j, gain in enumerate(gains):
        logic.model.add_exactly_one([*place[j], no(gain.scored)])
    limit = state.score + sum(gain.most for gain in gains)
    jumps: list[Jump] = []
    here = Place(score=state.score, at_gate=state.at_gate)
    for m in range(count):
        column = [place[j][m] for j in range(count)]
        logic.model.add_at_most_one(column)
        moved = logic.any_of(column)
        reach = logic.integer(state.score, limit, f"marker{m}")
        logic.equal_if([no(moved)], reach, here.score)
        for j, gain in enumerate(gains):
            logic.equal_if([place[j][m]], reach, here.score + gain.points)
        here = marched(logic, game, here, reach, moved=moved, gates=gates, farthest=limit)
        by = tuple(
            logic.any_of(logic.all_of((place[j][m], gain.by[tile])) for j, gain in enumerate(gains))
            for tile in range(len(ground.kinds))
        )
        if jumps:
            logic.clause(no(moved), jumps[-1].moved)
            for late, early in zip(by, jumps[-1].by, strict=True):
                logic.clause(no(late), early)
        jumps.append(Jump(moved=moved, by=by, place=here))
    return jumps


def _landed(
    logic: Logic, count: int, jumps: Sequence[Jump], scores: Sequence[int], *, resting: bool
) -> tuple[Lit, ...]:
    """Return for each tile whether a marker has landed on a tower when its turn is over.

    Args:
        logic: the model.
        count: the number of tiles.
        jumps: the moves of the marker.
        scores: the scores that stand on the tower.
        resting: whether the marker must stand there at the end of a turn.

    """
    ways: list[list[Lit]] = [[] for _ in range(count)]
    for m, jump in enumerate(jumps):
        stands = logic.one_of(jump.place.score, scores)
        there = logic.all_of((jump.moved, stands, no(jump.place.at_gate)))
        if resting and m + 1 < len(jumps):
            there = logic.all_of((there, no(_one_turn(logic, jump, jumps[m + 1]))))
        for tile in range(count):
            ways[tile].append(logic.all_of((there, jump.by[tile])))
    return tuple(logic.any_of(literals) for literals in ways)


def _one_turn(logic: Logic, jump: Jump, following: Jump) -> Lit:
    """Return whether two moves that follow on each other are made in one turn."""
    return logic.any_of(
        logic.all_of((now, no(jump.by[tile - 1]) if tile else True))
        for tile, now in enumerate(following.by)
    )
