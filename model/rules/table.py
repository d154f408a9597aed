"""All rules of all games."""

from __future__ import annotations

from model.rules.castle import CASTLE_BOOK
from model.rules.falcon import FALCON_BOOK
from model.rules.rule import Rule

ALL_RULES: tuple[Rule[..., object], ...] = tuple(
    dict.fromkeys((*CASTLE_BOOK.all, *FALCON_BOOK.all))
)
"""Every rule once, those of a game in its order."""
