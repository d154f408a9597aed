"""Looks for garbage are rare during a question alone."""

from __future__ import annotations

import gc

import pytest

from model.errors import QuestionError
from solver.collecting import NEW_OBJECTS
from solver.progress import Reporter
from solver.questions import expected
from tests.solver.endings import ending


class Watching(Reporter):
    """Notes how often Python looks for garbage when a value is found."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    def found(self, value: object) -> None:
        self.seen.add(gc.get_threshold()[0])


def test_the_collector_is_as_before_after_a_question() -> None:
    """Whether it was answered or not."""
    before = gc.get_threshold()
    at = ending(3, 200)
    watching = Watching()
    expected(at, reporter=watching)
    assert watching.seen == {NEW_OBJECTS}
    assert gc.get_threshold() == before
    with pytest.raises(QuestionError):
        expected(at, engine="maxn")
    assert gc.get_threshold() == before
