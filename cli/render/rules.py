"""A rule in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from model.rule import Rule
from puzzles.card_files import Card

AnyRule = Rule[..., object]
_ROOT = Path(__file__).parents[2]


def rule_data(rule: AnyRule, cards: Sequence[Card]) -> dict[str, Any]:
    """Return the JSON keys of a rule, with the cards that show it."""
    file, line = _place(rule)
    return {
        "id": rule.id,
        "sentence": rule.sentence,
        "text": rule.text,
        "source": rule.source,
        "switches": [
            {"name": s.name, "values": list(s.values), "default": s.default, "why": s.why}
            for s in rule.switches
        ],
        "file": file,
        "line": line,
        "cards": [card.id for card in cards if rule.id in card.rules],
    }


def _place(rule: AnyRule) -> tuple[str, int]:
    """Return the file of a rule from the program's folder, with forward slashes, and the line."""
    path, line = rule.place()
    return Path(path).relative_to(_ROOT).as_posix(), line


def rule_text(rule: AnyRule, cards: Sequence[Card]) -> Iterator[str]:
    """Yield the lines of a rule: text, source, switches, place, cards."""
    yield rule.id
    yield from (f"  {line}".rstrip() for line in rule.text.splitlines())
    yield f"  Source: {rule.source}"
    for switch in rule.switches:
        values = ", ".join((f"{switch.default} (default)", *switch.values[1:]))
        yield f"  Switch {switch.name}: {values}; {switch.why}"
    file, line = _place(rule)
    yield f"  Enforced in {file}, line {line}"
    for card in cards:
        if rule.id in card.rules:
            yield f"  Card {card.id}: {card.title}"
