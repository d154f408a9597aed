"""The reference engine: legal moves, verdicts, playing a move.

It is written for clarity and rebuilds the graph of features for every placement; whatever
is faster is compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from model.draws import TURN_ORDER, drawn, draws
from model.errors import IllegalMoveError
from model.features import position_features
from model.geometry import Cell
from model.markers import outcomes
from model.placement import Placement, lay
from model.plans import every_order, plans
from model.position import Deployment, Move, Node, Position, Rank
from model.resolution import Played, pass_turn, resolve
from model.rules.completion import SINGLE, START
from model.rules.followers import COMPLETED, ROLES
from model.rules.placement import NONE, places
from model.rules.rule import Finding
from model.rules.scoring import ORDER
from model.rules.setup import unknown_tiles
from model.rules.wall_tiles import EXTRA_TURN, HIDDEN, Turn
from model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE
from model.tiles import PlacedTile

__all__ = [
    "Judgement",
    "Played",
    "canonical",
    "deployable",
    "judge",
    "legal_moves",
    "play",
    "turns",
    "violations",
]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of a move."""

    violations: tuple[Finding, ...]
    """Every rule that the move breaks."""
    notes: tuple[Finding, ...]
    """Rules by which something about it is allowed that people ask about."""

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations


def legal_moves(position: Position, tile: str | None = None) -> Iterator[Move]:
    """Yield every legal move, canonical ones only.

    Args:
        position: a position with tiles left to draw.
        tile: only moves that lay this tile; None for every tile that may be drawn.

    Yields:
        Moves by draw, cell, rotation, follower, scoring plan and extra turns. Moves that
        lead to the same position by another order of scoring or an equal-looking rotation
        are listed once.

    """
    before = position_features(position)
    for draw in draws(position):
        if tile is not None and draw.tile != tile:
            continue
        if draw.tile is None:
            yield Move(discards=draw.discards)
            continue
        for laid in places(position, draw.tile):
            placement = lay(position, laid, before, draw.discards)
            for deployments in deployable(placement):
                yield from turns(placement, draw.discards, deployments)


def deployable(placement: Placement) -> Iterator[tuple[Deployment, ...]]:
    """Yield no follower, then every legal follower on the new tile."""
    yield ()
    tile = placement.tile
    laws = placement.position.game.rules.deployment
    ranks = (Rank.FOLLOWER, *placement.position.game.specials)
    for (index, segment), rank in product(enumerate(tile.kind.segments), ranks):
        chosen = (Deployment(tile.cell, index, ROLES[segment.kind], rank),)
        if not any(True for law in laws for _ in law(placement, chosen)):
            yield chosen


def turns(
    placement: Placement, discards: tuple[str, ...], deployments: tuple[Deployment, ...]
) -> Iterator[Move]:
    """Yield the legal moves that differ in wall tiles and order of scoring alone.

    Args:
        placement: the tile of the turn on a legal cell.
        discards: tiles drawn before it that had no place.
        deployments: no follower, or a legal one.

    """
    position = placement.position
    claims = placement.claims(deployments)
    ones = placement.mover.wall_tiles.count(EXTRA_TURN)
    for plan, extra in product(plans(position, claims), range(ones + 1)):
        move = Move(
            discards=discards,
            tile=placement.tile.kind.id,
            cell=placement.tile.cell,
            rotation=placement.tile.rotation,
            followers=deployments,
            scoring=plan,
            extra_turns=extra,
        )
        turn = Turn(position=position, move=move, claims=claims)
        turn = replace(turn, move=replace(move, declared=_must_declare(turn)))
        if not any(True for law in position.game.rules.wall_tiles for _ in law(turn)):
            yield turn.move


def _must_declare(turn: Turn) -> tuple[int, ...]:
    """Return the mover's wall tiles that have to be declared before the draw."""
    game, mover = turn.position.game, turn.position.to_move
    declared: list[int] = []
    if game.value(WALL_1_DECLARE) == "before_draw":
        declared += [EXTRA_TURN] * turn.move.extra_turns
    if game.value(WALL_DOUBLE_DECLARE) == "before_draw":
        mine = [step for step, claim in turn.steps() if turn.user(claim) == mover]
        declared += [number for step in mine for number in step.wall_tiles]
    return tuple(sorted(declared))


def judge(position: Position, move: Move) -> Judgement:
    """Return every rule that a move breaks, and the rules that allow it.

    Args:
        position: the position before the move.
        move: any move, legal or not.

    Returns:
        The findings. Rules about followers, scoring and wall tiles speak only if the tile
        can be put on its cell at all.

    """
    return _judged(position, move)[0]


def _judged(position: Position, move: Move) -> tuple[Judgement, Placement | None]:
    """Return what the rules say of a move, and its placement if the cell can take a tile."""
    broken: list[Finding] = [*TURN_ORDER(position, move), *NONE(position, move)]
    broken += unknown_tiles(position.game, drawn(move))
    notes: list[Finding] = []
    placement = None
    if move.tile in position.game.tile_set.ids():
        laid = move.laid(position.game.tile_set.kind(move.tile))
        broken += [
            finding for law in position.game.rules.placement for finding in law(position, laid)
        ]
        if laid.cell in position.game.board.cells and position.tile_at(laid.cell) is None:
            placement = lay(position, laid, position_features(position), move.discards)
            broken += _broken_after(placement, move)
            notes = list(_notes(placement, move))
    broken += HIDDEN(position, move)
    return Judgement(tuple(broken), tuple(notes)), placement


def violations(position: Position, move: Move) -> tuple[Finding, ...]:
    """Return every rule that a move breaks; none if it is legal."""
    return judge(position, move).violations


def _broken_after(placement: Placement, move: Move) -> Iterator[Finding]:
    """Yield what is wrong with followers, order of scoring and wall tiles."""
    position = placement.position
    for law in position.game.rules.deployment:
        yield from law(placement, move.followers)
    claims = placement.claims(move.followers)
    turn = Turn(position=position, move=move, claims=claims)
    for wall_law in position.game.rules.wall_tiles:
        yield from wall_law(turn)
    wrong = tuple(ORDER(position.to_move, claims, move.scoring, position.game.players))
    yield from wrong
    ends = () if wrong else tuple(outcomes(position, claims, move.scoring))
    if len(ends) == 1:
        taken = {take.tower for take in ends[0].takes}
        for tower, _ in move.reveals:
            if tower not in taken:
                yield HIDDEN.finding(f"no marker lands on tower {tower} this turn")
    elif ends:
        orders = every_order(position, claims, move.scoring)
        yield ORDER.finding(
            f"the order of scoring decides which wall tiles are taken ({len(orders)} outcomes) and"
            " the move does not say it",
            (placement.tile.cell,),
        )


def _notes(placement: Placement, move: Move) -> Iterator[Finding]:
    """Yield the rules by which the placement and the follower are allowed."""
    position, tile = placement.position, placement.tile
    for law in position.game.rules.notes:
        yield from law(position, tile)
    yield from START(position.game, placement.after, tile)
    yield from SINGLE(tile)
    yield from COMPLETED(placement, move.followers)


def canonical(position: Position, move: Move) -> Move:
    """Return the move as the engine lists it, if it is legal.

    An equal-looking rotation becomes the lowest one, segments are named anew, and the
    order of scoring becomes the first with the same outcome.
    """
    if move.tile is None or move.cell is None:
        return move
    kind = position.game.tile_set.kind(move.tile)
    shape = kind.shape(move.rotation)
    rotation = next(r for r in kind.rotations() if kind.shape(r) == shape)
    old, new = move.laid(kind), PlacedTile(cell=move.cell, kind=kind, rotation=rotation)

    def renamed(node: Node) -> Node:
        if node.cell != old.cell or rotation == old.rotation:
            return node
        ports = kind.turned(node.segment, old.rotation)
        if not ports:
            return node
        return Node(node.cell, new.at(ports[0]))

    followers = tuple(
        d._replace(segment=renamed(Node(d.cell, d.segment)).segment) for d in move.followers
    )
    moved = replace(
        move,
        rotation=rotation,
        followers=followers,
        scoring=tuple(step._replace(node=renamed(step.node)) for step in move.scoring),
        reveals=tuple(sorted(move.reveals)),
    )
    placement = lay(position, new, position_features(position), move.discards)
    target = resolve(placement, moved)
    for listed in turns(placement, move.discards, followers):
        candidate = replace(listed, declared=move.declared, reveals=moved.reveals)
        done = resolve(placement, candidate)
        if done.position == target.position and _points_won(done) == _points_won(target):
            return candidate
    return moved


def _points_won(played: Played) -> list[tuple[int | None, int, tuple[Cell, ...]]]:
    """Return who won how many points by which feature, whatever the order.

    Of two towers of one size, doubling the one or the other leads to the same position.
    """
    won = [event for event in played.events if event.points]
    return sorted((event.player, event.points, event.cells) for event in won)


def play(position: Position, move: Move) -> Played:
    """Play a move.

    Args:
        position: the position before.
        move: a legal move.

    Returns:
        The position after the turn, and what happened.

    Raises:
        IllegalMoveError: the move breaks a rule; all findings are listed.

    """
    judgement, placement = _judged(position, move)
    if not judgement.legal:
        raise IllegalMoveError(judgement.violations)
    return pass_turn(position, move) if placement is None else resolve(placement, move)
