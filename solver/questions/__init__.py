"""The only door to the solver: questions about a position, answers with their proof."""

from solver.questions.counts import best_lines, continuations
from solver.questions.gate import drawn_first, unnamed_now
from solver.questions.look import Chosen, Look, Place, Threat, Where, gap
from solver.questions.prospects import Claim, Prospect, Stake, Way, prospects, ways
from solver.questions.reasons import Reasons, why_out_of_reach, why_turn, why_unfinished
from solver.questions.rehearsal import Rehearsal
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
from solver.questions.spots import Outcome, Spot, on_spot, spots
from solver.questions.turn import best, check, legal, why_not

__all__ = [
    "OUTLOOK_ENGINES",
    "Chosen",
    "Claim",
    "Look",
    "Outcome",
    "Place",
    "Prospect",
    "Reasons",
    "Rehearsal",
    "Soonest",
    "Spot",
    "Stake",
    "Threat",
    "Way",
    "Where",
    "ahead",
    "best",
    "best_lines",
    "check",
    "continuations",
    "drawn_first",
    "expected",
    "forced",
    "forced_alone",
    "gap",
    "legal",
    "maximum",
    "on_spot",
    "prospects",
    "soonest",
    "soonest_engines",
    "spots",
    "unnamed_now",
    "ways",
    "why_not",
    "why_out_of_reach",
    "why_turn",
    "why_unfinished",
    "winning",
]
