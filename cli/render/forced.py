"""What a player can force, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cli.render.findings import times
from model.engine import play
from model.notation import write_move
from model.position import Move, Position
from solver.answers import Forced, Status


def forced_data(position: Position, answer: Forced) -> dict[str, Any]:
    """Return the JSON keys of an answer."""
    return {
        "lead": answer.lead,
        "status": str(answer.status),
        "player": position.game.players[answer.player],
        "moves": [write_move(position, move) for move in answer.first],
        "line": [text for _, text in _told(position, answer.line)],
        "scores": None if answer.scores is None else list(answer.scores),
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 3),
        "confirmed": list(answer.confirmed),
    }


def forced_text(position: Position, answer: Forced) -> Iterator[str]:
    """Yield the lines of an answer: the lead, the first moves, a line to the end."""
    name = position.game.name(answer.player)
    if answer.lead is None or answer.scores is None:
        yield f"Nothing is known of what {name} can force: time ran out; give more with --time."
        return
    totals = ", ".join(
        f"{player.capitalize()} {score}"
        for player, score in zip(position.game.players, answer.scores, strict=True)
    )
    if answer.status is Status.OPTIMAL:
        yield f"{name} can force a final lead of {answer.lead} (proved): {totals}"
    else:
        yield f"{name} can force a final lead of {answer.lead} at least (not proved to be all)"
    yield f"by {times(len(answer.first), 'first move')}"
    for move in answer.first:
        yield f"  {write_move(position, move)}"
    yield "best play of both"
    for mover, text in _told(position, answer.line):
        yield f"  {mover}: {text}"
    yield f"alpha-beta, {answer.nodes} turns, {answer.seconds:.2f} s"
    for sentence in answer.confirmed:
        yield f"  {sentence}"


def _told(position: Position, line: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """Yield the player and the notation of every turn of a line."""
    for move in line:
        yield position.game.name(position.to_move), write_move(position, move)
        position = play(position, move).position
