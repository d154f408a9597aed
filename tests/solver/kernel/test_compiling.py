"""Compiling with our hooks into numba, by numba alone, and not at all: the results are the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import IndexDataCacheFile

from solver.kernel import compiling

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(compiling.linking is None, reason="this numba has no hooks"),
]


def run(folder: Path, module: str = "toys", **environment: str) -> list[str]:
    """Return what the small functions print, with a cache folder."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", f"tests.solver.kernel.{module}"],
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

    So do calls from Python of functions that are compiled for compiled functions only.
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


def test_ctrl_c_leaves_no_half_of_the_machine_code(tmp_path: Path) -> None:
    """Who goes on after Ctrl-C in a compilation compiles all of it, and so does the disk."""
    *plain, _ = run(tmp_path / "plain", NUMBA_DISABLE_JIT="1")
    *results, _, interruptions = run(tmp_path / "folder", "interrupted")
    assert results == plain
    assert interruptions == "interruptions: 8"
    *found, compiled = run(tmp_path / "folder")
    assert (found, compiled) == (plain, "compiled: 0")


def double(number: Any) -> Any:
    """Return twice a number, of whatever type."""
    return 2 * number


def test_versions_that_are_kept_at_once_are_not_mistaken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes compile for different types; each finds its own machine code again."""
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    one, other, later = (compiling.compiled(double) for _ in range(3))
    keep, kept = IndexDataCacheFile._save_index, []

    def save_index(files: IndexDataCacheFile, versions: dict[Any, str]) -> None:
        """Let the other process come before this one has written its index."""
        kept.append((files, versions))
        if len(kept) == 1:
            assert other(1.5) == 3.0
        else:
            for both in kept:
                keep(*both)

    monkeypatch.setattr(IndexDataCacheFile, "_save_index", save_index)
    assert one(2) == 4
    assert (len(kept), later(1.5), later(2)) == (2, 3.0, 4)
    assert not later.stats.cache_misses
