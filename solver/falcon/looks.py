"""What a tile can do on a cell in a game with The Falcon: kings and falconers, chapels, aeries."""

from __future__ import annotations

from collections.abc import Iterator

from solver.falcon.ending import worth_of
from solver.falcon.state import EACH, FalconState
from solver.game_state import RANKS
from solver.search.looks import Ends, Entry, Gain, Looks, Option
from solver.tables import CHAPEL, COURT

STEP = 1 << 8
"""More tokens than a feature brings. What a wall tile scores is told as points times this number
plus tokens, so that it sorts by points first."""


class FalconLooks(Looks):
    """The looks of a search, where followers have ranks and features bring tokens.

    Attributes:
        falcon: the state that is searched.

    """

    ranks = tuple(range(len(RANKS)))

    def __init__(self, state: FalconState) -> None:
        """Number the cells of a position."""
        super().__init__(state)
        self.falcon = state

    def entry(self, root: int, winner: int) -> Entry | None:
        """Return what a feature that is not complete brings who holds it; None for nothing."""
        kind = self.state.board.kind[root]
        if kind == CHAPEL:
            return None
        flags, brings = self.falcon.falcon, worth_of(self.falcon, root, winner)
        tokens = 0 if flags.tokens_first else brings.aeries.bit_count() + brings.more
        slot, sign = 2 * kind + winner, 1 - 2 * winner
        if kind == COURT:
            worth = STEP * max(brings.tile, 0)
            found = Entry(slot, worth, sign * brings.points, sign * tokens)
            return found if any(found[1:]) else None
        return Entry(slot, STEP * brings.tile + tokens)

    def _gain(self, root: int, winner: int) -> Gain:
        """Return what a completed feature brings."""
        claim = self.falcon.claim(root, winner)
        return (
            super()
            ._gain(root, winner)
            ._replace(
                points=claim.points,
                doublable=claim.doublable,
                tokens=claim.aeries.bit_count() + claim.more,
            )
        )

    def _surroundings(self, cell: int) -> Iterator[object]:
        """Yield all that a tile on a cell would meet, kings, falconers and aeries included."""
        yield from super()._surroundings(cell)
        state = self.falcon
        find, aeries = state.board.find, state.board.aeries
        met = sorted(self._met(cell))
        yield from (aeries[root] for root in met)
        for index, node in enumerate(state.specials):
            if node >= 0 and (root := find(node)) in met:
                yield index, root

    def _option(  # noqa: PLR0913, PLR0917 -- all that makes an option
        self, rotation: int, segment: int, rank: int, mover: int, root: int, ends: Ends
    ) -> Option:
        """Return an option with the tile that has just been laid, and the follower placed."""
        specials, index = self.falcon.specials, mover * EACH + rank - 1
        before = specials[index]
        if rank:
            specials[index] = root
        option = super()._option(rotation, segment, rank, mover, root, ends)
        if rank:
            specials[index] = before
        return option
