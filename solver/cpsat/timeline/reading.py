"""From a solution of the model to whole turns as moves, and their replay."""

from __future__ import annotations

from dataclasses import dataclass

from model.book import book_of
from model.castle.markers import outcomes
from model.castle.rewards import claims_of
from model.castle.turn import turns
from model.components import Marker, Node, Rank
from model.engine import play
from model.errors import IllegalMoveError
from model.features import position_features
from model.final import final_scoring
from model.laying import lay
from model.notation import write_move
from model.position import Deployment, Move, Position
from model.tiles import PlacedTile
from solver.certify import CertificateError
from solver.cpsat.logic import Lit
from solver.cpsat.run import Reading
from solver.cpsat.timeline.ground import OldPart, Spot
from solver.cpsat.timeline.model import Timeline
from solver.outlook import Task

Doubling = tuple[int, int]
"""A leader of a feature and how many wall tiles double it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
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


Plan = tuple[Step, ...]


def read_plan(timeline: Timeline, reading: Reading) -> Plan:
    """Read what happens with every tile that is drawn off a solution."""
    count = len(timeline.ground.kinds)
    return tuple(
        _step(timeline, reading, tile)
        for tile in range(count)
        if not _true(timeline.lie.idle[tile], reading)
    )


def _true(literal: Lit, reading: Reading) -> bool:
    """Return the truth value of a literal in a solution."""
    return literal if isinstance(literal, bool) else bool(reading(literal))


def _step(timeline: Timeline, reading: Reading, tile: int) -> Step:
    """Read what happens with one tile."""
    x, on = timeline.lie.x[tile], timeline.claims.on
    return Step(
        spot=next((spot for spot, literal in x.items() if reading(literal)), None),
        segment=next(
            (
                part.segment
                for part in timeline.ground.new_of(tile)
                if part.number in on and reading(on[part.number])
            ),
            -1,
        ),
        rank=next(
            (
                rank
                for (when, rank), literal in timeline.claims.ranks.items()
                if when == tile and reading(literal)
            ),
            Rank.FOLLOWER,
        ),
        extra=sum(_true(one, reading) for one in timeline.turns.extra[tile]),
        doubled=tuple(
            (leader, times)
            for (leader, _), uses in timeline.doubled.items()
            if (times := sum(reading(use) for use in uses))
            and _completed_in(timeline, reading, leader) == tile
        ),
        takes=frozenset(
            (tower, player)
            for (player, tower, when), literal in timeline.track.takes.items()
            if when == tile and _true(literal, reading)
        ),
        markers=tuple(
            (player, _marker(timeline, reading, player, tile)) for player in timeline.track.stopped
        ),
    )


def _marker(timeline: Timeline, reading: Reading, player: int, tile: int) -> Marker:
    """Read where a marker stands when a turn is over."""
    found = timeline.ground.position.players[player].marker
    for jump in timeline.track.stopped[player]:
        if _true(jump.by[tile], reading):
            found = Marker(reading(jump.place.score), _true(jump.place.at_gate, reading))
    return found


def _completed_in(timeline: Timeline, reading: Reading, leader: int) -> int | None:
    """Return the tile that completes the feature that a part leads."""
    one = next(one for one in timeline.led if one.leader == leader)
    return next((tile for tile, done in sorted(one.done.items()) if _true(done, reading)), None)


def replayed(task: Task, timeline: Timeline, plan: Plan) -> tuple[tuple[Move, ...], int]:
    """Return a plan as moves such as the rules engine lists, and what their end is worth.

    Raises:
        CertificateError: the rules engine knows no such turn, or the line ends too early.

    """
    at, line = task.position, []
    gone: list[str] = []
    for tile, step in enumerate(plan):
        if step.spot is None:
            gone.append(timeline.ground.kinds[tile].id)
            continue
        line.append(_move(timeline, at, plan, tile, tuple(gone)))
        at = task.begin(_played(at, line[-1]))
        gone = []
    if gone:
        line.append(Move(discards=tuple(gone)))
        at = task.begin(_played(at, line[-1]))
    scores = tuple(player.score for player in at.players)
    if at.over:
        scores = final_scoring(at).scores
    elif task.horizon is None or len(task.position.order) - len(at.order) < task.horizon:
        raise CertificateError(f"a line of {len(plan)} tiles leaves {len(at.order)} to draw")
    return tuple(line), task.worth(*scores)


def _played(at: Position, move: Move) -> Position:
    """Play a move through the rules engine."""
    try:
        return play(at, move).position
    except IllegalMoveError as error:
        text = write_move(at, move)
        raise CertificateError(f"{text} is said to be legal, but: {error}") from error


def _move(
    timeline: Timeline, at: Position, plan: Plan, tile: int, discards: tuple[str, ...]
) -> Move:
    """Return the move that does what a step says."""
    step, kind = plan[tile], timeline.ground.kinds[tile]
    assert step.spot is not None
    cell, rotation = step.spot
    placement = lay(at, PlacedTile(cell=cell, kind=kind, rotation=rotation), position_features(at))
    followers: tuple[Deployment, ...] = ()
    if step.segment >= 0:
        role = book_of(at.game).roles[kind.segments[step.segment].kind]
        followers = (Deployment(cell, step.segment, role, step.rank),)
    claims = claims_of(placement, followers)
    doubled = {
        claim.feature.nodes: times
        for leader, times in step.doubled
        for claim in claims
        if _node(timeline, plan, leader) in claim.feature.nodes
    }
    for move in turns(placement, discards, followers):
        (end,) = outcomes(at, claims, move.scoring)
        takes = frozenset(
            (take.tower, take.player) for take in end.takes if take.tower in timeline.towers
        )
        markers = tuple((player, end.places[player]) for player in timeline.track.stopped)
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


def _node(timeline: Timeline, plan: Plan, leader: int) -> Node:
    """Return a node of the feature that a part leads."""
    part = timeline.ground.parts[leader]
    if isinstance(part, OldPart):
        return part.feature.nodes[0]
    spot = plan[part.tile].spot
    assert spot is not None
    return Node(spot[0], part.segment)
