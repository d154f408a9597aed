"""Points of features in a castle; kings and wall tiles that double them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.expansions.falcon.specials import ONCE
from burgrave.model.expansions.falcon.switches import FOUNTAIN_IS_DOUBLING, KING_BARS_DOUBLING
from burgrave.model.rules.castle.wall_tiles import DOUBLERS, STACK, WHEN
from burgrave.model.switches import DOUBLE_ONCE, WALL_OWN_TURN_ONLY
from burgrave.model.tiles import Mark
from burgrave.solver.cpsat.base.cp import Lit, Literal, Term, at_least, no
from burgrave.solver.cpsat.base.features import FeatureVars, Piece, earned, has
from burgrave.solver.cpsat.castle.turns import CastleTable

NUMBER_FOR = {kind: number for number, kind in DOUBLERS.items()}
"""The wall tile that doubles a kind of feature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earning:
    """A feature as a player may score it in play."""

    one: FeatureVars
    player: int
    royal: Lit
    """His king doubles its points for him."""
    barred: Lit
    """A king forbids him to double it with wall tiles."""
    uses: tuple[Literal, ...]
    """Decisions "he uses at least 1, 2, … wall tiles on it"."""
    pieces: Sequence[Piece]
    """Its points for him."""


Earned = Mapping[tuple[int, int], Earning]
"""By leader and player."""


def in_play(
    table: CastleTable, features: Iterable[FeatureVars], most: Callable[[int, int], int]
) -> Earned:
    """Return what each feature brings each player in play, doubled by a king or by wall tiles.

    ``most`` is the maximum number of wall tiles that a player can use, by player and number.
    """
    logic, game = table.logic, table.instance.position.game
    found: dict[tuple[int, int], Earning] = {}
    for one in features:
        royal = barred = kings = [stands_on(table, one, player, Rank.KING) for player in (0, 1)]
        if game.specials:
            fountain = game.value(FOUNTAIN_IS_DOUBLING) == "on" and has(
                table.placement, one, Mark.FOUNTAIN
            )
            royal = [logic.all_of((king, no(fountain))) for king in kings]
            any_king = game.value(KING_BARS_DOUBLING) == "any"
            barred = [logic.any_of(kings)] * 2 if any_king else kings
        for player in (0, 1):
            scored, uses, pieces = one.scored(logic, player), tuple[Literal, ...](), list[Piece]()
            if scored is not False:
                uses = _doubling(table, one, player, barred[player], most)
                twice = logic.any_of((royal[player], *uses[:1]))
                pieces = points(table, one, player, scored, (twice, *uses[1:]))
            found[one.leader, player] = Earning(
                one=one,
                player=player,
                royal=royal[player],
                barred=barred[player],
                uses=uses,
                pieces=pieces,
            )
    return found


def _doubling(
    table: CastleTable, one: FeatureVars, player: int, barred: Lit, most: Callable[[int, int], int]
) -> tuple[Literal, ...]:
    """Make a player's decisions to double a feature; ``within_hands`` demands that he can.

    use[j+1] → use[j] → scored

    stack → not use[2]

    once and use[1] → not barred

    by a switch: when → (use[1] and completed in turn t → the turn is his)
    """
    logic, game = table.logic, table.instance.position.game
    if one.kind not in NUMBER_FOR:
        return ()
    count = most(player, NUMBER_FOR[one.kind])
    once = game.value(DOUBLE_ONCE) == "on"
    if once and not logic.explain:
        count = min(count, 1)
    uses = tuple(logic.decision("use") for _ in range(count))
    for less, more in zip((one.scored(logic, player), *uses), uses, strict=False):
        logic.clause(~more, less)
    for more in uses[1:] if once else ():
        logic.demand(STACK, ~more)
    if uses:
        logic.demand(ONCE, ~uses[0], no(barred))
        for tile in one.done if game.value(WALL_OWN_TURN_ONLY) == "on" else ():
            his, now = table.moves[tile][player], one.completed_in(logic, tile)
            logic.demand(WHEN, ~uses[0], no(now), his)
    return uses


def stands_on(table: CastleTable, one: FeatureVars, player: int, rank: Rank) -> Lit:
    """Return whether the king or falconer of a player is on the feature that a part leads."""
    return table.logic.any_of(
        table.logic.all_of((literal, table.has_rank(unit, rank)))
        for unit, literal in one.on[player].items()
    )


def points(
    table: CastleTable, one: FeatureVars, player: int, scored: Lit, doubled: Sequence[Lit] = ()
) -> list[Piece]:
    """Return a feature's points for a player, ``doubled`` once, twice, and so on.

    Σ weight · (scored and tile), twice for a path with a fountain. Where points go by steps,
    Σ_n (steps[n] - steps[n-1]) · (scored and size ≥ n).
    """
    logic = table.logic
    worth = book_of(table.instance.position.game).table(table.instance.position.game).get(one.kind)
    each = 0 if worth is None else worth.done
    units = [(bunch.parts, each * bunch.tiles, here) for bunch, here in one.tiles if each]
    factors: list[Term] = [(1, True), *((1 << n, twice) for n, twice in enumerate(doubled))]
    for mark, (done, _) in {} if worth is None else worth.by.items():
        there, more = has(table.placement, one, mark), done // each - 1
        factors += [(more * factor, logic.all_of((way, there))) for factor, way in factors]
    if worth is not None and worth.steps:
        size = [(bunch.tiles, here) for bunch, here in one.tiles]
        here = worth.steps[: sum(tiles for tiles, _ in size) + 1]
        units = [
            (frozenset({one.leader}), more - less, at_least(logic, size, n))
            for n, (less, more) in enumerate(pairwise(here), 1)
        ]
    return earned(logic, one, player, scored, units, factors)
