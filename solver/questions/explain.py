"""Why something is out of reach for the rest of the game."""

from __future__ import annotations

from dataclasses import dataclass

from model.components import Node
from model.errors import QuestionError
from model.position import Position
from model.rule import Rule
from solver.limits import NO_LIMIT, Limits
from solver.problem import Goal, Play, Problem, TileOrder
from solver.progress import SILENT, Reporter
from solver.questions.circumstances import of_feature, of_score, of_turn
from solver.questions.preconditions import admit, unfinished_feature
from solver.questions.turn import tile_in_hand, why_not
from solver.wishes import Wish

TWICE = "that nothing is possible under these rules is proved by two solves, one with presolve off"
IN_EACH_ORDER = f"{TWICE}, in each order of the bag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Why something cannot be."""

    rules: tuple[Rule[..., object], ...]
    """Rules that forbid it together, by id; none of them could be left out. Empty if the
    facts alone do."""
    facts: tuple[str, ...] = ()
    """What is given, one sentence each: cells, tiles, followers."""
    confirmed: tuple[str, ...] = (TWICE,)
    """What was confirmed, and by what, one sentence each."""


def why_turn(
    position: Position, wish: Wish, *, tile: str | None = None, budget: Limits = NO_LIMIT
) -> Reasons | None:
    """Return why something cannot be done in this turn.

    Args:
        position: the position before the turn.
        wish: what somebody would like to do.
        tile: the tile to be laid, whether or not it is the next; by default the next one.
        budget: the time and the conflicts allowed.

    Returns:
        The reasons, or None if the wish can be fulfilled.

    Raises:
        QuestionError: as for ``why_not``.
        OutOfTimeError: the time or the conflicts are used up.

    """
    rules = why_not(position, wish, tile=tile, budget=budget)
    if rules is None:
        return None
    kind = position.game.tile_set.kind(tile_in_hand(position, tile))
    return Reasons(rules=rules, facts=tuple(of_turn(position, kind, wish)))


def why_unfinished(position: Position, node: Node, *, budget: Limits = NO_LIMIT) -> Reasons | None:
    """Return why a feature cannot be completed with the tiles to come.

    Args:
        position: the position; tiles in the bag may come in the best order.
        node: any segment of the feature.
        budget: the time and the conflicts allowed.

    Returns:
        The reasons, or None if some play in some order completes it.

    Raises:
        QuestionError: there is no such segment; the feature is complete, or a court or field,
            which are never completed.
        OutOfTimeError: the time or the conflicts are used up.

    """
    from solver.cpsat.explain import needs, unfinished  # noqa: PLC0415 -- loads CP-SAT

    feature = unfinished_feature(position, node)
    cells = sorted(needs(position, feature))
    if not cells:
        raise QuestionError(f"the {feature} at {node.cell} has no open side: nothing is missing")
    rules = unfinished(position, feature, budget.start())
    if rules is None:
        return None
    return Reasons(rules=rules, facts=tuple(of_feature(position, feature, cells)))


def why_out_of_reach(
    position: Position,
    score: int,
    *,
    asker: int | None = None,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Reasons | None:
    """Return why no play, with all help, brings a player a final score.

    Args:
        position: the position; tiles in the bag may come in the best order, and face-down wall
            tiles may be the best of those that have not been seen.
        score: the final score.
        asker: the player; the one to move by default.
        budget: the time and the conflicts allowed.
        reporter: hears in how many orders of the bag it is impossible.

    Returns:
        The reasons, or None if some play brings him at least so much.

    Raises:
        QuestionError: a wall tile in hand has no number; no tile lies there.
        OutOfTimeError: the time or the conflicts are used up.

    """
    from solver.cpsat.explain import out_of_reach  # noqa: PLC0415 -- loads CP-SAT

    problem = Problem(
        position=position,
        asker=position.to_move if asker is None else asker,
        goal=Goal.POINTS,
        play=Play.HELPED,
        order=TileOrder.CHOOSE,
    )
    admit(problem)
    if position.game.board.endless and not position.tiles:
        raise QuestionError("why a score is out of reach is not told of an empty table")
    rules = out_of_reach(problem, score, budget.start(), reporter)
    if rules is None:
        return None
    each = len(set(position.bag)) > 1
    return Reasons(
        rules=rules,
        facts=tuple(of_score(position, problem.asker)),
        confirmed=(IN_EACH_ORDER if each else TWICE,),
    )
