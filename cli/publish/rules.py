"""The rules with the cases of their cards, as the page shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burgrave.cli.publish.pieces import Pieces
from burgrave.cli.render.rules import people_words
from burgrave.cli.serve import rulebook
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.deck import cards


def rules() -> dict[str, Any]:
    """Return all rules, those of each card by its id in small letters, and people's words."""
    return {
        "rules": [rulebook.told(rule.id) for rule in RULES],
        "cards": {card.id.lower(): list(card.rules) for card in cards()},
        "people": people_words(),
    }


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the cases of the cards whose ids begin alike, by that beginning: one game's."""
    games: dict[str, list[str]] = {}
    for card in cards():
        games.setdefault(card.id.partition("-")[0], []).append(card.id)
    for name, ids in games.items():
        pieces = Pieces()
        told = {card_id: _case(card_id, pieces) for card_id in ids}
        yield name, {"cases": told, "pieces": pieces.texts}


def _case(card_id: str, pieces: Pieces) -> dict[str, Any]:
    """Return a case; its position stands there as pictures alone."""
    told = rulebook.case(card_id)
    del told["position"]
    return {**told, **{name: pieces.take(told[name]) for name in ("svg", "small")}}
