"""The shipped positions and puzzles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.expansions.tower.switches import ACTION_WITHOUT_TILE
from burgrave.model.files.toml import parse
from burgrave.model.games import DEFAULT_EDITION
from burgrave.model.notation import read_move, write_move
from burgrave.model.problems import remarks
from burgrave.model.registry import CARCASSONNE, CASTLE, ids, split
from burgrave.model.rules.index import RULES
from burgrave.model.tiles import Mark
from burgrave.puzzles.files import library
from burgrave.puzzles.files.library import entries, find, position, puzzle, puzzle_entries, select
from burgrave.puzzles.files.puzzle_files import MOVES, OF_A_MOVE
from burgrave.puzzles.judging.canonical import form
from burgrave.puzzles.judging.solving import solve
from burgrave.puzzles.judging.stated_facts import stated
from burgrave.puzzles.making.endings import CLOSE, LAID
from burgrave.puzzles.making.generator import HARD
from burgrave.puzzles.questions import Force, Legal, Most, Win
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.puzzle import Puzzle, slug
from burgrave.puzzles.study.study import study
from burgrave.puzzles.themes import THEMES
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.tutor import attempt
from burgrave.solver.engines import make
from burgrave.solver.problem import TWO
from burgrave.solver.search.question import Ending

LARGE = 25
"""Cells of a large empty area; a real game leaves fewer."""
PUZZLES = [entry.id for entry in puzzle_entries()]
BEST = [e.id for e in puzzle_entries() if e.question == "best" and e.game == CASTLE]
BY_MOVES = [
    e.id for e in puzzle_entries() if e.question in {"best", "force", "expect", "win", "max"}
]


@cache
def shown(puzzle_id: str) -> Puzzle:
    """Return a shipped puzzle."""
    return puzzle(find(puzzle_id))


def test_every_theme_is_shown() -> None:
    """Each theme has a shipped puzzle."""
    unshown = set(THEMES) - {theme for entry in puzzle_entries() for theme in entry.themes}
    assert not unshown, f"ship a puzzle that shows these themes: {unshown}"


@pytest.mark.slow
def test_enough_is_shipped() -> None:
    """Endgames of one to six tiles; puzzles of every question and difficulty, hard ones too."""
    endings = [position(e) for e in entries() if e.kind == "position"]
    left = [len(at.order) + len(at.bag) for at in (*endings, *(shown(n).position for n in PUZZLES))]
    # A question about the past has no tiles to come.
    assert set(left) <= set(range(7))
    games = Counter(entry.game for entry in puzzle_entries())
    assert games[CASTLE] >= 30
    assert games["castle+falcon"] >= 12
    assert games[CARCASSONNE] + games["carcassonne+tower"] >= 18
    levels = {entry.difficulty for entry in puzzle_entries()} - {None}
    assert levels == set(range(1, HARDEST + 1))
    hard = {entry.game for entry in puzzle_entries() if (entry.difficulty or 0) >= HARD}
    assert hard == {*games}
    questions = {*MOVES, *OF_A_MOVE, "complete", "add", "history", "last"}
    assert {entry.question for entry in puzzle_entries()} == questions


def test_no_theme_is_shown_by_too_many() -> None:
    """At most 15 % of the puzzles show one theme; a third asks for two own turns or more."""
    shows = Counter(theme for entry in puzzle_entries() for theme in entry.themes)
    assert max(shows.values()) <= 0.15 * len(PUZZLES)
    measures = [shown(name).measures for name in PUZZLES]
    deep = [one for one in measures if one is not None and one.depth > 1]
    assert 3 * len(deep) >= len(PUZZLES)


def test_no_piece_is_idle() -> None:
    """Every piece of every measured puzzle is needed; the measures are found anew below.

    Endings of whole games keep the board on which they arose.
    """
    small = [name for name in PUZZLES if len(shown(name).position.tiles) < LAID]
    measures = {name: shown(name).measures for name in small}
    assert not [name for name, one in measures.items() if one is not None and one.idle]


def test_an_independent_engine_stands_behind_every_answer() -> None:
    """All puzzles of moves name engines that share no code."""
    stamps = {name: shown(name).certification for name in PUZZLES}
    alike = {
        name
        for name, one in stamps.items()
        if one is not None and len({make(engine) for engine in one.engines}) == 1
    }
    assert not [name for name in alike if shown(name).answer.moves]


@pytest.mark.slow
def test_no_shipped_board_brings_a_remark() -> None:
    """Above all no tile holds two followers: in play a turn places one, on its own tile."""
    assert not [entry.id for entry in entries() if remarks(position(entry))]


def test_a_puzzle_of_the_tower_is_about_towers() -> None:
    """It has a tower place or prisoners; without them it is a puzzle of Carcassonne."""
    for entry in puzzle_entries():
        if "tower" not in split(entry.game)[1] or entry.question in OF_A_MOVE:
            continue
        at = shown(entry.id).position
        kinds = [at.game.tile_set.kind(tile) for tile in (*at.order, *at.bag)]
        kinds += [tile.kind for tile in at.tiles]
        places = any(kind.tower_place for kind in kinds)
        assert places or any(state.part(TowerHoldings).prisoners for state in at.players), entry.id


def test_a_puzzle_of_inns_and_cathedrals_is_about_them() -> None:
    """It has an inn, a cathedral or a big follower."""
    for entry in puzzle_entries():
        if entry.game not in ids(expansion="inns"):
            continue
        at = shown(entry.id).position
        kinds = [at.game.tile_set.kind(tile) for tile in (*at.order, *at.bag)]
        kinds += [tile.kind for tile in at.tiles]
        marks = {mark for kind in kinds for segment in kind.segments for mark in segment.marks}
        big = any(one.rank is Rank.BIG for one in at.followers)
        big |= any(state.specials for state in at.players)
        assert big or marks & {Mark.INN, Mark.CATHEDRAL}, entry.id


def test_one_entry_is_found_without_reading_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its case; what is no id never becomes a path."""
    read: list[str] = []

    def noted(name: str, text: str) -> dict[str, object]:
        read.append(name)
        return parse(name, text)

    monkeypatch.setattr(library, "parse", noted)
    assert find("Castle-04").id == "castle-04"
    assert read == ["castle-04.toml"]
    for name in ("castle", "../library/castle-04", ""):
        with pytest.raises(QuestionError, match="no file and no shipped position"):
            find(name)


def test_a_puzzle_of_carcassonne_states_its_edition() -> None:
    """Its key may be another one by other rules; *First steps* are those of today."""
    plane = [entry for entry in puzzle_entries() if entry.game in {*ids(base=CARCASSONNE)}]
    for entry in plane:
        stated_edition = parse(entry.id, entry.text)["position"]["edition"]
        assert stated_edition == entry.edition
        assert f", edition {entry.edition}" in shown(entry.id).position.game.named
    assert {entry.edition for entry in plane} == {DEFAULT_EDITION, "rgg2006"}
    assert 2 * sum(entry.edition == DEFAULT_EDITION for entry in plane) > len(plane)
    assert {entry.edition for entry in select(("first-steps",))} == {"", DEFAULT_EDITION}


VERDICTS = {"legal", "illegal", "allowed", "forbidden", "may", "must", "cannot", "not", "never"}
"""Words that say whether a move is legal; a question may begin with one."""


def words_of(text: str) -> set[str]:
    """Return the words of an id or title, without the endings of plural and genitive."""
    return {word.removesuffix("'s") for word in re.findall(r"[a-z']+", text.lower())}


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_an_id_is_made_of_the_title_and_neither_gives_the_key_away(puzzle_id: str) -> None:
    """They name no follower that the key places, unless another too, and no verdict.

    Nor do they name tiles, cells or the value of the answer.
    """
    good = shown(puzzle_id)
    assert good.id == slug(good.title) == puzzle_id
    said = words_of(good.title) | words_of(puzzle_id)
    if isinstance(good.question, Legal):
        assert good.title.endswith("?") or not said & VERDICTS
    followers = {*book_of(good.position.game).roles.values(), "king", "falconer"}
    plural = {f"{one}s": one for one in map(str, followers)}
    named = {plural.get(word, word) for word in said} & {str(one) for one in followers}
    placed = [
        {str(one.rank if one.rank in good.position.game.specials else one.role) for one in made}
        for made in (read_move(good.position, text).followers for text in good.answer.moves)
    ]
    if placed and named:
        assert not named <= set.intersection(*placed), "the title names the follower of the key"
    assert not re.search(r"\d", good.title)
    assert (
        not {word for word in said if word in {"ransom", "capture"}}
        or not good.answer.moves
        or (not good.answer.moves[0].startswith("ransom"))
    )


def test_half_of_the_questions_about_legality_are_answered_by_yes() -> None:
    """Otherwise the question alone would be the answer."""
    verdicts = Counter(
        (good.answer.legal) for name in PUZZLES if isinstance((good := shown(name)).question, Legal)
    )
    assert verdicts[True] == verdicts[False] >= 5
    games = {shown(name).position.game.id for name in PUZZLES if shown(name).answer.legal}
    assert len(games) >= 3


def test_a_puzzle_names_the_ruling_on_which_it_rests() -> None:
    """Where the rules are silent on a turn of the solution or of a try, its words say so."""
    good = shown("blue-s-prisoner-red-s-tile")
    ransoms = [text for one in good.refutations for text in one.line if " pass" in text]
    assert any(text.startswith("ransom:") for text in ransoms)
    assert "that is a ruling" in good.explanation
    assert ACTION_WITHOUT_TILE.name in good.provenance


def test_no_two_puzzles_look_alike() -> None:
    """Titles and positions differ."""
    assert len({entry.title for entry in puzzle_entries()}) == len(PUZZLES)
    assert len({form(shown(name).position) for name in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_a_stored_answer_is_found_anew(puzzle_id: str) -> None:
    """Value, best moves, line, refutations and themes come out as they are stored.

    So do the facts stated beside them: quality, difficulty, rules and explanation, with the values
    of turns played, of final scoring, and of refuted moves.
    """
    good = shown(puzzle_id)
    verdict = solve(good)
    assert verdict.got == verdict.expected
    assert stated(good).items() <= verdict.expected.items()


@pytest.mark.parametrize("engine", ["cpsat", "reference"])
@pytest.mark.parametrize("puzzle_id", BEST)
def test_a_best_move_is_what_the_engines_find(puzzle_id: str, engine: str) -> None:
    """Value, status and all best moves of a turn come out of every engine."""
    good = shown(puzzle_id)
    reply = good.question.reply(good.position, engine)
    assert reply.whole
    assert {key: reply.facts[key] for key in ("value", "status", "moves")} == good.facts


@pytest.mark.parametrize("puzzle_id", BEST)
def test_an_edited_answer_fails(puzzle_id: str) -> None:
    """Another value, or a best move left out or added, is found out."""
    good = shown(puzzle_id)
    answer = good.answer
    assert isinstance(answer.value, int)
    for wrong in (replace(answer, value=answer.value + 1), replace(answer, moves=answer.moves[1:])):
        assert not solve(replace(good, answer=wrong), "state").passed


NAMED = {rule.id for rule in RULES} | {
    name for rule in RULES for switch in rule.switches if "_" in (name := switch.name)
}
"""Ids of rules and switches; a switch of one word, as farms, is a word of the game."""


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_a_puzzle_says_why(puzzle_id: str) -> None:
    """It has an explanation, rules that exist, and tells where it comes from.

    No sentence for a learner names a rule or a switch by its id.
    """
    good = shown(puzzle_id)
    assert len(good.explanation) > 100
    assert good.rules
    ids = {rule.id for rule in RULES}
    assert set(good.rules) <= ids
    words = f"{good.title} {good.words} {good.explanation} {good.lesson.hint}"
    assert not [one for one in NAMED if one in words]
    if isinstance(good.question, Force | Win | Most):
        assert good.answer.line
        assert good.refutations
    assert good.provenance
    for one in good.refutations:
        # Each is told once: the natural one in the explanation, the others beside it.
        assert (f"({one.move})" in good.explanation) is not bool(one.why)


LONGEST = 30
"""Words of a sentence at most, without the notation in brackets."""


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_a_solution_is_a_lesson(puzzle_id: str) -> None:
    """It has its four parts, in sentences of a fair length, with each move in words."""
    good = shown(puzzle_id)
    if good.answer.moves:
        told = [one.split(":")[0] for one in good.explanation.splitlines()]
        later = ["The play"] if len(good.answer.line) > 1 else []
        assert told[-3 - len(later) :] == [
            "The natural move",
            "The key",
            *later,
            "To remember",
        ]
        assert len(told) == 4 + len(later) or not isinstance(good.question, Force)
    for text in (good.explanation, *(one.why for one in good.refutations)):
        words = re.sub(r" ?\([^)]*\)|\[[^]]*\]", "", text)
        for sentence in re.split(r"(?<=[.:;?]) |\n", words):
            assert len(sentence.split()) <= LONGEST, sentence


def test_half_of_the_castles_are_those_of_real_games() -> None:
    """Scores are near each other there and wall tiles in hand; few rest on a large empty area."""
    castles = [shown(one.id) for one in puzzle_entries() if one.game.startswith(CASTLE)]
    whole = [one for one in castles if len(one.position.tiles) >= LAID]
    real = [one.position for one in whole if "local search" not in one.provenance]
    assert 2 * len(real) >= len(castles)
    for at in real:
        white, black = at.players
        assert abs(white.score - black.score) <= CLOSE
        assert white.wall_tiles or black.wall_tiles
    large = [
        one
        for one in castles
        if len(one.position.game.board.cells) - len(one.position.tiles) > LARGE
        and "empty" in one.explanation
    ]
    assert 4 * len(large) <= len(castles)


WITH_A_WALL_TILE = {
    1: "two-tiles-in-a-row",
    2: "a-tower-along-the-northern-wall",
    3: "a-room-more-for-the-squire",
    4: "once-is-enough",
    5: "nine-on-the-tower-ahead",
    6: "which-way-the-tower-looks",
    7: "tower-and-path-in-one-move",
    8: "tower-first-or-house-first",
    9: "the-fountain-or-the-corner-tower",
}


@pytest.mark.long
@pytest.mark.parametrize(("number", "name"), WITH_A_WALL_TILE.items())
def test_each_wall_tile_decides_a_puzzle(number: int, name: str) -> None:
    """Without it the key is not the only best move."""
    asked = shown(name)
    at = asked.position
    players = tuple(
        replace(one, wall_tiles=tuple(tile for tile in one.wall_tiles if tile != number))
        for one in at.players
    )
    towers = tuple((tower, tile) for tower, tile in at.towers if tile != number)
    without = replace(at, players=players, towers=towers)
    assert asked.question.reply(without).facts["moves"] != list(asked.answer.moves)


OWN = 200
"""Puzzles with an author's words, at least."""


def test_puzzles_have_words_of_their_own() -> None:
    """No hint, notice, reason or maxim stands in two of them."""
    lessons = [shown(name).lesson for name in PUZZLES]
    assert sum(bool(one.hint and one.notice and one.maxim) for one in lessons) >= OWN
    for part in ("hint", "notice", "trap", "key", "maxim"):
        words = [text for one in lessons if (text := getattr(one, part))]
        assert len({*words}) == len(words)


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_two_engines_stand_behind_an_answer(puzzle_id: str) -> None:
    """The file names the engines that proved it, and the day."""
    stamp = shown(puzzle_id).certification
    assert stamp is not None
    assert len(set(stamp.engines)) >= 2
    assert stamp.date


@cache
def worths(puzzle_id: str) -> Mapping[str, Fraction]:
    """Return what every legal first move of a shipped puzzle is worth.

    Of two players the kernel tells it alone. A replay of each move by the rules engine would
    repeat what the tests of ``forced`` show.
    """
    good = shown(puzzle_id)
    if not isinstance(good.question, Force) or len(good.position.players) > TWO:
        return good.question.values(good.position)
    ending = Ending(good.position)
    moves = ((ending.move(turn), value) for turn, value in ending.values().items())
    return {write_move(good.position, move): Fraction(value) for move, value in moves}


@pytest.mark.parametrize("puzzle_id", BY_MOVES)
def test_the_value_of_each_move_is_what_a_puzzle_says_of_it(puzzle_id: str) -> None:
    """All best moves are stored and accepted, the best of the others is refuted.

    The question tells if several are best. The trainer asks for the value of a move, not whether
    the file names it.
    """
    good, values = shown(puzzle_id), worths(puzzle_id)
    best = max(values.values())
    keys = {move for move, value in values.items() if value == best}
    assert keys == set(good.answer.moves)
    assert len(keys) == 1 or f"{len(keys)} moves are best" in good.words
    wrong = max(value for value in values.values() if value < best)
    assert max(Fraction(one.value) for one in good.refutations) == wrong
    unnamed = replace(good, answer=replace(good.answer, moves=()))
    for move in keys:
        assert attempt(good, move).right
        assert attempt(unnamed, move).right
    assert not attempt(good, min(values, key=lambda move: values[move])).right


def test_a_move_as_good_as_those_that_are_stored_is_right() -> None:
    """Of several ways to the most one was stored, and the others were said to be worse."""
    now = shown("two-markets-in-hand")
    old = replace(
        now,
        position=replace(now.position, order=("K33", "K14")),
        answer=replace(now.answer, moves=("K33@2,0r2 merchant.S",)),
    )
    tried = attempt(old, "K33@2,0r1 merchant.E")
    assert (tried.right, tried.value) == (True, 16)
    several = replace(old, answer=replace(old.answer, moves=("K33@2,0r2 merchant.S",) * 4))
    assert several.words.endswith("(4 moves are best; any of them will do.)")


def test_a_tile_without_a_place_is_announced() -> None:
    """The question names the tile that can be laid, and why it is not the first."""
    good = shown("a-fountain-that-needs-a-place")
    wrong = read_move(good.position, "K19@6,5r3 herald.S")
    best = ("-K01 K42@4,3r0 knight.E",)
    later = replace(
        good,
        position=play(good.position, wrong).position,
        answer=Answer(value=0, moves=best, line=best),
        refutations=(),
    )
    assert later.words.startswith("Black to lay K42, since K01 has no place: ")
    played = study(later)
    assert played is not None
    assert "finds no place for K01" in explanations.explanation(played)


def test_an_explanation_tells_what_the_play_decides() -> None:
    """What final scoring brings with these turns and without them is not their doing."""
    good = shown("both-hold-the-same-tile")
    assert "uncompleted road of 3 tiles" in good.explanation
    assert "farm" not in good.explanation
