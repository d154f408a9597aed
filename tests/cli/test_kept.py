"""``solve --keep`` and ``verify --keep``: an interrupted command goes on from its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from burgrave.cli.exits import ANSWERED, INTERRUPTED, NO, UNUSABLE
from burgrave.model.errors import QuestionError
from burgrave.puzzles.cards import deck
from burgrave.puzzles.judging import solving
from tests.cli.conftest import Burgrave

DOOR = str(Path(__file__).parents[2] / "docs" / "examples" / "to-the-door.toml")
COMMANDS = {
    "solve": (DOOR, "half-a-side-of-court", "the-field-between-two-cities"),
    "verify": ("RB-01", "RB-02", "RB-03"),
}
AT_WORK = {"solve": (solving, "solve"), "verify": (deck, "run")}
HALF = 900
"""Bytes of the first answers and a part of the last one."""
pytestmark = pytest.mark.every_case


def spied(
    monkeypatch: pytest.MonkeyPatch, command: str, fault: BaseException | None = None
) -> list[str]:
    """Return a list of the ids of what is answered; the second one may end with a fault."""
    module, name = AT_WORK[command]
    real, seen = getattr(module, name), list[str]()

    def spy(one: Any, *args: Any) -> Any:
        seen.append(one.id)
        if fault is not None and len({*seen}) == 2:
            raise fault
        return real(one, *args)

    monkeypatch.setattr(module, name, spy)
    return seen


@pytest.mark.parametrize("command", list(COMMANDS))
def test_what_is_answered_is_not_asked_again(
    burgrave: Burgrave, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an error, Ctrl-C and half a line; what is printed is that of one run."""
    call, file = [command, *COMMANDS[command]], tmp_path / "kept.jsonl"
    whole = [burgrave(*call, *more) for more in ([], ["--json"])]
    with monkeypatch.context() as patch:
        spied(patch, command, KeyboardInterrupt())
        assert burgrave(*call, "--keep", str(file)).code == INTERRUPTED
        assert file.read_text(encoding="utf-8").count("\n") == 2
    with monkeypatch.context() as patch:
        seen = spied(patch, command, QuestionError("no answer"))
        assert burgrave(*call, "--keep", str(file)).code == NO
        assert len({*seen}) == 2
    kept = file.read_bytes()
    assert kept.count(b"\n") == 3
    last = kept.splitlines(keepends=True)[-1]
    file.write_bytes(kept[:-7])
    with monkeypatch.context() as patch:
        seen = spied(patch, command)
        told = burgrave(*call, "--keep", str(file))
        assert len({*seen}) == 2
    assert file.read_bytes().startswith(kept.removesuffix(last))
    with monkeypatch.context() as patch:
        seen = spied(patch, command)
        data = burgrave(*call, "--keep", str(file), "--json")
    assert not seen
    for one, other in zip(whole, (told, data), strict=True):
        assert (other.code, other.out) == (one.code, one.out)


def test_a_file_of_something_else_is_refused(burgrave: Burgrave, tmp_path: Path) -> None:
    """Of other options, of another command, or with a line that no run has written."""
    file = tmp_path / "kept.jsonl"
    call = ("solve", DOOR, "--keep", str(file))
    assert burgrave(*call).code == ANSWERED
    kept = file.read_text(encoding="utf-8")
    others = [(*call, "--certify"), ("verify", "RB-01", "--keep", str(file))]
    for other in others:
        told = burgrave(*other)
        assert (told.code, "line 1: keeps answers of another" in told.err) == (UNUSABLE, True)
    for line in ("nothing", '{"item": "0", "result": [{}]}', '{"item": "0"}'):
        file.write_text(f"{kept}{line}\n", encoding="utf-8")
        told = burgrave(*call)
        assert (told.code, "line 3 is no answer of burgrave solve" in told.err) == (UNUSABLE, True)
    assert burgrave("solve", DOOR, "--ask", "--keep", str(file)).code == UNUSABLE


def test_a_full_disk_loses_nothing(burgrave: Burgrave, tmp_path: Path) -> None:
    """One message; what is kept stays, and the same command goes on."""
    resource = pytest.importorskip("resource")
    file = tmp_path / "kept.jsonl"
    call = ("verify", *COMMANDS["verify"], "--keep", str(file))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (HALF, before[1]))
    try:
        told = burgrave(*call)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (told.code, told.err) == (
        UNUSABLE,
        f"Error: {file}: cannot be written: File too large\n",
    )
    kept = file.read_bytes()
    assert len(kept) == HALF
    assert burgrave(*call).code == ANSWERED
    assert file.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
