"""Final scoring: keep, courts, wall tiles 4 to 9, and the largest connected area of empty cells.

Each part is a sum of terms for a player. The asker's use of wall tiles is a decision. The
opponent's wall tiles bring their best value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from burgrave.model.castle.final_uses import KEEP_TILE, POINTS_TILE
from burgrave.model.components import Rank
from burgrave.model.expansions.falcon.switches import (
    KING_DOUBLES_COURTS,
    KING_WITH_TILE_7,
    SPECIAL_ON_WALL_SCORED,
)
from burgrave.model.geometry import Cell, ring
from burgrave.model.rules.castle.final_tiles import TARGETS, TILE_9
from burgrave.model.rules.castle.keeps import A_MARKET, KEEP_BONUS
from burgrave.model.switches import (
    EMPTY_AREA_ADJACENCY,
    END_TILE_ONCE_PER_FEATURE,
    KEEP_BONUS_NEEDS_KEEP,
    KEEP_BONUS_STACKS,
    START_SPACE_IN_KEEP,
)
from burgrave.model.tiles import Kind, Mark
from burgrave.solver.cpsat.base.connectivity import classes
from burgrave.solver.cpsat.base.cp import (
    Expression,
    IntVar,
    Lit,
    Logic,
    Term,
    at_least,
    no,
    weighted,
)
from burgrave.solver.cpsat.base.features import FeatureVars, Piece, earned, total
from burgrave.solver.cpsat.base.placement import PlacementVars
from burgrave.solver.cpsat.castle.features import points, stands_on
from burgrave.solver.cpsat.castle.markers import CastlePlay

BEYOND_SCORES = 1_000_000
"""More than any score of a game; CP-SAT needs finite numbers."""


def largest_area(placement: PlacementVars) -> IntVar:
    """Return the size of the largest connected empty area: of the largest class of empty cells.

    Cells are in order of elimination: one with fewest neighbours among those left comes first.
    """
    logic, instance = placement.logic, placement.instance
    diagonal = instance.position.game.value(EMPTY_AREA_ADJACENCY) == "diagonal"
    beside = {
        cell: instance.empty & (ring(cell) if diagonal else {c for _, c in cell.neighbours()})
        for cell in sorted(instance.empty)
    }
    left, empty = dict(beside), dict[Cell, Lit]()
    while left:
        cell = min(left, key=lambda one: len(left[one]))
        around, empty[cell] = left.pop(cell), no(placement.full(cell, len(instance.kinds) - 1))
        for near in around:
            left[near] = (left[near] | around) - {near, cell}
    adjacent = {(i, j): True for i, j in combinations(empty, 2) if j in beside[i]}
    found = classes(logic, empty, adjacent)
    sums = [weighted((1, one) for one in inside.values()) for _, inside in found]
    area = logic.integer(0, len(empty), "area")
    logic.model.add_max_equality(area, [0, *sums])
    return area


def scored_if(logic: Logic, literal: Lit, number: Expression, most: int) -> Expression:
    """Return a number, from 0 to ``most``, if a literal holds; otherwise 0."""
    if isinstance(literal, bool):
        return number if literal else 0
    found = logic.integer(0, most, "if")
    logic.equal_if(literal, found, number)
    logic.equal_if(no(literal), found, 0)
    return found


def _keep(play: CastlePlay, player: int) -> Expression:
    """Return the size of a player's keep with his wall tiles 8; 0 for none.

    keep = max(keep now, Σ tiles of each house that he scores)
    """
    logic, position = play.logic, play.instance.position
    game, now = position.game, position.players[player].keep
    starts = game.value(START_SPACE_IN_KEEP) == "on"
    sizes: list[list[Term]] = [
        [
            (bunch.tiles if starts else bunch.inside, logic.all_of((scored, here)))
            for bunch, here in one.tiles
        ]
        for one in play.features
        if one.kind is Kind.HOUSE and (scored := one.scored(logic, player)) is not False
    ]
    keep: Expression = now
    if sizes:
        most = max(now, *(sum(tiles for tiles, _ in size) for size in sizes))
        keep = logic.integer(now, most, f"keep{player}")
        logic.model.add_max_equality(keep, [now, *(weighted(size) for size in sizes)])
    tiles = play.hand(player, KEEP_TILE)
    if game.value(KEEP_BONUS_STACKS) == "off" and tiles:
        tiles = [(1, logic.any_of(literal for _, literal in tiles))]
    larger = keep + weighted((KEEP_BONUS * count, literal) for count, literal in tiles)
    if game.value(KEEP_BONUS_NEEDS_KEEP) == "off" or not tiles:
        return larger
    most = KEEP_BONUS * sum(count for count, _ in tiles) + 999
    return scored_if(logic, logic.within(keep, 1, 999), larger, most)


def courts(play: CastlePlay, player: int) -> list[Piece]:
    """Return a player's points for markets on his courts, which a king doubles."""
    found = []
    for one, held in play.held(Kind.COURT, player):
        factors = ((A_MARKET, True), (A_MARKET, _crowned(play, one, player)))
        found += earned(play.logic, one, player, held, _markets(play, one), factors)
    return found


def _crowned(play: CastlePlay, court: FeatureVars, player: int) -> Lit:
    """Return whether a player's king doubles a court."""
    game = play.instance.position.game
    if not game.specials or game.value(KING_DOUBLES_COURTS) == "off":
        return False
    return stands_on(play.table, court, player, Rank.KING)


def _markets(play: CastlePlay, court: FeatureVars) -> list[tuple[frozenset[int], int, Lit]]:
    """Return the parts with markets that may belong to a court, with their number."""
    return [
        (frozenset({v}), count, literal)
        for v, literal in court.members.items()
        if (count := play.instance.parts[v].feature.count(Mark.MARKET))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A feature on which a player may use wall tiles 4, 5, 6 or 7 at the end."""

    one: FeatureVars
    held: Lit
    pieces: Sequence[Piece]
    """The points of one wall tile if ``held``."""


class Use(NamedTuple):
    """A wall tile used at the end."""

    target: Target
    again: int
    """The number of wall tiles used on the same feature before it."""
    literal: Lit
    """Whether it is used."""


def targets(play: CastlePlay, number: int, player: int) -> list[Target]:
    """Return the features on which a player may use wall tiles of a number."""
    game, found = play.instance.position.game, []
    for one, held in play.held(TARGETS[number][0], player):
        if one.kind is Kind.COURT:
            crowned = _crowned(play, one, player)
            factors: tuple[Term, ...] = ((1, True), (1, crowned))
            if crowned is not False and game.value(KING_WITH_TILE_7) == "off":
                # The tile would bring 1 point a market, and cost the 3 of the king.
                factors = ((1, no(crowned)),)
            pieces = earned(play.logic, one, player, held, _markets(play, one), factors)
        else:
            doubling = game.specials and game.value(SPECIAL_ON_WALL_SCORED) != "off"
            kings = (play.earned[one.leader, player].royal,) if doubling else ()
            pieces = points(play.table, one, player, held, kings)
        if pieces:
            found.append(Target(one=one, held=held, pieces=pieces))
    return found


def _once(play: CastlePlay) -> bool:
    """Tell whether at most one wall tile of a number is used on a feature."""
    return play.instance.position.game.value(END_TILE_ONCE_PER_FEATURE) == "on"


def chosen_uses(play: CastlePlay, number: int, player: int, fitting: Iterable[Target]) -> list[Use]:
    """Make a player's decisions on his wall tiles 4, 5, 6 or 7 for features that fit.

    Σ uses ≤ tiles in hand; use → held; by a switch, one use for each feature
    """
    logic, most = play.logic, play.most(player, number)
    uses: list[Use] = []
    for target in fitting:
        for again in range(min(most, 1) if _once(play) else most):
            use = logic.decision(f"final{number}")
            logic.clause(~use, target.held)
            uses.append(Use(target, again, use))
    if uses:
        spent = weighted((1, use.literal) for use in uses)
        logic.model.add(spent <= weighted(play.hand(player, number)))
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
    play: CastlePlay, number: int, player: int, fitting: Sequence[Target]
) -> Iterator[tuple[Lit, tuple[Target, ...]]]:
    """Yield each choice of features for wall tiles of a number, and whether he has enough.

    The player need not hold the features.
    """
    pick = combinations if _once(play) else combinations_with_replacement
    tiles = play.hand(player, number)
    for size in range(play.most(player, number) + 1):
        enough = at_least(play.logic, tiles, size)
        yield from ((enough, some) for some in pick(fitting, size))


def best_uses(play: CastlePlay, number: int, player: int) -> Expression:
    """Return an upper bound of the points of a player's wall tiles 4, 5, 6 or 7.

    n or more tiles in hand → bound ≥ points of n tiles on any n features
    """
    fitting = targets(play, number, player)
    points_of_one = (sum(piece.weight for piece in target.pieces) for target in fitting)
    most = play.most(player, number) * max(points_of_one, default=0)
    if not most:
        return 0
    brings = play.logic.integer(0, most, f"brings{number}")
    for enough, some in picks(play, number, player, fitting):
        least = weighted(piece.term for target in some for piece in target.pieces)
        play.logic.within_if(enough, brings - least, 0, most)
    return brings


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who has more tokens, and how players use the wall tiles that may bring tokens."""

    numbers: tuple[frozenset[int], ...] = (frozenset(), frozenset())
    """By player: the wall tiles that may bring him tokens."""
    uses: Sequence[Sequence[Use]] = ((), ())
    """By player: how he uses these wall tiles."""
    ahead: tuple[Lit, ...] = (False, False)
    """By player: he has more tokens, so he gets the empty area."""


def final_score(
    play: CastlePlay, area: Expression, contest: Contest, player: int, *, own: bool
) -> Expression:
    """Return a player's final score, with an upper bound for the opponent's wall tiles."""
    logic, uses = play.logic, [*contest.uses[player]]
    score, won = play.won(player)
    for number in sorted(TARGETS.keys() - contest.numbers[player]):
        if own:
            uses += chosen_uses(play, number, player, targets(play, number, player))
        else:
            score = score + best_uses(play, number, player)
    larger_keep = logic.within(_keep(play, player) - _keep(play, 1 - player), 1, 999)
    for ahead in (larger_keep, contest.ahead[player]):
        score = score + scored_if(logic, ahead, area, len(play.instance.empty))
    pieces = [*won, *brought(logic, uses), *courts(play, player)]
    nines = [(TILE_9() * count, tile) for count, tile in play.hand(player, POINTS_TILE)]
    return score + weighted([*total(logic, pieces), *nines])
