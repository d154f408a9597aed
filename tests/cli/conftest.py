"""The program as the tests call it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
from typer.testing import CliRunner

from burgrave.cli.app import app
from burgrave.puzzles.cards.deck import cards

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "cli"


class Answer:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def data(self) -> Any:
        """Return the JSON that was printed."""
        return json.loads(self.out)


class Burgrave(Protocol):
    """The type of the fixture ``burgrave``."""

    def __call__(self, *args: str, text: str | bytes = "", **env: str) -> Answer: ...


@pytest.fixture
def burgrave() -> Burgrave:
    """Run a command line; anything but an exit code fails the test."""

    def call(*args: str, text: str | bytes = "", **env: str) -> Answer:
        result = CliRunner().invoke(app, list(args), input=text, env=env)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def out_of_time(an_hour_passes: Callable[[], None]) -> None:
    """Let limits of less than an hour run out before the first look at the clock."""
    an_hour_passes()


@pytest.fixture(autouse=True)
def silent_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no line tell of progress, however long a busy machine takes."""
    monkeypatch.setattr("burgrave.cli.progress.BETWEEN", 3600.0)


@pytest.fixture
def few_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish the cards of one rule alone: the pictures of all take seconds."""
    few = tuple(card for card in cards() if "castle.follower.free" in card.rules)
    monkeypatch.setattr("burgrave.cli.publish.rules.cards", lambda: few)


@pytest.fixture
def data() -> Path:
    """The folder of the positions, records and puzzles of these tests."""
    return DATA
