"""Read moves from solutions, replay them, and build the model of one turn.

Each solution of a turn's model is a turn, with its order of scoring if that matters. Its value is
the points of the turn, without final scoring.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from model.castle.markers import outcomes
from model.castle.rewards import claims_of
from model.castle.turn import turns
from model.claims import Claim
from model.components import Marker, Node, Rank
from model.draws import Draw
from model.features import position_features
from model.laying import lay
from model.position import Move, Position
from model.tiles import PlacedTile, TileKind
from solver.certificates import CertificateError
from solver.cpsat.base.connectivity import ByTurn
from solver.cpsat.base.cp import Expression, Reading
from solver.cpsat.base.features import total
from solver.cpsat.base.instance import OldPart, Spot, before_turn
from solver.cpsat.base.logic import Logic, chosen, truth, weighted
from solver.cpsat.base.reading import deployed, replayed, segment_of
from solver.cpsat.castle.instance import survey
from solver.cpsat.castle.model import CastlePlay, castle_play
from solver.problem import Problem
from solver.result import ScoredMove


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
    """Read the step of every tile."""
    return tuple(_step(play, reading, tile) for tile in range(len(play.table.instance.kinds)))


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
    turn = _Turn.of(play, at, kind, step, discards)
    return turn.moves[turn.find(play, plan, step)][0]


class _Turn(NamedTuple):
    """A tile and a follower on the board, with the legal ways to go on."""

    claims: tuple[Claim, ...]
    """The features completed."""
    moves: tuple[tuple[Move, object], ...]
    """The legal moves in the order of the reference engine, each with its effects."""

    @classmethod
    def of(
        cls,
        play: CastlePlay,
        at: Position,
        kind: TileKind,
        step: CastleStep,
        discards: tuple[str, ...],
    ) -> _Turn:
        """Return the turn of a step that lays its tile."""
        assert step.spot is not None
        laid = PlacedTile(cell=step.spot[0], kind=kind, rotation=step.spot[1])
        placement = lay(at, laid, position_features(at))
        followers = deployed(at, kind, step.spot, step.segment, step.rank)
        claims = claims_of(placement, followers)
        found = []
        for move in turns(placement, discards, followers):
            (end,) = outcomes(at, claims, move.scoring)
            takes = frozenset(
                (take.tower, take.player) for take in end.takes if take.tower in play.towers
            )
            markers = tuple((player, end.places[player]) for player in play.track.stopped)
            uses = {
                claim.feature.nodes: len(use.wall_tiles)
                for use in move.scoring
                for claim in claims
                if use.wall_tiles and use.node in claim.feature.nodes
            }
            found.append((move, (move.extra_turns, takes, markers, uses)))
        return cls(claims=tuple(claims), moves=tuple(found))

    def find(self, play: CastlePlay, plan: CastlePlan, step: CastleStep) -> int:
        """Return the index of the move with the effects of a step.

        Raises:
            CertificateError: no legal move has them.

        """
        doubled = {
            claim.feature.nodes: times
            for leader, times in step.doubled
            for claim in self.claims
            if _node(play, plan, leader) in claim.feature.nodes
        }
        effects = step.extra, step.takes, step.markers, doubled
        for index, (_, does) in enumerate(self.moves):
            if does == effects:
                return index
        raise CertificateError(f"no rule allows a step of the model: {step}")


def _node(play: CastlePlay, plan: CastlePlan, leader: int) -> Node:
    """Return a node of the feature that a part leads."""
    part = play.table.instance.parts[leader]
    if isinstance(part, OldPart):
        return part.feature.nodes[0]
    spot = plan[part.tile].spot
    assert spot is not None
    return Node(spot[0], part.segment)


class CastleSolution(NamedTuple):
    """A solution of a turn's model."""

    step: CastleStep
    order: tuple[int, ...]
    """The leaders of features in the order of scoring; empty if no order matters."""
    totals: tuple[int, ...]
    """Points by player."""


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

    def read(self, reading: Reading) -> CastleSolution:
        """Read a solution off the variables."""
        (step,) = read_plan(self.play, reading)
        jumps = (jump for some in self.play.track.jumps.values() for jump in some)
        leaders = (jump.leader(reading) for jump in jumps)
        order = tuple(leader for leader in leaders if leader is not None)
        return CastleSolution(step, order, tuple(map(reading, self.totals)))

    def found(self, solutions: Iterable[CastleSolution]) -> list[ScoredMove]:
        """Return the moves of solutions, in the order of the reference engine.

        Orders of scoring with the same effects are one move, worded as the rules engine words it.
        """
        instance = self.play.table.instance
        position, kind = instance.position, instance.kinds[0]
        ranks = (Rank.FOLLOWER, *position.game.specials)
        known: dict[tuple[Spot, int, int], _Turn] = {}
        keyed: dict[tuple[Spot, int, int, int], ScoredMove] = {}
        for step, _, totals in solutions:
            assert step.spot is not None
            key = step.spot, step.segment, ranks.index(step.rank)
            if key not in known:
                known[key] = _Turn.of(self.play, position, kind, step, self.discards)
            index = known[key].find(self.play, (step,), step)
            keyed[*key, index] = ScoredMove(known[key].moves[index][0], totals)
        return [keyed[key] for key in sorted(keyed)]


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
