"""The suite itself, started as a shell starts programs in the background."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ABOUT_CTRL_C = (
    "tests/solver/test_cpsat_cp.py::test_control_c_comes_out",
    "tests/solver/test_processes.py::test_ctrl_c_waits_until_processes_are_started",
)


@pytest.mark.skipif(sys.platform == "win32", reason="no program begins with a signal ignored")
def test_tests_about_ctrl_c_pass_where_it_is_ignored_at_the_start() -> None:
    """As with ``nohup pytest &`` and on some machines that run tests."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *ABOUT_CTRL_C]
    run = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert run.returncode == 0, run.stdout
    assert "3 passed" in run.stdout
