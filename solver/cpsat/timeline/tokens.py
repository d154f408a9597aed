"""Aerie tokens of The Falcon at the end: who has more of them scores the empty area too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from model.position import Rank
from model.switches import (
    AERIE_END_ORDER,
    AERIE_SCOPE,
    FALCONER_NEEDS_AERIE,
    FALCONER_ON_COURTS,
    SPECIAL_ON_WALL_SCORED,
)
from model.tiles import Kind
from solver.cpsat.logic import Lit, Logic, weighted
from solver.cpsat.timeline.claims import Claims
from solver.cpsat.timeline.ending import End, Use
from solver.cpsat.timeline.features import Led
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.specials import stands_on
from solver.cpsat.timeline.worth import Term

FAR = 999
"""More than any lead in tokens."""


def more_tokens(end: End, player: int, asker: int, uses: Sequence[Use]) -> Lit:
    """Return whether a player has more tokens than the other when they are compared.

    lead = lead now + Σ ± (aeries of each feature scored, and 1 for the scorer's falconer)

    Args:
        end: the end of the game.
        player: the player.
        asker: the player who uses wall tiles as he likes.
        uses: the features on which he may use them.

    """
    position = end.ground.position
    if not position.game.specials:
        return False
    held = [state.tokens for state in position.players]
    used = [(1 if player == asker else -1, *use) for use in uses]
    lead = (
        weighted([*_terms(end, player), *_by_tiles(end, asker, used)])
        + held[player]
        - held[1 - player]
    )
    if isinstance(lead, int):
        return end.logic.all_of((end.over, lead > 0))
    return end.logic.all_of((end.over, end.logic.within(lead, 1, FAR)))


def _terms(end: End, player: int) -> list[Term]:
    """Return the tokens that a player takes, less those of the other."""
    game = end.ground.position.game
    aeries, claims = _aeries(end.ground), end.claims
    terms: list[Term] = []
    for who, sign in ((player, 1), (1 - player, -1)):
        for one in end.led:
            scored = end.logic.all_of((one.complete, one.wins[who]))
            terms += _taken(end.logic, end.ground, claims, one, who, scored, aeries, sign)
        if game.value(AERIE_END_ORDER) == "first":
            continue
        on_courts = game.value(FALCONER_ON_COURTS) == "on"
        linked = aeries if game.value(AERIE_SCOPE) == "any_scoring" else []
        for court, held in end.held(Kind.COURT, who):
            terms += [
                (sign, end.logic.all_of((held, literal)))
                for literal in _adjoining(end.logic, court, linked)
            ]
            if on_courts:
                terms += _falconry(end.logic, end.ground, claims, court, who, held, aeries, sign)
    return [term for term in terms if term[1] is not False]


def _by_tiles(end: End, asker: int, used: Sequence[tuple[int, Led, Lit]]) -> list[Term]:
    """Return the tokens that the asker takes with wall tiles 4 to 6; none from courts here."""
    game, aeries = end.ground.position.game, _aeries(end.ground)
    if game.value(AERIE_END_ORDER) == "first":
        return []
    linked = aeries if game.value(AERIE_SCOPE) == "any_scoring" else []
    terms: list[Term] = []
    for leader in {one.leader for _, one, _ in used if one.kind is not Kind.COURT}:
        same = [entry for entry in used if entry[1].leader == leader]
        sign, one, _ = same[0]
        use = end.logic.any_of(literal for _, _, literal in same)
        terms += [(sign, end.logic.all_of((use, it))) for it in _adjoining(end.logic, one, linked)]
        if game.value(SPECIAL_ON_WALL_SCORED) == "on":
            terms += _falconry(end.logic, end.ground, end.claims, one, asker, use, aeries, sign)
    return [term for term in terms if term[1] is not False]


def _aeries(ground: Ground) -> list[frozenset[int]]:
    """Return for each aerie the parts that it adjoins."""
    old: dict[object, set[int]] = defaultdict(set)
    for part in ground.old:
        for aerie in part.feature.aeries:
            old[aerie].add(part.number)
    found = [frozenset(parts) for parts in old.values()]
    for tile, kind in enumerate(ground.kinds):
        numbers = [part.number for part in ground.new_of(tile)]
        found += [frozenset(numbers[s] for s in segments) for segments in kind.aeries]
    return found


def _adjoining(logic: Logic, one: Led, aeries: Sequence[frozenset[int]]) -> list[Lit]:
    """Return for each aerie whether it adjoins a feature; it counts once for it."""
    found = [
        logic.any_of(one.members.get(v, False) for v in sorted(parts))
        for parts in aeries
        if not parts.isdisjoint(one.members)
    ]
    return [literal for literal in found if literal is not False]


def _taken(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    ground: Ground,
    claims: Claims,
    one: Led,
    player: int,
    scored: Lit,
    aeries: Sequence[frozenset[int]],
    sign: int,
) -> list[Term]:
    """Return the tokens that a player takes for a feature if it is scored."""
    if scored is False:
        return []
    linked = [(sign, logic.all_of((scored, it))) for it in _adjoining(logic, one, aeries)]
    return linked + _falconry(logic, ground, claims, one, player, scored, aeries, sign)


def _falconry(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    ground: Ground,
    claims: Claims,
    one: Led,
    player: int,
    scored: Lit,
    aeries: Sequence[frozenset[int]],
    sign: int,
) -> list[Term]:
    """Return the token that a player's falconer brings on a feature if it is scored."""
    there = stands_on(logic, ground, claims, one, player, Rank.FALCONER)
    if ground.position.game.value(FALCONER_NEEDS_AERIE) == "on":
        there = logic.all_of((there, logic.any_of(_adjoining(logic, one, aeries))))
    return [(sign, logic.all_of((scored, there)))]
