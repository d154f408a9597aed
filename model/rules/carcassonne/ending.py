"""End Carcassonne and find the winner."""

from __future__ import annotations

from collections.abc import Sequence

from burgrave.model.position import Position
from burgrave.model.rule import rule
from burgrave.model.rules.carcassonne.setup import RULEBOOK

_SECTION = f"{RULEBOOK}, 'Final scoring'"


@rule("carcassonne.end", _SECTION)
def ENDED(position: Position) -> bool:
    """The game ends after the turn in which the last tile is placed or leaves the game.

    Then uncompleted roads, cities and cloisters are scored, then the farms.

    Passes: the last tile has no place and leaves the game: final scoring follows.
    Fails: another turn without a tile.
    """
    return position.over


@rule("carcassonne.end.winner", _SECTION)
def WINNER(scores: Sequence[int]) -> int | None:
    """The player with the most points wins; there is no tie-breaker, equal leaders share it.

    Passes: 71 against 70 wins.
    Fails: of 71 against 71 the player who did not begin wins.
    """
    best = max(scores)
    return None if list(scores).count(best) > 1 else list(scores).index(best)
