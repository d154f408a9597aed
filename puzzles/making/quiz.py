"""Quizzes: instructive moves of one position, each asked about as a puzzle of its own.

A quiz asks whether moves are legal, who scores what by a move, and how a game ends with it. Moves
that are illegal by one rule alone come first, and so do shared features and ties. Two engines
of different make prove each answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from random import Random

from burgrave.model.book import book_of
from burgrave.model.engine import canonical, judge
from burgrave.model.errors import QuestionError
from burgrave.model.notation import write_move
from burgrave.model.places import placeable
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.puzzles.judging.solving import certified, certify
from burgrave.puzzles.making.tried_turns import tries
from burgrave.puzzles.questions import Final, Legal, Question, Scores
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.rulings.rulings import Ruling, ruling
from burgrave.puzzles.rulings.without_a_rule import AnyRule, forbids
from burgrave.puzzles.study.puzzle import Certification, Puzzle, slug
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.other_answers import ruled
from burgrave.solver.engines import ENGINES, unknown

WEIGHED = 60
"""Most moves of a sort that are weighed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A move that may be asked about."""

    question: Question
    answer: Answer
    shows: tuple[str, ...]
    """What a solver learns from it: ids of rules, and words for ties and shared features."""
    plain: int
    """How plain the case is; the smaller, the better."""


def quiz(position: Position, count: int, seed: int, name: str = "quiz") -> list[Puzzle]:
    """Return questions about moves with the next tile of a position.

    Args:
        position: a position with a tile to come that has a place.
        count: the number of questions wanted.
        seed: another number, other questions.
        name: what the ids of the puzzles begin with.

    Returns:
        The puzzles, of each sort in turn; fewer if the position holds no more that differ.

    Raises:
        QuestionError: the game is over, no tile to come has a place, or there is no question whose
            answer two engines of different make prove.

    """
    rng = Random(f"quiz {seed}")  # noqa: S311 -- to be repeated
    at = _next_known(position, rng)
    rulings = [ruling(at, move) for move in _moves(at, rng)]
    missed = [one for one in rulings if len(one.violations) == 1]
    near = {one.move.cell for one in missed}
    kept = [one for one in rulings if one.legal and one.move.cell in near]
    sorts = (_legal(missed), _scores(rulings), _legal(kept), _final(at, rulings))
    queues = [iter(_varied(list(items), count, rng)) for items in sorts]
    found: list[Puzzle] = []
    for item in filter(None, chain.from_iterable(zip_longest(*queues))):
        if len(found) == count:
            break
        made = _puzzle(at, item, f"{slug(name)}-{len(found) + 1}")
        if made is not None:
            found.append(made)
    if not found:
        few = sorted({value for engine in ENGINES for value in unknown(engine, at.game)})
        why = f"; few engines know {', '.join(few)}" if few else ""
        raise QuestionError(f"a quiz needs answers that two engines of different make prove{why}")
    return found


def _next_known(position: Position, rng: Random) -> Position:
    """Return the position with a next tile that has a place; of a bag one is drawn by lot."""
    if not position.order and position.bag:
        tile = rng.choice(sorted(position.bag))
        rest = Counter(position.bag) - Counter([tile])
        position = replace(position, order=(tile,), bag=tuple(sorted(rest.elements())))
    if not position.order or not placeable(position, position.order[0]):
        raise QuestionError("a quiz needs a next tile that has a place")
    return position


def _moves(position: Position, rng: Random) -> Iterator[Move]:
    """Yield moves with the next tile, legal and illegal ones, each once."""
    book = book_of(position.game)
    kinds: tuple[Sequence[AnyRule], ...] = (
        book.placement,
        book.deployment,
        book.actions,
        book.wall_tiles,
    )
    # Rules of one kind are tried by the same moves.
    chosen = [next((r for r in rules if forbids(r, position.game)), None) for rules in kinds]
    found = chain.from_iterable(tries(position, rng, rule) for rule in chosen if rule is not None)
    for move in dict.fromkeys(found):
        # Of several wordings of a turn one is asked about.
        if not judge(position, move).legal or canonical(position, move) == move:
            yield move


def _legal(rulings: Sequence[Ruling]) -> Iterator[_Item]:
    """Yield questions whether moves are legal."""
    for one in rulings[:WEIGHED]:
        notes = tuple(found.rule for found in judge(one.position, one.move).notes)
        yield _Item(
            question=Legal(move=write_move(one.position, one.move)),
            answer=Answer(legal=one.legal, breaks=one.breaks),
            shows=(*one.breaks, *notes),
            plain=len(one.move.followers) + len(one.move.scoring),
        )


def _scores(rulings: Sequence[Ruling]) -> Iterator[_Item]:
    """Yield questions who scores what by a move that completes something."""
    for one in [one for one in rulings if one.played is not None][:WEIGHED]:
        events = [] if one.played is None else [e for e in one.played.events if e.anchor]
        if not events:
            continue
        yield _Item(
            question=Scores(move=write_move(one.position, one.move)),
            answer=Answer(points=one.points),
            shows=tuple(rule for event in events for rule in event.rules),
            plain=-len(events),
        )


def _final(position: Position, rulings: Sequence[Ruling]) -> Iterator[_Item]:
    """Yield questions how the game ends if a move is the last."""
    last = replace(position, order=position.order[:1], bag=())
    for move in [one.move for one in rulings if one.legal][:WEIGHED]:
        one = ruling(last, move)
        if one.end is None or not any(event.points for event in one.end.events):
            continue
        question = Final(move=write_move(last, move))
        facts = question.reply(last).facts
        yield _Item(
            question=question,
            answer=Answer(
                value=facts["value"], points=tuple(facts["points"]), tokens=tuple(facts["tokens"])
            ),
            shows=tuple(rule for event in one.end.events if event.points for rule in event.rules),
            plain=-len(one.end.events),
        )


def _varied(listed: list[_Item], count: int, rng: Random) -> list[_Item]:
    """Return items with different answers, each time one that shows what was shown least."""
    rng.shuffle(listed)
    items = list({(one.answer, one.shows): one for one in listed}.values())
    seen: Counter[str] = Counter()
    chosen: list[_Item] = []
    while items and len(chosen) < count:
        best = min(items, key=lambda one: (min(seen[s] for s in one.shows or ("",)), one.plain))
        items.remove(best)
        seen.update({*best.shows} or {""})
        chosen.append(best)
    return chosen


def _puzzle(position: Position, item: _Item, name: str) -> Puzzle | None:
    """Return the puzzle of an item if two engines prove its answer."""
    if isinstance(item.question, Final):
        position = replace(position, order=position.order[:1], bag=())
    if problems(position):
        return None
    made = Puzzle(
        id=name,
        title=TITLES[item.question.name],
        position=position,
        question=item.question,
        answer=item.answer,
        difficulty=1,
        explanation="",
        provenance="A question of a quiz.",
    )
    told = replace(made, rules=ruled(made), explanation=explanations.with_rules(made))
    proved = certify(told, described=True, apart=True)
    if not certified(proved):
        return None
    engines = tuple(verdict.engine for verdict in proved)
    return replace(told, certification=Certification(engines=engines))


TITLES = {
    "legal": "May this be played?",
    "scores": "Who scores what?",
    "final": "How does it end?",
}
"""The titles of the questions of a quiz."""
