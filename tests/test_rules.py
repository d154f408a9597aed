"""Every rule can be found: id, address, text, source, cases, switches."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from burgrave.model.registry import BASES, EXPANSIONS
from burgrave.model.rule import Rule
from burgrave.model.rules.index import RULES, SWITCHES

ROOT = Path(__file__).parents[1]
PACKAGES = ("model", "solver", "puzzles", "cli", "burgrave")
MOST_LINES = 500
PARTS = "|".join((*BASES, *EXPANSIONS))
"""The first word of an id: the base or the expansion that brings the rule."""
ID = re.compile(rf"({PARTS})(\.[a-z0-9-]+)+")

Rules = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
AnyRule = Rule[..., object]
pytestmark = pytest.mark.every_case


@cache
def code() -> dict[Path, str]:
    """Return all Python files of the four packages with their text."""
    files = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {path: path.read_text(encoding="utf-8") for path in files}


@cache
def addresses() -> dict[str, str]:
    """Return the table of docs/reference/rules.md: file by id or, with a star, by prefix."""
    text = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(
        rf"^\|\s*`((?:{PARTS})\.[^`]+)`\s*\|\s*`([^`]+\.py)`",
        text,
        re.MULTILINE,
    )
    table = dict(rows)
    assert len(table) == len(rows) > 0, "a row stands twice"
    return table


def row_of(rule_id: str) -> str:
    """Return the row that an id belongs to: its own, or the longest prefix."""
    fitting = [
        row
        for row in addresses()
        if rule_id == row.removesuffix(".*") or (row.endswith("*") and rule_id.startswith(row[:-1]))
    ]
    assert fitting, f"docs/reference/rules.md has no row for {rule_id}"
    return max(fitting, key=lambda row: (row == rule_id, len(row)))


def test_ids_are_unique() -> None:
    """No two rules have the same id, and all ids are of the same form."""
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    assert [each for each in ids if not ID.fullmatch(each)] == []


def test_every_rule_stands_in_the_table_of_its_game() -> None:
    """Every rule that some module defines is in the list of rules of a game."""
    defined = [
        found for text in code().values() for found in re.findall(r"@rule\(\s*\"([^\"]+)\"", text)
    ]
    assert sorted(defined) == sorted(rule.id for rule in RULES)


@Rules
def test_a_rule_id_stands_once_in_the_code(rule: AnyRule) -> None:
    """The id is a string in one place: where the rule is enforced."""
    hits = [
        str(path.relative_to(ROOT))
        for path, text in code().items()
        for quote in "\"'"
        for _ in range(text.count(f"{quote}{rule.id}{quote}"))
    ]
    assert hits == [str(Path(rule.place()[0]).resolve().relative_to(ROOT))]


@Rules
def test_a_rule_id_is_its_address(rule: AnyRule) -> None:
    """The file that enforces a rule is the one that docs/reference/rules.md names for its id."""
    path, line = rule.place()
    assert str(Path(path).resolve().relative_to(ROOT)) == addresses()[row_of(rule.id)]
    text = Path(path).read_text(encoding="utf-8").splitlines()
    assert text[line - 1].startswith("@rule(")


def test_every_row_of_the_table_is_needed() -> None:
    """No row of the table is without a rule."""
    assert {row_of(rule.id) for rule in RULES} == set(addresses())


@Rules
def test_a_rule_says_what_it_is(rule: AnyRule) -> None:
    """The text is one sentence, perhaps more, one case that passes and one that fails."""
    lines = rule.text.splitlines()
    assert re.fullmatch(r"[A-Z0-9].*[.:]", rule.sentence), rule.sentence
    assert lines[1:2] in ([], [""]), "the first line is a sentence of its own"
    for word in ("Passes: ", "Fails: "):
        found = [line for line in lines if line.startswith(word)]
        assert len(found) == 1, f"the docstring of {rule.id} needs one line '{word}'"
        assert len(found[0]) > len(word)
    assert lines.index(next(line for line in lines if line.startswith("Passes: "))) < lines.index(
        next(line for line in lines if line.startswith("Fails: "))
    )
    assert rule.source
    assert "rule" in rule.source.lower()


@Rules
def test_a_source_names_publisher_and_year(rule: AnyRule) -> None:
    """Whoever doubts a rule can find the text: who printed it, and when."""
    publisher = re.search(r"Rio Grande Games|Hans im Glück|WikiCarpedia", rule.source)
    assert publisher, f"{rule.id} has the source {rule.source!r}: name its publisher, as others do"
    year = re.search(r"\b20\d\d\b", rule.source)
    assert year, f"{rule.id} has the source {rule.source!r}: name its year, as others do"


def test_later_rules_on_farms_cite_their_own_editions() -> None:
    """The first edition scores by cities; what scores by fields is cited as later."""
    edition = {
        rule.id: re.findall(r"(\w+) edition", rule.source)
        for rule in RULES
        if rule.id.startswith("carcassonne.farm.")
    }
    assert edition == {
        "carcassonne.farm.adjacent": ["first"],
        "carcassonne.farm.city4": ["first"],
        "carcassonne.farm.field3-once": ["second"],
        "carcassonne.farm.field3": ["third"],
    }


@pytest.mark.parametrize(
    "rule_id",
    [
        "castle.feature.connect",
        "castle.feature.single",
        "castle.wall.end-once",
        "castle.end.winner",
        "falcon.gates.size",
        "falcon.chapel.place",
        "falcon.chapel.complete",
    ],
)
def test_what_no_text_says_is_called_inferred(rule_id: str) -> None:
    """A rule that is read out of others says so where its source stands."""
    (source,) = (rule.source for rule in RULES if rule.id == rule_id)
    assert "inferred" in source


@Rules
def test_the_switches_of_a_rule_are_known(rule: AnyRule) -> None:
    """A rule depends on switches of the game only, and its text names no other."""
    assert set(rule.switches) <= set(SWITCHES)
    names = {switch.name for switch in SWITCHES}
    named = set(re.findall(r"``([a-z0-9_]+)``", rule.text)) & names
    assert len(rule.switches) == len(set(rule.switches))
    assert named <= {switch.name for switch in rule.switches}


def test_every_switch_belongs_to_a_rule() -> None:
    """Every switch is read by the engine, and some rule names it."""
    attached = {switch for rule in RULES for switch in rule.switches}
    assert [switch.name for switch in SWITCHES if switch not in attached] == []
    used = "\n".join(
        text for path, text in code().items() if path.relative_to(ROOT).parts[0] == "model"
    )
    for switch in SWITCHES:
        constant = switch.name.upper()
        assert re.search(rf"value\(\s*{constant}\s*\)", used) or re.search(
            rf"(if|else) {constant}\b", used
        ), switch.name
        assert switch.why
        assert len(set(switch.values)) == len(switch.values) > 1


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=str(path.relative_to(ROOT))) for path in code()],
)
def test_a_file_is_small_and_says_what_it_is_for(path: Path) -> None:
    """A module has at most 500 lines and begins with a sentence about itself."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    docstring = ast.get_docstring(ast.parse(text)) or ""
    first = docstring.split("\n\n", maxsplit=1)[0]
    if path.name != "__init__.py" or text.strip():
        assert re.fullmatch(r"[A-Z`](.|\n)*[.:]", first), "no sentence says what the file is for"
