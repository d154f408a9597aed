"""From a solution of the model to whole turns as moves, and their replay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from model.castle.markers import outcomes
from model.castle.rewards import claims_of
from model.castle.turn import turns
from model.components import Marker, Node, Rank
from model.features import position_features
from model.laying import lay
from model.position import Move, Position
from model.tiles import PlacedTile
from solver.certificates import CertificateError
from solver.cpsat.base.cp import Reading
from solver.cpsat.base.instance import OldPart, Spot
from solver.cpsat.base.logic import chosen, truth
from solver.cpsat.castle.model import CastlePlay
from solver.cpsat.shared.reading import deployed, replayed, segment_of
from solver.problem import Problem

Doubling = tuple[int, int]
"""A leader of a feature and how many wall tiles double it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CastleStep:
    """What happens with one tile in a solution."""

    spot: Spot | None
    """Where it is laid; None if it is not."""
    segment: int
    """The segment with its follower; -1 for none."""
    rank: Rank
    """What he is; an ordinary follower if there is none."""
    extra: int
    """Wall tiles 1 played."""
    doubled: tuple[Doubling, ...]
    takes: frozenset[tuple[str, int]]
    """Towers and players who take the wall tiles there."""
    markers: tuple[tuple[int, Marker], ...]
    """Players whose markers gates may stop, and where these stand after the turn."""


CastlePlan = tuple[CastleStep, ...]


def read_plan(model: CastlePlay, reading: Reading) -> CastlePlan:
    """Read what happens with every tile that is drawn off a solution."""
    count = len(model.instance.kinds)
    return tuple(
        _step(model, reading, tile)
        for tile in range(count)
        if not truth(model.placement.idle[tile], reading)
    )


def _step(model: CastlePlay, reading: Reading, tile: int) -> CastleStep:
    """Read what happens with one tile."""
    ranks = {rank: lit for (when, rank), lit in model.claims.ranks.items() if when == tile}
    return CastleStep(
        spot=chosen(model.placement.x[tile], reading),
        segment=segment_of(model.instance, model.claims.on, reading, tile),
        rank=chosen(ranks, reading) or Rank.FOLLOWER,
        extra=sum(truth(one, reading) for one in model.turns.extra[tile]),
        doubled=tuple(
            (leader, times)
            for (leader, _), uses in model.doubled.items()
            if (times := sum(reading(use) for use in uses))
            and _completed_in(model, reading, leader) == tile
        ),
        takes=frozenset(
            (tower, player)
            for (player, tower, when), literal in model.track.takes.items()
            if when == tile and truth(literal, reading)
        ),
        markers=tuple(
            (player, _marker(model, reading, player, tile)) for player in model.track.stopped
        ),
    )


def _marker(model: CastlePlay, reading: Reading, player: int, tile: int) -> Marker:
    """Read where a marker stands when a turn is over."""
    found = model.instance.position.players[player].marker
    for jump in model.track.jumps[player]:
        if truth(jump.by[tile], reading):
            found = Marker(reading(jump.place.score), truth(jump.place.at_gate, reading))
    return found


def _completed_in(model: CastlePlay, reading: Reading, leader: int) -> int | None:
    """Return the tile that completes the feature that a part leads."""
    one = next(one for one in model.features if one.leader == leader)
    return next((tile for tile, done in sorted(one.done.items()) if truth(done, reading)), None)


def replay(problem: Problem, model: CastlePlay, plan: CastlePlan) -> tuple[tuple[Move, ...], int]:
    """Return a plan as moves such as the rules engine lists, and what their end is worth.

    Raises:
        CertificateError: the rules engine knows no such turn, or the line ends too early.

    """
    return replayed(problem, model.instance.kinds, plan, partial(_move, model, plan))


def _move(
    model: CastlePlay, plan: CastlePlan, at: Position, tile: int, discards: tuple[str, ...]
) -> Move:
    """Return the move that does what a step says."""
    step, kind = plan[tile], model.instance.kinds[tile]
    if step.spot is None:
        return Move(discards=discards)
    cell, rotation = step.spot
    placement = lay(at, PlacedTile(cell=cell, kind=kind, rotation=rotation), position_features(at))
    followers = deployed(at, kind, step.spot, step.segment, step.rank)
    claims = claims_of(placement, followers)
    doubled = {
        claim.feature.nodes: times
        for leader, times in step.doubled
        for claim in claims
        if _node(model, plan, leader) in claim.feature.nodes
    }
    for move in turns(placement, discards, followers):
        (end,) = outcomes(at, claims, move.scoring)
        takes = frozenset(
            (take.tower, take.player) for take in end.takes if take.tower in model.towers
        )
        markers = tuple((player, end.places[player]) for player in model.track.stopped)
        uses = {
            claim.feature.nodes: len(use.wall_tiles)
            for use in move.scoring
            for claim in claims
            if use.wall_tiles and use.node in claim.feature.nodes
        }
        does = move.extra_turns, takes, markers, uses
        if does == (step.extra, step.takes, step.markers, doubled):
            return move
    raise CertificateError(f"no rule allows what the model does with tile {tile}: {step}")


def _node(model: CastlePlay, plan: CastlePlan, leader: int) -> Node:
    """Return a node of the feature that a part leads."""
    part = model.instance.parts[leader]
    if isinstance(part, OldPart):
        return part.feature.nodes[0]
    spot = plan[part.tile].spot
    assert spot is not None
    return Node(spot[0], part.segment)
