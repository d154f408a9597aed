"""Ctrl-C in a proof, which an engine ends with what it knows, ends the whole command."""

from __future__ import annotations

import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cli import practice
from cli.exits import ANSWERED, INTERRUPTED
from model.files.positions import read_record
from puzzles import solving
from puzzles.cards import deck
from puzzles.library import find, position
from solver import questions
from tests.cli.conftest import Burgrave

MISTAKE = Path(__file__).parents[1] / "data" / "cli" / "mistake.toml"
"""A record of Carcassonne with three tiles to come; Red is to move."""


def interrupted(answer: Any) -> Any:
    """Return an answer as a question does whose proof was ended by Ctrl-C."""
    with suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    return answer


def test_no_estimate_stands_for_the_proof(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = questions.evaluate(position(find("castle-01")))
    monkeypatch.setattr(questions, "evaluate", lambda *_, **__: interrupted(found))
    told = burgrave("evaluate", "castle-01")
    assert (told.code, told.out) == (INTERRUPTED, "")


def test_no_other_puzzle_is_solved(burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is told; the last puzzle ends as it would alone."""
    real = solving.solve
    monkeypatch.setattr(solving, "solve", lambda *given: interrupted(real(*given)))
    one, other = "how-large-a-chapel", "a-court-or-a-house"
    told = burgrave("solve", one, other)
    assert told.code == INTERRUPTED
    assert f"{one}: " in told.out
    assert other not in told.out
    assert burgrave("solve", one).code == ANSWERED


def test_no_other_card_is_answered(burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch) -> None:
    real = deck.run
    monkeypatch.setattr(deck, "run", lambda *given: interrupted(real(*given)))
    told = burgrave("verify", "CA-69")
    assert (told.code, told.out) == (INTERRUPTED, "")


def test_the_level_plays_no_move_of_an_estimate(
    burgrave: Burgrave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is kept up to the user's move."""
    real = practice.answer
    monkeypatch.setattr(practice, "answer", lambda *given: interrupted(real(*given)))
    kept = tmp_path / "game.toml"
    options = ("--at", "1", "--level", "1", "--keep", str(kept))
    told = burgrave("practise", str(MISTAKE), *options, text="T@-3,0r3\n")
    assert told.code == INTERRUPTED
    assert read_record("kept", kept.read_text()).moves == ("T@-3,0r3",)
