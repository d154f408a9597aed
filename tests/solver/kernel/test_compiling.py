"""Compiling with our hooks into numba, by numba alone, and not at all: the results are the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solver.kernel import compiling

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(compiling.linking is None, reason="this numba has no hooks"),
]


def run(folder: Path, **environment: str) -> list[str]:
    """Return what the small functions print, with a cache folder."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.solver.kernel.toys"],
        env={**plain, "BURGRAVE_CACHE": str(folder), **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_hooks_change_no_result(tmp_path: Path) -> None:
    """Circles, constants, tuples and functions chosen by type give what plain Python gives.

    Both ways of compiling share a folder: neither may load what the other one kept.
    """
    *results, compiled = run(tmp_path)
    assert compiled == "compiled: 3"
    *by_numba, compiled = run(tmp_path, BURGRAVE_PLAIN_NUMBA="1")
    assert compiled == "compiled: 3"
    *uncompiled, none = run(tmp_path, NUMBA_DISABLE_JIT="1")
    assert none == "compiled: 0"
    assert results == by_numba == uncompiled


def test_machine_code_is_found_again(tmp_path: Path) -> None:
    """A second process compiles nothing, and gets the same from the cache folder."""
    *first, compiled = run(tmp_path)
    *second, again = run(tmp_path)
    assert (compiled, again) == ("compiled: 3", "compiled: 0")
    assert first == second
