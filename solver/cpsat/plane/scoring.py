"""What the tile completes on a plane, what it is worth, and who takes it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.components import Node
from model.geometry import Cell, ring
from model.rules.carcassonne.scoring import SMALL
from model.switches import COUNT_BY, SMALL_CITY
from model.tiles import Kind, Mark
from solver.cpsat.connectivity import Joins
from solver.cpsat.legality import Lie
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.plane.actions import Actions
from solver.cpsat.plane.board import Plane
from solver.cpsat.plane.majority import Term, leaders
from solver.cpsat.run import Expression, Literal

CLOISTER = 9
"""Points of a completed cloister."""
Terms = list[Term]
"""Σ weight · literal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The parts of the model from which scoring follows."""

    logic: Logic
    plane: Plane
    lie: Lie
    joins: Joins
    y: Sequence[Literal]
    actions: Actions

    def followers(self, members: Mapping[int, Lit], segments: Mapping[int, Lit]) -> list[Terms]:
        """Return how many followers each player has on a feature after the action.

        Σ_n strength(n) · member(n) - Σ_t take[t] and member(n of t) + Σ_j same[j] and y[j]
        """
        position = self.plane.position
        found: list[Terms] = [[] for _ in position.players]
        for n, literal in members.items():
            feature = self.plane.components[n].feature
            for player, terms in enumerate(found):
                terms.append((feature.strength(player), literal))
            for target, take in self.actions.takes.items():
                if target.segment is not None and Node(*target) in feature.nodes:  # type: ignore[arg-type]
                    lost = self.logic.all_of((literal, take))
                    found[self.actions.owners[target]].append((-1, lost))
        for j, one in segments.items():
            found[position.to_move].append((1, self.logic.all_of((one, self.y[j]))))
        return found

    def winners(self, complete: Lit, followers: Sequence[Terms]) -> list[Lit]:
        """Return who takes a feature: the most followers, at least one, and it is complete."""
        won = leaders(self.logic, self.plane.position.game, followers)
        return [self.logic.all_of((complete, one)) for one in won]


def scoring(turn: Turn) -> tuple[Expression, ...]:
    """Return the points that each player wins by what the tile completes."""
    totals: list[Expression] = [0] * len(turn.plane.position.players)
    for i, segment in enumerate(turn.plane.kind.segments):
        if segment.kind is Kind.CLOISTER:
            gains = _own_cloister(turn, i)
        elif segment.kind is Kind.FIELD:
            continue
        else:
            gains = _grown(turn, i)
        totals = [total + gain for total, gain in zip(totals, gains, strict=True)]
    for n, component in enumerate(turn.plane.components):
        if component.feature.kind is Kind.CLOISTER and component.only is not None:
            complete = turn.lie.at.get(component.only, False)
            wins = turn.winners(complete, turn.followers({n: True}, {}))
            totals = [total + CLOISTER * won for total, won in zip(totals, wins, strict=True)]
    return tuple(totals)


def _own_cloister(turn: Turn, i: int) -> list[Expression]:
    """Return what the cloister of the tile brings, if its ring is full at once."""
    full = turn.logic.any_of(
        literal for cell, literal in turn.lie.at.items() if ring(cell) <= turn.plane.filled
    )
    wins = turn.winners(full, turn.followers({}, {i: True}))
    return [CLOISTER * won for won in wins]


def _grown(turn: Turn, i: int) -> list[Expression]:
    """Return what the road or city of a segment of the tile brings to each player.

    It is complete iff none of its segments on the tile faces an empty cell and no component
    in it needs another cell than the tile's; it is counted at its first segment.
    """
    logic, plane = turn.logic, turn.plane
    swallowed, segments = turn.joins.swallowed(i), turn.joins.with_segments(i)
    members = {n: lit for n, lit in swallowed.items() if plane.components[n].only is not None}
    obstacles = [lit for n, lit in swallowed.items() if n not in members]
    obstacles += [one for j, one in segments.items() if j < i]
    for j, one in segments.items():
        looking = (x for spot, x in turn.lie.x.items() if plane.faces_empty(j, spot))
        obstacles.append(logic.all_of((one, logic.any_of(looking))))
    complete = no(logic.any_of(obstacles))
    wins = turn.winners(complete, turn.followers(members, segments))
    if plane.kind.segments[i].kind is Kind.ROAD:
        tiles = _counted(turn, members, segments)
        return [_points(logic, won, tiles, 1, _most(turn, members)) for won in wins]
    return _city(turn, wins, members, segments)


def _city(
    turn: Turn, wins: Sequence[Lit], members: Mapping[int, Lit], segments: Mapping[int, Lit]
) -> list[Expression]:
    """Return what a completed city brings: 2 a tile and shield, or 1 if it is a small one."""
    logic, plane = turn.logic, turn.plane
    shields = weighted(
        [
            *((plane.components[n].feature.count(Mark.SHIELD), lit) for n, lit in members.items()),
            *(
                (plane.kind.segments[j].marks.count(Mark.SHIELD), lit)
                for j, lit in segments.items()
            ),
        ]
    )
    counted = _counted(turn, members, segments) + shields
    most = _most(turn, members)
    if plane.position.game.value(SMALL_CITY) != "2":
        return [_points(logic, won, counted, 2, most) for won in wins]
    small = logic.within(_tiles(turn, members), SMALL, SMALL)
    return [
        _points(logic, logic.all_of((won, small)), counted, 1, most)
        + _points(logic, logic.all_of((won, no(small))), counted, 2, most)
        for won in wins
    ]


def _points(logic: Logic, won: Lit, counted: Expression, factor: int, most: int) -> Expression:
    """Return factor · counted if it is won, and else 0."""
    if won is False:
        return 0
    points = logic.integer(0, factor * most, "")
    logic.equal_if([won], points, factor * counted)
    logic.equal_if([no(won)], points, 0)
    return points


def _most(turn: Turn, members: Mapping[int, Lit]) -> int:
    """Return a number that tiles, or segments, and shields of a feature do not exceed."""
    features = [turn.plane.components[n].feature for n in members]
    own = sum(1 + len(segment.marks) for segment in turn.plane.kind.segments)
    return own + sum(len(f.nodes) + f.count(Mark.SHIELD) for f in features)


def _counted(turn: Turn, members: Mapping[int, Lit], segments: Mapping[int, Lit]) -> Expression:
    """Return the tiles of a feature, or by the switch its segments."""
    if turn.plane.position.game.value(COUNT_BY) == "tile":
        return _tiles(turn, members)
    sizes = {n: len(turn.plane.components[n].feature.nodes) for n in members}
    return weighted(
        [*((sizes[n], lit) for n, lit in members.items()), *((1, one) for one in segments.values())]
    )


def _tiles(turn: Turn, members: Mapping[int, Lit]) -> Expression:
    """Return the tiles of a feature, the new one included, each once.

    Tiles that belong to the same components go together.
    """
    owners: dict[Cell, set[int]] = defaultdict(set)
    for n in members:
        for cell in turn.plane.components[n].feature.cells:
            owners[cell].add(n)
    together: dict[frozenset[int], int] = defaultdict(int)
    for holders in owners.values():
        together[frozenset(holders)] += 1
    return 1 + weighted(
        (tiles, turn.logic.any_of(members[n] for n in holders))
        for holders, tiles in together.items()
    )
