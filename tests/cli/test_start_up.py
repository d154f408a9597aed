"""What the program loads before it answers, and how it behaves as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from burgrave.cli import app as program
from tests.cli.conftest import Burgrave

ROOT = Path(__file__).parents[2]
SPY = """
import sys
from burgrave.cli.app import main
try:
    main()
finally:
    roots = {name.partition(".")[0] for name in sys.modules}
    heavy = set("ortools networkx pydantic rich numpy dask".split())
    print(*sorted(roots & heavy), file=sys.stderr)
"""


def loaded(*args: str) -> set[str]:
    """Return which of the heavy packages a command line loads."""
    done = subprocess.run(
        [sys.executable, "-c", SPY, *args], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("args", [["--help"], ["best", "--help"], ["verify", "--help"]])
def test_help_loads_nothing_heavy(args: list[str]) -> None:
    """Help comes at once: no solver, no graph, no file models."""
    assert not loaded(*args) & {"ortools", "networkx", "rich", "numpy", "dask"}
    assert not loaded("--help")


def test_only_a_cluster_loads_dask() -> None:
    """Without the extra everything else works."""
    assert "dask" not in loaded("verify", "RB-01", "--engine", "reference")


@pytest.mark.slow
def test_check_never_loads_the_solver(data: Path) -> None:
    """Neither a position nor a move needs CP-SAT."""
    for name, move in (("small.toml", "T27@4,7r2"), ("puzzle.toml", "Door@1,2r3")):
        assert not loaded("check", str(data / name)) & {"ortools", "rich"}
        assert not loaded("check", str(data / name), move) & {"ortools", "rich"}


@pytest.mark.parametrize("args", [["score"], ["draw"], ["moves"]])
def test_what_the_rules_answer_never_loads_the_solver(data: Path, args: list[str]) -> None:
    """Only the engine cpsat loads CP-SAT."""
    assert "ortools" not in loaded(*args, str(data / "small.toml"))


def run(*args: str, **more: object) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", "from burgrave.cli.app import main; main()", *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        **more,  # type: ignore[call-overload]
    )


def test_a_command_is_built_when_it_is_asked_for(burgrave: Burgrave, data: Path) -> None:
    """To build the others would take as long as the answer."""
    program._command.cache_clear()
    assert burgrave("check", str(data / "small.toml")).code == 0
    assert program._command.cache_info().currsize == 1


def test_an_error_is_one_line_on_standard_error() -> None:
    """No traceback, no output, exit 2."""
    done = run("check", "no-such-file.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: no-such-file.toml: cannot be read: No such file or directory\n"


def test_a_closed_pipe_is_no_error(data: Path) -> None:
    """``burgrave moves … | head -1`` ends quietly."""
    command = (
        f'"{sys.executable}" -c "from burgrave.cli.app import main; main()" moves "$0" | head -1'
    )
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command, str(data / "full.toml")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("T50@")


def test_ctrl_c_ends_with_a_word(
    burgrave: Burgrave, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 130 and no traceback when a command is interrupted."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("burgrave.cli.sources.draft", interrupted)
    answer = burgrave("check", str(data / "small.toml"))
    assert (answer.code, answer.out, answer.err) == (130, "", "Interrupted.\n")


@pytest.mark.parametrize("package", ["typer", "pydantic", "networkx"])
def test_ctrl_c_while_packages_are_imported_ends_with_a_word(data: Path, package: str) -> None:
    """The program, the reading of a command line and the command itself import packages."""
    code = (
        "import sys\nclass Interrupted:\n  def find_spec(self, name, *_):\n"
        f"    if name == {package!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\nfrom burgrave.__main__ import main\nmain()"
    )
    command = [sys.executable, "-c", code, "check", str(data / "small.toml")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted.\n")


def test_the_end_of_the_program_looks_through_no_objects() -> None:
    """Python's last search for circles took half a second, and as long again after Ctrl-C."""
    code = (
        "import gc, sys\nfrom burgrave.__main__ import main\n"
        "try: main()\nfinally: print(gc.get_freeze_count() > len(gc.get_objects()))"
    )
    command = [sys.executable, "-c", code, "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"


def test_output_that_shows_no_boxes_is_ascii(data: Path) -> None:
    """A position is drawn in any encoding."""
    done = run(
        "draw",
        str(data / "small.toml"),
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (data / "pictures" / "small.ascii.txt").read_text()
