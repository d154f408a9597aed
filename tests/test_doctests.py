"""Examples in docstrings hold."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import burgrave

NAMES = ["burgrave", *(one.name for one in pkgutil.walk_packages(burgrave.__path__, "burgrave."))]


def shows(name: str) -> bool:
    """Tell whether the source of a module has an example; it is not imported."""
    spec = find_spec(name)
    assert spec is not None
    return ">>> " in Path(str(spec.origin)).read_text(encoding="utf-8")


@pytest.mark.every_case
@pytest.mark.parametrize("name", [name for name in NAMES if shows(name)])
def test_examples_hold(name: str) -> None:
    """Every example of a module prints what it says, and there is one."""
    found = doctest.testmod(import_module(name))
    assert found.failed == 0 < found.attempted


def test_there_are_examples() -> None:
    """In all layers but the solver, whose values are large."""
    layers = {name.split(".")[1] for name in NAMES if shows(name) and "." in name}
    assert layers >= {"model", "puzzles", "cli"}
