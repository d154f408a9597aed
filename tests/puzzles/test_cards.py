"""Rule cards: every verdict holds, every rule and switch is shown, broken files are refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest

from burgrave.model.carcassonne.book import CARCASSONNE_BOOK
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.expansions.falcon import specials
from burgrave.model.expansions.falcon.aeries import AERIES_THERE, HAND_BACK
from burgrave.model.expansions.falcon.chapels import CHAPEL_PLACE
from burgrave.model.expansions.falcon.gates import STOP
from burgrave.model.expansions.inns.followers import BIG
from burgrave.model.expansions.tower.actions import PIECES, PLACES
from burgrave.model.expansions.tower.book import ACTIONS
from burgrave.model.expansions.tower.prisoners import CHOICE, MUTUAL, ONCE, PRICE, PRISONER, WINDOW
from burgrave.model.position import Position
from burgrave.model.registry import CASTLE
from burgrave.model.rule import Rule, Switch
from burgrave.model.rules.carcassonne import placement as plane_placement
from burgrave.model.rules.carcassonne import setup as plane_setup
from burgrave.model.rules.castle.final_tiles import END_ONCE, TILE_4, TILE_5, TILE_6, TILE_7
from burgrave.model.rules.castle.followers import DEPLOYMENT
from burgrave.model.rules.castle.placement import NONE, PLACEMENT
from burgrave.model.rules.castle.scoring import ORDER
from burgrave.model.rules.castle.setup import SETUP, TURN_ORDER
from burgrave.model.rules.castle.wall_tiles import HIDDEN, WALL_TILES
from burgrave.model.rules.index import RULES, SWITCHES
from burgrave.puzzles.cards.deck import cards, engines_for, run, select
from burgrave.puzzles.cards.files import Card, read_cards
from burgrave.puzzles.cards.questions import Check, Moves, Play
from tests.model.test_falcon_as_castle import with_falcon

FORBIDDING: tuple[Rule[..., object], ...] = (
    *PLACEMENT,
    *DEPLOYMENT,
    *WALL_TILES,
    NONE,
    TURN_ORDER,
    ORDER,
    HIDDEN,
    END_ONCE,
    TILE_4,
    TILE_5,
    TILE_6,
    TILE_7,
    *SETUP,
    CHAPEL_PLACE,
    specials.NOT_NOW,
    specials.ONCE,
    specials.SPECIALS,
    AERIES_THERE,
    HAND_BACK,
    STOP,
    *CARCASSONNE_BOOK.placement,
    *CARCASSONNE_BOOK.deployment,
    plane_placement.NONE,
    plane_setup.TURN_ORDER,
    *plane_setup.SETUP,
    *ACTIONS,
    PIECES,
    PLACES,
    MUTUAL,
    ONCE,
    WINDOW,
    PRISONER,
    PRICE,
    BIG,
    CHOICE,
)
"""The rules that can forbid a move, a use of wall tiles, or a position that a file can hold."""
BY_ID = {card.id: card for card in cards()}
ANSWERS = [(card.id, engine) for card in cards() for engine in engines_for(card)]


def forbids(card: Card) -> bool:
    """Tell whether the verdict of a card is that something breaks a rule."""
    return bool(card.expected.get("breaks"))


def with_switches_of(position: Position, other: Position) -> Position:
    """Return a position with the switches of another of the same game.

    Where a switch takes a rank out of the game, the supplies are those of the other.
    """
    values = {switch.name: value for switch, value in other.game.switches}
    game = replace(position.game.with_switches(values), edition=other.game.edition)
    players = position.players
    if game.specials != position.game.specials:
        pairs = zip(players, other.players, strict=False)
        players = tuple(replace(own, specials=theirs.specials) for own, theirs in pairs)
    return replace(position, game=game, players=players)


@pytest.mark.parametrize(("card_id", "engine"), ANSWERS)
def test_every_card_passes_on_every_engine_that_can_answer_it(card_id: str, engine: str) -> None:
    """The verdict of a card is what the engine says."""
    verdict = run(BY_ID[card_id], engine)
    assert verdict.got == verdict.expected
    assert verdict.passed


def test_points_of_a_turn_are_compared_with_each_engine() -> None:
    """A card about the points of a turn fails where an engine that lists turns ignores its rule."""
    for engine in ("cpsat", "state"):
        assert run(BY_ID["IN-01a"], engine).got == {"legal": True, "points": ["red 6"]}


CASTLE_CARDS = [card.id for card in cards() if card.position.game.id == CASTLE]


@pytest.mark.parametrize("card_id", CASTLE_CARDS)
def test_a_card_of_the_castle_holds_with_the_falcon_on(card_id: str) -> None:
    """With none of its tiles and pieces there the expansion changes no verdict."""
    card = BY_ID[card_id]
    # Twice a keep of the whole castle is more than a file can say.
    game = with_falcon(card.position.game, Random(card_id))
    game = game.with_switches({"king_doubles_keep": "off"})
    verdict = run(replace(card, position=replace(card.position, game=game)), "reference")
    assert verdict.got == verdict.expected


def test_all_92_cards_of_the_castle_are_there() -> None:
    """CA-01 to CA-92 each have at least one case."""
    numbers = {card.id[:5] for card in cards() if card.id.startswith("CA-")}
    assert numbers == {f"CA-{number:02}" for number in range(1, 93)}


def test_all_36_cards_of_the_falcon_are_there() -> None:
    """FA-01 to FA-36 each have at least one case."""
    numbers = {card.id[:5] for card in cards() if card.id.startswith("FA-")}
    assert numbers == {f"FA-{number:02}" for number in range(1, 37)}


def test_the_cards_of_carcassonne_and_the_tower_are_there() -> None:
    """BC-01 to BC-41 and TC-01 to TC-65, but for those about pieces of other expansions.

    TC-36 and TC-62 to TC-64 need a big follower, a builder, a dragon and a double turn.
    """
    numbers = {card.id[:5] for card in cards()}
    assert {f"BC-{number:02}" for number in range(1, 42)} <= numbers
    tower = {f"TC-{number:02}" for number in range(1, 66)}
    assert tower - numbers == {"TC-36", "TC-62", "TC-63", "TC-64"}


def test_the_verdicts_of_one_card_are_lettered_from_a() -> None:
    """A card with one verdict has no letter; with several the letters run from a without gap."""
    letters: dict[str, list[str]] = {}
    for card in cards():
        letters.setdefault(card.id[:5], []).append(card.id[5:])
    wanted = {
        number: [""] if len(found) == 1 else list("abcdefgh"[: len(found)])
        for number, found in letters.items()
    }
    assert letters == wanted, "a second verdict letters the first: IN-01 becomes IN-01a and IN-01b"


@pytest.mark.every_case
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_is_shown_at_work_or_kept(rule: Rule[..., object]) -> None:
    """Each rule has a card on which nothing breaks it."""
    shown = [card.id for card in cards() if rule.id in card.rules and not forbids(card)]
    assert shown, f"puzzles/cards needs a card that passes and has {rule.id} among its rules"


@pytest.mark.parametrize("rule", FORBIDDING, ids=lambda rule: rule.id)
def test_every_rule_that_can_forbid_is_shown_broken(rule: Rule[..., object]) -> None:
    """Each rule that can forbid something has a card that breaks it."""
    assert [card.id for card in cards() if rule.id in card.expected.get("breaks", ())]


def test_what_breaks_a_card_is_among_the_rules_it_names() -> None:
    """The rules that a verdict says are broken are rules that the card names."""
    for card in cards():
        assert set(card.expected.get("breaks", ())) <= set(card.rules), card.id


def test_no_rule_outside_the_list_is_ever_broken() -> None:
    """The list of rules that can forbid is complete as far as the cards go."""
    broken = {rule for card in cards() for rule in card.expected.get("breaks", ())}
    assert broken <= {rule.id for rule in FORBIDDING}


def differing(one: Card, other: Card) -> set[str]:
    """Return the names of the switches that have different values in two cards of one game."""
    values = dict(one.position.game.switches)
    return {s.name for s, value in other.position.game.switches if values.get(s) != value}


@cache
def decided_by() -> dict[str, list[tuple[Card, Card]]]:
    """Return by switch the pairs of cards that differ in it alone and have different verdicts.

    The first card of a pair has the default.
    """
    found: dict[str, list[tuple[Card, Card]]] = {}
    for one, other in permutations(cards(), 2):
        if one.position.game.id != other.position.game.id or one.expected == other.expected:
            continue
        if len(apart := differing(one, other)) != 1 or one.question != other.question:
            continue
        if one.position == with_switches_of(other.position, one.position):
            (name,) = apart
            switch = next(switch for switch in SWITCHES if switch.name == name)
            if one.position.game.value(switch) == switch.default:
                found.setdefault(name, []).append((one, other))
    return found


@pytest.mark.every_case
@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_every_switch_decides_a_pair_of_cards(switch: Switch) -> None:
    """Two cards differ in the switch alone and have different verdicts.

    Of each such pair a card cites a rule that names the switch: ``burgrave rules`` shows it.
    """
    decided = decided_by().get(switch.name)
    assert decided, (
        f"puzzles/cards needs a card and a variant of it with switches = {{ {switch.name} = ... }}"
        " and another verdict"
    )
    touched = {rule.id for rule in RULES if switch in rule.switches}
    assert not [
        (one.id, other.id) for one, other in decided if not touched & {*one.rules, *other.rules}
    ]


def test_the_switches_of_the_other_two_values_are_shown_too() -> None:
    """The one switch with three values has a card for each."""
    values = {
        value
        for card in cards()
        for name, value in card.position.game.changed_switches().items()
        if name == "start_space_paths_bind"
    }
    assert values == {"off", "both"}


WRONG: dict[str, Any] = {
    "legal": lambda value: not value,
    "possible": lambda value: not value,
    "complete": lambda value: not value,
    "over": lambda value: not value,
    "extra_turn": lambda value: not value,
    "to_move": lambda value: "black" if value != "black" else "white",
    "winner": lambda value: "draw" if value != "draw" else "white",
    "kind": lambda value: "court" if value != "court" else "path",
    "breaks": lambda value: [*value, "castle.place.free"],
    "cites": lambda value: [*value, "castle.setup.players"],
    "at_gate": lambda value: [not one for one in value],
}
"""For the keys of verdicts a value that is wrong; lists and numbers get one more."""


def wrong(key: str, value: Any) -> Any:
    """Return another value than the right one."""
    if key in WRONG:
        return WRONG[key](value)
    return [*value, "more"] if isinstance(value, list) else value + 1


@pytest.mark.parametrize("card_id", BY_ID)
def test_a_wrong_expectation_fails(card_id: str) -> None:
    """Whatever single key of a verdict is changed, the card no longer passes."""
    card = BY_ID[card_id]
    for key, value in card.expected.items():
        broken = replace(card, expected={**card.expected, key: wrong(key, value)})
        assert not run(broken).passed, key


@pytest.mark.parametrize("engine", ["cpsat", "state"])
@pytest.mark.parametrize("card_id", ["CA-04", "CA-08a", "CA-29", "CA-55a", "CA-15a"])
def test_a_wrong_expectation_fails_on_the_other_engines(card_id: str, engine: str) -> None:
    """An engine that lists moves notices a wrong verdict on legality."""
    card = BY_ID[card_id]
    key = "moves" if isinstance(card.question, Moves) else "legal"
    broken = replace(card, expected={**card.expected, key: wrong(key, card.expected[key])})
    assert not run(broken, engine).passed


def test_cpsat_notices_wrong_points() -> None:
    """CP-SAT answers for the scores of a card too."""
    card = BY_ID["CA-53"]
    broken = replace(card, expected={**card.expected, "scores": [8, 0]})
    verdict = run(broken, "cpsat")
    assert (verdict.passed, verdict.got["scores"]) == (False, [16, 0])


def test_verdicts_are_plain_values_with_the_same_keys() -> None:
    """Expected and got can be written as JSON and laid side by side."""
    for card in cards():
        verdict = run(card)
        assert list(verdict.expected) == list(verdict.got), card.id
        assert json.loads(json.dumps(verdict.got)) == verdict.got, card.id


def test_an_illegal_move_is_a_verdict_not_an_error() -> None:
    """A card that expects points of an illegal move fails and says which rule is broken."""
    card = BY_ID["CA-55a"]
    verdict = run(replace(card, expected={"legal": True, "breaks": [], "scores": [16, 0]}))
    assert verdict.got == {"legal": False, "breaks": ["castle.wall.stack"], "scores": None}


def test_most_cards_of_a_turn_have_three_engines() -> None:
    """Those on wording, a hidden number, half a cell or a rare switch have the reference alone."""
    alone = {
        card.id
        for card in cards()
        if isinstance(card.question, Check | Play | Moves)
        and len(engines_for(card)) == 1
        and not card.position.game.board.endless
    }
    by_rules = {"FA-02d", "FX-23b", "FX-24"}
    assert alone == {"CA-44b", "CX-37", "CX-39", "CX-70", "RB-06"} | by_rules


def test_an_engine_that_cannot_answer_a_card_says_so() -> None:
    """Final scoring is no question for an engine that lists moves."""
    with pytest.raises(QuestionError, match="'state' cannot answer CA-61"):
        run(BY_ID["CA-61"], "state")


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (["ca-36"], ["CA-36a", "CA-36b"]),
        (["CA-53", "ca-29"], ["CA-29", "CA-53"]),
        (["castle.path.square"], ["CA-71", "CA-72", "CX-25", "CX-26", "RB-01", "RB-02", "RB-08"]),
    ],
)
def test_cards_are_chosen_by_id_or_rule(filters: list[str], found: list[str]) -> None:
    """A filter is the beginning of a card's id, or a rule, in any case."""
    assert [card.id for card in select(filters)] == found


def test_a_family_of_rules_chooses_its_cards_and_no_filter_chooses_all() -> None:
    """``castle.place`` names every card that rests on a rule of placement."""
    family = select(["castle.place"])
    assert all(any(r.startswith("castle.place.") for r in card.rules) for card in family)
    assert len(family) > len(select(["castle.place.first"]))
    assert select([]) == cards()


def test_a_filter_without_a_card_is_an_error() -> None:
    """A misspelled filter does not pass for a success."""
    with pytest.raises(QuestionError, match=r"castle\.plac"):
        select(["castle.plac"])


CARD = """
burgrave = 1
type = "cards"
title = "one"
kinds = [{ id = "plain", segments = ["court N E S W"] }]
[[check]]
id = "CX-90"
title = "a tile"
rules = ["castle.place.first"]
source = "nowhere"
position.order = ["plain"]
move = "plain@0,2"
expect = { legal = true }
"""
VARIANT = """expect = {{ legal = true }}
[[check.variant]]
id = "{id}"
title = "the same"
switches = {{ double_once = "{value}" }}
expect = {{}}
"""


def test_a_file_of_cards_is_read() -> None:
    """The model of all broken files below is sound."""
    (card,) = read_cards("one.toml", CARD)
    assert (card.id, card.question, card.expected) == (
        "CX-90",
        Check(move="plain@0,2"),
        {"legal": True, "breaks": []},
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('type = "cards"', 'type = "position"', "type: found 'position', expected 'cards'"),
        ('id = "CX-90"', 'id = "X"', "check[0].id: "),
        ('title = "a tile"', "", "check[0].title: is missing"),
        ('move = "plain@0,2"', 'moves = "plain@0,2"', "check[0].moves: no such key"),
        ('"castle.place.first"', '"castle.place.last"', "check[0].rules[0]: there is no rule"),
        ("legal = true", "legal = false", "check[0].expect: what is illegal names"),
        ("legal = true", "legl = true", "check[0].expect.legl: no such key"),
        (
            "legal = true",
            'legal = false, breaks = ["castle.place"]',
            "check[0].expect.breaks[0]: there is no rule",
        ),
        ('["plain"]', '["fancy"]', "check[0].position.order[0]: the set castle has no tile"),
        (
            "position.order",
            'position.board = ["plain@3,3"]\nposition.order',
            "check[0].position.board[0]: no way of full sides",
        ),
        (
            "expect = { legal = true }",
            VARIANT.format(id="CX-91", value="never"),
            "check[0].variant[0].switches.double_once: found 'never'",
        ),
        (
            "expect = { legal = true }",
            VARIANT.format(id="CX-90", value="off"),
            "check[0].variant[0].id: CX-90 is there already",
        ),
    ],
)
def test_a_broken_file_is_refused_with_file_and_place(old: str, new: str, problem: str) -> None:
    """The error names the file and the key, with its place in the lists."""
    assert old in CARD
    with pytest.raises(FileError, match=re.escape(problem)) as caught:
        read_cards("one.toml", CARD.replace(old, new))
    assert all(line.startswith("one.toml: ") for line in str(caught.value).splitlines())
