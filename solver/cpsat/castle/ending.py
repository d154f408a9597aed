"""Final scoring: keep, courts, wall tiles 4 to 9, for the asker and against him.

Nothing of it counts unless the game is over. Each part is a sum of terms for a player; the
asker chooses for what he uses his wall tiles, the opponent's bring what is best for him.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.castle.final_uses import KEEP_TILE, POINTS_TILE
from model.components import Rank
from model.rules.castle.final_tiles import TARGETS, TILE_9
from model.rules.castle.keeps import KEEP_BONUS
from model.switches import (
    END_TILE_ONCE_PER_FEATURE,
    KEEP_BONUS_NEEDS_KEEP,
    KEEP_BONUS_STACKS,
    KING_DOUBLES_COURTS,
    KING_WITH_TILE_7,
    SPECIAL_ON_WALL_SCORED,
    START_SPACE_IN_KEEP,
)
from model.tiles import Kind, Mark
from solver.cpsat.base.cp import Expression, IntVar
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Term, no, weighted
from solver.cpsat.castle.features import Crowns, stands_on
from solver.cpsat.castle.scoring import points, worth
from solver.cpsat.castle.wall_tiles import Hands
from solver.cpsat.shared.claims import Claims
from solver.cpsat.shared.features import FeatureVars
from solver.cpsat.shared.points import Piece, marks

LAYERS = 4
"""Layers that one use of a wall tile has: tiles and fountain, and what a king adds to each."""
A_MARKET = 3
"""Points a market on a court."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The end of the game, ready for formulas."""

    logic: Logic
    instance: Instance
    features: Sequence[FeatureVars]
    claims: Claims
    crowned: Crowns
    hands: Hands
    over: Lit
    """Whether the game is over, so that final scoring takes place."""
    last: tuple[Lit, Lit]
    """By player: in final scoring he comes first, since the last turn was his."""

    def held(self, kind: Kind, player: int) -> list[tuple[FeatureVars, Lit]]:
        """Return the features of a kind that a player holds in the end, uncompleted ones."""
        found: list[tuple[FeatureVars, Lit]] = []
        for one in self.features:
            if one.kind is kind:
                leads = one.members[one.leader]
                literal = self.logic.all_of((self.over, leads, one.wins[player], no(one.complete)))
                if literal is not False:
                    found.append((one, literal))
        return found


def larger_keep(end: End, player: int) -> Lit:
    """Return whether a player's keep, wall tiles 8 included, is the larger one at the end."""
    logic = end.logic
    mine, theirs = (_keep(end, who) for who in (player, 1 - player))
    if isinstance(mine, int) and isinstance(theirs, int):
        return logic.all_of((end.over, mine > theirs))
    return logic.all_of((end.over, logic.within(mine - theirs, 1, 999)))


def _keep(end: End, player: int) -> Expression:
    """Return the size of a player's keep with his wall tiles 8; 0 for none.

    keep = max(keep now, Σ tiles of each house that he scores)
    """
    logic, position = end.logic, end.instance.position
    now = position.players[player].keep
    counts_starts = position.game.value(START_SPACE_IN_KEEP) == "on"
    sizes: list[list[Term]] = []
    for one in end.features:
        scored = logic.all_of((one.complete, one.wins[player]))
        if one.kind is Kind.HOUSE and scored is not False:
            value = worth(logic, end.instance, one)
            size = value.size(inside=not counts_starts)
            sizes.append([(tiles, logic.all_of((scored, here))) for tiles, here in size])
    keep: Expression = now
    if sizes:
        most = max(now, *(sum(tiles for tiles, _ in size) for size in sizes))
        keep = logic.integer(now, most, f"keep{player}")
        logic.model.add_max_equality(keep, [now, *(weighted(size) for size in sizes)])
    return _enlarged(end, player, keep)


def _enlarged(end: End, player: int, keep: Expression) -> Expression:
    """Return a keep with the player's wall tiles 8."""
    logic, game = end.logic, end.instance.position.game
    tiles = end.hands.final(player, KEEP_TILE)
    if game.value(KEEP_BONUS_STACKS) == "off" and tiles:
        tiles = [(1, logic.any_of(literal for _, literal in tiles))]
    bonus = weighted((KEEP_BONUS * count, literal) for count, literal in tiles)
    if game.value(KEEP_BONUS_NEEDS_KEEP) == "off" or not tiles:
        return keep + bonus
    if isinstance(keep, int):
        return keep + bonus if keep else 0
    has = logic.within(keep, 1, 999)
    most = KEEP_BONUS * sum(count for count, _ in tiles) + 999
    total = logic.integer(0, most, f"enlarged{player}")
    logic.equal_if([has], total, keep + bonus)
    logic.equal_if([no(has)], total, 0)
    return total


def court_points(end: End, player: int) -> list[Term]:
    """Return 3 points a market on each court that a player holds, without wall tiles 7.

    A king brings the same again.
    """
    ways: dict[int, list[Lit]] = defaultdict(list)
    royal: dict[int, list[Lit]] = defaultdict(list)
    for one, held in end.held(Kind.COURT, player):
        for v, literal in one.members.items():
            if markets(end.instance, v):
                ways[v].append(end.logic.all_of((held, literal)))
                royal[v].append(end.logic.all_of((held, literal, _crowned(end, one, player))))
    return [
        (A_MARKET * markets(end.instance, v), end.logic.any_of(literals))
        for some in (ways, royal)
        for v, literals in some.items()
    ]


def _crowned(end: End, court: FeatureVars, player: int) -> Lit:
    """Return whether a player's king doubles a court."""
    game = end.instance.position.game
    if not game.specials or game.value(KING_DOUBLES_COURTS) == "off":
        return False
    return stands_on(end.logic, end.instance, end.claims, court, player, Rank.KING)


def nines(end: End, player: int) -> list[Term]:
    """Return the points of a player's wall tiles 9."""
    logic = end.logic
    return [
        (TILE_9() * count, logic.all_of((end.over, literal)))
        for count, literal in end.hands.final(player, POINTS_TILE)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A feature on which a player may use wall tiles 4, 5, 6 or 7 at the end."""

    number: int
    """Of the wall tiles."""
    one: FeatureVars
    held: Lit
    pieces: tuple[Piece, ...]
    """What one tile brings if ``held``."""


class Use(NamedTuple):
    """A wall tile used at the end."""

    target: Target
    again: int
    """How many are used on the same feature before it."""
    literal: Lit
    """Whether it is."""


def targets(end: End, number: int, player: int) -> list[Target]:
    """Return the features on which a player may use wall tiles of a number."""
    found = []
    for one, held in end.held(TARGETS[number][0], player):
        value = worth(end.logic, end.instance, one)
        if one.kind is Kind.COURT:
            crowned = _crowned(end, one, player)
            if crowned is not False and end.instance.position.game.value(KING_WITH_TILE_7) == "off":
                # The tile would bring 1 a market, and take the king's 3.
                pieces = _market_pieces(end, one, player, end.logic.all_of((held, no(crowned))), 0)
            else:
                twice = end.logic.all_of((held, crowned))
                pieces = _market_pieces(end, one, player, held, 0)
                pieces += _market_pieces(end, one, player, twice, 1)
        else:
            pieces = points(end.logic, one, value, player, held, _kings(end, one, player))
        if pieces:
            found.append(Target(number=number, one=one, held=held, pieces=tuple(pieces)))
    return found


def _market_pieces(end: End, one: FeatureVars, player: int, held: Lit, layer: int) -> list[Piece]:
    """Return a point for each market on a court."""
    return [
        Piece(player, count, both, frozenset({v}), layer)
        for v, literal in one.members.items()
        if (count := markets(end.instance, v))
        and (both := end.logic.all_of((held, literal))) is not False
    ]


def markets(instance: Instance, number: int) -> int:
    """Return the markets on a part."""
    return marks(instance, number).count(Mark.MARKET)


def _kings(end: End, one: FeatureVars, player: int) -> tuple[Lit, ...]:
    """Return whether a player's king doubles what a wall tile 4, 5 or 6 scores, if he can."""
    game = end.instance.position.game
    if not game.specials or game.value(SPECIAL_ON_WALL_SCORED) == "off":
        return ()
    return (end.crowned.royal[one.leader, player],)


def tiles_at_end(end: End, number: int, player: int) -> int:
    """Return how many wall tiles of a number a player can have at the end at most."""
    return sum(count for count, _ in end.hands.final(player, number))


def times(end: End, number: int, player: int) -> int:
    """Return how many wall tiles of a number a player can use on one feature at most."""
    once = end.instance.position.game.value(END_TILE_ONCE_PER_FEATURE) == "on"
    most = tiles_at_end(end, number, player)
    return min(most, 1) if once else most


def chosen_uses(end: End, number: int, player: int, fitting: Iterable[Target]) -> list[Use]:
    """Make the decisions of a player on his wall tiles 4, 5, 6 or 7.

    Σ uses ≤ tiles in hand; use → held; by the switch one use a feature.

    Args:
        end: the end of the game.
        number: of the wall tiles.
        player: whose they are.
        fitting: the features on which he may use them.

    """
    logic = end.logic
    uses: list[Use] = []
    for target in fitting:
        for again in range(times(end, number, player)):
            use = logic.decision(f"final{number}")
            logic.clause(~use, target.held)
            uses.append(Use(target, again, use))
    if uses:
        spent = weighted((1, use.literal) for use in uses)
        logic.model.add(spent <= weighted(end.hands.final(player, number)))
    return uses


def brought(logic: Logic, uses: Iterable[Use]) -> list[Piece]:
    """Return what wall tiles used at the end bring."""
    return [
        # Layers tell a second use of a feature from the first.
        piece._replace(
            layer=piece.layer + LAYERS * again, literal=logic.all_of((use, piece.literal))
        )
        for target, again, use in uses
        for piece in target.pieces
    ]


def best_uses(end: End, number: int, player: int) -> Expression:
    """Return no less than what a player's wall tiles 4, 5, 6 or 7 bring on the best features.

    For n tiles, each used on another feature: the sum of the n largest values is the least of
    n · s + Σ max(0, value - s) over all s. If one feature can be used again: n · value.
    """
    logic = end.logic
    tiles = end.hands.final(player, number)
    most = tiles_at_end(end, number, player)
    fitting = targets(end, number, player)
    values = [weighted(piece.term for piece in target.pieces) for target in fitting]
    highest = max((sum(piece.weight for piece in target.pieces) for target in fitting), default=0)
    if not most or not highest:
        return 0
    once = end.instance.position.game.value(END_TILE_ONCE_PER_FEATURE) == "on"
    brings = logic.integer(0, most * highest, f"brings{number}")
    for count in range(1, most + 1):
        exactly = logic.within(weighted(tiles), count, count) if _varies(tiles) else count == most
        if exactly is False:
            continue
        if once:
            _sum_of_largest(logic, exactly, count, brings, values, highest)
        else:
            for value in values:
                logic.within_if(exactly, brings - count * value, 0, most * highest)
    return brings


def _varies(tiles: Sequence[Term]) -> bool:
    """Tell whether it is not known how many tiles a player will have."""
    return any(not isinstance(literal, bool) for _, literal in tiles)


def _sum_of_largest(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    exactly: Lit,
    count: int,
    brings: IntVar,
    values: Sequence[Expression],
    highest: int,
) -> None:
    """Demand exactly → brings ≥ the sum of the ``count`` largest values."""
    bar = logic.integer(0, highest, "bar")
    above: Expression = 0
    for value in values:
        over = logic.integer(0, highest, "over")
        logic.model.add(over >= value - bar)
        above += over
    logic.within_if(exactly, brings - count * bar - above, 0, 10**6)
