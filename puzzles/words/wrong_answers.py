"""Tell why an answer is wrong that is no move of best play, without giving the right one away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burgrave.model.engine import judge, play
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.laying import complete
from burgrave.model.notation import read_move
from burgrave.model.places import places
from burgrave.model.position import Move, Position
from burgrave.puzzles.questions import Add, Aim
from burgrave.puzzles.questions.past import canonical_tiles
from burgrave.puzzles.questions.wording import listed
from burgrave.puzzles.study.study import Step
from burgrave.puzzles.words.last_tile import why_not_last
from burgrave.puzzles.words.other_answers import lacking

if TYPE_CHECKING:
    from burgrave.puzzles.study.puzzle import Puzzle


def misjudged(puzzle: Puzzle) -> str:
    """Return why a move is legal or not, of which the opposite was answered."""
    verdict = judge(puzzle.position, read_move(puzzle.position, puzzle.question.about))
    found = verdict.violations or verdict.notes
    told = "; ".join(f"{one.message} [{one.rule}]" for one in found)
    if not verdict.legal:
        return f"No, it is illegal: {told}."
    return f"No, it is legal: {told}." if told else "No, it is legal. No rule forbids it."


def miscounted(puzzle: Puzzle, given: Sequence[str]) -> str:
    """Return what is wrong about scores, of a turn or at the end.

    Args:
        puzzle: the puzzle, with the scores that are right.
        given: those of the answer, each a player and a number of points.

    """
    wanted, told = list(puzzle.answer.points), [one.lower() for one in given]
    if len(wanted) != len(told):
        if puzzle.question.name == "final":
            return "No: each player has one total."
        if not wanted:
            return "No: nobody scores."
        few = "more" if len(told) < len(wanted) else "fewer"
        return f"No: there are {few} scores than that."
    if sorted(wanted) == sorted(told):
        return "No: these are the scores, but in another order."
    wrong = {one.split()[0] for one in told if told.count(one) > wanted.count(one)}
    return f"No: count again for {listed(sorted(name.capitalize() for name in wrong))}."


def another_number(puzzle: Puzzle, given: int) -> str:
    """Return on which side of the right number one lies."""
    value = puzzle.answer.value
    assert isinstance(value, int)
    if puzzle.question.name == "complete":
        return "No: fewer are enough." if given > value else "No: it takes more."
    return "No: that is out of reach." if given > value else "No: more can be reached."


def not_last(puzzle: Puzzle, cell: Cell) -> str:
    """Return why the tile on a cell was not the last one."""
    return f"No. {why_not_last(puzzle.position, cell)}"


def not_played(position: Position, before: Position, move: Move) -> str:
    """Return why a turn does not belong to the only game that leads to a position.

    Args:
        position: the position at the end of the game.
        before: that game before the turn.
        move: another legal turn.

    """
    ends = canonical_tiles(position)
    after = canonical_tiles(play(before, move).position)
    assert move.cell is not None
    lies, laid = ends.tile_at(move.cell), after.tile_at(move.cell)
    if lies is None:
        return f"No tile lies on {move.cell}."
    if lies != laid:
        same = lies.kind.id == move.tile
        told = "The tile lies turned otherwise" if same else "Another tile lies"
        return f"{told} on {move.cell}."
    features, tiles = position_features(ends), ends.laid()
    captured = any(state.part(TowerHoldings).prisoners for state in ends.players)
    for one in sorted({*after.followers} - {*before.followers} - {*ends.followers}):
        feature = features.at(one.node)
        if not captured and not complete(ends, feature, tiles):
            return f"The {one.title} on {one.node.cell} would still stand there."
    return "No turns after it lead to this position."


def not_added(puzzle: Puzzle, move: Move) -> str:
    """Return what a tile lacks that is legal to add."""
    position = puzzle.position
    assert isinstance(puzzle.question, Add)
    if move.followers:
        return "It is legal, but the tile is to be laid without a follower."
    if puzzle.question.aim is Aim.BLOCKED:
        after = play(position, move).position
        cells = sorted({laid.cell for laid in places(after, puzzle.question.tile)})
        where = "; ".join(map(str, cells))
        return f"It is legal, but tile {puzzle.question.tile} still has a place: {where}."
    return f"It is legal. {lacking(puzzle.question.aim, Step.of(position, move))}"
