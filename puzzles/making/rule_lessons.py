"""Rule lessons: the smallest scenes in which a rule decides, with both verdicts.

A rule decides a move if the verdict changes without the rule, or with another value of its
switches. A verdict is legality, points, or the end of the game. Everything else is removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.files.games import shipped_game
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.naming import quoted, suggestion
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems, remarks
from burgrave.model.registry import GAMES
from burgrave.model.rules.castle.completion import SINGLE
from burgrave.model.rules.index import RULES
from burgrave.puzzles.judging.solving import certified, certify
from burgrave.puzzles.making.small_boards import sketch
from burgrave.puzzles.making.tried_turns import tries
from burgrave.puzzles.questions import Final, Legal, Question, Scores
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.rulings.rulings import (
    Point,
    Ruling,
    explanation,
    point,
    ruled_otherwise,
    ruling,
)
from burgrave.puzzles.rulings.without_a_rule import AnyRule, Otherwise, forbids, gives, otherwise
from burgrave.puzzles.study.puzzle import Certification, Origin, Puzzle
from burgrave.puzzles.study.simplify import simplified

SWITCHED = 4
"""Number of sketches that may be needed for a lesson about a switch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A move on which a rule decides."""

    rule: AnyRule
    position: Position
    move: Move
    other: Otherwise
    """The game in which the verdict is another."""
    point: Point
    """The difference to the game."""


def rule_named(rule_id: str) -> AnyRule:
    """Return a rule on which lessons can be made.

    Raises:
        QuestionError: there is none of that id, or it decides no move.

    """
    found = next((rule for rule in RULES if rule.id == rule_id), None)
    if found is None:
        known = [rule.id for rule in RULES]
        raise QuestionError(
            f"no rule {quoted(rule_id)}.{suggestion(rule_id, known, 'burgrave rules lists them.')}"
        )
    game = game_of(found)
    unseen = found is SINGLE and all(s.ports for kind in game.tile_set.kinds for s in kind.segments)
    if unseen or not otherwise(found, game):
        why = (
            "says what a position may consist of and decides no move"
            if found in book_of(game).setup
            else "needs a feature that reaches no side, which no tile of the set shows"
            if unseen
            else "changes no verdict"
        )
        raise QuestionError(
            f"{rule_id} {why}, so there are no lessons on it; its cards show it: burgrave rules"
            f" {rule_id}"
        )
    return found


def game_of(rule: AnyRule) -> Game:
    """Return the first game that has a rule, with its default switches."""
    return next(game for game in map(shipped_game, GAMES) if rule in book_of(game).all)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWish:
    """A wish for lessons on a rule."""

    rule: str
    """Id of the rule."""
    seed: int
    """Another number, other lessons."""
    version: str = ""
    """Of the program, for the record."""

    def check(self) -> None:
        """Refuse a rule on which there are no lessons.

        Raises:
            QuestionError: there is none of that id, or it decides no move.

        """
        rule_named(self.rule)

    def origin(self, index: int) -> Origin:
        """Return the record of the run in the lesson of a number."""
        return Origin(theme=self.rule, seed=self.seed, index=index, version=self.version)

    def candidate(self, index: int) -> Puzzle | None:
        """Return the lesson that a sketch holds, if it holds one.

        Args:
            index: number of the sketch.

        """
        rule = rule_named(self.rule)
        rng = Random(f"{self.seed} {index}")  # noqa: S311 -- to be repeated
        position = sketch(game_of(rule), rng)
        if position is None:
            return None
        switched = index % SWITCHED == SWITCHED - 1
        case = _plainest(rule, cases(rule, position, rng), switched=switched)
        if case is None:
            return None
        case = _barer(case)
        small = simplified(_plain(case), partial(_still, case))
        if remarks(small):
            return None
        return _told(replace(case, position=small), self.origin(index))


def cases(rule: AnyRule, position: Position, rng: Random) -> Iterator[Case]:
    """Yield the moves among some tried in a position on which a rule decides.

    Args:
        rule: the rule.
        position: a position of a game that has it.
        rng: the only source of chance.

    """
    others = otherwise(rule, position.game)
    for move in dict.fromkeys(tries(position, rng, rule)):
        if not _takes_somebody(position, move):
            continue
        here = ruling(position, move)
        if forbids(rule, position.game) and _out_of_play(rule, here):
            continue
        for other in others:
            there = ruled_otherwise(here, other)
            found = point(here, there, rule.id)
            if found is not None and not _in_vain(rule, here, there):
                yield Case(rule=rule, position=position, move=move, other=other, point=found)
                break


def _plainest(rule: AnyRule, found: Iterator[Case], *, switched: bool) -> Case | None:
    """Return the case that shows a rule most plainly; None without a case.

    One turn says more than the end of a game, and a game without the rule more than one with
    another value of a switch. A completion in play and its value must show in the turn.

    Args:
        rule: the rule.
        found: cases, of which the first of the plainest sort is taken.
        switched: whether a case will do that turns on a switch alone.

    """
    best: tuple[tuple[bool, bool], Case] | None = None
    for case in found:
        book = book_of(case.position.game)
        marked = (one for rules in book.marked.values() for one in rules)
        in_play = rule in (*book.completion.values(), *book.worth.values(), *marked)
        late, by_switch = case.point is Point.FINAL, bool(case.other.reading)
        if (late and in_play) or (by_switch and not switched):
            continue
        if best is None or (by_switch, late) < best[0]:
            best = ((by_switch, late), case)
        if best[0] == (False, False):
            break
    return None if best is None else best[1]


def _takes_somebody(position: Position, move: Move) -> bool:
    """Tell whether a follower stands at every capture of a move."""
    followers = {follower.node for follower in position.followers}
    guards = {tower.cell for tower in position.part(Towers).guarded}
    return all(
        capture.cell in guards
        if capture.segment is None
        else Node(capture.cell, capture.segment) in followers
        for capture in move.captures
    )


def _in_vain(rule: AnyRule, here: Ruling, there: Ruling) -> bool:
    """Tell whether a rule gives points that raise no final score."""
    final = point(here, there, rule.id) is Point.FINAL
    if not final or not gives(rule, here.position.game) or here.end is None or there.end is None:
        return False
    pairs = zip(here.end.scores, there.end.scores, strict=True)
    return all(mine <= otherwise for mine, otherwise in pairs)


def _out_of_play(rule: AnyRule, here: Ruling) -> bool:
    """Tell whether a rule that forbids moves has no part in a ruling."""
    if here.legal:
        return not rule.switches
    return rule.id not in here.breaks and rule not in book_of(here.position.game).without


def _barer(case: Case) -> Case:
    """Return a case whose move does nothing that does not count."""
    more: tuple[dict[str, Any], ...] = (
        {"extra_turns": 0},
        {"reveals": ()},
        {"scoring": ()},
        {"followers": ()},
    )
    for none in more:
        less = replace(case, move=replace(case.move, **none))
        if less != case and _still(less, case.position):
            case = less
    return case


def _still(case: Case, position: Position) -> bool:
    """Tell whether a position with fewer pieces still is the case."""
    if not all(position.tile_at(cell) for cell in _named(case)):
        return False
    if not _takes_somebody(position, case.move):
        return False
    here = ruling(position, case.move)
    there = ruled_otherwise(here, case.other)
    same = point(here, there, case.rule.id) is case.point
    return same and not _in_vain(case.rule, here, there)


def _named(case: Case) -> Iterator[Cell]:
    """Yield the cells of tiles on the board that a move names."""
    move = case.move
    named = [deployment.cell for deployment in move.followers]
    named += [step.node.cell for step in move.scoring]
    named += [capture.cell for capture in move.captures]
    named += [*move.pieces, *(guard.cell for guard in move.guards)]
    yield from (cell for cell in named if cell != move.cell)


def _plain(case: Case) -> Position:
    """Return the position of a case without scores and tiles to come that do not count."""
    position = case.position
    drawn = len(case.move.discards) + 1
    plainer = (partial(_scoreless, index) for index in range(len(position.players)))
    for take in (partial(_with_next, drawn), *plainer):
        less = take(position)
        if less != position and not problems(less) and _still(case, less):
            position = less
    return position


def _with_next(number: int, position: Position) -> Position:
    """Return the position with this number of tiles to come."""
    return replace(position, order=position.order[:number])


def _scoreless(player: int, position: Position) -> Position:
    """Return a position in which a player has no points."""
    players = list(position.players)
    players[player] = replace(players[player], score=0)
    return replace(position, players=tuple(players))


def _told(case: Case, origin: Origin) -> Puzzle | None:
    """Return a lesson with its words, if two engines come to its verdict.

    Only the reference judges the wording of a move: its order of scoring, or the number of a wall
    tile. Other engines list each move in one wording.
    """
    here = ruling(case.position, case.move)
    question, answer = _ASKED[case.point](here)
    made = Puzzle(
        id=f"{case.rule.id.replace('.', '-')[:20].rstrip('-')}-{origin.seed}-{origin.index}",
        title=_title(case.rule),
        position=case.position,
        question=question,
        answer=answer,
        rules=tuple(dict.fromkeys((case.rule.id, *here.breaks))),
        difficulty=1,
        explanation=explanation(case.rule, here, case.point),
        provenance="Tiles laid at random, without what the rule does not need.",
        origin=origin,
    )
    proved = certify(made, described=True)
    alone = len(question.engines(case.position)) == 1
    if not (certified(proved) or (alone and all(verdict.passed for verdict in proved))):
        return None
    engines = tuple(verdict.engine for verdict in proved)
    return replace(made, certification=Certification(engines=engines))


def _title(rule: AnyRule) -> str:
    """Return a title by the section of the rules that holds a rule; it does not state the rule."""
    section = re.search(r"'(.+?)'", rule.source)
    return f"One rule decides: {section[1]}" if section is not None else "One rule decides"


def _legal(here: Ruling) -> tuple[Question, Answer]:
    """Ask whether a move is legal."""
    move = write_move(here.position, here.move)
    return Legal(move=move), Answer(legal=here.legal, breaks=here.breaks)


def _scores(here: Ruling) -> tuple[Question, Answer]:
    """Ask for the points of a move, by player."""
    return Scores(move=write_move(here.position, here.move)), Answer(points=here.points)


def _final(here: Ruling) -> tuple[Question, Answer]:
    """Ask for the end of the game after a move."""
    question = Final(move=write_move(here.position, here.move))
    facts = question.reply(here.position).facts
    answer = Answer(
        value=facts["value"], points=tuple(facts["points"]), tokens=tuple(facts["tokens"])
    )
    return question, answer


_ASKED: Mapping[Point, Callable[[Ruling], tuple[Question, Answer]]] = MappingProxyType(
    {Point.LEGAL: _legal, Point.SCORES: _scores, Point.FINAL: _final}
)
