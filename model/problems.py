"""Everything that is impossible about a position, by place in its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from model.errors import IllegalPositionError
from model.features import position_features
from model.geometry import Cell
from model.placement import complete
from model.position import Node, Position
from model.rules.followers import RETURN, ROLE, ROLES, UNCLAIMED
from model.rules.placement import ADJACENT, INSIDE, PATH, START_PATH
from model.rules.rule import Finding
from model.switches import RETURN_ON_TIE
from model.tiles import PlacedTile


def problems(position: Position, lines: Sequence[Cell] = ()) -> tuple[Finding, ...]:
    """Return every rule that a position breaks; none if it can arise.

    Args:
        position: any position.
        lines: the cells in the order in which the position's file lists them, so that a
            finding can name the line; by default the order of ``position.tiles``.

    """
    where = {cell: f"board[{index}]" for index, cell in enumerate(lines)}
    if not lines:
        where = {tile.cell: f"board[{index}]" for index, tile in enumerate(position.tiles)}
    found = [finding for law in position.game.rules.setup for finding in law(position)]
    found += [replace(f, at=where.get(f.cells[0], "")) for f in _tiles(position)]
    found += [replace(f, at=where.get(f.cells[0], "")) for f in _connected(position)]
    found += [replace(f, at=where.get(f.cells[0], "")) for f in _followers(position)]
    return tuple(found)


def require_possible(position: Position, lines: Sequence[Cell] = ()) -> Position:
    """Return the position if it can arise.

    Raises:
        IllegalPositionError: it cannot; all findings are listed.

    """
    found = problems(position, lines)
    if found:
        raise IllegalPositionError(found)
    return position


def _tiles(position: Position) -> Iterator[Finding]:
    """Yield tiles outside, tiles on one another, and paths that do not meet, each once."""
    taken = Counter(tile.cell for tile in position.tiles)
    for cell, times in sorted(taken.items()):
        if times > 1:
            yield INSIDE.finding(f"{times} tiles lie on {cell}", (cell,))
    for index, tile in enumerate(position.tiles):
        earlier = tuple(t for t in position.tiles[:index] if t.cell != tile.cell)
        before = replace(position, tiles=earlier)
        yield from INSIDE(before, tile)
        yield from PATH(before, tile)
        yield from START_PATH(before, tile)


def _connected(position: Position) -> Iterator[Finding]:
    """Yield a finding for every group of tiles that no start space begins."""
    left: dict[Cell, PlacedTile] = dict(position.by_cell())
    while left:
        first = next(iter(left))
        group = {first}
        stack = [first]
        while stack:
            cell = stack.pop()
            near = {beyond for _, beyond in cell.neighbours() if beyond in left} - group
            group |= near
            stack.extend(near)
        for cell in group:
            del left[cell]
        if not any(position.game.board.start_facing(cell) for cell in group):
            shown = " ".join(str(cell) for cell in sorted(group))
            yield ADJACENT.finding(
                f"no way of full sides leads from a start space to the tiles on {shown}", (first,)
            )


def _followers(position: Position) -> Iterator[Finding]:
    """Yield followers on the wrong kind, on one another, or on completed features."""
    by_cell = position.by_cell()
    standing: set[Node] = set()
    tied_stay = position.game.value(RETURN_ON_TIE) == "off"
    for follower in position.followers:
        cell, index = follower.node
        kind = by_cell[cell].kind.segments[index].kind
        if ROLES[kind] is not follower.role:
            yield ROLE.finding(
                f"a {follower.role} stands on the {kind} on {cell}; a follower there is a"
                f" {ROLES[kind]}",
                (cell,),
            )
        if follower.node in standing:
            yield UNCLAIMED.finding(f"two followers stand on one {kind} segment on {cell}", (cell,))
        standing.add(follower.node)
    if tied_stay:
        return
    laid = position.laid()
    for feature in position_features(position):
        if feature.followers and complete(position, feature, laid):
            for follower in feature.followers:
                yield RETURN.finding(
                    f"the {feature} on {follower.node.cell} is complete, so its {follower.title}"
                    " has gone home",
                    (follower.node.cell,),
                )
