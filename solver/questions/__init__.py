"""Questions about a position, answered with proofs; each is imported at its first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.engines import GAME_ENGINES
    from solver.questions.count import best_lines, continuations
    from solver.questions.evaluation import PROVABLE, SENSIBLE, at_sight, evaluate
    from solver.questions.explain import (
        Reasons,
        Soonest,
        soonest,
        soonest_engines,
        why_out_of_reach,
        why_unfinished,
    )
    from solver.questions.game import ahead, expected, forced, inflicted, maximum, winning
    from solver.questions.preconditions import drawn_first, unnamed_now
    from solver.questions.turn import best, check, legal, tile_in_hand, turn_problem, why_not
    from solver.search.playouts import revealed

_AT = {
    "solver.engines": "GAME_ENGINES",
    "solver.search.playouts": "revealed",
    "solver.questions.count": "best_lines continuations",
    "solver.questions.evaluation": "PROVABLE SENSIBLE at_sight evaluate",
    "solver.questions.explain": "Reasons Soonest soonest soonest_engines why_out_of_reach"
    " why_unfinished",
    "solver.questions.game": "ahead expected forced inflicted maximum winning",
    "solver.questions.preconditions": "drawn_first unnamed_now",
    "solver.questions.turn": "best check legal tile_in_hand turn_problem why_not",
}
"""The public names of each module."""
_MODULE = {name: module for module, names in _AT.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a question at its first use; checking a move loads no engine."""
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE[name]), name)


__all__ = [
    "GAME_ENGINES",
    "PROVABLE",
    "SENSIBLE",
    "Reasons",
    "Soonest",
    "ahead",
    "at_sight",
    "best",
    "best_lines",
    "check",
    "continuations",
    "drawn_first",
    "evaluate",
    "expected",
    "forced",
    "inflicted",
    "legal",
    "maximum",
    "revealed",
    "soonest",
    "soonest_engines",
    "tile_in_hand",
    "turn_problem",
    "unnamed_now",
    "why_not",
    "why_out_of_reach",
    "why_unfinished",
    "winning",
]
