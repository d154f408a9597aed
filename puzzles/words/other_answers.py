"""Explain an answer that is no move of this turn: a verdict, a count, a game, an added tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.engine import judge
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.features import position_features
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move
from burgrave.model.places import places
from burgrave.model.position import Position
from burgrave.model.rule import Event, Finding
from burgrave.model.words import read_node
from burgrave.puzzles.questions import Add, Aim
from burgrave.puzzles.questions.past import played as turns_played
from burgrave.puzzles.questions.wording import all_scored, brought, counted, listed, points, turn
from burgrave.puzzles.study.puzzle import Lesson, Puzzle
from burgrave.puzzles.study.study import Step
from burgrave.puzzles.words.last_tile import only_order, ruled_out

LOOK_BACK = (
    "Points on the track tell what was completed. The followers on the board tell who"
    " laid which tile."
)
"""What puzzles about the past teach."""
CAPTIVE = "A prisoner tells who raised a tower, and that somebody stood within its reach."
"""What they teach besides if somebody was captured."""
MAXIMS = {
    Aim.LEVEL: "Count the end as it stands, then look for the feature that makes it up.",
    Aim.HOME: "A follower goes home only from a completed feature. One tile can complete several.",
    Aim.BOTH: "Whoever has most followers on a feature scores it, and in a tie all of them score in"
    " full.",
    Aim.BLOCKED: "A tile has a place only where every side fits. One new neighbour can take it"
    " away.",
}
"""What each search for a tile teaches."""


def recounted(puzzle: Puzzle) -> str:
    """Return the outcome of an answer that is no move of this turn."""
    question, lesson = puzzle.question, puzzle.lesson
    if question.about:
        return framed(lesson, _of_a_move(puzzle, question.about))
    if isinstance(question, Add):
        told, missed = _adding(puzzle, question), _missed(puzzle, question)
        if question.aim is Aim.LEVEL:
            now = final_scoring(_over(puzzle.position)).scores
            stands = f"If the game ended now, it would end {_totals(puzzle.position, now)}."
            lesson = replace(lesson, notice=f"{lesson.notice} {stands}".strip())
        return framed(lesson, told, missed, MAXIMS[question.aim])
    if question.past:
        return _looking_back(puzzle)
    told = _completing(puzzle, question.completes) if question.completes else ""
    return framed(lesson, told)


def framed(lesson: Lesson, told: str, missed: str = "", maxim: str = "") -> str:
    """Return an outcome between the author's words for it, a paragraph each.

    Args:
        lesson: the author's words.
        told: the outcome.
        missed: a wrong answer that comes near, in words.
        maxim: what to remember, if the author says nothing else.

    """
    wrong = " ".join(one for one in (missed, lesson.trap) if one)
    last = lesson.maxim or maxim
    paragraphs = (lesson.notice, told, lesson.key, wrong, f"To remember: {last}" if last else "")
    return "\n".join(one for one in paragraphs if one)


def _looking_back(puzzle: Puzzle) -> str:
    """Return what a board tells about its past, and the turns that led to it."""
    position, before = puzzle.position, ""
    line = puzzle.question.shown(position, puzzle.answer.line, ())
    *_, (_, latest) = turns_played(position, line)
    last, turns = latest.cell, _recounted(puzzle, line)
    assert last is not None
    if puzzle.answer.line:
        before = only_order(position, last)
        told = f"{turns} No other turns lead here."
    else:
        told = f"Every game that leads here ends on {last}. One of them: {turns}"
    reasons = (*ruled_out(position, last), before, puzzle.lesson.key)
    back = " ".join(one for one in reasons if one)
    lesson = replace(puzzle.lesson, key="")
    return framed(lesson, "\n".join((_seen(puzzle), back, told)), maxim=_look_back(puzzle))


def _look_back(puzzle: Puzzle) -> str:
    """Return what a puzzle about the past teaches."""
    captured = any(state.part(TowerHoldings).prisoners for state in puzzle.position.players)
    return f"{LOOK_BACK} {CAPTIVE}" if captured else LOOK_BACK


def ruled(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the ids of the rules at work in an answer that is no move of this turn."""
    question, position = puzzle.question, puzzle.position
    events = list[Event]()
    if question.about:
        verdict = judge(position, read_move(position, question.about))
        if verdict.violations or puzzle.answer.legal is not None:
            found = verdict.violations or verdict.notes
            return tuple(dict.fromkeys(one.rule for one in found))
        events += question.events(position)
    elif isinstance(question, Add):
        step = Step.of(position, read_move(position, puzzle.answer.line[0]))
        events += step.events
        if question.aim is Aim.LEVEL:
            events += (one for one in final_scoring(_over(step.after)).events if one.points)
        if question.aim is Aim.BLOCKED:
            laws, old = book_of(position.game).placement, places(position, question.tile)
            broken = (one.rule for laid in old for law in laws for one in law(step.after, laid))
            return tuple(dict.fromkeys(broken))
    elif question.past:
        for at, move in turns_played(position, question.shown(position, puzzle.answer.line, ())):
            events += _told_of(Step.of(at, move))
    elif question.completes:
        kind = position_features(position).at(read_node(position, question.completes)).kind
        return (book_of(position.game).completion[kind].id,)
    return tuple(dict.fromkeys(rule for event in events for rule in event.rules))


def _of_a_move(puzzle: Puzzle, text: str) -> str:
    """Return the faults of a move, or its gain."""
    position = puzzle.position
    verdict = judge(position, read_move(position, text))
    if verdict.violations:
        return _found(verdict.violations)
    if puzzle.answer.legal is not None:
        return f"No rule forbids the move. {_found(verdict.notes)}".strip()
    told = [event.text for event in puzzle.question.events(position)]
    return f"{'. '.join(told)}." if told else "Nobody scores anything."


def _found(findings: Iterable[Finding]) -> str:
    """Return findings as sentences."""
    return " ".join(f"{one.message[0].upper()}{one.message[1:]}." for one in findings)


def _adding(puzzle: Puzzle, question: Add) -> str:
    """Return what an added tile does, and that no other does it."""
    position, (text,) = puzzle.position, puzzle.answer.line
    step = Step.of(position, read_move(position, text))
    told = " ".join(
        (
            f"{position.game.name(position.to_move)} {turn(step.before, step.move)}.",
            *brought(step.before, step.events),
        )
    )
    if question.aim is Aim.LEVEL:
        final = final_scoring(_over(step.after))
        ends = "".join(f" {one}." for one in all_scored(position, final.events))
        told += f" If the game ended then:{ends}" if ends else " The end of the game adds nothing."
        told += f" That makes {_totals(position, final.scores)}."
    if question.aim is Aim.BLOCKED:
        old = list(places(position, question.tile))
        cells = "; ".join(map(str, sorted({laid.cell for laid in old})))
        told += f" Before, tile {question.tile} had a place on {cells}; now it fits nowhere."
    return f"{told} No other tile and no other place does it."


def _totals(position: Position, scores: Sequence[int]) -> str:
    """Return the scores of all players with their names: ``Red 9, Blue 7``."""
    return ", ".join(f"{position.game.name(player)} {score}" for player, score in enumerate(scores))


def _missed(puzzle: Puzzle, question: Add) -> str:
    """Return the tile and place that come nearest to the wanted property, and what they lack."""
    position, (text,) = puzzle.position, puzzle.answer.line
    if question.aim is Aim.BLOCKED:
        return ""
    key = read_move(position, text)
    ways = [Step.of(position, move) for move in question.ways(position) if move != key]
    if not ways:
        return ""
    near = min(ways, key=lambda one: (_distance(question.aim, one), one.move.cell != key.cell))
    name = position.game.name
    if question.aim is Aim.BOTH and _distance(question.aim, near) == len(position.players):
        return ""
    told = f"The nearest miss: {name(position.to_move)} {turn(near.before, near.move)}."
    told += f" {lacking(question.aim, near)}"
    if question.aim is not Aim.LEVEL:
        return told
    ended = [final_scoring(_over(one.after)).scores for one in (near, Step.of(position, key))]
    for player, (got, wanted) in enumerate(zip(*ended, strict=True)):
        if got != wanted:
            more = "more" if got > wanted else "less"
            told += f" {name(player)} gets {points(abs(got - wanted))} {more} than in the solution."
    return told


def lacking(aim: Aim, step: Step) -> str:
    """Return in a sentence what an added tile lacks; nothing can be lacking of ``blocked``.

    Args:
        aim: the property that the tile must give.
        step: the turn that lays it.

    """
    after, name = step.after, step.after.game.name
    if aim is Aim.LEVEL:
        return f"That would make {_totals(after, final_scoring(_over(after)).scores)}."
    if aim is Aim.HOME:
        left = [f"{name(one.player)}'s {one.title} on {one.node.cell}" for one in after.followers]
        return f"Then {listed(left)} {'stays' if len(left) == 1 else 'stay'} on the board."
    idle = [name(player) for player in range(len(after.players)) if step.gain(player) <= 0]
    return f"Then {listed(idle)} {'scores' if len(idle) == 1 else 'score'} nothing."


def _distance(aim: Aim, step: Step) -> int:
    """Return how much an added tile lacks: points, followers to go home, or players to score."""
    if aim is Aim.LEVEL:
        scores = final_scoring(_over(step.after)).scores
        return max(scores) - min(scores)
    if aim is Aim.HOME:
        return len(step.after.followers)
    return sum(step.gain(player) <= 0 for player in range(len(step.after.players)))


def _over(position: Position) -> Position:
    """Return a position as if the game ended there."""
    return replace(position, order=(), bag=())


def _seen(puzzle: Puzzle) -> str:
    """Return what a board tells about its past: points, prisoners, and who stands where."""
    position, parts = puzzle.position, list[str]()
    for player, state in enumerate(position.players):
        stands = [one for one in position.followers if one.player == player]
        where = [f"a {one.title} on {one.node.cell}" for one in stands]
        has = [points(state.score)] if state.score else []
        for one, number in Counter(state.part(TowerHoldings).prisoners).items():
            has.append(f"{counted(number, 'prisoner')} from {position.game.owner(one)}")
        if has or where:
            parts.append(f"{position.game.name(player)} has {listed([*has, *where])}.")
    return " ".join(parts) or "Nobody has a point or a follower on the board."


def _recounted(puzzle: Puzzle, line: Sequence[str]) -> str:
    """Return the turns of a game that led to a position, with what they brought."""
    parts = list[str]()
    for at, move in turns_played(puzzle.position, line):
        parts.append(f"{at.game.name(at.to_move)} {turn(at, move)}.")
        parts += brought(at, Step.of(at, move).events)
    return " ".join(parts)


def _told_of(step: Step) -> Iterator[Event]:
    """Yield what happened in a turn of the past, as far as the board tells of it."""
    # A tower piece or a guard brings no points, but its rule tells how the past went.
    acted = bool(step.move.pieces or step.move.guards)
    yield from (e for e in step.events if e.points or (acted and e.player is not None))


def _completing(puzzle: Puzzle, text: str) -> str:
    """Return the gaps of a feature, and the tiles that complete it."""
    position, tiles = puzzle.position, puzzle.answer.value
    feature = position_features(position).at(read_node(position, text))
    cells, line = sorted(feature.empty_cells()), puzzle.answer.line
    faced = counted(len(cells), "empty cell")
    why = ""
    if tiles == len(cells):
        why = " Each empty cell takes a tile, so fewer are never enough."
    elif len(cells) == 1:
        why = f" The next tile, {position.order[0]}, does not complete it there."
    return (
        f"The {feature} at {feature.anchor.cell} faces {faced}: {'; '.join(map(str, cells))}.{why}"
        f" It takes {counted(len(line), 'tile')}: {', then '.join(line)}."
    )
