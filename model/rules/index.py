"""Every rule and every switch of every game, in the order of the games."""

from __future__ import annotations

from model.rules.castle import CASTLE_RULES
from model.rules.tower.book import TOWER_BOOK
from model.switches import CARCASSONNE_SWITCHES, CASTLE_SWITCHES, TOWER_SWITCHES

RULES = (*CASTLE_RULES, *TOWER_BOOK.all)
"""The rules; those of Carcassonne with The Tower hold those without it."""
SWITCHES = (*CASTLE_SWITCHES, *CARCASSONNE_SWITCHES, *TOWER_SWITCHES)
"""The switches."""
