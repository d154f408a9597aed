"""Read moves from solutions, replay them, and build the model of one turn.

Each solution of a turn's model is a turn, with its order of scoring if that matters. Its value is
the points of the turn, without final scoring.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from model.castle.markers import outcomes
from model.castle.rewards import claims_of
from model.castle.turn import turns
from model.components import Marker, Node, Rank
from model.draws import Draw
from model.features import position_features
from model.geometry import Cell
from model.laying import lay
from model.position import Move, Position, ScoreStep
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE
from model.tiles import PlacedTile
from solver.certificates import CertificateError
from solver.cpsat.base.connectivity import ByTurn
from solver.cpsat.base.cp import Expression, Reading
from solver.cpsat.base.features import FeatureVars, total
from solver.cpsat.base.instance import OldPart, Spot, before_turn
from solver.cpsat.base.logic import Logic, chosen, truth, weighted
from solver.cpsat.base.reading import deployed, replayed, segment_of
from solver.cpsat.castle.instance import survey
from solver.cpsat.castle.model import CastlePlay, castle_play
from solver.cpsat.castle.wall_tiles import NUMBER_FOR
from solver.listing import ScoredMove
from solver.problem import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class CastleStep:
    """The actions with one tile in a solution."""

    spot: Spot | None
    """Its place; None if it is not laid."""
    segment: int
    """The segment with its follower; -1 for none."""
    rank: Rank
    """The rank of the follower; ``FOLLOWER`` without one."""
    extra: int
    """The number of wall tiles 1 played."""
    doubled: tuple[tuple[int, int], ...]
    """Pairs of a feature's leader and the number of wall tiles that double it."""
    takes: frozenset[tuple[str, int]]
    """Pairs of a tower and the player who takes its wall tile."""
    markers: tuple[tuple[int, Marker], ...]
    """Pairs of a player whose marker gates may stop and its place after the turn."""


CastlePlan = tuple[CastleStep, ...]


def read_plan(play: CastlePlay, reading: Reading) -> CastlePlan:
    """Read the step of every tile that is drawn."""
    idle = play.table.turns.placement.idle
    return tuple(
        _step(play, reading, tile) for tile in range(len(idle)) if not truth(idle[tile], reading)
    )


def _step(play: CastlePlay, reading: Reading, tile: int) -> CastleStep:
    """Read the step of one tile."""
    table, claims = play.table, play.table.claims
    ranks = {rank: literal for (when, rank), literal in claims.ranks.items() if when == tile}
    return CastleStep(
        spot=chosen(table.turns.placement.x[tile], reading),
        segment=segment_of(table.instance, claims.on, reading, tile),
        rank=chosen(ranks, reading) or Rank.FOLLOWER,
        extra=sum(truth(one, reading) for one in table.turns.extra[tile]),
        doubled=tuple(
            (leader, times)
            for (leader, _), uses in play.doubled.items()
            if (times := sum(reading(use) for use in uses))
            and _completed_in(play, reading, leader) == tile
        ),
        takes=frozenset(
            (tower, player)
            for (player, tower, when), literal in play.track.takes.items()
            if when == tile and truth(literal, reading)
        ),
        markers=tuple(
            (player, _marker(play, reading, player, tile)) for player in play.track.stopped
        ),
    )


def _marker(play: CastlePlay, reading: Reading, player: int, tile: int) -> Marker:
    """Read the place of a marker after a turn."""
    found = play.table.instance.position.players[player].marker
    for jump in play.track.jumps[player]:
        if truth(jump.by[tile], reading):
            found = Marker(reading(jump.place.score), truth(jump.place.at_gate, reading))
    return found


def _completed_in(play: CastlePlay, reading: Reading, leader: int) -> int | None:
    """Return the tile that completes the feature that a part leads."""
    one = next(one for one in play.features if one.leader == leader)
    return next((tile for tile, done in sorted(one.done.items()) if truth(done, reading)), None)


def replay(problem: Problem, play: CastlePlay, plan: CastlePlan) -> tuple[tuple[Move, ...], int]:
    """Replay a plan; return its moves and the value of their end.

    Raises:
        CertificateError: the rules engine forbids a move, or the line ends too early.

    """
    return replayed(problem, play.table.instance.kinds, plan, partial(_move_of, play, plan))


def _move_of(
    play: CastlePlay, plan: CastlePlan, at: Position, tile: int, discards: tuple[str, ...]
) -> Move:
    """Return the move of a step."""
    step, kind = plan[tile], play.table.instance.kinds[tile]
    if step.spot is None:
        return Move(discards=discards)
    cell, rotation = step.spot
    placement = lay(at, PlacedTile(cell=cell, kind=kind, rotation=rotation), position_features(at))
    followers = deployed(at, kind, step.spot, step.segment, step.rank)
    claims = claims_of(placement, followers)
    doubled = {
        claim.feature.nodes: times
        for leader, times in step.doubled
        for claim in claims
        if _node(play, plan, leader) in claim.feature.nodes
    }
    for move in turns(placement, discards, followers):
        (end,) = outcomes(at, claims, move.scoring)
        takes = frozenset((one.tower, one.player) for one in end.takes if one.tower in play.towers)
        markers = tuple((player, end.places[player]) for player in play.track.stopped)
        uses = {
            claim.feature.nodes: len(use.wall_tiles)
            for use in move.scoring
            for claim in claims
            if use.wall_tiles and use.node in claim.feature.nodes
        }
        does = move.extra_turns, takes, markers, uses
        if does == (step.extra, step.takes, step.markers, doubled):
            return move
    raise CertificateError(f"no rule allows what the model does with tile {tile}: {step}")


def _node(play: CastlePlay, plan: CastlePlan, leader: int) -> Node:
    """Return a node of the feature that a part leads."""
    part = play.table.instance.parts[leader]
    if isinstance(part, OldPart):
        return part.feature.nodes[0]
    spot = plan[part.tile].spot
    assert spot is not None
    return Node(spot[0], part.segment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A feature scored in a solution."""

    anchor: Node
    """Its first segment inside the wall, which names it in moves."""
    winner: int
    numbers: tuple[int, ...]
    """The wall tiles used on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CastleSolution:
    """A solution of a turn's model."""

    step: CastleStep
    spot: Spot
    scored: tuple[Scored, ...]
    """In the order of scoring."""
    totals: tuple[int, ...]
    """Points by player."""

    @property
    def features(self) -> tuple[Scored, ...]:
        """The features scored, by anchor."""
        return tuple(sorted(self.scored, key=lambda scored: scored.anchor))

    @property
    def plan(self) -> tuple[object, ...]:
        """The mover's decisions without the order of scoring."""
        return self.spot, self.step.segment, self.step.rank, self.features, self.step.extra

    @property
    def outcome(self) -> tuple[object, ...]:
        """The result of the order of scoring: points, wall tiles taken, markers at gates."""
        return self.totals, self.step.takes, self.step.markers


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
        return self.play.table.logic

    @property
    def entangled(self) -> bool:
        """Whether orders of scoring differ in points; then all are needed to word a move."""
        return bool(self.play.track.stopped)

    def read(self, reading: Reading) -> CastleSolution:
        """Read a solution off the variables."""
        (step,) = read_plan(self.play, reading)
        spot, mover = step.spot, self.play.table.instance.position.to_move
        assert spot is not None
        order = (mover, 1 - mover)
        return CastleSolution(
            step=step,
            spot=spot,
            scored=tuple(one for who in order for one in self._scored(reading, spot[0], who)),
            totals=tuple(map(reading, self.totals)),
        )

    def _scored(self, reading: Reading, cell: Cell, player: int) -> list[Scored]:
        """Return the features that a player scores, in his order if known, else by anchor."""
        play = self.play
        found = {
            one.leader: _read_scored(play, reading, one, cell, player)
            for one in play.features
            if truth(one.complete, reading) and truth(one.wins[player], reading)
        }
        if player not in play.track.jumps:
            return sorted(found.values(), key=lambda scored: scored.anchor)
        leaders = (jump.leader(reading) for jump in play.track.jumps[player])
        return [found[leader] for leader in leaders if leader is not None]

    def found(self, solutions: Iterable[CastleSolution]) -> list[ScoredMove]:
        """Return the moves of solutions, as the reference engine lists them.

        Solutions that differ only in the order of scoring are one move if their outcome is the
        same. If outcomes differ, a move names its whole order; else it names only the doubled
        features. So for each plan the solutions must hold all orders or none.
        """
        grouped: dict[tuple[object, ...], list[CastleSolution]] = defaultdict(list)
        for solution in solutions:
            grouped[solution.plan].append(solution)
        keyed = []
        for same_plan in grouped.values():
            places = {scored: index for index, scored in enumerate(same_plan[0].features)}
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

        The reference engine may name less, because it knows all orders.
        """
        return self._move(solution, in_full=True)

    def _rank(self, solution: CastleSolution, order: tuple[int, ...]) -> tuple[object, ...]:
        """Return the place of a move in the reference engine's list."""
        step = solution.step
        ranks = (Rank.FOLLOWER, *self.play.table.instance.position.game.specials)
        uses = tuple(scored.numbers for scored in solution.features)
        return *solution.spot, step.segment, ranks.index(step.rank), uses, order, step.extra

    def _move(self, solution: CastleSolution, *, in_full: bool) -> ScoredMove:
        """Return a solution as a move."""
        instance, step = self.play.table.instance, solution.step
        position, kind = instance.position, instance.kinds[0]
        # The mover's features are scored first, so the move names them first.
        mover_first = sorted(solution.features, key=lambda one: one.winner != position.to_move)
        named = solution.scored if in_full else mover_first
        move = Move(
            discards=self.discards,
            declared=_declared(position, solution),
            tile=kind.id,
            cell=solution.spot[0],
            rotation=solution.spot[1],
            followers=deployed(position, kind, solution.spot, step.segment, step.rank),
            scoring=tuple(
                ScoreStep(scored.anchor, scored.numbers)
                for scored in named
                if in_full or scored.numbers
            ),
            extra_turns=step.extra,
        )
        return ScoredMove(move, solution.totals)


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
    logic.clause(play.table.turns.placement.laid[0])
    won = (play.won(player) for player in (0, 1))
    first, second = (
        score + weighted(total(logic, pieces)) - state.score
        for (score, pieces), state in zip(won, position.players, strict=True)
    )
    return CastleTurn(play=play, discards=draw.discards, totals=(first, second))


def _read_scored(
    play: CastlePlay, reading: Reading, one: FeatureVars, cell: Cell, player: int
) -> Scored:
    """Return a feature that a player scores in a solution."""
    nodes: list[Node] = []
    start_cells: set[Cell] = set()
    for v, literal in one.members.items():
        if truth(literal, reading):
            part = play.table.instance.parts[v]
            if isinstance(part, OldPart):
                nodes += part.feature.nodes
                start_cells |= part.feature.start_cells
            else:
                nodes.append(Node(cell, part.segment))
    uses = play.doubled.get((one.leader, player), ())
    return Scored(
        anchor=min(node for node in nodes if node.cell not in start_cells),
        winner=player,
        numbers=tuple(NUMBER_FOR[one.kind] for use in uses if reading(use)),
    )


def _declared(position: Position, solution: CastleSolution) -> tuple[int, ...]:
    """Return the mover's wall tiles that must be declared before the draw."""
    declared: list[int] = []
    if position.game.value(WALL_1_DECLARE) == "before_draw":
        declared += [EXTRA_TURN] * solution.step.extra
    if position.game.value(WALL_DOUBLE_DECLARE) == "before_draw":
        for scored in solution.scored:
            if scored.winner == position.to_move:
                declared += scored.numbers
    return tuple(sorted(declared))
