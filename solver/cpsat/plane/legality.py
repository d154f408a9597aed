"""Where the tile may lie on a plane and where a follower may stand on it.

x[c,o]: the tile lies on cell c at rotation o. y[i]: a follower stands on its segment i.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from model.geometry import Cell
from model.rules.carcassonne.followers import ROLE, SUPPLY
from model.rules.carcassonne.placement import EDGE
from model.switches import FARMERS
from model.tiles import Kind
from solver.cpsat.board import Spot
from solver.cpsat.legality import Lie
from solver.cpsat.logic import Logic, no
from solver.cpsat.plane.board import Plane
from solver.cpsat.run import Literal


def lying(logic: Logic, plane: Plane) -> Lie:
    """Make the variables of the tile's place, with the rules of placement."""
    x: dict[Spot, Literal] = {}
    for spot in plane.spots():
        if logic.explain or plane.fits(spot):
            x[spot] = logic.decision(f"x{spot}")
    if logic.explain:
        for spot, law in plane.forbidden_spots():
            x[spot] = logic.decision(f"x{spot}")
            # law → ¬x[c,o]
            logic.clause(no(logic.law(law)), ~x[spot])
        for spot, literal in x.items():
            if not plane.fits(spot):
                # edge → ¬x[c,o]
                logic.clause(no(logic.law(EDGE)), ~literal)
    logic.model.add_exactly_one(x.values())
    by_cell: dict[Cell, list[Literal]] = defaultdict(list)
    for (cell, _), literal in x.items():
        by_cell[cell].append(literal)
    return Lie(x=x, at={cell: logic.any_of(literals) for cell, literals in by_cell.items()})


def standing(logic: Logic, plane: Plane, early: Mapping[int, Literal]) -> tuple[Literal, ...]:
    """Make the variables of the follower, y[i] for each segment i of the tile.

    That there is one action is said with the other actions, whether a feature is free where
    features are joined.
    """
    position = plane.position
    y = tuple(logic.decision(f"y{i}") for i in range(len(plane.kind.segments)))
    for literal, segment in zip(y, plane.kind.segments, strict=True):
        if position.players[position.to_move].supply < 1:
            # supply and y[i] → OR_c early[c]
            logic.clause(no(logic.law(SUPPLY)), ~literal, *early.values())
        if segment.kind is Kind.FIELD and position.game.value(FARMERS) == "off":
            # role → ¬y[i]
            logic.clause(no(logic.law(ROLE)), ~literal)
    return y
