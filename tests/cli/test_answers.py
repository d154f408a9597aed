"""The published schemas of ``--json`` describe what the commands really print."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator

from burgrave.cli.answers import ANSWERS, answer_schema
from burgrave.cli.app import app
from tests.cli.conftest import Burgrave

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

LINES: dict[str, tuple[str, ...]] = {
    "new": ("castle --seed 1", "carcassonne+tower --unknown"),
    "draw": ("castle-04", "castle-04 --line", "castle-04 -o board.svg"),
    "check": ("castle-04", "castle-04 K35@3,4r0", "castle-04 K35@0,0r1", "two-farms.jcz --at 2"),
    "moves": ("castle-04", "castle-04 --count"),
    "fits": ("castle-04", "castle-04 --cell 1,9"),
    "play": ("two-ways.toml Cap@3,6r3", "two-ways.toml Cap@0,0r0"),
    "score": ("castle-04", "falcon-02", "the-corner-of-the-city", "two-farms.jcz --at 4", "CA-69"),
    "best": ("two-ways.toml", "falcon-02 --engine reference", "market-day --ahead 1"),
    "force": ("market-day", "market-day --nodes 1"),
    "win": ("market-day",),
    "expect": ("not-knowing-what-comes --nodes 1",),
    "evaluate": ("castle-04 --no-proof --playouts 50", "castle-01"),
    "batch": ("force positions.jsonl", "best positions.jsonl", "evaluate one.jsonl"),
    "max": ("castle-04 --nodes 1",),
    "count": ("castle-04", "market-day --best force", "castle-04 --depth 2 --nodes 1"),
    "why": ("castle-04 --cell 6,0", "castle-04"),
    "puzzles": ("castle 1-2", "--sets", "some --add market-day", "castle best -o some.jsonl"),
    "solve": ("to-the-door.toml", "to-the-door.toml --certify"),
    "quiz": ("castle-04 --count 3",),
    "generate": ("--rule carcassonne.place.edge -o some.jsonl",),
    "compose": ("to-the-door.toml", "two-ways.toml --question best"),
    "booklet": ("market-day -o some.html",),
    "rules": ("", "castle.keep -o card.svg"),
    "switches": ("",),
    "verify": ("CA-69",),
    "replay": ("three-turns.toml", "three-turns.toml --at 2", "two-farms.jcz"),
    "review": ("two-farms.jcz --playouts 100",),
    "practise": ("castle-04 --level 1", "castle-01 --level 3"),
    "import": ("two-farms.jcz", "two-farms.jcz --at 2"),
    "export": ("two-farms.jcz --to carcassonnelab", "two-farms.jcz --to jcloisterzone"),
    "positions": ("",),
    "schema": ("", "best"),
    "warm": ("",),
    "serve": ("castle-04 --no-browser --port 0",),
    "publish": ("site a-house-at-the-end-of-the-path",),
    "tiles check": ("doors.toml",),
    "tiles show": ("castle", "castle -o tiles.svg"),
    "tiles list": ("",),
}
"""For each command, arguments with which it prints every kind of answer."""


def strict(schema: Any) -> Any:
    """Return a schema that allows no keys beyond those it names."""
    if isinstance(schema, dict):
        closed = {key: strict(value) for key, value in schema.items()}
        return {**closed, "additionalProperties": False} if "properties" in schema else closed
    return [*map(strict, schema)] if isinstance(schema, list) else schema


def test_every_command_has_an_answer_and_an_example() -> None:
    """Those of the program and those of ``tiles``."""
    root: Any = typer.main.get_command(app)
    names = {*root.commands} - {"tiles"}
    names |= {f"tiles {name}" for name in root.commands["tiles"].commands}
    assert set(ANSWERS) == set(LINES) == names


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, lines in LINES.items() for line in lines]
)
def test_the_schema_of_a_command_describes_its_answer(
    burgrave: Burgrave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: str
) -> None:
    """Every key that is printed is named, and every key that is promised is printed."""
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "examples"))
    Path("one.jsonl").write_text("castle-04\n", encoding="utf-8")
    monkeypatch.setattr("burgrave.cli.serve.server.run", lambda *_, **__: None)
    monkeypatch.setattr("burgrave.cli.publish.site.cases", tuple)  # whose pictures take seconds
    answer = burgrave(*name.split(), *line.split(), "--json")
    assert answer.code in {0, 1, 3}, answer.err
    schema = burgrave("schema", *name.split()).data
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(strict(schema))
    # The schema of ``batch`` is that of each line.
    for told in answer.out.splitlines() if name == "batch" else (answer.out,):
        validator.validate(json.loads(told))


def test_a_schema_refuses_another_answer() -> None:
    """What one command prints is no answer of another, so that the schemas say something."""
    validator = Draft202012Validator(answer_schema(["check"]))
    assert validator.is_valid({"legal": True, "move": None, "violations": [], "notes": []})
    for wrong in ({"legal": 1}, {"count": 3}, [], {"legal": True, "move": None, "notes": []}):
        assert not validator.is_valid(wrong)


def test_schema_of_all_answers_and_of_none(burgrave: Burgrave) -> None:
    """``answers`` holds one variant for each command; a mistyped one is suggested."""
    variants = burgrave("schema", "answers").data["anyOf"]
    assert [one["title"] for one in variants] == [f"burgrave {name} --json" for name in ANSWERS]
    told = burgrave("schema", "bset")
    assert (told.code, "Did you mean best?" in told.err) == (2, True)
