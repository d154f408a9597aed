"""The rule book of a game: that of its base, changed by its expansions in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from burgrave.model.book import RuleBook
from burgrave.model.registry import BASES, EXPANSIONS, split


@cache
def book(game_id: str) -> RuleBook:
    """Return the rule book of a game, one of ``model.registry.GAMES``."""
    base, expansions = split(game_id)
    found: RuleBook = _named(BASES[base].book)
    ranks = sorted(rank for name in expansions for rank in EXPANSIONS[name].specials)
    found = replace(found, ranks=tuple(ranks))
    for name in expansions:
        patch: Callable[[RuleBook], RuleBook]
        patch = _named(f"burgrave.model.expansions.{name}.book:patch")
        found = patch(found)
    return found


def _named(name: str) -> Any:
    """Return what stands at a module and a name."""
    module, _, inner = name.partition(":")
    return getattr(import_module(module), inner)
