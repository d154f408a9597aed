"""``burgrave force`` from the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from burgrave.model.errors import QuestionError
from burgrave.solver.limits import Reporter
from tests.cli.conftest import Burgrave

ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds in which a busy machine does what is waited for."""


def test_force_proves_a_lead(burgrave: Burgrave) -> None:
    """Exit 0 with lead, first moves, a line to the end and its totals."""
    answer = burgrave("force", "castle-01", "--json")
    data = answer.data
    assert answer.code == 0
    assert set(data) == {
        "value",
        "exact",
        "status",
        "player",
        "goal",
        "play",
        "order",
        "tiles",
        "odds",
        "moves",
        "complete",
        "line",
        "scores",
        "engine",
        "nodes",
        "seconds",
        "confirmed",
        "floor",
        "least",
        "most",
        "guess",
    }
    assert (data["value"], data["status"], data["player"]) == (-7, "optimal", "white")
    assert data["scores"][0] - data["scores"][1] == data["value"]
    assert data["least"] == data["most"] == {"value": -7, "exact": "-7"}
    assert data["guess"] == []
    assert data["line"][0] == data["moves"][0]["notation"]
    assert len(data["line"]) == 2


@pytest.mark.usefixtures("out_of_time")
def test_force_without_a_proof_is_only_a_bound(burgrave: Burgrave) -> None:
    """Exit 3 when time runs out, in words and as JSON."""
    answer = burgrave("force", "castle-09", "--time", "60")
    assert answer.code == 3
    assert "Nothing useful is proved" in answer.out
    assert "`burgrave evaluate` estimates the lead" in answer.out
    assert burgrave("force", "castle-09", "--time", "60", "--json").data["status"] == "unknown"


def test_force_refuses_what_it_cannot_know(burgrave: Burgrave) -> None:
    """A bag in unknown order, and a time of 0, are unusable input."""
    unknown = burgrave("force", "castle-10")
    assert (unknown.code, "order of 6 tiles is not known" in unknown.err) == (2, True)
    assert burgrave("force", "castle-01", "--time", "0").code == 2


def test_a_log_tells_now_and_then_how_long_work_stands(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal a line comes after a while, with the best so far; short work has none."""
    heard: list[str] = []
    twice = Event()

    def echo(line: str, *, err: bool) -> None:
        heard.extend([line] * (err and line.startswith("so far: 7, after ")))
        if len(heard) > 1:
            twice.set()

    def slowly(read: object, *, reporter: Reporter, **means: object) -> None:
        reporter.found(7)
        assert twice.wait(PATIENCE)
        raise QuestionError("enough")

    monkeypatch.setattr("burgrave.solver.questions.forced", slowly)
    with monkeypatch.context() as quick:
        quick.setattr("burgrave.cli.progress.BETWEEN", 0.01)
        quick.setattr("burgrave.cli.progress.typer", SimpleNamespace(echo=echo))
        assert burgrave("force", "castle-04").code == 2
    assert burgrave("force", "castle-04").err.splitlines() == ["Error: enough"]


@pytest.mark.long
def test_a_limit_begins_after_code_is_compiled(tmp_path: Path) -> None:
    """With an empty cache too a second proves a short ending, and one line tells of the wait."""
    asked = [sys.executable, "-m", "burgrave", "force", "castle-04", "--time", "1", "--json"]
    done = subprocess.run(
        asked,
        env={**os.environ, "BURGRAVE_CACHE": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert (found["status"], found["value"]) == ("optimal", 10)
    assert found["seconds"] < 1
    told = [line for line in done.stderr.splitlines() if line.startswith("compiling")]
    assert len(told) == 1
    assert told[0].startswith("compiling code for this machine, once: about half a minute")
