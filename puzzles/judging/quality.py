"""Measure the quality of a puzzle, and rate its difficulty by the players whom it fools.

``docs/explanation/quality.md`` defines every measure and gives the formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.puzzles.candidates.composing import depth, stays_best
from burgrave.puzzles.questions import (
    Add,
    Question,
)
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.fooled import at_a_glance, glanced, offered, solved
from burgrave.puzzles.study.puzzle import Measures, Puzzle
from burgrave.puzzles.study.simplify import Keeps, pieces
from burgrave.puzzles.study.study import Other, Study, study
from burgrave.puzzles.themes import THEMES, headline
from burgrave.puzzles.words.last_tile import fair_orders
from burgrave.solver.limits import Limits
from burgrave.solver.problem import TWO
from burgrave.solver.questions import forced
from burgrave.solver.result import Status

SEARCHED = 200_000
"""Turns of a search for an idle piece; a piece that takes longer counts as needed."""
LIMIT = Limits(nodes=SEARCHED)


def measured(puzzle: Puzzle, idle: int | None = None) -> Measures | None:
    """Return the measures of a puzzle that is answered by a move of this turn; else None.

    Of a game of more than two players None too: nobody is measured who could be fooled by it.

    Args:
        puzzle: the puzzle, with its refutations and their lines.
        idle: the pieces that can go, if they were counted already.

    """
    played = study(puzzle)
    if played is None or not puzzle.position.order or len(puzzle.position.players) > TWO:
        return None
    right = {read_move(puzzle.position, text) for text in puzzle.answer.moves}
    natural, worth = _natural(puzzle, right)
    best = max((other.value for other in played.others), default=worth)
    return Measures(
        solved=solved(puzzle.position, right, puzzle.question),
        margin=played.value - max(best, worth),
        natural=played.value - worth,
        near=sum(_near(puzzle, played, other) for other in played.others),
        depth=own_turns(puzzle),
        idle=sum(less is not None for less in economy(puzzle)) if idle is None else idle,
        purity=_purity(played),
        surprises=surprises(puzzle.position, played.key.move, natural, puzzle.question),
    )


def level(measures: Measures | None, puzzle: Puzzle) -> int:
    """Return the difficulty of a puzzle, 1 to 5.

    A player who solves a puzzle even in part bounds its difficulty: at 1 the stronger ones always
    solve it too, at 3 ``now`` solves nothing, at 4 ``ahead`` or the playouts neither, at 5 all are
    fooled and several own turns must be found. Playouts play for a lead, so they have no say in a
    question that asks for none. A verdict on one move has the difficulty 1, and a question about
    the fewest tiles as many as tiles are needed. One about a tile to add has as many as kinds of
    tiles may be added, and one about the past one more than there are answers that a look at
    neighbours and owners leaves.
    """
    if measures is None:
        steps = len(puzzle.answer.line)
        if isinstance(puzzle.question, Add):
            steps = len({*puzzle.position.bag})
        elif puzzle.question.past:
            orders = fair_orders(puzzle.position)
            whole = "line" in puzzle.question.must
            steps = 1 + len({order if whole else order[-1:] for order in orders})
        return max(1, min(HARDEST, steps))
    points, now, ahead, playouts = measures.solved
    seen = {ahead} if puzzle.question.leadless else {ahead, playouts}
    if now:
        return 1 if points and {now, *seen} == {Fraction(1)} else 2
    if all(seen):
        return 3
    return HARDEST if measures.depth > 1 and not any(seen) else HARDEST - 1


def own_turns(puzzle: Puzzle) -> int:
    """Return the own turns that a solver must find, each unique against every best defence."""
    if puzzle.question.unopposed:
        return len(puzzle.answer.line)
    if not puzzle.question.fought or len(puzzle.answer.moves) > 1:
        return 1
    key = read_move(puzzle.position, puzzle.answer.moves[0])
    return depth(puzzle.position, key, puzzle.question.forces)


def economy(puzzle: Puzzle) -> Iterator[Position | None]:
    """Yield for each piece the position without it; None if the puzzle needs the piece.

    Without an idle piece the solution stays alone and as hard to find.
    """
    position, keeps = puzzle.position, needs_no_more(puzzle)
    for take in pieces(position):
        less = take(position)
        idle = less != position and not problems(less) and keeps(less)
        yield less if idle else None


def needs_no_more(puzzle: Puzzle) -> Keeps:
    """Return a test whether a smaller position has the solution of a puzzle and its difficulty.

    Such a position has the same best moves and as many unique own turns. If the whole position
    misleads the player with the largest lead after his move, the smaller position does too. A
    question about one turn asks how much it brings, too. There the player with the most points
    takes the place of the other, who looks beyond the turn.
    """
    position = puzzle.position
    right = {read_move(position, text) for text in puzzle.answer.moves}
    single = puzzle.question.turn_only
    told = ("value", "moves") if single else ("moves", "turns")

    def favourites(at: Position) -> set[Move]:
        points, now = at_a_glance(at, puzzle.question)
        return points if single else now

    misleads = favourites(position).isdisjoint(right)
    turns = own_turns(puzzle)

    def keeps(less: Position) -> bool:
        seen = favourites(less)
        if not seen or (misleads and not seen.isdisjoint(right)):
            return False
        if puzzle.question.fought and len(right) == 1:
            asker = puzzle.question.forces
            with suppress(QuestionError):
                return stays_best(less, next(iter(right)), turns, SEARCHED, asker)
        reply = puzzle.question.reply(less, budget=LIMIT)
        # A bound, or one of several ways to the most, proves nothing about other moves.
        known = reply.whole and reply.facts["status"] == str(Status.OPTIMAL)
        same = {key: puzzle.facts[key] for key in told if key in reply.facts}
        return bool(known and same.items() <= reply.facts.items())

    return keeps


def _natural(puzzle: Puzzle, right: set[Move]) -> tuple[Move | None, Fraction]:
    """Return the most natural wrong move and its value; the best value if there is none.

    Of the wrong moves it has the largest lead if the game ended after it; among equals, the most
    points in its turn. A question for the points of this turn reverses the two.
    """
    if puzzle.question.leadless:
        seen = glanced(puzzle.position, puzzle.question).items()
        wrong = [(int(one.lead), one.points, move) for move, one in seen]
    else:
        walk = Rehearsal(puzzle.position)
        wrong = [(look.lead, look.points, walk.move(look)) for look in walk.looks()]
    if puzzle.question.by_points:
        wrong = [(gained, lead, move) for lead, gained, move in wrong]
    wrong = [one for one in wrong if one[2] not in right]
    value = Fraction(puzzle.answer.value or 0)
    if not wrong:
        return None, value
    texts = {move: write_move(puzzle.position, move) for _, _, move in wrong}
    natural = min(wrong, key=lambda one: (-one[0], -one[1], texts[one[2]]))[2]
    worth = puzzle.question.worth(puzzle.position, texts[natural])
    return natural, value if worth is None else worth


def _near(puzzle: Puzzle, played: Study, other: Other) -> bool:
    """Tell whether a try fails by one point, or to a single best reply."""
    if played.value - other.value == 1:
        return True
    question = puzzle.question
    if question.leadless or not question.fought or other.step.after.over:
        return False
    found = forced(other.step.after, told=2, budget=LIMIT)
    return found.status is Status.OPTIMAL and found.complete and len(found.first) == 1


def _purity(played: Study) -> Fraction:
    """Return the share of the tries that do not show the idea of the solution."""
    idea = headline(played)
    if idea is None or not played.others:
        return Fraction(0)
    return Fraction(
        sum(not THEMES[idea].detect(played.tried(other)) for other in played.others),
        len(played.others),
    )


def surprises(
    position: Position, key: Move, natural: Move | None, question: Question | None = None
) -> tuple[str, ...]:
    """Return the surprises of a key, in words of a fixed list.

    Args:
        position: the position.
        key: the best move.
        natural: the most natural wrong move.
        question: the question; where it forces points, the opponent's are looked at.

    """
    asker = question.forces if question is not None else None
    if asker is not None:
        points = {move: one.points for move, one in offered(position, asker).items()}
        lured = {
            "sacrifice": natural is not None and points[key] < points[natural],
            "refusal": not points[key] and any(points.values()),
        }
        return tuple(name for name, holds in lured.items() if holds)
    walk = Rehearsal(position)
    looks = [(walk.move(look), look) for look in walk.looks()]
    mine = next((look for move, look in looks if move == key), None)
    if mine is None:
        return ()
    tempting = next((look for move, look in looks if move == natural), mine)
    lost = play(position, key).position.players
    gift = any(
        lost[p].score > state.score
        for p, state in enumerate(position.players)
        if p != position.to_move
    )
    found = {
        "sacrifice": mine.points < tempting.points,
        "quiet": not mine.points and not gift and not mine.claims and not mine.builds,
        "refusal": not mine.points and any(look.points for _, look in looks),
        "gift": gift,
    }
    return tuple(name for name, holds in found.items() if holds)
