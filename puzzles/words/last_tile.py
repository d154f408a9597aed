"""Explain why a tile of a finished position was laid last: the others are ruled out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from burgrave.model.book import book_of
from burgrave.model.components import Follower
from burgrave.model.engine import legal_moves, play
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.laying import complete
from burgrave.model.places import can_lie
from burgrave.model.position import Position
from burgrave.puzzles.questions.past import began
from burgrave.puzzles.questions.wording import counted, listed, points

Order: TypeAlias = tuple[Cell, ...]
"""The cells of the tiles in the order in which they were laid."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
"""The turns of a game that a puzzle looks back on."""


class Excluded(NamedTuple):
    """The tiles of a finished position that were not laid last, by the reason."""

    owned: list[Cell]
    """Those with a follower of a player who did not have the last turn."""
    hanging: list[Cell]
    """Those without which a tile beside them would touch no other, if there are no start spaces."""
    ordered: list[Cell]
    """Those after which no order of the others gives each follower to whoever laid his tile."""
    played: list[Cell]
    """The others: the points and the prisoners rule them out."""


def excluded(position: Position, last: Cell) -> Excluded:
    """Return the tiles but the last one, by the reason why another followed them.

    Args:
        position: a position without tiles to come, that every game reaches by the tile on ``last``.
        last: the cell of the tile that was laid last.

    """
    return _sorted(position, [cell for cell in _laid(position) if cell != last])


def _sorted(position: Position, cells: Sequence[Cell]) -> Excluded:
    """Return tiles, none of which was laid last, by the reason."""
    mover, found = _movers(position)[-1], Excluded([], [], [], [])
    for cell in cells:
        if not _may(position, cell, mover):
            found.owned.append(cell)
        elif not position.game.board.starts and _stuck(position, cell):
            found.hanging.append(cell)
        elif not any(_fair(position, order) for order in _orders(position, cell)):
            found.ordered.append(cell)
        else:
            found.played.append(cell)
    return found


def why_not_last(position: Position, cell: Cell) -> str:
    """Return in sentences why the tile on a cell was not laid last, if one was laid there.

    Args:
        position: a position as for ``excluded``.
        cell: another cell than that of the tile laid last.

    """
    if cell not in _laid(position):
        start = cell in position.laid()
        return f"The start tile lies on {cell}." if start else f"No tile lies on {cell}."
    return f"{_latest(position)} {' '.join(_reasons(position, _sorted(position, [cell])))}"


def ruled_out(position: Position, last: Cell) -> Iterator[str]:
    """Yield who had the last turn, and for each tile but the last one why another followed it.

    Args:
        position: a position as for ``excluded``.
        last: the cell of the tile that was laid last.

    """
    yield f"Work backwards: {_latest(position)}"
    yield from _reasons(position, excluded(position, last))
    yield f"Only {last} is left."


def _latest(position: Position) -> str:
    """Return who had the last turn, as a sentence."""
    return f"{position.game.name(_movers(position)[-1])} had the last turn."


def _reasons(position: Position, found: Excluded) -> Iterator[str]:
    """Yield in sentences why tiles were not the last one."""
    owned = dict[str, list[str]]()
    for cell in found.owned:
        follower = _stands(position, cell)
        assert follower is not None
        owned.setdefault(position.game.name(follower.player), []).append(str(cell))
    for other, cells in owned.items():
        one = len(cells) == 1
        who = (
            f"The {'follower' if one else 'followers'} on {listed(cells)} {'is' if one else 'are'}"
        )
        yield f"{who} {other}'s, so {other} laid {'that tile' if one else 'those tiles'}."
    for cell in found.hanging:
        yield _earlier(position, cell)
    for cell in found.ordered:
        yield from _out_of_order(position, cell)
    for cell in found.played:
        yield _unaccounted(position, cell)


def only_order(position: Position, last: Cell) -> str:
    """Return the order of the tiles before the last one, if their followers leave no other.

    Args:
        position: a position as for ``excluded``.
        last: the cell of the tile that was laid last.

    """
    orders = [one for one in _orders(position, last) if _fair(position, one)]
    if len(orders) != 1:
        return ""
    before = ", then ".join(map(str, orders[0][:-1]))
    return f"Only one order of the tiles before it gives each follower his owner's turn: {before}."


def fair_orders(position: Position) -> list[Order]:
    """Return the orders in which the rules let the tiles be laid, each follower in his turn.

    Points and prisoners, which may rule out some of them, are not looked at.
    """
    ends = (_orders(position, last) for last in _laid(position))
    return [order for orders in ends for order in orders if _fair(position, order)]


def _earlier(position: Position, cell: Cell) -> str:
    """Return why a tile came before one beside it, which had no place without it."""
    late = _stuck(position, cell)[0]
    start = " and meets no start space" if position.game.board.starts else ""
    near = {beyond for _, beyond in late.neighbours()} & {*_laid(position)}
    apart = f"which touches no other{start}" if near == {cell} else "which had no place without it"
    return f"The tile on {cell} came before the one on {late}, {apart}."


def _out_of_order(position: Position, last: Cell) -> Iterator[str]:
    """Yield why a tile was not the last: a follower would stand on another player's tile."""
    name, orders = position.game.name, _orders(position, last)
    if not orders:
        yield _earlier(position, last)
        return
    supposed, movers = f"If the tile on {last} came last,", _movers(position)[:-1]
    for player in range(len(position.players)):
        cells = [one.node.cell for one in position.followers if one.player == player]
        stands, turns = sorted({*cells} - {last}), movers.count(player)
        if len(stands) > turns:
            yield (
                f"{supposed} {name(player)} had {counted(turns, 'turn')} before it. But his"
                f" followers stand on {listed([*map(str, stands)])}."
            )
            return
    told = list[str]()
    for turn, wrong in _offences(position, orders):
        cells, mover = sorted({order[turn] for order in wrong}), name(movers[turn])
        men, when = listed([_whose(position, cell) for cell in cells]), ORDINALS[turn]
        if len(wrong) == len(orders) and len(cells) == 1:
            could = f"the one on {cells[0]} could only come {when}, in {mover}'s turn"
            yield f"{supposed} {could}. But {men} stands there."
            return
        where, stand = " or ".join(map(str, cells)), "stand" if len(cells) > 1 else "stands"
        told.append(f"{mover} laid the one on {where} in the {when} turn, where {men} {stand}")
    yield f"{supposed} {', or '.join(told)}."


def _offences(position: Position, orders: Sequence[Order]) -> Iterator[tuple[int, list[Order]]]:
    """Yield turns whose tile has another player's follower, until each order has such a turn."""
    movers, left = _movers(position), [*orders]

    def wrong(turn: int) -> list[Order]:
        return [one for one in left if not _may(position, one[turn], movers[turn])]

    while left:
        turn = max(range(len(movers)), key=lambda one: len(wrong(one)))
        found = wrong(turn)
        yield turn, found
        left = [one for one in left if one not in found]


def _unaccounted(position: Position, last: Cell) -> str:
    """Return why a tile was not the last: points or a prisoner would come from nowhere."""
    orders = [one for one in _orders(position, last) if _fair(position, one)]
    supposed = f"If the tile on {last} came last,"
    tower = position.part(Towers).on(last)
    if tower is not None and tower.height + (tower.guard is not None) > 1:
        both = "its pieces" if tower.guard is None else "a piece and a guard"
        return f"{supposed} the tower on it had one turn for {both}. A turn has one action."
    for holder, state in enumerate(position.players):
        for captive in dict.fromkeys(one.owner for one in state.part(TowerHoldings).prisoners):
            for reason in (_no_tower, _nobody_there, _out_of_reach):
                told = {reason(position, order, holder, captive) for order in orders}
                if len(told) == 1 and "" not in told:
                    return f"{supposed} {told.pop()}"
        for unpaid in (_unpaid, _too_little):
            told = {unpaid(position, order, holder) for order in orders}
            if len(told) == 1 and "" not in told:
                return f"{supposed} {told.pop()}"
    return f"{supposed} no order of the others brings these points and leaves these followers."


def _no_tower(position: Position, order: Order, holder: int, captive: int) -> str:  # noqa: ARG001 -- one of the reasons
    """Return that no tower stood yet when a player could raise one; else nothing."""
    turns = _free(position, order, holder)
    built = [tower.cell for tower in position.part(Towers).built]
    if not turns or any(order.index(cell) <= turn for cell in built for turn in turns):
        return ""
    name = position.game.name(holder)
    where = listed([*map(str, built)])
    return f"there was no tower on {where} yet when {name} took his prisoner."


def _nobody_there(position: Position, order: Order, holder: int, captive: int) -> str:
    """Return that nobody could be captured who is gone now; else nothing."""
    turns, lost = _free(position, order, holder), _free(position, order, captive)
    if not turns or any(man < turn for man in lost for turn in turns):
        return ""
    name, latest = position.game.name, max(turns)
    stand = [
        f"the {one.title} on {cell}, who still stands"
        for cell in order[:latest]
        if (one := _stands(position, cell)) is not None and one.player == captive
    ]
    who = f"nobody on the board but {listed(stand)}" if stand else "nobody on the board yet"
    turn = f"in {name(holder)}'s {ORDINALS[latest // len(position.players)]} turn"
    busy = [
        f"{name(holder)} used his later turn for the {one.title} on {cell}, and "
        for cell in order[latest + 1 :]
        if (one := _stands(position, cell)) is not None and one.player == holder
    ]
    return f"{''.join(busy)}{turn} {name(captive)} had {who}. So nobody could be captured."


def _out_of_reach(position: Position, order: Order, holder: int, captive: int) -> str:
    """Return that the towers reach no tile of the captured player; else nothing."""
    lost = [order[turn] for turn in _free(position, order, captive)]
    built = position.part(Towers).built
    reached = (one.reaches(cell) for one in built for cell in lost)
    if not lost or any(reached):
        return ""
    cells, name = listed([*map(str, lost)]), position.game.name
    towers = listed([f"{one.cell}" for one in built])
    pieces = counted(max(one.height for one in built), "piece")
    return (
        f"{name(captive)}'s captured man stood on {cells}, which the tower on {towers} with"
        f" {pieces} does not reach. {name(holder)} could not take him."
    )


def _unpaid(position: Position, order: Order, player: int) -> str:
    """Return that a player has points, but nobody of his can have gone home; else nothing."""
    score = position.players[player].score
    # In The Tower a ransom brings points too.
    if score <= 0 or book_of(position.game).actions:
        return ""
    movers, laid = _movers(position), position.laid()
    free = [order[turn] for turn in _free(position, order, player)]
    done = {
        node.cell
        for feature in position_features(position)
        if complete(position, feature, laid)
        for node in feature.nodes
    }
    if done & {*free}:
        return ""
    mine = sorted(cell for cell, mover in zip(order, movers, strict=True) if mover == player)
    men = [one for cell in mine if (one := _stands(position, cell)) is not None]
    still = [f"his {one.title} still stands on {one.node.cell}" for one in men]
    idle = [f"nothing on {cell} is complete" for cell in free]
    return (
        f"{position.game.name(player)}'s tiles were {listed([*map(str, mine)])}. But"
        f" {listed([*still, *idle])}: nobody brought him {points(score)}."
    )


def _too_little(position: Position, order: Order, player: int) -> str:
    """Return that the last turn alone pays a player, and less than he has; else nothing."""
    last, score = order[-1], position.players[player].score
    free, towers = _free(position, order, player), book_of(position.game).actions
    if towers or score <= 0 or free != [len(order) - 1]:
        return ""
    tile = position.laid()[last]
    before = replace(
        position,
        tiles=tuple(one for one in position.tiles if one.cell != last),
        order=(tile.kind.id,),
        players=tuple(replace(one, score=0) for one in position.players),
        to_move=player,
    )
    turns = (one for one in legal_moves(before) if one.cell == last)
    laid = (one for one in turns if tile.kind.shape(one.rotation) == tile.kind.shape(tile.rotation))
    most = max(play(before, one).position.players[player].score for one in laid)
    if most >= score:
        return ""
    name = position.game.name(player)
    return f"that turn alone paid {name}. It brings him {points(most)} at most, not {score}."


def _free(position: Position, order: Order, player: int) -> list[int]:
    """Return the turns of a player whose tile has no follower of his now, from 0."""
    movers = _movers(position)
    return [
        turn
        for turn, cell in enumerate(order)
        if movers[turn] == player and _stands(position, cell) is None
    ]


def _whose(position: Position, cell: Cell) -> str:
    """Return the follower on a tile with his owner."""
    one = _stands(position, cell)
    assert one is not None
    return f"{position.game.name(one.player)}'s {one.title}"


def _movers(position: Position) -> list[int]:
    """Return the player of each turn."""
    players, turns = len(position.players), len(_laid(position))
    first = began(position).to_move
    return [(first + turn) % players for turn in range(turns)]


def _laid(position: Position) -> list[Cell]:
    """Return the cells of the tiles that were laid in a turn."""
    start = {tile.cell for tile in began(position).tiles}
    return [tile.cell for tile in position.tiles if tile.cell not in start]


def _stands(position: Position, cell: Cell) -> Follower | None:
    """Return the follower on a tile; None if nobody stands there."""
    return next((one for one in position.followers if one.node.cell == cell), None)


def _may(position: Position, cell: Cell, mover: int) -> bool:
    """Tell whether a player may have laid a tile, as far as the follower on it tells."""
    stands = _stands(position, cell)
    return stands is None or stands.player == mover


def _fair(position: Position, order: Order) -> bool:
    """Tell whether each follower stands on a tile of his owner's turn."""
    turns = zip(order, _movers(position), strict=True)
    return all(_may(position, cell, mover) for cell, mover in turns)


def _stuck(position: Position, without: Cell) -> list[Cell]:
    """Return the tiles beside one that no order of the others lays without it, ascending."""
    at, left = began(position), {*_laid(position)} - {without}
    while fitting := [cell for cell in left if can_lie(at, position.laid()[cell])]:
        at = replace(at, tiles=(*at.tiles, position.laid()[fitting[0]]))
        left.remove(fitting[0])
    return sorted(beyond for _, beyond in without.neighbours() if beyond in left)


def _orders(position: Position, last: Cell) -> list[Order]:
    """Return the orders in which the rules let the tiles be laid, with one of them at the end."""
    tiles = position.laid()

    def lay(at: Position, left: frozenset[Cell]) -> Iterator[Order]:
        if not left:
            yield ()
        for cell in sorted(left):
            if (cell != last or len(left) == 1) and can_lie(at, tiles[cell]):
                after = replace(at, tiles=(*at.tiles, tiles[cell]))
                yield from ((cell, *rest) for rest in lay(after, left - {cell}))

    return [*lay(began(position), frozenset(_laid(position)))]
