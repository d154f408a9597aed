"""One turn as a CP-SAT model, built from the board without the reference's move generator.

Every solution is a whole turn: place, rotation, follower, wall tiles, order of scoring,
wall tiles taken. Its value is the points of the turn; final scoring has no part in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from model.book import book_of
from model.components import Node, Rank
from model.draws import Draw
from model.geometry import Cell
from model.position import Deployment, Move, Position, ScoreStep
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE
from solver.answers import Objective
from solver.cpsat.board import Ground, survey
from solver.cpsat.completion import completing
from solver.cpsat.connectivity import Joins, free_features, joining
from solver.cpsat.legality import Lie, Standing, lying, not_scored, standing
from solver.cpsat.logic import Lit, Logic
from solver.cpsat.markers import Track, tracking
from solver.cpsat.run import Expression, Reading
from solver.cpsat.scoring import Unit, units
from solver.cpsat.wall_tiles import Bonuses, bonuses
from solver.engines import Found


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnModel:
    """A turn as variables, with what they stand for."""

    logic: Logic
    ground: Ground
    discards: tuple[str, ...]
    lie: Lie
    standing: Standing
    joins: Joins
    units: tuple[Unit, ...]
    bonuses: Bonuses
    track: Track

    def value(self, objective: Objective) -> Expression:
        """Return what the turn is worth to the mover."""
        mover = self.ground.position.to_move
        mine, theirs = self.track.totals[mover], self.track.totals[1 - mover]
        return mine if objective is Objective.POINTS else mine - theirs

    @property
    def entangled(self) -> bool:
        """Whether orders of one plan differ in points, so that all are needed to name one."""
        return bool(self.track.stops)

    def read(self, reading: Reading) -> Solution:
        """Read a solution off the variables."""
        return read_solution(self, reading)

    def found(self, solutions: Iterable[Solution]) -> list[Found]:
        """Return the moves that solutions stand for, as the reference engine would list them."""
        return moves(self, solutions)

    def shown(self, solution: Solution) -> Found:
        """Return one solution as a move that names the whole order of scoring."""
        return in_order(self, solution)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A feature scored in a solution."""

    first: Node
    """Its first segment, start spaces included: features go by it."""
    anchor: Node
    """Its first segment inside the wall, by which moves name it."""
    winner: int
    numbers: tuple[int, ...]
    """The wall tiles used on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A turn as the model has it."""

    cell: Cell
    rotation: int
    segment: int
    """The segment with the new follower; -1 for none."""
    rank: Rank
    """What he is; an ordinary follower if there is none."""
    scored: tuple[Scored, ...]
    """In the order of scoring."""
    extra: int
    outcome: tuple[tuple[int, ...], tuple[tuple[str, int], ...], tuple[bool, ...]]
    """Points by player, who takes the wall tiles of which towers, whose marker is at a gate."""

    @property
    def plan(self) -> tuple[Cell, int, int, Rank, tuple[Scored, ...], int]:
        """What the mover decides, but for the order of scoring."""
        features = tuple(sorted(self.scored, key=lambda scored: scored.first))
        return self.cell, self.rotation, self.segment, self.rank, features, self.extra


def turn_model(position: Position, draw: Draw, *, explain: bool = False) -> TurnModel:
    """Build the model of a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it.
        explain: whether rules become literals that can be assumed.

    Raises:
        ValueError: the draw lays no tile.

    """
    if draw.tile is None:
        raise ValueError("a turn without a tile has no model")
    kind = position.game.tile_set.kind(draw.tile)
    ground = survey(position, kind, len(draw.discards) + 1)
    logic = Logic(explain=explain)
    lie = lying(logic, ground)
    new = standing(logic, ground)
    joins = joining(logic, ground, lie)
    free_features(logic, ground, joins, new.y)
    done = completing(logic, ground, lie, joins)
    not_scored(logic, new, done.grown, joins.same)
    found = units(logic, ground, joins, done, new.y)
    wall = bonuses(logic, ground, found)
    return TurnModel(
        logic=logic,
        ground=ground,
        discards=draw.discards,
        lie=lie,
        standing=new,
        joins=joins,
        units=found,
        bonuses=wall,
        track=tracking(logic, ground, found, wall.gains),
    )


def read_solution(turn: TurnModel, reading: Reading) -> Solution:
    """Read a solution off the variables."""
    cell, rotation = next(spot for spot, literal in turn.lie.x.items() if reading(literal))
    new = turn.standing
    segment = next((i for i, literal in enumerate(new.y) if reading(literal)), -1)
    ranks = (rank for rank, literal in new.ranks.items() if reading(literal))
    takes = (key for key, literal in turn.track.takes.items() if _true(literal, reading))
    return Solution(
        cell=cell,
        rotation=rotation,
        segment=segment,
        rank=next(ranks, Rank.FOLLOWER),
        scored=tuple(_scored(turn, reading, cell, u) for u in _order(turn, reading)),
        extra=reading(turn.bonuses.extra),
        outcome=(
            tuple(map(reading, turn.track.totals)),
            tuple(sorted(takes)),
            tuple(_true(literal, reading) for literal in turn.track.at_gate),
        ),
    )


def _true(literal: Lit, reading: Reading) -> bool:
    """Return the truth value of a literal in a solution."""
    return literal if isinstance(literal, bool) else bool(reading(literal))


def _order(turn: TurnModel, reading: Reading) -> list[int]:
    """Return the units scored, in order; where none is decided, mover first, then as built."""
    ranks = {u: t for (t, u), literal in turn.track.picks.items() if _true(literal, reading)}
    if turn.track.picks:
        return sorted(ranks, key=lambda u: ranks[u])
    mover = turn.ground.position.to_move
    return [
        u
        for player in (mover, 1 - mover)
        for u, unit in enumerate(turn.units)
        if _true(unit.wins[player], reading)
    ]


def _scored(turn: TurnModel, reading: Reading, cell: Cell, u: int) -> Scored:
    """Return a unit as the feature that it is in a solution."""
    unit, gain = turn.units[u], turn.bonuses.gains[u]
    nodes: list[Node] = []
    start_cells: set[Cell] = set()
    for n, literal in unit.components.items():
        if _true(literal, reading):
            feature = turn.ground.components[n].feature
            nodes += feature.nodes
            start_cells |= feature.start_cells
    if unit.segment is not None:
        same = turn.joins.with_segments(unit.segment)
        nodes += [Node(cell, j) for j, literal in same.items() if _true(literal, reading)]
    numbers = [
        number
        for (_, number, count), use in gain.uses.items()
        if _true(use, reading)
        for _ in range(count)
    ]
    return Scored(
        first=min(nodes),
        anchor=min(node for node in nodes if node.cell not in start_cells),
        winner=next(p for p, won in enumerate(unit.wins) if _true(won, reading)),
        numbers=tuple(numbers),
    )


def moves(turn: TurnModel, solutions: Iterable[Solution]) -> list[Found]:
    """Return the moves that solutions stand for, as the reference engine would list them.

    Solutions that differ in the order of scoring alone and lead to the same outcome are one
    move. An order is named in full if another one has another outcome; otherwise the doubled
    features are named alone, which needs all orders: the solutions must hold all or none of
    those with a plan.
    """
    grouped: dict[tuple[object, ...], list[Solution]] = defaultdict(list)
    for solution in solutions:
        grouped[solution.plan].append(solution)
    keyed = []
    for same_plan in grouped.values():
        places = {scored: index for index, scored in enumerate(same_plan[0].plan[4])}
        firsts: dict[object, tuple[tuple[int, ...], Solution]] = {}
        for solution in same_plan:
            order = tuple(places[scored] for scored in solution.scored)
            known = firsts.setdefault(solution.outcome, (order, solution))
            firsts[solution.outcome] = min(known, (order, solution), key=lambda pair: pair[0])
        for order, solution in firsts.values():
            keyed.append(
                (_place(turn, solution, order), _found(turn, solution, in_full=len(firsts) > 1))
            )
    return [found for _, found in sorted(keyed, key=lambda pair: pair[0])]


def in_order(turn: TurnModel, solution: Solution) -> Found:
    """Return one solution as a move that names the whole order of scoring.

    It may name more than the reference engine would, which needs all orders to know.
    """
    return _found(turn, solution, in_full=True)


def _place(turn: TurnModel, solution: Solution, order: tuple[int, ...]) -> tuple[object, ...]:
    """Return the place of a move in the reference engine's list."""
    cell, rotation, segment, rank, features, extra = solution.plan
    ranks = (Rank.FOLLOWER, *turn.ground.position.game.specials)
    uses = tuple(scored.numbers for scored in features)
    return cell, rotation, segment, ranks.index(rank), uses, order, extra


def _found(turn: TurnModel, solution: Solution, *, in_full: bool) -> Found:
    """Return a solution as a move."""
    position, kind = turn.ground.position, turn.ground.kind
    # The mover's features are scored first, and so they are named first.
    mover_first = sorted(solution.plan[4], key=lambda scored: scored.winner != position.to_move)
    named = solution.scored if in_full else mover_first
    followers: tuple[Deployment, ...] = ()
    if solution.segment >= 0:
        role = book_of(position.game).roles[kind.segments[solution.segment].kind]
        followers = (Deployment(solution.cell, solution.segment, role, solution.rank),)
    move = Move(
        discards=turn.discards,
        declared=_declared(position, solution),
        tile=kind.id,
        cell=solution.cell,
        rotation=solution.rotation,
        followers=followers,
        scoring=tuple(
            ScoreStep(scored.anchor, scored.numbers)
            for scored in named
            if in_full or scored.numbers
        ),
        extra_turns=solution.extra,
    )
    return Found(move=move, gains=solution.outcome[0])


def _declared(position: Position, solution: Solution) -> tuple[int, ...]:
    """Return the mover's wall tiles that have to be declared before the draw."""
    declared: list[int] = []
    if position.game.value(WALL_1_DECLARE) == "before_draw":
        declared += [EXTRA_TURN] * solution.extra
    if position.game.value(WALL_DOUBLE_DECLARE) == "before_draw":
        for scored in solution.scored:
            if scored.winner == position.to_move:
                declared += scored.numbers
    return tuple(sorted(declared))
