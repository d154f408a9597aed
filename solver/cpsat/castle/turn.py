"""One turn in a castle: each solution is a turn, with its order of scoring where that matters.

Its value is the points of the turn; final scoring has no part in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from model.components import Node, Rank
from model.draws import Draw
from model.geometry import Cell
from model.position import Move, Position, ScoreStep
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE
from solver.cpsat.base.cp import Expression, Reading
from solver.cpsat.base.instance import OldPart, before_turn
from solver.cpsat.base.logic import Logic, chosen, truth, weighted
from solver.cpsat.castle.instance import survey
from solver.cpsat.castle.model import CastlePlay, castle_play
from solver.cpsat.castle.wall_tiles import NUMBER_FOR
from solver.cpsat.connectivity.by_turn import ByTurn
from solver.cpsat.shared.features import FeatureVars
from solver.cpsat.shared.points import total
from solver.cpsat.shared.reading import deployed, segment_of
from solver.listing import ScoredMove


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
class CastleSolution:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CastleTurn:
    """A turn as variables."""

    play: CastlePlay
    discards: tuple[str, ...]
    totals: tuple[Expression, Expression]
    """Points by player."""

    @property
    def logic(self) -> Logic:
        """The model."""
        return self.play.logic

    @property
    def entangled(self) -> bool:
        """Whether orders of one plan differ in points, so that all are needed to name one."""
        return bool(self.play.track.stopped)

    def read(self, reading: Reading) -> CastleSolution:
        """Read a solution off the variables."""
        play, position = self.play, self.play.instance.position
        spot = chosen(play.placement.x[0], reading)
        assert spot is not None
        takes = (
            (tower, player)
            for (player, tower, _), literal in play.track.takes.items()
            if truth(literal, reading)
        )
        gates = (
            truth(jumps[-1].place.at_gate, reading)
            for player, jumps in play.track.jumps.items()
            if jumps
        )
        ranks = {rank: literal for (_, rank), literal in play.claims.ranks.items()}
        order = (position.to_move, 1 - position.to_move)
        return CastleSolution(
            cell=spot[0],
            rotation=spot[1],
            segment=segment_of(play.instance, play.claims.on, reading, 0),
            rank=chosen(ranks, reading) or Rank.FOLLOWER,
            scored=tuple(one for player in order for one in self._scored(reading, spot[0], player)),
            extra=sum(truth(one, reading) for one in play.turns.extra[0]),
            outcome=(tuple(map(reading, self.totals)), tuple(sorted(takes)), tuple(gates)),
        )

    def _scored(self, reading: Reading, cell: Cell, player: int) -> list[Scored]:
        """Return what a player scores, in his order if it is known, or else by first segments."""
        play = self.play
        found = {
            one.leader: _read_scored(play, reading, one, cell, player)
            for one in play.features
            if truth(one.complete, reading) and truth(one.wins[player], reading)
        }
        if player not in play.track.jumps:
            return sorted(found.values(), key=lambda scored: scored.first)
        leaders = (jump.leader(reading) for jump in play.track.jumps[player])
        return [found[leader] for leader in leaders if leader is not None]

    def found(self, solutions: Iterable[CastleSolution]) -> list[ScoredMove]:
        """Return the moves that solutions stand for, as the reference engine would list them.

        Solutions that differ in the order of scoring alone and lead to the same outcome are one
        move. An order is named in full if another one has another outcome; otherwise the doubled
        features are named alone, which needs all orders: the solutions must hold all or none of
        those with a plan.
        """
        grouped: dict[tuple[object, ...], list[CastleSolution]] = defaultdict(list)
        for solution in solutions:
            grouped[solution.plan].append(solution)
        keyed = []
        for same_plan in grouped.values():
            places = {scored: index for index, scored in enumerate(same_plan[0].plan[4])}
            firsts: dict[object, tuple[tuple[int, ...], CastleSolution]] = {}
            for solution in same_plan:
                order = tuple(places[scored] for scored in solution.scored)
                known = firsts.setdefault(solution.outcome, (order, solution))
                firsts[solution.outcome] = min(known, (order, solution), key=lambda pair: pair[0])
            for order, solution in firsts.values():
                found = self._move(solution, in_full=len(firsts) > 1)
                keyed.append((self._rank(solution, order), found))
        return [found for _, found in sorted(keyed, key=lambda pair: pair[0])]

    def shown(self, solution: CastleSolution) -> ScoredMove:
        """Return one solution as a move that names the whole order of scoring.

        It may name more than the reference engine would, which needs all orders to know.
        """
        return self._move(solution, in_full=True)

    def _rank(self, solution: CastleSolution, order: tuple[int, ...]) -> tuple[object, ...]:
        """Return the place of a move in the reference engine's list."""
        cell, rotation, segment, rank, features, extra = solution.plan
        ranks = (Rank.FOLLOWER, *self.play.instance.position.game.specials)
        uses = tuple(scored.numbers for scored in features)
        return cell, rotation, segment, ranks.index(rank), uses, order, extra

    def _move(self, solution: CastleSolution, *, in_full: bool) -> ScoredMove:
        """Return a solution as a move."""
        position, kind = self.play.instance.position, self.play.instance.kinds[0]
        spot = solution.cell, solution.rotation
        # The mover's features are scored first, and so they are named first.
        mover_first = sorted(solution.plan[4], key=lambda one: one.winner != position.to_move)
        named = solution.scored if in_full else mover_first
        move = Move(
            discards=self.discards,
            declared=_declared(position, solution),
            tile=kind.id,
            cell=solution.cell,
            rotation=solution.rotation,
            followers=deployed(position, kind, spot, solution.segment, solution.rank),
            scoring=tuple(
                ScoreStep(scored.anchor, scored.numbers)
                for scored in named
                if in_full or scored.numbers
            ),
            extra_turns=solution.extra,
        )
        return ScoredMove(move, solution.outcome[0])


def castle_turn(position: Position, draw: Draw, *, explain: bool = False) -> CastleTurn:
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
    logic = Logic(explain=explain)
    instance = survey(before_turn(position, draw), 1)
    play = castle_play(logic, instance, ByTurn(), single=True)
    logic.clause(play.placement.laid[0])
    won = (play.won(player) for player in (0, 1))
    first, second = (
        score + weighted(total(logic, pieces)) - state.score
        for (score, pieces), state in zip(won, position.players, strict=True)
    )
    return CastleTurn(play=play, discards=draw.discards, totals=(first, second))


def _read_scored(
    play: CastlePlay, reading: Reading, one: FeatureVars, cell: Cell, player: int
) -> Scored:
    """Return the feature that a part leads as a player scores it in a solution."""
    nodes: list[Node] = []
    start_cells: set[Cell] = set()
    for v, literal in one.members.items():
        if truth(literal, reading):
            part = play.instance.parts[v]
            if isinstance(part, OldPart):
                nodes += part.feature.nodes
                start_cells |= part.feature.start_cells
            else:
                nodes.append(Node(cell, part.segment))
    uses = play.doubled.get((one.leader, player), ())
    return Scored(
        first=min(nodes),
        anchor=min(node for node in nodes if node.cell not in start_cells),
        winner=player,
        numbers=tuple(NUMBER_FOR[one.kind] for use in uses if reading(use)),
    )


def _declared(position: Position, solution: CastleSolution) -> tuple[int, ...]:
    """Return the mover's wall tiles that have to be declared before the draw."""
    declared: list[int] = []
    if position.game.value(WALL_1_DECLARE) == "before_draw":
        declared += [EXTRA_TURN] * solution.extra
    if position.game.value(WALL_DOUBLE_DECLARE) == "before_draw":
        for scored in solution.scored:
            if scored.winner == position.to_move:
                declared += scored.numbers
    return tuple(sorted(declared))
