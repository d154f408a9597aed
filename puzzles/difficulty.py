"""Rate the difficulty of a puzzle: its measures, and the level from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log2

from model.notation import read_move, write_move
from model.position import Position
from puzzles.questions import Most, Win
from puzzles.selfplay.look import Look
from puzzles.selfplay.rehearsal import Rehearsal
from puzzles.study.puzzle import HARDEST, Puzzle
from puzzles.study.study import Study
from solver.limits import Limits
from solver.questions import forced, winning

SHORT = 2
"""Tiles of a game at whose end is looked without an engine."""
ASKED = 12
"""Number of wrong moves that are examined then."""
NEAR = 3
"""Points by which a plausible move may be worse than the best."""
LIMIT = Limits(nodes=200_000)
"""Limit of turns for the search of a shortened game."""
LOSS = 12
"""Points of greedy loss above which nothing gets harder."""
STEPS = (3.5, 5.0, 6.5, 8.0)
"""Weights at which the levels 2 to 5 begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """The measures of a puzzle. More of anything never makes it easier."""

    plies: int
    """Turns of the solution."""
    plausible: int
    """Known root moves that are at most ``NEAR`` points worse than the best."""
    depth: int
    """Tiles beyond the first that a search must see to find the key and keep it. Each search ends
    the game after the last tile that it sees."""
    greedy_loss: int
    """Points by which the move that wins most points in its turn is worse."""
    rules: int
    """Rules that the answer rests on."""


def level(features: Features) -> int:
    """Return the difficulty, 1 to 5, that features make.

    Each of these adds the same: one more turn, one more tile ahead, twice the plausible moves,
    four points of greedy loss, or four more rules.
    """
    weight = (
        (features.plies - 1)
        + features.depth
        + log2(max(1, features.plausible))
        + min(features.greedy_loss, LOSS) / 4
        + features.rules / 4
    )
    return 1 + sum(weight >= step for step in STEPS[: HARDEST - 1])


def measured(puzzle: Puzzle, study: Study) -> Features:
    """Measure a puzzle that is answered by a move.

    Args:
        puzzle: the puzzle, with as many refutations as are known.
        study: its answer, played out.

    """
    value = study.value
    near = sum(value - other.value <= NEAR for other in study.others)
    gains = [(other.step.gain(study.asker), other.value) for other in study.others]
    gains.append((study.key.gain(study.asker), value))
    most = max(gain for gain, _ in gains)
    greedy = min(worth for gain, worth in gains if gain == most)
    return Features(
        plies=len(study.steps),
        plausible=len(puzzle.answer.moves) + near,
        depth=_depth(puzzle) if study.to_the_end else 0,
        greedy_loss=int(value - greedy),
        rules=len(puzzle.rules),
    )


def plainly(puzzle: Puzzle) -> Features:
    """Measure a puzzle that is not answered by a move.

    A verdict on one move takes one look. A solver who completes a feature looks ahead one step for
    each tile, among all kinds of tiles to come.

    Args:
        puzzle: the puzzle, with the line of its answer if it has one.

    """
    line, position = puzzle.answer.line, puzzle.position
    return Features(
        plies=len(line) or 1,
        plausible=len({*position.order, *position.bag}) if line else 1,
        depth=len(line) - 1 if line else 0,
        greedy_loss=0,
        rules=len(puzzle.rules),
    )


def _depth(puzzle: Puzzle) -> int:
    """Return the number of tiles that a search must see to find the best moves and keep them.

    A look counts final scoring, as if the game ended with the last tile that it sees. It sees the
    tiles in a bag all at once or not at all.
    """
    position = puzzle.position
    left = len(position.order) + len(position.bag)
    known = min(len(position.order), left - 1)
    for tiles in range(known, 0, -1):
        if not _found(puzzle, tiles):
            return left - 1 if tiles == len(position.order) else tiles
    return 0


def _found(puzzle: Puzzle, tiles: int) -> bool:
    """Tell whether the best moves are those of the game that ends with a few of its tiles."""
    whole, wanted = puzzle.position, set(puzzle.answer.moves)
    short = replace(whole, order=whole.order[:tiles], bag=())
    if tiles <= SHORT and whole.game.board.endless and _misled(puzzle, short):
        return False
    if isinstance(puzzle.question, Most):
        values = puzzle.question.values(short)
        most = max(values.values(), default=None)
        return {move for move, value in values.items() if value == most} == wanted
    ask = winning if isinstance(puzzle.question, Win) else forced
    # One more than there are tells that the moves are others.
    found = ask(short, told=len(wanted) + 1, budget=LIMIT)
    return {write_move(short, one.move) for one in found.first} == wanted


def _misled(puzzle: Puzzle, short: Position) -> bool:
    """Tell whether a wrong move is soon found that seems as good as the key in a short game.

    In The Tower hundreds of them may be, and the engines would name and prove them all.

    Args:
        puzzle: of Carcassonne or The Tower.
        short: its position with ``SHORT`` tiles at most.

    """
    walk = Rehearsal(short)
    looks = walk.looks()
    moves = {read_move(puzzle.position, text) for text in puzzle.answer.moves}
    best = [look for look in looks if walk.move(look) in moves]
    wrong = sorted((look for look in looks if look not in best), key=lambda look: -look.lead)
    if not best or any(look.at != walk.at for look in looks):
        return False

    def worth(look: Look) -> int | None:
        mark = walk.mark()
        walk.play(look)
        at, replies = walk.at, walk.looks() if len(short.order) > 1 else []
        walk.undo(mark)
        if len(short.order) == 1:
            return look.lead
        if not replies or replies[0].at != at:
            return None
        return -max(reply.lead for reply in replies)

    values = [worth(look) for look in best]
    if None in values:
        return False
    least = min(value for value in values if value is not None)
    found = (worth(look) for look in wrong[:ASKED])
    return any(value is not None and value >= least for value in found)
