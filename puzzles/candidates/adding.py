"""Compose puzzles about a tile to add: one tile of the bag alone gives a board a property."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from burgrave.model.errors import QuestionError
from burgrave.model.features import position_features
from burgrave.model.places import placeable, places
from burgrave.model.position import Position
from burgrave.puzzles.candidates.changes import unused
from burgrave.puzzles.questions import Add, Aim, Question
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.simplify import simplified
from burgrave.solver.limits import Limits
from burgrave.solver.simulation import PLAYED_BY, table

SEARCHED = Limits(nodes=60_000)
"""Turns of each search: a board with more to think about is passed over."""
BOARDS = 40
"""Boards on which one candidate looks for a tile to add."""
CHOICE = (2, 4)
"""Fewest and most kinds of tiles to choose from."""
SEEN = 9
"""Kinds of tiles of which a few are chosen."""
FEW = 4
"""Most cells of a tile that is to lose its places."""


def composed(begin: Callable[[], Position | None], rng: Random) -> Puzzle | None:
    """Return a puzzle about a tile to add, without words; None if none is found.

    Args:
        begin: returns a small board by lot; None if it is no position to solve.
        rng: the only source of chance.

    """
    aim = rng.choice(list(Aim))
    for _ in range(BOARDS):
        at = begin()
        posed = None if at is None else _choice(replace(at, order=()), aim, rng)
        if posed is not None:
            return _added(*posed)
    return None


def _choice(board: Position, aim: Aim, rng: Random) -> tuple[Position, Add] | None:
    """Return a board with a few tiles of which one alone has an aim, in one way."""
    kinds = sorted({*unused(board)})
    kinds = sorted(rng.sample(kinds, min(len(kinds), SEEN)))
    tile = ""
    if aim is Aim.HOME:
        board = _leaving(board, kinds, rng)
    if aim is Aim.BLOCKED:
        cells = {kind: len({laid.cell for laid in places(board, kind)}) for kind in kinds}
        tight = [kind for kind, number in cells.items() if number in range(CHOICE[0], FEW + 1)]
        if not tight:
            return None
        tile = rng.choice(tight)
    question = Add(aim=aim, tile=tile)
    every = replace(board, bag=tuple(kinds))
    if not still_asks(question, every):
        return None
    ways = Counter(turn.partition("@")[0] for turn in _ways(question, every))
    keys = [kind for kind in kinds if ways[kind] == 1]
    others = [kind for kind in kinds if not ways[kind] and kind != question.tile]
    others = [kind for kind in others if placeable(board, kind)]
    number = rng.randint(*CHOICE) - 1
    if not keys or len(others) < number:
        return None
    bag = (rng.choice(keys), *rng.sample(others, number))
    return replace(board, bag=tuple(sorted(bag))), question


def _leaving(board: Position, kinds: Sequence[str], rng: Random) -> Position:
    """Return a board without the followers who stay when one of the tiles is laid somewhere."""
    game, stays = table(replace(board, bag=tuple(kinds)), PLAYED_BY[0]), []
    for kind in kinds:
        for turn in game.turns(kind, last=False):
            if game.move(turn).followers:
                continue
            game.play(turn, last=False)
            left = {*game.position().followers} & {*board.followers}
            game.undo()
            if len(left) + CHOICE[0] <= len(board.followers):
                stays.append(left)
    if not stays:
        return board
    left = rng.choice(stays)
    return replace(board, followers=tuple(one for one in board.followers if one not in left))


def _added(position: Position, question: Add) -> Puzzle | None:
    """Return the puzzle of a board without what its answer does not need."""
    line = _only(question, position)

    def keeps(less: Position) -> bool:
        return _only(question, less) == line and still_asks(question, less)

    if not line or not keeps(position):
        return None
    return Puzzle(
        id="puzzle",
        title="",
        position=simplified(position, keeps),
        question=question,
        answer=Answer(line=line),
        explanation="",
    )


def still_asks(question: Question, position: Position) -> bool:
    """Tell whether a tile must be added, and the answer does not show at once."""
    if not isinstance(question, Add):
        return True
    if question.aim is Aim.BLOCKED:
        # The tile that fills the only cell of another is no surprise.
        return len({laid.cell for laid in places(position, question.tile)}) >= CHOICE[0]
    if question.aim is Aim.LEVEL:
        return bool(position.followers)
    # To complete one feature is no task.
    taken = (one for one in position_features(position) if one.inside and one.followers)
    return len(list(taken)) >= CHOICE[0]


def _only(question: Question, position: Position) -> tuple[str, ...]:
    """Return the turns of the only answer; none if there are several or none."""
    turns = _ways(question, position)
    return turns if len(turns) == 1 else ()


def _ways(question: Question, position: Position) -> tuple[str, ...]:
    """Return the turns of every answer; none if the question cannot be asked."""
    try:
        return tuple(question.reply(position, budget=SEARCHED).facts["turns"])
    except QuestionError:
        return ()
