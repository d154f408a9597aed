"""Questions about a position, answered with proofs; each is imported at its first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burgrave.solver.questions.choosing import Choice as Choice
    from burgrave.solver.questions.choosing import choose as choose
    from burgrave.solver.questions.count import best_lines as best_lines
    from burgrave.solver.questions.count import continuations as continuations
    from burgrave.solver.questions.evaluation import PROVABLE as PROVABLE
    from burgrave.solver.questions.evaluation import at_sight as at_sight
    from burgrave.solver.questions.evaluation import evaluate as evaluate
    from burgrave.solver.questions.explain import Reasons as Reasons
    from burgrave.solver.questions.explain import soonest as soonest
    from burgrave.solver.questions.explain import soonest_engines as soonest_engines
    from burgrave.solver.questions.explain import why_out_of_reach as why_out_of_reach
    from burgrave.solver.questions.explain import why_unfinished as why_unfinished
    from burgrave.solver.questions.game import ahead as ahead
    from burgrave.solver.questions.game import expected as expected
    from burgrave.solver.questions.game import forced as forced
    from burgrave.solver.questions.game import inflicted as inflicted
    from burgrave.solver.questions.game import maximum as maximum
    from burgrave.solver.questions.game import winning as winning
    from burgrave.solver.questions.preconditions import drawn_first as drawn_first
    from burgrave.solver.questions.preconditions import unnamed_now as unnamed_now
    from burgrave.solver.questions.turn import best as best
    from burgrave.solver.questions.turn import legal as legal
    from burgrave.solver.questions.turn import tile_in_hand as tile_in_hand
    from burgrave.solver.questions.turn import turn_problem as turn_problem
    from burgrave.solver.questions.turn import why_not as why_not
    from burgrave.solver.search.playouts import revealed as revealed

_AT = {
    "burgrave.solver.search.playouts": "revealed",
    "burgrave.solver.questions.choosing": "Choice choose",
    "burgrave.solver.questions.count": "best_lines continuations",
    "burgrave.solver.questions.evaluation": "PROVABLE at_sight evaluate",
    "burgrave.solver.questions.explain": "Reasons soonest soonest_engines why_out_of_reach"
    " why_unfinished",
    "burgrave.solver.questions.game": "ahead expected forced inflicted maximum winning",
    "burgrave.solver.questions.preconditions": "drawn_first unnamed_now",
    "burgrave.solver.questions.turn": "best legal tile_in_hand turn_problem why_not",
}
"""The public names of each module."""
_MODULE = {name: module for module, names in _AT.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a question at its first use; checking a move loads no engine."""
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE[name]), name)
