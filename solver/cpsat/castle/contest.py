"""Wall tiles 4 to 6 used for tokens: the last choice of each player, made for his lead.

A token can turn the empty area, so that a player may leave points to have more tokens. Then
the player of the last turn chooses first, the other replies, and each takes what is best for
his lead. What one of them does is a decision, and best is said against every other choice:

- the reply: of all choices, none would bring him more against the first one's;
- the first choice: for each other one there is a reply that leaves him no more than he has.

Of equal leads players take that with most points, which is also what the asker wants: he wants
either the lead, or his own points, and of equal leads both players have most points at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, combinations_with_replacement, product
from typing import NamedTuple

from model.castle.final_uses import COURT_TILE
from model.rules.castle.final_tiles import TARGETS
from solver.cpsat.base.cp import Expression
from solver.cpsat.base.logic import Lit, Logic, no, weighted
from solver.cpsat.castle.empties import Empties, largest_area
from solver.cpsat.castle.ending import (
    End,
    Target,
    Use,
    brought,
    chosen_uses,
    targets,
    tiles_at_end,
    times,
)
from solver.cpsat.castle.tokens import (
    FAR,
    Bringing,
    Purse,
    aeries,
    ahead,
    compared_first,
    purse,
    tiled,
    tokens,
)

MOST = 10**6
"""More than any score."""
NOBODY_AHEAD: tuple[Lit, Lit] = (False, False)
NO_NUMBERS: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who has more tokens, and what the players do with wall tiles that may bring them some."""

    ahead: tuple[Lit, Lit] = NOBODY_AHEAD
    """By player: he has more, if no wall tile can change it."""
    numbers: tuple[frozenset[int], frozenset[int]] = NO_NUMBERS
    """By player: the wall tiles that may bring him tokens; none if that cannot matter."""
    uses: tuple[tuple[Use, ...], tuple[Use, ...]] = ((), ())
    """By player: how he uses those."""
    area: tuple[Expression, Expression] = (0, 0)
    """By player: what he scores for having more tokens, if wall tiles can change it."""


class _Choice(NamedTuple):
    """A choice of a player: uses that are decided, or known."""

    uses: tuple[Use, ...]
    points: Expression
    """What the wall tiles bring."""
    valid: Lit = True
    """Whether he can choose so."""


Fitting = Mapping[int, Sequence[Target]]
"""By wall tiles that may bring tokens: the features on which a player may use them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The players with all that they may choose."""

    end: End
    purse: Purse
    fitting: tuple[Fitting, Fitting]
    """By player."""
    brings: Mapping[tuple[int, int], Bringing]
    """By player and leader: the tokens that a wall tile on a feature brings."""
    area: Expression
    """The largest empty area."""

    def decided(self, player: int) -> _Choice:
        """Return a choice that is a decision."""
        uses = self._decisions(player)
        return _Choice(uses, weighted(piece.term for piece in brought(self.end.logic, uses)))

    def reply(self, player: int) -> _Choice:
        """Return a choice that is a decision and need not be seen in the final scores."""
        uses = self._decisions(player)
        logic = self.end.logic
        return _Choice(uses, sum(_if(logic, one.literal, _worth(one), _most(one)) for one in uses))

    def _decisions(self, player: int) -> tuple[Use, ...]:
        """Return decisions of a player for what he uses his wall tiles."""
        return tuple(
            use
            for number, some in self.fitting[player].items()
            for use in chosen_uses(self.end, number, player, some)
        )

    def ways(self, player: int) -> Iterator[_Choice]:
        """Yield every choice of a player."""
        for picked in product(*(self._picks(number, player) for number in self.fitting[player])):
            valid = [self._enough(some, player) for some in picked if some]
            valid += [target.held for some in picked for target in some]
            literal = self.end.logic.all_of(valid)
            if literal is not False:
                uses = tuple(
                    Use(target, some[:index].count(target), literal=True)
                    for some in picked
                    for index, target in enumerate(some)
                )
                yield _Choice(uses, sum(map(_worth, uses)), literal)

    def _picks(self, number: int, player: int) -> list[tuple[Target, ...]]:
        """Return the features on which a player may use his wall tiles of a number."""
        fitting = self.fitting[player][number]
        most = tiles_at_end(self.end, number, player)
        again = times(self.end, number, player) > 1
        pick = combinations_with_replacement if again else combinations
        return list(chain.from_iterable(pick(fitting, size) for size in range(most + 1)))

    def _enough(self, picked: Sequence[Target], player: int) -> Lit:
        """Return whether a player has the wall tiles for some features."""
        tiles = weighted(self.end.hands.final(player, picked[0].number))
        if isinstance(tiles, int):
            return tiles >= len(picked)
        return self.end.logic.within(tiles, len(picked), FAR)

    def lead(self, first: int, one: _Choice, other: _Choice) -> Expression:
        """Return by how much two choices bring the one who chooses first into the lead."""
        before, after = self.aheads(first, one, other)
        logic = self.end.logic
        most = len(self.end.instance.empty)
        swing = _if(logic, before, self.area, most) - _if(logic, after, self.area, most)
        return one.points - other.points + swing

    def aheads(self, first: int, one: _Choice, other: _Choice) -> tuple[Lit, Lit]:
        """Return who has more tokens after two choices: the one who chooses first, the other."""
        logic, over = self.end.logic, self.end.over
        mine, near = tokens(logic, self._scored(first, one), self.purse.gone)
        gone = self.purse.gone
        if gone is not None:
            gone = {
                aerie: logic.any_of((gone.get(aerie, False), near.get(aerie, False)))
                for aerie in gone.keys() | near.keys()
            }
        theirs, _ = tokens(logic, self._scored(1 - first, other), gone)
        lead = self.purse.added(logic, first, mine) - weighted((1, token) for token in theirs)
        return ahead(logic, over, lead), ahead(logic, over, -lead)

    def _scored(self, player: int, way: _Choice) -> list[tuple[Lit, Bringing]]:
        """Return on which features a player uses wall tiles, however many, and what they bring."""
        on: dict[int, list[Lit]] = {}
        for use in way.uses:
            on.setdefault(use.target.one.leader, []).append(use.literal)
        return [
            (self.end.logic.any_of(literals), self.brings[player, leader])
            for leader, literals in on.items()
        ]


def contested(end: End, board: Empties, for_lead: Collection[int]) -> Contest:
    """Say who has more tokens, with the choices of both players where these may matter.

    Args:
        end: the end of the game.
        board: the empty cells.
        for_lead: the players whose choice must be said to be best; it need not be where
            nothing else could serve the asker.

    """
    if not end.instance.position.game.specials:
        return Contest()
    logic, before = end.logic, purse(end)
    fitting = ({}, {}) if compared_first(end) else (_fitting(end, 0), _fitting(end, 1))
    brings = _brought(end, fitting)
    one, other = (
        {
            number: some
            for number, some in found.items()
            if any(brings[player, target.one.leader].any for target in some)
        }
        for player, found in enumerate(fitting)
    )
    if not one and not other:
        leads = (ahead(logic, end.over, lead) for lead in (before.lead, -before.lead))
        return Contest(ahead=(next(leads), next(leads)))
    table = _Table(
        end=end,
        purse=before,
        fitting=(one, other),
        brings=brings,
        area=largest_area(logic, board),
    )
    chosen = (table.decided(0), table.decided(1))
    more: tuple[list[Lit], list[Lit]] = ([], [])
    for first, literal in enumerate(end.last):
        if literal is not False:
            has = table.aheads(first, chosen[first], chosen[1 - first])
            more[first].append(logic.all_of((literal, has[0])))
            more[1 - first].append(logic.all_of((literal, has[1])))
            _settle(table, first, literal, chosen, for_lead)
    mine, theirs = (
        _if(logic, logic.any_of(ways), table.area, len(end.instance.empty)) for ways in more
    )
    return Contest(
        numbers=(frozenset(one), frozenset(other)),
        uses=(chosen[0].uses, chosen[1].uses),
        area=(mine, theirs),
    )


def _fitting(end: End, player: int) -> dict[int, list[Target]]:
    """Return on what a player may use his wall tiles 4 to 6, by their numbers."""
    return {
        number: targets(end, number, player)
        for number in sorted(TARGETS.keys() - {COURT_TILE})
        if tiles_at_end(end, number, player)
    }


def _brought(end: End, fitting: Sequence[Fitting]) -> dict[tuple[int, int], Bringing]:
    """Return by player and leader what tokens a wall tile on a feature brings."""
    linked = aeries(end.instance)
    return {
        (player, target.one.leader): tiled(end, target.one, player, linked)
        for player, found in enumerate(fitting)
        for some in found.values()
        for target in some
    }


def _settle(
    table: _Table,
    first: int,
    literal: Lit,
    chosen: tuple[_Choice, _Choice],
    for_lead: Collection[int],
) -> None:
    """Demand that choices are best where a player comes first in final scoring.

    first and valid[o] → lead ≤ lead(first's choice, o) for each other reply o; and
    first and valid[o] → lead ≥ lead(o, some reply to it) for each other first choice o
    """
    logic = table.end.logic
    one, other = chosen[first], chosen[1 - first]
    lead = table.lead(first, one, other)
    if 1 - first in for_lead:
        for way in table.ways(1 - first):
            less = table.lead(first, one, way) - lead
            logic.within_if(logic.all_of((literal, way.valid)), less, 0, MOST)
    if first in for_lead:
        for way in table.ways(first):
            more = lead - table.lead(first, way, table.reply(1 - first))
            logic.within_if(logic.all_of((literal, way.valid)), more, 0, MOST)


def _worth(use: Use) -> Expression:
    """Return what a wall tile on a feature brings."""
    return weighted(piece.term for piece in use.target.pieces)


def _most(use: Use) -> int:
    """Return what a wall tile on a feature brings at most."""
    return sum(piece.weight for piece in use.target.pieces)


def _if(logic: Logic, literal: Lit, number: Expression, most: int) -> Expression:
    """Return a number of at most so many if something holds, otherwise 0."""
    if isinstance(literal, bool):
        return number if literal else 0
    found = logic.integer(0, most, "if")
    logic.equal_if([literal], found, number)
    logic.equal_if([no(literal)], found, 0)
    return found
