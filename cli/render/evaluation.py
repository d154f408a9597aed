"""Values of a position and its first moves, proved or estimated, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burgrave.cli.render.moves import seen
from burgrave.model.naming import times
from burgrave.model.notation import write_move
from burgrave.model.position import Position

if TYPE_CHECKING:
    from burgrave.cli.render import json_estimates
    from burgrave.solver.result import Evaluation

TOLD = 10
"""First moves that the text tells at most; JSON holds them all."""


def evaluation_data(position: Position, found: Evaluation) -> json_estimates.Evaluation:
    """Return the JSON keys of an evaluation."""
    return {
        "player": position.game.players[found.player],
        "tiles": found.tiles,
        "status": "proved" if found.proved else "estimate",
        "value": round(found.value, 4),
        "interval": [round(found.low, 4), round(found.high, 4)],
        "win": None if found.win is None else round(found.win, 4),
        "moves": [
            {
                "notation": write_move(position, one.move),
                "value": round(one.value, 4),
                "interval": [round(one.low, 4), round(one.high, 4)],
                "win": None if one.win is None else round(one.win, 4),
                "playouts": one.playouts,
                "behind": round(one.behind.points, 4),
                "behind_interval": [round(one.behind.low, 4), round(one.behind.high, 4)],
            }
            for one in found.moves
        ],
        "equal": found.equal,
        "legal": found.legal,
        "playouts": found.playouts,
        "seed": found.seed,
        "by": found.policy,
        "seconds": round(found.seconds, 3),
    }


def evaluation_text(position: Position, found: Evaluation) -> Iterator[str]:
    """Yield the lines of an evaluation."""
    name = position.game.name(found.player)
    left = times(found.tiles, "tile")
    if found.proved:
        yield f"{name}: lead {found.value:+.4g} at the end with best play (proved), {left} to come"
        if found.win is not None:
            yield f"  wins with a chance of {100 * found.win:.4g} %, a draw counted half (proved)"
    else:
        yield (
            f"{name}: lead {found.value:+.1f} at the end (estimate; 95 %: {found.low:+.1f} to"
            f" {found.high:+.1f}), {left} to come"
        )
        yield f"  wins {100 * (found.win or 0):.0f} % of the playouts, a draw counted half"
    yield from _moves_text(position, found)
    if len(found.moves) > TOLD:
        yield f"  and {times(len(found.moves) - TOLD, 'more move')} (--json tells all)"
    if found.moves and not found.proved and found.legal > len(found.moves):
        yield f"  the best {len(found.moves)} of {found.legal} legal moves, as the policy sees them"
    if found.proved:
        yield f"{found.policy}, {found.seconds:.2f} s"
    else:
        yield (
            f"{times(found.playouts, 'playout')} by the policy “{found.policy}”, seed {found.seed},"
            f" {found.seconds:.2f} s"
        )


def _moves_text(position: Position, found: Evaluation) -> Iterator[str]:
    """Yield the lines of the first moves: those that cannot be told from the best, then others."""
    if found.equal > 1:
        sort = "are equally good" if found.proved else "are within the error"
        yield f"  no clear best: these {found.equal} {sort}"
    elif len(found.moves) > 1:
        yield f"  the best move stands apart{'' if found.proved else ' from its error'}"
    for number, one in enumerate(found.moves[:TOLD]):
        notation = seen(position, one.move)
        if number == found.equal > 1:
            yield "  worse than these:"
        if found.proved:
            yield f"  {one.value:+7.4g}  {notation}"
            continue
        error = (one.behind.high - one.behind.low) / 2
        behind = f"behind {one.behind.points:4.1f} ± {error:4.1f}" if number else " " * 18
        yield f"  {one.value:+6.1f}  {behind}  {one.playouts:5} playouts  {notation}"
