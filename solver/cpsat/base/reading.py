"""Turn the steps of a solution into moves, which the rules engine replays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from model.book import book_of
from model.components import Rank
from model.engine import play
from model.errors import IllegalMoveError
from model.final import final_scoring
from model.notation import write_move
from model.position import Deployment, Move, Position
from model.tiles import TileKind
from solver.certificates import CertificateError
from solver.cpsat.base.cp import Literal, Reading
from solver.cpsat.base.instance import Instance, Spot
from solver.cpsat.base.logic import chosen
from solver.problem import Problem


class Step(Protocol):
    """The actions with one tile in a solution."""

    @property
    def spot(self) -> Spot | None:
        """Its place; None if it is not laid."""


MoveOf: TypeAlias = Callable[[Position, int, tuple[str, ...]], Move]
"""From a position, a tile and the tiles without a place before it: the move of its turn."""


def replayed(
    problem: Problem, kinds: Sequence[TileKind], plan: Sequence[Step], move_of: MoveOf
) -> tuple[tuple[Move, ...], int]:
    """Replay a plan; return its moves and the value of their end.

    Args:
        problem: the question.
        kinds: the tiles to come.
        plan: a step for each tile.
        move_of: makes the moves; also that of a last turn without a tile.

    Raises:
        CertificateError: the rules engine forbids a move, or the line ends too early.

    """
    at, line = problem.position, []
    gone: list[str] = []
    for tile, step in enumerate(plan):
        if step.spot is None:
            gone.append(kinds[tile].id)
        if step.spot is not None or tile == len(plan) - 1:
            line.append(move_of(at, tile, tuple(gone)))
            at, gone = problem.begin(_played(at, line[-1])), []
    if not at.over:
        raise CertificateError(f"a line of {len(plan)} tiles leaves {len(at.order)} to draw")
    return tuple(line), problem.worth(*final_scoring(at).scores)


def _played(at: Position, move: Move) -> Position:
    """Play a move through the rules engine."""
    try:
        return play(at, move).position
    except IllegalMoveError as error:
        text = write_move(at, move)
        raise CertificateError(f"{text} is said to be legal, but: {error}") from error


def segment_of(instance: Instance, on: Mapping[int, Literal], reading: Reading, tile: int) -> int:
    """Return the segment of a tile with its follower in a solution; -1 for none."""
    here = {part.segment: on[part.number] for part in instance.new_of(tile) if part.number in on}
    segment = chosen(here, reading)
    return -1 if segment is None else segment


def deployed(
    at: Position, kind: TileKind, spot: Spot, segment: int, rank: Rank = Rank.FOLLOWER
) -> tuple[Deployment, ...]:
    """Return the follower that is placed on a segment of a tile; none for -1."""
    if segment < 0:
        return ()
    role = book_of(at.game).roles[kind.segments[segment].kind]
    return (Deployment(spot[0], segment, role, rank),)
