"""Learn from mistakes of a reviewed game: as puzzles with a proof, or by another try."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.draws import as_seen
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.puzzles.candidates.guess import tempting
from burgrave.puzzles.games.review import ReviewedTurn
from burgrave.puzzles.judging.solving import TWO, certified, certify
from burgrave.puzzles.judging.stated_facts import described
from burgrave.puzzles.making.generator import posed
from burgrave.puzzles.questions import Expect, Force, Question
from burgrave.puzzles.study.puzzle import Certification, Puzzle
from burgrave.puzzles.study.study import study
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.hints import move_hints, theme_hint
from burgrave.puzzles.words.tutor import Attempt, typed
from burgrave.solver.limits import NO_LIMIT, Limits
from burgrave.solver.questions import evaluate, expected, forced
from burgrave.solver.result import Answer, RootMove, Status

EFFORT = Limits(nodes=300_000)
"""Turns that each engine may search; no time, so that every machine writes the same puzzles."""

NAMED = 22
"""Characters of the game's name that an id has room for."""


def puzzle_of(turn: ReviewedTurn, position: Position, game: str) -> Puzzle | None:
    """Return the puzzle of a mistake.

    The puzzle has the player's information: the tiles after the one in hand are in the bag, and
    wall tiles lie face down.

    Args:
        turn: a turn with its value.
        position: the position in which it was played.
        game: the name of the game for the puzzle's id: letters, digits and hyphens.

    Returns:
        The puzzle, in which the move that was played is the first of the wrong ones. None if the
        turn is no mistake or its values are estimates, if several moves are best, or if two
        engines do not come to a proof.

    """
    if not (turn.proved and turn.mistake):
        return None
    seen = as_seen(position)
    if len(seen.bag) == 1:
        # Every player knows the last tile.
        seen = replace(seen, order=(*seen.order, *seen.bag), bag=())
    unknown = seen.bag or any(not number for _, number in seen.towers)
    question: Question = Expect() if unknown else Force()
    answer = (expected if unknown else forced)(seen, every=True, budget=EFFORT)
    key = _only_best(answer)
    if key is None or problems(seen):
        return None
    values = {one.move: one.value for one in answer.first}
    wrong = {turn.played: values[turn.played], **tempting(seen, key.move, values)}
    refuted = [RootMove(move=move, value=value) for move, value in wrong.items()]
    made = posed(seen, question, key, refuted)
    if unknown:
        # The moves after the first depend on the draw.
        made = replace(made, answer=replace(made.answer, line=()))
    shown = study(made)
    if shown is None:
        return None
    made = described(made, shown)
    made = replace(made, explanation=explanations.told(made))
    proved = certify(made, EFFORT, TWO, described=True)
    if not certified(proved):
        return None
    played = write_move(position, turn.played)
    name = position.game.name(turn.player)
    return replace(
        made,
        id=f"{game[:NAMED]}-turn-{turn.number}",
        title=f"Turn {turn.number}: better than {played}",
        provenance=f"Turn {turn.number} of {game}. {name} played {played}.",
        certification=Certification(engines=tuple(verdict.engine for verdict in proved)),
    )


def _only_best(answer: Answer) -> RootMove | None:
    """Return the best first move with best play after it; None if it is not alone or unproved."""
    best = [one for one in answer.first if one.value == answer.value]
    if answer.status is not Status.OPTIMAL or len(best) != 1:
        return None
    return replace(best[0], line=best[0].line or (best[0].move,))


def retried(  # noqa: PLR0913 -- a question with its means
    position: Position,
    text: str,
    *,
    played: Move,
    best: Move,
    playouts: int,
    seed: int = 1,
    budget: Limits = NO_LIMIT,
) -> Attempt:
    """Judge another try at a turn that was a mistake.

    Args:
        position: the position in which it was played.
        text: a move as a user types it.
        played: the move that was played.
        best: the best move of the review.
        playouts: for an estimate; unused if a proof is found.
        seed: of all chance.
        budget: the time and the threads.

    Returns:
        Whether the move is the best or cannot be told from it, in words.

    Raises:
        QuestionError: the text is no move.

    """
    seen = as_seen(position)
    move = typed(seen, text)
    if isinstance(move, str):
        return Attempt(right=False, told=move)
    name = write_move(position, move)
    if move == best:
        return Attempt(right=True, told=f"Right: {name} is the best move.")
    if move == played:
        return Attempt(right=False, told=f"{name} was played: there is better.")
    found = evaluate(seen, playouts=playouts, seed=seed, played=move, budget=budget)
    assert found.played is not None  # a move was named
    loss = found.played.behind
    if not loss.apart:
        known = "as good as the best" if found.proved else "hard to tell from the best (estimate)"
        return Attempt(right=True, told=f"Right: {name} is {known}.")
    sort = "proved" if found.proved else "estimate"
    return Attempt(
        right=False,
        told=f"{name} loses {loss.points:.1f} points of lead ({sort}): there is better.",
    )


def mistake_hints(turn: ReviewedTurn, position: Position) -> tuple[str, ...]:
    """Return three hints at the best move of a turn, each telling more than the one before."""
    first = theme_hint(turn.missed) if turn.missed else "Look at what the tile completes."
    return (first, *move_hints(position, write_move(position, turn.best)))
