"""Final scoring: keep, courts, wall tiles 4 to 9, and the largest connected area of empty cells.

Each part is a sum of terms for a player. The asker's use of wall tiles is a decision. The
opponent's wall tiles bring their best value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import NamedTuple

from model.castle.final_uses import KEEP_TILE, POINTS_TILE
from model.components import Rank
from model.geometry import Cell, areas
from model.rules.castle.final_tiles import TARGETS, TILE_9
from model.rules.castle.keeps import A_MARKET, KEEP_BONUS
from model.switches import (
    EMPTY_AREA_ADJACENCY,
    END_TILE_ONCE_PER_FEATURE,
    KEEP_BONUS_NEEDS_KEEP,
    KEEP_BONUS_STACKS,
    KING_DOUBLES_COURTS,
    KING_WITH_TILE_7,
    SPECIAL_ON_WALL_SCORED,
    START_SPACE_IN_KEEP,
)
from model.tiles import Kind, Mark
from solver.cpsat.base.cp import Expression, IntVar, Lit, Logic, Term, at_least, no, weighted
from solver.cpsat.base.features import FeatureVars, Piece, earned, marks, total
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.placement import PlacementVars
from solver.cpsat.castle.features import Crowns, Hands, points, stands_on
from solver.cpsat.castle.turns import CastleTable

BEYOND_SCORES = 1_000_000
"""More than any score of a game; CP-SAT needs finite numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lump:
    """One cell that may be filled, or an area of cells that stay empty."""

    cells: frozenset[Cell]
    empty: Lit
    """Whether it is empty at the end."""


def _linked(placement: PlacementVars) -> tuple[list[Lump], dict[int, dict[int, Lit]]]:
    """Return the empty cells as a graph of lumps, and their links from vertex elimination.

    Lumps are eliminated one by one, at each step one with fewest neighbours, and each elimination
    links the neighbours that remain. Let j remain when i is eliminated. link[i,j]: i and j are
    empty, and adjacent or connected through empty lumps eliminated before i.

    Rankooh and Rintanen, Propositional Encodings of Acyclicity and Reachability by Using Vertex
    Elimination, AAAI 2022.

    Returns:
        The lumps, and link[i,j] by i in order of elimination.

    """
    instance, logic = placement.instance, placement.logic
    diagonal = instance.position.game.value(EMPTY_AREA_ADJACENCY) == "diagonal"
    last = len(instance.kinds) - 1
    open_cells = {cell for cell in instance.empty if placement.full(cell, last) is not False}
    lumps = [
        Lump(cells=frozenset({cell}), empty=no(placement.full(cell, last)))
        for cell in sorted(open_cells)
    ]
    fixed = areas(instance.empty - open_cells, diagonal=diagonal)
    lumps += [Lump(cells=area, empty=True) for area in fixed]
    left: dict[int, set[int]] = {i: set() for i in range(len(lumps))}
    joined: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for i, j in permutations(left, 2):
        if len(areas(lumps[i].cells | lumps[j].cells, diagonal=diagonal)) == 1:
            left[i].add(j)
            joined[i, j].append(True)
    link: dict[int, dict[int, Lit]] = {}
    while left:
        i = min(left, key=lambda lump: (len(left[lump]), lump))
        around = sorted(left.pop(i))
        link[i] = {}
        for j in around:
            both = (lumps[i].empty, lumps[j].empty)
            link[i][j] = logic.all_of((*both, logic.any_of(joined[i, j])))
            left[j].discard(i)
        for j, k in permutations(around, 2):
            left[j].add(k)
            joined[j, k].append(logic.all_of((link[i][j], link[i][k])))
    return lumps, link


def largest_area(placement: PlacementVars) -> IntVar:
    """Return the size of the largest connected empty area.

    with[i,t] ↔ i = t is empty, or OR_j link[i,j] and with[j,t]; size = max_t Σ_i with[i,t]

    The sum of t is a part of an area, and the whole of it if t is its lump eliminated last.
    """
    logic = placement.logic
    lumps, link = _linked(placement)
    sizes, order = [len(lump.cells) for lump in lumps], list(link)
    sums: list[Expression] = [0]
    for last, top in enumerate(order):
        inside = {top: lumps[top].empty}
        for i in reversed(order[:last]):
            ways = (logic.all_of((one, inside[j])) for j, one in link[i].items() if j in inside)
            inside[i] = logic.any_of(ways)
        sums.append(weighted((sizes[i], literal) for i, literal in inside.items()))
    area = logic.integer(0, sum(sizes), "area")
    logic.model.add_max_equality(area, sums)
    return area


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The variables that final scoring depends on."""

    table: CastleTable
    features: Sequence[FeatureVars]
    crowned: Crowns
    hands: Hands
    last: tuple[Lit, ...]
    """By player: the last turn was his, so he comes first in final scoring."""

    @property
    def logic(self) -> Logic:
        """The model."""
        return self.table.logic

    @property
    def instance(self) -> Instance:
        """The position and the tiles to come."""
        return self.table.instance

    def held(self, kind: Kind, player: int) -> list[tuple[FeatureVars, Lit]]:
        """Return the uncompleted features of a kind that a player holds at the end."""
        found: list[tuple[FeatureVars, Lit]] = []
        for one in self.features:
            if one.kind is kind:
                leads = one.members[one.leader]
                literal = self.logic.all_of((leads, one.wins[player], no(one.complete)))
                if literal is not False:
                    found.append((one, literal))
        return found

    def most(self, player: int, number: int) -> int:
        """Return the maximum number of wall tiles of a number that a player can have."""
        return sum(count for count, _ in self.hands.held(player, number))

    @property
    def once(self) -> bool:
        """Whether at most one wall tile of a number is used on a feature."""
        return self.instance.position.game.value(END_TILE_ONCE_PER_FEATURE) == "on"


def scored_if(logic: Logic, literal: Lit, number: Expression, most: int) -> Expression:
    """Return a number, from 0 to ``most``, if a literal holds; otherwise 0."""
    if isinstance(literal, bool):
        return number if literal else 0
    found = logic.integer(0, most, "if")
    logic.equal_if(literal, found, number)
    logic.equal_if(no(literal), found, 0)
    return found


def larger_keep(end: End, player: int) -> Lit:
    """Return whether a player's keep, with wall tiles 8, is the larger one at the end."""
    return end.logic.within(_keep(end, player) - _keep(end, 1 - player), 1, 999)


def _keep(end: End, player: int) -> Expression:
    """Return the size of a player's keep with his wall tiles 8; 0 for none.

    keep = max(keep now, Σ tiles of each house that he scores)
    """
    logic, position = end.logic, end.instance.position
    now = position.players[player].keep
    counts_starts = position.game.value(START_SPACE_IN_KEEP) == "on"
    sizes: list[list[Term]] = []
    for one in end.features:
        scored = one.scored(logic, player)
        if one.kind is Kind.HOUSE and scored is not False:
            sizes.append(
                [
                    (bunch.tiles if counts_starts else bunch.inside, logic.all_of((scored, here)))
                    for bunch, here in one.tiles
                ]
            )
    keep: Expression = now
    if sizes:
        most = max(now, *(sum(tiles for tiles, _ in size) for size in sizes))
        keep = logic.integer(now, most, f"keep{player}")
        logic.model.add_max_equality(keep, [now, *(weighted(size) for size in sizes)])
    return _enlarged(end, player, keep)


def _enlarged(end: End, player: int, keep: Expression) -> Expression:
    """Return a keep with the player's wall tiles 8."""
    logic, game = end.logic, end.instance.position.game
    tiles = end.hands.held(player, KEEP_TILE)
    if game.value(KEEP_BONUS_STACKS) == "off" and tiles:
        tiles = [(1, logic.any_of(literal for _, literal in tiles))]
    bonus = weighted((KEEP_BONUS * count, literal) for count, literal in tiles)
    if game.value(KEEP_BONUS_NEEDS_KEEP) == "off" or not tiles:
        return keep + bonus
    most = KEEP_BONUS * sum(count for count, _ in tiles) + 999
    return scored_if(logic, logic.within(keep, 1, 999), keep + bonus, most)


def courts(end: End, player: int) -> list[Piece]:
    """Return a player's points for markets on his courts, which a king doubles."""
    found = []
    for one, held in end.held(Kind.COURT, player):
        factors = ((A_MARKET, True), (A_MARKET, _crowned(end, one, player)))
        found += earned(end.logic, one, player, held, _markets(end, one), factors)
    return found


def _crowned(end: End, court: FeatureVars, player: int) -> Lit:
    """Return whether a player's king doubles a court."""
    game = end.instance.position.game
    if not game.specials or game.value(KING_DOUBLES_COURTS) == "off":
        return False
    return stands_on(end.table, court, player, Rank.KING)


def _markets(end: End, court: FeatureVars) -> list[tuple[frozenset[int], int, Lit]]:
    """Return the parts with markets that may belong to a court, with their number."""
    return [
        (frozenset({v}), count, literal)
        for v, literal in court.members.items()
        if (count := marks(end.instance, v).count(Mark.MARKET))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A feature on which a player may use wall tiles 4, 5, 6 or 7 at the end."""

    one: FeatureVars
    held: Lit
    pieces: tuple[Piece, ...]
    """The points of one wall tile if ``held``."""

    @property
    def most(self) -> int:
        """The maximum points of one wall tile."""
        return sum(piece.weight for piece in self.pieces)


class Use(NamedTuple):
    """A wall tile used at the end."""

    target: Target
    again: int
    """The number of wall tiles used on the same feature before it."""
    literal: Lit
    """Whether it is used."""


def targets(end: End, number: int, player: int) -> list[Target]:
    """Return the features on which a player may use wall tiles of a number."""
    game, found = end.instance.position.game, []
    for one, held in end.held(TARGETS[number][0], player):
        if one.kind is Kind.COURT:
            crowned = _crowned(end, one, player)
            factors: tuple[Term, ...] = ((1, True), (1, crowned))
            if crowned is not False and game.value(KING_WITH_TILE_7) == "off":
                # The tile would bring 1 point a market, and cost the 3 of the king.
                factors = ((1, no(crowned)),)
            pieces = earned(end.logic, one, player, held, _markets(end, one), factors)
        else:
            doubling = game.specials and game.value(SPECIAL_ON_WALL_SCORED) != "off"
            kings = (end.crowned.royal[one.leader, player],) if doubling else ()
            pieces = points(end.table, one, player, held, kings)
        if pieces:
            found.append(Target(one=one, held=held, pieces=tuple(pieces)))
    return found


def chosen_uses(end: End, number: int, player: int, fitting: Iterable[Target]) -> list[Use]:
    """Make a player's decisions on his wall tiles 4, 5, 6 or 7 for features that fit.

    Σ uses ≤ tiles in hand; use → held; by a switch, one use for each feature
    """
    logic, most = end.logic, end.most(player, number)
    uses: list[Use] = []
    for target in fitting:
        for again in range(min(most, 1) if end.once else most):
            use = logic.decision(f"final{number}")
            logic.clause(~use, target.held)
            uses.append(Use(target, again, use))
    if uses:
        spent = weighted((1, use.literal) for use in uses)
        logic.model.add(spent <= weighted(end.hands.held(player, number)))
    return uses


def brought(logic: Logic, uses: Iterable[Use]) -> list[Piece]:
    """Return the points of wall tiles used at the end."""
    return [
        # Layers tell a second use on a feature from the first.
        piece._replace(layer=(piece.layer, again), literal=logic.all_of((use, piece.literal)))
        for target, again, use in uses
        for piece in target.pieces
    ]


def picks(
    end: End, number: int, player: int, fitting: Sequence[Target]
) -> Iterator[tuple[Lit, tuple[Target, ...]]]:
    """Yield each choice of features for wall tiles of a number, and whether he has enough.

    The player need not hold the features.
    """
    pick = combinations if end.once else combinations_with_replacement
    tiles = end.hands.held(player, number)
    for size in range(end.most(player, number) + 1):
        enough = at_least(end.logic, tiles, size)
        yield from ((enough, some) for some in pick(fitting, size))


def best_uses(end: End, number: int, player: int) -> Expression:
    """Return an upper bound of the points of a player's wall tiles 4, 5, 6 or 7.

    n or more tiles in hand → bound ≥ points of n tiles on any n features
    """
    fitting = targets(end, number, player)
    most = end.most(player, number) * max((target.most for target in fitting), default=0)
    if not most:
        return 0
    brings = end.logic.integer(0, most, f"brings{number}")
    for enough, some in picks(end, number, player, fitting):
        least = weighted(piece.term for target in some for piece in target.pieces)
        end.logic.within_if(enough, brings - least, 0, most)
    return brings


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who has more tokens, and how players use the wall tiles that may bring tokens."""

    numbers: tuple[frozenset[int], ...] = (frozenset(), frozenset())
    """By player: the wall tiles that may bring him tokens."""
    uses: tuple[tuple[Use, ...], ...] = ((), ())
    """By player: how he uses these wall tiles."""
    ahead: tuple[Lit, ...] = (False, False)
    """By player: he has more tokens, so he gets the empty area."""


class Won(NamedTuple):
    """A player's points when the last tile is laid."""

    score: Expression
    pieces: tuple[Piece, ...]
    """Points to be added to the score, as terms."""


def final_score(  # noqa: PLR0913 -- the parts of the formula
    end: End, area: Expression, contest: Contest, won: Won, player: int, *, own: bool
) -> Expression:
    """Return a player's final score, with an upper bound for the opponent's wall tiles."""
    logic, uses = end.logic, [*contest.uses[player]]
    score = won.score
    for number in sorted(TARGETS.keys() - contest.numbers[player]):
        if own:
            uses += chosen_uses(end, number, player, targets(end, number, player))
        else:
            score = score + best_uses(end, number, player)
    for ahead in (larger_keep(end, player), contest.ahead[player]):
        score = score + scored_if(logic, ahead, area, len(end.instance.empty))
    pieces = [*won.pieces, *brought(logic, uses), *courts(end, player)]
    nines = [(TILE_9() * count, tile) for count, tile in end.hands.held(player, POINTS_TILE)]
    return score + weighted([*total(logic, pieces), *nines])
