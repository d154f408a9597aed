"""What a command writes to a terminal or a stream, whatever it was given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from burgrave.cli.app import app
from tests.cli.conftest import ROOT, Burgrave
from tests.cli.test_broken_input import POSITION, RECORD, SAVE

EVIL = "\x1b[31mX\x07\x9b\x00\udcff"
ECHOED = (
    "check {}",
    "check castle-04 {}",
    "check --{}",
    "{}",
    "moves castle-04 --tile {}",
    "best castle-04 --objective {}",
    "expect castle-04 --tile {}",
    "why castle-04 {}",
    "rules {}",
    "verify {}",
    "puzzles {}",
    "solve {}",
    "import {}",
    "schema {}",
    "serve {}",
    "new {}",
    "tiles show {}",
    "draw castle-04 -o {}",
    "generate --theme {} -o x.jsonl",
    "generate --rule {} -o x.jsonl",
    "generate --theme patience --difficulty {} -o x.jsonl",
)
"""Command lines whose messages repeat what the user gave."""


def unprintable(text: str) -> set[str]:
    """Return what of a text could disturb a terminal."""
    return {c for c in text if not c.isprintable()} - {"\n"}


@pytest.mark.parametrize("command", ECHOED)
def test_no_message_disturbs_the_terminal(command: str) -> None:
    """Control characters of an argument are escaped."""
    args = [word.replace("{}", EVIL) for word in command.split()]
    result = CliRunner().invoke(app, args, color=True)
    assert result.exit_code == 2, result.exception
    assert not unprintable(result.stdout + result.stderr)


def test_no_answer_disturbs_the_terminal(burgrave: Burgrave) -> None:
    """The title and the note of a file are escaped in words, and in remarks."""
    title = "T\x1b]0;owned\x07\x9b\u202e"
    record = json.dumps({**tomllib.loads(RECORD), "title": title})
    words = burgrave("replay", "-", text=record).out
    assert words.startswith(r"T\x1b]0;owned\x07\x9b\u202e")
    assert not unprintable(words)
    save = json.loads(SAVE)
    save["test"]["assertions"] = [title]
    noted = burgrave("import", "-", text=json.dumps(save))
    assert not unprintable(noted.err)
    broken = json.dumps({**tomllib.loads(POSITION), title: 1})
    told = burgrave("check", "-", text=broken)
    assert told.code == 2
    assert not unprintable(told.err)


def shell(words: str, **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own, with unusual streams."""
    command = [sys.executable, "-c", "from burgrave.cli.app import main; main()", *words.split()]
    streams = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE} | streams
    return subprocess.run(
        command,
        cwd=ROOT,
        check=False,
        encoding="utf-8",
        stdout=streams.pop("stdout", None),
        **streams,
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="nothing is closed so there")
def test_streams_that_are_closed_or_full() -> None:
    """A message where somebody can read it, an answer where somebody wants it, no traceback."""
    with Path(os.devnull).open("wb") as unreadable:
        read = shell("check -", stdin=unreadable)
    assert (read.returncode, read.stderr) == (
        2,
        "Error: standard input: cannot be read: Bad file descriptor\n",
    )
    closed = shell("check -", stdin=None, preexec_fn=lambda: os.close(0))
    assert (closed.returncode, closed.stderr) == (2, "Error: standard input: is closed\n")
    silent = shell("rules castle.keep", stdout=None, preexec_fn=lambda: os.close(1))
    assert (silent.returncode, silent.stderr) == (0, "")
    deaf = shell("rules nix", stderr=None, preexec_fn=lambda: os.close(2))
    assert deaf.returncode == 2
    if Path("/dev/full").exists():
        for command in ("rules", "--version"):
            with Path("/dev/full").open("wb") as full:
                lost = shell(command, stdout=full)
            assert (lost.returncode, lost.stderr) == (
                2,
                "Error: the answer cannot be written: No space left on device\n",
            )
        with Path("/dev/full").open("wb") as full:
            assert shell("rules nix", stderr=full).returncode == 2
