"""End the game, order final scoring, and find the winner."""

from __future__ import annotations

from collections.abc import Sequence

from burgrave.model.features import Feature, Laid
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.rule import rule
from burgrave.model.rules.castle.setup import RULEBOOK


@rule("castle.end", f"{RULEBOOK}, 'Game end'")
def ENDED(position: Position) -> bool:
    """The game ends after the turn in which the last tile is placed or leaves the game.

    The wall tiles still on the towers are removed, and none can be won in final scoring.

    Passes: the last tile has no place and leaves the game: final scoring follows.
    Fails: points of final scoring land on a tower and take its wall tile.
    """
    return position.over


@rule("castle.end.order", f"{RULEBOOK}, 'Final scoring'")
def END_ORDER(game: Game) -> tuple[str, ...]:  # noqa: ARG001
    """Final scoring goes: keep with tile 8, courts with tile 7, tiles 4, 5 and 6, tile 9.

    The order changes no total in The Castle.

    Passes: the keep is scored before the courts.
    Fails: a court scored first changes a total.
    """
    return ("keep", "courts", "incomplete", "nines")


@rule("castle.end.incomplete", f"{RULEBOOK}, 'Final scoring'")
def INCOMPLETE(game: Game, feature: Feature, laid: Laid) -> int:  # noqa: ARG001
    """Uncompleted paths, towers and houses score nothing without tiles 4, 5 and 6.

    Passes: an uncompleted tower of 6 tiles scores 0.
    Fails: it scores 12.
    """
    return 0


@rule("castle.end.winner", f"{RULEBOOK}, 'Final scoring'; the draw is inferred")
def WINNER(scores: Sequence[int]) -> int | None:
    """The player with the most points wins; equal totals are a draw.

    Passes: 71 against 70 wins.
    Fails: 71 against 71 wins.
    """
    best = max(scores)
    return None if list(scores).count(best) > 1 else list(scores).index(best)
