"""Final scoring on the incremental state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from model.rules.final_tiles import TARGETS, TILE_9
from model.rules.keeps import KEEP_BONUS
from solver.tables import COURT, KINDS

if TYPE_CHECKING:
    from solver.game_state import GameState

KEEP_TILE, POINTS_TILE = 8, 9
A_MARKET = 3
"""Points a market."""


def final_scores(state: GameState) -> tuple[int, int]:
    """Return the totals after final scoring, wall tiles used for the most points.

    Args:
        state: a state with no tile left to draw.

    """
    totals = list(state.score)
    for player, points in enumerate(keep_points(state)):
        totals[player] += points
    worth: dict[tuple[int, int], list[int]] = {}
    for root, player in _held(state):
        kind = state.board.kind[root]
        if kind == COURT:
            markets = state.board.markets[root]
            totals[player] += A_MARKET * markets
            worth.setdefault((player, kind), []).append(markets)
        elif not is_complete(state, root):
            worth.setdefault((player, kind), []).append(state.worth(root))
    for (player, kind), values in worth.items():
        number = next(n for n, (what, _) in TARGETS.items() if what is KINDS[kind])
        totals[player] += _by_tiles(state, player, number, values)
    for player in (0, 1):
        totals[player] += TILE_9() * tiles_of(state, player, POINTS_TILE)
    return totals[0], totals[1]


def tiles_of(state: GameState, player: int, number: int) -> int:
    """Return how many wall tiles of a number a player may use at the end."""
    index = player * 10 + number
    late = state.fresh_hand[index] if state.flags.last_turn_tiles else 0
    return state.hand[index] + late


def keep_points(state: GameState) -> tuple[int, int]:
    """Return what each player scores for the larger keep: the largest empty area, or nothing."""
    keeps = [_keep(state, player) for player in (0, 1)]
    if keeps[0] == keeps[1]:
        return 0, 0
    area = state.board.largest_empty_area()
    return (area, 0) if keeps[0] > keeps[1] else (0, area)


def _keep(state: GameState, player: int) -> int:
    """Return the size of a player's keep with his wall tiles 8."""
    keep = state.keep[player]
    if keep == 0 and state.flags.bonus_needs_keep:
        return 0
    tiles = tiles_of(state, player, KEEP_TILE)
    return keep + KEEP_BONUS * (tiles if state.flags.bonus_stacks else min(tiles, 1))


def _held(state: GameState) -> Iterator[tuple[int, int]]:
    """Yield every feature on which one player has more followers, with that player."""
    men = state.board.men
    roots = {state.board.find(node) for node in state.posts if node >= 0}
    for root in roots:
        if men[2 * root] != men[2 * root + 1]:
            yield root, int(men[2 * root] < men[2 * root + 1])


def is_complete(state: GameState, root: int) -> bool:
    """Tell whether a feature with followers on it is complete after all."""
    return not state.board.needs(root) and not state.board.holed(root)


def _by_tiles(state: GameState, player: int, number: int, values: list[int]) -> int:
    """Return what a player's wall tiles of a number bring on the features worth ``values``."""
    times = tiles_of(state, player, number)
    if not times:
        return 0
    if state.flags.once_per_feature:
        return sum(sorted(values, reverse=True)[:times])
    return max(values) * times
