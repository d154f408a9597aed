"""Questions about a position, answered with proofs; each is imported at its first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.questions.count import best_lines as best_lines
    from solver.questions.count import continuations as continuations
    from solver.questions.evaluation import PROVABLE as PROVABLE
    from solver.questions.evaluation import at_sight as at_sight
    from solver.questions.evaluation import evaluate as evaluate
    from solver.questions.explain import Reasons as Reasons
    from solver.questions.explain import soonest as soonest
    from solver.questions.explain import soonest_engines as soonest_engines
    from solver.questions.explain import why_out_of_reach as why_out_of_reach
    from solver.questions.explain import why_unfinished as why_unfinished
    from solver.questions.game import ahead as ahead
    from solver.questions.game import expected as expected
    from solver.questions.game import forced as forced
    from solver.questions.game import inflicted as inflicted
    from solver.questions.game import maximum as maximum
    from solver.questions.game import winning as winning
    from solver.questions.preconditions import drawn_first as drawn_first
    from solver.questions.preconditions import unnamed_now as unnamed_now
    from solver.questions.turn import best as best
    from solver.questions.turn import legal as legal
    from solver.questions.turn import tile_in_hand as tile_in_hand
    from solver.questions.turn import turn_problem as turn_problem
    from solver.questions.turn import why_not as why_not
    from solver.search.playouts import revealed as revealed

_AT = {
    "solver.search.playouts": "revealed",
    "solver.questions.count": "best_lines continuations",
    "solver.questions.evaluation": "PROVABLE at_sight evaluate",
    "solver.questions.explain": "Reasons soonest soonest_engines why_out_of_reach why_unfinished",
    "solver.questions.game": "ahead expected forced inflicted maximum winning",
    "solver.questions.preconditions": "drawn_first unnamed_now",
    "solver.questions.turn": "best legal tile_in_hand turn_problem why_not",
}
"""The public names of each module."""
_MODULE = {name: module for module, names in _AT.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a question at its first use; checking a move loads no engine."""
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE[name]), name)
