"""The kernel as an engine of answers: list every turn without building positions."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.errors import QuestionError
from model.position import Position
from solver.engines import Found, Result, Search, from_list, passing
from solver.outlook import TooLargeError
from solver.progress import Reporter
from solver.search.walk import NONE, Walk, refusal


class StateEngine:
    """Lists moves with the kernel."""

    name = "state"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        walk = _walk(position, Reporter())
        yield from draws(position, lambda _, tile: walk.placeable(walk.kind(tile)))

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw; None if time is out.

        Raises:
            QuestionError: the kernel does not know something of the game, or has no room.

        """
        position, draw = search.position, search.draw
        if draw.tile is None and not position.game.board.endless:
            return (passing(search),)
        walk = _walk(position, search.reporter)
        left = len(position.order) + len(position.bag) - len(draw.discards) - 1
        before, found = walk.standing(), []
        try:
            for turn in walk.turns(
                NONE if draw.tile is None else walk.kind(draw.tile), last=left <= 0
            ):
                move = walk.move(turn, draw.discards)
                walk.play(turn, last=left <= 0)
                gains = (now - old for now, old in zip(walk.standing(), before, strict=True))
                found.append(Found(move=move, gains=tuple(gains)))
                walk.undo()
        except TooLargeError as error:
            raise QuestionError("the turns do not fit into the tables of the kernel") from error
        return None if search.watch.out else tuple(found)

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw."""
        return from_list(search, self.moves(search), "the kernel listed and scored every turn")


def _walk(position: Position, reporter: Reporter) -> Walk:
    """Return a position opened for the kernel.

    Raises:
        QuestionError: its game has something that the kernel does not know.

    """
    if (what := refusal(position)) is not None:
        raise QuestionError(f"the engine {StateEngine.name} does not know {what}")
    return Walk(position, reporter)
