"""The composer's bench: soundness, cooks, idle pieces, the finished file, Ctrl-C, broken input."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from burgrave.model.engine import legal_moves
from burgrave.model.files.positions import read_position
from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.puzzles.cards.verdict import Verdict
from burgrave.puzzles.files.library import find, puzzle
from burgrave.puzzles.files.puzzle_files import load_puzzle
from burgrave.puzzles.judging.solving import solve
from burgrave.puzzles.making import bench
from burgrave.puzzles.making.bench import Piece, removed
from burgrave.puzzles.questions import Best
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.simplify import pieces
from burgrave.solver.limits import Limits
from tests.cli.conftest import Burgrave

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
DOOR, WAYS = str(EXAMPLES / "to-the-door.toml"), str(EXAMPLES / "two-ways.toml")
KEEP = """
[[position.kinds]]
id = "Keep"
segments = ["tower N S", "house E", "house W"]
"""

BARE = """burgrave = 1
type = "position"
game = "carcassonne"
board = ["D@0,0r0"]
order = ["U"]
player.red = { supply = 0 }
"""


def door(board: str = "", **changed: str) -> str:
    """Return the text of a sound puzzle, with a tile more on its board, or with other keys."""
    text = (EXAMPLES / "to-the-door.toml").read_text(encoding="utf-8")
    if board:
        text = text.replace('herald.E"]', f'herald.E", "{board}"]') + KEEP
        text = text.replace("[position.start_spaces]", '[position.start_spaces]\n"18/19" = "tower"')
    for old, new in changed.items():
        text = text.replace({"value": "value = 3", "move": "Door@1,2r3"}[old], new)
    return text


def test_a_sound_puzzle_is_written_whole(burgrave: Burgrave, tmp_path: Path) -> None:
    """Two makes of engines prove it; what is written solves as every finished puzzle does.

    The author's words stay, and stand in the explanation.
    """
    file, given = tmp_path / "my-door.toml", tmp_path / "door.toml"
    words = "The door stops the path."
    text = door().replace("[answer]", f'[lesson]\nkey = "{words}"\n\n[answer]', 1)
    given.write_text(text, encoding="utf-8")
    told = burgrave("compose", str(given), "--out", str(file), "--title", "My door", "--json")
    assert told.code == 0
    found = told.data
    assert (found["sound"], found["whole"], found["key"]) == (True, True, "Door@1,2r3")
    assert (found["cooks"], found["faults"], found["idle"]) == ([], [], [])
    assert len(found["makes"]) == len(found["engines"]) == 2
    assert all(one["margin"] == found["value"] - one["value"] > 0 for one in found["tries"])
    made = load_puzzle(file)
    assert (made.id, made.title, found["file"]) == ("to-the-door", "My door", str(file))
    assert made.measures is not None
    assert made.measures.data == found["quality"]
    assert solve(made).passed
    assert made.lesson.key == words
    assert words in made.explanation
    assert burgrave("compose", DOOR, "--out", str(file)).code == 2


def test_a_written_puzzle_has_the_date_of_its_proof(
    burgrave: Burgrave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As shipped puzzles have; the environment may name it, so that a build can be repeated."""

    def written(epoch: str) -> str:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        file = tmp_path / f"door{epoch}.toml"
        assert burgrave("compose", DOOR, "--out", str(file)).code == 0
        stamp = load_puzzle(file).certification
        assert stamp is not None
        return stamp.date

    assert written("86400") == "1970-01-02"
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", written(""))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "tomorrow")
    refused = burgrave("compose", DOOR, "--out", str(tmp_path / "never.toml"))
    assert refused.code == 2
    assert "SOURCE_DATE_EPOCH is 'tomorrow'" in refused.err


def test_cooks_are_listed_and_refused(burgrave: Burgrave, tmp_path: Path) -> None:
    """Every other best move is a cook, and no file is written."""
    file = tmp_path / "cooked.toml"
    told = burgrave("compose", WAYS, "--question", "best", "--out", str(file), "--json")
    best = burgrave("best", WAYS, "--json").data
    assert told.code == 1
    assert sorted([told.data["key"], *told.data["cooks"]]) == sorted(
        one["notation"] for one in best["moves"] if one["value"] == 12
    )
    assert told.data["cooks"]
    assert not file.exists()
    assert "is not written: 3 other moves are as good" in told.err


def test_where_nobody_can_score_every_move_is_best() -> None:
    """A best value of 0 is one like any other."""
    at = read_position("bare", BARE)
    *_, last = bench.examined(at, Best(), tell=lambda _: None)
    assert (last.puzzle.answer.value, last.told) == (0, True)
    assert {last.key, *last.cooks} == {write_move(at, move) for move in legal_moves(at)}
    assert last.faults == (f"2 other moves are as good as {last.key}",)


def test_an_idle_tile_is_named(burgrave: Burgrave) -> None:
    """A tile far from the scene can go, and the solution stays alone without it."""
    told = burgrave("compose", "-", text=door("Keep@2,6r1"))
    assert told.code == 0, told.err
    assert "tile Keep on 2,6" in told.out
    assert "tile Way on 0,2" not in told.out


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"value": "value = 4"}, "the file gives the value 4; it is 3"),
        ({"move": "Door@0,1r1"}, "the file names Door@0,1r1 as best; it is not"),
    ],
)
def test_the_answer_of_the_file_is_examined_too(
    burgrave: Burgrave, changed: dict[str, str], fault: str
) -> None:
    """A composer who is wrong hears the right answer."""
    told = burgrave("compose", "-", "--json", text=door("", **changed))
    assert (told.code, told.data["sound"]) == (1, False)
    assert fault in told.data["faults"]


@pytest.mark.parametrize(
    ("args", "text", "message"),
    [
        (("missing.toml",), "", "cannot be read"),
        (("-",), "burgrave = 1\ntype = 'puzzle'", "id"),
        ((WAYS, "--question", "legal"), "", "no question 'legal'"),
        ((WAYS, "--mode", "helped"), "", "the question force has no --mode"),
        ((DOOR, "--question", "best"), "", "states its question; leave out --question"),
        (("a-house-at-the-end-of-the-path",), "", "the question 'legal' is not answered by a move"),
    ],
)
def test_broken_input_is_refused_in_words(
    burgrave: Burgrave, args: tuple[str, ...], text: str, message: str
) -> None:
    """Exit code 2 and one message; nothing on standard output."""
    told = burgrave("compose", *args, text=text)
    assert (told.code, told.out) == (2, "")
    assert message in told.err


def test_a_limit_leaves_soundness_open(burgrave: Burgrave, tmp_path: Path) -> None:
    """Without a proof there is no verdict, no file, and exit code 3."""
    file = tmp_path / "open.toml"
    told = burgrave("compose", "market-day", "--nodes", "1", "--out", str(file), "--json")
    assert (told.code, told.data["sound"], told.data["proved"]) == (3, False, False)
    assert "is not written" in told.err
    assert not file.exists()


def test_ctrl_c_keeps_what_is_known(burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine ends at Ctrl-C like at the end of its time; the examination ends there too."""

    def interrupted(_: Puzzle) -> Iterator[Position | None]:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            yield None
        raise AssertionError("the examination went on")

    monkeypatch.setattr(bench, "economy", interrupted)
    outside = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        told = burgrave("compose", DOOR, "--json")
        left = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, outside)
    assert (told.code, told.data["whole"], told.data["sound"]) == (3, False, False)
    assert told.data["tries"]
    assert told.data["idle"] is None
    assert "Interrupted" in told.err
    assert left is signal.default_int_handler


def test_ctrl_c_in_the_proof_asks_no_further_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is stopped says nothing; another one would begin anew."""
    asked = []

    def stopped(*_: object, **__: object) -> list[Verdict]:
        asked.append("certify")
        return []

    def tell(stage: str) -> None:
        if asked:
            raise KeyboardInterrupt
        assert stage

    monkeypatch.setattr(bench, "certify", stopped)
    whole = load_puzzle(Path(DOOR))
    with pytest.raises(KeyboardInterrupt):
        list(bench.examined(whole.position, whole.question, tell=tell))
    assert asked == ["certify"]


def test_work_without_a_limit_ends_with_the_time(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stages share one clock, which ends those too that ask many small questions."""

    def endless(*_: object) -> None:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(bench, "described", endless)
    told = burgrave("compose", DOOR, "--time", "4", "--json")
    assert (told.code, told.data["whole"], told.data["idle"]) == (3, False, [])
    assert "The time is used up: the rest is not examined." in told.err


def test_a_partial_answer_breaks_nothing(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a stopped engine knows may be too little for the stage that asked it."""

    def stopped(*_: object) -> None:
        while True:
            try:
                time.sleep(0.05)
            except KeyboardInterrupt:
                raise IndexError from None

    monkeypatch.setattr(bench, "described", stopped)
    told = burgrave("compose", DOOR, "--time", "4", "--json")
    assert (told.code, told.data["whole"]) == (3, False)


def test_the_help_names_every_question(burgrave: Burgrave) -> None:
    """``inflict`` was left out."""
    shown = "".join(burgrave("compose", "--help").out.split())
    (named,) = re.findall(r"--question(\S+?)Thequestion", shown)
    assert set(bench.EXAMINED) == set(named.strip("<>").split("|"))


def test_a_stage_has_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each had all of it, so five stages took five times the limit."""
    given: list[Limits] = []

    def certify(_: object, limits: Limits, **__: object) -> list[Verdict]:
        given.append(limits)
        return []

    monkeypatch.setattr(bench, "certify", certify)
    whole, clock = load_puzzle(Path(DOOR)), Limits(seconds=600).start()
    clock.started -= 200
    for _ in bench.examined(whole.position, whole.question, clock=clock, tell=lambda _: None):
        pass
    assert [0 < (one.seconds or 0) <= 400 for one in given] == [True, True]


def test_every_piece_is_named_by_what_is_gone() -> None:
    """A tile, a follower, a piece of the hand or of a tower: each kind has words of its own."""
    named = list[Piece]()
    for name in ("a-chapel-and-a-short-path", "a-busy-turn", "a-piece-and-a-guard"):
        at = puzzle(find(name)).position
        smaller = [less for less in (take(at) for take in pieces(at)) if less != at]
        named += [removed(at, less) for less in smaller]
        assert any(str(tile.cell) in one.text for tile in at.tiles[:1] for one in named)
        placed = [one.text for one in named if one.kind in {"tile", "follower", "wall tile"}]
        assert len(set(placed)) == len(placed)
    assert {(one.kind, one.text) for one in named if one.kind not in {"tile", "follower"}} >= {
        ("wall tile", "wall tile 7 on corner tower 20/21"),
        ("hand", "White's wall tile 6"),
        ("keep", "White's keep"),
        ("tokens", "White's aerie tokens"),
        ("history", "the list of tiles that are out of the game"),
        ("prisoners", "Red's prisoners"),
        ("tower", "the tower on 0,-1"),
    }


def test_the_search_for_idle_pieces_has_the_time_of_an_engine(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch, an_hour_passes: Callable[[], None]
) -> None:
    """When it is used up nothing further is examined, and the answer says so."""

    def slow(_: Puzzle) -> Iterator[None]:
        an_hour_passes()
        yield None
        raise AssertionError

    monkeypatch.setattr(bench, "economy", slow)
    told = burgrave("compose", DOOR, "--time", "60")
    assert told.code == 3
    assert "not enough time to try every piece" in told.out
    assert "Key: Door@1,2r3" in told.out
