"""``burgrave score``: what every feature is worth, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burgrave.cli.options import JsonOption, PositionArgument, TurnOption
from burgrave.cli.output import show

if TYPE_CHECKING:
    from burgrave.cli.render import json_types
    from burgrave.model.position import Position
    from burgrave.model.results import Final


def score(position: PositionArgument, at: TurnOption = None, as_json: JsonOption = False) -> None:
    """List every feature with its points; score the game if it is over."""
    from burgrave.cli import sources
    from burgrave.cli.render.editions import rules_text
    from burgrave.cli.render.events import final_text, undecided_text

    read = sources.position(position, at)
    reason, final = _end(read)
    lines = [*(_castle_text(read) if read.game.edition is None else _plane_text(read))]
    lines += final_text(read, final) if final else undecided_text(reason)
    show(score_data(read), "\n".join([*lines, *rules_text(read.game)]), as_json=as_json)


def _end(position: Position) -> tuple[str, Final | None]:
    """Return why final scoring is left out, if it is, and final scoring of a finished game."""
    from burgrave.model.castle.final_uses import undecided
    from burgrave.model.final import final_scoring

    if not position.over:
        return "", None
    reason = undecided(position)
    return reason, None if reason else final_scoring(position)


def score_data(position: Position) -> json_types.CastleScore | json_types.PlaneScore:
    """Return the JSON keys of the features and scores of a position."""
    from burgrave.cli.render.events import final_data

    reason, final = _end(position)
    ended: json_types.Ended = {
        "final": None if final is None else final_data(position, final),
        "undecided": reason or None,
    }
    edition = position.game.edition
    if edition is None:
        return {**_castle_data(position), **ended}
    return {**_plane_data(position), **ended, "edition": edition.name}


def _castle_text(position: Position) -> Iterator[str]:
    """Yield the lines about a castle."""
    from burgrave.cli.render.features import standings, standings_text

    return standings_text(position, standings(position))


def _castle_data(position: Position) -> json_types.CastleNow:
    """Return the JSON keys of a castle."""
    from burgrave.cli.render.features import player_data, standing_data, standings
    from burgrave.model.rules.castle.keeps import largest_empty_area

    return {
        "players": {
            name: player_data(position, index) for index, name in enumerate(position.game.players)
        },
        "empty_area": largest_empty_area(position),
        "features": [standing_data(position, standing) for standing in standings(position)],
    }


def _plane_text(position: Position) -> Iterator[str]:
    """Yield the lines about a plane."""
    from burgrave.cli.render.plane_features import holdings, holdings_text

    return holdings_text(position, holdings(position))


def _plane_data(position: Position) -> json_types.PlaneNow:
    """Return the JSON keys of a plane."""
    from burgrave.cli.render.plane_features import farm_data, holding_data, holdings, plane_players

    return {
        "players": plane_players(position),
        "features": [holding_data(position, holding) for holding in holdings(position)],
        "farms_now": farm_data(position),
    }
