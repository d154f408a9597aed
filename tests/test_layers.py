"""Imports run downwards only: cli, puzzles, solver, model."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from solver.engines import ENGINES
from solver.questions import OUTLOOK_ENGINES

ROOT = Path(__file__).parents[1]
STOREYS = ["cli", "puzzles", "solver", "model"]
FOR_PUZZLES = {
    "solver",
    "solver.result",
    "solver.limits",
    "solver.problem",
    "solver.processes",
    "solver.questions",
    "solver.engines",
    "solver.simulation",
}
"""What puzzles may know of the solver: questions, their values and means, and games at speed."""
FOR_SELF_PLAY = {"solver.simulation"}


def nodes(folder: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield everything that stands in the code of a folder, with the name of its file."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield path.name, node


def known_of_the_solver(folder: str) -> set[str]:
    """Return the modules of the solver that the code of a folder imports."""
    found = set()
    for _, node in nodes(folder):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
    return {name for name in found if name.split(".")[0] == "solver"}


def settings() -> dict[str, object]:
    """Return what pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


def test_imports_run_downwards_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The contracts of pyproject.toml hold, imports inside functions included."""
    monkeypatch.chdir(ROOT)
    broken = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert broken == 0, capsys.readouterr().out


def test_the_contract_names_every_package() -> None:
    """What is checked, installed, typed and measured are the same four packages."""
    tools = settings()
    layers = [c for c in tools["importlinter"]["contracts"] if c["type"] == "layers"]
    assert [contract["layers"] for contract in layers] == [STOREYS]
    assert sorted(tools["importlinter"]["root_packages"]) == sorted(STOREYS)
    assert sorted(tools["mypy"]["packages"]) == sorted(STOREYS)
    assert sorted(tools["coverage"]["run"]["source"]) == sorted(STOREYS)
    assert sorted(tools["hatch"]["build"]["targets"]["wheel"]["packages"]) == sorted(STOREYS)


@pytest.mark.parametrize("package", STOREYS)
def test_every_package_says_that_it_is_typed(package: str) -> None:
    """PEP 561: a checker believes the types of an installed package with ``py.typed`` alone."""
    assert (resources.files(package) / "py.typed").is_file()
    assert "Typing :: Typed" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_folder_of_python_code_has_its_place() -> None:
    """Beside the four packages, code stands in tests and benchmarks only."""
    found = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[a-z]*/**/*.py")}
    assert found == {*STOREYS, "tests", "benchmarks"}


def test_puzzles_know_little_of_the_solver() -> None:
    """Puzzles import all that is listed here and no more, self-play what plays at speed."""
    assert known_of_the_solver("puzzles") == FOR_PUZZLES
    assert known_of_the_solver("puzzles/selfplay") == FOR_SELF_PLAY


def test_puzzles_name_no_engine() -> None:
    """Who answers a question of a puzzle the solver tells; names in files are data."""
    engines = {*ENGINES, *OUTLOOK_ENGINES}
    named = {
        (file, node.value)
        for file, node in nodes("puzzles")
        if isinstance(node, ast.Constant) and node.value in engines
    }
    assert not named
