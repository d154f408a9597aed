"""Every rule and every switch of every game, in the order of the games."""

from __future__ import annotations

from burgrave.model.carcassonne.tower_book import TOWER_BOOK
from burgrave.model.castle.falcon_book import FALCON_BOOK
from burgrave.model.switches import (
    CARCASSONNE_SWITCHES,
    CASTLE_SWITCHES,
    FALCON_SWITCHES,
    TOWER_SWITCHES,
)

RULES = (*FALCON_BOOK.all, *TOWER_BOOK.all)
"""The rules; the book of a game with an expansion holds those without it, which come first."""
SWITCHES = (*CASTLE_SWITCHES, *FALCON_SWITCHES, *CARCASSONNE_SWITCHES, *TOWER_SWITCHES)
"""The switches."""
