"""What a search of best play knows of a game in a castle, with or without The Falcon."""

from __future__ import annotations

from solver.falcon.dominance import FalconDominance
from solver.falcon.looks import FalconLooks
from solver.falcon.scale import FalconLedger
from solver.falcon.state import FalconState
from solver.game_state import GameState
from solver.search.dominance import Dominance
from solver.search.looks import Looks
from solver.search.standing import Ledger


def looks_of(state: GameState) -> Looks:
    """Return the looks of a search."""
    return FalconLooks(state) if isinstance(state, FalconState) else Looks(state)


def ledger_of(looks: Looks, *, final: bool) -> Ledger:
    """Return what the standings of a search have in common.

    Args:
        looks: of the search.
        final: whether final scoring counts, or the scores on the track alone.

    """
    if isinstance(looks, FalconLooks):
        return FalconLedger(looks, final=final)
    return Ledger(looks, final=final)


def dominance_of(state: GameState, left: int, *, last: bool) -> Dominance:
    """Return what is known of a position that makes options needless.

    Args:
        state: the position.
        left: turns that may follow this one.
        last: whether no tile is left after this one.

    """
    if isinstance(state, FalconState):
        return FalconDominance(state, left, last=last)
    return Dominance(state, left, last=last)
