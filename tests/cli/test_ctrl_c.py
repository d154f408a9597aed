"""Ctrl-C in a proof, which an engine ends with what it knows, ends the whole command."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from burgrave.cli.exits import ANSWERED, INTERRUPTED, ONLY_A_BOUND
from burgrave.model.files.positions import read_record
from burgrave.puzzles.cards import deck
from burgrave.puzzles.files.library import find, position
from burgrave.puzzles.games import matches
from burgrave.puzzles.judging import solving
from burgrave.solver import questions
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, TileOrder, against
from burgrave.solver.questions import evaluation, partial_answer, samples
from burgrave.solver.result import NOTHING, Result, Status
from burgrave.solver.search.playouts import CHUNK
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
    """The search takes Ctrl-C for its end; the evaluation does not go on with playouts."""
    bound = questions.forced(position(find("castle-04")), budget=Limits(nodes=1))
    monkeypatch.setattr(evaluation, "forced", lambda *_, **__: interrupted(bound))
    told = burgrave("evaluate", "castle-04")
    assert (told.code, told.out) == (INTERRUPTED, "")


def test_the_estimate_so_far_is_told(burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is that of the playouts played until then, and of one chunk for each value told."""
    played = []

    def some(*given: Any) -> Any:
        if len(played) == 3:
            signal.raise_signal(signal.SIGINT)
        played.append(given)
        return run(*given)

    run = samples.run
    monkeypatch.setattr(samples, "run", some)
    line = ("evaluate", "castle-09", "--no-proof", "--playouts", "40000", "--jobs", "1")
    told = burgrave(*line, "--json")
    assert told.code == ONLY_A_BOUND
    chosen = sum(len(turns) * (end - at) for _, turns, at, end, _ in played)
    assert told.data["playouts"] in range(chosen + CHUNK, chosen + samples.CLOSE * CHUNK + 1, CHUNK)
    assert f"Interrupted: this is the estimate of {told.data['playouts']} playouts." in told.err


def test_nothing_is_told_before_any_playout(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "run", lambda *_: signal.raise_signal(signal.SIGINT))
    told = burgrave("evaluate", "castle-09", "--no-proof")
    assert (told.code, told.out) == (INTERRUPTED, "")


def test_little_is_looked_for_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that take long are left out; what the search and the guess found stays."""

    def long(_: object) -> object:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            pass
        raise AssertionError

    class Stopped:
        name = "stopped"

        def solve(self, *_: object) -> Result:
            return NOTHING

    monkeypatch.setattr(partial_answer, "bounds", long)
    monkeypatch.setattr(partial_answer, "GRACE", 1.0)
    problem = against(position(find("castle-04")), Goal.LEAD, TileOrder.GIVEN, every=False)
    before = time.monotonic()
    found = partial_answer.solved(Stopped(), problem)
    assert time.monotonic() - before < 30
    assert (found.status, found.least, found.most) == (Status.UNKNOWN, None, None)
    assert len(found.guess) == 1


def test_no_other_puzzle_is_solved(burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is told; the last puzzle ends as it would alone."""
    real = solving.solve
    monkeypatch.setattr(solving, "solve", lambda *given: interrupted(real(*given)))
    one, other = "market-day", "tower-and-path-in-one-move"
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
    real = matches.answer
    monkeypatch.setattr(matches, "answer", lambda *given: interrupted(real(*given)))
    kept = tmp_path / "game.toml"
    options = ("--at", "1", "--level", "1", "--keep", str(kept))
    told = burgrave("practise", str(MISTAKE), *options, text="T@-3,0r3\n")
    assert told.code == INTERRUPTED
    assert read_record("kept", kept.read_text()).moves == ("T@-3,0r3",)
