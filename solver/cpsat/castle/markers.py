"""The moves of the markers on the track in order, and the wall tiles that they take.

A player's first follower on a feature names the feature. So a marker has at most one move for
each follower. The moves are in the order of turns; within a turn their order is a decision. In a
variant of The Falcon gates stop markers. Then the place of the marker is the player's score.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from model.castle.final_uses import POINTS_TILE
from model.games import Game
from model.rules.castle.final_tiles import TARGETS
from model.switches import GATE_STOP, GATE_STOP_PLACE, WALL_TAKE_MOMENT
from model.tiles import Kind
from solver.cpsat.base.cp import Expression, IntVar, Lit, Logic, Term, no, weighted
from solver.cpsat.base.features import FeatureVars, bunches
from solver.cpsat.base.instance import Instance
from solver.cpsat.castle.turns import CastleTable

OF_EACH_NUMBER = 2
"""Wall tiles of each number in the game."""
MOST_TIMES = 4
"""A feature may be doubled twice, by both tiles of a number."""
MOST_A_TILE = {Kind.PATH: 2, Kind.TOWER: 2 * MOST_TIMES, Kind.HOUSE: MOST_TIMES}
"""Maximum points of a tile: doubled by a fountain or by wall tiles."""
WITH_KINGS = {**MOST_A_TILE, Kind.PATH: 4, Kind.CHAPEL: 9}
"""Maximum points of a tile with a king; 8 tiles of a chapel bring 36, doubled 72."""
IDLE = frozenset({*TARGETS, POINTS_TILE})
"""Wall tiles that change only the points of their owner."""
Takes = Mapping[tuple[int, str, int], Lit]
"""By player, tower and tile: he takes the wall tile there in the tile's turn."""
Points = Mapping[tuple[int, int], Sequence[Term]]
"""By leader and player: the feature's points for him, as a sum that is 0 unless he scores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinReach:
    """Limits known without a solve."""

    instance: Instance
    towers: Mapping[str, int]
    """By name of each corner tower that a marker may reach: the number of its wall tile, or 0
    for a face-down one."""
    landings: Mapping[tuple[int, str], tuple[int, ...]]
    """By player and tower: the scores within his reach that land on it."""
    gates: tuple[tuple[int, ...], ...]
    """By player: the scores within his reach after which a gate stops his marker."""
    wished: int = 0
    """Wall tiles of each number that an explanation lets a player use without having them."""

    def most(self, player: int, number: int) -> int:
        """Return the maximum number of wall tiles of a number that a player can use in play."""
        state = self.instance.position.players[player]
        held = state.wall_tiles.count(number)
        if len(self.instance.kinds) < 2:  # noqa: PLR2004 -- a new wall tile is used in a later turn
            return max(held, self.wished)
        held += state.fresh_wall_tiles.count(number)
        taken = sum(
            what in {0, number} and (player, tower) in self.landings
            for tower, what in self.towers.items()
        )
        return max(held + taken, self.wished)


def within_reach(instance: Instance, asker: int | None, wished: int = 0) -> WithinReach:
    """Return the limits of markers and wall tiles.

    Args:
        instance: the position and the tiles to come.
        asker: the only player whose points count; None if those of both do.
        wished: wall tiles of each number that each player may use without having them.

    """
    position, board = instance.position, instance.position.game.board
    held = dict(position.towers)
    gain = _most_points(instance)
    gates: set[int] = set()
    if board.gates and position.game.value(GATE_STOP) == "on":
        gates = {gate.after for gate in board.gates}
    landings: dict[tuple[int, str], tuple[int, ...]] = {}
    for (player, state), tower in product(enumerate(position.players), board.towers):
        reach = range(state.score + 1, state.score + gain + 1)
        scores = tuple(s for s in reach if s % board.track in tower.spaces)
        if scores and tower.name in held:
            landings[player, tower.name] = scores
    reachable = {tower for _, tower in landings}
    if asker is not None:
        # Such a tile moves neither marker nor keep, so the opponent's are ignored.
        idle = {tower for tower in reachable if held[tower] in IDLE}
        reachable -= {tower for tower in idle if (asker, tower) not in landings}
        landings = {key: scores for key, scores in landings.items() if key[1] in reachable}
    return WithinReach(
        instance=instance,
        wished=wished,
        towers={name: number for name, number in held.items() if name in reachable},
        landings=landings,
        gates=tuple(
            tuple(s for s in range(state.score, state.score + gain) if s % board.track in gates)
            for state in position.players
        ),
    )


def _most_points(instance: Instance) -> int:
    """Return an upper bound of points in play: all that can be complete, doubled."""
    fillable = {cell for spots in instance.spots for cell, _ in spots}

    def closable(number: int) -> bool:
        """Tell whether the tiles to come can fill the cells that a part needs."""
        if number >= len(instance.old):
            return True
        needs = instance.old[number].needs
        return needs <= fillable and len(needs) <= len(instance.kinds)

    most = WITH_KINGS if instance.position.game.specials else MOST_A_TILE
    return sum(
        times * bunch.tiles
        for kind, times in most.items()
        for bunch in bunches(instance, kind)
        if any(map(closable, bunch.parts))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gain:
    """The points of a player by one of his followers."""

    by: tuple[Lit, ...]
    """By tile: whether they are scored by the end of the tile's turn."""
    points: IntVar
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """The m-th move of a player's marker."""

    by: tuple[Lit, ...]
    """By tile: whether it is made by the end of the tile's turn."""
    score: Expression
    """The marker's place after it, laps included."""
    at_gate: Lit
    """Whether the marker then stands on the gate after that space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """The moves of the markers in play."""

    takes: Takes
    """The wall tiles taken, with player and turn."""
    jumps: Mapping[int, Sequence[Jump]]
    """By player whose order of scoring may matter: the moves of his marker."""
    stopped: tuple[int, ...]
    """The players whose marker a gate may stop: their score is its place at the end. Others win
    the points of all that they score."""


def tracking(
    table: CastleTable,
    features: Sequence[FeatureVars],
    points: Points,
    reach: WithinReach,
    counted: Collection[int],
) -> Track:
    """Make the variables of the markers; ``counted`` are the players whose scores count.

    takes[p,w,t] ↔ p has landed on w by t, nobody by t-1, and the mover does not precede p in t
    """
    logic, count = table.logic, len(table.instance.kinds)
    resting = table.instance.position.game.value(WALL_TAKE_MOMENT) == "end_of_turn"
    landed: dict[tuple[int, str], tuple[Lit, ...]] = {}
    jumps: dict[int, Sequence[Jump]] = {}
    stopped: list[int] = []
    for player in (0, 1):
        stops = player in counted and bool(reach.gates[player])
        mine = {tower: s for (who, tower), s in reach.landings.items() if who == player}
        if stops or mine:
            gains = _gains(table, features, points, player)
            jumps[player] = _jumps(table, gains, player, reach.gates[player])
            stopped += [player] if stops else []
        for tower, scores in mine.items():
            landed[player, tower] = _landed(logic, count, jumps[player], scores, resting=resting)
    takes: dict[tuple[int, str, int], Lit] = {}
    for (player, tower), here in landed.items():
        theirs = landed.get((1 - player, tower), (False,) * count)
        for tile in range(count):
            before = (here[tile - 1], theirs[tile - 1]) if tile else ()
            later = logic.all_of((theirs[tile], table.moves[tile][1 - player]))
            takes[player, tower, tile] = logic.all_of(
                (here[tile], *(no(literal) for literal in before), no(later))
            )
    sure = {key: literal for key, literal in takes.items() if literal is not False}
    return Track(takes=sure, jumps=jumps, stopped=tuple(stopped))


def _gains(
    table: CastleTable, features: Sequence[FeatureVars], points: Points, player: int
) -> list[_Gain]:
    """Return the points of each follower of a player; the first on a feature gets them.

    first[j,r] ↔ the player scores r, j is on r, and no earlier follower of his is on r

    first[j,r] → gained[j] = points of r; no first[j,·] → gained[j] = 0
    """
    logic = table.logic
    scoring = [one for one in features if points.get((one.leader, player))]
    found = []
    for key in sorted({key for one in scoring for key in one.on[player]}):
        ways: list[tuple[Lit, FeatureVars]] = []
        for one in scoring:
            on = one.on[player]
            if key in on:
                earlier = [no(literal) for other, literal in on.items() if other < key]
                first = logic.all_of((one.scored(logic, player), on[key], *earlier))
                if first is not False:
                    ways.append((first, one))
        if not ways:
            continue
        by = tuple(
            logic.any_of(logic.all_of((first, one.done.get(tile, False))) for first, one in ways)
            for tile in range(len(table.moves))
        )
        terms = {one.leader: points[one.leader, player] for _, one in ways}
        most = max(sum(weight for weight, _ in some) for some in terms.values())
        gained = logic.integer(0, most, "gained")
        logic.equal_if(no(by[-1]), gained, 0)
        for first, one in ways:
            logic.equal_if(first, gained, weighted(terms[one.leader]))
        found.append(_Gain(by=by, points=gained, most=most))
    return found


def _jumps(
    table: CastleTable, gains: Sequence[_Gain], player: int, gates: Sequence[int]
) -> list[Jump]:
    """Return the moves of a marker in order: one for each follower that scores.

    Σ_m place[j,m] = scored[j]; Σ_j place[j,m] ≤ 1; move m+1 → move m, in each turn
    """
    logic, position = table.logic, table.instance.position
    state, count = position.players[player], len(gains)
    place = [[logic.decision(f"place{j},{m}") for m in range(count)] for j in range(count)]
    for j, gain in enumerate(gains):
        logic.model.add_exactly_one([*place[j], no(gain.by[-1])])
    limit = state.score + sum(gain.most for gain in gains)
    tiles = range(len(table.moves))
    jumps = [Jump(by=(True,) * len(tiles), score=state.score, at_gate=state.at_gate)]
    for m in range(count):
        here, column = jumps[-1], [place[j][m] for j in range(count)]
        logic.model.add_at_most_one(column)
        by = tuple(
            logic.any_of(logic.all_of((column[j], gain.by[tile])) for j, gain in enumerate(gains))
            for tile in tiles
        )
        for late, early in zip(by, here.by, strict=True):
            logic.clause(no(late), early)
        reach = logic.integer(state.score, limit, f"marker{m}")
        logic.equal_if(no(by[-1]), reach, here.score)
        for j, gain in enumerate(gains):
            logic.equal_if(column[j], reach, here.score + gain.points)
        score, at_gate = _marched(logic, position.game, here, reach, by[-1], gates, limit)
        jumps.append(Jump(by=by, score=score, at_gate=at_gate))
    return jumps[1:]


def _marched(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    game: Game,
    here: Jump,
    reach: Expression,
    moved: Lit,
    gates: Sequence[int],
    farthest: int,
) -> tuple[Expression, Lit]:
    """Return the place of a marker after a gain: the first gate on its way, or the end.

    stop(g) ↔ here + at_gate ≤ g < reach and no earlier stop; by a switch here < g

    stop(g) → score = g; no stop → score = reach

    Args:
        logic: the model.
        game: its switches say where a gate stops a marker.
        here: the move before, with the marker's place.
        reach: its score if no gate stopped it.
        moved: whether it moves.
        gates: the scores after which gates stop it, ascending.
        farthest: the maximum score.

    """
    if not gates:
        return reach, False
    before = game.value(GATE_STOP_PLACE) == "space_before"
    least = here.score + (1 if before else weighted([(1, here.at_gate)]))
    after = logic.integer(0, farthest, "score")
    stopped: Lit = False
    for gate in gates:
        ahead = logic.within(least, 0, gate)
        stop = logic.all_of((ahead, no(logic.within(reach, 0, gate)), no(stopped)))
        logic.equal_if(stop, after, gate)
        stopped = logic.any_of((stopped, stop))
    logic.equal_if(no(stopped), after, reach)
    waits = logic.all_of((here.at_gate, no(moved)))
    return after, waits if before else logic.any_of((stopped, waits))


def _landed(
    logic: Logic, count: int, jumps: Sequence[Jump], scores: Sequence[int], *, resting: bool
) -> tuple[Lit, ...]:
    """Return for each tile whether a marker has landed on a tower by the end of its turn.

    Args:
        logic: the model.
        count: the number of tiles.
        jumps: the moves of the marker.
        scores: the scores that land on the tower.
        resting: whether the marker must still stand there at the end of a turn.

    """
    ways: list[list[Lit]] = [[] for _ in range(count)]
    for m, jump in enumerate(jumps):
        stands = logic.any_of(logic.within(jump.score, score, score) for score in scores)
        there = logic.all_of((jump.by[-1], stands, no(jump.at_gate)))
        if resting and m + 1 < len(jumps):
            goes_on = logic.any_of(
                logic.all_of((now, no(jump.by[tile - 1]) if tile else True))
                for tile, now in enumerate(jumps[m + 1].by)
            )
            there = logic.all_of((there, no(goes_on)))
        for tile in range(count):
            ways[tile].append(logic.all_of((there, jump.by[tile])))
    return tuple(logic.any_of(literals) for literals in ways)
