"""Every rule and every switch of every game, in the order of the games."""

from __future__ import annotations

from burgrave.model.books import book
from burgrave.model.registry import GAMES, switches

RULES = tuple(dict.fromkeys(rule for game in GAMES for rule in book(game).all))
"""The rules, those of a base before those of its expansions."""
SWITCHES = tuple(dict.fromkeys(switch for game in GAMES for switch in switches(game)))
"""The switches, likewise."""
