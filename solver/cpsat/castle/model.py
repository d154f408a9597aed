"""The model of the turns to come in a castle, the model of one turn, and their moves.

Each solution of a turn's model is a turn; several may be one turn if they differ in the order of
scoring alone. The value is the points of the turn, without final scoring.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from model.castle.markers import outcomes
from model.castle.rewards import claims_of
from model.castle.turn import turns
from model.components import Marker, Node, Rank
from model.draws import Draw
from model.features import position_features
from model.laying import lay
from model.position import Deployment, Move, Position
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import RETURN_ON_TIE
from model.tiles import PlacedTile
from solver.cpsat.base.connectivity import BY_TURN, Encoding
from solver.cpsat.base.cp import Expression, Logic, Reading, chosen, truth, weighted
from solver.cpsat.base.features import Model, deployed, feature_vars, gone_home, total
from solver.cpsat.base.instance import Instance, Spot, before_turn, survey
from solver.cpsat.base.placement import place_tiles
from solver.cpsat.castle.contest import contested
from solver.cpsat.castle.ending import final_score, largest_area
from solver.cpsat.castle.features import in_play
from solver.cpsat.castle.markers import (
    OF_EACH_NUMBER,
    CastlePlay,
    numbered,
    tracking,
    within_hands,
    within_reach,
)
from solver.cpsat.castle.turns import not_now, supplied, turning
from solver.limits import Clock
from solver.problem import Goal, Play, Problem
from solver.result import CertificateError


def castle_play(  # noqa: PLR0913 -- all that makes a model
    logic: Logic,
    instance: Instance,
    encoding: Encoding,
    *,
    counted: Collection[int] = (0, 1),
    alone: bool = False,
    single: bool = False,
) -> CastlePlay:
    """Make the variables of turns to come with the rules of a castle.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        encoding: the encoding of connectivity.
        counted: the players that the objective counts.
        alone: whether all turns belong to the player to move.
        single: whether it is one turn. Then wall tiles taken do not matter, and an
            explanation may use wall tiles and followers that rules forbid.

    """
    (asker,) = counted if len(counted) == 1 else (None,)
    reach = within_reach(instance, asker, OF_EACH_NUMBER if single and logic.explain else 0)
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
        track=tracking(table, earned, reach, counted),
        numbers=numbered(logic, instance, () if single else reach.towers),
        towers=frozenset(reach.towers),
    )
    within_hands(play)
    return play


def castle_model(
    problem: Problem, encoding: Encoding, clock: Clock | None = None, *, explain: bool = False
) -> Model[CastlePlay]:
    """Build the model of a problem with a known order in which all players serve the asker.

    Args:
        problem: the question; its position is as the asker meets it.
        encoding: the encoding of connectivity.
        clock: the time to build it; None for no limit.
        explain: whether rules become literals that can be assumed.

    Raises:
        OutOfTimeError: the time is used up.

    """
    logic = Logic(explain=explain, watch=clock)
    position, asker = problem.position, problem.asker
    instance = survey(position, watch=clock)
    alone = problem.play is Play.SOLITAIRE
    counted = {asker} if problem.goal is Goal.POINTS else {0, 1}
    play = castle_play(logic, instance, encoding, counted=counted, alone=alone)
    area = largest_area(play.table.placement)
    rivals = {0, 1} if problem.goal is Goal.POINTS else {1 - asker}
    contest = contested(play, area, rivals)
    value = final_score(play, area, contest, asker, own=True)
    if problem.goal is Goal.LEAD:
        value = value - final_score(play, area, contest, 1 - asker, own=False)
    return _model(play, value)


def _model(
    play: CastlePlay, value: Expression, totals: tuple[Expression, ...] = ()
) -> Model[CastlePlay]:
    """Return the model of some turns."""
    return Model(
        logic=play.logic,
        play=play,
        value=value,
        totals=totals,
        read=partial(read_plan, play),
        word=partial(_word, play, cache(partial(_ways, play))),
    )


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


def read_plan(play: CastlePlay, reading: Reading) -> CastlePlan:
    """Read the step of every tile."""
    return tuple(_step(play, reading, tile) for tile in range(len(play.instance.kinds)))


def _step(play: CastlePlay, reading: Reading, tile: int) -> CastleStep:
    """Read the step of one tile."""
    table = play.table
    ranks = {rank: literal for (when, rank), literal in table.ranks.items() if when == tile}
    return CastleStep(
        spot=chosen(table.placement.x[tile], reading),
        segment=table.segment(reading, tile),
        rank=chosen(ranks, reading) or Rank.FOLLOWER,
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
    effects: object
    """Extra turns, wall tiles taken, places of markers, and the number of doublings."""
    doubled: Mapping[Node, int]
    """By node of a feature that wall tiles double: the number of these wall tiles."""


def _ways(
    play: CastlePlay,
    at: Position,
    laid: PlacedTile,
    followers: tuple[Deployment, ...],
    discards: tuple[str, ...],
) -> list[_Worded]:
    """Return the legal moves with a tile and follower, in the order of the rules engine."""
    placement = lay(at, laid, position_features(at))
    claims = claims_of(placement, followers)
    found = []
    for move in turns(placement, discards, followers):
        (end,) = outcomes(at, claims, move.scoring)
        takes = frozenset(
            (take.tower, take.player) for take in end.takes if take.tower in play.towers
        )
        markers = tuple((player, end.places[player]) for player in play.track.stopped)
        doubled = {
            node: len(use.wall_tiles)
            for use in move.scoring
            for claim in claims
            if use.wall_tiles and use.node in claim.feature.nodes
            for node in claim.feature.nodes
        }
        doublings = sum(len(use.wall_tiles) for use in move.scoring)
        found.append(_Worded(move, (move.extra_turns, takes, markers, doublings), doubled))
    return found


def _word(  # noqa: PLR0913, PLR0917 -- a step with all that is known of it
    play: CastlePlay,
    ways: Callable[..., list[_Worded]],
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
    for index, way in enumerate(ways(at, laid, followers, discards)):
        if way.effects == effects and doubled.items() <= way.doubled.items():
            ranks = (Rank.FOLLOWER, *at.game.specials)
            return (step.spot, step.segment, ranks.index(step.rank), index), way.move
    raise CertificateError(f"no rule allows a step of the model: {step}")


def _node(play: CastlePlay, plan: CastlePlan, leader: int) -> Node:
    """Return a node of the feature that a part leads."""
    part = play.instance.parts[leader]
    if part.old:
        return part.feature.nodes[0]
    spot = plan[part.tile].spot
    assert spot is not None
    return Node(spot[0], part.segment)


def castle_turn(
    position: Position, draw: Draw, goal: Goal = Goal.POINTS, *, explain: bool = False
) -> Model[CastlePlay]:
    """Build the model of a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it.
        goal: whether points or the lead are the value of the turn.
        explain: whether rules become literals that can be assumed.

    """
    assert draw.tile is not None
    logic = Logic(explain=explain)
    instance = survey(before_turn(position, draw), 1)
    play = castle_play(logic, instance, BY_TURN, single=True)
    logic.clause(play.table.placement.laid[0])
    totals = tuple(
        score + weighted(total(logic, pieces)) - state.score
        for (score, pieces), state in zip(map(play.won, (0, 1)), position.players, strict=True)
    )
    mine = totals[position.to_move]
    return _model(play, mine if goal is Goal.POINTS else 2 * mine - sum(totals), totals)
