"""The rest of a turn of The Castle after the tile: followers, wall tiles, scoring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from burgrave.model.book import Conduct, book_of
from burgrave.model.castle.final import score_castle
from burgrave.model.castle.markers import outcomes
from burgrave.model.castle.plans import every_order, plans
from burgrave.model.castle.resolution import pass_turn, resolve
from burgrave.model.castle.rewards import claims_of
from burgrave.model.claims import Claim, Turn, claimed
from burgrave.model.draws import drawn, unknown_tiles
from burgrave.model.laying import deployable
from burgrave.model.placement import Placement
from burgrave.model.position import Deployment, Move, Position
from burgrave.model.rule import Finding
from burgrave.model.rules.castle.completion import SINGLE, SQUARE, START
from burgrave.model.rules.castle.followers import COMPLETED
from burgrave.model.rules.castle.placement import NONE
from burgrave.model.rules.castle.scoring import ORDER
from burgrave.model.rules.castle.setup import TILES, TURN_ORDER
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN, HIDDEN, WHEN
from burgrave.model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE


def listed(placement: Placement, discards: tuple[str, ...]) -> Iterator[Move]:
    """Yield the legal moves with a tile on its cell: by follower, scoring plan, extra turns."""
    for deployments in deployable(placement):
        yield from turns(placement, discards, deployments)


def passes(position: Position, discards: tuple[str, ...]) -> Iterator[Move]:  # noqa: ARG001
    """Yield the one move of a turn for which no tile is left that has a place."""
    yield Move(discards=discards)


def draw(position: Position, move: Move) -> Iterator[Finding]:
    """Yield the faults of the tiles drawn in a move."""
    yield from TURN_ORDER(position, move)
    yield from NONE(position, move)
    yield from unknown_tiles(position.game, drawn(move), TILES)


def rest(position: Position, move: Move, placement: Placement | None) -> Iterator[Finding]:
    """Yield the faults of followers, order of scoring and wall tiles."""
    if move.ransoms or move.pieces or move.captures or move.guards:
        yield TURN_ORDER.finding("there are no tower pieces, guards or prisoners in this game")
    if placement is not None:
        yield from _broken_after(placement, move)
    elif move.tile is None:
        yield from WHEN(Turn(position=position, move=move, claims=()))
        yield from _not_taken(move, frozenset())
    yield from HIDDEN(position, move)


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
    claims = claims_of(placement, deployments)
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
        if declared := _must_declare(turn):
            turn = replace(turn, move=replace(move, declared=declared))
        if not any(True for law in book_of(position.game).wall_tiles for _ in law(turn)):
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


def _broken_after(placement: Placement, move: Move) -> Iterator[Finding]:
    """Yield the faults of followers, order of scoring and wall tiles."""
    position = placement.position
    for law in book_of(position.game).deployment:
        yield from law(placement, move.followers)
    claims = claims_of(placement, move.followers)
    turn = Turn(position=position, move=move, claims=claims)
    for wall_law in book_of(position.game).wall_tiles:
        yield from wall_law(turn)
    wrong = tuple(ORDER(position.to_move, claims, move.scoring, position.game.players))
    yield from wrong
    ends = () if wrong else tuple(outcomes(position, claims, move.scoring))
    if len(ends) == 1:
        yield from _not_taken(move, frozenset(take.tower for take in ends[0].takes))
    elif ends:
        orders = every_order(position, claims, move.scoring)
        takes = len({end.takes for end in ends}) > 1
        what = "which wall tiles are taken" if takes else "how many points are lost at a gate"
        yield ORDER.finding(
            f"the order of scoring decides {what} ({len(orders)} outcomes) and the move does not"
            " say it",
            (placement.tile.cell,),
        )


def _not_taken(move: Move, taken: frozenset[str]) -> Iterator[Finding]:
    """Yield a finding for every wall tile that a move turns over and nobody takes."""
    for tower, _ in move.reveals:
        if tower not in taken:
            yield HIDDEN.finding(f"no marker lands on tower {tower} this turn")


def notes(placement: Placement, move: Move) -> Iterator[Finding]:
    """Yield the rules by which the placement and the follower are allowed."""
    position, tile = placement.position, placement.tile
    for law in book_of(position.game).place_notes:
        yield from law(position, tile)
    yield from START(position.game, placement.after, tile)
    yield from SINGLE(placement)
    yield from SQUARE(position, tile)
    yield from COMPLETED(placement, move.followers)


def canonical(placement: Placement, move: Move) -> Move:
    """Return the canonical move: the first order of scoring with the same outcome."""
    target = resolve(placement, move).position
    claims = claims_of(placement, move.followers)
    doubled = _doubled(claims, move)
    for candidate in turns(placement, move.discards, move.followers):
        found = replace(candidate, declared=move.declared, reveals=move.reveals)
        # Of two towers of one size, doubling the one or the other leads to the same position.
        if _doubled(claims, found) == doubled and resolve(placement, found).position == target:
            return found
    return move


def _doubled(claims: Sequence[Claim], move: Move) -> dict[int | None, tuple[int, ...]]:
    """Return by claim the wall tiles that a move uses on it."""
    return {claimed(claims, step): step.wall_tiles for step in move.scoring if step.wall_tiles}


CONDUCT = Conduct(
    turns=listed,
    passes=passes,
    draw=draw,
    rest=rest,
    notes=notes,
    canonical=canonical,
    resolve=resolve,
    pass_turn=pass_turn,
    final=score_castle,
)
"""The turn of The Castle after the tile, and the end of its game."""
