"""Questions about a position, and answers with their proof."""

from solver.questions.counts import best_lines, continuations
from solver.questions.gate import drawn_first, unnamed_now
from solver.questions.reasons import Reasons, why_out_of_reach, why_turn, why_unfinished
from solver.questions.rest import (
    OUTLOOK_ENGINES,
    ahead,
    expected,
    forced,
    forced_alone,
    maximum,
    winning,
)
from solver.questions.soonest import Soonest, soonest, soonest_engines
from solver.questions.turn import best, check, legal, why_not

__all__ = [
    "OUTLOOK_ENGINES",
    "Reasons",
    "Soonest",
    "ahead",
    "best",
    "best_lines",
    "check",
    "continuations",
    "drawn_first",
    "expected",
    "forced",
    "forced_alone",
    "legal",
    "maximum",
    "soonest",
    "soonest_engines",
    "unnamed_now",
    "why_not",
    "why_out_of_reach",
    "why_turn",
    "why_unfinished",
    "winning",
]
