"""The public names for scripts: they are there, they are light, and their types hold."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import burgrave
from burgrave.model.engine import legal_moves
from burgrave.model.notation import write_move

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "data" / "scripts" / "evening.py"
MISTAKES = '''"""A script with mistakes."""

from burgrave import Move, load, moves, nonsense

position = load("path-house-and-tower")
position.score
first: Move = moves(position)
burgrave_typo = load(3)
'''


def run(code: str, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own."""
    return subprocess.run(
        [sys.executable, *(["-c", code] if code else []), *args],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def names_for_checkers() -> set[str]:
    """Return the names that a type checker sees: the program's imports for it, and functions."""
    tree = ast.parse(Path(burgrave.__file__).read_text(encoding="utf-8"))
    seen: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for one in ast.walk(node):
                if isinstance(one, ast.ImportFrom) and one.module not in sys.stdlib_module_names:
                    seen |= {alias.asname or alias.name for alias in one.names}
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            seen.add(node.name)
    return seen


def test_every_public_name_is_there_and_typed() -> None:
    """What runs and what a type checker sees are the same names."""
    assert names_for_checkers() == {*burgrave.__all__}
    assert dir(burgrave) == sorted(burgrave.__all__)
    for name in burgrave.__all__:
        assert getattr(burgrave, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'winning'"):
        burgrave.winning  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'legal_moves'"):
        burgrave.legal_moves  # noqa: B018


def test_importing_it_imports_nothing_else() -> None:
    """A script starts at once; each name imports its own modules."""
    spy = "import sys, burgrave; print(*sorted(sys.modules))"
    found = set(run(spy).stdout.split())
    assert {name for name in found if name.startswith("burgrave.")} == {"burgrave.puzzles"}
    assert not found & {"pydantic", "networkx", "numpy"}


def test_a_move_is_taken_as_a_value_or_as_text() -> None:
    """``judge`` and ``play`` read text by themselves; ``moves`` lists what the rules allow."""
    position = burgrave.load("path-house-and-tower")
    listed = burgrave.moves(position)
    assert listed == list(legal_moves(position))
    for move in listed[:5]:
        assert burgrave.check(position, move).legal
        assert burgrave.check(position, str(move)) == burgrave.check(position, move)
        assert burgrave.play(position, write_move(position, move)) == burgrave.play(position, move)
    assert burgrave.moves(position, "K01") == []
    with pytest.raises(burgrave.NotationError):
        burgrave.check(position, "nonsense")


def test_a_position_is_loaded_by_id_line_and_file(tmp_path: Path) -> None:
    """Whatever a command takes as a position, a script does too."""
    position = burgrave.load("path-house-and-tower")
    path = tmp_path / "a castle.toml"
    path.write_text(burgrave.write_position(position), encoding="utf-8")
    assert burgrave.load(path) == burgrave.load(str(path)) == position
    assert burgrave.load(burgrave.write_line(position)) == position
    with pytest.raises(burgrave.QuestionError, match=r"Did you mean path-house-and-tower\?"):
        burgrave.load("path-house-and-towr")


def test_a_review_takes_positions_with_their_moves() -> None:
    """It yields values; near the end they are proved, and the last turn has no luck left."""
    position = burgrave.load("castle-01")
    game = []
    while not position.over:
        game.append((position, burgrave.moves(position)[0]))
        position = burgrave.play(position, game[-1][1]).position
    turns = list(burgrave.review(game, playouts=100))
    assert all(isinstance(turn, burgrave.ReviewedTurn) for turn in turns)
    assert [turn.number for turn in turns] == [1, 2]
    assert all(turn.proved and turn.loss >= 0 for turn in turns)


def test_a_position_is_drawn_as_the_command_draws_it() -> None:
    """The picture for a terminal is text; ASCII alone by wish."""
    position = burgrave.load("path-house-and-tower")
    shown = run("", "-m", "burgrave", "draw", "path-house-and-tower", "--ascii").stdout
    assert burgrave.draw(position, ascii_only=True) == shown.rstrip("\n")
    assert not burgrave.draw(position).isascii()
    assert "\x1b[" in burgrave.draw(position, colour=True)


def test_no_value_prints_pages() -> None:
    """What a script meets is one line in a console, three at most for a whole turn."""
    position = burgrave.load("path-house-and-tower")
    game, tile, follower = position.game, position.tiles[0], position.followers[0]
    short = (position, game, game.board, game.tile_set, tile, tile.kind, follower)
    shown = [repr(value) for value in (*short, *burgrave.moves(position))]
    assert max(map(len, shown)) < 300
    assert repr(tile.kind) == "<TileKind K26>"
    assert repr(game.board) == "<Board castle>"
    assert repr(game.tile_set) == "<TileSet castle>"
    for player in position.players:
        assert len(repr(player)) < 400


@pytest.mark.slow
def test_a_users_script_runs() -> None:
    """It loads, lists, judges, plays and asks; unreadable input raises an error."""
    ids = ("path-house-and-tower", "six-points-or-seven", "to-be-honest")
    done = run("", str(SCRIPT), *ids, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 1
    assert "no file and no shipped position 'to-be-honest'" in done.stderr
    assert "111 moves; best: 13 points (proved)" in done.stdout
    assert "lead 1, win 1, at most 72, expected 1" in done.stdout


def test_the_script_for_many_positions_runs(tmp_path: Path) -> None:
    """The example of the page on Python prints a value for each line of a file, in order."""
    text = (ROOT / "docs" / "how-to" / "python.md").read_text(encoding="utf-8")
    script = tmp_path / "many.py"
    script.write_text(re.findall(r"```python\n(import sys\n.*?)```", text, re.DOTALL)[0], "utf-8")
    lines = [
        burgrave.write_line(burgrave.load(name)) for name in ("path-house-and-tower", "castle-04")
    ]
    (tmp_path / "positions.txt").write_text("\n".join(lines), encoding="utf-8")
    done = run("", str(script), str(tmp_path / "positions.txt"), NUMBA_DISABLE_JIT="1")
    assert done.stdout.splitlines() == [f"13 {lines[0]}", f"6 {lines[1]}"], done.stderr


@pytest.mark.slow
def test_mypy_reads_a_users_script_without_any(tmp_path: Path) -> None:
    """Strict, and no expression is ``Any``; a mistyped name or value is found."""
    mistakes = tmp_path / "mistakes.py"
    mistakes.write_text(MISTAKES, encoding="utf-8")
    options = ["--strict", "--disallow-any-expr", "--follow-imports=silent", "--config-file="]
    done = run("", "-m", "mypy", *options, f"--cache-dir={tmp_path}", str(SCRIPT), str(mistakes))
    found = re.findall(r"^.*?(\w+)\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    assert {name for name, _, _ in found} == {"mistakes"}, done.stdout
    lines = {int(line): text for _, line, text in reversed(found)}
    assert 'has no attribute "nonsense"' in lines[3]
    assert '"Position" has no attribute "score"' in lines[6]
    assert "Incompatible types in assignment" in lines[7]
    assert 'incompatible type "int"' in lines[8]
