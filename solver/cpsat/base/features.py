"""Followers placed in the turns to come; completion, majority and points of features.

y[v]: the player whose turn it is places a follower on the new part v in its tile's turn. The
encoding of connectivity demands that the feature is free.

rank[t,r]: the follower placed in the turn of tile t has the rank r.

Each part has variables for the feature that it may lead. They are false if it leads none.

Points are sums of Boolean terms, without integers in between: so a limit on a score propagates
directly to the places of tiles. A tile counts once, not each of its segments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.engine import canonical
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.position import Deployment, Move, Position
from burgrave.model.rules.carcassonne.followers import ROLE
from burgrave.model.switches import FARMERS
from burgrave.model.tiles import Kind, Mark, TileKind
from burgrave.solver.cpsat.base.connectivity import Encoding, Freed, finished, holes
from burgrave.solver.cpsat.base.cp import (
    Expression,
    Lit,
    Literal,
    Logic,
    Reading,
    Term,
    at_least,
    chosen,
    no,
)
from burgrave.solver.cpsat.base.instance import Instance, Part, Spot
from burgrave.solver.cpsat.base.placement import PlacementVars, closed_sides, contacts
from burgrave.solver.problem import Problem, the_draw
from burgrave.solver.result import CertificateError, ScoredMove, certified

Scored: TypeAlias = tuple[Sequence[Any], tuple[int, ...]]
"""A solution of a single turn: the plan of one step, and its points by player."""
Moves: TypeAlias = tuple[tuple[Lit, ...], ...]
"""By tile and player: whether the tile is drawn in his turn."""
Home: TypeAlias = Mapping[tuple[int, int], Lit]
"""By part and tile: the followers on the part are home after the tile's turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """The turns to come: tiles, players to move and followers placed."""

    placement: PlacementVars
    moves: Moves
    on: Mapping[int, Literal]
    """By new part: y[v], some player places a follower on it."""
    ranks: Mapping[tuple[int, Rank], Literal]
    """By tile and rank: rank[t,r]. One who has none of these ranks is an ordinary follower."""

    @property
    def logic(self) -> Logic:
        """The model."""
        return self.placement.logic

    @property
    def instance(self) -> Instance:
        """The position and the tiles to come."""
        return self.placement.instance

    def claims(self, tile: int) -> list[Literal]:
        """Return the literals y[v] of a turn."""
        return [self.on[p.number] for p in self.instance.new_of(tile) if p.number in self.on]

    def segment(self, reading: Reading, tile: int) -> int:
        """Return the segment of a tile with its follower in a solution; -1 for none."""
        parts = (part for part in self.instance.new_of(tile) if part.number in self.on)
        return next((part.segment for part in parts if reading(self.on[part.number])), -1)

    def claimed(self, player: int, part: Part) -> Lit:
        """Return whether a player places a follower on a new part."""
        mine = self.moves[part.tile][player]
        return self.logic.all_of((self.on.get(part.number, False), mine))

    def unit(self, tile: int) -> int:
        """Return the number of the follower placed in a turn; those of the position come first."""
        return len(self.instance.position.followers) + tile

    def units(self, part: Part) -> list[int]:
        """Return the numbers of the followers that may stand on a part."""
        if part.old:
            return [self.instance.position.followers.index(one) for one in part.feature.followers]
        return [self.unit(part.tile)]

    def has_rank(self, unit: int, rank: Rank) -> Lit:
        """Return whether a follower has a rank."""
        followers = self.instance.position.followers
        if unit < len(followers):
            return followers[unit].rank is rank
        here = {r: one for (tile, r), one in self.ranks.items() if tile == unit - len(followers)}
        if rank is Rank.FOLLOWER:
            return no(self.logic.any_of(here.values()))
        return here.get(rank, False)

    def rank_of(self, reading: Reading, tile: int) -> Rank:
        """Return the rank of the follower placed in a turn in a solution; ordinary for none."""
        here = {rank: literal for (when, rank), literal in self.ranks.items() if when == tile}
        return chosen(here, reading) or Rank.FOLLOWER

    def weighed(self, on: Mapping[int, Lit]) -> list[Term]:
        """Return as how many followers some count, by number whether each does."""
        game = self.instance.position.game
        more = {rank: book_of(game).weight(game, rank) - 1 for rank in game.specials}
        return [
            *((1, literal) for literal in on.values()),
            *(
                (weight, self.logic.all_of((literal, self.has_rank(unit, rank))))
                for unit, literal in on.items()
                for rank, weight in more.items()
                if weight
            ),
        ]

    def stays(self, unit: int) -> Lit:  # noqa: ARG002 -- The Tower captures followers
        """Return whether a follower is never captured."""
        return True

    def standing(self, members: Mapping[int, Lit], player: int) -> dict[int, Lit]:
        """Return by number whether a player's follower scores the feature with some members.

        A capture takes a follower only from an incomplete feature, so he never scores it.
        """
        followers = self.instance.position.followers
        ways: dict[int, list[Lit]] = defaultdict(list)
        for v, literal in members.items():
            part = self.instance.parts[v]
            for unit in self.units(part):
                mine: Lit = (
                    followers[unit].player == player if part.old else self.claimed(player, part)
                )
                ways[unit].append(self.logic.all_of((literal, mine)))
        found = {
            unit: self.logic.all_of((self.logic.any_of(literals), self.stays(unit)))
            for unit, literals in ways.items()
        }
        return {unit: literal for unit, literal in found.items() if literal is not False}


def claiming(placement: PlacementVars) -> dict[int, Literal]:
    """Make the variables of followers on tiles that are laid; a switch forbids farmers."""
    logic, game = placement.logic, placement.instance.position.game
    on: dict[int, Literal] = {}
    for part in placement.instance.new:
        barred = part.kind is Kind.FIELD and game.value(FARMERS) == "off"
        if logic.explain or not barred:
            on[part.number] = logic.decision(f"y{part.number}")
            logic.clause(~on[part.number], placement.laid[part.tile])
            if barred:
                logic.demand(ROLE, ~on[part.number])
    return on


def ranks_of(game: Game) -> tuple[Rank, ...]:
    """Return the ranks of the followers of a game, that of ordinary ones first."""
    return (Rank.FOLLOWER, *game.specials)


def ranking(
    logic: Logic, game: Game, placed: Sequence[Collection[Lit]]
) -> dict[tuple[int, Rank], Literal]:
    """Make the variables of ranks: rank[t,r] → a follower is placed; at most one rank in a turn.

    ``placed`` has by tile the literals of which one holds if a follower is placed in its turn.
    """
    found: dict[tuple[int, Rank], Literal] = {}
    for tile, ways in enumerate(placed):
        here = {rank: logic.decision(f"{rank}{tile}") for rank in game.specials}
        for rank, literal in here.items():
            found[tile, rank] = literal
            logic.clause(~literal, *ways)
        logic.model.add_at_most_one(here.values())
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Bunch:
    """Tiles that count for a feature if one of some parts belongs to it."""

    parts: frozenset[int]
    tiles: int
    inside: int
    """The tiles without start spaces."""


def bunches(instance: Instance, kind: Kind) -> tuple[Bunch, ...]:
    """Return the tiles of all parts of a kind, grouped by the parts on them."""
    parts_on: dict[Cell | int, set[int]] = defaultdict(set)
    start_cells: set[Cell | int] = set()
    for part in instance.parts:
        if part.kind is kind:
            start_cells |= part.feature.start_cells
            for tile in part.feature.cells if part.old else {part.tile}:
                parts_on[tile].add(part.number)
    inside: dict[frozenset[int], list[bool]] = defaultdict(list)
    for tile, numbers in parts_on.items():
        inside[frozenset(numbers)].append(tile not in start_cells)
    return tuple(
        Bunch(parts=parts, tiles=len(inside[parts]), inside=sum(inside[parts]))
        for parts in sorted(inside, key=sorted)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureVars:
    """The feature that a part leads, if it leads one."""

    leader: int
    kind: Kind
    members: Mapping[int, Lit]
    """within[r] by part: whether the part belongs to it."""
    done: Mapping[int, Lit]
    """By tile: it is complete, and scored in play, after the tile's turn. Empty if it can
    never be complete."""
    on: tuple[Mapping[int, Lit], ...]
    """By player and number of his follower: whether he is on this feature when it is scored."""
    wins: tuple[Lit, ...]
    """By player: whether he has the majority on it."""
    tiles: tuple[tuple[Bunch, Lit], ...]
    """The tiles that may belong to it; none if it can never be complete."""

    @property
    def complete(self) -> Lit:
        """Whether it is complete at the end."""
        return self.done[max(self.done)] if self.done else False

    def scored(self, logic: Logic, player: int) -> Lit:
        """Return whether a player scores it in play."""
        return logic.all_of((self.complete, self.wins[player]))

    def completed_in(self, logic: Logic, tile: int) -> Lit:
        """Return whether a tile's turn completes it: done[t] and not done[t-1]."""
        return logic.all_of((self.done.get(tile, False), no(self.done.get(tile - 1, False))))


def leaders(logic: Logic, counts: Sequence[Collection[Term]], *, shared: bool) -> list[Lit]:
    """Return for each player whether he has the majority, with at least one follower.

    ``counts`` says by player as how many those of his followers count that may count. If the
    majority is ``shared``, all who tie for it have it; else none of them has it.
    """
    found = []
    for player, mine in enumerate(counts):
        others = [theirs for who, theirs in enumerate(counts) if who != player and theirs]
        ahead = [
            at_least(logic, [*mine, *((-weight, one) for weight, one in theirs)], 1 - shared)
            for theirs in others
        ]
        # A player who is ahead of another has a follower.
        some = logic.any_of(one for _, one in mine) if shared or not others else True
        found.append(logic.all_of((some, *ahead)))
    return found


def feature_vars(
    turns: Turns, encoding: Encoding, freed: Freed = MappingProxyType({}), *, shared: bool
) -> tuple[FeatureVars, ...]:
    """Return the variables of the feature that each part may lead; a tie may be ``shared``."""
    logic, instance, found = turns.logic, turns.instance, []
    touch, shut = contacts(turns.placement), closed_sides(turns.placement)
    within = encoding.join(turns.placement, touch, turns.on, freed)
    of_kind, walls = {kind: bunches(instance, kind) for kind in Kind}, holes(instance)
    for leader, members in within.items():
        kind = instance.parts[leader].kind
        done = finished(turns.placement, shut, walls, leader, members)
        on = [turns.standing(members, p) for p in range(len(instance.position.players))]
        tiles = (
            (bunch, logic.any_of(members.get(v, False) for v in sorted(bunch.parts)))
            for bunch in (of_kind[kind] if done else ())
        )
        found.append(
            FeatureVars(
                leader=leader,
                kind=kind,
                members=members,
                done=done,
                on=tuple(on),
                wins=tuple(leaders(logic, list(map(turns.weighed, on)), shared=shared)),
                tiles=tuple((bunch, here) for bunch, here in tiles if here is not False),
            )
        )
    return tuple(found)


def has(placement: PlacementVars, one: FeatureVars, mark: Mark) -> Lit:
    """Return whether a mark lies on the feature that a part leads."""
    parts = placement.instance.parts
    return placement.logic.any_of(
        literal for v, literal in one.members.items() if mark in parts[v].feature.marks
    )


def gone_home(
    placement: PlacementVars, features: Iterable[FeatureVars], *, on_tie: bool = True
) -> Home:
    """Return by part and tile whether the followers there are home after the turn.

    home[v,t] ↔ OR_r within[r][v] and done[r,t] and (a player wins r, or ties go home too)
    """
    logic = placement.logic
    ways: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for one in features:
        goes = True if on_tie else logic.any_of(one.wins)
        for tile, done in one.done.items():
            for v, literal in one.members.items():
                part = placement.instance.parts[v]
                if done is not False and (not part.old or part.feature.followers):
                    ways[v, tile].append(logic.all_of((literal, done, goes)))
    return {key: logic.any_of(literals) for key, literals in ways.items()}


class Family(NamedTuple):
    """What differs between the games of a castle and those of a plane."""

    play: Callable[[Logic, Instance, Encoding, Problem | None], Any]
    """Makes the variables of the turns to come, or of a single turn, which has no problem."""
    totals: Callable[[Any], tuple[Expression, ...]]
    """From the variables of a single turn: its points by player, without final scoring."""
    value: Callable[[Any, Problem], Expression]
    """The asker's value at the end."""
    step: Callable[[Any, Reading, int], Any]
    """Reads the step of a tile off the variables."""
    word: Callable[[Any, Any, Position, int, tuple[str, ...]], tuple[tuple[Any, ...], Move]]
    """From the variables, a plan, a position, a tile and the tiles without a place before it: the
    move of its turn, also that of a last turn without a tile. A key orders the moves of a turn like
    the rules engine."""
    acts_without_tile: bool = False
    """Whether a turn for which no tile is left may have a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Turns to come as variables, with their value."""

    logic: Logic
    family: Family
    play: Any
    """The variables of the family."""
    value: Expression
    """The asker's value at the end, or the mover's value of a single turn. In a solution that is
    not optimal it may be less than a line to the end is worth, never more."""
    totals: tuple[Expression, ...] = ()
    """Of a single turn: its points by player."""

    def read(self, reading: Reading) -> tuple[Any, ...]:
        """Return the plan of a solution: the step of every tile."""
        tiles = range(len(self.play.table.instance.kinds))
        return tuple(self.family.step(self.play, reading, tile) for tile in tiles)

    def scored(self, reading: Reading) -> Scored:
        """Return a solution of a single turn."""
        return self.read(reading), tuple(map(reading, self.totals))

    def moves(self, problem: Problem, solutions: Iterable[Scored]) -> list[ScoredMove]:
        """Return the moves of solutions of a single turn, in the order of the rules engine."""
        found, discards = {}, the_draw(problem).discards
        for plan, points in solutions:
            key, move = self.family.word(self.play, plan, problem.position, 0, discards)
            found[key] = ScoredMove(move, points)
        return [found[key] for key in sorted(found)]

    def replay(self, problem: Problem, plan: Sequence[Any]) -> tuple[tuple[Move, ...], int]:
        """Replay a plan by the rules; return its moves and the value of their end.

        Raises:
            CertificateError: the rules engine forbids a move, or the line ends too early.

        """
        at, line = problem.position, []
        gone: list[str] = []
        for tile, step in enumerate(plan):
            if step.spot is None:
                gone.append(problem.position.order[tile])
            if step.spot is not None or tile == len(plan) - 1:
                _, move = self.family.word(self.play, plan, at, tile, tuple(gone))
                line.append(canonical(at, move))
                at, gone = problem.begin(certified(at, line[-1]).position), []
        if not at.over:
            raise CertificateError(f"a line of {len(plan)} tiles leaves {len(at.order)} to draw")
        return tuple(line), problem.worth(*final_scoring(at).scores)


class Piece(NamedTuple):
    """Points for a player."""

    player: int
    weight: int
    literal: Lit
    """Whether they are scored."""
    parts: frozenset[int] = frozenset()
    """The parts that earn them: one of these belongs to the feature."""
    layer: Hashable = 0
    """Tells different earnings of the same parts apart."""
    done: Mapping[int, Lit] = MappingProxyType({})
    """By tile: the feature is complete, and so scored, after the tile's turn."""

    @property
    def term(self) -> Term:
        """The points and whether they are scored."""
        return self.weight, self.literal


def earned(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    one: FeatureVars,
    player: int,
    scored: Lit,
    units: Iterable[tuple[frozenset[int], int, Lit]],
    factors: Sequence[Term] = ((1, True),),
) -> list[Piece]:
    """Return a feature's points for a player: Σ weight · factor · (scored and unit and way).

    A unit brings points: parts, a weight, and whether one of the parts belongs to the feature.
    """
    return [
        Piece(player, weight * factor, literal, parts, layer, one.done)
        for parts, weight, here in units
        for layer, (factor, way) in enumerate(factors)
        if (literal := logic.all_of((scored, here, way))) is not False
    ]


def total(logic: Logic, pieces: Iterable[Piece], by: int | None = None) -> list[Term]:
    """Return the sum of one player's pieces, at the end or after the turn of tile ``by``.

    A part belongs to one feature at the end, so it earns its points once, whatever the leader.
    Joining these terms keeps the upper bound of the sum low.
    """
    terms: list[Term] = []
    once: dict[tuple[frozenset[int], Hashable, int], list[Lit]] = defaultdict(list)
    for piece in pieces:
        literal = piece.literal
        if by is not None:
            literal = logic.all_of((literal, piece.done.get(by, False)))
        if literal is False:
            continue
        if len(piece.parts) == 1:
            once[piece.parts, piece.layer, piece.weight].append(literal)
        else:
            terms.append((piece.weight, literal))
    return [*terms, *((weight, logic.any_of(ways)) for (_, _, weight), ways in once.items())]


def deployed(
    at: Position, kind: TileKind, spot: Spot, segment: int, rank: Rank = Rank.FOLLOWER
) -> tuple[Deployment, ...]:
    """Return the follower that is placed on a segment of a tile; none for -1."""
    if segment < 0:
        return ()
    role = book_of(at.game).roles[kind.segments[segment].kind]
    return (Deployment(spot[0], segment, role, rank),)
