"""With how few of the tiles to come a feature can be completed, both players helping."""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.components import Node
from model.draws import draws
from model.errors import QuestionError
from model.features import Feature, position_features
from model.laying import complete
from model.places import places
from model.position import Move, Position
from solver.engines import plays
from solver.limits import NO_LIMIT, Clock, Limits
from solver.questions.preconditions import refuse_bag, unfinished_feature

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

    Args:
        position: a position whose tiles to come are all in known order.
        node: any segment of the feature.
        engine: ``layings`` or ``cpsat``; None for the first.
        budget: the time and the number of layings allowed.

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
    if name == "cpsat":
        return _by_constraints(position, feature, watch)
    for tiles in range(1, len(position.order) + 1):
        line = _layings(position, node, tiles, watch)
        if line is not None:
            return Soonest(tiles=tiles, line=line, engine=name)
    return Soonest(tiles=None, engine=name)


def soonest_engines(position: Position) -> tuple[str, ...]:
    """Return the engines that can tell it in a game."""
    return tuple(e for e in SOONEST_ENGINES if e == "layings" or plays(e, position.game))


def _by_constraints(position: Position, feature: Feature, watch: Clock) -> Soonest:
    """Return the length of the shortest beginning of the order that is enough."""
    from solver.cpsat.explain import unfinished  # noqa: PLC0415 -- loads CP-SAT

    for tiles in range(1, len(position.order) + 1):
        begun = replace(position, order=position.order[:tiles])
        if unfinished(begun, feature, watch) is None:
            return Soonest(tiles=tiles, engine="cpsat")
    return Soonest(tiles=None, engine="cpsat")


def _layings(position: Position, node: Node, most: int, watch: Clock) -> tuple[Move, ...] | None:
    """Return layings of some tiles that complete a feature, if there are any.

    Args:
        position: the position.
        node: a segment of the feature.
        most: tiles that may be drawn.
        watch: the time.

    """
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
