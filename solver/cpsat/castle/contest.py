"""Aerie tokens of The Falcon, and the wall tiles 4 to 6 that may bring some at the end.

Two switches make the order of scoring matter. An aerie may bring one token only, for the feature
scored first; and a lead may stop at the supply of tokens. A *round* is a turn, or the courts of
final scoring. In a round one player takes all his tokens before the other.

Each player makes a last choice for his lead: on which features he uses wall tiles 4 to 6. A token
may decide who gets the empty area, so a player may give up points for it. The player of the last
turn chooses first, and the other replies. Both choices are decisions. Constraints compare them
with every alternative:

- no other reply brings the second player a better lead;

- to each other first choice, some reply leaves the first player no better lead.

Among equal leads players prefer more points. That serves the asker too, because the two sums of
points then rise together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from burgrave.model.book import book_of
from burgrave.model.castle.final_uses import COURT_TILE
from burgrave.model.components import Rank
from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.expansions.falcon.switches import (
    AERIE_END_ORDER,
    AERIE_SCOPE,
    AERIE_SHARED,
    AERIE_SUPPLY,
    FALCONER_NEEDS_AERIE,
    FALCONER_ON_COURTS,
    SPECIAL_ON_WALL_SCORED,
)
from burgrave.model.rules.castle.final_tiles import TARGETS
from burgrave.model.tiles import Kind
from burgrave.solver.cpsat.base.cp import Expression, Lit, Logic, no, weighted
from burgrave.solver.cpsat.base.features import FeatureVars
from burgrave.solver.cpsat.castle.ending import (
    BEYOND_SCORES,
    Contest,
    Target,
    Use,
    brought,
    chosen_uses,
    picks,
    scored_if,
    targets,
)
from burgrave.solver.cpsat.castle.features import stands_on
from burgrave.solver.cpsat.castle.markers import CastlePlay

FAR = 999
"""More than any lead in tokens."""
Linked = Sequence[frozenset[int]]
"""By aerie not yet taken: the parts that adjoin it."""
Sources = Mapping[tuple[int, int], Lit]
"""By source: whether a player who scores a feature gets a token of it. A source is an aerie, or -1
for his falconer, and the leader of the feature, or -1 if the aerie serves the first one alone."""
Pairs = Sequence[tuple[Lit, Sources]]
"""By feature: whether a player scores it in a round, and its tokens for him."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """The tokens before wall tiles 4 to 6 bring more."""

    lead: Expression
    """The first player's tokens less the second's."""
    gone: Sources
    """The sources that bring no more tokens."""
    limit: int
    """The tokens in the game if they may limit a lead; 0 otherwise."""


def purse(play: CastlePlay, linked: Linked) -> Purse:
    """Return the tokens before wall tiles 4 to 6 are used."""
    logic, position = play.logic, play.instance.position
    once = position.game.value(AERIE_SHARED) == "first"
    most = len(linked) if once else sum(map(len, linked))
    # A falconer brings a token in each turn, and one at the end.
    most += 2 * (len(play.instance.kinds) + 1)
    there = book_of(position.game).tokens
    limit = there if position.game.value(AERIE_SUPPLY) == "capped" and most >= there else 0
    white, black = (state.part(FalconHoldings).tokens for state in position.players)
    lead: Expression = white - black
    gone: Sources = {}
    for first, scored in _rounds(play, linked, by_turn=once or limit > 0):
        near, taken = [_served(logic, some) for some in scored], []
        for player in (0, 1):
            before, theirs = first[1 - player], near[1 - player]
            earlier = {key: logic.all_of((before, literal)) for key, literal in theirs.items()}
            taken.append(_tokens(logic, near[player], _either(logic, gone, earlier)))
        gone = _either(logic, _either(logic, gone, near[0]), near[1])
        plus, minus = taken
        lead = lead + plus - minus if not limit else _walked(logic, lead, first, taken, limit)
    return Purse(lead=lead, gone=gone, limit=limit)


def _aeries(play: CastlePlay, *, used: bool = False) -> Linked:
    """Return the aeries that may bring tokens, numbered, with the parts that adjoin each.

    With ``used`` those that have brought one are among them.
    """
    instance = play.instance
    old: dict[object, set[int]] = defaultdict(set)
    for part in instance.old:
        for aerie in part.feature.aeries:
            if used or aerie not in instance.position.part(Aeries).taken_aeries:
                old[aerie].add(part.number)
    found = [frozenset(parts) for parts in old.values()]
    for tile, kind in enumerate(instance.kinds):
        numbers = [part.number for part in instance.new_of(tile)]
        found += [frozenset(numbers[s] for s in segments) for segments in kind.aeries]
    return found


def _served(logic: Logic, scored: Pairs) -> Sources:
    """Return the sources of the features that a player scores."""
    ways: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for literal, brings in scored:
        for key, adjoins in brings.items():
            ways[key].append(logic.all_of((literal, adjoins)))
    return {key: logic.any_of(literals) for key, literals in ways.items()}


def _tokens(logic: Logic, served: Sources, gone: Sources) -> Expression:
    """Return the number of tokens from sources that are not gone."""
    return weighted(
        (1, logic.all_of((literal, no(gone.get(key, False))))) for key, literal in served.items()
    )


def _brings(  # noqa: PLR0913 -- the parts of the formula
    play: CastlePlay,
    one: FeatureVars,
    player: int,
    linked: Linked,
    *,
    completed: bool,
    falconers: bool,
) -> Sources:
    """Return the tokens that a feature brings a player who scores it."""
    logic, game = play.logic, play.instance.position.game
    found: dict[tuple[int, int], Lit] = {}
    if completed or game.value(AERIE_SCOPE) == "any_scoring":
        once = game.value(AERIE_SHARED) == "first"
        for aerie, parts in enumerate(linked):
            if not parts.isdisjoint(one.members):
                adjoins = logic.any_of(one.members.get(v, False) for v in sorted(parts))
                found[aerie, -1 if once else one.leader] = adjoins
    if falconers:
        there = stands_on(play.table, one, player, Rank.FALCONER)
        if game.value(FALCONER_NEEDS_AERIE) == "on":
            beside = frozenset[int]().union(*_aeries(play, used=True))
            adjoins = logic.any_of(one.members.get(v, False) for v in sorted(beside))
            there = logic.all_of((there, adjoins))
        if there is not False:
            found[-1, one.leader] = there
    return found


def _rounds(
    play: CastlePlay, linked: Linked, *, by_turn: bool
) -> Iterator[tuple[tuple[Lit, ...], Sequence[Pairs]]]:
    """Yield the rounds: each turn, or all turns as one, then the courts of final scoring.

    A round says by player whether his features are scored first, and which he scores.
    """
    logic, game = play.logic, play.instance.position.game
    scoring = [
        [
            (one, _brings(play, one, player, linked, completed=True, falconers=True))
            for one in play.features
            if one.scored(logic, player) is not False
        ]
        for player in (0, 1)
    ]
    for tile, moves in enumerate(play.table.moves if by_turn else ()):
        now: tuple[list[tuple[Lit, Sources]], ...] = ([], [])
        for player, mine in enumerate(scoring):
            for one, brings in mine:
                literal = logic.all_of((one.completed_in(logic, tile), one.wins[player]))
                now[player].append((literal, brings))
        yield moves, now
    if not by_turn:
        yield (
            (True, False),
            [[(one.scored(logic, p), brings) for one, brings in scoring[p]] for p in (0, 1)],
        )
    if game.value(AERIE_END_ORDER) != "first":
        falconers = game.value(FALCONER_ON_COURTS) == "on"
        courts = [
            [
                (held, _brings(play, one, player, linked, completed=False, falconers=falconers))
                for one, held in play.held(Kind.COURT, player)
            ]
            for player in (0, 1)
        ]
        # The player of the last turn scores first.
        yield play.table.moves[-1], courts


def _either(logic: Logic, one: Sources, other: Sources) -> Sources:
    """Return by source whether one or the other holds."""
    return {
        key: logic.any_of((one.get(key, False), other.get(key, False)))
        for key in sorted(one.keys() | other.keys())
    }


def _walked(
    logic: Logic,
    lead: Expression,
    first: tuple[Lit, ...],
    taken: Sequence[Expression],
    limit: int,
) -> Expression:
    """Return the first player's lead after a round, if the supply of tokens limits it."""
    plus, minus = taken
    after = logic.integer(-limit, limit, "tokens")
    forth = -_least(logic, minus - _least(logic, lead + plus, limit), limit)
    back = _least(logic, plus - _least(logic, minus - lead, limit), limit)
    for literal, way in zip(first, (forth, back), strict=True):
        logic.equal_if(literal, after, way)
    return after


def _least(logic: Logic, number: Expression, limit: int) -> Expression:
    """Return the lesser of a number and a limit."""
    least = logic.integer(-FAR, limit, "least")
    logic.model.add_min_equality(least, [number, limit])
    return least


_Choice = Sequence[Use]
"""A player's uses of his wall tiles 4 to 6, decided or given."""
Fitting = Mapping[int, Sequence[Target]]
"""By number of a wall tile that may bring tokens: the features on which it may be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """The possible choices of both players."""

    play: CastlePlay
    purse: Purse
    fitting: tuple[Fitting, ...]
    """By player."""
    brings: Mapping[tuple[int, int], Sources]
    """By player and leader: the tokens for a wall tile on the feature."""
    area: Expression
    """The largest empty area."""

    def decided(self, player: int) -> _Choice:
        """Return a player's choice as decisions."""
        return [
            use
            for number, some in self.fitting[player].items()
            for use in chosen_uses(self.play, number, player, some)
        ]

    def ways(self, player: int) -> Iterator[tuple[_Choice, Lit]]:
        """Yield every choice of a player, and whether it is possible."""
        fitting = self.fitting[player].items()
        each = (list(picks(self.play, number, player, some)) for number, some in fitting)
        for picked in product(*each):
            valid = [enough for enough, some in picked if some]
            valid += [target.held for _, some in picked for target in some]
            literal = self.play.logic.all_of(valid)
            if literal is not False:
                uses = [
                    Use(target, some[:index].count(target), literal=True)
                    for _, some in picked
                    for index, target in enumerate(some)
                ]
                yield uses, literal

    def lead(self, first: int, one: _Choice, other: _Choice) -> Expression:
        """Return the lead of the player who chooses first, counted from two choices alone."""
        logic, most = self.play.logic, len(self.play.instance.empty)
        points, against = (
            weighted(piece.term for piece in brought(logic, uses)) for uses in (one, other)
        )
        mine, theirs = (
            scored_if(logic, ahead, self.area, most) for ahead in self.aheads(first, one, other)
        )
        return points - against + mine - theirs

    def aheads(self, first: int, one: _Choice, other: _Choice) -> tuple[Lit, Lit]:
        """Return whether the first to choose has more tokens, and whether the other has more."""
        logic, purse = self.play.logic, self.purse
        mine, theirs = (
            _served(logic, [(use.literal, self.brings[p, use.target.one.leader]) for use in uses])
            for p, uses in ((first, one), (1 - first, other))
        )
        lead = purse.lead if first == 0 else -purse.lead
        lead = lead + _tokens(logic, mine, purse.gone)
        if purse.limit:
            lead = _least(logic, lead, purse.limit)
        lead = lead - _tokens(logic, theirs, _either(logic, purse.gone, mine))
        return logic.within(lead, 1, FAR), logic.within(-lead, 1, FAR)


def contested(play: CastlePlay, area: Expression, for_lead: Collection[int]) -> Contest:
    """Return the player with more tokens, with the choices of both players if these may matter.

    ``area`` is the largest empty area. The choices of the players ``for_lead`` must be constrained
    to be best; the objective makes the choices of others best.
    """
    game = play.instance.position.game
    if not game.specials:
        return Contest()
    linked = _aeries(play)
    before = purse(play, linked)
    fitting: list[dict[int, list[Target]]] = [{}, {}]
    brings: dict[tuple[int, int], Sources] = {}
    falconers = game.value(SPECIAL_ON_WALL_SCORED) == "on"
    tokens_last = game.value(AERIE_END_ORDER) != "first"
    for player, number in product((0, 1), sorted(TARGETS.keys() - {COURT_TILE})):
        some = targets(play, number, player) if tokens_last and play.most(player, number) else []
        for target in some:
            brings[player, target.one.leader] = _brings(
                play, target.one, player, linked, completed=False, falconers=falconers
            )
        if any(brings[player, target.one.leader] for target in some):
            fitting[player][number] = some
    if not any(fitting):
        ahead = (play.logic.within(lead, 1, FAR) for lead in (before.lead, -before.lead))
        return Contest(ahead=tuple(ahead))
    choices = _Choices(play=play, purse=before, fitting=tuple(fitting), brings=brings, area=area)
    chosen = (choices.decided(0), choices.decided(1))
    more: tuple[list[Lit], list[Lit]] = ([], [])
    for first, literal in enumerate(play.table.moves[-1]):
        if literal is not False:
            both = choices.aheads(first, chosen[first], chosen[1 - first])
            for player, has in zip((first, 1 - first), both, strict=True):
                more[player].append(play.logic.all_of((literal, has)))
            _settle(choices, first, literal, chosen, for_lead)
    return Contest(
        numbers=tuple(map(frozenset, fitting)),
        uses=chosen,
        ahead=(play.logic.any_of(more[0]), play.logic.any_of(more[1])),
    )


def _settle(
    choices: _Choices,
    first: int,
    literal: Lit,
    chosen: tuple[_Choice, _Choice],
    for_lead: Collection[int],
) -> None:
    """Demand that choices are best if a player comes first in final scoring.

    first and valid[o] → lead ≤ lead(first choice, o) for each other reply o

    first and valid[o] → lead ≥ lead(o, some reply to it) for each other first choice o
    """
    logic = choices.play.logic
    one, other = chosen[first], chosen[1 - first]
    lead = choices.lead(first, one, other)
    for way, valid in choices.ways(1 - first) if 1 - first in for_lead else ():
        less = choices.lead(first, one, way) - lead
        logic.within_if(logic.all_of((literal, valid)), less, 0, BEYOND_SCORES)
    for way, valid in choices.ways(first) if first in for_lead else ():
        reply = choices.decided(1 - first)
        more = lead - choices.lead(first, way, reply)
        logic.within_if(logic.all_of((literal, valid)), more, 0, BEYOND_SCORES)
