"""Events of a turn or of final scoring, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from burgrave.model.book import book_of
from burgrave.model.games import Game
from burgrave.model.notation import write_final
from burgrave.model.position import Position
from burgrave.model.registry import BASES
from burgrave.model.results import Final
from burgrave.model.rule import Event

if TYPE_CHECKING:
    from burgrave.cli.render import json_types


def event_data(game: Game, event: Event) -> json_types.Event:
    """Return the JSON keys of an event; ``player`` is a name or null."""
    data: json_types.Event = {
        "text": event.text,
        "rules": list(event.rules),
        "player": None if event.player is None else game.players[event.player],
        "points": event.points,
        "cells": [list(cell) for cell in event.cells],
    }
    if book_of(game).collect:
        data["tokens"] = event.tokens
    return data


def events_text(events: Sequence[Event]) -> Iterator[str]:
    """Yield a line for every event, with the rules that made it happen."""
    for event in events:
        yield f"  {event.text} [{', '.join(event.rules)}]"


def totals(game: Game, scores: Sequence[int]) -> str:
    """Return scores in words, ``White 71, Black 70``."""
    return ", ".join(f"{game.name(player)} {score}" for player, score in enumerate(scores))


def final_data(position: Position, final: Final) -> json_types.Final:
    """Return the JSON keys of final scoring."""
    game = position.game
    return {
        "scores": {game.players[p]: score for p, score in enumerate(final.scores)},
        "winner": None if final.winner is None else game.players[final.winner],
        "leaders": [game.players[player] for player in final.leaders],
        "events": [event_data(game, event) for event in final.events],
        "uses": write_final(position, final.uses),
    }


def undecided_text(reason: str) -> Iterator[str]:
    """Yield the reason why final scoring is left out, if there is one."""
    if reason:
        yield reason[0].upper() + reason[1:]


def final_text(position: Position, final: Final) -> Iterator[str]:
    """Yield the lines of final scoring."""
    game = position.game
    yield "Final scoring"
    yield from events_text(final.events)
    if final.uses:
        yield f"  wall tiles used: {write_final(position, final.uses)}"
    if final.winner is not None:
        end = f"{game.name(final.winner)} wins"
    elif BASES[game.base].shared:
        end = " and ".join(game.name(player) for player in final.leaders) + " share the win"
    else:
        end = "a draw"
    yield f"Result: {totals(game, final.scores)}: {end}"
