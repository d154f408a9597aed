"""``burgrave score``: what every feature is worth, and to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.options import JsonOption, PositionArgument
from cli.output import show

if TYPE_CHECKING:
    from cli.render.features import Standing
    from model.position import Position
    from model.results import Final


def score(position: PositionArgument, as_json: JsonOption = False) -> None:
    """List every feature, the keeps and the courts; when the game is over, final scoring."""
    from cli import sources
    from cli.render.events import final_text
    from cli.render.features import standings, standings_text
    from model.final import final_scoring

    read = sources.position(position)
    found = standings(read)
    final = final_scoring(read) if read.over else None
    lines = [*standings_text(read, found), *(final_text(read, final) if final else ())]
    show(_data(read, found, final), "\n".join(lines), as_json=as_json)


def _data(position: Position, found: tuple[Standing, ...], final: Final | None) -> dict[str, Any]:
    """Return the JSON keys."""
    from cli.render.events import final_data
    from cli.render.features import empty_area, player_data, standing_data

    return {
        "players": {
            name: player_data(position, index) for index, name in enumerate(position.game.players)
        },
        "empty_area": empty_area(position),
        "features": [standing_data(position, standing) for standing in found],
        "final": None if final is None else final_data(position, final),
    }
