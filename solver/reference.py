"""The rules engine as an engine of answers: list every legal move and play it."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.engine import legal_moves, play
from model.position import Move, Position
from solver.engines import Found, Result, Search, from_list


class ReferenceEngine:
    """Lists moves with ``model.engine.legal_moves``."""

    name = "reference"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        yield from draws(position)

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw; None if time is out."""
        found: list[Found] = []
        for move in legal_moves(search.position, search.draw.tile):
            if search.watch.out:
                return None
            found.append(Found(move=move, gains=_gains(search.position, move)))
            search.reporter.listed(len(found))
        return tuple(found)

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw."""
        return from_list(
            search, self.moves(search), "the rules engine listed and played every legal move"
        )


def _gains(position: Position, move: Move) -> tuple[int, ...]:
    """Return the points that each player wins by a legal move."""
    after_turn = play(position, move).position
    pairs = zip(position.players, after_turn.players, strict=True)
    return tuple(after.score - before.score for before, after in pairs)
