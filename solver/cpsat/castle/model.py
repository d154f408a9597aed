"""The model of the turns to come in a castle, the model of one turn, and their moves.

Each solution of a turn's model is a turn; several may be one turn if they differ in the order of
scoring alone. The value is the points of the turn, without final scoring.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from model.castle.markers import outcomes
from model.castle.rewards import claims_of
from model.castle.turn import turns
from model.components import Marker, Node, Rank
from model.draws import Draw
from model.features import position_features
from model.laying import lay
from model.position import Move, Position
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import RETURN_ON_TIE
from model.tiles import PlacedTile, TileKind
from solver.cpsat.base.connectivity import BY_TURN, Encoding
from solver.cpsat.base.cp import Logic, Reading, chosen, truth, weighted
from solver.cpsat.base.features import (
    Model,
    Scored,
    TurnModel,
    deployed,
    feature_vars,
    gone_home,
    segment_of,
    total,
)
from solver.cpsat.base.instance import Instance, OldPart, Spot, before_turn, survey
from solver.cpsat.base.placement import contacts, place_tiles
from solver.cpsat.castle.contest import contested
from solver.cpsat.castle.ending import End, Won, final_score, largest_area
from solver.cpsat.castle.features import (
    Doubled,
    Hands,
    Played,
    crowns,
    doubling,
    numbered,
    points_in_play,
    within_hands,
)
from solver.cpsat.castle.markers import OF_EACH_NUMBER, Track, tracking, within_reach
from solver.cpsat.castle.turns import not_now, supplied, turning
from solver.limits import Clock
from solver.problem import Goal, Play, Problem
from solver.result import CertificateError, ScoredMove


@dataclass(frozen=True, slots=True, kw_only=True)
class CastlePlay(End):
    """The turns to come as variables, without final scoring."""

    doubled: Doubled
    played: Played
    track: Track
    towers: frozenset[str]
    """The corner towers whose wall tiles matter; the model leaves the others out."""

    def won(self, player: int) -> Won:
        """Return a player's points in play, with the stops of his marker at gates."""
        logic = self.logic
        start = self.instance.position.players[player].score
        pieces = [
            piece for (_, who), some in self.played.items() if who == player for piece in some
        ]
        if player not in self.track.stopped:
            return Won(start, tuple(pieces))
        jumps = self.track.jumps[player]
        score = jumps[-1].score if jumps else start
        # A gate only takes points away; this redundant limit propagates better than its formulas.
        logic.model.add(score <= start + weighted(total(logic, pieces)))
        return Won(score, ())


def castle_play(  # noqa: PLR0913 -- all that makes a model
    logic: Logic,
    instance: Instance,
    encoding: Encoding,
    *,
    counted: Collection[int] = (0, 1),
    alone: int | None = None,
    single: bool = False,
) -> CastlePlay:
    """Make the variables of turns to come with the rules of a castle.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        encoding: the encoding of connectivity.
        counted: the players that the objective counts.
        alone: the player to whom all turns belong; None if both play.
        single: whether it is one turn. Then wall tiles taken do not matter, and an
            explanation may use wall tiles and followers that rules forbid.

    """
    (asker,) = counted if len(counted) == 1 else (None,)
    reach = within_reach(instance, asker, OF_EACH_NUMBER if single and logic.explain else 0)
    placement = place_tiles(logic, instance)
    ones = (reach.most(0, EXTRA_TURN), reach.most(1, EXTRA_TURN))
    table = turning(placement, ones, alone, single=single)
    touching = contacts(placement)
    within = encoding.join(placement, touching, table.claims.on, {})
    features = feature_vars(table, within, touching, shared=False)
    on_tie = instance.position.game.value(RETURN_ON_TIE) == "on"
    home = gone_home(placement, features, on_tie=on_tie)
    supplied(table, home)
    not_now(table, features)
    crowned = crowns(table, features)
    doubled = doubling(table, features, crowned, reach)
    played = points_in_play(table, features, doubled, crowned)
    terms = {key: [piece.term for piece in pieces] for key, pieces in played.items()}
    track = tracking(table, features, terms, reach, counted)
    numbers = numbered(logic, instance, () if single else reach.towers)
    hands = Hands(table=table, takes=track.takes, numbers=numbers)
    within_hands(features, doubled, crowned, hands)
    return CastlePlay(
        table=table,
        features=features,
        crowned=crowned,
        doubled=doubled,
        played=played,
        track=track,
        hands=hands,
        # In a solitaire the last turn is the asker's too.
        last=table.moves[-1] if alone is None else (alone == 0, alone == 1),
        towers=frozenset(reach.towers),
    )


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
    alone = asker if problem.play is Play.SOLITAIRE else None
    counted = {asker} if problem.goal is Goal.POINTS else {0, 1}
    play = castle_play(logic, instance, encoding, counted=counted, alone=alone)
    won = (play.won(0), play.won(1))
    area = largest_area(play.table.placement)
    rivals = {0, 1} if problem.goal is Goal.POINTS else {1 - asker}
    contest = contested(play, area, rivals)
    value = final_score(play, area, contest, won[asker], asker, own=True)
    if problem.goal is Goal.LEAD:
        value = value - final_score(play, area, contest, won[1 - asker], 1 - asker, own=False)
    return Model(
        logic=logic,
        play=play,
        value=value,
        read=partial(read_plan, play),
        move_of=_move_of,
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
    return tuple(_step(play, reading, tile) for tile in range(len(play.table.instance.kinds)))


def _step(play: CastlePlay, reading: Reading, tile: int) -> CastleStep:
    """Read the step of one tile."""
    table, claims = play.table, play.table.claims
    ranks = {rank: literal for (when, rank), literal in claims.ranks.items() if when == tile}
    return CastleStep(
        spot=chosen(table.placement.x[tile], reading),
        segment=segment_of(table.instance, claims.on, reading, tile),
        rank=chosen(ranks, reading) or Rank.FOLLOWER,
        extra=sum(truth(one, reading) for one in table.extra[tile]),
        doubled=tuple(
            (leader, times)
            for (leader, _), uses in play.doubled.items()
            if (times := sum(reading(use) for use in uses))
            and _completed_in(play, reading, leader) == tile
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
    found = play.table.instance.position.players[player].marker
    for jump in play.track.jumps[player]:
        if truth(jump.by[tile], reading):
            found = Marker(reading(jump.score), truth(jump.at_gate, reading))
    return found


def _completed_in(play: CastlePlay, reading: Reading, leader: int) -> int | None:
    """Return the tile that completes the feature that a part leads."""
    one = next(one for one in play.features if one.leader == leader)
    return next((tile for tile, done in sorted(one.done.items()) if truth(done, reading)), None)


def _move_of(
    play: CastlePlay, plan: CastlePlan, at: Position, tile: int, discards: tuple[str, ...]
) -> Move:
    """Return the move of a step."""
    step, kind = plan[tile], play.table.instance.kinds[tile]
    if step.spot is None:
        return Move(discards=discards)
    ways = _ways(play, at, kind, step, discards)
    return ways[_find(play, plan, step, ways)].move


class _Worded(NamedTuple):
    """A legal move with its effects."""

    move: Move
    effects: object
    """Extra turns, wall tiles taken, places of markers, and the number of doublings."""
    doubled: Mapping[Node, int]
    """By node of a feature that wall tiles double: the number of these wall tiles."""


def _ways(
    play: CastlePlay, at: Position, kind: TileKind, step: CastleStep, discards: tuple[str, ...]
) -> list[_Worded]:
    """Return the legal moves that lay a tile as in a step, in the order of the reference engine."""
    assert step.spot is not None
    laid = PlacedTile(cell=step.spot[0], kind=kind, rotation=step.spot[1])
    placement = lay(at, laid, position_features(at))
    followers = deployed(at, kind, step.spot, step.segment, step.rank)
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


def _find(play: CastlePlay, plan: CastlePlan, step: CastleStep, ways: Sequence[_Worded]) -> int:
    """Return the index of the move with the effects of a step.

    Raises:
        CertificateError: no legal move has them.

    """
    doubled = {_node(play, plan, leader): times for leader, times in step.doubled}
    effects = step.extra, step.takes, step.markers, sum(doubled.values())
    for index, way in enumerate(ways):
        if way.effects == effects and doubled.items() <= way.doubled.items():
            return index
    raise CertificateError(f"no rule allows a step of the model: {step}")


def _node(play: CastlePlay, plan: CastlePlan, leader: int) -> Node:
    """Return a node of the feature that a part leads."""
    part = play.table.instance.parts[leader]
    if isinstance(part, OldPart):
        return part.feature.nodes[0]
    spot = plan[part.tile].spot
    assert spot is not None
    return Node(spot[0], part.segment)


def _found(
    play: CastlePlay, discards: tuple[str, ...], solutions: Iterable[Scored[CastleStep]]
) -> list[ScoredMove]:
    """Return the moves of solutions, in the order of the reference engine.

    Orders of scoring with the same effects are one move, worded as the rules engine words it.
    """
    instance = play.table.instance
    position, kind = instance.position, instance.kinds[0]
    ranks = (Rank.FOLLOWER, *position.game.specials)
    known: dict[tuple[Spot, int, int], list[_Worded]] = {}
    keyed: dict[tuple[Spot, int, int, int], ScoredMove] = {}
    for step, totals in solutions:
        assert step.spot is not None
        key = step.spot, step.segment, ranks.index(step.rank)
        if key not in known:
            known[key] = _ways(play, position, kind, step, discards)
        index = _find(play, (step,), step, known[key])
        keyed[*key, index] = ScoredMove(known[key][index].move, totals)
    return [keyed[key] for key in sorted(keyed)]


def castle_turn(position: Position, draw: Draw, *, explain: bool = False) -> TurnModel[CastlePlay]:
    """Build the model of a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it.
        explain: whether rules become literals that can be assumed.

    """
    assert draw.tile is not None
    logic = Logic(explain=explain)
    instance = survey(before_turn(position, draw), 1)
    play = castle_play(logic, instance, BY_TURN, single=True)
    logic.clause(play.table.placement.laid[0])
    won = (play.won(player) for player in (0, 1))
    first, second = (
        score + weighted(total(logic, pieces)) - state.score
        for (score, pieces), state in zip(won, position.players, strict=True)
    )
    return TurnModel(
        logic=logic,
        play=play,
        totals=(first, second),
        plan=partial(read_plan, play),
        found=partial(_found, play, draw.discards),
    )
