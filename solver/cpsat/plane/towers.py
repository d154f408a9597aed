"""The Tower in the turns to come: tower pieces, guards, captures, prisoners and the supply.

piece[t,p]: in tile t's turn a tower piece goes on tower place p.

guard[t,p]: in tile t's turn a follower goes on the tower at p.

take[t,u]: the tower raised in tile t's turn captures the follower u.

deal[t,m,r]: in tile t's turn the mover m buys a follower back, before the action or after scoring.

back[t,r]: a follower of the rank r comes home by an exchange in tile t's turn.

Between turns no two players hold prisoners of each other that could be exchanged. So a captured
follower is exchanged at once or kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import TypeAlias

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.expansions.tower.actions import PIECE_SUPPLY
from burgrave.model.expansions.tower.capture import ONE_CAPTURE, REACH
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.expansions.tower.switches import (
    ACTION_WITHOUT_TILE,
    CAPTURE_OPTIONAL,
    CAPTURE_OWN,
    EXCHANGE_RATIO,
    EXCHANGE_SIZES,
    GUARD_CAPTURABLE,
    RANSOM_WINDOW,
    TOWER_NEEDS_TOWER_TILE,
    TOWER_REOPENS,
)
from burgrave.model.geometry import Cell, Side
from burgrave.model.position import Ransom
from burgrave.model.rules.carcassonne.followers import SUPPLY
from burgrave.solver.cpsat.base.cp import Lit, Literal, Logic, Term, added, at_least, no, weighted
from burgrave.solver.cpsat.base.features import Home, Moves, Turns, claiming, ranking, ranks_of
from burgrave.solver.cpsat.base.instance import Instance
from burgrave.solver.cpsat.base.placement import PlacementVars

TowerPlace: TypeAlias = Cell | int
"""The place of a tower: a cell that is filled now, or the number of a tile to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneTable(Turns):
    """The turns to come, with the actions on towers; none in Carcassonne without The Tower."""

    pieces: tuple[dict[TowerPlace, Literal], ...]
    """By turn and tower place."""
    guards: tuple[dict[TowerPlace, Literal], ...]
    """By turn and tower place."""
    takes: tuple[dict[int, Literal], ...]
    """By turn and number of the follower. Guards of the position follow those of the turns."""
    backs: tuple[dict[Rank, Literal], ...]
    """By turn and rank: who comes home by an exchange, one for one, of followers with ranks."""

    @property
    def guarded(self) -> dict[TowerPlace, int]:
        """The numbers of the position's guards by cell."""
        cells = (tower.cell for tower in self.instance.position.part(Towers).guarded)
        return {cell: unit for unit, cell in enumerate(cells, self.unit(len(self.moves)))}

    def owners(self) -> list[tuple[Lit, ...]]:
        """Return by number and player whether the follower is his."""
        position = self.instance.position
        players = range(len(position.players))
        old = [tuple(p == follower.player for p in players) for follower in position.followers]
        guards = [tower.guard for tower in position.part(Towers).guarded]
        return [*old, *self.moves, *(tuple(p == guard for p in players) for guard in guards)]

    def has_rank(self, unit: int, rank: Rank) -> Lit:
        """Return whether a follower or guard has a rank."""
        guard = unit - self.unit(len(self.moves))
        if guard < 0:
            return Turns.has_rank(self, unit, rank)
        return self.instance.position.part(Towers).guarded[guard].rank is rank

    def taken(self, unit: int, before: int | None = None) -> Lit:
        """Return whether a follower is captured before a tile's turn; with None, in any turn."""
        return self.logic.any_of(turn[unit] for turn in self.takes[:before] if unit in turn)

    def stays(self, unit: int) -> Lit:
        """Return whether a follower is never captured."""
        return no(self.taken(unit))

    def placing(self, tile: int) -> tuple[Literal, ...]:
        """Return the ways to place a follower in a turn, on the tile or as a guard."""
        return (*self.claims(tile), *self.guards[tile].values())

    def placed(self, tile: int, rank: Rank) -> Lit:
        """Return whether a follower of a rank is placed in a turn, on the tile or as a guard."""
        some = self.logic.any_of(self.placing(tile))
        return self.logic.all_of((some, self.has_rank(self.unit(tile), rank)))

    def freed(self) -> dict[tuple[int, int], Lit]:
        """Return by part and tile whether all followers of the part were captured before."""
        return {
            (part.number, tile): self.logic.all_of(self.taken(unit, tile) for unit in here)
            for part in self.instance.parts
            if (here := self.units(part))
            for tile in range(1, len(self.moves))
        }


def towering(placement: PlacementVars, moves: Moves) -> PlaneTable:
    """Make the variables of followers and towers, with all rules except those of capture."""
    position, tiles = placement.instance.position, range(len(placement.instance.kinds))
    table = PlaneTable(
        placement=placement,
        moves=moves,
        on=claiming(placement),
        ranks={},
        pieces=tuple({} for _ in tiles),
        guards=tuple({} for _ in tiles),
        takes=tuple({} for _ in tiles),
        backs=tuple({} for _ in tiles),
    )
    if book_of(position.game).actions:
        _built(table)
    placed = [table.placing(tile) for tile in tiles]
    return replace(table, ranks=ranking(placement.logic, position.game, placed))


def _built(table: PlaneTable) -> None:
    """Make the variables of tower pieces, guards and captures, with their rules but the last's."""
    placement, moves = table.placement, table.moves
    logic, instance = placement.logic, placement.instance
    position, tiles = instance.position, range(len(instance.kinds))
    choice = position.game.specials and position.game.value(EXCHANGE_RATIO) == "one"
    started = {tower.cell for tower in position.part(Towers).built}
    old = [*range(len(position.followers))]
    if position.game.value(GUARD_CAPTURABLE) == "on":
        old += table.guarded.values()
    for tile in tiles:
        able = _able(placement, tile)
        if able is False:
            continue
        for place in _places(instance, tile):
            there = True if isinstance(place, Cell) else placement.laid[place]
            piece = table.pieces[tile][place] = logic.decision(f"piece{tile},{place}")
            logic.clause(~piece, able)
            logic.clause(~piece, there)
            before = [turn[place] for turn in table.pieces[:tile] if place in turn]
            if before or place in started:
                guard = table.guards[tile][place] = logic.decision(f"guard{tile},{place}")
                logic.clause(~guard, able)
                logic.clause(~guard, place in started, *before)
        for unit in (*old, *map(table.unit, range(tile))):
            table.takes[tile][unit] = logic.decision(f"take{tile},{unit}")
        for rank in ranks_of(position.game) if choice else ():
            table.backs[tile][rank] = logic.decision(f"back{tile},{rank}")
    _open(table)
    for player, state in enumerate(position.players):
        pieces = state.part(TowerHoldings).pieces
        if pieces < len(instance.kinds):
            used = [
                (1, logic.all_of((piece, mover[player])))
                for turn, mover in zip(table.pieces, moves, strict=True)
                for piece in turn.values()
            ]
            logic.within_if(logic.law(PIECE_SUPPLY), weighted(used), 0, pieces)


def _able(placement: PlacementVars, tile: int) -> Lit:
    """Return whether a turn may act on towers: by its tile, or in a last turn without one."""
    kinds, game = placement.instance.kinds, placement.instance.position.game
    ways: list[Lit] = []
    if kinds[tile].tower_place or game.value(TOWER_NEEDS_TOWER_TILE) == "off":
        ways.append(placement.laid[tile])
    if tile == len(kinds) - 1 and game.value(ACTION_WITHOUT_TILE) == "on":
        ways.append(no(placement.laid[tile]))
    return placement.logic.any_of(ways)


def _places(instance: Instance, tile: int) -> Iterator[TowerPlace]:
    """Yield the tower places at a turn whose towers are not closed for good."""
    position, towers = instance.position, instance.position.part(Towers)
    game = position.game
    lasting = "off" in {game.value(GUARD_CAPTURABLE), game.value(TOWER_REOPENS)}
    shut = {tower.cell for tower in towers.built if tower.closed}
    shut |= {tower.cell for tower in towers.guarded if lasting}
    for cell, laid in sorted(position.by_cell().items()):
        if laid.kind.tower_place and cell not in shut:
            yield cell
    yield from (t for t in range(tile + 1) if instance.kinds[t].tower_place)


def _open(table: PlaneTable) -> None:
    """Demand that pieces and guards go on open towers.

    guard[s,p] → ¬piece[t,p] and ¬guard[t,p] for t > s, unless that guard was captured before t
    """
    logic, guarded = table.logic, table.guarded
    reopens = table.instance.position.game.value(TOWER_REOPENS) == "on"
    for tile, (pieces, guards) in enumerate(zip(table.pieces, table.guards, strict=True)):
        for place, literal in (*pieces.items(), *guards.items()):
            if place in guarded:
                logic.clause(~literal, table.taken(guarded[place], tile))
            for earlier, turn in enumerate(table.guards[:tile]):
                if place in turn:
                    left = reopens and table.taken(table.unit(earlier), tile)
                    logic.clause(~literal, ~turn[place], left)


def _capturing(table: PlaneTable, home: Home) -> None:
    """Demand that captures are legal, and that one happens where it is compulsory.

    take[t,u] → u is on the board and not the mover's

    reach and take[t,u] → OR_p piece[t,p] and p reaches u; one and take[t,u] → OR_p piece[t,p]

    by a switch: piece[t,p] and p reaches such a u → OR_u take[t,u]
    """
    if not any(table.takes):
        return
    logic, game = table.logic, table.instance.position.game
    optional, own = game.value(CAPTURE_OPTIONAL) == "on", game.value(CAPTURE_OWN) == "on"
    spots, owners = _whereabouts(table), table.owners()
    for tile, (takes, pieces) in enumerate(zip(table.takes, table.pieces, strict=True)):
        for unit, take in takes.items():
            both = zip(table.moves[tile], owners[unit], strict=True)
            foreign = own or no(logic.any_of(map(logic.all_of, both)))
            able = logic.all_of((no(_left(table, home, unit, tile)), foreign))
            logic.clause(~take, able)
            ways = [
                logic.all_of((piece, here, _reaches(table, tile, place, target)))
                for place, piece in pieces.items()
                for target, here in spots[unit].items()
            ]
            logic.demand(REACH, ~take, *ways)
            if logic.explain:  # The rule above implies it, but may be lifted.
                logic.demand(ONE_CAPTURE, ~take, *pieces.values())
            for way in () if optional else ways:
                logic.clause(no(way), no(able), *takes.values())
        logic.model.add_at_most_one(takes.values())


def _whereabouts(table: PlaneTable) -> dict[int, dict[TowerPlace, Lit]]:
    """Return by follower the places where he may be captured."""
    position = table.instance.position
    found: dict[int, dict[TowerPlace, Lit]] = {
        unit: {follower.node.cell: True} for unit, follower in enumerate(position.followers)
    }
    found |= {unit: {cell: True} for cell, unit in table.guarded.items()}
    for tile, guards in enumerate(table.guards):
        here = found[table.unit(tile)] = {}
        here[tile] = table.logic.any_of(table.claims(tile))
        if position.game.value(GUARD_CAPTURABLE) == "on":
            here |= guards
    return found


def _reaches(table: PlaneTable, tile: int, tower: TowerPlace, target: TowerPlace) -> Lit:
    """Return whether the tower raised in a turn reaches a place.

    A tower of n pieces reaches n cells. Pieces of earlier turns add to its height.
    """
    logic = table.logic
    built = table.instance.position.part(Towers).on(tower) if isinstance(tower, Cell) else None
    sure = 1 if built is None else 1 + built.height
    before = [(1, turn[tower]) for turn in table.pieces[:tile] if tower in turn]
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
    here: Mapping[Cell, Lit] = {one: True} if isinstance(one, Cell) else at[one]
    there: Mapping[Cell, Lit] = {other: True} if isinstance(other, Cell) else at[other]
    return logic.any_of(
        logic.all_of(
            (literal, logic.any_of(there[c] for c in _line(cell, distances) if c in there))
        )
        for cell, literal in here.items()
    )


def _line(cell: Cell, distances: range) -> Iterator[Cell]:
    """Yield the cells in one line with a cell, at some distances greater than 0."""
    for side in Side:
        beyond = cell
        for distance in range(1, distances.stop):
            beyond = beyond.step(side)
            if distance in distances:
                yield beyond


def _left(table: PlaneTable, home: Home, unit: int, tile: int) -> Lit:
    """Return whether a follower is captured, or home with his feature, before a turn."""
    ways = [table.taken(unit, tile)]
    for part in table.instance.parts:
        if unit in table.units(part):
            stood = part.old or table.on.get(part.number, False)
            ways.append(table.logic.all_of((stood, home.get((part.number, tile - 1), False))))
    return table.logic.any_of(ways)


Unary: TypeAlias = tuple[Lit, ...]
"""A number as literals: at least 1, at least 2, …; impossible ones are left out."""
Prisoners: TypeAlias = dict[tuple[int, int, Rank], Unary]
"""By captor, owner and rank: the number of prisoners."""
Deals: TypeAlias = dict[tuple[int, Ransom], Literal]
"""By mover and ransom: the mover buys a follower back."""


def in_custody(table: PlaneTable, home: Home) -> Sequence[Deals]:
    """Return the ransoms by tile, with the rules of captures, prisoners and the supply."""
    position, tiles = table.instance.position, range(len(table.moves))
    if not book_of(position.game).actions:
        _supplied(table, [{} for _ in tiles], home)
        return [{} for _ in tiles]
    _capturing(table, home)
    held: Prisoners = {
        (captor, owner, rank): (True,)
        * position.players[captor].part(TowerHoldings).held(owner).count(rank)
        for captor, owner in permutations(range(len(position.players)), 2)
        for rank in ranks_of(position.game)
    }
    window = position.game.value(RANSOM_WINDOW) == "any"
    deals: list[Deals] = []
    at_action: list[Prisoners] = []
    for tile in tiles:
        here, held = _ransoms(table, held, tile, late=False)
        at_action.append(held)
        held = _exchanged(table, held, tile)
        if window:
            after, held = _ransoms(table, held, tile, late=True)
            here |= after
        table.logic.model.add_at_most_one(here.values())
        deals.append(here)
    _supplied(table, at_action, home)
    return deals


def _ransoms(
    table: PlaneTable, held: Prisoners, tile: int, *, late: bool
) -> tuple[Deals, Prisoners]:
    """Make the variables of ransoms at one moment of a turn; return the prisoners after it too.

    A turn lays its tile; only the last turn may lay none.
    """
    logic, deals, after = table.logic, Deals(), Prisoners()
    turn = tile == len(table.moves) - 1 or table.placement.laid[tile]
    for (captor, mover, rank), count in held.items():
        deal: Lit = False
        if count and table.moves[tile][mover] is not False:
            deal = logic.decision(f"deal{tile},{mover},{captor},{late},{rank}")
            deals[mover, Ransom(captor, late, rank)] = deal
            for needed in (count[0], table.moves[tile][mover], turn):
                logic.clause(~deal, needed)
        after[captor, mover, rank] = _less(logic, count, deal)
    return deals, after


def _exchanged(table: PlaneTable, held: Prisoners, tile: int) -> Prisoners:
    """Return the prisoners after a capture: one more, or an exchange.

    swap ↔ the mover takes a follower, and who owns that one holds a fitting one of the mover's

    back[t,r] → swap, and one of the rank r fits; swap → OR_r back[t,r]
    """
    logic, game, owners = table.logic, table.instance.position.game, table.owners()
    every, ranks = game.value(EXCHANGE_RATIO) == "all", ranks_of(game)
    same = game.specials and game.value(EXCHANGE_SIZES) == "same"
    backs, after, able = table.backs[tile], dict(held), {rank: list[Lit]() for rank in ranks}
    for captor, owner, rank in held:
        mover = table.moves[tile][captor]
        taken = logic.any_of(
            logic.all_of((mover, owners[unit][owner], table.has_rank(unit, rank), literal))
            for unit, literal in table.takes[tile].items()
        )
        mine = {r: held[owner, captor, r] for r in ranks if r is rank or not same}
        swap = logic.all_of((taken, logic.any_of(one for count in mine.values() for one in count)))
        stays = logic.all_of((taken, no(swap)))
        after[captor, owner, rank] = _trimmed(added(logic, after[captor, owner, rank], (stays,)))
        if backs:
            logic.clause(no(swap), *backs.values())
        for other in (r for r, count in mine.items() if count):
            there = after[owner, captor, other]
            if every:
                rest = (logic.all_of((one, no(swap))) for one in there)
                after[owner, captor, other] = _trimmed(rest)
            else:
                fits = logic.all_of((swap, mine[other][0]))
                able[other].append(fits)
                one = logic.all_of((fits, backs.get(other, True)))
                after[owner, captor, other] = _less(logic, there, one)
    for rank, back in backs.items():
        logic.clause(~back, *able[rank])
    logic.model.add_at_most_one(backs.values())
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


def _supplied(table: PlaneTable, at_action: Sequence[Prisoners], home: Home) -> None:
    """Demand that each follower and guard comes from the supply.

    supply → Σ placed up to turn t ≤ supply now + Σ captured or home with features before t
    - additional prisoners at t, for each rank

    A captured follower who is no prisoner went home.
    """
    logic, position, owners = table.logic, table.instance.position, table.owners()
    players = position.players
    for tile in range(len(table.instance.kinds)):
        gone = [_left(table, home, unit, tile) for unit in range(len(owners))]
        for (player, state), rank in product(enumerate(players), ranks_of(position.game)):
            most = state.available(rank)
            if tile < most:
                continue
            placed = (
                (table.placed(turn, rank), table.moves[turn][player]) for turn in range(tile + 1)
            )
            back = (
                (left, owner[player], table.has_rank(unit, rank))
                for unit, (left, owner) in enumerate(zip(gone, owners, strict=True))
            )
            held = [one for (_, *mine), one in at_action[tile].items() if mine == [player, rank]]
            most += sum(captor.part(TowerHoldings).held(player).count(rank) for captor in players)
            terms: list[Term] = [(1, logic.all_of(both)) for both in placed]
            terms += [(-1, logic.all_of(ways)) for ways in back]
            terms += [(1, one) for count in held for one in count]
            low = sum(min(weight, 0) for weight, _ in terms)
            logic.within_if(logic.law(SUPPLY), weighted(terms), low, most)
