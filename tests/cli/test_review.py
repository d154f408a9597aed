"""``burgrave evaluate`` and ``burgrave review`` on the command line."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.work import GAMES
from burgrave.cli import reviews
from burgrave.cli.exits import ANSWERED, INTERRUPTED, NO, UNUSABLE
from burgrave.cli.render.review import sparkline
from burgrave.cli.serve import reviewing
from burgrave.cli.serve.bodies import HarvestBody
from burgrave.model.engine import legal_moves, play
from burgrave.model.files.positions import Record, write_position, write_record
from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.puzzles.making.mistakes import puzzle_of
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.limits import NO_LIMIT, Reporter
from burgrave.solver.questions import evaluation
from tests.cli.conftest import Burgrave
from tests.cli.test_ctrl_c import interrupted

TILES = 5
RECORD = """
burgrave = 1
type = "record"
moves = ["Bridge@2,6"]
[position]
order = ["Bridge"]
start_spaces = { "18/19" = "bare" }
kinds = [{id = "Bridge", segments = ["tower E", "tower W", "court N", "court S market"]}]
"""
"""A record of one turn; the tile has places in other rotations too."""


@pytest.fixture(scope="module")
def start() -> Position:
    """Return a random game of Carcassonne with a few tiles to come."""
    rng = random.Random(11)
    position = new_position(GAMES["carcassonne"](), rng)
    while len(position.order) > TILES:
        position = play(position, rng.choice(list(legal_moves(position)))).position
    return position


@pytest.fixture(scope="module")
def record(start: Position, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a game that goes on at random from there."""
    rng, position, moves = random.Random(12), start, []
    while not position.over:
        move = rng.choice(list(legal_moves(position)))
        moves.append(write_move(position, move))
        position = play(position, move).position
    file = tmp_path_factory.mktemp("review") / "game.toml"
    file.write_text(write_record(Record(title="A game", position=start, moves=tuple(moves))))
    return file


def test_an_evaluation_says_that_it_is_an_estimate(
    burgrave: Burgrave, start: Position, tmp_path: Path
) -> None:
    file = tmp_path / "position.toml"
    file.write_text(write_position(start))
    told = burgrave("evaluate", str(file), "--no-proof", "--playouts", "300")
    assert told.code == ANSWERED
    assert "estimate" in told.out
    assert "proved" not in told.out
    data = burgrave("evaluate", str(file), "--no-proof", "--playouts", "300", "--json").data
    assert data["status"] == "estimate"
    assert data["interval"][0] <= data["value"] <= data["interval"][1]
    assert data["moves"][0]["playouts"] >= data["moves"][-1]["playouts"] > 0
    assert data["seed"] == 1
    apart = [move["behind_interval"][0] > 0 for move in data["moves"]]
    assert apart == [at >= data["equal"] for at in range(len(apart))]
    sort = "no clear best" if data["equal"] > 1 else "stands apart"
    assert sort in told.out
    assert "playouts" in told.out


def test_near_the_end_an_evaluation_is_proved(burgrave: Burgrave) -> None:
    told = burgrave("evaluate", "castle-01")
    assert told.code == ANSWERED
    assert "proved" in told.out
    assert "estimate" not in told.out


def test_a_review_goes_on_from_its_file_and_draws_the_lead(
    burgrave: Burgrave, record: Path, tmp_path: Path
) -> None:
    kept, graph = tmp_path / "kept.jsonl", tmp_path / "lead.svg"
    options = ("--playouts", "100", "--keep", str(kept))
    first = burgrave("review", str(record), *options, "--picture", str(graph), "--json")
    assert first.code == ANSWERED
    assert [turn["number"] for turn in first.data["turns"]] == list(range(1, TILES + 1))
    assert first.data["turns"][-1]["proved"]
    assert ET.parse(graph).getroot().tag.endswith("svg")
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(lines[:3]))
    again = burgrave("review", str(record), *options, "--json")
    assert again.data == first.data
    assert kept.read_text() == "".join(lines)
    text = burgrave("review", str(record), *options)
    assert "A game" in text.out
    assert "lead of Red" in text.out
    for turn in first.data["turns"]:
        assert turn["before"] + turn["luck"] + turn["gain"] == pytest.approx(
            turn["after"], abs=2e-4
        )
    assert f"lead {leads(first.data['turns']):+.1f} at last" in text.out


def test_what_the_search_cannot_prove_is_estimated(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No slower engine is asked beside it: on the second turn one would take minutes."""
    monkeypatch.setattr(evaluation, "EFFORT", 2)
    record = Path(__file__).parents[2] / "docs" / "examples" / "three-turns.toml"
    answer = burgrave("review", str(record), "--playouts", "100", "--json")
    assert [turn["proved"] for turn in answer.data["turns"]] == [False, False, True]


def test_a_record_has_full_notation(burgrave: Burgrave, tmp_path: Path) -> None:
    """In a file ``r0`` may be left out, and a move without a rotation has that one."""
    file = tmp_path / "game.toml"
    file.write_text(RECORD)
    assert burgrave("replay", str(file)).code == ANSWERED
    [turn] = reviews.game_of(str(file)).turns
    assert write_move(*turn) == "Bridge@2,6r0"


def test_a_review_does_not_go_on_from_that_of_another(
    burgrave: Burgrave, record: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text('{"answers": "other"}\n')
    told = burgrave("review", str(record), "--keep", str(kept))
    assert told.code == UNUSABLE
    assert f"{kept}: line 1: keeps answers of another command, release or other opt" in told.err
    assert kept.read_text() == '{"answers": "other"}\n'


def leads(turns: list[dict[str, Any]]) -> float:
    """Return the first player's lead at the end."""
    last = turns[-1]
    return float(last["after"] if last["player"] == 0 else -last["after"])


DAMAGED: dict[str, tuple[Callable[[list[str]], list[str]], int]] = {
    "half a line": (lambda lines: [*lines[:2], lines[2][:90]], 3),
    "no turn": (lambda lines: [lines[0], "{}"], 2),
    "another move": (
        lambda lines: [lines[0], lines[1].replace('"played": "', '"played": "pass ')],
        2,
    ),
    "a turn that the game has not": (
        lambda lines: [lines[0], lines[1].replace('"number": 1', '"number": 0')],
        2,
    ),
    "a word for a number": (
        lambda lines: [*lines[:2], lines[2].replace('"loss": ', '"loss": "none", "was": ')],
        3,
    ),
}
"""What may have become of the lines of a kept review, and the line that is named."""


@pytest.fixture(scope="module")
def finished(record: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines of a finished review of the game."""
    file = tmp_path_factory.mktemp("kept") / "kept.jsonl"
    played = reviews.game_of(str(record))
    reviews.reviewed(played, playouts=100, seed=1, budget=NO_LIMIT, keep=file)
    return file.read_text().splitlines()


def test_turns_of_workers_are_kept_as_they_come(
    record: Path, finished: list[str], tmp_path: Path
) -> None:
    """A run goes on from the first turn that is missing, and asks for no later one again."""
    played, file = reviews.game_of(str(record)), tmp_path / "other.jsonl"
    file.write_text("\n".join((finished[0], *reversed(finished[2:]))) + "\n")
    kept = reviews.kept_turns(played, playouts=100, seed=1, file=file)
    assert not reviews.from_the_first(kept)
    assert [part.before for part in reviews.left(played, kept)] == [0]
    first = reviews.turn_from(played, json.loads(finished[1])["result"])
    reviews.keep_all(kept, [first])
    assert [turn.number for turn in reviews.from_the_first(kept)] == [*range(1, TILES + 1)]
    assert sorted(file.read_text().splitlines()) == sorted(finished)


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_review_is_refused(
    burgrave: Burgrave, record: Path, finished: list[str], tmp_path: Path, name: str
) -> None:
    """It was summed up as it stood, or ended with a traceback."""
    damage, line = DAMAGED[name]
    kept = tmp_path / "kept.jsonl"
    text = "\n".join(damage(finished)) + "\n"
    kept.write_text(text)
    told = burgrave("review", str(record), "--playouts", "100", "--keep", str(kept))
    assert (told.code, told.out) == (UNUSABLE, "")
    assert f"{kept}: line {line} is no answer of burgrave review" in told.err
    assert kept.read_text() == text


def test_a_review_that_cannot_be_kept_is_not_begun(
    burgrave: Burgrave, record: Path, tmp_path: Path
) -> None:
    """There is no folder, or a folder stands there."""
    for place, words in ((tmp_path / "no" / "kept", "there is no folder"), (tmp_path, "a folder")):
        told = burgrave("review", str(record), "--keep", str(place))
        assert (told.code, told.out) == (UNUSABLE, "")
        assert words in told.err


def test_ctrl_c_in_a_proof_ends_a_review(
    burgrave: Burgrave, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn was estimated instead, kept so, and the review went on."""
    real = reviews.review

    def turns(*given: Any, **options: Any) -> Iterator[Any]:
        for turn in real(*given, **options):
            yield interrupted(turn) if turn.number == 2 else turn

    monkeypatch.setattr(reviews, "review", turns)
    kept = tmp_path / "kept.jsonl"
    told = burgrave("review", str(record), "--playouts", "100", "--keep", str(kept))
    assert (told.code, told.out) == (INTERRUPTED, "")
    assert len(kept.read_text().splitlines()) == 2


def test_bars_tell_who_leads() -> None:
    assert sparkline([-10, 0, 10]) == "▁▅█"


MISTAKE = Path(__file__).parents[1] / "data" / "cli" / "mistake.toml"


@pytest.mark.long
def test_mistakes_become_puzzles(
    burgrave: Burgrave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "puzzle_of", cache(puzzle_of))  # asked again by each command
    folder = tmp_path / "mine"
    options = ("--playouts", "100", "--puzzles", str(folder))
    told = burgrave("review", str(MISTAKE), *options, "--json")
    assert told.code == ANSWERED
    assert told.data["puzzles"] == ["mistake-turn-1"]
    assert "2 mistakes, 1 puzzle written" in told.err
    file = folder / "mistake-turn-1.toml"
    assert burgrave("solve", "--certify", str(file)).code == ANSWERED
    # The same puzzle may be written again, another one not without a word.
    assert burgrave("review", str(MISTAKE), *options).code == ANSWERED
    text = file.read_text()
    file.write_text(text.replace("Turn 1: better", "My title: better"))
    refused = burgrave("review", str(MISTAKE), *options)
    assert refused.code == UNUSABLE
    assert "--force" in refused.err
    assert burgrave("review", str(MISTAKE), *options, "--force").code == ANSWERED
    assert file.read_text() == text


def test_the_mistakes_of_one_player_are_tried_again(burgrave: Burgrave) -> None:
    options = ("--playouts", "100", "--ask", "--player", "red")
    told = burgrave("review", str(MISTAKE), *options, text="hint\nT@-10,-2r3\nT@-3,0r3\n")
    assert told.code == ANSWERED
    assert "Which move is better?" in told.out
    assert "loses 4.0 points of lead (proved)" in told.out
    assert "Right: T@-3,0r3 is the best move." in told.out
    assert "Turn 2" not in told.out
    left = burgrave("review", str(MISTAKE), "--playouts", "100", "--ask", text="quit\n")
    assert left.code == NO
    assert "You solved 0 of 2 mistakes." in left.err
    wrong = burgrave("review", str(MISTAKE), "--player", "rot")
    assert wrong.code == UNUSABLE
    assert "no player 'rot'" in wrong.err


@pytest.mark.long
def test_a_mistake_of_the_sample_game_makes_a_puzzle() -> None:
    """Whoever tries *Make puzzles of them* there gets one."""
    told = reviewing.sample()
    mistakes = [one for one in told["reviewed"] if one["mark"].startswith("?")]
    asked = HarvestBody(text=told["text"], turns=mistakes)
    assert reviewing.harvested(asked, Reporter())["puzzles"] == 1
