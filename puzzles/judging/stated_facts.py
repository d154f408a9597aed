"""Recompute the facts that a finished puzzle states beside its answer.

A puzzle is finished as soon as it says how hard it is, what it shows, which run made it or who
proved it. Then it has all of that, and its explanation the words that its answer makes. Before, it
is a draft, of which nothing is stated but the answer.
"""

from __future__ import annotations

import re
from dataclasses import replace

from burgrave.model.notation import read_move
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.judging.quality import level, measured
from burgrave.puzzles.rulings.rulings import Point, explanation, ruling
from burgrave.puzzles.rulings.without_a_rule import AnyRule
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.study import Study, study
from burgrave.puzzles.themes import themes_in
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.other_answers import framed, ruled
from burgrave.solver.engines import plays

ENOUGH = 2
"""Engines that prove an answer, unless one alone can answer the question."""


def finished(puzzle: Puzzle) -> bool:
    """Tell whether a puzzle states more than its answer."""
    return bool(
        puzzle.themes
        or puzzle.difficulty is not None
        or puzzle.origin is not None
        or puzzle.certification is not None
    )


def stated(puzzle: Puzzle) -> Facts:
    """Return the facts that a finished puzzle states, by the keys of its file."""
    stamp = puzzle.certification
    return {
        "difficulty": puzzle.difficulty,
        "quality": None if puzzle.measures is None else puzzle.measures.data,
        "rules": sorted(puzzle.rules),
        "explanation": puzzle.explanation,
        "reasons": [one.why for one in puzzle.refutations],
        "certification": [] if stamp is None else list(stamp.engines),
    }


def restated(puzzle: Puzzle) -> Facts:
    """Return the facts that a finished puzzle should state for its answer, by the same keys."""
    played, rule = study(puzzle), _rule(puzzle)
    words = quizzed = _words(puzzle)
    reasons = [] if played is None else explanations.reasons(played)
    if rule is not None:
        rules = {rule.id, *puzzle.answer.breaks}
    elif played is not None:
        rules = {*explanations.rules_of(played)}
    else:
        rules, quizzed = {*ruled(puzzle)}, explanations.with_rules(puzzle)
    measures = measured(puzzle)
    return {
        "difficulty": level(measures, puzzle),
        "quality": None if measures is None else measures.data,
        "rules": sorted(rules),
        # A quiz tells the rules at work after its words.
        "explanation": puzzle.explanation if puzzle.explanation == quizzed else words,
        "reasons": [
            why if not one.why or re.search(r"\d", one.why) else one.why
            for one, why in zip(puzzle.refutations, reasons, strict=True)
        ],
        "certification": _provers(puzzle),
    }


def _rule(puzzle: Puzzle) -> AnyRule | None:
    """Return the rule on which a puzzle is a lesson; None if it is none."""
    if puzzle.origin is None or not puzzle.question.about:
        return None
    return next((one for one in RULES if one.id == puzzle.origin.theme), None)


def _words(puzzle: Puzzle) -> str:
    """Return the words that the answer makes; of a lesson on a rule all verdicts on its move."""
    question, rule = puzzle.question, _rule(puzzle)
    if rule is None or not question.about:
        return explanations.told(puzzle)
    here = ruling(puzzle.position, read_move(puzzle.position, question.about))
    return framed(puzzle.lesson, explanation(rule, here, Point[question.name.upper()]))


def _provers(puzzle: Puzzle) -> list[str]:
    """Return the engines that are said to have proved an answer, without those that cannot have.

    If those are too few, all that can have proved it.
    """
    position = puzzle.position
    able = [one for one in puzzle.question.engines(position) if plays(one, position.game)]
    said = [] if puzzle.certification is None else list(puzzle.certification.engines)
    good = [one for one in dict.fromkeys(said) if one in able]
    return good if len(good) >= min(ENOUGH, len(able)) else able


def described(made: Puzzle, solution: Study, idle: int | None = None) -> Puzzle:
    """Return a puzzle with the themes, rules, difficulty and explanation that are found.

    Args:
        made: the puzzle without words.
        solution: its answer, played out.
        idle: the pieces that can go, if they were counted already.

    """
    ruled = replace(made, rules=explanations.rules_of(solution), themes=themes_in(solution))
    reasons = explanations.reasons(solution)
    measures = measured(ruled, idle)
    return replace(
        ruled,
        difficulty=level(measures, ruled),
        measures=measures,
        explanation=explanations.explanation(solution),
        refutations=tuple(
            replace(one, why=why) for one, why in zip(made.refutations, reasons, strict=True)
        ),
    )
