"""The completions of a shell, and the packages that they load."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from burgrave.cli import completion
from burgrave.model.files.tilesets import shipped_tile_sets
from burgrave.model.rules.index import RULES, SWITCHES
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.files.library import entries, puzzle_entries

ROOT = Path(__file__).parents[2]


def test_all_ids_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lists made from texts are those of the program."""
    monkeypatch.chdir(tmp_path)
    families = {rule.id.rpartition(".")[0] for rule in RULES}
    assert {rule.id for rule in RULES} | families <= set(completion.complete_rules(""))
    assert completion.complete_switches("") == sorted(switch.name for switch in SWITCHES)
    assert completion.complete_positions("") == [entry.id for entry in entries()]
    assert completion.complete_puzzles("") == [entry.id for entry in puzzle_entries()]
    themes = {theme for entry in entries() for theme in entry.themes}
    assert completion.complete_themes("") == sorted(themes)
    assert completion.complete_tile_sets("") == list(shipped_tile_sets())
    for begun in ("CA-7", "IN-0"):
        ids = sorted(card.id for card in cards() if card.id.startswith(begun))
        assert ids
        assert completion.complete_positions(begun) == completion.complete_rules(begun) == ids


def test_files_and_lists_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that can be read, folders, and themes behind a comma."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    for name in ("gate.toml", "game.jcz", "game.txt", "games/one.toml"):
        (tmp_path / name).write_text("")
    assert completion.complete_positions("ga") == ["game.jcz", "games/", "gate.toml"]
    assert completion.complete_positions("games/") == ["games/one.toml"]
    assert completion.complete_themes("patience,keep-r") == ["patience,keep-race"]
    assert {"castle", "force", "patience", "market-day"} <= set(completion.complete_filters(""))
    assert completion.complete_filters("gam") == ["games/"]  # perhaps a dataset
    assert completion.complete_answers("tiles") == ["tiles check", "tiles list", "tiles show"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("check castle-0", "castle-04"),
        ("solve mark", "market-day"),
        ("rules castle.ke", "castle.keep"),
        ("switches doub", "double_once"),
        ("generate --theme pati", "patience"),
        ("tiles show ca", "castle"),
        ("best castle-04 --obj", "--objective"),
        ("pla", "play"),
    ],
)
def test_a_shell_gets_its_completions_without_heavy_packages(line: str, found: str) -> None:
    """No solver, no graph library and no arrays are loaded at a key."""
    spy = (
        "import sys\nfrom cli.app import main\ntry:\n    main()\nfinally:\n"
        "    print(*{n.partition('.')[0] for n in sys.modules}, file=sys.stderr)"
    )
    words = f"burgrave {line}"
    done = subprocess.run(
        [sys.executable, "-c", spy],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "_BURGRAVE_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        },
    )
    assert found in done.stdout.split()
    loaded = set(done.stderr.splitlines()[-1].split())
    assert not loaded & {"ortools", "networkx", "numba", "numpy"}
