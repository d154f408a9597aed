"""A rule in words and as JSON."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burgrave.cli.render.glyphs import ASCII, Glyphs
from burgrave.cli.render.plane import table
from burgrave.cli.render.switches import switch_table
from burgrave.model.files.paths import ROOMS
from burgrave.model.rule import Rule, Switch
from burgrave.puzzles.cards.files import Card

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

AnyRule = Rule[..., object]
_ID_WIDTH = 26
"""Columns of the ids in the list of rules."""
_MOST_LINES = 24
"""Lines of a card's picture beside a rule."""
_NEAREST = 8
"""Rules that answer a question in people's words at most."""
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|s)$")
"""What a word may end with in a question and not in a rule."""
_INDENT = 4
"""Columns before the picture."""


def family(wanted: str, rules: Sequence[AnyRule]) -> list[AnyRule]:
    """Return the rule of an id, or all rules whose ids begin with its parts.

    The id of a game with an expansion, ``castle+falcon``, names the rules of both.
    """
    starts = tuple(f"{part}." for part in wanted.lower().rstrip(".*").split("+"))
    return [rule for rule in rules if f"{rule.id}.".startswith(starts)]


def found_rules(
    wanted: str, rules: Sequence[AnyRule], cards: Sequence[Card]
) -> tuple[list[AnyRule], Card | None]:
    """Return the rules that are looked for, and the card that is named if one is.

    Args:
        wanted: the id of a rule, of a family of rules or of a card, or words of texts, in any
            case; all rules if it is empty.
        rules: the rules to search.
        cards: the cards; each belongs to the rules that it cites.

    """
    if not wanted:
        return [*rules], None
    for card in cards:
        if card.id.lower() == wanted.lower():
            return [rule for rule in rules if rule.id in card.rules], card
    found = family(wanted, rules) or speaking(wanted, rules, cards)
    return found or nearest(wanted, rules, cards), None


def found_switches(
    wanted: str, switches: Sequence[Switch], rules: Sequence[AnyRule]
) -> list[Switch]:
    """Return the switch of a name, those of a family of rules, or those whose texts have a word.

    Args:
        wanted: a name, the id of a game, rule or family of rules, or a word; all if it is empty.
        switches: the switches to search.
        rules: the rules; each names the switches on which it depends.

    """
    named = [switch for switch in switches if switch.name == wanted]
    ruled = {switch for rule in family(wanted, rules) for switch in rule.switches}
    return named or [
        switch
        for switch in switches
        if (switch in ruled if ruled else wanted in f"{switch.name} {switch.why}".lower())
    ]


def speaking(words: str, rules: Sequence[AnyRule], cards: Sequence[Card]) -> list[AnyRule]:
    """Return the rules whose text, or the title of a card of theirs, has all of some words.

    Those whose id and first sentence have them come first.

    Args:
        words: words or beginnings of words, in any case.
        rules: the rules to search.
        cards: the cards; each belongs to the rules that it cites.

    """
    wanted = [_beginning(word) for word in words.split()]
    told = _texts(rules, cards)

    def said(texts: Iterable[str]) -> bool:
        return any(all(word.search(text) for word in wanted) for text in texts)

    found = [rule for rule in rules if said(told[rule.id])]
    return sorted(found, key=lambda rule: not said([_main(rule)]))


def nearest(words: str, rules: Sequence[AnyRule], cards: Sequence[Card]) -> list[AnyRule]:
    """Return the rules that speak of most of what people ask in their own words, the best first.

    An id that is not right is no question, nor is one word unless people are known to say it.

    Args:
        words: a question or some words, as "can I place a meeple on a finished town".
        rules: the rules to search.
        cards: the cards; each belongs to the rules that it cites.

    """
    if " " not in words.strip() and words.strip().lower() not in people_words()["words"]:
        return []
    wanted = [_beginning(word) for word in _meant(words)]
    told = _texts(rules, cards)

    def worth(rule: AnyRule) -> tuple[int, int]:
        """Return in how many words a text of the rule agrees, and its id and its sentence."""
        most = max(sum(bool(word.search(text)) for word in wanted) for text in told[rule.id])
        return most, sum(len(word.findall(_main(rule))) for word in wanted)

    found = {rule.id: worth(rule) for rule in rules}
    most = max((agreed for agreed, _ in found.values()), default=0)
    if not most:
        return []
    best = [rule for rule in rules if found[rule.id][0] == most]
    return sorted(best, key=lambda rule: -found[rule.id][1])[:_NEAREST]


@cache
def people_words() -> dict[str, Any]:
    """Return the ``words`` of people with those of the rules, and ``fillers``, which mean none."""
    file = resources.files("burgrave.cli.render") / "synonyms.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _meant(words: str) -> list[str]:
    """Return the beginnings of words of the rules that people mean."""
    known = people_words()
    asked = (word for word in re.findall(r"[\w-]+", words.lower()) if word not in known["fillers"])
    return [_ENDING.sub("", known["words"].get(word, word)) for word in asked]


def _beginning(word: str) -> re.Pattern[str]:
    """Return the pattern of words that begin with a text, in any case."""
    return re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)


def _main(rule: AnyRule) -> str:
    """Return the words of a rule's id and its first sentence."""
    return f"{rule.id.replace('.', ' ')} {rule.sentence}"


def _texts(rules: Sequence[AnyRule], cards: Sequence[Card]) -> dict[str, list[str]]:
    """Return the texts in which rules are looked for, by id: their own, and their cards' titles."""
    told = {rule.id: [rule.text] for rule in rules}
    for card in cards:
        for rule_id in card.rules:
            told.setdefault(rule_id, []).append(card.title)
    return told


def words(rules: Sequence[AnyRule]) -> list[str]:
    """Return the words of the texts of rules that a mistyped word may stand for."""
    return sorted({word for rule in rules for word in re.findall(r"[a-z]{5,}", rule.text.lower())})


def rule_data(rule: AnyRule, cards: Sequence[Card]) -> json_lists.Rule:
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
    return Path(path).relative_to(ROOMS).as_posix(), line


def rule_lines(rule: AnyRule) -> Iterator[str]:
    """Yield a rule's line in a list: its id and sentence, then its switches if it has any."""
    yield f"{rule.id:{_ID_WIDTH}} {rule.sentence}"
    if rule.switches:
        label = "switch" if len(rule.switches) == 1 else "switches"
        names = ", ".join(switch.name for switch in rule.switches)
        yield f"{'':{_ID_WIDTH}} {label}: {names}"


def shown_card(rules: Sequence[AnyRule], cards: Sequence[Card], wide: int) -> Card | None:
    """Return the card with most tiles that shows some rules and fits on a terminal.

    Args:
        rules: the rules; the card shows them all.
        cards: the cards to choose from.
        wide: columns that its picture may fill.

    """
    wanted = {rule.id for rule in rules}
    shown = [card for card in cards if wanted <= {*card.rules} and card.position.tiles]
    for card in sorted(shown, key=lambda card: -len(card.position.tiles)):
        drawn = table(card.position, ASCII).lines(colour=False)
        if max(map(len, drawn)) + _INDENT <= wide and len(drawn) <= _MOST_LINES:
            return card
    return None


def card_picture(card: Card, glyphs: Glyphs) -> Iterator[str]:
    """Yield the lines of a card's position; what lies beside the tiles is left out."""
    lines = table(card.position, glyphs).lines(colour=False)
    yield f"  Position of card {card.id}; all of it: burgrave draw {card.id}"
    yield from (f"{'':{_INDENT}}{line}".rstrip() for line in lines)


def card_text(card: Card) -> Iterator[str]:
    """Yield the lines of a card: its situation and where the rules decide it."""
    yield f"{card.id}: {card.title}"
    yield f"  Source: {card.source}"


def rule_text(rule: AnyRule, cards: Sequence[Card]) -> Iterator[str]:
    """Yield the lines of a rule: text, source, switches, place, cards."""
    yield rule.id
    # Marks in the source set off the names of switches; a terminal does not need them.
    yield from (f"  {line}".rstrip() for line in rule.text.replace("``", "").splitlines())
    yield f"  Source: {rule.source}"
    if rule.switches:
        yield "  Switches:"
        yield from (f"    {line}" for line in switch_table(rule.switches, rules=False))
    file, line = _place(rule)
    yield f"  Enforced in {file}, line {line}"
    for card in cards:
        if rule.id in card.rules:
            yield f"  Card {card.id}: {card.title}"
