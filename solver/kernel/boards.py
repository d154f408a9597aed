"""What the boards of both families share: features as classes of nodes, and sides that must agree.

The classes form a union-find. The lowest node of a class is its root, no path is compressed, and a
log holds the roots that became children. A *node* is a segment of a tile on the board.

A state has the fields ``parent``: node → its parent, or itself; ``feature``: root → what the class
holds; ``joins``: length of the log; ``joined``: index → child; ``root_before``: index → what its
root held before. A family adds what the child holds to what the root holds.

A side shows one of a few things, each a bit of its own. ``t.looks``: lie → bits of its sides;
``t.asks``: lie, side → bit that the cell beyond must show; ``s.wants``: empty cell → bits that the
tiles beside it ask for. ``t.turned`` and ``t.lies`` have the different lies of a kind.
"""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.compiling import compiled, inner


@compiled
def find(s: Any, node: int) -> int:
    """Return the root of a node's class."""
    while s.parent[node] != node:
        node = int(s.parent[node])
    return node


@inner
def link(s: Any, one: int, other: int) -> int:
    """Make the classes of two nodes one; return the root that became a child, or -1."""
    one, other = find(s, one), find(s, other)
    if one == other:
        return -1
    root, child = min(one, other), max(one, other)
    s.joined[s.joins] = child
    s.root_before[s.joins] = s.feature[root]
    s.joins += 1
    s.parent[child] = root
    return child


@inner
def part(s: Any, joins: int) -> None:
    """Undo all links but the first ``joins``."""
    while s.joins > joins:
        s.joins -= 1
        child = int(s.joined[s.joins])
        s.feature[s.parent[child]] = s.root_before[s.joins]
        s.parent[child] = child


@inner
def fits(s: Any, t: Any, cell: int, lie: int) -> bool:
    """Tell whether a lie shows what an empty cell asks for."""
    wants = s.wants[cell]
    return bool(t.looks[lie] & wants == wants)
