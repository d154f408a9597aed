"""Switches in words, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from burgrave.cli.render.width import columns
from burgrave.model.rule import Switch
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.files import Card
from burgrave.solver.engines import ONLY_BY

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

_LEAST = 30
"""Columns that the reason of a switch needs beside its values."""
_GAP = 2


def touched(switch: Switch) -> list[str]:
    """Return the ids of the rules that depend on a switch."""
    return [rule.id for rule in RULES if switch in rule.switches]


def deciding(switch: Switch, cards: Sequence[Card]) -> list[str]:
    """Return the ids of the cards that give a switch another value than the default.

    Where an edition gives it, one of the card's rules must depend on the switch.
    """
    rules = {*touched(switch)}
    return [
        card.id
        for card in cards
        for one, value in card.position.game.switches
        if one is switch
        and value != switch.default
        and (switch.name in card.position.game.changed_switches() or rules & {*card.rules})
    ]


def _only_by(switch: Switch) -> dict[str, list[str]]:
    """Return the values that not every engine knows, with the engines that do."""
    found = {value: ONLY_BY.get((switch.name, value)) for value in switch.values}
    return {value: sorted(names) for value, names in found.items() if names is not None}


def switch_data(switch: Switch, cards: Sequence[Card]) -> json_lists.Switch:
    """Return the JSON keys of a switch."""
    return {
        "name": switch.name,
        "values": list(switch.values),
        "default": switch.default,
        "why": switch.why,
        "rules": touched(switch),
        "only_by": _only_by(switch),
        "cards": deciding(switch, cards),
    }


def switch_text(switch: Switch, cards: Sequence[Card]) -> Iterator[str]:
    """Yield the lines of a switch: values, reason, rules, cards."""
    yield switch.name
    yield f"  Values: {_values(switch)}"
    yield f"  Reason: {switch.why}"
    yield f"  Rules: {', '.join(touched(switch))}"
    for value, names in _only_by(switch).items():
        yield f"  Engines: {value} is known to {', '.join(names)} alone"
    titles = {card.id: card.title for card in cards}
    yield from (f"  Card {name}: {titles[name]}" for name in deciding(switch, cards))


def switch_table(switches: Sequence[Switch], *, rules: bool) -> Iterator[str]:
    """Yield a table with a row for each switch: name, values, reason, perhaps rules.

    Args:
        switches: the switches, at least one.
        rules: whether to name the rules below each reason.

    """
    wide = columns()
    rows = [(switch.name, _values(switch), switch.why) for switch in switches]
    first = max(len(name) for name, _, _ in rows) + _GAP
    second = min(28, max(len(values) for _, values, _ in rows)) + _GAP
    narrow = wide < first + second + _LEAST
    for switch, (name, values, why) in zip(switches, rows, strict=True):
        told = " ".join(touched(switch)) if rules else ""
        if narrow:
            yield name
            for text in filter(None, (values, why, told)):
                yield from (f"    {line}" for line in _cut(text, wide - 4))
            continue
        left = _cut(values, second - _GAP)
        right = [*_cut(why, wide - first - second), *_cut(told, wide - first - second)]
        for index in range(max(len(left), len(right))):
            cells = [name if index == 0 else "", *(_at(column, index) for column in (left, right))]
            yield f"{cells[0]:{first}}{cells[1]:{second}}{cells[2]}".rstrip()


def _cut(text: str, wide: int) -> list[str]:
    """Return a text in lines; ids stay whole."""
    return wrap(text, wide, break_on_hyphens=False)


def _at(lines: Sequence[str], index: int) -> str:
    """Return a line of a column; nothing below its last one."""
    return lines[index] if index < len(lines) else ""


def _values(switch: Switch) -> str:
    """Return the values of a switch in words, the default first."""
    return ", ".join((f"{switch.default} (default)", *switch.values[1:]))
