"""The whole model of the turns to come in Carcassonne: placement, followers, final scores."""

from __future__ import annotations

from dataclasses import dataclass

from model.engine import play
from model.errors import IllegalMoveError
from model.final import final_scoring
from model.notation import write_move
from model.position import Deployment, Move, Position
from solver.certify import CertificateError
from solver.cpsat.logic import Logic, weighted
from solver.cpsat.plane.timeline.features import gone_home, leading
from solver.cpsat.plane.timeline.ground import survey
from solver.cpsat.plane.timeline.play import Claims, claiming, moving, supplied
from solver.cpsat.plane.timeline.scores import cloisters, farms, roads_and_cities, total
from solver.cpsat.run import Expression, Reading
from solver.cpsat.timeline.contacts import contacts
from solver.cpsat.timeline.ground import Ground, Spot
from solver.cpsat.timeline.joining import Encoding
from solver.cpsat.timeline.laying import Laying, laying
from solver.outlook import Goal, Play, Task

Plan = tuple[tuple[Spot | None, int], ...]
"""By tile: where it is laid, None if it is not, and the segment with its follower or -1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneTimeline:
    """The turns to come as variables, with what they stand for."""

    logic: Logic
    ground: Ground
    lie: Laying
    claims: Claims
    value: Expression
    """What the end is worth to the asker. Of a solution that is not best it may be less than
    the play is worth, never more."""


def plane_timeline(task: Task, encoding: Encoding) -> PlaneTimeline:
    """Build the model of a task with a known order in which everybody serves the asker.

    Args:
        task: the question, to the end of the game; its position is as the asker meets it.
        encoding: how it is said what is connected.

    """
    logic = Logic()
    position = task.position
    ground, cities = survey(position)
    lie = laying(logic, ground)
    moves = moving(logic, position, lie, alone=task.play is Play.SOLITAIRE)
    claims = claiming(logic, ground, lie, moves)
    touching = contacts(logic, ground, lie)
    joined = encoding.join(logic, ground, touching, claims.on)
    led = leading(logic, ground, lie, touching, joined, claims)
    supplied(logic, ground, claims, gone_home(logic, ground, led))
    pieces = [
        *roads_and_cities(logic, ground, led),
        *cloisters(logic, ground, lie, claims),
        *farms(logic, ground, cities, led),
    ]
    terms = [total(logic, pieces, player) for player in range(len(position.players))]
    scores = [
        state.score + weighted(mine) for state, mine in zip(position.players, terms, strict=True)
    ]
    value = scores[task.asker]
    if task.goal is Goal.LEAD and len(scores) > 1:
        most = sum(abs(w) for mine in terms for w, _ in mine)
        most += sum(state.score for state in position.players)
        value = logic.integer(-most, most, "lead")
        for player, theirs in enumerate(scores):
            if player != task.asker:
                logic.model.add(value <= scores[task.asker] - theirs)
    return PlaneTimeline(logic=logic, ground=ground, lie=lie, claims=claims, value=value)


def read_plan(timeline: PlaneTimeline, reading: Reading) -> Plan:
    """Read what happens with every tile off a solution."""
    return tuple(
        (
            next((spot for spot, literal in x.items() if reading(literal)), None),
            next(
                (
                    part.segment
                    for part in timeline.ground.new_of(tile)
                    if part.number in timeline.claims.on
                    and reading(timeline.claims.on[part.number])
                ),
                -1,
            ),
        )
        for tile, x in enumerate(timeline.lie.x)
    )


def replayed(task: Task, timeline: PlaneTimeline, plan: Plan) -> tuple[tuple[Move, ...], int]:
    """Return a plan as moves such as the rules engine lists, and what their end is worth.

    Raises:
        CertificateError: the rules engine knows no such turn.

    """
    at, line = task.position, []
    gone: list[str] = []
    for kind, (spot, segment) in zip(timeline.ground.kinds, plan, strict=True):
        if spot is None:
            gone.append(kind.id)
            continue
        followers: tuple[Deployment, ...] = ()
        if segment >= 0:
            role = at.game.rules.roles[kind.segments[segment].kind]
            followers = (Deployment(spot[0], segment, role),)
        line.append(
            Move(
                discards=tuple(gone),
                tile=kind.id,
                cell=spot[0],
                rotation=spot[1],
                followers=followers,
            )
        )
        at = task.begin(_played(at, line[-1]))
        gone = []
    if gone:
        line.append(Move(discards=tuple(gone)))
        at = task.begin(_played(at, line[-1]))
    return tuple(line), task.worth(*final_scoring(at).scores)


def _played(at: Position, move: Move) -> Position:
    """Play a move through the rules engine."""
    try:
        return play(at, move).position
    except IllegalMoveError as error:
        text = write_move(at, move)
        raise CertificateError(f"{text} is said to be legal, but: {error}") from error
