"""Explain an answer that is no move of this turn: a verdict, a count, a game, an added tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from model.book import book_of
from model.engine import judge
from model.features import position_features
from model.final import final_scoring
from model.notation import read_cell, read_move, read_node
from model.places import places
from model.position import Position
from model.rule import Event, Finding
from puzzles.questions import Add, Aim, Complete, Final, History, Last, Legal, Scores
from puzzles.questions.past import a_game
from puzzles.questions.past import played as turns_played
from puzzles.questions.wording import all_scored, brought, counted, listed, points, turn
from puzzles.retracing import ruled_out
from puzzles.study.puzzle import Lesson, Puzzle
from puzzles.study.study import Step

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
    question = puzzle.question
    if isinstance(question, Legal | Scores | Final):
        return framed(puzzle.lesson, _of_a_move(puzzle, question.move))
    if isinstance(question, Add):
        told, missed = _adding(puzzle, question), _missed(puzzle, question)
        return framed(puzzle.lesson, told, missed, MAXIMS[question.aim])
    if isinstance(question, History | Last):
        return _looking_back(puzzle)
    told = _completing(puzzle, question.feature) if isinstance(question, Complete) else ""
    return framed(puzzle.lesson, told)


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
    if isinstance(puzzle.question, Last):
        line, cell = a_game(puzzle.position), puzzle.answer.cell
        told = f"Every game that leads here ends on {cell}. One of them: {_recounted(puzzle, line)}"
    else:
        *_, (_, latest) = turns_played(puzzle.position, puzzle.answer.line)
        cell = str(latest.cell)
        told = f"{_recounted(puzzle, puzzle.answer.line)} No other turns lead here."
    back = " ".join((*ruled_out(puzzle.position, read_cell(cell)), puzzle.lesson.key)).strip()
    lesson = replace(puzzle.lesson, key="")
    return framed(lesson, "\n".join((_seen(puzzle), back, told)), maxim=_look_back(puzzle))


def _look_back(puzzle: Puzzle) -> str:
    """Return what a puzzle about the past teaches."""
    captured = any(state.prisoners for state in puzzle.position.players)
    return f"{LOOK_BACK} {CAPTIVE}" if captured else LOOK_BACK


def _of_a_move(puzzle: Puzzle, text: str) -> str:
    """Return the faults of a move, or its gain."""
    position = puzzle.position
    move = read_move(position, text)
    verdict = judge(position, move)
    if verdict.violations:
        return _found(verdict.violations)
    if isinstance(puzzle.question, Legal):
        return f"No rule forbids the move. {_found(verdict.notes)}".strip()
    step = Step.of(position, move)
    events = [*step.events]
    if isinstance(puzzle.question, Final):
        events += final_scoring(step.after).events
    told = [_cited(event) for event in events if event.player is not None]
    return f"{'. '.join(told)}." if told else "Nobody scores anything."


def _found(findings: Iterable[Finding]) -> str:
    """Return findings as sentences with their rules."""
    return " ".join(f"{one.message[0].upper()}{one.message[1:]} [{one.rule}]." for one in findings)


def _ruled(rules: Iterable[str]) -> str:
    """Return the ids of rules as a sentence."""
    return f"Rules: [{', '.join(dict.fromkeys(rules))}]."


def _adding(puzzle: Puzzle, question: Add) -> str:
    """Return what an added tile does, and that no other does it."""
    position, (text,) = puzzle.position, puzzle.answer.line
    step = Step.of(position, read_move(position, text))
    rules = [rule for event in step.events for rule in event.rules]
    told = " ".join(
        (
            f"{position.game.name(position.to_move)} {turn(step.before, step.move)}.",
            *brought(step.before, step.events),
        )
    )
    if question.aim is Aim.LEVEL:
        final = final_scoring(_over(step.after))
        rules += [rule for event in final.events if event.points for rule in event.rules]
        ends = "".join(f" {one}." for one in all_scored(position, final.events))
        told += f" If the game ended then:{ends}" if ends else " The end of the game adds nothing."
        told += f" That makes {' to '.join(map(str, final.scores))}."
        now = final_scoring(_over(position)).scores
        told = f"If the game ended now, it would be {' to '.join(map(str, now))}.\n{told}"
    if question.aim is Aim.BLOCKED:
        old = list(places(position, question.tile))
        laws = book_of(position.game).placement
        rules = [one.rule for laid in old for law in laws for one in law(step.after, laid)]
        cells = "; ".join(map(str, sorted({laid.cell for laid in old})))
        told += f" Before, tile {question.tile} had a place on {cells}; now it breaks a rule there."
    return f"{told} No other tile and no other place does it. {_ruled(rules)}"


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
    name, players = position.game.name, len(position.players)
    if question.aim is Aim.BOTH and _distance(question.aim, near) == players:
        return ""
    told = f"The nearest miss: {name(position.to_move)} {turn(near.before, near.move)}."
    if question.aim is Aim.LEVEL:
        ended = [final_scoring(_over(one.after)) for one in (near, Step.of(position, key))]
        told += f" That would make {' to '.join(map(str, ended[0].scores))}."
        pairs = enumerate(zip(*(one.scores for one in ended), strict=True))
        for player, (got, wanted) in pairs:
            if got != wanted:
                more = "more" if got > wanted else "less"
                told += (
                    f" {name(player)} gets {points(abs(got - wanted))} {more} than in the solution."
                )
        return told
    left = [f"{name(one.player)}'s {one.title} on {one.node.cell}" for one in near.after.followers]
    if question.aim is Aim.HOME:
        return f"{told} Then {listed(left)} {'stays' if len(left) == 1 else 'stay'} on the board."
    idle = [name(player) for player in range(players) if near.gain(player) <= 0]
    return f"{told} Then {listed(idle)} {'scores' if len(idle) == 1 else 'score'} nothing."


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
        for owner, number in Counter(state.prisoners).items():
            has.append(f"{counted(number, 'prisoner')} of {position.game.name(owner)}'s")
        if has or where:
            parts.append(f"{position.game.name(player)} has {listed([*has, *where])}.")
    return " ".join(parts) or "Nobody has a point or a follower on the board."


def _recounted(puzzle: Puzzle, line: Sequence[str]) -> str:
    """Return the turns of a game that led to a position, with what they brought."""
    parts, rules = list[str](), list[str]()
    for at, move in turns_played(puzzle.position, line):
        step = Step.of(at, move)
        # A capture brings no points, but its rule tells how the past went.
        told = (
            one for one in step.events if one.points or (move.captures and one.player is not None)
        )
        rules += [rule for event in told for rule in event.rules]
        parts += [
            f"{at.game.name(at.to_move)} {turn(step.before, step.move)}.",
            *brought(step.before, step.events),
        ]
    return " ".join((*parts, _ruled(rules)) if rules else parts)


def _completing(puzzle: Puzzle, text: str) -> str:
    """Return the gaps of a feature, and the tiles that complete it."""
    position, tiles = puzzle.position, puzzle.answer.value
    feature = position_features(position).at(read_node(position, text))
    cells = sorted(feature.empty_cells())
    faced = "1 empty cell" if len(cells) == 1 else f"{len(cells)} empty cells"
    why = ""
    if tiles == len(cells):
        why = " Each empty cell takes a tile, so fewer are never enough."
    elif len(cells) == 1:
        why = " No tile to come that fits there now completes it: others must come first."
    return (
        f"The {feature} at {feature.anchor.cell} faces {faced}: {'; '.join(map(str, cells))}.{why}"
        f" It takes {tiles} of the tiles to come: {', then '.join(puzzle.answer.line)}."
    )


def _cited(event: Event) -> str:
    """Return an event with the rules that made it happen."""
    return f"{event.text} [{', '.join(event.rules)}]"
