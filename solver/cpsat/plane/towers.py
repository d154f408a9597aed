"""The Tower in the turns to come: tower pieces, guards, captures, prisoners and the supply.

piece[t,p]: in tile t's turn a tower piece goes on tower place p.

guard[t,p]: in tile t's turn a follower goes on the tower at p.

take[t,u]: the tower raised in tile t's turn captures the follower u.

early[t,m,c]: in tile t's turn the mover m buys a follower back from c before the action.

late[t,m,c]: he does so after scoring.

Between turns no two players hold prisoners of each other. So a captured follower is exchanged at
once or kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from model.book import book_of
from model.components import Node
from model.geometry import Cell, Side
from model.position import Position
from model.rules.carcassonne.followers import SUPPLY
from model.rules.tower.actions import PIECE_SUPPLY
from model.rules.tower.capture import ONE_CAPTURE, REACH
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from model.switches import (
    ACTION_WITHOUT_TILE,
    CAPTURE_OPTIONAL,
    CAPTURE_OWN,
    EXCHANGE_RATIO,
    GUARD_CAPTURABLE,
    RANSOM_WINDOW,
    TOWER_NEEDS_TOWER_TILE,
    TOWER_REOPENS,
)
from solver.cpsat.base.cp import Lit, Literal, Logic, Term, added, at_least, no, weighted
from solver.cpsat.base.features import Home, Moves, Turns
from solver.cpsat.base.placement import Instance, OldPart, PlacementVars

TowerPlace: TypeAlias = Cell | int
"""The place of a tower: a cell that is filled now, or the number of a tile to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Followers by number: those of the position, its guards, then one for each turn to come."""

    followers: Mapping[Node, int]
    guards: Mapping[Cell, int]

    def placed(self, tile: int) -> int:
        """Return the number of the follower or guard placed in a tile's turn."""
        return len(self.followers) + len(self.guards) + tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Towers:
    """The actions on towers; none in Carcassonne without The Tower."""

    units: Units
    pieces: Mapping[tuple[int, TowerPlace], Literal] = field(default_factory=dict)
    guards: Mapping[tuple[int, TowerPlace], Literal] = field(default_factory=dict)
    takes: Mapping[tuple[int, int], Literal] = field(default_factory=dict)

    def taken(self, logic: Logic, unit: int, before: int | None = None) -> Lit:
        """Return whether a unit is captured before a tile's turn; with None, in any turn."""
        return logic.any_of(
            literal
            for (turn, number), literal in self.takes.items()
            if number == unit and (before is None or turn < before)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneTable(Turns):
    """The turns to come, with towers."""

    towers: Towers

    def owners(self) -> list[tuple[Lit, ...]]:
        """Return by unit and player whether the unit is his."""
        position = self.instance.position
        players = range(len(position.players))
        guards = [tower.guard for tower in position.built if tower.guard is not None]
        owners = [*(follower.player for follower in position.followers), *guards]
        return [*(tuple(p == owner for p in players) for owner in owners), *self.moves]

    def placed(self, tile: int) -> Lit:
        """Return whether a follower is placed in a turn, on the tile or as a guard."""
        guards = (one for (turn, _), one in self.towers.guards.items() if turn == tile)
        return self.logic.any_of((*self.claims.of_turn(self.instance, tile), *guards))

    def freed(self) -> dict[tuple[int, int], Lit]:
        """Return by part and tile whether all followers of the part were captured before."""
        units, found = self.towers.units, {}
        for part in self.instance.parts:
            if isinstance(part, OldPart):
                first = 1
                here = [units.followers[one.node] for one in part.feature.followers]
            else:
                first, here = part.tile + 1, [units.placed(part.tile)]
            for tile in range(first, len(self.instance.kinds)) if here else ():
                gone = [self.towers.taken(self.logic, unit, tile) for unit in here]
                found[part.number, tile] = self.logic.all_of(gone)
        return found


def _units_of(position: Position) -> Units:
    """Return the numbers of a position's followers and guards."""
    followers = {follower.node: number for number, follower in enumerate(position.followers)}
    guarded = [tower.cell for tower in position.built if tower.guard is not None]
    return Units(
        followers=followers,
        guards={cell: len(followers) + number for number, cell in enumerate(guarded)},
    )


def towering(placement: PlacementVars, moves: Moves) -> Towers:
    """Make the variables of towers, with all rules except those of capture."""
    logic, instance = placement.logic, placement.instance
    position = instance.position
    units = _units_of(position)
    if not book_of(position.game).actions:
        return Towers(units=units)
    pieces: dict[tuple[int, TowerPlace], Literal] = {}
    guards: dict[tuple[int, TowerPlace], Literal] = {}
    takes: dict[tuple[int, int], Literal] = {}
    started = {tower.cell for tower in position.built}
    old = list(units.followers.values())
    if position.game.value(GUARD_CAPTURABLE) == "on":
        old += units.guards.values()
    for tile in range(len(instance.kinds)):
        able = _able(placement, tile)
        if able is False:
            continue
        for place in _places(instance, tile):
            there = True if isinstance(place, Cell) else placement.laid[place]
            piece = pieces[tile, place] = logic.decision(f"piece{tile},{place}")
            logic.clause(~piece, able)
            logic.clause(~piece, there)
            before = [pieces[s, place] for s in range(tile) if (s, place) in pieces]
            if before or place in started:
                guard = guards[tile, place] = logic.decision(f"guard{tile},{place}")
                logic.clause(~guard, able)
                logic.clause(~guard, place in started, *before)
        for unit in (*old, *map(units.placed, range(tile))):
            takes[tile, unit] = logic.decision(f"take{tile},{unit}")
    towers = Towers(units=units, pieces=pieces, guards=guards, takes=takes)
    _open(placement, towers)
    for player, state in enumerate(position.players):
        if state.pieces < len(instance.kinds):
            used = [(1, logic.all_of((one, moves[t][player]))) for (t, _), one in pieces.items()]
            logic.within_if(logic.law(PIECE_SUPPLY), weighted(used), 0, state.pieces)
    return towers


def _able(placement: PlacementVars, tile: int) -> Lit:
    """Return whether a turn may act on towers: by its tile, or in a last turn without one."""
    kinds, game = placement.instance.kinds, placement.instance.position.game
    ways: list[Lit] = []
    if kinds[tile].tower_place or game.value(TOWER_NEEDS_TOWER_TILE) == "off":
        ways.append(placement.laid[tile])
    if tile == len(kinds) - 1 and game.value(ACTION_WITHOUT_TILE) == "on":
        ways.append(placement.gone[tile])
    return placement.logic.any_of(ways)


def _places(instance: Instance, tile: int) -> Iterator[TowerPlace]:
    """Yield the tower places at a turn whose towers are not closed for good."""
    position = instance.position
    game = position.game
    lasting = "off" in {game.value(GUARD_CAPTURABLE), game.value(TOWER_REOPENS)}
    shut = {t.cell for t in position.built if t.closed or (lasting and t.guard is not None)}
    for cell, laid in sorted(position.by_cell().items()):
        if laid.kind.tower_place and cell not in shut:
            yield cell
    yield from (t for t in range(tile + 1) if instance.kinds[t].tower_place)


def _open(placement: PlacementVars, towers: Towers) -> None:
    """Demand that pieces and guards go on open towers.

    guard[s,p] → ¬piece[t,p] and ¬guard[t,p] for t > s, unless that guard was captured before t
    """
    logic, units = placement.logic, towers.units
    reopens = placement.instance.position.game.value(TOWER_REOPENS) == "on"
    for (tile, place), literal in (*towers.pieces.items(), *towers.guards.items()):
        if isinstance(place, Cell) and place in units.guards:
            logic.clause(~literal, towers.taken(logic, units.guards[place], tile))
        for earlier in range(tile):
            if (earlier, place) in towers.guards:
                left = reopens and towers.taken(logic, units.placed(earlier), tile)
                logic.clause(~literal, ~towers.guards[earlier, place], left)


Ways = Mapping[tuple[int, int], list[Lit]]
"""By turn and unit: for each tower place, whether its tower is raised and reaches the unit."""


def reaching(table: PlaneTable) -> Ways:
    """Demand that a captured unit is in reach of the tower raised; return who is in reach.

    reach and take[t,u] → OR_p piece[t,p] and p reaches u

    one and take[t,u] → OR_p piece[t,p]
    """
    logic, towers = table.logic, table.towers
    spots = dict(_whereabouts(table)) if towers.takes else {}
    found: dict[tuple[int, int], list[Lit]] = {}
    for (tile, unit), take in towers.takes.items():
        raised = {p: piece for (turn, p), piece in towers.pieces.items() if turn == tile}
        found[tile, unit] = []
        for place, piece in raised.items():
            reached = logic.any_of(
                logic.all_of((here, _reaches(table, tile, place, target)))
                for target, here in spots[unit].items()
            )
            found[tile, unit].append(logic.all_of((piece, reached)))
        logic.clause(no(logic.law(REACH)), ~take, *found[tile, unit])
        if logic.explain:  # The rule above implies it, but may be lifted.
            logic.clause(no(logic.law(ONE_CAPTURE)), ~take, *raised.values())
    for tile in range(len(table.instance.kinds)):
        logic.model.add_at_most_one(lit for (t, _), lit in towers.takes.items() if t == tile)
    return found


def _whereabouts(table: PlaneTable) -> Iterator[tuple[int, dict[TowerPlace, Lit]]]:
    """Yield for each unit the places where it may be captured."""
    units = table.towers.units
    for node, unit in units.followers.items():
        yield unit, {node.cell: True}
    for cell, unit in units.guards.items():
        yield unit, {cell: True}
    guards = table.instance.position.game.value(GUARD_CAPTURABLE) == "on"
    for tile in range(len(table.instance.kinds)):
        here = (table.claims.on.get(part.number, False) for part in table.instance.new_of(tile))
        ways: dict[TowerPlace, list[Lit]] = {tile: list(here)}
        for (turn, place), guard in table.towers.guards.items():
            if guards and turn == tile:
                ways.setdefault(place, []).append(guard)
        yield units.placed(tile), {p: table.logic.any_of(lits) for p, lits in ways.items()}


def _reaches(table: PlaneTable, tile: int, tower: TowerPlace, target: TowerPlace) -> Lit:
    """Return whether the tower raised in a turn reaches a place.

    A tower of n pieces reaches n cells. Pieces of earlier turns add to its height.
    """
    logic, pieces = table.logic, table.towers.pieces
    built = table.instance.position.tower_on(tower) if isinstance(tower, Cell) else None
    sure = 1 if built is None else 1 + built.height
    before = [(1, pieces[s, tower]) for s in range(tile) if (s, tower) in pieces]
    ways = [_straight(table, tower, target, range(sure + 1))]
    for more in range(1, len(before) + 1):
        far = _straight(table, tower, target, range(sure + more, sure + more + 1))
        ways.append(logic.all_of((far, at_least(logic, before, more))))
    return logic.any_of(ways)


def _straight(table: PlaneTable, one: TowerPlace, other: TowerPlace, distances: range) -> Lit:
    """Return whether two places lie in one line, at one of some distances."""
    if one == other:
        return 0 in distances
    if isinstance(other, Cell):
        one, other = other, one
    logic, at = table.logic, table.placement.at
    there: Mapping[Cell, Lit] = {other: True} if isinstance(other, Cell) else at[other]
    if isinstance(one, Cell):
        return logic.any_of(there[c] for c in _line(one, distances) if c in there)
    return logic.any_of(
        logic.all_of(
            (literal, logic.any_of(there[c] for c in _line(cell, distances) if c in there))
        )
        for cell, literal in at[one].items()
    )


def _line(cell: Cell, distances: range) -> Iterator[Cell]:
    """Yield the cells in one line with a cell, at some distances greater than 0."""
    for side in Side:
        beyond = cell
        for distance in range(1, distances.stop):
            beyond = beyond.step(side)
            if distance in distances:
                yield beyond


def taking(table: PlaneTable, ways: Ways, home: Home) -> None:
    """Demand that captures are legal, and that one happens where it is compulsory.

    take[t,u] → u is on the board and not the mover's

    by a switch: piece[t,p] and p reaches such a u → OR_u take[t,u]
    """
    logic, towers, game = table.logic, table.towers, table.instance.position.game
    if not towers.takes:
        return
    optional, own = game.value(CAPTURE_OPTIONAL) == "on", game.value(CAPTURE_OWN) == "on"
    owners = table.owners()
    for (tile, unit), take in towers.takes.items():
        taken, back = towers.taken(logic, unit, tile), _back(table, home, unit, tile)
        both = zip(table.moves[tile], owners[unit], strict=True)
        foreign = own or no(logic.any_of(map(logic.all_of, both)))
        able = logic.all_of((no(taken), no(back), foreign))
        logic.clause(~take, able)
        if not optional:
            others = [literal for (turn, _), literal in towers.takes.items() if turn == tile]
            for way in ways[tile, unit]:
                logic.clause(no(way), no(able), *others)


def _back(table: PlaneTable, home: Home, unit: int, tile: int) -> Lit:
    """Return whether a unit is home with its feature before a turn."""
    units = table.towers.units
    ways: list[Lit] = []
    for part in table.instance.parts:
        gone = home.get((part.number, tile - 1), False)
        if isinstance(part, OldPart):
            if any(units.followers[one.node] == unit for one in part.feature.followers):
                ways.append(gone)
        elif units.placed(part.tile) == unit:
            claim = table.claims.on.get(part.number, False)
            ways.append(table.logic.all_of((claim, gone)))
    return table.logic.any_of(ways)


def took(table: PlaneTable, tile: int) -> dict[tuple[int, int], Lit]:
    """Return by captor and owner whether a turn captures one of the owner's followers."""
    owners = table.owners()
    players = range(len(table.instance.position.players))
    takes = [(unit, lit) for (turn, unit), lit in table.towers.takes.items() if turn == tile]
    return {
        (captor, owner): table.logic.any_of(
            table.logic.all_of((table.moves[tile][captor], owners[unit][owner], literal))
            for unit, literal in takes
        )
        for captor in players
        for owner in players
        if captor != owner
    }


Unary: TypeAlias = tuple[Lit, ...]
"""A number as literals: at least 1, at least 2, …; impossible ones are left out."""
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
        stays = logic.all_of((taken, no(swap)))
        after[captor, owner] = _trimmed(added(logic, after[captor, owner], (stays,)))
        if every:
            rest = (logic.all_of((one, no(swap))) for one in after[owner, captor])
            after[owner, captor] = _trimmed(rest)
        else:
            after[owner, captor] = _less(logic, after[owner, captor], swap)
    return after


def _less(logic: Logic, count: Unary, one: Lit) -> Unary:
    """Return a count, minus one if a literal holds; the count is then at least 1."""
    above = (*count[1:], False)
    return _trimmed(
        logic.all_of((here, logic.any_of((no(one), higher))))
        for here, higher in zip(count, above, strict=False)
    )


def _trimmed(count: Iterable[Lit]) -> Unary:
    """Return a count without impossible numbers."""
    return tuple(literal for literal in count if literal is not False)


def supplied(table: PlaneTable, held: Custody, home: Home) -> None:
    """Demand that each follower and guard comes from the supply.

    supply → Σ placed up to turn t ≤ supply now + Σ captured or home with features before t
    - additional prisoners at t

    A captured follower who is no prisoner went home.
    """
    logic, players = table.logic, table.instance.position.players
    owners = table.owners()
    for tile in range(len(table.instance.kinds)):
        gone = [
            logic.any_of((table.towers.taken(logic, unit, tile), _back(table, home, unit, tile)))
            for unit in range(len(owners))
        ]
        for player, state in enumerate(players):
            if tile < state.supply:
                continue
            placed = ((table.placed(turn), table.moves[turn][player]) for turn in range(tile + 1))
            back = ((left, owner[player]) for left, owner in zip(gone, owners, strict=True))
            mine = [(c, count) for (c, who), count in held.at_action[tile].items() if who == player]
            before = sum(players[captor].prisoners.count(player) for captor, _ in mine)
            terms: list[Term] = [(1, logic.all_of(both)) for both in placed]
            terms += [(-1, logic.all_of(both)) for both in back]
            terms += [(1, one) for _, count in mine for one in count]
            low = sum(min(weight, 0) for weight, _ in terms)
            logic.within_if(logic.law(SUPPLY), weighted(terms), low, state.supply + before)
