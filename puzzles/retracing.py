"""Explain why a tile of a finished position was laid last: the others are ruled out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from model.geometry import Cell
from model.position import Position
from model.rules.carcassonne.placement import ORIGIN
from puzzles.questions.past import began
from puzzles.questions.wording import listed


class Excluded(NamedTuple):
    """The tiles of a finished position that were not laid last, by the reason."""

    owned: list[tuple[Cell, int]]
    """Those with a follower of a player who did not have the last turn, with the player."""
    hanging: list[Cell]
    """Those without which a tile beside them would touch no other."""
    ordered: list[Cell]
    """Those after which no order of the others gives each follower to whoever laid his tile."""
    played: list[Cell]
    """The others: only a look at whole games rules them out."""


def excluded(position: Position, last: Cell) -> Excluded:
    """Return the tiles but the last one, by the reason why another followed them.

    Args:
        position: a position without tiles to come, that every game reaches by the tile on ``last``.
        last: the cell of the tile that was laid last.

    """
    laid = [tile.cell for tile in position.tiles]
    if position.game.board.endless:
        laid.remove(ORIGIN)
    mover, found = _movers(position)[-1], Excluded([], [], [], [])
    for cell in laid:
        owner = _owner(position, cell)
        if cell == last:
            continue
        if owner is not None and owner != mover:
            found.owned.append((cell, owner))
        elif not _together(position, {*laid} - {cell}):
            found.hanging.append(cell)
        elif not any(_possible(position, order) for order in _orders(laid, cell)):
            found.ordered.append(cell)
        else:
            found.played.append(cell)
    return found


def ruled_out(position: Position, last: Cell) -> Iterator[str]:
    """Yield who had the last turn, and for each tile but the last one why another followed it.

    Args:
        position: a position as for ``excluded``.
        last: the cell of the tile that was laid last.

    """
    name, found = position.game.name, excluded(position, last)
    yield f"Work backwards: {name(_movers(position)[-1])} had the last turn."
    owned = dict[str, list[str]]()
    for cell, owner in found.owned:
        owned.setdefault(name(owner), []).append(str(cell))
    for other, cells in owned.items():
        one = len(cells) == 1
        who = (
            f"The {'follower' if one else 'followers'} on {listed(cells)} {'is' if one else 'are'}"
        )
        yield f"{who} {other}'s, so {other} laid {'that tile' if one else 'those tiles'}."
    yield from _earlier([str(cell) for cell in found.hanging])
    ordered, played = (" or ".join(map(str, cells)) for cells in found[2:])
    if ordered:
        yield (
            f"If the tile on {ordered} came last, no order of the others gives each follower to"
            " whoever laid his tile."
        )
    if played:
        yield (
            f"With the tile on {played} at the end, no order of the others brings these points and"
            " leaves these followers."
        )
    yield f"Only {last} is left."


def _earlier(cells: list[str]) -> Iterator[str]:
    """Yield why tiles without which another would touch nothing were not the last."""
    if len(cells) == 1:
        yield f"The tile on {cells[0]} came earlier: a tile beside it touches no other."
    elif cells:
        yield (
            f"The tiles on {listed(cells)} came earlier: each has a tile beside it that touches"
            " no other."
        )


def _movers(position: Position) -> list[int]:
    """Return the player of each turn."""
    players, turns = len(position.players), len(position.tiles) - position.game.board.endless
    first = began(position).to_move
    return [(first + turn) % players for turn in range(turns)]


def _owner(position: Position, cell: Cell) -> int | None:
    """Return whose follower stands on a tile; None if nobody's does."""
    return next((one.player for one in position.followers if one.node.cell == cell), None)


def _together(position: Position, cells: set[Cell]) -> bool:
    """Tell whether tiles on an endless board hang together with the start tile."""
    if not position.game.board.endless:
        return True
    reached, edge = {ORIGIN}, [ORIGIN]
    while edge:
        for _, beyond in edge.pop().neighbours():
            if beyond in cells and beyond not in reached:
                reached.add(beyond)
                edge.append(beyond)
    return cells <= reached


def _orders(laid: list[Cell], last: Cell) -> Iterator[tuple[Cell, ...]]:
    """Yield the orders in which tiles may have been laid with one of them at the end."""
    others = [cell for cell in laid if cell != last]
    return ((*order, last) for order in permutations(others))


def _possible(position: Position, order: tuple[Cell, ...]) -> bool:
    """Tell whether each tile has a neighbour in its turn, and each follower his owner's turn."""
    for turn, (cell, mover) in enumerate(zip(order, _movers(position), strict=True), start=1):
        owner = _owner(position, cell)
        if owner not in {None, mover} or not _together(position, {*order[:turn]}):
            return False
    return True
