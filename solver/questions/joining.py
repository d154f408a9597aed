"""Claimed features that a tile joins, on the incremental states: who leads them then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from solver.plane.board import PlaneBoard
from solver.state import BoardState

NOTHING = False, False, False, False
"""What a tile does that joins no claimed features."""


def standing_on(
    board: BoardState | PlaneBoard, followers: Iterable[tuple[int, int]]
) -> list[tuple[int, int, int]]:
    """Return the feature of each follower, his node, and 1 for the mover's or -1 for another's."""
    return [(board.find(node), node, side) for node, side in followers if node >= 0]


def contested_cells(board: BoardState, stood: Sequence[tuple[int, int, int]]) -> int:
    """Return the empty cells that several claimed features of a kind face, as bits."""
    faced: Counter[int] = Counter()
    several = 0
    for root in {root for root, _, _ in stood}:
        needs, kind = board.needs(root), board.kind[root]
        several |= faced[kind] & needs
        faced[kind] |= needs
    return several


def contested_places(board: PlaneBoard, stood: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return the empty cells of a plane that several claimed features of a kind face."""
    t, claimed = board.tables, {root for root, _, _ in stood}
    found = []
    for cell in sorted(board.rim):
        facing: dict[int, set[int]] = {}
        for side, step in enumerate(board.steps if board.lie[cell] < 0 else ()):
            if (lie := board.lie[cell + step]) >= 0:
                ports = t.owner[lie][3 * (side ^ 2) : 3 * (side ^ 2) + 3]
                base = board.slot[cell + step] * t.width
                for root in claimed.intersection(board.find(base + one) for one in {*ports}):
                    facing.setdefault(board.what[root], set()).add(root)
        if any(len(roots) > 1 for roots in facing.values()):
            found.append(cell)
    return found


def joined_features(
    board: BoardState | PlaneBoard,
    stood: Sequence[tuple[int, int, int]],
    pays: Callable[[int], bool] | None = None,
) -> tuple[bool, bool, bool, bool]:
    """Tell whether claimed features are joined, and whether a player leads, ties or steals one.

    Args:
        board: the board.
        stood: the followers where they stood before.
        pays: tells whether who leads a feature scores it, now or at the end; None if he does.

    """
    apart = {root for root, _, _ in stood}
    if len({board.find(root) for root in apart}) == len(apart):
        return NOTHING
    found: dict[int, Counter[int]] = {}
    for root, node, side in stood:
        found.setdefault(board.find(node), Counter())[root] += side
    joined = {root: parts for root, parts in found.items() if len(parts) > 1}
    ends = [(sum(parts.values()), min(parts.values())) for parts in joined.values()]
    won = [
        min(parts.values())
        for root, parts in joined.items()
        if sum(parts.values()) > 0 and (pays is None or pays(root))
    ]
    return (
        True,
        bool(won),
        any(lead == 0 > least for lead, least in ends),
        any(least < 0 for least in won),
    )
