"""Unusable files and arguments: exit 2, one message, no traceback, nothing written."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from burgrave.cli.app import app
from burgrave.model.files.paths import MOST_BYTES
from burgrave.model.files.schema import PositionFile
from burgrave.model.registry import GAMES
from burgrave.puzzles.files.library import find
from tests.cli.conftest import DATA, Burgrave

PUZZLE = (DATA / "puzzle.toml").read_text(encoding="utf-8")
RECORD = (DATA / "record.toml").read_text(encoding="utf-8")
SAVE = (DATA.parent / "jcz" / "field-scoring.jcz").read_text(encoding="utf-8")
TILES = (DATA / "tiles.toml").read_text(encoding="utf-8")
POSITION = """
burgrave = 1
type = "position"
board = ["Way@0,2r1 white:herald.E"]
order = ["Way"]

[[kinds]]
id = "Way"
count = 3
segments = ["path N S", "court NR E SL", "court SR W NL market"]

[white]
score = 1

[black]
score = 2
"""

POSITIONS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "is empty"),
    "blank": (" \n\n", "is empty"),
    "binary": (b"\x7fELF\x00\xff\xfe", "is not UTF-8"),
    "no TOML": ("burgrave = = 1", "is not TOML"),
    "no JSON": ('{"burgrave": 1,', "is not JSON"),
    "a JSON list": ("[1, 2]\n", "is not TOML"),
    "a key twice": (POSITION + "\n[white]\nscore = 3\n", "is not TOML"),
    "control characters": ("a = 1\x00\x01", "is not TOML"),
    "deeply nested": ('{"a":' * 100_000 + "1" + "}" * 100_000, "cannot be parsed"),
    "too large": (POSITION + "#" * MOST_BYTES, "larger than"),
    "no version": (POSITION.replace("burgrave = 1", ""), "the file version is missing"),
    "a version of the future": (POSITION.replace("= 1\ntype", "= 2\ntype"), "version is 2"),
    "a version as text": (POSITION.replace("= 1\ntype", '= "1"\ntype'), "version is '1'"),
    "no type": (POSITION.replace('type = "position"', ""), "type: found None"),
    "another type": (TILES, "type: found 'tiles'"),
    "a record": (RECORD, "is a record of 3 turns, not a position: add --at TURN"),
    "an unknown key": (POSITION.replace("order", "ordre"), "ordre: no such key"),
    "an unknown game": ('game = "chess"\n' + POSITION, f"expected {', '.join(GAMES)}"),
    "an unknown set": ('tiles = "nix"\n' + POSITION, "tiles: no set 'nix'"),
    "an unknown player": ('to_move = "red"\n' + POSITION, "to_move: found 'red'"),
    "a score as text": (POSITION.replace("score = 1", 'score = "1"'), "white.score: "),
    "a score far below zero": (POSITION.replace("score = 1", "score = -10000"), "white.score: "),
    "a huge number": (POSITION.replace("score = 1", "score = 0x1" + "0" * 5000), "white.score: "),
    "a number that is none": (POSITION.replace("score = 1", "score = nan"), "white.score: "),
    "no list of tiles": (POSITION.replace('["Way"]', '"Way"'), "order: "),
    "an unknown tile to come": (POSITION.replace('["Way"]', '["Nix"]'), "order[0]: "),
    "an unknown tile in the bag": (
        POSITION.replace("[white]", "[bag]\nNix = 1\n[white]"),
        "bag.Nix",
    ),
    "none of a tile in the bag": (
        POSITION.replace("[white]", "[bag]\nWay = 0\n[white]"),
        "bag.Way",
    ),
    "an unknown tile on the board": (POSITION.replace("Way@0", "Nix@0"), "board[0]: "),
    "a board line without a cell": (POSITION.replace("@0,2r1", ""), "board[0]: "),
    "a rotation of 4": (POSITION.replace("r1", "r4"), "rotation 4"),
    "an unknown role": (POSITION.replace("herald", "bishop"), "no follower 'bishop'"),
    "a follower of nobody": (POSITION.replace("white:", "red:"), "no player red"),
    "a follower on no segment": (POSITION.replace("herald.E", "herald.#7"), "no segment #7"),
    "an unknown tower": (POSITION.replace("[white]", '[towers]\n"1/2" = 3\n[white]'), "towers.1/2"),
    "a wall tile 10": (
        POSITION.replace("[white]", '[towers]\n"12/13" = 10\n[white]'),
        "towers.12/13",
    ),
    "an unknown switch": (
        POSITION.replace("[white]", '[switches]\nnix = "on"\n[white]'),
        "switches.nix",
    ),
    "a value no switch has": (
        POSITION.replace("[white]", '[switches]\ndouble_once = "maybe"\n[white]'),
        "switches.double_once",
    ),
    "an unknown start space": (
        POSITION.replace("[white]", '[start_spaces]\n"1/2" = "path"\n[white]'),
        "start_spaces.1/2",
    ),
    "an unknown picture": (
        POSITION.replace("[white]", '[start_spaces]\n"6/7" = "moat"\n[white]'),
        "start_spaces.6/7",
    ),
    "a kind with a hole": (POSITION.replace('"court NR E SL", ', ""), "nothing lies at"),
    "a kind of no sort": (POSITION.replace("court NR", "moat NR"), "no kind of segment"),
    "a kind without segments": (POSITION.replace("segments", "segmnts"), "kinds[0].segmnts"),
    "a kind with a bad id": (POSITION.replace('id = "Way"', 'id = "W y"'), "kinds[0].id"),
    "a kind twice": (
        POSITION + POSITION[POSITION.index("[[kinds]]") : POSITION.index("[white]")],
        "kinds[1]",
    ),
    "a square of a court": (POSITION.replace("[white]", "squares = [[1]]\n[white]"), "square [1]"),
}
"""Broken positions on standard input by what is wrong, with words of the message."""


def one_message(code: int, out: str, err: str) -> None:
    """Assert that the program ended with exit 2, nothing answered and a message."""
    assert (code, out) == (2, "")
    assert "Error: " in err
    assert err.count("Error: ") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("command", ["check", "best", "draw"])
def test_a_broken_position_is_refused(burgrave: Burgrave, command: str, name: str) -> None:
    """The message names the input, the place and what is wrong."""
    text, words = POSITIONS[name]
    answer = burgrave(command, "-", text=text)
    one_message(answer.code, answer.out, answer.err)
    assert "standard input" in answer.err
    assert words in answer.err


OTHERS: dict[str, tuple[list[str], str, str]] = {
    "best: two tiles on a cell of a puzzle": (
        ["best", "-"],
        PUZZLE.replace('.E"]', '.E", "Way@0,2r0"]'),
        "position.board[1]",
    ),
    "record: a move that is none": (["replay", "-"], RECORD.replace("T33@", "T33/"), "move 2"),
    "record: an unreadable final": (
        ["replay", "-"],
        RECORD.replace("moves = [", 'final = "9"\nmoves = ['),
        "final",
    ),
    "record: a result as text": (
        ["replay", "-"],
        RECORD.replace("    20,", '    "20",'),
        "result[0]",
    ),
    "record: an impossible position": (
        ["replay", "-"],
        RECORD.replace("supply = 6", "supply = 7"),
        "position.white.supply",
    ),
    "record: a position": (["replay", "-"], POSITION, "type: found 'position'"),
    "replay: a turn after the end": (["replay", "-", "--at", "5"], RECORD, "allowed are 1 to 4"),
    "replay: turn 0": (["replay", "-", "--at", "0"], RECORD, "--at"),
    "replay: a file for nothing": (["replay", "-", "-o", "x.toml"], RECORD, "--at"),
    "replay: an illegal move on the way": (
        ["replay", "-", "--at", "3"],
        RECORD.replace("T33@1,2r3", "T33@7,7r3"),
        "move 2 of standard input is illegal",
    ),
    "import: a record": (["import", "-"], RECORD, "burgrave replay reads it"),
    "import: a set of another game": (
        ["import", "-"],
        SAVE.replace('"basic:1"', '"river:1"'),
        "setup.sets: not supported: river:1;",
    ),
    "import: no such file": (["import", str(DATA / "no.jcz")], "", "no.jcz"),
    "import: unknown without a turn": (["import", "-", "--unknown"], SAVE, "--at"),
    "puzzle: a position": (["solve", "-"], POSITION, "type: found 'position'"),
    "puzzle: no answer": (["solve", "-"], PUZZLE.replace("[answer]", "[anwer]"), "answer: "),
    "puzzle: no stored move": (
        ["solve", "-"],
        PUZZLE.replace('["Door@1,2r3"]', "[]"),
        "answer.moves",
    ),
    "puzzle: a move that is none": (["solve", "-"], PUZZLE.replace("r3", "r9"), "answer.moves"),
    "puzzle: an unknown question": (
        ["solve", "-"],
        PUZZLE.replace('"best"', '"worst"'),
        "question",
    ),
    "moves: a tile that is not there": (["moves", "-", "--tile", "Nix"], POSITION, "tile 'Nix'"),
    "best: no time": (["best", "-", "--time", "0"], POSITION, "--time 0"),
    "best: time below zero": (["best", "-", "--time", "-1"], POSITION, "--time -1"),
    "best: time that is no number": (["best", "-", "--time", "nan"], POSITION, "--time nan"),
    "best: time in words": (["best", "-", "--time", "soon"], POSITION, "--time"),
    "best: no moves wanted": (["best", "-", "--top", "0"], POSITION, "--top"),
    "best: fewer than no moves": (["best", "-", "--top", "-3"], POSITION, "--top"),
    "best: an unknown objective": (["best", "-", "--objective", "fun"], POSITION, "--objective"),
    "best: an unknown engine": (["best", "-", "--engine", "magic"], POSITION, "--engine"),
    "best: nothing left to draw": (
        ["best", "-"],
        POSITION.replace('["Way"]', "[]"),
        "the game is over",
    ),
    "check: a move that is none": (["check", "-", "Way@1,2 bishop.N"], POSITION, "character 9"),
    "check: an empty move": (["check", "-", ""], POSITION, "a move names a tile"),
    "play: no move": (["play", "-"], POSITION, "MOVE"),
    "play: the second move is none": (["play", "-", "Way@1,2r1", "nix"], POSITION, "move 2"),
    "draw: an unknown colour choice": (["draw", "-", "--color", "red"], POSITION, "--color"),
    "new: an unknown game": (["new", "chess"], "", "chess"),
    "new: a seed in words": (["new", "castle", "--seed", "x"], "", "--seed"),
    "new: seed and unknown": (["new", "castle", "--seed", "1", "--unknown"], "", "--unknown"),
    "rules: an unknown rule": (["rules", "castle.nix"], "", "castle.nix"),
    "rules: half a word": (["rules", "castle.pla"], "", "castle.pla"),
    "verify: an unknown card": (["verify", "XX-99"], "", "XX-99"),
    "verify: an engine that cannot": (["verify", "CA-69", "--engine", "state"], "", "state"),
    "tiles: no such set": (["tiles", "show", "nix"], "", "nix"),
    "no such position": (["check", "no-such-position"], "", "no-such-position"),
    "no such puzzle": (["solve", "no-such-puzzle"], "", "no-such-puzzle"),
    "no such command": (["chekc"], "", "chekc"),
    "no such option": (["check", "-", "--nix"], POSITION, "--nix"),
}
"""Command lines that cannot be answered, with standard input and words of the message."""


@pytest.mark.parametrize("name", OTHERS)
def test_what_cannot_be_answered_is_refused(burgrave: Burgrave, name: str) -> None:
    """One message that says what is wrong."""
    args, text, words = OTHERS[name]
    answer = burgrave(*args, text=text)
    one_message(answer.code, answer.out, answer.err)
    assert words in answer.err


def test_several_faults_are_listed_at_once(burgrave: Burgrave) -> None:
    """All problems of a file come in one message, each with its place."""
    text = POSITION.replace("score = 1", "score = 1.5").replace("score = 2", "scor = 2")
    err = burgrave("check", "-", text=text).err
    assert "white.score: " in err
    assert "black.scor: no such key" in err


def test_no_fault_is_told_twice(burgrave: Burgrave, tmp_path: Path) -> None:
    """Of several files and lines every one, and of a value or a game that may be several once."""
    bad = find("a-long-road-by-the-tower").text.replace("value = 1\n", 'value = "one"\n', 1)
    path, lines = tmp_path / "bad.toml", tmp_path / "bad.jsonl"
    path.write_text(bad)
    text = json.dumps(tomllib.loads(bad))
    lines.write_text(f"{text}\n\n{text}\n")
    answer = burgrave("solve", str(path), str(lines), str(path), "no-such-puzzle")
    told = [line for line in answer.err.splitlines() if "give a whole number" in line]
    assert [line.partition(": answer.value: ")[0] for line in told] == [
        f"Error: {path}",
        f"{lines}: line 1",
        f"{lines}: line 3",
    ]
    assert len(answer.err.splitlines()) == len(told) + 1
    assert answer.code == 2
    path.write_text(bad.replace("carcassonne+tower", "chess").replace('"one"', "1"))
    assert len(burgrave("check", str(path)).err.splitlines()) == 1


@pytest.mark.parametrize(
    "args", [["check"], ["draw"], ["best"], ["replay"], ["import"], ["solve"], ["tiles", "check"]]
)
def test_a_path_that_is_no_file_is_refused(
    burgrave: Burgrave, tmp_path: Path, args: list[str]
) -> None:
    """A missing file, a folder, a file in no folder and a device without end."""
    for path in (tmp_path / "no.toml", tmp_path, tmp_path / "no" / "no.toml", Path("/dev/zero")):
        answer = burgrave(*args, str(path))
        one_message(answer.code, answer.out, answer.err)
        assert str(path) in answer.err


@pytest.mark.parametrize("words", ["moat", "segmnts", "court NR E", "fountain market"])
def test_a_broken_tile_set_is_refused(burgrave: Burgrave, tmp_path: Path, words: str) -> None:
    """The message names the file and the tile."""
    old = {"segmnts": "segments", "court NR E": "court NR E SL"}.get(words, "fountain")
    path = tmp_path / "set.toml"
    path.write_text(TILES.replace(old, words, 1))
    answer = burgrave("tiles", "check", str(path))
    one_message(answer.code, answer.out, answer.err)
    assert f"{path}: tile[0]" in answer.err


@pytest.mark.parametrize("target", ["there.toml", ".", "no/such/folder.toml"])
def test_nothing_is_written_where_nothing_may_be(
    burgrave: Burgrave, tmp_path: Path, target: str
) -> None:
    """A file that is there, a folder, a missing folder: refused before any work."""
    there = tmp_path / "there.toml"
    there.write_text("mine")
    answer = burgrave("play", "-", "Way@1,2r1", "-o", str(tmp_path / target), text=POSITION)
    one_message(answer.code, answer.out, answer.err)
    assert [path.name for path in tmp_path.iterdir()] == ["there.toml"]
    assert there.read_text() == "mine"


def test_a_broken_input_writes_nothing(burgrave: Burgrave, tmp_path: Path) -> None:
    """No file is left behind when the position or a move cannot be read."""
    target = str(tmp_path / "after.toml")
    for text, move in ((POSITION, "nix"), (POSITION.replace("order", "ordre"), "Way@1,2r1")):
        answer = burgrave("play", "-", move, "-o", target, text=text)
        one_message(answer.code, answer.out, answer.err)
    assert list(tmp_path.iterdir()) == []


def _usable(args: list[str], text: str | bytes) -> None:
    """Assert that a command line ends with a documented code and, if refused, one message."""
    result = CliRunner().invoke(app, args, input=text)
    assert isinstance(result.exception, SystemExit | None), repr(result.exception)
    assert result.exit_code in {0, 1, 2, 3}
    if result.exit_code == 2:
        one_message(2, result.stdout, result.stderr)


@given(text=st.text() | st.binary())
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    """Whatever comes in is answered or refused."""
    _usable(["check", "-"], text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(sorted(PositionFile.model_fields))


@given(changes=st.dictionaries(KEYS, JSON, max_size=3))
def test_any_value_of_a_key_is_read_or_refused(changes: dict[str, object]) -> None:
    """A position with keys of any value is answered or refused."""
    data = {"burgrave": 1, "type": "position", "order": ["K01"], **changes}
    _usable(["check", "-"], json.dumps(data))


@given(
    place=st.integers(0, len(PUZZLE) - 1),
    gone=st.integers(0, 5),
    new=st.text(alphabet=st.sampled_from("0123456789.,@#=[]{}\"'-NESWrlx \n"), max_size=4),
)
def test_any_slip_of_the_pen_is_read_or_refused(place: int, gone: int, new: str) -> None:
    """A puzzle with a few characters changed is answered or refused."""
    _usable(["check", "-"], PUZZLE[:place] + new + PUZZLE[place + gone :])


@given(
    move=st.text(alphabet=st.sampled_from("WayDor@0123,.rnNESWLR#=*+!?/:-hksmp \t"), max_size=24)
)
def test_any_move_is_read_or_refused(move: str) -> None:
    """A move of any characters of the notation is answered or refused."""
    _usable(["check", "-", "--", move], POSITION)


LONG = "a" * 5000
PATHS = (
    "check {}",
    "check {}.toml",
    "solve {}",
    "solve {}.jsonl",
    "replay {}",
    "import {}",
    "draw {}",
    "booklet {} -o x.pdf",
    "serve {}",
    "tiles check {}",
    "tiles show {}",
    "new castle -o {}.toml",
    "draw castle-04 -o {}.svg",
    "import - -o {}",
    "generate --theme patience -o {}.jsonl",
    "generate --theme patience -o {}/x.jsonl",
)
"""Command lines with the name of a file."""


@pytest.mark.parametrize("command", PATHS)
@pytest.mark.parametrize(
    "name", [LONG, "a\0b", "\udcff/\udcfe", "no/such/\x1b[31m"], ids=["long", "nul", "bytes", "red"]
)
def test_no_name_of_a_file_breaks_a_command(
    burgrave: Burgrave, command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names that no file can have: too long, with a NUL, or of bytes that are no UTF-8."""
    monkeypatch.chdir(tmp_path)
    answer = burgrave(*(word.format(name) for word in command.split()), text=SAVE)
    one_message(answer.code, answer.out, answer.err)
    assert len(answer.err) < 9000
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [LONG, "a\0b"], ids=["long", "nul"])
def test_no_name_of_a_folder_breaks_generate(burgrave: Burgrave, name: str) -> None:
    """A folder that is not there is made, if it can be."""
    answer = burgrave("generate", "--theme", "patience", "-o", name)
    one_message(answer.code, answer.out, answer.err)


@pytest.mark.parametrize("command", ["check {}", "solve {}", "replay {}", "import {}"])
def test_a_folder_and_what_may_not_be_read_are_no_files(
    burgrave: Burgrave, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a file in a folder that may not be looked into."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    answer = burgrave(*(word.format(tmp_path) for word in command.split()))
    one_message(answer.code, answer.out, answer.err)
    monkeypatch.setattr(Path, "stat", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    answer = burgrave(*(word.format("position") for word in command.split()))
    one_message(answer.code, answer.out, answer.err)
    assert "Permission denied" in answer.err


TYPING_ERRORS = {
    "check castel-04": "castle-04",
    "solve a-road-and-a-feild": "a-road-and-a-field",
    "rules castle.keeps": "castle.keep",
    "verify castle.kepe": "castle.keep",
    "puzzles keep-rase": "keep-race",
    "booklet patiense -o x.html": "patience",
    "generate --theme pateince -o x": "patience",
    "generate --rule castel.keep -o x": "castle.keep",
    "generate --theme patience --question foce -o x": "force",
    "new castel": "castle",
    "new carcassonne --edition rg2006": "rgg2006",
    "new castle --first wite": "white",
    "tiles show castel": "castle",
    "best castle-04 --objectve lead": "--objective",
    "best castle-04 --objective laed": "lead",
    "force castle-04 --engine serch": "search",
    "max castle-04 --mode helpd": "helped",
    "expect castle-04 --tile K3": "K30, K31 or K32",
    "play castle-04 K355@2,2": "K35",
    "chekc castle-04": "check",
    "tiles shw": "show",
    "draw castle04": "castle-04",
    "rules fountan": "fountain or fountains",
    "rules wall.7": "castle.wall.7",
    "tiles show falcn": "falcon",
    "new carcasonne": "carcassonne",
    "max castle-04 --order chose": "choose",
    "check the-corner-of-the-citty": "the-corner-of-the-city",
    "check castle-04.toml": "castle-04",
    "check CA-999": "CA-09, CA-19 or CA-29",
    "switches doubel_once": "double_once",
    "max castle-04 --for whte": "white",
    "max castle-04 --objective pionts": "points",
    "count castle-04 --best forse": "force",
    "solve market-day --engine serch": "search",
    "moves castle-04 --tile K355": "K35",
    "serve castel-04": "castle-04",
    "--vresion": "--version",
}
"""Command lines with a typing error, and what was meant."""


@pytest.mark.parametrize("command", TYPING_ERRORS)
def test_a_typing_error_is_met_with_what_was_meant(burgrave: Burgrave, command: str) -> None:
    """The likeliest names, three at most, and never a list of a hundred."""
    answer = burgrave(*command.split())
    assert (answer.code, answer.out) == (2, "")
    assert f"Did you mean {TYPING_ERRORS[command]}?" in answer.err
    assert answer.err.startswith("Error: ")
    # A faulty move is shown below the message, with the place of the fault.
    assert len(answer.err.splitlines()) == (3 if "@" in command else 1)
    assert len(answer.err) < 250


@pytest.mark.parametrize(
    ("name", "meant"), [("two-wais.toml", "two-ways.toml"), ("two-ways", "two-ways.toml")]
)
def test_a_mistyped_file_is_met_with_the_files_of_its_folder(
    burgrave: Burgrave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    """Only files that Burgrave can read are suggested."""
    monkeypatch.chdir(tmp_path)
    for file in ("two-ways.toml", "two-wais.txt"):
        (tmp_path / file).write_text(POSITION)
    answer = burgrave("check", name)
    assert answer.code == 2
    assert answer.err.endswith(f"Did you mean {meant}?\n")


def test_a_mistyped_value_of_a_switch_is_met_with_what_was_meant(burgrave: Burgrave) -> None:
    """The values that it has are listed too."""
    text = POSITION.replace("[white]", '[switches]\ndouble_once = "of"\n[white]', 1)
    said = "double_once: found 'of', allowed are on, off. Did you mean off?"
    assert said in burgrave("check", "-", text=text).err


@pytest.mark.parametrize("command", ["check zzz", "rules zzz", "generate --theme zzz -o x"])
def test_a_name_like_no_other_is_met_with_where_to_look(burgrave: Burgrave, command: str) -> None:
    """Where there are too many to list them."""
    answer = burgrave(*command.split())
    assert (answer.code, len(answer.err) < 200, "list" in answer.err) == (2, True, True)
