"""The generator: what it accepts, that it repeats itself, and that it can be interrupted."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import pytest

from model.engine import legal_moves
from model.errors import QuestionError
from model.notation import read_move, write_move
from model.problems import problems
from puzzles import telling
from puzzles.canonical import form
from puzzles.generator import Wish, candidate, is_greedy
from puzzles.harvest import Folder, Lines, begun, gather
from puzzles.puzzle import Puzzle
from puzzles.puzzle_files import write_puzzle
from puzzles.solving import certified, certify, solve
from puzzles.study import study
from tests.cli.conftest import Burgrave

WISH = Wish(game="castle", theme="patience", seed=2, tiles_left=1, version=version("burgrave"))
"""Its first two candidates are puzzles."""


@pytest.fixture(scope="module")
def made() -> list[Puzzle]:
    """Return two puzzles of one run."""
    return [one.puzzle for one in islice(gather(WISH, []), 2) if one.puzzle is not None]


def test_what_is_accepted_keeps_its_promises(made: list[Puzzle]) -> None:
    """One best move, not greedy, certified, of the theme, and possible; no two look alike."""
    for puzzle in made:
        assert len(puzzle.answer.moves) == 1
        assert not is_greedy(puzzle.position, read_move(puzzle.position, puzzle.answer.moves[0]))
        assert WISH.theme in puzzle.themes
        assert certified(certify(puzzle))
        assert not problems(puzzle.position)
        assert puzzle.refutations
    assert len({form(puzzle.position) for puzzle in made}) == len(made)


def test_no_other_first_move_is_as_good(made: list[Puzzle]) -> None:
    """Every legal first move but the key is worth less, each valued by itself."""
    puzzle = made[0]
    for move in legal_moves(puzzle.position):
        text = write_move(puzzle.position, move)
        value = puzzle.question.worth(puzzle.position, text)
        assert value is not None
        assert (value == puzzle.answer.value) is (text == puzzle.answer.moves[0])


def test_explanations_state_what_is_proved(made: list[Puzzle]) -> None:
    """The words are those that the answer makes, and its values are found anew."""
    for puzzle in made:
        assert solve(puzzle).passed
        solution = study(puzzle)
        assert solution is not None
        assert puzzle.explanation == telling.explanation(solution)
        for one in puzzle.refutations:
            assert f"{one.move} leads to {one.value} instead of {puzzle.answer.value}" in (
                puzzle.explanation
            )


def test_interrupted_work_goes_on_with_more_jobs(
    burgrave: Burgrave, tmp_path: Path, made: list[Puzzle]
) -> None:
    """After one puzzle and half a line two processes come to those of one run, to the letter."""
    path = tmp_path / "made.jsonl"
    Lines(path).add(made[0])
    with path.open("a") as file:
        file.write('{"burgrave": 1, "type": "puz')
    args = ["--theme", "patience", "--seed", "2", "--tiles-left", "1", "-o", str(path)]
    answer = burgrave("generate", *args, "--count", "2", "--jobs", "2", "--json")
    assert answer.code == 0
    assert "2 of 2 puzzles" in answer.err
    assert [write_puzzle(one) for one in Lines(path).read()] == [write_puzzle(one) for one in made]
    assert [one["id"] for one in answer.data] == [one.id for one in made]
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 2


def test_a_folder_gives_back_what_is_put_into_it(tmp_path: Path, made: list[Puzzle]) -> None:
    """In the order of the candidates, whatever the order of writing."""
    store = Folder(tmp_path / "made")
    assert store.read() == []
    for puzzle in reversed(made):
        store.add(puzzle)
    assert store.read() == made


def test_puzzles_of_another_run_are_not_gone_on_with(tmp_path: Path, made: list[Puzzle]) -> None:
    """A folder that another wish has filled is refused, and so are wishes without sense."""
    store = Folder(tmp_path)
    store.add(made[0])
    assert begun(WISH, store) == made[:1]
    other = replace(WISH, seed=4)
    with pytest.raises(QuestionError, match="not made by this command"):
        begun(other, store)


def test_a_wish_that_cannot_be_fulfilled_is_refused(burgrave: Burgrave, tmp_path: Path) -> None:
    """Unknown themes, themes of another game, and bad ranges are told."""
    place = ("-o", str(tmp_path / "made"))
    assert "there are" in burgrave("generate", "--theme", "nosuch", *place).err
    assert "does not occur" in burgrave("generate", "--theme", "exchange", *place).err
    for args in (["--difficulty", "5-2"], ["--difficulty", "easy"], ["--time", "0"]):
        assert burgrave("generate", "--theme", "patience", *args, *place).code == 2
    lines = str(tmp_path / "nowhere" / "made.jsonl")
    assert burgrave("generate", "--theme", "patience", "-o", lines).code == 2


def test_difficulty_and_margin_are_kept() -> None:
    """What is too easy or too close is not accepted."""
    close = replace(WISH, margin=500)
    hard = replace(WISH, easiest=5)
    assert candidate(close, 0) is None
    assert candidate(hard, 0) is None
