"""The site that ``publish`` writes: whole, the same again, and put in place at once."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from burgrave.cli.publish import folder, kept
from burgrave.cli.publish.puzzles import Recording
from burgrave.cli.publish.site import LIST, listing
from burgrave.cli.serve.bundle import bundle
from burgrave.cli.serve.puzzle_sets import SHIPPED, PuzzleSets
from burgrave.model.errors import FileError, QuestionError
from burgrave.puzzles.files import sets as shipped
from burgrave.puzzles.files.library import find, puzzle
from burgrave.puzzles.files.sets import shipped_sets
from burgrave.puzzles.questions import Force
from burgrave.solver.kernel import compiling
from burgrave.solver.limits import Limits
from tests.cli.conftest import Burgrave

QUICK = ("a-house-at-the-end-of-the-path", "the-field-between-two-cities")
"""Puzzles whose replies need no search."""
SMALL = "three-points-but-where"
"""A puzzle of two turns with few first moves."""
NAMESPACE = b"http://www.w3.org/2000/svg"
"""A name and no address."""
_ELSEWHERE = re.compile(rb"//[a-z]+\.[a-z]|[\"'(]/[a-z]")
"""An address outside the folder of the site."""


def data_of(path: Path) -> Any:
    """Return what a file of data hands over."""
    found = re.fullmatch(
        r'burgrave\("([^"]+)",(.*)\);\n', path.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    assert found[1] == path.stem
    return json.loads(found[2])


def test_a_site_is_whole_and_the_same_again(
    burgrave: Burgrave, tmp_path: Path, few_cards: None
) -> None:
    """Every file that is named is there; nothing points out of the folder."""
    made = []
    for name in ("one", "two"):
        answer = burgrave("publish", str(tmp_path / name), SMALL, "--title", "A & B", "--json")
        assert answer.code == 0, answer.err
        files = {
            path.relative_to(tmp_path / name).as_posix(): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        told = answer.data
        assert (told["puzzles"], told["unjudged"]) == ([SMALL], [])
        assert (told["files"], told["bytes"]) == (len(files), sum(map(len, files.values())))
        made.append(files)
    assert made[0] == made[1]
    (files, _), site = made, tmp_path / "one"
    assert set(json.loads(files[LIST])["files"]) == set(files) - {LIST}
    start = files["index.html"].decode()
    assert "<h1>A &amp; B</h1>" in start
    assert "module" not in start
    for named in re.findall(r'(?:src|href)="([^"]+)"', start):
        assert named in files
    for name, content in files.items():
        if name != "app.js":  # whose addresses are those of replies that the site holds
            assert not _ELSEWHERE.search(content.replace(NAMESPACE, b"")), name
    assert b"fetch(" not in files["app.js"]
    listed = data_of(site / "data" / "set.js")
    assert [one["id"] for one in listed["puzzles"]] == [SMALL]
    assert len(listed["tiles"]) == len(list((site / "data").glob("tiles-*.js")))
    rules, cases = (data_of(site / "data" / f"{name}.js") for name in ("rules", "cases-CA"))
    assert {name.lower() for name in cases["cases"]} <= set(rules["cards"])
    shown = next(iter(cases["cases"].values()))["svg"]
    assert "".join(cases["pieces"][number] for number in shown).startswith("<svg")


def test_a_link_to_a_site_has_words_and_a_picture(
    burgrave: Burgrave, tmp_path: Path, few_cards: None
) -> None:
    """They name the address, which must be one of the web."""
    site = tmp_path / "site"
    wrong = burgrave("publish", str(site), SMALL, "--site", "example.org")
    assert (wrong.code, site.exists()) == (2, False)
    assert "give an address like https://" in wrong.err
    assert burgrave("publish", str(site), SMALL, "--site", "https://a.example/b").code == 0
    start = (site / "index.html").read_text(encoding="utf-8")
    assert '<meta property="og:url" content="https://a.example/b/">' in start
    assert 'content="1 puzzle of Carcassonne' in start
    pictured = find_spec("resvg_py") is not None
    assert ("https://a.example/b/preview.png" in start) is pictured
    assert (site / "preview.png").exists() is pictured


def test_every_move_that_is_offered_is_judged() -> None:
    """By its value, which is the stored one where the puzzle stores it; the rest is played on."""
    asked = puzzle(find(SMALL))
    made = Recording(PuzzleSets(), SHIPPED, SMALL, Limits())
    assert made.unjudged == 0
    (stop,) = made.data["stops"]
    offered = {one["notation"] for place in stop["turns"].values() for one in place["turns"]}
    assert offered == set(stop["answers"])
    values = asked.question.values(asked.position)
    for move, told in stop["answers"].items():
        assert told["right"] is (values[move] == asked.answer.value)
        assert told["lost"] == str(asked.answer.value - values[move])
        if not told["right"] and "steps" not in told:
            line = asked.question.line_after(asked.position, move)
            assert told["reply"]["move"] == line[1]
    for refuted in asked.refutations:
        steps = stop["answers"][refuted.move]["steps"]
        assert [one["notation"] for one in steps] == list(refuted.line)
        assert made.data["views"][steps[-1]["position"]]["over"]
        assert f"{stop['view']} {','.join(refuted.line)}" in made.data["moves"]


def test_what_was_found_out_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second site asks nothing anew; a changed puzzle or program, or a torn file, does."""
    asked = []
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(kept, "Recording", lambda *told: asked.append(told[2]) or Recording(*told))
    sets = PuzzleSets()
    first, _ = kept.recorded(sets, SHIPPED, QUICK[0], Limits())
    mine = sets.take("mine", map(puzzle, map(find, QUICK)))
    assert kept.recorded(sets, SHIPPED, QUICK[0], Limits()) == (first, 0)
    assert asked == [QUICK[0]]
    (there,) = tmp_path.iterdir()
    there.write_text('{"to', encoding="utf-8")
    assert kept.recorded(sets, SHIPPED, QUICK[0], Limits())[0] == first
    kept.recorded(sets, mine.id, QUICK[1], Limits())
    monkeypatch.setattr(kept, "_code", lambda: "another program")
    kept.recorded(sets, SHIPPED, QUICK[0], Limits())
    assert asked == [QUICK[0], QUICK[0], QUICK[1], QUICK[0]]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_full_disk_costs_no_reply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be kept is found out again; no half of a file stays."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    with monkeypatch.context() as disk:
        disk.setattr("tempfile.mkstemp", full)
        replies, unjudged = kept.recorded(PuzzleSets(), SHIPPED, QUICK[0], Limits())
    assert (bool(replies), unjudged) == (True, 0)
    assert list(tmp_path.iterdir()) == []
    assert kept.recorded(PuzzleSets(), SHIPPED, QUICK[0], Limits()) == (replies, 0)
    (there,) = tmp_path.iterdir()
    assert json.loads(there.read_text(encoding="utf-8")) == replies


def test_a_puzzle_goes_on_where_the_user_is_to_move_again() -> None:
    """After each right move that is not the last there is a place with replies."""
    made = Recording(PuzzleSets(), SHIPPED, "blue-is-one-tile-short", Limits()).data
    first = made["stops"][0]["answers"]
    on = [[one["notation"] for one in told["steps"]] for told in first.values() if told.get("more")]
    assert on
    assert [stop["played"] for stop in made["stops"]] == [[], *on]


@pytest.mark.parametrize(
    ("name", "right", "other"),
    [
        ("a-house-at-the-end-of-the-path", {"yes": False, "no": True}, None),
        ("the-field-between-two-cities", {"red 3, blue 0": True}, False),
        ("nothing-but-curves", {"3": True}, False),
        ("the-last-side-of-the-court", {"nobody": True}, False),
    ],
)
def test_answers_in_words_are_judged(name: str, right: dict[str, bool], other: object) -> None:
    """Yes and no are told apart; else any answer but the right one is wrong."""
    (stop,) = Recording(PuzzleSets(), SHIPPED, name, Limits()).data["stops"]
    assert {text: told["right"] for text, told in stop["answers"].items()} == right
    assert (stop["other"] and stop["other"]["right"]) is other
    assert stop["number"] is (name == "nothing-but-curves")


def test_shipped_sets_are_published_with_the_library() -> None:
    """Their puzzles are those of the library, which are written once."""
    listed = listing(PuzzleSets(), SHIPPED)
    assert [one["id"] for one in listed["sets"]] == list(listed["others"])
    known = [head["id"] for head in listed["puzzles"]]
    for other in listed["others"].values():
        assert other["story"]
        assert {head["id"] for head in other["puzzles"]} <= set(known)


def test_sets_are_published_by_their_names(
    burgrave: Burgrave, tmp_path: Path, few_cards: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set alone brings its title and story; beside others it can be chosen."""
    first, second = map(lambda one, name: replace(one, puzzles=(name,)), shipped_sets()[:2], QUICK)
    monkeypatch.setattr(shipped, "shipped_sets", lambda: (first, second))
    assert burgrave("publish", str(tmp_path / "one"), first.id).code == 0
    alone = data_of(tmp_path / "one" / "data" / "set.js")
    assert (alone["title"], alone["story"], alone["sets"]) == (first.title, first.story, [])
    assert burgrave("publish", str(tmp_path / "two"), first.id, second.id, QUICK[0]).code == 0
    both = data_of(tmp_path / "two" / "data" / "set.js")
    assert [one["id"] for one in both["puzzles"]] == list(QUICK)
    assert [one["id"] for one in both["sets"]] == [first.id, second.id]
    assert both["others"][second.id]["sets"] == both["sets"]


def test_modules_become_one_script() -> None:
    """What is imported comes first; what nobody imports is left out."""
    modules = {
        "main.js": 'import { a, b as c } from "./low.js";\nconsole.log(a, c);\n',
        "low.js": "export const a = 1;\nexport function b() {}\nexport async function d() {}\n",
        "other.js": "export class E {}\n",
        "library.js": "function f() {}\nmodule.exports = f;\n",
    }
    made = bundle(modules, "main.js")
    assert made.index("const a = 1;") < made.index("console.log")
    assert 'const { a, b: c } = modules["low.js"];' in made
    assert "return { a, b, d };" in made
    assert "class E" not in made
    user = {**modules, "main.js": 'import { f } from "./library.js";\nf();\n'}
    assert "function f() {}\n\nreturn { f };" in bundle(user, "main.js")
    for text in (
        'import x from "./low.js";\n',
        "export default 1;\n",
        "export { x };\n",
        "module.exports.x = 1;\n",
        'const x = require("x");\n',
    ):
        with pytest.raises(ValueError, match=r"main\.js: "):
            bundle({**modules, "main.js": text}, "main.js")
    circle = {"main.js": 'import { a } from "./main.js";\n'}
    with pytest.raises(ValueError, match=r"main\.js > main\.js"):
        bundle(circle, "main.js")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Put an earlier site in place."""
    place = tmp_path / "site"
    listed = json.dumps({"type": "site", "files": ["data/set.js"]}).encode()
    folder.write(place, {LIST: listed, "data/set.js": b"old"})
    return place


def test_only_an_earlier_site_is_replaced(burgrave: Burgrave, site: Path) -> None:
    """And with --force alone; whoever put a file of his own there keeps it."""
    told = burgrave("publish", str(site), SMALL)
    assert (told.code, "--force" in told.err) == (2, True)
    folder.check(site, LIST, force=True)
    folder.write(site, {LIST: b"{}", "index.html": b"new"})
    assert sorted(path.name for path in site.rglob("*")) == ["index.html", LIST]
    assert [path.name for path in site.parent.iterdir()] == ["site"]
    with pytest.raises(QuestionError, match="did not write"):
        folder.check(site, LIST, force=True)
    (site / LIST).write_text('{"type": "site", "files": ["index.html"]}', encoding="utf-8")
    (site / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(QuestionError, match=r"mine\.txt"):
        folder.check(site, LIST, force=True)
    for place in (site / "mine.txt", site / "no" / "folder"):
        with pytest.raises(QuestionError):
            folder.check(place, LIST, force=True)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
@pytest.mark.parametrize("step", ["write_bytes", "rename"])
def test_nothing_is_left_half_written(
    site: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: type[BaseException]
) -> None:
    """Ctrl-C or a full disk leaves what was there before, and nothing beside it."""
    method, calls = getattr(Path, step), []

    def fail(self: Path, *arguments: Any) -> Any:
        calls.append(self)
        if len(calls) == 2:
            raise error
        return method(self, *arguments)

    monkeypatch.setattr(Path, step, fail)
    with pytest.raises(FileError if error is OSError else error):
        folder.write(site, {"a": b"new", "b": b"new"})
    assert (site / "data" / "set.js").read_bytes() == b"old"
    assert [path.name for path in site.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("step", [1, 2])
def test_ctrl_c_after_a_step_leaves_a_whole_site(
    site: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """That of before where it was only put aside, else the new one."""
    rename, calls = Path.rename, []

    def interrupted(self: Path, target: Path) -> Path:
        calls.append(rename(self, target))
        if len(calls) == step:
            raise KeyboardInterrupt
        return calls[-1]

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        folder.write(site, {"a": b"new"})
    assert [path.name for path in site.parent.iterdir()] == ["site"]
    assert sorted(path.name for path in site.iterdir()) == [["data", LIST], ["a"]][step - 1]


def test_an_interrupted_site_leaves_nothing(
    burgrave: Burgrave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine ends at Ctrl-C with what it has; the command must not take that for an answer."""
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path / "cache")
    (tmp_path / "cache").mkdir()

    def interrupted(*_: object) -> dict[str, int]:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return {}

    monkeypatch.setattr(Force, "values", interrupted)
    assert burgrave("publish", str(tmp_path / "site"), SMALL, QUICK[0]).code == 130
    assert [path.name for path in tmp_path.rglob("*")] == ["cache"]
