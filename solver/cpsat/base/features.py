"""Followers that are placed, what becomes of each feature, and what it brings.

y[v]: a follower is placed on the new part v in its tile's turn, by the player whose turn it is.
Whether the feature is free is said by the encoding of connectivity.

All of a feature is said of its *leader*, the part of the highest number: in a solution only the
leaders that lead a feature count.

Points stay sums of Boolean terms, so that a limit on a score reaches the places of tiles without
an integer in between. A tile is counted once, not its segments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from model.components import Rank
from model.geometry import Cell
from model.tiles import Kind, Mark
from solver.cpsat.base.cp import Literal
from solver.cpsat.base.instance import Instance, OldPart
from solver.cpsat.base.logic import Law, Lit, Logic, Term, at_least, no
from solver.cpsat.base.placement import Contacts, PlacementVars

Moves: TypeAlias = tuple[tuple[Lit, ...], ...]
"""By tile and player: whether the turn in which it is drawn is his."""
Home: TypeAlias = Mapping[tuple[int, int], Lit]
"""By part and tile: what stands on the part has gone home when the tile's turn is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The followers that are placed, as literals."""

    on: Mapping[int, Literal]
    """By new part: a follower is placed on it."""
    by: tuple[Mapping[int, Lit], ...]
    """By player and new part: he places one on it."""
    ranks: Mapping[tuple[int, Rank], Literal] = field(default_factory=dict)
    """By tile and rank: the follower of its turn is a king or a falconer."""

    def of_turn(self, instance: Instance, tile: int) -> list[Literal]:
        """Return the followers of a turn."""
        return [self.on[part.number] for part in instance.new_of(tile) if part.number in self.on]


def claiming(
    placement: PlacementVars, moves: Moves, barred: Mapping[Kind, Law] = MappingProxyType({})
) -> Claims:
    """Make the variables of followers, on tiles that are laid.

    ``barred`` are the kinds of features on which a rule forbids followers.
    """
    logic, instance = placement.logic, placement.instance
    on: dict[int, Literal] = {}
    for part in instance.new:
        law = barred.get(part.kind)
        if logic.explain or law is None:
            on[part.number] = logic.decision(f"y{part.number}")
            logic.clause(~on[part.number], placement.laid[part.tile])
            if law is not None:
                logic.clause(no(logic.law(law)), ~on[part.number])
    by = tuple(
        {v: logic.all_of((one, moves[instance.tile_of(v)][player])) for v, one in on.items()}
        for player in range(len(instance.position.players))
    )
    return Claims(on=on, by=by)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureVars:
    """The feature that a part leads, if it leads one."""

    leader: int
    kind: Kind
    members: Mapping[int, Lit]
    """within[r,·]: the parts that belong to it."""
    done: Mapping[int, Lit]
    """By tile: it is complete and scored in play, once the tile's turn is over. Empty for what
    can never be complete."""
    on: tuple[Mapping[int, Lit], ...]
    """By player and foothold: he has it on this feature until that is scored. A foothold is a
    follower, or all followers of a player on an old part; each family numbers its own."""
    wins: tuple[Lit, ...]
    """By player: he has most followers on it in the end."""

    @property
    def complete(self) -> Lit:
        """Whether it is complete in the end."""
        return self.done[max(self.done)] if self.done else False

    def scored(self, logic: Logic, player: int) -> Lit:
        """Return whether a player scores it in play."""
        return logic.all_of((self.complete, self.wins[player]))

    def completed_in(self, logic: Logic, tile: int) -> Lit:
        """Return whether it is completed in a tile's turn: done[t] and not done[t-1]."""
        return logic.all_of((self.done.get(tile, False), no(self.done.get(tile - 1, False))))


def leaders(logic: Logic, counts: Sequence[Sequence[Term]], *, shared: bool) -> list[Lit]:
    """Return for each player whether he has most followers, at least one.

    ``counts`` has by player his followers as a sum. Who are level all win if it is ``shared``,
    otherwise none of them.
    """
    found = []
    for player, mine in enumerate(counts):
        others = [theirs for who, theirs in enumerate(counts) if who != player and theirs]
        ahead = [
            at_least(logic, [*mine, *((-w, lit) for w, lit in theirs)], 0 if shared else 1)
            for theirs in others
        ]
        # Who is ahead of somebody has a follower.
        some = at_least(logic, mine, 1) if shared or not others else True
        found.append(logic.all_of((some, *ahead)))
    return found


def completion(
    placement: PlacementVars,
    touching: Contacts,
    leader: int,
    members: Mapping[int, Lit],
    hole: Callable[[int], Lit] = lambda _: False,
) -> dict[int, Lit]:
    """Return by tile whether the feature that a part leads is complete once its turn is over.

    done[t] ↔ leads and AND_v (v within → v is shut by t), and no hole in it by then.
    """
    logic, part = placement.logic, placement.instance.parts[leader]
    first, laid = (0, True) if isinstance(part, OldPart) else (part.tile, placement.laid[part.tile])
    found = {}
    for t in range(first, len(placement.instance.kinds)):
        shut = (logic.any_of((no(lit), touching.shut[t][v])) for v, lit in members.items())
        found[t] = logic.all_of((members[leader], laid, *shut, no(hole(t))))
    return found


def gone_home(
    placement: PlacementVars, features: Iterable[FeatureVars], *, on_tie: bool = True
) -> Home:
    """Return for parts and tiles whether what stands there went home by the turn's end.

    home[v,t] ↔ OR_r within[r,v] and done[r,t] and (somebody wins r, or ties go home too)
    """
    logic = placement.logic
    ways: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for one in features:
        goes = True if on_tie else logic.any_of(one.wins)
        for tile, done in one.done.items():
            for v, literal in one.members.items():
                part = placement.instance.parts[v]
                if done is not False and (not isinstance(part, OldPart) or part.feature.followers):
                    ways[v, tile].append(logic.all_of((literal, done, goes)))
    return {key: logic.any_of(literals) for key, literals in ways.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bunch:
    """Tiles that count for a feature if any of some parts belongs to it."""

    parts: frozenset[int]
    tiles: int
    inside: int
    """Those of the tiles that are not start spaces."""


def bunches(instance: Instance, kind: Kind) -> tuple[Bunch, ...]:
    """Return the tiles that features of a kind can have, by the parts that lie on them."""
    parts_on: dict[Cell, set[int]] = defaultdict(set)
    start_cells: set[Cell] = set()
    for part in instance.old:
        if part.kind is kind:
            start_cells |= part.feature.start_cells
            for cell in part.feature.cells:
                parts_on[cell].add(part.number)
    tiles: dict[frozenset[int], int] = defaultdict(int)
    inside: dict[frozenset[int], int] = defaultdict(int)
    for cell, numbers in parts_on.items():
        tiles[frozenset(numbers)] += 1
        inside[frozenset(numbers)] += cell not in start_cells
    for tile in range(len(instance.kinds)):
        new = frozenset(part.number for part in instance.new_of(tile) if part.kind is kind)
        if new:
            tiles[new] = inside[new] = 1
    return tuple(
        Bunch(parts=parts, tiles=tiles[parts], inside=inside[parts])
        for parts in sorted(tiles, key=sorted)
    )


def tiles_of(
    logic: Logic, instance: Instance, feature: FeatureVars
) -> tuple[tuple[Bunch, Lit], ...]:
    """Return the tiles that a feature may have, with whether they belong to it."""
    found = (
        (bunch, logic.any_of(feature.members.get(v, False) for v in sorted(bunch.parts)))
        for bunch in bunches(instance, feature.kind)
    )
    return tuple((bunch, here) for bunch, here in found if here is not False)


def marks(instance: Instance, number: int) -> tuple[Mark, ...]:
    """Return what is printed on a part."""
    part = instance.parts[number]
    if isinstance(part, OldPart):
        return part.feature.marks
    return instance.kinds[part.tile].segments[part.segment].marks


class Piece(NamedTuple):
    """Points for a player."""

    player: int
    weight: int
    literal: Lit
    """Whether they are scored."""
    parts: frozenset[int] = frozenset()
    """The parts of which one must belong to the feature."""
    layer: int = 0
    """What of the parts it is: a number of its own for all that is scored besides."""
    done: Mapping[int, Lit] = MappingProxyType({})
    """By tile: the feature is complete, and so scored, once the tile's turn is over."""

    @property
    def term(self) -> Term:
        """The points and whether they are scored."""
        return self.weight, self.literal


def total(logic: Logic, pieces: Iterable[Piece], by: int | None = None) -> list[Term]:
    """Return the sum of pieces of one player, to the end or by the end of a turn.

    A part belongs to one feature in the end, so what it brings comes once, by whatever
    leader; without this the sum of all that might be scored would be far above what can be.
    """
    terms: list[Term] = []
    once: dict[tuple[frozenset[int], int, int], list[Lit]] = defaultdict(list)
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
