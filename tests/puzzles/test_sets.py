"""The shipped sets: their puzzles, their order, and what they show."""

from __future__ import annotations

from importlib import resources

import pytest

from burgrave.cli.serve.puzzle_sets import SHIPPED, PuzzleSets
from burgrave.model.files.toml import parse
from burgrave.puzzles.files.library import find, puzzle_entries, select
from burgrave.puzzles.files.puzzle_files import SetFile
from burgrave.puzzles.files.sets import ShippedSet, shipped_sets
from burgrave.puzzles.themes import THEMES


@pytest.mark.parametrize("one", shipped_sets(), ids=lambda one: one.id)
def test_a_set_teaches_what_it_says(one: ShippedSet) -> None:
    """Its puzzles exist, become harder, and each shows one of its themes."""
    file = resources.files("burgrave.puzzles") / "sets" / f"{one.id}.toml"
    assert SetFile.model_validate(parse(one.id, file.read_text(encoding="utf-8")))
    assert len({*one.puzzles}) == len(one.puzzles) >= 8
    assert {*one.themes} <= {*THEMES}
    chosen = [find(name) for name in one.puzzles]
    levels = [entry.difficulty or 0 for entry in chosen]
    assert levels == sorted(levels)
    assert levels[0] < levels[-1]
    for entry in chosen:
        assert not one.themes or {*entry.themes} & {*one.themes}, entry.id


def test_a_set_is_a_filter_that_keeps_its_order() -> None:
    """Its name is no other filter; with another filter some of its puzzles are left."""
    others = {word for e in puzzle_entries() for words in e.traits.values() for word in words}
    assert {one.id for one in shipped_sets()}.isdisjoint(others)
    one = shipped_sets()[0]
    assert [entry.id for entry in select((one.id,))] == [*one.puzzles]
    hard = [name for name in one.puzzles if (find(name).difficulty or 0) > 2]
    assert [entry.id for entry in select((one.id, "3-5"))] == hard


def test_the_page_lists_the_sets() -> None:
    """Each has its story and its puzzles; every shipped set names the others."""
    sets = PuzzleSets()
    named = sets.find(SHIPPED).data()["sets"]
    assert [one["id"] for one in named] == [one.id for one in shipped_sets()]
    for one in shipped_sets():
        data = sets.find(one.id).data()
        assert (data["title"], data["story"], data["sets"]) == (one.title, one.story, named)
        assert [head["id"] for head in data["puzzles"]] == [*one.puzzles]
