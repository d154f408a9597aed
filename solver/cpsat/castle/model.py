"""The turns to come in a castle: their variables, their value, and their moves.

Several solutions may be one turn if they differ in the order of scoring alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from burgrave.model.castle.markers import Markers, outcomes
from burgrave.model.castle.rewards import claims_of
from burgrave.model.castle.turn import turns
from burgrave.model.components import Marker, Node, Rank
from burgrave.model.features import position_features
from burgrave.model.laying import lay
from burgrave.model.position import Deployment, Move, Position
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN
from burgrave.model.switches import RETURN_ON_TIE
from burgrave.model.tiles import PlacedTile
from burgrave.solver.cpsat.base.connectivity import Encoding
from burgrave.solver.cpsat.base.cp import Expression, Logic, Reading, chosen, truth, weighted
from burgrave.solver.cpsat.base.features import (
    Family,
    deployed,
    feature_vars,
    gone_home,
    ranks_of,
    total,
)
from burgrave.solver.cpsat.base.instance import Instance, Spot
from burgrave.solver.cpsat.base.placement import place_tiles
from burgrave.solver.cpsat.castle.contest import contested
from burgrave.solver.cpsat.castle.ending import final_score, largest_area
from burgrave.solver.cpsat.castle.features import in_play
from burgrave.solver.cpsat.castle.markers import (
    OF_EACH_NUMBER,
    CastlePlay,
    numbered,
    tracking,
    within_hands,
    within_reach,
)
from burgrave.solver.cpsat.castle.turns import not_now, supplied, turning
from burgrave.solver.problem import Goal, Play, Problem
from burgrave.solver.result import CertificateError

MOST_WAYS = 1024
"""Places of a tile, each with a follower, whose legal moves are remembered."""


def _play(
    logic: Logic, instance: Instance, encoding: Encoding, problem: Problem | None
) -> CastlePlay:
    """Make the variables of turns to come with the rules of a castle.

    In a single turn wall tiles taken do not matter, and an explanation may use wall tiles and
    followers that rules forbid.
    """
    single, alone = problem is None, problem is not None and problem.play is Play.SOLITAIRE
    asker = problem.asker if problem is not None and problem.goal is Goal.POINTS else None
    reach = within_reach(instance, OF_EACH_NUMBER if single and logic.explain else 0)
    placement = place_tiles(logic, instance)
    ones = (reach.most(0, EXTRA_TURN), reach.most(1, EXTRA_TURN))
    table = turning(placement, ones, alone=alone, single=single)
    features = feature_vars(table, encoding, shared=False)
    on_tie = instance.position.game.value(RETURN_ON_TIE) == "on"
    home = gone_home(placement, features, on_tie=on_tie)
    supplied(table, home)
    not_now(table, features)
    earned = in_play(table, features, reach.most)
    play = CastlePlay(
        table=table,
        features=features,
        earned=earned,
        track=tracking(table, earned, reach, asker),
        numbers=numbered(logic, instance, () if single else reach.towers),
        towers=frozenset(reach.towers),
    )
    within_hands(play)
    return play


def _totals(play: CastlePlay) -> tuple[Expression, ...]:
    """Return the points of a single turn by player."""
    won = zip(map(play.won, (0, 1)), play.instance.position.players, strict=True)
    return tuple(
        score + weighted(total(play.logic, pieces)) - state.score for (score, pieces), state in won
    )


def _value(play: CastlePlay, problem: Problem) -> Expression:
    """Return the asker's value at the end."""
    area, asker = largest_area(play.table.placement), problem.asker
    rivals = {0, 1} if problem.goal is Goal.POINTS else {1 - asker}
    contest = contested(play, area, rivals)
    value = final_score(play, area, contest, asker, own=True)
    if problem.goal is Goal.LEAD:
        value = value - final_score(play, area, contest, 1 - asker, own=False)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class CastleStep:
    """The actions with one tile in a solution."""

    spot: Spot | None
    """Its place; None if it is not laid."""
    segment: int
    """The segment with its follower; -1 for none."""
    rank: Rank
    """The rank of the follower; ``FOLLOWER`` without one."""
    extra: int
    """The number of wall tiles 1 played."""
    doubled: tuple[tuple[int, int], ...]
    """Pairs of a feature's leader and the number of wall tiles that double it."""
    takes: frozenset[tuple[str, int]]
    """Pairs of a tower and the player who takes its wall tile."""
    markers: tuple[tuple[int, Marker], ...]
    """Pairs of a player whose marker gates may stop and its place after the turn."""


CastlePlan = tuple[CastleStep, ...]


def _step(play: CastlePlay, reading: Reading, tile: int) -> CastleStep:
    """Read the step of one tile."""
    table = play.table
    return CastleStep(
        spot=chosen(table.placement.x[tile], reading),
        segment=table.segment(reading, tile),
        rank=table.rank_of(reading, tile),
        extra=sum(truth(one, reading) for one in table.extra[tile]),
        doubled=tuple(
            (leader, times)
            for (leader, _), earning in play.earned.items()
            if (times := sum(map(reading, earning.uses)))
            and tile == next(t for t, done in earning.one.done.items() if truth(done, reading))
        ),
        takes=frozenset(
            (tower, player)
            for (player, tower, when), literal in play.track.takes.items()
            if when == tile and truth(literal, reading)
        ),
        markers=tuple(
            (player, _marker(play, reading, player, tile)) for player in play.track.stopped
        ),
    )


def _marker(play: CastlePlay, reading: Reading, player: int, tile: int) -> Marker:
    """Read the place of a marker after a turn."""
    found = play.instance.position.players[player].marker
    for jump in play.track.jumps[player]:
        if truth(jump.by[tile], reading):
            found = Marker(reading(jump.score), truth(jump.at_gate, reading))
    return found


class _Worded(NamedTuple):
    """A legal move with its effects."""

    move: Move
    end: Markers
    """Where it leaves the markers, and who takes which wall tiles."""
    doubled: Mapping[Node, int]
    """By node of a feature that wall tiles double: the number of these wall tiles."""
    doublings: int
    """The number of all these wall tiles."""


@lru_cache(maxsize=MOST_WAYS)
def _ways(
    at: Position, laid: PlacedTile, followers: tuple[Deployment, ...], discards: tuple[str, ...]
) -> list[_Worded]:
    """Return the legal moves with a tile and follower, in the order of the rules engine."""
    placement = lay(at, laid, position_features(at))
    claims = claims_of(placement, followers)
    found = []
    for move in turns(placement, discards, followers):
        (end,) = outcomes(at, claims, move.scoring)
        doubled = {
            node: len(use.wall_tiles)
            for use in move.scoring
            for claim in claims
            if use.wall_tiles and use.node in claim.feature.nodes
            for node in claim.feature.nodes
        }
        doublings = sum(len(use.wall_tiles) for use in move.scoring)
        found.append(_Worded(move, end, doubled, doublings))
    return found


def _word(
    play: CastlePlay,
    plan: CastlePlan,
    at: Position,
    tile: int,
    discards: tuple[str, ...],
) -> tuple[tuple[Any, ...], Move]:
    """Return the step of a tile as a move, with its place in the list of the rules engine.

    Orders of scoring with the same effects are one move, worded as the rules engine words it.

    Raises:
        CertificateError: no legal move has the effects of the step.

    """
    step, kind = plan[tile], play.instance.kinds[tile]
    if step.spot is None:
        return (), Move(discards=discards)
    laid = PlacedTile(cell=step.spot[0], kind=kind, rotation=step.spot[1])
    followers = deployed(at, kind, step.spot, step.segment, step.rank)
    doubled = {_node(play, plan, leader): times for leader, times in step.doubled}
    effects = step.extra, step.takes, step.markers, sum(doubled.values())
    for index, way in enumerate(_ways(at, laid, followers, discards)):
        taken = ((take.tower, take.player) for take in way.end.takes)
        takes = frozenset(one for one in taken if one[0] in play.towers)
        markers = tuple((player, way.end.places[player]) for player in play.track.stopped)
        same = (way.move.extra_turns, takes, markers, way.doublings) == effects
        if same and doubled.items() <= way.doubled.items():
            rank = ranks_of(at.game).index(step.rank)
            return (step.spot, step.segment, rank, index), way.move
    raise CertificateError(f"no rule allows a step of the model: {step}")


def _node(play: CastlePlay, plan: CastlePlan, leader: int) -> Node:
    """Return a node of the feature that a part leads."""
    part = play.instance.parts[leader]
    if part.old:
        return part.feature.nodes[0]
    spot = plan[part.tile].spot
    assert spot is not None
    return Node(spot[0], part.segment)


CASTLE = Family(play=_play, totals=_totals, value=_value, step=_step, word=_word)
