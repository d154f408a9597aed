"""What a question imports: the one engine that answers it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPY = """
import sys
from burgrave.cli.app import main
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""
ENGINES = {
    "burgrave.solver.cpsat.engine",
    "burgrave.solver.search.turns",
    "burgrave.solver.search.engine",
    "burgrave.solver.search.by_rules",
}
"""The modules of the table of engines."""
LIGHT = {"burgrave.solver", "burgrave.solver.limits", "burgrave.solver.pool"}
"""What the command line needs to tell how something goes on."""


def loaded(*args: str) -> set[str]:
    """Return the modules that a command line imports."""
    done = subprocess.run(
        [sys.executable, "-c", SPY, *args], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines()[-1].split())


def in_solver(modules: set[str]) -> set[str]:
    """Return the modules of the solver among others."""
    return {name for name in modules if name.startswith("burgrave.solver")}


@pytest.mark.parametrize("question", ["win", "force", "max"])
def test_a_question_of_few_lines_imports_the_search_alone(question: str) -> None:
    """CP-SAT, with ortools and pandas, is no part of it."""
    got = loaded(question, "castle-04")
    assert got & ENGINES == {"burgrave.solver.search.engine"}
    assert not got & {"ortools", "pandas"}


@pytest.mark.slow
def test_a_maximum_by_cpsat_imports_no_search() -> None:
    """The search is no part of it."""
    got = loaded("max", "castle-04", "--engine", "time")
    assert got & ENGINES == {"burgrave.solver.cpsat.engine"}


@pytest.mark.slow
def test_the_best_turn_imports_one_engine() -> None:
    """The one that is asked, or the first."""
    assert loaded("best", "path-house-and-tower") & ENGINES == {"burgrave.solver.cpsat.engine"}
    named = loaded("best", "path-house-and-tower", "--engine", "reference")
    assert named & ENGINES == {"burgrave.solver.search.turns"}
    assert "numba" not in named


def test_check_and_moves_load_no_engine_of_their_own(tmp_path: Path) -> None:
    """A position in a file is read and judged by the rules alone, without puzzles."""
    from burgrave.model.files.positions import write_position  # noqa: PLC0415 -- not for the spy
    from burgrave.puzzles.files.library import find, position  # noqa: PLC0415

    file = tmp_path / "position.toml"
    file.write_text(write_position(position(find("path-house-and-tower"))), encoding="utf-8")
    for args in (["check", str(file)], ["check", str(file), "K04@1,0r0"], ["moves", str(file)]):
        got = loaded(*args)
        assert got & ENGINES <= {"burgrave.solver.search.turns"}
        assert not {name for name in got if name.startswith("burgrave.puzzles.")}
        assert not got & {"ortools", "pandas", "numpy", "numba"}
    assert in_solver(loaded("check", str(file))) <= LIGHT


def test_a_shipped_position_loads_neither_puzzles_nor_cards() -> None:
    """It is found by its id alone."""
    got = {name for name in loaded("moves", "castle-04") if name.startswith("burgrave.puzzles.")}
    assert got == {"burgrave.puzzles.files", "burgrave.puzzles.files.library"}


def test_help_loads_neither_rules_nor_engines() -> None:
    """Nothing heavy is needed to say what there is."""
    got = loaded("--help")
    assert in_solver(got) <= LIGHT
    assert "pydantic" not in got
    assert not {name for name in got if name.startswith("burgrave.puzzles.")}
