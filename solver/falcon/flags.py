"""The switches of The Falcon as plain booleans, read once for a search."""

from __future__ import annotations

from dataclasses import dataclass

from model.games import Game
from model.switches import (
    AERIE_END_ORDER,
    AERIE_SCOPE,
    AERIE_SHARED,
    AERIE_SUPPLY,
    CHAPEL_IS_BUILDING,
    FALCONER_NEEDS_AERIE,
    FALCONER_ON_COURTS,
    FOUNTAIN_IS_DOUBLING,
    GATE_STOP,
    GATE_STOP_PLACE,
    KING_BARS_DOUBLING,
    KING_DOUBLES_COURTS,
    KING_WITH_TILE_7,
    SPECIAL_LAST_TURN,
    SPECIAL_ON_WALL_SCORED,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FalconFlags:
    """What the switches of The Falcon say."""

    chapels_bind: bool
    """A chapel must be continued by a chapel."""
    any_scoring: bool
    """Courts and what wall tiles 4 to 6 score bring tokens too."""
    first_only: bool
    """An aerie brings a token for the first feature scored, and none after it."""
    capped: bool
    """Nobody has more than the tokens there are."""
    tokens_first: bool
    """Tokens are compared before those of final scoring are taken."""
    any_king_bars: bool
    """The opponent's king keeps wall tiles 2 and 3 from doubling too."""
    king_on_courts: bool
    king_with_seven: bool
    """The king doubles a court on which a wall tile 7 is used."""
    fountain_doubles: bool
    """A fountain is a doubling, and so the king does not double its path."""
    falconer_needs_aerie: bool
    falconer_on_courts: bool
    on_wall_scored: bool
    """King and falconer act on what wall tiles 4 to 6 score."""
    last_turn: bool
    """King and falconer may be placed in the last turn of the game."""
    stops: bool
    """Gates stop markers."""
    stops_on_gate: bool


def falcon_flags(game: Game) -> FalconFlags:
    """Read the switches of a game with The Falcon."""
    return FalconFlags(
        chapels_bind=game.value(CHAPEL_IS_BUILDING) == "off",
        any_scoring=game.value(AERIE_SCOPE) == "any_scoring",
        first_only=game.value(AERIE_SHARED) == "first",
        capped=game.value(AERIE_SUPPLY) == "capped",
        tokens_first=game.value(AERIE_END_ORDER) == "first",
        any_king_bars=game.value(KING_BARS_DOUBLING) == "any",
        king_on_courts=game.value(KING_DOUBLES_COURTS) == "on",
        king_with_seven=game.value(KING_WITH_TILE_7) == "on",
        fountain_doubles=game.value(FOUNTAIN_IS_DOUBLING) == "on",
        falconer_needs_aerie=game.value(FALCONER_NEEDS_AERIE) == "on",
        falconer_on_courts=game.value(FALCONER_ON_COURTS) == "on",
        on_wall_scored=game.value(SPECIAL_ON_WALL_SCORED) == "on",
        last_turn=game.value(SPECIAL_LAST_TURN) == "on",
        stops=game.value(GATE_STOP) == "on",
        stops_on_gate=game.value(GATE_STOP_PLACE) == "on_gate",
    )
