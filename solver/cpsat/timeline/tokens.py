"""Aerie tokens of The Falcon at the end: who has more of them scores the empty area too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from model.position import Rank
from model.switches import (
    AERIE_END_ORDER,
    AERIE_SCOPE,
    FALCONER_NEEDS_AERIE,
    FALCONER_ON_COURTS,
    SPECIAL_ON_WALL_SCORED,
)
from model.tiles import Kind
from solver.cpsat.logic import Lit, weighted
from solver.cpsat.timeline.ending import End, Use
from solver.cpsat.timeline.features import Led
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.specials import stands_on
from solver.cpsat.timeline.worth import Term

FAR = 999
"""More than any lead in tokens."""


class _Scoring(NamedTuple):
    """A feature that a player may score."""

    one: Led
    player: int
    scored: Lit
    aeries: bool
    """Whether its aeries bring tokens."""
    falconer: bool
    """Whether his falconer on it brings one."""


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
    linked = _aeries(end.ground)
    terms: list[Term] = [
        (1 if scoring.player == player else -1, token)
        for scoring in _scorings(end, asker, uses)
        for token in _tokens(end, scoring, linked)
    ]
    lead = weighted(terms) + held[player] - held[1 - player]
    if isinstance(lead, int):
        return end.logic.all_of((end.over, lead > 0))
    return end.logic.all_of((end.over, end.logic.within(lead, 1, FAR)))


def _scorings(end: End, asker: int, uses: Sequence[Use]) -> Iterator[_Scoring]:
    """Yield what is scored before tokens are compared."""
    game = end.ground.position.game
    for one in end.led:
        for player in (0, 1):
            scored = end.logic.all_of((one.complete, one.wins[player]))
            yield _Scoring(one, player, scored, aeries=True, falconer=True)
    if game.value(AERIE_END_ORDER) == "first":
        return
    any_scoring = game.value(AERIE_SCOPE) == "any_scoring"
    on_courts = game.value(FALCONER_ON_COURTS) == "on"
    for player in (0, 1):
        for court, held in end.held(Kind.COURT, player):
            yield _Scoring(court, player, held, any_scoring, on_courts)
    on_tiles = game.value(SPECIAL_ON_WALL_SCORED) == "on"
    for leader in sorted({one.leader for one, _ in uses if one.kind is not Kind.COURT}):
        same = [use for use in uses if use[0].leader == leader]
        # However many wall tiles are used on it, a feature brings its tokens once.
        used = end.logic.any_of(literal for _, literal in same)
        yield _Scoring(same[0][0], asker, used, any_scoring, on_tiles)


def _tokens(end: End, scoring: _Scoring, linked: Sequence[frozenset[int]]) -> list[Lit]:
    """Return each token that a scoring may bring."""
    logic, ground, one = end.logic, end.ground, scoring.one
    if scoring.scored is False:
        return []
    adjoining = [
        logic.any_of(one.members.get(v, False) for v in sorted(parts))
        for parts in linked
        if not parts.isdisjoint(one.members)
    ]
    found = list(adjoining) if scoring.aeries else []
    if scoring.falconer:
        there = stands_on(logic, ground, end.claims, one, scoring.player, Rank.FALCONER)
        if ground.position.game.value(FALCONER_NEEDS_AERIE) == "on":
            there = logic.all_of((there, logic.any_of(adjoining)))
        found.append(there)
    tokens = [logic.all_of((scoring.scored, literal)) for literal in found]
    return [token for token in tokens if token is not False]


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
