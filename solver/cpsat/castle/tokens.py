"""Aerie tokens of The Falcon: who leads by how many before wall tiles 4 to 6 are used.

The order of scoring matters by two switches: an aerie may bring one token only, for the first
feature that is scored, and a lead may end at the tokens there are. A *round* is a turn or the
courts of final scoring: in each the one player takes all his tokens first, then the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.components import Rank
from model.rules.falcon.aeries import TOKENS
from model.switches import (
    AERIE_END_ORDER,
    AERIE_SCOPE,
    AERIE_SHARED,
    AERIE_SUPPLY,
    FALCONER_NEEDS_AERIE,
    FALCONER_ON_COURTS,
    SPECIAL_ON_WALL_SCORED,
)
from model.tiles import Kind
from solver.cpsat.base.cp import Expression
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, no, weighted
from solver.cpsat.castle.ending import End
from solver.cpsat.castle.features import stands_on
from solver.cpsat.shared.features import FeatureVars

FAR = 999
"""More than any lead in tokens."""


class Bringing(NamedTuple):
    """What a feature brings the player who scores it."""

    aeries: Mapping[int, Lit]
    """By aerie: it adjoins the feature and so brings a token, if it still does."""
    falconer: Lit
    """Whether his falconer on it brings one."""

    @property
    def any(self) -> bool:
        """Whether there is a token that it may bring."""
        return bool(self.aeries) or self.falconer is not False


class _Scored(NamedTuple):
    """A feature that a player may score in a round."""

    one: FeatureVars
    literal: Lit
    brings: Bringing


class _Round(NamedTuple):
    """Who scores what."""

    first: tuple[Lit, Lit]
    """By player: his features are scored first."""
    scored: tuple[Sequence[_Scored], Sequence[_Scored]]
    """By player."""

    def pairs(self, player: int) -> Iterator[tuple[Lit, Bringing]]:
        """Yield whether a player scores a feature, and what it brings him."""
        return ((scored.literal, scored.brings) for scored in self.scored[player])


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """The tokens when only those for wall tiles 4 to 6 are still to be taken."""

    lead: Expression
    """The first player's tokens less the second's."""
    gone: Mapping[int, Lit] | None
    """By aerie: it brings no more tokens. None if each brings one to every feature."""
    capped: bool
    """Whether a lead may meet the limit of the tokens there are."""

    def added(self, logic: Logic, player: int, tokens: Sequence[Lit]) -> Expression:
        """Return a player's lead once he has taken more tokens, before the other takes any."""
        lead = (self.lead if player == 0 else -self.lead) + weighted((1, one) for one in tokens)
        return _least(logic, lead, TOKENS) if self.capped else lead


def ahead(logic: Logic, over: Lit, lead: Expression) -> Lit:
    """Return whether the game is over and a lead is one."""
    if isinstance(lead, int):
        return logic.all_of((over, lead > 0))
    return logic.all_of((over, logic.within(lead, 1, FAR)))


def purse(end: End) -> Purse:
    """Return who leads by how many tokens before wall tiles 4 to 6 are used."""
    instance = end.instance
    game = instance.position.game
    held = [state.tokens for state in instance.position.players]
    linked = aeries(instance)
    once = game.value(AERIE_SHARED) == "first"
    most = len(linked) if once else sum(map(len, linked.values()))
    # A falconer brings one in a turn, and one at the end.
    most += 2 * (len(instance.kinds) + 1)
    capped = game.value(AERIE_SUPPLY) == "capped" and most >= TOKENS
    rounds = _turns(end, linked) if once or capped else [_play(end, linked)]
    if not compared_first(end):
        rounds.append(_courts(end, linked))
    lead: Expression = held[0] - held[1]
    gone: dict[int, Lit] = {}
    for one in rounds:
        taken = tuple(_taken(end.logic, one, player, gone if once else None) for player in (0, 1))
        if once:
            _mark(end.logic, one, gone)
        if capped:
            lead = _walked(end.logic, lead, one.first, taken)
        else:
            lead += weighted((1, token) for token in taken[0])
            lead -= weighted((1, token) for token in taken[1])
    return Purse(lead=lead, gone=gone if once else None, capped=capped)


def compared_first(end: End) -> bool:
    """Tell whether tokens are compared before those of final scoring are taken."""
    return end.instance.position.game.value(AERIE_END_ORDER) == "first"


def aeries(instance: Instance) -> dict[int, frozenset[int]]:
    """Return by number the aeries that may bring tokens, with the parts that each adjoins."""
    old: dict[object, set[int]] = defaultdict(set)
    for part in instance.old:
        for aerie in part.feature.aeries:
            if aerie not in instance.position.taken_aeries:
                old[aerie].add(part.number)
    found = [frozenset(parts) for parts in old.values()]
    for tile, kind in enumerate(instance.kinds):
        numbers = [part.number for part in instance.new_of(tile)]
        found += [frozenset(numbers[s] for s in segments) for segments in kind.aeries]
    return dict(enumerate(found))


def tiled(
    end: End, one: FeatureVars, player: int, linked: Mapping[int, frozenset[int]]
) -> Bringing:
    """Return what a feature brings a player who uses a wall tile 4, 5 or 6 on it."""
    falconers = end.instance.position.game.value(SPECIAL_ON_WALL_SCORED) == "on"
    return _brings(end, one, player, linked, completed=False, falconers=falconers)


def tokens(
    logic: Logic, scored: Iterable[tuple[Lit, Bringing]], gone: Mapping[int, Lit] | None
) -> tuple[list[Lit], dict[int, Lit]]:
    """Return each token that features bring a player who scores them at once.

    Args:
        logic: the model.
        scored: whether he scores a feature, and what it brings.
        gone: by aerie whether it brings no more; None if each brings one to every feature.

    Returns:
        The tokens, and by aerie whether one of the features adjoins it.

    """
    found: list[Lit] = []
    near: dict[int, list[Lit]] = defaultdict(list)
    for literal, brings in scored:
        found.append(logic.all_of((literal, brings.falconer)))
        for aerie, adjoins in brings.aeries.items():
            near[aerie].append(logic.all_of((literal, adjoins)))
    adjoining = {aerie: logic.any_of(ways) for aerie, ways in near.items()}
    if gone is None:
        found += [way for ways in near.values() for way in ways]
    else:
        found += [
            logic.all_of((literal, no(gone.get(aerie, False))))
            for aerie, literal in adjoining.items()
        ]
    return [token for token in found if token is not False], adjoining


def _brings(  # noqa: PLR0913 -- the parts of the formula
    end: End,
    one: FeatureVars,
    player: int,
    linked: Mapping[int, frozenset[int]],
    *,
    completed: bool,
    falconers: bool,
) -> Bringing:
    """Return what a feature brings a player who scores it."""
    logic, game = end.logic, end.instance.position.game
    adjoining = {
        aerie: logic.any_of(one.members.get(v, False) for v in sorted(parts))
        for aerie, parts in linked.items()
        if not parts.isdisjoint(one.members)
    }
    there: Lit = False
    if falconers:
        there = stands_on(logic, end.instance, end.claims, one, player, Rank.FALCONER)
        if game.value(FALCONER_NEEDS_AERIE) == "on":
            there = logic.all_of((there, _beside_aerie(end, one)))
    counted = completed or game.value(AERIE_SCOPE) == "any_scoring"
    return Bringing(aeries=adjoining if counted else {}, falconer=there)


def _beside_aerie(end: End, one: FeatureVars) -> Lit:
    """Return whether a feature adjoins an aerie, taken ones included."""
    instance = end.instance
    beside = {part.number for part in instance.old if part.feature.aeries}
    for tile, kind in enumerate(instance.kinds):
        near = {segment for segments in kind.aeries for segment in segments}
        beside |= {part.number for part in instance.new_of(tile) if part.segment in near}
    return end.logic.any_of(one.members.get(v, False) for v in sorted(beside))


def _play(end: End, linked: Mapping[int, frozenset[int]]) -> _Round:
    """Return all that is scored in play, as if at once."""
    first, second = (
        [
            _Scored(one, literal, _brings(end, one, player, linked, completed=True, falconers=True))
            for one in end.features
            if (literal := end.logic.all_of((one.complete, one.wins[player]))) is not False
        ]
        for player in (0, 1)
    )
    return _Round(first=(True, False), scored=(first, second))


def _turns(end: End, linked: Mapping[int, frozenset[int]]) -> list[_Round]:
    """Return what is scored turn by turn."""
    whole = _play(end, linked)
    found = []
    for tile, moves in enumerate(end.hands.turns.moves):
        first, second = (
            [
                scored._replace(literal=now)
                for scored in whole.scored[player]
                if (now := _completed(end.logic, scored.one, tile, player)) is not False
            ]
            for player in (0, 1)
        )
        found.append(_Round(first=moves, scored=(first, second)))
    return found


def _completed(logic: Logic, one: FeatureVars, tile: int, player: int) -> Lit:
    """Return whether a player scores a feature in the turn of a tile."""
    done, before = one.done.get(tile, False), one.done.get(tile - 1, False)
    return logic.all_of((done, no(before), one.wins[player]))


def _courts(end: End, linked: Mapping[int, frozenset[int]]) -> _Round:
    """Return the courts of final scoring: those of the player of the last turn come first."""
    falconers = end.instance.position.game.value(FALCONER_ON_COURTS) == "on"
    first, second = (
        [
            _Scored(
                court,
                held,
                _brings(end, court, player, linked, completed=False, falconers=falconers),
            )
            for court, held in end.held(Kind.COURT, player)
        ]
        for player in (0, 1)
    )
    return _Round(first=end.last, scored=(first, second))


def _taken(logic: Logic, one: _Round, player: int, gone: Mapping[int, Lit] | None) -> list[Lit]:
    """Return each token that a player takes in a round."""
    if gone is not None:
        _, theirs = tokens(logic, one.pairs(1 - player), gone)
        earlier = one.first[1 - player]
        gone = {
            aerie: logic.any_of(
                (
                    gone.get(aerie, False),
                    logic.all_of((earlier, theirs.get(aerie, False))),
                )
            )
            for aerie in gone.keys() | theirs.keys()
        }
    return tokens(logic, one.pairs(player), gone)[0]


def _mark(logic: Logic, one: _Round, gone: dict[int, Lit]) -> None:
    """Add the aeries that bring no more tokens after a round."""
    for player in (0, 1):
        for aerie, literal in tokens(logic, one.pairs(player), gone)[1].items():
            gone[aerie] = logic.any_of((gone.get(aerie, False), literal))


def _walked(
    logic: Logic, lead: Expression, first: tuple[Lit, Lit], taken: Sequence[Sequence[Lit]]
) -> Expression:
    """Return the first player's lead after a round if a lead ends at the tokens there are."""
    plus, minus = (weighted((1, token) for token in some) for some in taken)
    if not taken[1]:
        return _least(logic, lead + plus, TOKENS) if taken[0] else lead
    if not taken[0]:
        return -_least(logic, minus - lead, TOKENS)
    after = logic.integer(-TOKENS, TOKENS, "tokens")
    forth = -_least(logic, minus - _least(logic, lead + plus, TOKENS), TOKENS)
    back = _least(logic, plus - _least(logic, minus - lead, TOKENS), TOKENS)
    for literal, way in zip(first, (forth, back), strict=True):
        logic.equal_if([literal], after, way)
    return after


def _least(logic: Logic, number: Expression, limit: int) -> Expression:
    """Return the lesser of a number and a limit."""
    if isinstance(number, int):
        return min(number, limit)
    least = logic.integer(-FAR, limit, "least")
    logic.model.add_min_equality(least, [number, limit])
    return least
