"""Rules and their cards, in words and as pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.deck import cards
from tests.cli.conftest import Burgrave


def test_a_rule_shows_its_switches_as_a_table_and_a_card_as_a_picture(burgrave: Burgrave) -> None:
    """The picture is that of draw without what lies around it."""
    text = burgrave("rules", "castle.keep").out
    assert "  Switches:\n    start_space_in_keep  on (default), off  a start space counts" in text
    assert "``" not in text
    _, _, picture = text.partition("Position of card ")
    drawn = [line for line in picture.splitlines()[1:] if "^" in line]
    assert len(drawn) >= 2
    assert burgrave("rules", "castle.keep", "--ascii").out.isascii()


def test_a_card_shows_its_situation_rules_and_picture(burgrave: Burgrave) -> None:
    """In any case; the rules are those that it cites."""
    card = next(card for card in cards() if card.id == "CA-54")
    assert [rule["id"] for rule in burgrave("rules", "CA-54", "--json").data] == [
        rule.id for rule in RULES if rule.id in card.rules
    ]
    text = burgrave("rules", "ca-54").out
    assert text.startswith(f"CA-54: {card.title}\n")
    assert all(rule in text for rule in card.rules)
    assert "Position of card CA-54" in text


@pytest.mark.parametrize(("wanted", "card"), [("CA-54", "CA-54"), ("castle.keep", "RB-14")])
def test_the_picture_of_a_card_is_written_as_svg(
    burgrave: Burgrave, tmp_path: Path, wanted: str, card: str
) -> None:
    """That of a card, or of the card that a rule shows."""
    target = tmp_path / "card.svg"
    assert burgrave("rules", wanted, "-o", str(target)).code == 0
    drawn = tmp_path / "drawn.svg"
    assert burgrave("draw", card, "-o", str(drawn)).code == 0
    assert target.read_text() == drawn.read_text()
    family = burgrave("rules", "castle.place", "-o", str(tmp_path / "no.svg"))
    assert (family.code, "name one rule or card" in family.err) == (2, True)
    assert not (tmp_path / "no.svg").exists()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("can I place a follower on a completed city", "carcassonne.follower.completed"),
        ("farmers on the same field", "carcassonne.farm."),
        ("pennant", "carcassonne.city.score"),
        ("monastery", "carcassonne.cloister.complete"),
    ],
)
def test_rules_are_found_in_words_of_people(burgrave: Burgrave, words: str, first: str) -> None:
    """What the rules say in other words is found too, among the first."""
    told = [line for line in burgrave("rules", words).out.splitlines() if not line.startswith(" ")]
    assert first in " ".join(told[:3])


def test_rules_that_mention_a_word_follow_those_about_it(burgrave: Burgrave) -> None:
    """A rule whose first sentence has the word comes before one whose card has it."""
    told = burgrave("rules", "cathedral").out.splitlines()
    rules = [line.split()[0] for line in told if not line.startswith(" ")]
    assert rules[:2] == ["inns.city.score", "inns.city.end"]
    assert "carcassonne.place.edge" in rules[2:]
