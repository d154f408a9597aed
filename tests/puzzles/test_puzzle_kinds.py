"""Every kind of puzzle: read, written, answered anew, tried by a user."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest

from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import read_position
from burgrave.model.position import PlayerState, Position
from burgrave.model.rules.carcassonne.placement import ORIGIN
from burgrave.model.tiles import PlacedTile
from burgrave.puzzles.files.library import find, position, puzzle, puzzle_entries, select
from burgrave.puzzles.files.puzzle_files import puzzle_data, read_puzzle, write_puzzle
from burgrave.puzzles.judging import quality
from burgrave.puzzles.judging.quality import measured
from burgrave.puzzles.judging.solving import certified, certify, solve
from burgrave.puzzles.judging.stated_facts import restated
from burgrave.puzzles.questions import (
    Best,
    Complete,
    Expect,
    Final,
    Force,
    Help,
    Legal,
    Most,
    Question,
    Scores,
    Series,
    Win,
    plain,
)
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.study.puzzle import Certification, Origin, Puzzle, Refutation
from burgrave.puzzles.themes import detected
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.hints import HINTS, hints, move_hints
from burgrave.puzzles.words.tutor import attempt, form
from burgrave.solver.problem import Goal
from tests.edits import edits

QUESTIONS = {
    "expect": Expect(),
    "best": Best(),
    "force": Force(),
    "win": Win(),
    "max": Most(asker=1),
    "legal": Legal(move="K35@0,0r0"),
    "scores": Scores(move="K35@3,4r0"),
    "final": Final(move="K35@3,4r0"),
    "complete": Complete(feature="4,3.N"),
}


@pytest.fixture(scope="module", autouse=True)
def _few_pieces() -> Iterator[None]:
    """Try to remove a few pieces alone; ``test_quality.py`` is about all of them."""
    few = quality.pieces
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quality, "pieces", lambda at: islice(few(at), 4))
        yield


@cache
def ending(name: str) -> Position:
    """Return a shipped ending with so few tiles that every question is quickly answered."""
    at = position(find("castle-04"))
    if name == "complete":
        return at
    if name == "expect":
        return replace(at, order=(), bag=("K35",))
    if name == "win":
        # As near as this few moves win.
        white, black = at.players
        at = replace(at, players=(replace(white, score=white.score - 12), black))
    return replace(at, order=at.order[: 2 if name == "force" else 1])


@cache
def made(name: str) -> Puzzle:
    """Return a puzzle of a kind whose answer is that of the engines."""
    question: Question = QUESTIONS[name]
    at = ending(name)
    reply = question.reply(at)
    facts = reply.facts
    answer = Answer(
        value=facts.get("value"),
        moves=tuple(facts.get("moves", ())),
        line=reply.line if name not in {"legal", "scores", "final", "expect"} else (),
        legal=facts.get("legal"),
        breaks=tuple(facts.get("breaks", ())),
        points=tuple(facts.get("points", ())),
        tokens=tuple(facts.get("tokens", ())),
    )
    refutations = []
    if answer.moves:
        values = {move: plain(question.worth(at, move)) for move in MOVES_TRIED}
        other, value = next((m, v) for m, v in values.items() if v not in {None, answer.value})
        assert value is not None
        refutations.append(Refutation(move=other, value=value, why="It leaves the tower open."))
    bare = Puzzle(
        id=f"made-{name}",
        title="Made for a test",
        position=at,
        question=question,
        answer=answer,
        refutations=tuple(refutations),
        explanation="",
        origin=Origin(theme="merge-to-tie", seed=3, index=4, version="0.1.0"),
    )
    themed = replace(bare, themes=detected(bare))
    told = replace(themed, explanation=explanations.told(themed))
    ruled = replace(told, rules=tuple(restated(told)["rules"]), measures=measured(told))
    facts = restated(ruled)
    stamp = Certification(engines=tuple(facts["certification"][:2]), date="2026-11-21")
    return replace(ruled, difficulty=facts["difficulty"], certification=stamp)


MOVES_TRIED = ("K35@4,6r3", "K35@-1,9r1", "K35@4,4r0")
"""Legal first moves, some of which are not best."""
KINDS = pytest.mark.parametrize("name", list(QUESTIONS))


@KINDS
def test_a_puzzle_comes_back_from_its_file(name: str) -> None:
    """Reading what was written gives the same puzzle, from TOML and from JSON."""
    good = made(name)
    assert read_puzzle("written", write_puzzle(good)) == good
    assert read_puzzle("written", write_puzzle(good, as_json=True)) == good


@KINDS
def test_a_puzzle_is_answered_as_it_is_stored(name: str) -> None:
    """Nothing stored of the answer is left out of the comparison."""
    verdict = solve(made(name))
    assert verdict.got == verdict.expected
    stored = made(name).answer
    for key in ("value", "moves", "line", "breaks", "points"):
        if getattr(stored, key):
            assert key in verdict.expected


@pytest.mark.slow
@KINDS
def test_any_edit_of_the_answer_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever bears on the answer: changed, emptied, gone, one removed, one added."""
    # No edit touches position and question, so what the engines say is asked for once.
    kind = type(QUESTIONS[name])
    for asked in ("reply", "worth", "unsound"):
        monkeypatch.setattr(kind, asked, cache(getattr(kind, asked)))
    data = puzzle_data(made(name))
    found = {what: edited for what, edited in edits(data) if edited != data}
    assert len(found) > 10
    assert [what for what, edited in found.items() if _passes(edited)] == []


def _passes(data: dict[str, Any]) -> bool:
    """Tell whether a file is a puzzle that is answered as it is stored."""
    try:
        return solve(read_puzzle("edited", json.dumps(data))).passed
    except FileError:
        return False


def test_a_draft_needs_no_more_than_its_answer() -> None:
    """Who writes a puzzle by hand may leave out what is not known yet."""
    draft = replace(made("force"), themes=(), difficulty=None, origin=None, certification=None)
    bare = replace(draft, answer=replace(draft.answer, line=()), refutations=(), explanation="")
    assert solve(bare).passed
    assert not solve(replace(bare, difficulty=made("force").difficulty)).passed


@pytest.mark.parametrize("name", ["scores", "best", "max", "legal", "final", "complete"])
def test_two_engines_certify(name: str) -> None:
    """Two engines come to the stored answer, and to no edited one."""
    verdicts = certify(made(name))
    assert certified(verdicts)
    assert len({verdict.engine for verdict in verdicts}) == 2
    assert not certified(verdicts[:1])
    assert not certified([verdicts[0], replace(verdicts[1], got={})])


@pytest.mark.parametrize(
    ("puzzle_id", "deeds"),
    [
        ("a-room-more-for-the-squire", "uses a wall tile"),
        ("a-small-tower-beside-the-path", "places a knight and uses a wall tile"),
        ("five-points-and-what-they-cost", "places a herald"),
        ("both-keeps-measure-three", "places no follower"),
    ],
)
def test_a_hint_says_what_the_key_does(puzzle_id: str, deeds: str) -> None:
    """Beside laying the tile, and whether that brings points at once."""
    [told] = [one for one in hints(puzzle(find(puzzle_id))) if "The key" in one]
    assert f"The key {deeds}. It wins " in told


def test_the_last_hint_names_the_tile_whatever_comes_before_it() -> None:
    """A ransom is paid before the tile is laid; the word for the tile has its cell."""
    at = read_position(
        "tower",
        'burgrave = 1\ntype = "position"\ngame = "carcassonne+tower"\nboard = ["D@0,0"]\n'
        'order = ["E"]\nplayer = { red = { score = 5 }, blue = { prisoners = ["red"] } }\n',
    )
    assert move_hints(at, "ransom:blue E@0,1r2") == (
        "Look at the cell 0,1.",
        "Place the tile as E@0,1r2. The turn has a further part.",
    )


def test_the_end_of_a_game_is_explained_by_its_rules() -> None:
    """By those of the turn and those of final scoring, as each player scores by them."""
    assert {"castle.end.courts", "castle.house.score"} <= {*made("final").rules}


def test_a_line_that_stops_before_the_end_is_not_the_answer() -> None:
    """Where all tiles to come are known it goes on to the end."""
    good = made("force")
    whole, value = good.answer.line, good.answer.value
    assert len(whole) > 1
    assert not good.question.astray(good.position, whole, value)
    told = good.question.astray(good.position, whole[:1], value)
    assert told == "the line does not end the game"


@KINDS
def test_a_user_gets_hints_and_is_told(name: str) -> None:
    """Three hints; the stored answer is right, another is not, and nonsense is no answer."""
    good = made(name)
    assert len(hints(good)) == HINTS
    assert form(good)
    answer = good.answer
    right = {
        "legal": "yes" if answer.legal else "no",
        "scores": ", ".join(answer.points) or "nobody",
        "final": ", ".join(answer.points),
        "complete": str(answer.value),
    }.get(name, answer.moves[0] if answer.moves else "")
    wrong = {
        "legal": "no" if answer.legal else "y",
        "scores": "white 99",
        "final": "white 99, black 1",
        "complete": "17",
    }.get(name, good.refutations[0].move if good.refutations else "")
    assert attempt(good, right).right
    told = attempt(good, wrong)
    assert (told.right, bool(told.told)) == (False, True)
    if name not in {"scores", "final"}:
        with pytest.raises(QuestionError):
            attempt(good, "perhaps")


def test_an_illegal_try_is_told_the_rule() -> None:
    """The rule that forbids it stands in what the user hears."""
    assert "castle.place" in attempt(made("best"), "K35@0,0r0").told


def test_answers_of_another_question_are_refused() -> None:
    """A puzzle without what its question asks about is told so."""
    text = write_puzzle(made("legal"))
    for old, new in (
        ('question = "legal"', 'question = "scores"'),
        ("move = ", "feature = "),
        ("K35@0,0r0", "K35@"),
    ):
        with pytest.raises(FileError):
            read_puzzle("broken", text.replace(old, new, 1))


def test_a_feature_of_carcassonne_can_be_asked_about() -> None:
    """The city of the start tile is closed by one tile; a field never is."""
    game = shipped_game("carcassonne")
    start = PlacedTile(cell=ORIGIN, kind=game.tile_set.kind("D"), rotation=0)
    at = Position(game=game, players=(), tiles=(start,), order=("V", "E"))
    reply = Complete(feature="0,0.N").reply(at)
    assert (reply.facts["value"], len(reply.line)) == (2, 2)
    with pytest.raises(QuestionError, match="never completed"):
        Complete(feature="0,0.SL").reply(at)


def test_the_shipped_puzzles_are_found_by_filters() -> None:
    """Games, questions and ids name puzzles; what names none is an error."""
    assert select(()) == puzzle_entries()
    assert {entry.id for entry in select(("tower-and-path-in-one-move", "castle"))} == {
        "tower-and-path-in-one-move"
    }
    assert all(entry.question == "best" for entry in select(("best",)))
    for nothing in ("nosuch", "5-1", "6"):
        with pytest.raises(QuestionError, match=f"'{nothing}'"):
            select((nothing,))
    assert puzzle(find("tower-and-path-in-one-move")).words.startswith("Black to lay")


def test_the_last_move_alone_has_an_end() -> None:
    """A move after which tiles are left ends no game: no engine says how it ends."""
    asked = Final(move="K35@3,4r0")
    at = ending("force")
    for engine in asked.engines(at):
        with pytest.raises(QuestionError):
            asked.reply(at, engine)


def test_engines_agree_on_the_lead_after_the_last_move() -> None:
    """Each tells it of the move that is asked about, and not of another one."""
    asked, at = QUESTIONS["final"], ending("final")
    engines = asked.engines(at)
    assert len(engines) > 1
    assert {asked.reply(at, engine).facts["value"] for engine in engines} == {11}


def test_a_user_is_told_how_to_answer_each_question() -> None:
    """By a word, a number, a cell, a move, or every turn of a line."""
    first = {entry.question: entry.id for entry in puzzle_entries()}
    told = {question: form(puzzle(find(name))) for question, name in first.items()}
    for question in ("best", "force", "win", "expect", "inflict", "max", "add"):
        assert told.pop(question).startswith("a move, like ")
    for question in ("help", "series", "history"):
        line = puzzle(find(first[question])).answer.line
        assert told.pop(question) == f"all {len(line)} turns in order, with ; between them"
    assert told == {
        "legal": "yes or no",
        "scores": "who scores what, in order: 'white 4, black 2', or 'nobody'",
        "final": "who ends with how many points: 'white 34, black 28'",
        "complete": "a number of tiles",
        "last": "the cell of the tile, like 1,-2",
    }


def test_two_players_are_both_and_more_are_all() -> None:
    """Who helps is told by the number of players."""
    for players, word in ((2, "both"), (3, "all")):
        game = shipped_game("carcassonne", players=players)
        at = Position(game=game, players=(PlayerState(),) * players, bag=("D",))
        assert f"if {word} players help Red" in Most(asker=0).words(at)


def test_a_question_says_whether_points_or_the_lead_count() -> None:
    """Of one turn, of the end with help, and of the end of a series."""
    at = ending("best")
    for kind, points, lead in (
        (Best, "brings most points", "brings the largest gain in lead"),
        (partial(Most, asker=0), "largest final score", "largest final lead"),
        (partial(Help, asker=0), "largest final score", "largest final lead"),
        (partial(Series, asker=0), "largest final score", "largest final lead"),
    ):
        assert points in kind(goal=Goal.POINTS).words(at)
        assert lead in kind(goal=Goal.LEAD).words(at)


def test_the_turns_of_one_player_alone_make_no_line() -> None:
    """Two players who help each other play one, and its end is checked."""
    at = puzzle(find("two-markets-in-hand")).position
    helped, alone = Most(asker=0), Most(asker=0, alone=True)
    told = helped.reply(at)
    assert told.facts["value"] == 16
    assert helped.unsound(at, told.line, 16) == ""
    assert helped.unsound(at, told.line[:1], 16) == "the line does not end the game"
    more = alone.reply(at)
    assert (more.facts["value"], more.line) == (89, ())
    assert alone.unsound(at, more.line, 89) == ""
    assert alone.unsound(at, told.line, 89) == "a question of this kind has no line"
