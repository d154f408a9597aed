"""Final scoring on the incremental state."""

from __future__ import annotations

from collections.abc import Sequence

from model.rules.castle.final_tiles import TARGETS, TILE_9
from model.rules.castle.keeps import KEEP_BONUS
from solver.flags import Flags
from solver.game_state import GameState
from solver.tables import COURT, KINDS

KEEP_TILE, POINTS_TILE = 8, 9
A_MARKET = 3
"""Points a market."""

NUMBER_FOR = {KINDS.index(what): number for number, (what, _) in TARGETS.items()}
"""By kind of segment the wall tile that counts a feature of it."""
Held = dict[tuple[int, int], list[int]]
"""By player and kind what each feature is worth that he holds at the end: markets of courts,
points of features that are not complete."""


def final_scores(state: GameState) -> tuple[int, int]:
    """Return the totals after final scoring, wall tiles used for the most points.

    Args:
        state: a state with no tile left to draw.

    """
    white, black = settled(state.flags, state.score, usable(state), holdings(state))
    for_white, for_black = keep_points(state)
    return white + for_white, black + for_black


def settled(
    flags: Flags, score: Sequence[int], tiles: Sequence[int], held: Held
) -> tuple[int, int]:
    """Return the totals after final scoring without what the larger keep brings.

    Args:
        flags: the switches.
        score: by player.
        tiles: by ``player * 10 + number`` the wall tiles that may be used.
        held: what the players hold.

    """
    totals = [score[0], score[1]]
    for (player, kind), values in held.items():
        if kind == COURT:
            totals[player] += A_MARKET * sum(values)
        times = tiles[player * 10 + NUMBER_FOR[kind]]
        if times and flags.once_per_feature:
            totals[player] += sum(sorted(values, reverse=True)[:times])
        elif times:
            totals[player] += max(values, default=0) * times
    for player in (0, 1):
        totals[player] += TILE_9() * tiles[player * 10 + POINTS_TILE]
    return totals[0], totals[1]


def holdings(state: GameState) -> Held:
    """Return what the features are worth on which one player has more followers."""
    board, men = state.board, state.board.men
    held: Held = {}
    for root in state.occupied():
        white, black = men[2 * root], men[2 * root + 1]
        if white == black:
            continue
        kind = board.kind[root]
        if kind == COURT:
            held.setdefault((int(white < black), kind), []).append(board.markets[root])
        elif not is_complete(state, root):
            held.setdefault((int(white < black), kind), []).append(state.worth(root))
    return held


def usable(state: GameState) -> list[int]:
    """Return by ``player * 10 + number`` the wall tiles that may be used at the end."""
    if not state.flags.last_turn_tiles or not any(state.fresh_hand):
        return state.hand
    return [now + late for now, late in zip(state.hand, state.fresh_hand, strict=True)]


def keep_points(state: GameState) -> tuple[int, int]:
    """Return what each player scores for the larger keep: the largest empty area, or nothing."""
    larger = larger_keep(state.flags, state.keep, usable(state))
    if larger is None:
        return 0, 0
    area = state.board.largest_empty_area()
    return (0, area) if larger else (area, 0)


def larger_keep(flags: Flags, keep: Sequence[int], tiles: Sequence[int]) -> int | None:
    """Return the player whose keep is larger, wall tiles 8 included; None if they are equal."""
    keeps = [0, 0]
    for player in (0, 1):
        if keep[player] or not flags.bonus_needs_keep:
            eights = tiles[player * 10 + KEEP_TILE]
            bonus = eights if flags.bonus_stacks else min(eights, 1)
            keeps[player] = keep[player] + KEEP_BONUS * bonus
    return None if keeps[0] == keeps[1] else int(keeps[1] > keeps[0])


def is_complete(state: GameState, root: int) -> bool:
    """Tell whether a feature with followers on it is complete after all."""
    return not state.board.needs(root) and not state.board.holed(root)
