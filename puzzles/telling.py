"""Explain a solution in words, from its proved facts alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from model.book import book_of
from model.castle.final_uses import undecided
from model.engine import judge
from model.features import position_features
from model.final import final_scoring
from model.notation import read_move, read_node, write_move
from model.places import places
from model.position import Position
from model.results import Final as Ended
from model.rule import Event, Finding
from model.rules.castle.keeps import END_KEEP
from model.rules.index import RULES
from puzzles.ideas import Idea, idea_of
from puzzles.questions import (
    Add,
    Aim,
    Complete,
    Expect,
    Final,
    Force,
    Help,
    History,
    Last,
    Legal,
    Most,
    Scores,
    Series,
    Win,
    plain,
)
from puzzles.questions.past import a_game
from puzzles.questions.past import played as turns_played
from puzzles.selfplay.rehearsal import Rehearsal
from puzzles.study.puzzle import Puzzle
from puzzles.study.study import Other, Step, Study
from puzzles.study.study import study as played_out
from puzzles.themes import headline
from puzzles.themes.majority import FARM

OUTCOMES = {1: "wins", 0: "draws", -1: "loses"}
"""The meaning of the values of a question about winning."""
CITED = re.compile(r"\[([a-z0-9., -]+)\]")
"""Ids of rules in an explanation."""
MOST_RULES = 8
"""Rules that a puzzle names at most, those of the key first."""


def rules_of(study: Study) -> tuple[str, ...]:
    """Return the ids of the rules at work in an explanation, those of the key first."""
    events = [event for step in study.steps for event in step.events if event.points]
    events = [*study.key.events, *events, *_decisive(study)]
    if not any(event.rules for event in events) and study.final is not None:
        events = list(study.final.events)
    found = dict.fromkeys(rule for event in events for rule in event.rules)
    return tuple(found)[:MOST_RULES]


def told(puzzle: Puzzle) -> str:
    """Return the outcome of an answer in words; every value comes from an engine.

    Args:
        puzzle: a puzzle of any question whose stored answer is right; one that asks whether a
            move is legal tells what speaks against it.

    """
    question, played = puzzle.question, played_out(puzzle)
    if played is None:
        return _of_no_move(puzzle)
    if isinstance(question, Help | Series):
        return f"No other line gives as much. {_reached(played)}"
    if isinstance(question, Expect):
        return _expected(played)
    if isinstance(question, Win):
        return _winning(played)
    if isinstance(question, Most):
        return f"This is the most that any play reaches. {_reached(played)}"
    return explanation(played)


def _of_no_move(puzzle: Puzzle) -> str:
    """Return the outcome of an answer that is no move of this turn."""
    question = puzzle.question
    if isinstance(question, Legal | Scores | Final):
        return _of_a_move(puzzle, question.move)
    if isinstance(question, Add):
        return _adding(puzzle, question)
    if isinstance(question, History):
        return f"{_recounted(puzzle, puzzle.answer.line)} No other turns lead here."
    if isinstance(question, Last):
        game = _recounted(puzzle, a_game(puzzle.position))
        return f"Every game that leads here ends on {puzzle.answer.cell}. One of them: {game}"
    return _completing(puzzle, question.feature) if isinstance(question, Complete) else ""


def cited(text: str) -> tuple[str, ...]:
    """Return the ids of the rules that a text cites, each once."""
    found = (rule for rules in CITED.findall(text) for rule in rules.split(", "))
    return tuple(dict.fromkeys(found))


def with_rules(words: str) -> str:
    """Return words with the text of each rule that they cite."""
    sentences = {rule.id: rule.sentence.removesuffix(".") for rule in RULES}
    return " ".join((words, *(f"{sentences[rule]} [{rule}]." for rule in cited(words))))


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
    return f"In order: {'; '.join(told)}." if told else "Nobody scores anything."


def _found(findings: Iterable[Finding]) -> str:
    """Return findings as sentences with their rules."""
    return " ".join(f"{one.message[0].upper()}{one.message[1:]} [{one.rule}]." for one in findings)


def _adding(puzzle: Puzzle, question: Add) -> str:
    """Return what an added tile does, and that no other does it."""
    position, (text,) = puzzle.position, puzzle.answer.line
    step = Step.of(position, read_move(position, text))
    done = [_cited(event) for event in step.events if event.player is not None]
    told = f"{text}: {'; '.join(done) or 'nobody scores'}."
    if question.aim is Aim.LEVEL:
        final = final_scoring(replace(step.after, order=(), bag=()))
        ends = [_cited(event) for event in final.events if event.points]
        told += f" If the game ended then: {'; '.join(ends) or 'nothing more'}; "
        told += f"{' to '.join(map(str, final.scores))}."
    if question.aim is Aim.BLOCKED:
        old = list(places(position, question.tile))
        laws = book_of(position.game).placement
        rules = {one.rule for laid in old for law in laws for one in law(step.after, laid)}
        cells = "; ".join(map(str, sorted({laid.cell for laid in old})))
        told += f" Before, tile {question.tile} had a place on {cells}; now it breaks a rule there"
        told += f" [{', '.join(sorted(rules))}]."
    return f"{told} No other tile and no other place does it."


def _recounted(puzzle: Puzzle, line: Sequence[str]) -> str:
    """Return the turns of a game that led to a position, with what they scored."""
    game, parts = puzzle.position.game, []
    for at, move in turns_played(puzzle.position, line):
        step = Step.of(at, move)
        done = [_cited(event) for event in step.events if event.player is not None]
        told = f": {', '.join(done)}" if done else ""
        parts.append(f"{game.name(step.mover)} {_move(step)}{told}")
    return f"{'; '.join(parts)}."


def _completing(puzzle: Puzzle, text: str) -> str:
    """Return the gaps of a feature, and the tiles that complete it."""
    position, tiles = puzzle.position, puzzle.answer.value
    feature = position_features(position).at(read_node(position, text))
    cells = sorted(feature.empty_cells())
    faced = "1 empty cell" if len(cells) == 1 else f"{len(cells)} empty cells"
    return (
        f"The {feature} at {feature.anchor.cell} faces {faced}: {'; '.join(map(str, cells))}. It"
        f" takes {tiles} of the tiles to come: {', then '.join(puzzle.answer.line)}."
    )


def _expected(study: Study) -> str:
    """Return the average outcome of first moves."""
    first = f"{_move(study.key)} leads to a lead of {plain(study.value)} on average."
    others = [f"{_move(other.step)} leads to {plain(other.value)}." for other in study.others]
    return " ".join((first, *others))


def _reached(study: Study) -> str:
    """Return the line to the maximum, and the maxima after other first moves."""
    others = [f"After {_move(one.step)} it is at most {plain(one.value)}." for one in study.others]
    return " ".join((explanation(replace(study, others=())), *others))


def _winning(study: Study) -> str:
    """Return the rest of best play, and the leads after moves that do not win."""
    end = "" if study.final is None else f" {_end(study)}"
    lead = _lead(study.key)
    worse = [
        f"{_move(other.step)} {OUTCOMES[int(other.value)]}: its lead is {_lead(other.step)} instead"
        f" of {lead}."
        for other in study.others
    ]
    return " ".join((f"{_key(study)}{end}", *worse))


def _lead(step: Step) -> int | str | None:
    """Return the lead that a first move forces."""
    return plain(Force().worth(step.before, _move(step)))


def explanation(study: Study) -> str:
    """Return the solution as a lesson.

    It tells what to notice, why the natural move fails, the key with its effect, the line after it,
    and what to remember. The other tries are told beside them, each once.
    """
    tempting = natural(study)
    parts = [_notice(study), "" if tempting is None else _trap(study, tempting), _key(study)]
    if study.final is not None:
        parts.append(_end(study))
    parts.append(f"To remember: {idea(study).maxim}")
    return " ".join(part for part in parts if part)


def idea(study: Study) -> Idea:
    """Return the words for the idea of a solution."""
    return idea_of(headline(study), study, natural(study))


def reasons(study: Study) -> list[str]:
    """Return for each try why it fails; empty for the natural one, which the explanation refutes.

    Args:
        study: the solution of a question about best play or one turn.

    """
    tempting = natural(study)
    return ["" if one is tempting else refuted(study, one) for one in study.others]


def natural(study: Study) -> Other | None:
    """Return the try that tempts most: with the largest lead if the game ended after it."""
    if not study.others:
        return None
    walk = Rehearsal(study.position)
    tries = {other.step.move: other for other in study.others}
    seen = [(look, walk.move(look)) for look in walk.looks()]
    found = [one for one in seen if one[1] in tries]
    if not found:
        return study.others[0]
    best = max(found, key=lambda one: (one[0].lead, one[0].points, _move(tries[one[1]].step)))
    return tries[best[1]]


def refuted(study: Study, other: Other) -> str:
    """Return in words what a refuted move brings at once, the reply to it, and the end."""
    gain, name = other.step.gain(study.asker), study.position.game.name(_served(study))
    at_once = f"It wins {_points(gain)} in its turn" if gain else "It wins nothing in its turn"
    less = study.value - other.value
    if not study.to_the_end:
        return f"{at_once}, and the turn is worth {_points(less)} less."
    end = f"{name} {_ending(study, other.value)}."
    replies = [step for step in other.steps[1:] if step.mover != study.asker]
    if not replies:
        return f"{at_once}. {end}"
    reply = replies[0]
    gained = reply.gain(reply.mover)
    wins = f" wins {_points(gained)} by" if gained else " replies"
    return f"{at_once}. {study.position.game.name(reply.mover)}{wins} {_move(reply)}. {end}"


def _notice(study: Study) -> str:
    """Return how the game stands, and who has the turns to come."""
    now = _if_over(study.position, _served(study))
    if study.final is None or not now:
        return ""
    game = study.position.game
    turns = sum(step.mover == study.asker for step in study.steps)
    own = "one turn" if turns == 1 else f"{turns} turns"
    served, mover = game.name(_served(study)), game.name(study.asker)
    return f"If the game ended now, {served} would be {now}. {mover} has {own} left."


def _served(study: Study) -> int:
    """Return the player whose value counts."""
    return study.asker if study.served is None else study.served


def _if_over(position: Position, player: int) -> str:
    """Return in words how a player would stand if the game ended here; empty if undecided."""
    ended = replace(position, order=(), bag=())
    if undecided(ended):
        return ""
    scores = final_scoring(ended).scores
    return _standing(Fraction(scores[player] - max(scores[:player] + scores[player + 1 :])))


def _trap(study: Study, other: Other) -> str:
    """Return the natural move with its refutation, and what it loses by it."""
    told = f"The natural move is {_move(other.step)}."
    lead = "" if other.step.after.over else _if_over(other.step.after, _served(study))
    if study.final is not None and lead:
        name = study.position.game.name(_served(study))
        told += f" If the game ended after it, {name} would be {lead}."
    return f"{told} {refuted(study, other)}{_missed(study, other)}"


def _missed(study: Study, other: Other) -> str:
    """Return what the asker gets in the solution and not after a try, and the reverse."""
    game = study.position.game
    lost = decisive(study, other)
    told = "" if lost is None else f" {game.name(study.asker)} misses this: {_plain(lost)}."
    given = decisive(study, other, given=True)
    return told + (
        "" if given is None else f" {game.name(study.rival)} gains this: {_plain(given)}."
    )


def decisive(study: Study, other: Other, *, given: bool = False) -> Event | None:
    """Return the score with most points that a try misses; None if there is none.

    Args:
        study: the solution.
        other: the try.
        given: whether the score is wanted that the opponent makes after the try alone.

    """
    after = study.tried(other).final
    if study.final is None or after is None:
        return None
    solution, attempt = _account(study.steps, study.final), _account(other.steps, after)
    has, lacks = (attempt, solution) if given else (solution, attempt)
    player, texts = study.rival if given else study.asker, {event.text for event in lacks}
    found = [event for event in has if event.player == player and event.text not in texts]
    return max(found, key=lambda event: event.points, default=None)


def _plain(event: Event) -> str:
    """Return an event in words, without the score on the track."""
    return event.text.partition(", now ")[0]


def _account(steps: Sequence[Step], final: Ended) -> list[Event]:
    """Return every event of a line and of final scoring that brings points."""
    events = [event for step in steps for event in step.events]
    return [event for event in (*events, *final.events) if event.points > 0]


def _ending(study: Study, value: Fraction) -> str:
    """Return the end of the game after a try in words, beside that of the solution."""
    if study.values == "result":
        return OUTCOMES[int(value)]
    if study.values == "points":
        return f"ends with {_points(value)} instead of {_points(study.value)}"
    return f"ends {_standing(value)} instead of {_standing(study.value)}"


def _standing(lead: Fraction) -> str:
    """Return a lead in words."""
    if not lead:
        return "level"
    return f"{_points(abs(lead))} {'ahead' if lead > 0 else 'behind'}"


def _key(study: Study) -> str:
    """Return the effect of the key."""
    step = study.key
    name = study.position.game.name(study.asker)
    gone = len(step.move.discards)
    events = [*step.events[:gone], *(e for e in step.events[gone:] if e.player is not None)]
    told = [_cited(event) for event in events]
    done = "; ".join(told) if told else "nothing is scored yet"
    return f"{name} plays {_move(step)}: {done}."


def _end(study: Study) -> str:
    """Return the rest of best play and the result of final scoring."""
    game = study.position.game
    rest = [f"{game.name(step.mover)} {_move(step)}" for step in study.steps[1:]]
    on = f"Best play continues: {'; '.join(rest)}. " if rest else ""
    if study.final is None:
        return on.strip()
    ends = [_cited(event) for event in _decisive(study)]
    scored = f"At the end this scores: {'; '.join(ends)}. " if ends else ""
    totals = ", ".join(
        f"{game.name(player)} {score}" for player, score in enumerate(study.final.scores)
    )
    return f"{on}{scored}The totals are {totals}."


def _decisive(study: Study) -> list[Event]:
    """Return the points of final scoring on the laid tiles, for keeps and for tokens."""
    laid = {step.move.cell for step in study.steps}
    events = study.final.events if study.final is not None else ()
    # Points that the game would have brought without these turns are not their effect.
    before = final_scoring(replace(study.position, order=(), bag=())).events if events else ()
    old = {(event.rules, event.player, event.points, event.cells) for event in before}
    return [
        event
        for event in events
        if event.points
        and (event.rules, event.player, event.points, event.cells) not in old
        and (laid & set(event.cells) or _far_reaching(study, event))
    ]


def _far_reaching(study: Study, event: Event) -> bool:
    """Tell whether any tile may change the points of an event of final scoring."""
    tokens = book_of(study.position.game).token_end
    names = {END_KEEP.id} | ({tokens.id} if tokens is not None else set())
    return any(rule in names or rule.startswith(f"{FARM}.") for rule in event.rules)


def _move(step: Step) -> str:
    """Return the move of a turn in notation."""
    return write_move(step.before, step.move)


def _cited(event: Event) -> str:
    """Return an event with the rules that made it happen."""
    return f"{event.text} [{', '.join(event.rules)}]"


def _points(number: int | Fraction) -> str:
    """Return a number of points in words."""
    return "1 point" if number == 1 else f"{plain(Fraction(number))} points"
