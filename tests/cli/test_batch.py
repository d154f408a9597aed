"""``burgrave batch``: lines in, lines out, in order; bad lines do not end it; a run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import burgrave as api
from burgrave.model.files.positions import position_data
from tests.cli.conftest import Burgrave

IDS = ("eight-points-or-six", "castle-04", "castle-01")


def rows(text: str) -> list[dict[str, Any]]:
    """Return the rows of an output."""
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("question", ["force", "best", "win", "expect"])
def test_the_answers_are_those_of_the_command(burgrave: Burgrave, question: str) -> None:
    """In the order of the lines, one JSON object each."""
    answer = burgrave("batch", question, "-", text="".join(f"{name}\n" for name in IDS))
    assert answer.code == 0
    found = rows(answer.out)
    assert [row["number"] for row in found] == [1, 2, 3]
    for row, name in zip(found, IDS, strict=True):
        alone = burgrave(question, name, "--json").data
        same = alone.keys() - {"seconds", "nodes", "moves", "complete", "confirmed"}
        assert {key: row[key] for key in same} == {key: alone[key] for key in same}
        assert row["moves"][0] in alone["moves"]


def test_an_estimate_is_an_answer(burgrave: Burgrave) -> None:
    """``evaluate`` takes the same lines."""
    answer = burgrave("batch", "evaluate", "-", text="castle-04\n")
    assert answer.code == 0
    assert rows(answer.out)[0]["status"] == "proved"


def test_a_bad_line_gets_its_message_and_the_others_their_answer(burgrave: Burgrave) -> None:
    """The exit code says that some line was refused."""
    at = api.load("castle-04")
    lines = [
        "castle-99",
        json.dumps({"position": api.write_line(at), "id": "mine"}),
        json.dumps({"position": {"burgrave": 1, "type": "position", **position_data(at)}}),
        '{"position": 3}',
        '{"tile": "K01"}',
        '{"position": "castle-04", "tle": "K01"}',
        '{"position": "castle-04", "tile": 3}',
        '{"position": "castle-04", "tile": "K01"}',
        "[1, 2]",
        "{",
        "-",
        "",
        '"castle-04"',
    ]
    answer = burgrave("batch", "force", "-", text="\n".join(lines))
    assert answer.code == 2
    assert "12 lines, 9 refused" in answer.err
    found = rows(answer.out)
    assert [row["number"] for row in found] == [*range(1, 12), 13]
    assert {row["number"]: row["exact"] for row in found if "exact" in row} == dict.fromkeys(
        (2, 3, 13), "10"
    )
    assert found[1]["id"] == "mine"
    validator = Draft202012Validator(burgrave("schema", "batch").data)
    assert all(map(validator.is_valid, found))
    assert not validator.is_valid({"number": 1, "key": "x"})
    for row, words in zip(
        [row for row in found if "error" in row],
        (
            "Did you mean castle-09",
            "give a file, an id",
            "name of a position or",
            "mean tile?",
            "expected the id",
            "cannot be drawn",
            "name of a position or",
            "no JSON",
            "give a file",
        ),
        strict=True,
    ):
        assert words in row["error"]
    crooked = burgrave("batch", "force", "-", text=b"\xff\n")
    assert (crooked.code, "no JSON" in crooked.out) == (2, True)


def test_a_run_goes_on_where_it_stopped(burgrave: Burgrave, tmp_path: Path) -> None:
    """Finished lines are not asked again; a half line is; other lines are refused."""
    asked, out = tmp_path / "positions.jsonl", tmp_path / "answers.jsonl"
    asked.write_text("castle-04\neight-points-or-six\n", encoding="utf-8")
    call = ("batch", "force", str(asked), "-o", str(out))
    assert burgrave(*call).code == 0
    whole = out.read_text(encoding="utf-8")
    first = whole.splitlines(keepends=True)[0]
    out.write_text(f'{first}{{"number": 2, "ke', encoding="utf-8")
    assert burgrave(*call).code == 0
    again = out.read_text(encoding="utf-8")
    assert again.startswith(first)
    assert [row["exact"] for row in rows(again)] == ["10", "75"]
    assert burgrave(*call).code == 0
    assert out.read_text(encoding="utf-8") == again
    other = burgrave("batch", "win", str(asked), "-o", str(out))
    assert (other.code, out.read_text(encoding="utf-8")) == (2, again)
    assert "line 1: the output holds the answer to another line" in other.err
    assert burgrave("batch", "win", str(asked), "-o", str(out), "--force").code == 0
    assert [row["goal"] for row in rows(out.read_text(encoding="utf-8"))] == ["win", "win"]
    out.write_text("no answers\n", encoding="utf-8")
    assert "line 1 is no answer of burgrave batch" in burgrave(*call).err
    assert burgrave("batch", "force", str(tmp_path / "none")).code == 2


def test_a_bound_is_told_by_the_exit_code(burgrave: Burgrave) -> None:
    """As for a single position."""
    answer = burgrave("batch", "force", "-", "--nodes", "1", text="castle-04\n")
    assert (answer.code, rows(answer.out)[0]["status"]) == (3, "unknown")
