"""The turns to come in Carcassonne: their variables, their value, and their moves.

A turn has ransom and one action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.expansions.tower.actions import ONE_ACTION
from burgrave.model.expansions.tower.prisoners import PRICE, choices, paid
from burgrave.model.geometry import Cell
from burgrave.model.position import Capture, Guard, Move, Position, Ransom
from burgrave.model.stage import Stage
from burgrave.model.switches import TIE
from burgrave.solver.cpsat.base.connectivity import Encoding
from burgrave.solver.cpsat.base.cp import (
    Expression,
    Lit,
    Logic,
    Reading,
    Term,
    chosen,
    no,
    weighted,
)
from burgrave.solver.cpsat.base.features import (
    Family,
    FeatureVars,
    Moves,
    Piece,
    deployed,
    feature_vars,
    gone_home,
    ranks_of,
    total,
)
from burgrave.solver.cpsat.base.instance import Instance, Spot
from burgrave.solver.cpsat.base.placement import PlacementVars, place_tiles
from burgrave.solver.cpsat.plane.features import cloisters, farms, roads_and_cities
from burgrave.solver.cpsat.plane.towers import Deals, PlaneTable, TowerPlace, in_custody, towering
from burgrave.solver.problem import Goal, Play, Problem
from burgrave.solver.result import CertificateError


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanePlay:
    """The turns to come as variables, without their value."""

    table: PlaneTable
    features: tuple[FeatureVars, ...]
    deals: Sequence[Deals]
    """By tile: the ransoms paid in its turn."""

    def in_play(self) -> list[Piece]:
        """Return the points of roads, cities and cloisters."""
        placement = self.table.placement
        return [*roads_and_cities(placement, self.features), *cloisters(placement, self.features)]

    @property
    def ransom(self) -> int:
        """The points of a ransom."""
        return book_of(self.table.instance.position.game).ransom

    def ransoms(self, player: int, before: int | None = None) -> list[Term]:
        """Return a player's net income from ransoms, before a turn; None for all turns."""
        return [
            (self.ransom * ((ransom.captor == player) - (mover == player)), literal)
            for deals in self.deals[:before]
            for (mover, ransom), literal in deals.items()
            if player in {mover, ransom.captor}
        ]

    def income(self, pieces: Sequence[Piece], by: int | None = None) -> list[list[Term]]:
        """Return each player's points from features and ransoms, and demand paid ransoms.

        Points are counted after the turn of tile ``by``; with None, at the end.
        """
        _solvent(self, pieces)
        return [
            [
                *total(self.table.logic, (one for one in pieces if one.player == player), by),
                *self.ransoms(player),
            ]
            for player in range(len(self.table.instance.position.players))
        ]


def _solvent(play: PlanePlay, pieces: Sequence[Piece]) -> None:
    """Demand that a player who buys a follower back has the points at that moment.

    price and deal → score now + Σ points in play before + income from ransoms before ≥ 3
    """
    logic = play.table.logic
    deals = [(t, *deal) for t, here in enumerate(play.deals) for deal in here.items()]
    for tile, (mover, ransom), literal in sorted(deals, key=lambda deal: deal[1][1].late):
        before = play.ransoms(mover, tile)
        score = play.table.instance.position.players[mover].score
        if score + sum(weight for weight, _ in before if weight < 0) >= play.ransom:
            continue
        mine = (one for one in pieces if one.player == mover)
        terms = [*before, *total(logic, mine, tile if ransom.late else tile - 1)]
        most = score + sum(max(weight, 0) for weight, _ in terms)
        paid = logic.all_of((logic.law(PRICE), literal))
        worth = score + weighted(terms)
        logic.within_if(paid, worth, play.ransom, max(most, play.ransom))


def _play(
    logic: Logic, instance: Instance, encoding: Encoding, problem: Problem | None
) -> PlanePlay:
    """Make the variables of turns to come with the rules of Carcassonne."""
    placement = place_tiles(logic, instance)
    alone = problem is not None and problem.play is Play.SOLITAIRE
    table = towering(placement, _moving(placement, alone=alone))
    for tile in range(len(instance.kinds)):
        _one_action(table, tile)
    shared = instance.position.game.value(TIE) != "none"
    features = feature_vars(table, encoding, table.freed(), shared=shared)
    home = gone_home(placement, features)
    return PlanePlay(table=table, features=features, deals=in_custody(table, home))


def _moving(placement: PlacementVars, *, alone: bool) -> Moves:
    """Return the player to move at each tile: the next player follows a tile that is laid.

    If the player to move is ``alone``, all turns are his.
    """
    logic, position = placement.logic, placement.instance.position
    number = len(position.players)
    row: tuple[Lit, ...] = tuple(player == position.to_move for player in range(number))
    moves = [row]
    for laid in placement.laid[:-1]:
        if not alone:
            both = ((row[player - 1], row[player]) for player in range(number))
            row = tuple(
                logic.any_of((logic.all_of((laid, before)), logic.all_of((no(laid), same))))
                for before, same in both
            )
        moves.append(row)
    return tuple(moves)


def _totals(play: PlanePlay) -> tuple[Expression, ...]:
    """Return the points of a single turn by player."""
    for (mover, ransom), literal in play.deals[0].items():
        score = play.table.instance.position.players[mover].score
        if ransom.late and score >= play.ransom:
            # A player who can pay before the action pays then; the position is the same.
            play.table.logic.clause(~literal)
    return tuple(map(weighted, play.income(play.in_play(), 0)))


def _value(play: PlanePlay, problem: Problem) -> Expression:
    """Return the asker's value at the end."""
    logic, players = play.table.logic, problem.position.players
    terms = play.income([*play.in_play(), *farms(play.table, play.features)])
    scores = [state.score + weighted(mine) for state, mine in zip(players, terms, strict=True)]
    value = scores[problem.asker]
    if problem.goal is Goal.LEAD and len(scores) > 1:
        most = sum(abs(w) for mine in terms for w, _ in mine)
        most += sum(state.score for state in players)
        value = logic.integer(-most, most, "lead")
        for player, theirs in enumerate(scores):
            if player != problem.asker:
                logic.model.add(value <= scores[problem.asker] - theirs)
    return value


def _one_action(table: PlaneTable, tile: int) -> None:
    """Demand at most one follower, guard or tower piece in a turn.

    An explanation may lift the rule; but it too has at most one piece of each sort.
    """
    logic, pieces = table.logic, list(table.pieces[tile].values())
    others = table.placing(tile)
    if not logic.explain:
        logic.model.add_at_most_one([*others, *pieces])
        return
    logic.model.add_at_most_one(others)
    logic.model.add_at_most_one(pieces)
    for piece, other in product(pieces, others):
        logic.demand(ONE_ACTION, ~piece, ~other)


class PlaneStep(NamedTuple):
    """The actions with a tile in its turn."""

    spot: Spot | None
    """Its place; None if it is not laid."""
    segment: int
    """The segment with its follower; -1 for none."""
    rank: Rank
    """The rank of the follower or guard; ordinary without one."""
    piece: TowerPlace | None
    guard: TowerPlace | None
    taken: int | None
    """The number of the follower captured."""
    back: Rank | None
    """The rank of the follower that comes home by an exchange, if ranks matter."""
    deal: tuple[int, Ransom] | None
    """The player who buys a follower back, and the ransom."""


PlanePlan = tuple[PlaneStep, ...]
"""By tile."""


def _step(play: PlanePlay, reading: Reading, tile: int) -> PlaneStep:
    """Read the step of one tile."""
    table = play.table
    return PlaneStep(
        spot=chosen(table.placement.x[tile], reading),
        segment=table.segment(reading, tile),
        rank=table.rank_of(reading, tile),
        piece=chosen(table.pieces[tile], reading),
        guard=chosen(table.guards[tile], reading),
        taken=chosen(table.takes[tile], reading),
        back=chosen(table.backs[tile], reading),
        deal=chosen(play.deals[tile], reading),
    )


def _word(
    play: PlanePlay, plan: PlanePlan, at: Position, tile: int, discards: tuple[str, ...]
) -> tuple[tuple[Any, ...], Move]:
    """Return the step of a tile as a move, with its place in the list of the rules engine."""
    step, instance = plan[tile], play.table.instance
    ranks = ranks_of(at.game)
    move = Move(
        discards=discards,
        ransoms=() if step.deal is None else (step.deal[1],),
        pieces=() if step.piece is None else (cell_of(plan, step.piece),),
        guards=() if step.guard is None else (Guard(cell_of(plan, step.guard), step.rank),),
    )
    if step.taken is not None:
        early = [ransom for ransom in move.ransoms if not ransom.late]
        stage = Stage(position=paid(at, early), placement=None)
        taken = _capture(play, plan, step.taken)
        several = len(choices(stage, taken)) > 1
        move = replace(move, captures=(taken._replace(back=step.back if several else None),))
    if step.spot is not None:
        kind, (cell, rotation) = instance.kinds[tile], step.spot
        followers = deployed(instance.position, kind, step.spot, step.segment, step.rank)
        move = replace(move, tile=kind.id, cell=cell, rotation=rotation, followers=followers)
    action: tuple[Any, ...] = (0,)
    if step.segment >= 0:
        action = (1, step.segment, ranks.index(step.rank))
    elif move.guards:
        action = (2, move.guards[0].cell, 1, ranks.index(step.rank))
    elif move.pieces:
        back = [capture.back or "" for capture in move.captures]
        action = (2, move.pieces[0], 0, -1 if step.taken is None else step.taken, *back)
    bought = {ransom.late: (ransom.captor, ransom.rank) for ransom in move.ransoms}
    return (step.spot or (), bought.get(False, ()), action, bought.get(True, ())), move


def cell_of(plan: PlanePlan, place: TowerPlace) -> Cell:
    """Return the cell of a place; a ``CertificateError`` if it is a tile that is not laid."""
    if isinstance(place, Cell):
        return place
    spot = plan[place].spot
    if spot is None:
        raise CertificateError(f"tile {place} is said to be used, but is not laid")
    return spot[0]


def _capture(play: PlanePlay, plan: PlanePlan, unit: int) -> Capture:
    """Return the capture of a follower or guard."""
    table = play.table
    followers = table.instance.position.followers
    if unit < len(followers):
        return Capture(*followers[unit].node)
    for cell, guard in table.guarded.items():
        if guard == unit:
            return Capture(cell_of(plan, cell), None)
    tile = unit - len(followers)
    place = plan[tile].guard
    if place is not None:
        return Capture(cell_of(plan, place), None)
    return Capture(cell_of(plan, tile), plan[tile].segment)


PLANE = Family(
    play=_play, totals=_totals, value=_value, step=_step, word=_word, acts_without_tile=True
)
