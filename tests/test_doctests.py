"""Examples in docstrings hold."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

from burgrave import model

MODULES = [name for _, name, _ in pkgutil.walk_packages(model.__path__, "burgrave.model.")]


@pytest.mark.parametrize("name", ["burgrave", *MODULES])
def test_examples_hold(name: str) -> None:
    """Every example of a module prints what it says."""
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples() -> None:
    """The modules that are looked at have examples."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = sum(len(one.examples) for name in MODULES for one in finder.find(import_module(name)))
    assert found >= 10
