"""What is out of reach, and why; and with how few tiles a feature can be completed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burgrave.model.components import Node
from burgrave.model.draws import draws
from burgrave.model.errors import QuestionError
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.laying import complete
from burgrave.model.places import places
from burgrave.model.position import Move, Position
from burgrave.model.rule import Rule
from burgrave.solver.engines import plays
from burgrave.solver.limits import NO_LIMIT, SILENT, Clock, Limits, Reporter
from burgrave.solver.problem import Goal, Play, TileOrder, pose
from burgrave.solver.questions.preconditions import (
    admit,
    refuse_bag,
    refuse_unexplained,
    unfinished_feature,
)

TWICE = "that nothing is possible under these rules is proved by two solves, one with presolve off"
IN_EACH_ORDER = f"{TWICE}, in each order of the bag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Reasons why a wish cannot be fulfilled."""

    rules: tuple[Rule[..., object], ...]
    """Rules that forbid it together, by id; none of them could be left out. Empty if the
    position alone does."""
    cells: tuple[Cell, ...] = ()
    """The empty cells that a feature needs at least."""
    confirmed: tuple[str, ...] = (TWICE,)
    """The confirmations with their means, one sentence each."""


def why_unfinished(position: Position, node: Node, *, budget: Limits = NO_LIMIT) -> Reasons | None:
    """Return the reasons why a feature, named by a segment, cannot be completed; None if it can.

    Tiles in the bag may come in the best order. The budget limits the time and the conflicts.

    Raises:
        QuestionError: there is no such segment; the feature is complete, or a court or field,
            which are never completed.
        OutOfTimeError: the time or the conflicts are used up.

    """
    from burgrave.solver.cpsat.base.instance import needed  # noqa: PLC0415 -- loads CP-SAT
    from burgrave.solver.cpsat.explain import unfinished  # noqa: PLC0415 -- loads CP-SAT

    feature = unfinished_feature(position, node)
    cells = tuple(sorted(needed(position, feature)))
    if not cells:
        raise QuestionError(f"the {feature} at {node.cell} has no open side: nothing is missing")
    refuse_unexplained(position.game)
    rules = unfinished(position, feature, budget.start())
    return None if rules is None else Reasons(rules=rules, cells=cells)


def why_out_of_reach(
    position: Position,
    score: int,
    *,
    asker: int | None = None,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Reasons | None:
    """Return the reasons why no play reaches a player's final score; None if some play does.

    All players help. Tiles in the bag come in the best order, and face-down wall tiles are the best
    of those not yet seen. The asker is the one to move by default. The budget limits the time and
    the conflicts; ``reporter`` hears in how many orders of the bag it is impossible.

    Raises:
        QuestionError: a wall tile in hand has no number; no tile lies there.
        OutOfTimeError: the time or the conflicts are used up.

    """
    from burgrave.solver.cpsat.explain import out_of_reach  # noqa: PLC0415 -- loads CP-SAT

    problem = pose(position, Goal.POINTS, Play.HELPED, TileOrder.CHOOSE, asker)
    admit(problem)
    if not (position.tiles or position.game.board.starts):
        raise QuestionError("why a score is out of reach is not told of an empty table")
    refuse_unexplained(position.game)
    rules = out_of_reach(problem, score, budget.start(), reporter)
    if rules is None:
        return None
    each = len(set(position.bag)) > 1
    return Reasons(rules=rules, confirmed=(IN_EACH_ORDER if each else TWICE,))


SOONEST_ENGINES = ("layings", "cpsat")
"""The engines that answer: every way to lay the tiles, and a constraint model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Soonest:
    """The fewest tiles with which a feature can be completed."""

    tiles: int | None
    """Tiles drawn from now on, those without a place too; None if all are not enough."""
    line: tuple[Move, ...] = ()
    """Tiles laid without followers that complete it; none from an engine that shows none."""
    engine: str


def soonest(
    position: Position, node: Node, *, engine: str | None = None, budget: Limits = NO_LIMIT
) -> Soonest:
    """Return the fewest tiles with which both players together can complete a feature.

    The feature is named by any segment, the engine by one of ``SOONEST_ENGINES``. The budget limits
    the time and the number of layings.

    Raises:
        QuestionError: there is no such segment, the order of the tiles is not known, or the
            engine does not play the game.
        OutOfTimeError: the budget was not enough.

    """
    feature = unfinished_feature(position, node)
    refuse_bag(position)
    name = engine or SOONEST_ENGINES[0]
    if name not in soonest_engines(position):
        raise QuestionError(
            f"the engine {name} does not tell when a feature can be completed in"
            f" {position.game.id}; {' and '.join(soonest_engines(position))} can"
        )
    watch = budget.start()
    for tiles in range(1, len(position.order) + 1):
        if name == "layings":
            line = _layings(position, node, tiles, watch)
        else:
            from burgrave.solver.cpsat.explain import unfinished  # noqa: PLC0415 -- loads CP-SAT

            begun = replace(position, order=position.order[:tiles])
            line = () if unfinished(begun, feature, watch) is None else None
        if line is not None:
            return Soonest(tiles=tiles, line=line, engine=name)
    return Soonest(tiles=None, engine=name)


def soonest_engines(position: Position) -> tuple[str, ...]:
    """Return the engines that can tell it in a game."""
    return tuple(e for e in SOONEST_ENGINES if e == "layings" or plays(e, position.game))


def _layings(position: Position, node: Node, most: int, watch: Clock) -> tuple[Move, ...] | None:
    """Return layings of ``most`` tiles or fewer that complete the feature of a node, if any."""
    for draw in draws(position):
        left = most - len(draw.discards) - 1
        if draw.tile is None or left < 0:
            return None
        rest = position.order[len(draw.discards) + 1 :]
        for laid in places(position, draw.tile):
            watch.tick()
            tiles = tuple(sorted((*position.tiles, laid), key=lambda tile: tile.cell))
            after = replace(position, tiles=tiles, order=rest)
            feature = position_features(after).at(node)
            move = Move(
                discards=draw.discards, tile=laid.kind.id, cell=laid.cell, rotation=laid.rotation
            )
            if complete(after, feature, after.laid()):
                return (move,)
            # A tile fills one cell, and every cell that the feature faces must be filled.
            if left and len(feature.empty_cells()) <= left:
                more = _layings(after, node, left, watch)
                if more is not None:
                    return (move, *more)
    return None
