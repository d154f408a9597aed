"""Whom a tower takes prisoner."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.expansions.tower.actions import TOWER_RULES
from burgrave.model.expansions.tower.switches import CAPTURE_OPTIONAL, CAPTURE_OWN, GUARD_CAPTURABLE
from burgrave.model.expansions.tower.towers import near, raised, taken_by
from burgrave.model.position import Capture, Move
from burgrave.model.rule import Finding, rule
from burgrave.model.stage import Stage

_SECTION = f"{TOWER_RULES}, 'Place a tower piece and take a prisoner'"


@rule("tower.capture.one", _SECTION)
def ONE_CAPTURE(stage: Stage, move: Move) -> Iterator[Finding]:  # noqa: ARG001
    """A player who places a tower piece may at once take one follower prisoner, no more.

    Only the tower just raised takes prisoners, and only in the turn in which it is raised.

    Passes: one of two followers on one tile is taken.
    Fails: both are taken, or one without placing a piece.
    """
    cells = tuple(capture.cell for capture in move.captures)
    if len(move.captures) > 1:
        yield ONE_CAPTURE.finding(f"{len(move.captures)} followers are taken in one turn", cells)
    if move.captures and not move.pieces:
        yield ONE_CAPTURE.finding("no tower piece is placed, so nobody is taken prisoner", cells)


@rule("tower.capture.reach", _SECTION)
def REACH(stage: Stage, move: Move) -> Iterator[Finding]:
    """A tower of n pieces reaches its own tile and n tiles in each of the four directions.

    Reach extends over empty cells and other towers of any height, never diagonally. The follower's
    tile counts, not the extent of his feature. Farmers and
    monks are taken like all others.

    Passes: a second piece, a farmer two tiles to the east across an empty cell.
    Fails: a second piece, a knight on the tile to the north-east, or three tiles away.
    """
    for capture in move.captures:
        if taken_by(stage, capture) is None:
            what = "guard" if capture.segment is None else "follower"
            yield REACH.finding(f"no {what} stands there on {capture.cell}", (capture.cell,))
            continue
        for cell in move.pieces:
            tower = raised(stage, cell)
            if not tower.reaches(capture.cell):
                yield REACH.finding(
                    f"{capture.cell} is not in reach of the tower on {cell}, which is now"
                    f" {tower.height} high",
                    (capture.cell, cell),
                )


@rule("tower.capture.opponent", _SECTION, CAPTURE_OWN)
def OPPONENT(stage: Stage, move: Move) -> Iterator[Finding]:
    """Only opponents' followers are taken prisoner.

    With the switch ``capture_own`` a player may take back a follower of his own to the supply.

    Passes: an opponent's follower in reach.
    Fails: a follower of the player's own in reach.
    """
    if stage.position.game.value(CAPTURE_OWN) == "on":
        return
    for capture in move.captures:
        taken = taken_by(stage, capture)
        if taken is not None and taken.owner == stage.position.to_move:
            yield OPPONENT.finding(
                f"the follower on {capture.cell} is {stage.mover_name}'s own", (capture.cell,)
            )


@rule("tower.capture.guard", _SECTION, GUARD_CAPTURABLE)
def GUARD(stage: Stage, move: Move) -> Iterator[Finding]:
    """A follower on a tower cannot be taken prisoner.

    With the switch ``guard_capturable`` he can, from another tower in reach.

    Passes: a knight beside the tower with the guard.
    Fails: the guard himself.
    """
    if stage.position.game.value(GUARD_CAPTURABLE) == "on":
        return
    for capture in move.captures:
        if capture.segment is None:
            yield GUARD.finding(
                f"the follower on the tower on {capture.cell} stays to the end", (capture.cell,)
            )


@rule("tower.capture.must", _SECTION, CAPTURE_OPTIONAL)
def MUST(stage: Stage, move: Move) -> Iterator[Finding]:
    """A player may leave everybody in reach alone.

    With the switch ``capture_optional`` off a follower must be taken if one can be.

    Passes: a tower piece without a prisoner.
    Fails: nothing, unless the switch is off.
    """
    if stage.position.game.value(CAPTURE_OPTIONAL) == "on" or move.captures:
        return
    for cell in move.pieces:
        for capture in targets(stage, move):
            yield MUST.finding(
                f"the tower on {cell} reaches a follower on {capture.cell}", (cell, capture.cell)
            )
            return


def targets(stage: Stage, move: Move) -> Iterator[Capture]:
    """Yield every follower that the tower raised in a move may take."""
    laws = (REACH, OPPONENT, GUARD)
    for cell in move.pieces:
        for capture in near(stage, cell):
            taking = Move(pieces=(cell,), captures=(capture,))
            if not any(True for law in laws for _ in law(stage, taking)):
                yield capture


CAPTURE = (ONE_CAPTURE, REACH, OPPONENT, GUARD, MUST)
"""The rules that can forbid taking a prisoner."""
