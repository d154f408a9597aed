"""The generator: what it accepts, that it repeats itself, and that it can be interrupted."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from dataclasses import fields, replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from burgrave.cli import sources
from burgrave.model.engine import judge, legal_moves
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.locks import locked
from burgrave.model.files.paths import MOST_BYTES
from burgrave.model.notation import read_move, write_move
from burgrave.model.problems import problems
from burgrave.puzzles.candidates.scenes import Scene
from burgrave.puzzles.files.library import find, position
from burgrave.puzzles.files.puzzle_files import write_puzzle
from burgrave.puzzles.judging.canonical import form
from burgrave.puzzles.judging.solving import certified, certify, solve
from burgrave.puzzles.making import gathering, generator
from burgrave.puzzles.making.endings import CLOSE, LAID, EndingWish
from burgrave.puzzles.making.gathering import Folder, Lines, begun, gather
from burgrave.puzzles.making.generator import Wish, is_greedy
from burgrave.puzzles.making.rule_lessons import RuleWish
from burgrave.puzzles.questions import Best, Force
from burgrave.puzzles.selfplay.players import Sensible
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.study import study
from burgrave.puzzles.words import explanations
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best
from tests.cli.conftest import Burgrave

WISH = Wish(game=shipped_game("castle"), theme="patience", seed=10, tiles_left=1, turns=12)
"""Its first candidate is a puzzle, on a small board."""
ROOT = Path(__file__).parents[2]
LESSONS = RuleWish(rule="carcassonne.place.edge", seed=1, version=version("burgrave"))
"""Most of its candidates are lessons, quickly made."""


@pytest.fixture(scope="module")
def made() -> Puzzle:
    """Return the first puzzle of a run."""
    found = WISH.candidate(0)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def lessons() -> list[Puzzle]:
    """Return three lessons on a rule, of one run."""
    found = (one.puzzle for one in gather(LESSONS, []))
    return list(islice((puzzle for puzzle in found if puzzle is not None), 3))


@pytest.mark.slow
def test_what_is_accepted_keeps_its_promises(made: Puzzle) -> None:
    """One best move, not greedy, certified, of the theme, and possible."""
    assert len(made.answer.moves) == 1
    assert not is_greedy(made.position, read_move(made.position, made.answer.moves[0]), Force())
    assert WISH.theme in made.themes
    assert certified(certify(made))
    assert not problems(made.position)
    assert made.refutations


def test_greedy_moves_are_those_of_the_question_about_one_turn() -> None:
    """What ``best`` finds, in points or in lead; points alone if one turn is asked about."""
    at = position(find("eight-points-or-six"))
    answers = [best(at, goal=goal) for goal in (Goal.POINTS, Goal.LEAD)]
    points, lead = ({choice.move for choice in answer.first} for answer in answers)
    assert points.isdisjoint(lead)
    moves = {*points, *lead, *islice(legal_moves(at), 9)}
    assert moves > points | lead
    for question, greedy in ((Force(), points | lead), (Best(goal=Goal.LEAD), points)):
        assert {move for move in moves if is_greedy(at, move, question)} == greedy


@pytest.mark.slow
def test_no_other_first_move_is_as_good(made: Puzzle) -> None:
    """Every legal first move but the key is worth less, each valued by itself."""
    for move in legal_moves(made.position):
        text = write_move(made.position, move)
        value = made.question.worth(made.position, text)
        assert value is not None
        assert (value == made.answer.value) is (text == made.answer.moves[0])


def test_explanations_state_what_is_proved(made: Puzzle) -> None:
    """The words are those that the answer makes, and its values are found anew."""
    assert solve(made).passed
    solution = study(made)
    assert solution is not None
    assert made.explanation == explanations.explanation(solution)
    tempting = [one for one in made.refutations if not one.why]
    natural = re.search(
        r"^The natural move: .*? \((\S+(?: \S+)*)\)\.", made.explanation, re.MULTILINE
    )
    assert natural is not None
    assert [one.move for one in tempting] == [natural[1]]
    for one in made.refutations:
        # Each refutation is told once, with the reply if there is one. A move may begin another.
        told = re.findall(rf"{re.escape(one.move)}(?! [a-z=])", made.explanation)
        assert len(told) == (not one.why)
        assert len(one.line) < 2 or one.line[1] in (one.why or made.explanation)


@pytest.mark.long
@pytest.mark.slow
def test_what_is_not_wished_is_not_accepted(made: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same position does for no larger margin, other difficulty or theme.

    Nor does it if three pieces are idle, or if a second engine proves nothing.
    """

    solution = study(made)
    assert solution is not None
    line = tuple(step.move for step in solution.steps)
    lead = int(solution.value)
    same = Scene(start=made.position, ending=1, turns=(), line=line, lead=lead, margin=1, doubts=())

    def scene(*args: object) -> list[Scene]:
        return [same]

    monkeypatch.setattr(generator, "scenes", scene)
    again = WISH.candidate(0)
    assert again is not None
    # The lots that choose a title are drawn after those of the scene.
    assert replace(again, title=made.title) == made
    level = made.difficulty or 0
    for other in (
        replace(WISH, margin=500),
        replace(WISH, easiest=level + 1),
        replace(WISH, theme="extra-turn"),
    ):
        assert other.candidate(0) is None
    with monkeypatch.context() as spare:
        spare.setattr(generator, "economy", lambda puzzle: [None, *[puzzle.position] * 3])
        assert WISH.candidate(0) is None
    monkeypatch.setattr(generator, "certify", lambda *args, **means: [])
    assert WISH.candidate(0) is None


@pytest.mark.slow
def test_one_turn_is_asked_for_where_points_mislead() -> None:
    """The lead of a turn has one best move, which every move with most points falls short of."""
    wish = replace(WISH, question="best", seed=27, turns=14)
    found = wish.candidate(0)
    assert found is not None
    assert found.question == Best(goal=Goal.LEAD)
    assert wish.theme in found.themes
    assert found.answer.line == found.answer.moves
    assert certified(certify(found))
    points, lead = (best(found.position, goal=goal) for goal in (Goal.POINTS, Goal.LEAD))
    assert [write_move(found.position, one.move) for one in lead.first] == [*found.answer.moves]
    assert lead.first[0].move not in {one.move for one in points.first}
    for one in found.refutations:
        assert found.question.worth(found.position, one.move) == one.value < found.answer.value


@pytest.mark.long
@pytest.mark.slow
def test_points_of_one_turn_are_asked_for(burgrave: Burgrave, tmp_path: Path) -> None:
    """A move that wins most points is the solution where the theme says so."""
    args = ["--theme", "complete-for-most", "--question", "best", "--seed", "2", "--turns", "6"]
    assert burgrave("generate", *args, "--count", "2", "-o", str(tmp_path)).code == 0
    found = Folder(tmp_path).read()
    assert len(found) == 2
    for puzzle in found:
        assert puzzle.question == Best(goal=Goal.POINTS)
        assert solve(puzzle).passed


def test_positions_that_look_alike_have_one_form() -> None:
    """Scores, supplies and later tiles do not count, colours neither; tiles do."""
    at = position(find("castle-04"))
    richer = tuple(replace(state, score=state.score + 1) for state in at.players)
    assert form(replace(at, players=richer)) == form(at)
    swapped = tuple(f._replace(player=1 - f.player) for f in at.followers)
    assert form(replace(at, followers=swapped, to_move=1 - at.to_move)) == form(at)
    held = {follower.node.cell for follower in at.followers}
    bare = next(tile for tile in at.tiles if tile.cell not in held)
    assert form(replace(at, tiles=tuple(one for one in at.tiles if one != bare))) != form(at)


def test_a_lesson_turns_on_its_rule(lessons: list[Puzzle]) -> None:
    """The rule alone forbids the move, nothing in the scene can go, and both verdicts are told."""
    for lesson in lessons:
        verdict = judge(lesson.position, read_move(lesson.position, lesson.question.move))  # type: ignore[attr-defined]
        assert {finding.rule for finding in verdict.violations} == {LESSONS.rule}
        assert "Without this rule the move is legal." in lesson.explanation
        assert solve(lesson).passed
        assert len(lesson.position.tiles) <= 3
    assert len({form(lesson.position) for lesson in lessons}) == len(lessons)


@pytest.mark.slow
def test_interrupted_work_goes_on_with_more_jobs(
    burgrave: Burgrave, tmp_path: Path, lessons: list[Puzzle]
) -> None:
    """After one puzzle and half a line two processes come to those of one run, to the letter."""
    path = tmp_path / "made.jsonl"
    Lines(path).add(lessons[0])
    with path.open("a") as file:
        file.write('{"burgrave": 1, "type": "puz')
    args = ["--rule", LESSONS.rule, "--seed", "1", "--tiles-left", "2", "-o", str(path)]
    answer = burgrave("generate", *args, "--count", "3", "--jobs", "2", "--json")
    assert answer.code == 0
    assert "3 of 3 puzzles" in answer.err
    assert "Lessons on a rule ignore --tiles-left." in answer.err
    written = [write_puzzle(one) for one in Lines(path).read()]
    assert written == [write_puzzle(one) for one in lessons]
    assert [one["id"] for one in answer.data] == [one.id for one in lessons]
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 3


@pytest.mark.parametrize(
    ("game", "most"),
    [("castle", 60), ("castle+falcon", 78), ("carcassonne", 71), ("carcassonne+tower", 89)],
)
def test_more_tiles_than_a_game_has_are_refused(game: str, most: int) -> None:
    """No game would ever come to such a puzzle."""
    wish = Wish(game=shipped_game(game), theme="patience", seed=1, tiles_left=3, turns=most - 3)
    wish.check()
    with pytest.raises(QuestionError, match=f"{most + 1} tiles are asked for"):
        replace(wish, tiles_left=4).check()


def test_a_file_of_lines_is_solved_line_by_line(
    burgrave: Burgrave, tmp_path: Path, lessons: list[Puzzle]
) -> None:
    """Exit 0 if each answer holds, 1 if one was changed, 2 with the line that is no puzzle."""
    path = tmp_path / "made.jsonl"
    for lesson in lessons:
        Lines(path).add(lesson)
    answer = burgrave("solve", str(path), "--json")
    assert answer.code == 0
    assert [(one["id"], one["passed"]) for one in answer.data] == [(p.id, True) for p in lessons]
    whole = path.read_text()
    lines = whole.splitlines()
    changed = json.loads(lines[1])
    changed["answer"]["legal"] = not changed["answer"]["legal"]
    path.write_text("\n".join([lines[0], json.dumps(changed), *lines[2:]]) + "\n")
    answer = burgrave("solve", str(path), "--json")
    assert answer.code == 1
    assert [one["passed"] for one in answer.data] == [index != 1 for index in range(len(lessons))]
    path.write_text(whole + "{}\n")
    answer = burgrave("solve", str(path))
    assert answer.code == 2
    assert f"line {len(lessons) + 1}" in answer.err


@pytest.mark.slow
def test_ctrl_c_leaves_whole_puzzles(tmp_path: Path, lessons: list[Puzzle]) -> None:
    """Exit 130; the file holds the beginning of an uninterrupted run."""
    path = tmp_path / "made.jsonl"
    args = ["generate", "--rule", LESSONS.rule, "--seed", "1", "--count", "9999", "-o", str(path)]
    program = "from burgrave.cli.app import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, *args], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stderr is not None
        assert "1 of 9999 puzzles" in next(line for line in run.stderr if line.startswith("1 of"))
        run.send_signal(signal.SIGINT)
        run.communicate()
    assert run.returncode == 130
    written = [write_puzzle(one) for one in Lines(path).read()][: len(lessons)]
    assert written == [write_puzzle(one) for one in lessons][: len(written)]
    assert written


def test_a_folder_gives_back_what_is_put_into_it(tmp_path: Path, lessons: list[Puzzle]) -> None:
    """In the order of the candidates, whatever the order of writing."""
    store = Folder(tmp_path / "made")
    assert store.read() == []
    for puzzle in reversed(lessons):
        store.add(puzzle)
    assert store.read() == lessons


def test_puzzles_of_another_run_are_not_gone_on_with(tmp_path: Path, made: Puzzle) -> None:
    """A place that another wish has filled is refused, whatever it is that differs."""
    others: dict[str, object] = {
        "theme": "patience,extra-turn",
        "seed": 4,
        "game": shipped_game("castle+falcon"),
        "question": "best",
        "tiles_left": 2,
        "turns": 13,
        "margin": 2,
        "own": 2,
        "easiest": 2,
        "hardest": 4,
        "tiles": "mine.toml",
        "version": "0.0.1",
    }
    assert set(others) == {field.name for field in fields(Wish)}
    for store in (Folder(tmp_path / "made"), Lines(tmp_path / "made.jsonl")):
        store.add(made)
        assert begun(WISH, store) == [made]
        for name, value in others.items():
            with pytest.raises(QuestionError, match="not made by this command"):
                begun(replace(WISH, **{name: value}), store)  # type: ignore[arg-type]
        with pytest.raises(QuestionError, match="not made by this command"):
            begun(LESSONS, store)
        assert store.read() == [made]


def test_own_turns_need_tiles_and_an_opponent() -> None:
    """Two own turns need three tiles to come, and a question about best play."""
    with pytest.raises(QuestionError, match="2 tiles to come give no 2 own turns; --tiles-left 3"):
        replace(WISH, tiles_left=2, own=2).check()
    with pytest.raises(QuestionError, match="--question force"):
        replace(WISH, question="best", own=2).check()


def test_a_changed_wish_says_what_was_wished_before(
    burgrave: Burgrave, tmp_path: Path, lessons: list[Puzzle]
) -> None:
    """Exit 2, and the file is as it was."""
    path = tmp_path / "made.jsonl"
    Lines(path).add(lessons[0])
    before = path.read_bytes()
    args = ["--rule", LESSONS.rule, "--seed", "2", "--count", "2", "-o", str(path)]
    answer = burgrave("generate", *args)
    assert answer.code == 2
    assert answer.err.startswith(f"Error: {path}: the puzzle ")
    assert f"{LESSONS.rule}, --seed 1" in answer.err
    assert f"wanted is {LESSONS.rule}, --seed 2" in answer.err
    assert path.read_bytes() == before


def test_two_runs_into_one_file_are_locked_out(
    burgrave: Burgrave, tmp_path: Path, lessons: list[Puzzle]
) -> None:
    """The second is refused before it looks at the file; afterwards no lock is left."""
    path = tmp_path / "made.jsonl"
    Lines(path).add(lessons[0])
    args = ["generate", "--rule", LESSONS.rule, "--seed", "1", "--count", "1", "-o", str(path)]
    with locked(Lines(path).lock, path):
        answer = burgrave(*args)
    assert answer.code == 2
    assert f"{path}: another run is writing puzzles there" in answer.err
    assert burgrave(*args).code == 0
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_but_half_a_puzzle_is_cut_off(tmp_path: Path, lessons: list[Puzzle]) -> None:
    """Somebody else's file stays as it is, wherever it ends; half a line may end anywhere."""
    path = tmp_path / "made.jsonl"
    Lines(path).add(lessons[0])
    whole = path.read_bytes()
    Lines(path).add(lessons[1])
    both = path.read_bytes()
    for end in range(len(whole), len(both), 97):
        path.write_bytes(both[:end])
        assert begun(LESSONS, Lines(path)) == lessons[:1]
        assert path.read_bytes() == whole
    for theirs in (b"a diary", b'{"burgrave": 1, "type": "position", "board": [', whole + b"note"):
        path.write_bytes(theirs)
        with pytest.raises(FileError, match="the last line is no puzzle"):
            begun(LESSONS, Lines(path))
        assert path.read_bytes() == theirs


UNUSABLE = {
    "nowhere/made.jsonl": "there is no folder",
    "folder.jsonl": "is no file",
    "taken": "is no folder",
    "taken/made": "no file can be made",
    "taken/made.jsonl": "there is no folder",
    "/proc/made": "no file can be made",
    "/proc/made.jsonl": "no file can be made",
    "device.jsonl": "is no file",
    "made.json": "ends in .jsonl",
    "made.toml": "ends in .jsonl",
}
"""Places for puzzles that will not do, and why."""


@pytest.mark.parametrize("place", list(UNUSABLE))
def test_a_place_that_will_not_do_is_found_before_any_work(
    burgrave: Burgrave, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 2 with one message; no game is played, and nothing is left behind."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "taken").write_text("mine")
    (tmp_path / "device.jsonl").symlink_to("/dev/full")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(gathering, "gather", lambda *args: pytest.fail("work has begun"))
    answer = burgrave("generate", "--theme", "patience", "-o", str(tmp_path / place))
    assert answer.code == 2
    assert answer.err.startswith("Error: ")
    assert UNUSABLE[place] in answer.err
    assert len(answer.err.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_of_puzzles_may_grow_large(tmp_path: Path, lessons: list[Puzzle]) -> None:
    """A file of lines grows beyond the size that other files may have."""
    path = tmp_path / "made.jsonl"
    long = [replace(one, explanation="x" * (MOST_BYTES // 2)) for one in lessons]
    for lesson in long:
        Lines(path).add(lesson)
    assert path.stat().st_size > MOST_BYTES
    assert begun(LESSONS, Lines(path)) == long
    assert sources.puzzles(str(path)) == long


def test_a_wish_that_cannot_be_fulfilled_is_refused(burgrave: Burgrave, tmp_path: Path) -> None:
    """Unknown themes and rules, themes of another game, and bad ranges are told."""
    place = ("-o", str(tmp_path / "made"))
    err = burgrave("generate", "--theme", "nosuch", *place).err
    assert "docs/reference/themes.md lists them" in err
    assert "does not occur" in burgrave("generate", "--theme", "exchange", *place).err
    assert "no rule" in burgrave("generate", "--rule", "nosuch", *place).err
    assert "decides no move" in burgrave("generate", "--rule", "castle.setup.tiles", *place).err
    assert "give either --theme or --rule" in burgrave("generate", *place).err
    late = burgrave("generate", "--theme", "keep-race", "--question", "best", *place)
    assert (late.code, "no single turn shows" in late.err) == (2, True)
    easy = burgrave("generate", "--theme", "complete-for-most", "--difficulty", "4-5", *place)
    assert (easy.code, "most points at once solves it" in easy.err) == (2, True)
    many = burgrave("generate", "--theme", "patience", "--jobs", "65", *place)
    assert (many.code, "expected 64 or less" in many.err) == (2, True)
    for args in (["--difficulty", "5-2"], ["--difficulty", "easy"], ["--time", "0"]):
        assert burgrave("generate", "--theme", "patience", *args, *place).code == 2
    for args in (["--turns", "40"], ["--own-turns", "2"], ["--question", "best"]):
        ending = burgrave("generate", "--theme", "any", "--endings", *args, *place)
        assert (ending.code, "--endings is for two players" in ending.err) == (2, True)
    short = burgrave("generate", "--theme", "any", "--endings", "--tiles-left", "36", *place)
    assert (short.code, "--tiles-left 35 or less" in short.err) == (2, True)
    lines = str(tmp_path / "nowhere" / "made.jsonl")
    assert burgrave("generate", "--theme", "patience", "-o", lines).code == 2


@pytest.mark.slow
def test_a_composed_puzzle_misleads_and_wins() -> None:
    """Who counts as if the game ended now is fooled, the key alone wins, and no piece is idle."""
    wish = Wish(game=shipped_game("carcassonne"), theme="any", seed=2, tiles_left=2, easiest=3)
    found = next(one for one in map(wish.candidate, range(9)) if one is not None)
    assert wish.candidate(found.origin.index if found.origin else -1) == found
    assert certified(certify(found))
    assert found.measures is not None
    assert (found.answer.value, found.measures.solved.now, found.measures.idle) == (1, 0, 0)
    assert all(int(one.value) < 1 for one in found.refutations)
    with pytest.raises(QuestionError, match="force alone"):
        replace(wish, question="best").check()


@pytest.mark.long
@pytest.mark.slow
def test_an_ending_is_a_whole_board_that_misleads() -> None:
    """Every tile of the game is laid, passed over or still to come; the markers are close."""
    wish = EndingWish(
        game=shipped_game("castle"), theme="any", seed=1, tiles_left=2, margin=2, easiest=2
    )
    found = wish.candidate(108)
    assert found is not None
    assert certified(certify(found))
    at = found.position
    laid = [tile.kind.id for tile in at.tiles]
    assert sorted((*laid, *at.discarded, *at.order)) == sorted(at.game.tile_set.all_tiles())
    assert len(laid) >= LAID
    first, second = (state.score for state in at.players)
    assert abs(first - second) <= CLOSE
    assert at.players[at.to_move].supply
    at_sight = Sensible()(walk := Rehearsal(at), Random(1))
    assert at_sight is not None
    assert write_move(at, walk.move(at_sight)) not in found.answer.moves
    value = int(found.answer.value or 0)
    assert all(int(one.value) <= value - wish.margin for one in found.refutations)
    assert replace(wish, theme="keep-race").candidate(108) is None
    assert replace(wish, easiest=3).candidate(108) is None
