"""What each completed feature is worth and who wins it.

A unit is something that may be scored in the turn: the feature of a segment of the new
tile, or a feature that the tile closes without joining it. Of the latter at most one cell's
are closed, so the components of different cells share their units.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from model.components import Rank
from model.geometry import Cell
from model.switches import FOUNTAIN_IS_DOUBLING, KING_BARS_DOUBLING
from model.tiles import Kind, Mark
from solver.cpsat.board import Component, Ground
from solver.cpsat.completion import Completed
from solver.cpsat.connectivity import Joins
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.run import Expression, Literal

PER_TILE = {Kind.PATH: 1, Kind.TOWER: 2, Kind.HOUSE: 1}
"""Points a tile of a completed feature; a path with a fountain counts double."""
LARGEST = 8
"""Tiles of a chapel after which it grows no dearer: n of them are worth 1 + 2 + … + n."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Something that may be scored in the turn."""

    segment: int | None
    """The segment of the tile whose feature it is; None for closed components."""
    components: Mapping[int, Lit]
    """Components that belong to it: swallowed by the segment, or closed."""
    wins: tuple[Lit, Lit]
    """Who scores it, by player; none if it is not complete or nobody wins it."""
    kinds: Mapping[Kind, Lit]
    """Of which kind it is, if it is complete."""
    worth: Expression
    """Points without wall tiles, if somebody scores it."""
    most: int
    """No more points than these, with a king."""
    royal: tuple[Lit, Lit] = (False, False)
    """A king doubles what it is worth to this player."""
    barred: tuple[Lit, Lit] = (False, False)
    """A king keeps this player from doubling it with wall tiles."""


def units(
    logic: Logic, ground: Ground, joins: Joins, done: Completed, y: tuple[Literal, ...]
) -> tuple[Unit, ...]:
    """Return what may be scored, without what nobody can win."""
    grown = (_grown(logic, ground, joins, done, y, i) for i in done.grown)
    found = (*grown, *_closed(logic, ground, done))
    return tuple(unit for unit in found if any(won is not False for won in unit.wins))


def _strengths(ground: Ground, component: Component) -> tuple[int, int]:
    """Return how many followers each player has on a component."""
    first, second = (component.feature.strength(p) for p in range(len(ground.position.players)))
    return first, second


def _grown(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    joins: Joins,
    done: Completed,
    y: tuple[Literal, ...],
    i: int,
) -> Unit:
    """Return the feature of a segment as a unit.

    lead = Σ_n (mine(n) - theirs(n)) · has[i,n] + Σ_j same[i,j] and y[j]; the mover wins iff
    it is complete and lead > 0, the opponent iff it is complete and lead < 0.
    """
    mover = ground.position.to_move
    kind = ground.kind.segments[i].kind
    members = {
        n: lit for n, lit in joins.swallowed(i).items() if ground.components[n].only is not None
    }
    terms: list[tuple[int, Lit]] = []
    for n, literal in members.items():
        strengths = _strengths(ground, ground.components[n])
        terms.append((strengths[mover] - strengths[1 - mover], literal))
    for j, one in joins.with_segments(i).items():
        terms.append((1, logic.all_of((one, y[j]))))
    ahead = _compared(logic, [(weight, literal) for weight, literal in terms])
    behind = _compared(logic, [(-weight, literal) for weight, literal in terms])
    mine, theirs = (logic.all_of((done.grown[i], side)) for side in (ahead, behind))
    scored = logic.any_of((mine, theirs))
    fountain = _fountain(logic, ground, joins, i, members)
    worth, most = _worth(logic, ground, i, members, scored, fountain)
    kings = _kings(logic, ground, members)
    royal = kings
    if _any_left(kings) and ground.position.game.value(FOUNTAIN_IS_DOUBLING) == "on":
        royal = (logic.all_of((kings[0], no(fountain))), logic.all_of((kings[1], no(fountain))))
    return Unit(
        segment=i,
        components=members,
        wins=(mine, theirs) if mover == 0 else (theirs, mine),
        kinds={kind: True},
        worth=worth,
        most=_doubled(most, royal),
        royal=royal,
        barred=_barred(logic, ground, kings),
    )


def _kings(logic: Logic, ground: Ground, members: Mapping[int, Lit]) -> tuple[Lit, Lit]:
    """Return whether a player's king stands on one of some components: OR_n member(n).

    No king is placed on what is scored, so those on the board are all.
    """
    first, second = (
        logic.any_of(
            literal
            for n, literal in members.items()
            if any(
                (follower.player, follower.rank) == (player, Rank.KING)
                for follower in ground.components[n].feature.followers
            )
        )
        for player in (0, 1)
    )
    return first, second


def _doubled(most: int, royal: Sequence[Lit]) -> int:
    """Return the most points, twice as many where a king can double them."""
    return 2 * most if _any_left(royal) else most


def _any_left(literals: Sequence[Lit]) -> bool:
    """Tell whether one of some literals may be true."""
    return any(literal is not False for literal in literals)


def _barred(logic: Logic, ground: Ground, kings: tuple[Lit, Lit]) -> tuple[Lit, Lit]:
    """Return whether kings keep each player from doubling: his own, or any by the switch."""
    if not _any_left(kings) or ground.position.game.value(KING_BARS_DOUBLING) == "own":
        return kings
    either = logic.any_of(kings)
    return either, either


def _compared(logic: Logic, terms: Iterable[tuple[int, Lit]]) -> Lit:
    """Return whether Σ weight · literal > 0."""
    left = [(weight, lit) for weight, lit in terms if weight and logic.value(lit) is not False]
    high = sum(weight for weight, _ in left if weight > 0)
    if high == 0:
        return False
    if all(weight > 0 for weight, _ in left):
        return logic.any_of(literal for _, literal in left)
    return logic.within(weighted(left), 1, high)


def _worth(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    i: int,
    members: Mapping[int, Lit],
    scored: Lit,
    fountain: Lit,
) -> tuple[Expression, int]:
    """Return the points of a segment's feature, if it is scored, and their limit.

    size = 1 + Σ over the tiles of its components, each tile once: tiles that belong to
    the same components go together, and count iff one of these has been swallowed.
    """
    kind = ground.kind.segments[i].kind
    together: dict[frozenset[int], int] = defaultdict(int)
    owners: dict[Cell, set[int]] = defaultdict(set)
    for n in members:
        for cell in ground.components[n].feature.cells:
            owners[cell].add(n)
    for holders in owners.values():
        together[frozenset(holders)] += 1
    size = 1 + weighted(
        (tiles, logic.any_of(members[n] for n in holders)) for holders, tiles in together.items()
    )
    most = 1 + _largest(ground, members)
    if kind is Kind.CHAPEL:
        table = [_chapel(tiles) for tiles in range(most + 1)]
        worth = logic.integer(0, table[-1], f"worth{i}")
        logic.model.add_element(size, table, worth)
        return worth, table[-1]
    if kind is not Kind.PATH:
        return PER_TILE[kind] * size, PER_TILE[kind] * most
    if isinstance(fountain, bool):
        return (1 + fountain) * size, (1 + fountain) * most
    points = logic.integer(0, 2 * most, f"worth{i}")
    # Not scored means 0 points, so that the variable is fixed in every solution.
    logic.equal_if([~fountain, scored], points, size)
    logic.equal_if([fountain, scored], points, 2 * size)
    if not isinstance(scored, bool):
        logic.equal_if([~scored], points, 0)
    return points, 2 * most


def _chapel(tiles: int) -> int:
    """Return what a chapel of so many tiles is worth."""
    dearest = min(tiles, LARGEST)
    return dearest * (dearest + 1) // 2


def _largest(ground: Ground, members: Mapping[int, Lit]) -> int:
    """Return how many tiles the components of one cell have at most."""
    tiles: dict[Cell | None, set[Cell]] = defaultdict(set)
    for n in members:
        tiles[ground.components[n].only] |= ground.components[n].feature.cells
    return max(map(len, tiles.values()), default=0)


def _fountain(
    logic: Logic, ground: Ground, joins: Joins, i: int, members: Mapping[int, Lit]
) -> Lit:
    """Return whether a fountain lies on a segment's feature."""
    own = (
        one
        for j, one in joins.with_segments(i).items()
        if Mark.FOUNTAIN in ground.kind.segments[j].marks
    )
    met = (
        literal
        for n, literal in members.items()
        if ground.components[n].feature.count(Mark.FOUNTAIN)
    )
    return logic.any_of((*own, *met))


def _closed(logic: Logic, ground: Ground, done: Completed) -> list[Unit]:
    """Return the closed components as units: the k-th of every cell share one."""
    by_cell: dict[Cell, list[int]] = defaultdict(list)
    for n, literal in done.closed.items():
        component = ground.components[n]
        first, second = _strengths(ground, component)
        if component.only is not None and first != second and literal is not False:
            by_cell[component.only].append(n)
    slots = range(max(map(len, by_cell.values()), default=0))
    return [
        _slot(logic, ground, done, [found[k] for found in by_cell.values() if k < len(found)])
        for k in slots
    ]


def _slot(logic: Logic, ground: Ground, done: Completed, members: list[int]) -> Unit:
    """Return one unit for components of which at most one is closed."""
    won: tuple[list[Lit], list[Lit]] = ([], [])
    kinds: dict[Kind, list[Lit]] = defaultdict(list)
    worths: dict[int, int] = {}
    for n in members:
        component = ground.components[n]
        first, second = _strengths(ground, component)
        won[0 if first > second else 1].append(done.closed[n])
        kinds[component.feature.kind].append(done.closed[n])
        worths[n] = _closed_worth(component)
    closed = {n: done.closed[n] for n in members}
    kings = _kings(logic, ground, closed)
    royal = kings
    if _any_left(kings) and ground.position.game.value(FOUNTAIN_IS_DOUBLING) == "on":
        features = {n: ground.components[n].feature for n in closed}
        plain = {n: lit for n, lit in closed.items() if not features[n].count(Mark.FOUNTAIN)}
        royal = _kings(logic, ground, plain)
    return Unit(
        segment=None,
        components=closed,
        wins=(logic.any_of(won[0]), logic.any_of(won[1])),
        kinds={kind: logic.any_of(literals) for kind, literals in kinds.items()},
        worth=weighted((worths[n], done.closed[n]) for n in members),
        most=_doubled(max(worths.values()), royal),
        royal=royal,
        barred=_barred(logic, ground, kings),
    )


def _closed_worth(component: Component) -> int:
    """Return the points of a component that is closed as it is."""
    feature = component.feature
    if feature.kind is Kind.CHAPEL:
        return _chapel(feature.size)
    return feature.size * PER_TILE[feature.kind] * (2 if feature.count(Mark.FOUNTAIN) else 1)
