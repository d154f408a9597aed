"""Imports run downwards only: cli, puzzles, solver, model."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]
STOREYS = ["cli", "puzzles", "solver", "model"]


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
