"""The question with how few tiles a feature can be completed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.laying import complete
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.tiles import PlacedTile
from burgrave.model.words import read_node
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions.base import NO_LIMIT, Question, Reply, coming
from burgrave.puzzles.questions.stored import Answer as StoredAnswer
from burgrave.solver import questions
from burgrave.solver.limits import Limits, OutOfTimeError
from burgrave.solver.result import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete(Question):
    """With how few of the tiles to come can a feature be completed?"""

    feature: str
    """Any segment of it, ``3,1.N``."""
    name: str = "complete"
    must: ClassVar[frozenset[str]] = frozenset({"value"})

    @property
    def completes(self) -> str:
        """A segment of the feature that is to be completed."""
        return self.feature

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:  # noqa: ARG002 -- a number
        """Return what a stored answer claims: a number of tiles."""
        return {"value": answer.value, "status": str(Status.OPTIMAL)}

    def data(self, position: Position) -> dict[str, Any]:  # noqa: ARG002 -- the same for all
        """Return its keys in a file."""
        return {"feature": self.feature}

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        node, found = read_node(position, self.feature), position_features(position)
        alike = [one for one in found if one.kind is found.at(node).kind and node.cell in one.cells]
        place = self.feature if len(alike) > 1 else node.cell
        return (
            f"{coming(position)}: with how few of these tiles can the {found.at(node)} at {place}"
            " be completed if both players help?"
        )

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that lay tiles."""
        return questions.soonest_engines(position)

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the number of tiles; None if all are not enough."""
        node = read_node(position, self.feature)
        try:
            answer = questions.soonest(position, node, engine=engine, budget=budget)
        except OutOfTimeError:
            name = engine or self.engines(position)[0]
            return Reply(facts={"value": None, "status": str(Status.UNKNOWN)}, engine=name)
        facts = {"value": answer.tiles, "status": str(Status.OPTIMAL)}
        line = tuple(write_move(position, move) for move in answer.line)
        return Reply(facts=facts, line=line, engine=answer.engine)

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:
        """Lay the tiles of a line and see whether the feature is complete with the last."""
        drawn, tiles = 0, list(position.tiles)
        board = {tile.cell: tile for tile in tiles}
        for text in line:
            move = read_move(position, text)
            drawn += len(move.discards) + 1
            board |= _laid(position, move)
        after = Position(
            game=position.game,
            tiles=tuple(board[cell] for cell in sorted(board)),
            players=position.players,
        )
        feature = position_features(after).at(read_node(position, self.feature))
        if not complete(after, feature, after.laid()):
            return f"the line leaves the {feature} uncompleted"
        return "" if drawn == value else f"the line takes {drawn} tiles"


def _laid(position: Position, move: Move) -> dict[Cell, PlacedTile]:
    """Return the tile of a move by its cell."""
    if move.tile is None:
        return {}
    tile = move.laid(position.game.tile_set.kind(move.tile))
    return {tile.cell: tile}
