"""A dataset on the page: filtered by the server, listed in part, each puzzle opened by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burgrave.cli.serve import stored_sets, trainer
from burgrave.cli.serve.bodies import AttemptBody
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.cli.serve.refusals import RefusalError
from burgrave.model.errors import FileError
from burgrave.puzzles.files.adding import add
from burgrave.puzzles.files.datasets import Dataset, opened
from burgrave.puzzles.files.library import find, puzzle

NAMES = ("market-day", "eight-points-or-six", "whose-field-will-it-be")


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """Three shipped puzzles."""
    path = tmp_path / "many"
    add(path, [puzzle(find(name)) for name in NAMES], lambda _: None)
    return opened(path)


def test_the_list_is_filtered_ordered_and_cut(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All values of the filters are told, and how many puzzles fit."""
    monkeypatch.setattr(stored_sets, "MOST_LISTED", 2)
    sets = PuzzleSets()
    kept = sets.keep(dataset)
    assert sets.find(kept.id) is kept
    assert not sets.shipped(kept.id)
    whole = kept.data({})
    assert (whole["id"], whole["title"], whole["fitting"]) == (kept.id, "many", 3)
    assert [one["id"] for one in whole["puzzles"]] == ["eight-points-or-six", "market-day"]
    assert whole["values"]["game"] == ["carcassonne", "castle"]
    assert whole["values"]["difficulty"] == ["2", "4"]
    hard = kept.data({"order": "hard", "theme": "", "nosuch": "x"})
    assert hard["puzzles"][0]["id"] == "whose-field-will-it-be"
    best = kept.data({"game": "castle", "question": "best", "difficulty": "2"})
    assert ([one["id"] for one in best["puzzles"]], best["fitting"]) == ([NAMES[1]], 1)
    for strange in ("'; DROP", "\0", "9" * 5000, "nosuch"):
        found = kept.data({"theme": strange, "difficulty": strange, "order": strange})
        assert (found["puzzles"], found["fitting"]) == ([], 0)


def test_a_puzzle_of_a_dataset_is_trained_with(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read when it is asked for, and a few stay; an unknown one is refused."""
    monkeypatch.setattr(stored_sets, "MOST_READ", 1)
    sets = PuzzleSets()
    kept = sets.keep(dataset)
    for name in NAMES:
        shown = trainer.puzzle(sets, kept.id, name)
        assert (shown["id"], shown["position"]["type"]) == (name, "position")
        assert list(kept._read) == [name]
    assert "<svg" in trainer.picture(sets, kept.id, NAMES[0])["svg"]
    asked = AttemptBody(set=kept.id, puzzle=NAMES[1], answer=puzzle(find(NAMES[1])).answer.moves[0])
    assert trainer.judged_at_once(sets, asked).response["right"]  # type: ignore[index]
    assert json.loads(trainer.trial(sets, asked).text)["id"] == NAMES[1]
    with pytest.raises(RefusalError) as error:
        trainer.puzzle(sets, kept.id, "nosuch")
    assert error.value.status == 404


def test_a_dataset_that_breaks_meanwhile_is_told(dataset: Dataset) -> None:
    """With the file."""
    kept = PuzzleSets().keep(dataset)
    (dataset.path / dataset.partitions[0].file).write_bytes(b"broken")
    with pytest.raises(FileError, match="it is broken"):
        kept.data({})
