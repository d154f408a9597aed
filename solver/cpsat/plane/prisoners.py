"""Prisoners in the turns to come: exchange, ransom, and the supply of followers and points.

A *count* is a row of literals: at least 1, at least 2, and so on. It says how many followers of an
owner a captor holds. Between turns no two players hold prisoners of each other. So a captured
follower is exchanged at once or kept.

early[t,m,c]: in tile t's turn the mover m buys a follower back from c before the action.

late[t,m,c]: he does so after scoring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from model.book import book_of
from model.rules.carcassonne.followers import SUPPLY
from model.rules.tower.prisoners import PRICE, PRICE_OF_A_FOLLOWER
from model.switches import (
    EXCHANGE_RATIO,
    RANSOM_WINDOW,
)
from solver.cpsat.base.cp import Lit, Literal, Logic, Term, no, weighted
from solver.cpsat.base.features import Home, Piece, total
from solver.cpsat.base.instance import OldPart
from solver.cpsat.plane.towers import PlaneTable, took

Unary: TypeAlias = tuple[Lit, ...]
"""A number as literals: at least 1, at least 2, …."""
Prisoners: TypeAlias = dict[tuple[int, int], Unary]
"""By captor and owner: the number of prisoners."""
Deals: TypeAlias = Mapping[tuple[int, int, int], Literal]
"""By turn, mover and captor: the mover buys a follower back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Custody:
    """Prisoners and ransoms, as literals."""

    early: Deals
    late: Deals
    at_action: tuple[Prisoners, ...]
    """By tile: the prisoners at the action of its turn."""

    def income(self, player: int, before: int | None = None) -> list[Term]:
        """Return a player's net income from ransoms, before a turn; None for all turns."""
        terms: list[Term] = []
        for (tile, mover, captor), literal in (*self.early.items(), *self.late.items()):
            if before is None or tile < before:
                if captor == player:
                    terms.append((PRICE_OF_A_FOLLOWER, literal))
                elif mover == player:
                    terms.append((-PRICE_OF_A_FOLLOWER, literal))
        return terms


def custody(table: PlaneTable) -> Custody:
    """Make the variables of ransoms, and the prisoners at each turn."""
    logic, position = table.logic, table.instance.position
    if not book_of(position.game).actions:
        return Custody(early={}, late={}, at_action=({},) * len(table.instance.kinds))
    players = range(len(position.players))
    held: Prisoners = {
        (captor, owner): (True,) * position.players[captor].prisoners.count(owner)
        for captor in players
        for owner in players
        if captor != owner
    }
    window = position.game.value(RANSOM_WINDOW) == "any"
    early: dict[tuple[int, int, int], Literal] = {}
    late: dict[tuple[int, int, int], Literal] = {}
    at_action: list[Prisoners] = []
    for tile in range(len(table.instance.kinds)):
        soon = _ransoms(table, held, tile, "early")
        held = _bought(logic, held, soon)
        at_action.append(held)
        held = _exchanged(table, held, tile)
        after = _ransoms(table, held, tile, "late") if window else {}
        held = _bought(logic, held, after)
        logic.model.add_at_most_one([*soon.values(), *after.values()])
        early.update({(tile, *pair): literal for pair, literal in soon.items()})
        late.update({(tile, *pair): literal for pair, literal in after.items()})
    return Custody(early=early, late=late, at_action=tuple(at_action))


def _ransoms(
    table: PlaneTable, held: Prisoners, tile: int, name: str
) -> dict[tuple[int, int], Literal]:
    """Make the variables of ransoms at one moment of a turn, by mover and captor.

    A turn lays its tile; only the last turn may lay none.
    """
    logic, found = table.logic, {}
    turn = tile == len(table.instance.kinds) - 1 or table.placement.laid[tile]
    for (captor, mover), count in held.items():
        if count and table.moves[tile][mover] is not False:
            deal = found[mover, captor] = logic.decision(f"{name}{tile},{mover},{captor}")
            for needed in (count[0], table.moves[tile][mover], turn):
                logic.clause(~deal, needed)
    return found


def _bought(logic: Logic, held: Prisoners, deals: Mapping[tuple[int, int], Literal]) -> Prisoners:
    """Return the prisoners after ransoms."""
    return {
        (captor, owner): _less(logic, count, deals.get((owner, captor), False))
        for (captor, owner), count in held.items()
    }


def _exchanged(table: PlaneTable, held: Prisoners, tile: int) -> Prisoners:
    """Return the prisoners after a capture: one more, or an exchange."""
    logic = table.logic
    every = table.instance.position.game.value(EXCHANGE_RATIO) == "all"
    after = dict(held)
    for (captor, owner), taken in took(table, tile).items():
        count = held[owner, captor]
        swap = logic.all_of((taken, count[0])) if count else False
        after[captor, owner] = _more(logic, after[captor, owner], logic.all_of((taken, no(swap))))
        if every:
            rest = (logic.all_of((one, no(swap))) for one in after[owner, captor])
            after[owner, captor] = _trimmed(rest)
        else:
            after[owner, captor] = _less(logic, after[owner, captor], swap)
    return after


def _more(logic: Logic, count: Unary, one: Lit) -> Unary:
    """Return a count, plus one if a literal holds."""
    below = (True, *count)
    return _trimmed(
        logic.any_of((here, logic.all_of((one, lower))))
        for here, lower in zip((*count, False), below, strict=True)
    )


def _less(logic: Logic, count: Unary, one: Lit) -> Unary:
    """Return a count, minus one if a literal holds; the count is then at least 1."""
    above = (*count[1:], False)
    return _trimmed(
        logic.all_of((here, logic.any_of((no(one), higher))))
        for here, higher in zip(count, above, strict=False)
    )


def _trimmed(count: Iterator[Lit]) -> Unary:
    """Return a count without impossible numbers."""
    return tuple(literal for literal in count if literal is not False)


def supplied(table: PlaneTable, held: Custody, home: Home) -> None:
    """Demand that each follower and guard comes from the supply.

    supply → Σ placed up to turn t ≤ supply now + Σ home with features before t
    + Σ captured before t - additional prisoners at t

    A captured follower who is no prisoner went home.
    """
    logic, players = table.logic, table.instance.position.players
    owners = table.owners()
    for player, state in enumerate(players):
        placed: list[Term] = []
        for tile in range(len(table.instance.kinds)):
            placed += [(1, one) for one in _placed(table, player, tile)]
            if tile < state.supply:
                continue
            taken = (
                (-1, logic.all_of((owners[unit][player], literal)))
                for (turn, unit), literal in table.towers.takes.items()
                if turn < tile
            )
            mine = [(c, count) for (c, who), count in held.at_action[tile].items() if who == player]
            before = sum(players[captor].prisoners.count(player) for captor, _ in mine)
            jailed = [(1, one) for _, count in mine for one in count]
            back = ((-1, one) for one in _returned(table, home, player, tile))
            terms = [*placed, *taken, *jailed, *back]
            low = sum(min(weight, 0) for weight, _ in terms)
            logic.within_if(logic.law(SUPPLY), weighted(terms), low, state.supply + before)


def _placed(table: PlaneTable, player: int, tile: int) -> Iterator[Lit]:
    """Yield the literals of a player's placements in a turn, on the tile or on a tower."""
    for part in table.instance.new_of(tile):
        yield table.claims.by[player].get(part.number, False)
    for (turn, _), guard in table.towers.guards.items():
        if turn == tile:
            yield table.logic.all_of((guard, table.moves[tile][player]))


def _returned(table: PlaneTable, home: Home, player: int, tile: int) -> Iterator[Lit]:
    """Yield for each follower of a player whether he came home with a feature before a turn."""
    logic, towers = table.logic, table.towers
    for (v, when), literal in home.items():
        if when != tile - 1:
            continue
        part = table.instance.parts[v]
        if isinstance(part, OldPart):
            for one in part.feature.followers:
                if one.player == player:
                    taken = towers.taken(logic, towers.units.followers[one.node])
                    yield logic.all_of((literal, no(taken)))
        else:
            mine = table.claims.by[player].get(v, False)
            taken = towers.taken(logic, towers.units.placed(part.tile))
            yield logic.all_of((literal, mine, no(taken)))


def solvent(table: PlaneTable, held: Custody, pieces: Sequence[Piece]) -> None:
    """Demand that a player who buys a follower back has the points at that moment.

    price and deal → score now + Σ points in play before + income from ransoms before ≥ 3
    """
    logic = table.logic
    for deals, scored in ((held.early, 0), (held.late, 1)):
        for (tile, mover, _), literal in deals.items():
            before = held.income(mover, tile)
            score = table.instance.position.players[mover].score
            if score + sum(weight for weight, _ in before if weight < 0) >= PRICE_OF_A_FOLLOWER:
                continue
            mine = (one for one in pieces if one.player == mover)
            terms = [*before, *total(logic, mine, tile - 1 + scored)]
            most = score + sum(max(weight, 0) for weight, _ in terms)
            paid = logic.all_of((logic.law(PRICE), literal))
            worth = score + weighted(terms)
            logic.within_if(paid, worth, PRICE_OF_A_FOLLOWER, max(most, PRICE_OF_A_FOLLOWER))
