"""The kinds that composers know: helped, series, a tile added, the past.

Each shipped puzzle is proved again by the rules engine, and one of each kind by a brute force that
shares no code with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random

import pytest

from burgrave.model.components import Prisoner
from burgrave.model.engine import judge, legal_moves, play
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.model.registry import ids
from burgrave.model.words import read_cell
from burgrave.puzzles.candidates.adding import still_asks
from burgrave.puzzles.files.library import find, position, puzzle, puzzle_entries
from burgrave.puzzles.files.puzzle_files import puzzle_data, read_puzzle, write_puzzle
from burgrave.puzzles.judging.solving import solve
from burgrave.puzzles.making.endings import LAID
from burgrave.puzzles.making.kinds import KINDS, KindWish
from burgrave.puzzles.questions import Add, Aim, History, Last, Most, Reply, Series
from burgrave.puzzles.questions.past import began, canonical_tiles
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.simplify import pieces
from burgrave.puzzles.words.explanations import told
from burgrave.puzzles.words.hints import HINTS, hints
from burgrave.puzzles.words.last_tile import excluded, only_order
from burgrave.puzzles.words.other_answers import ruled
from burgrave.puzzles.words.titles import titles
from burgrave.puzzles.words.tutor import attempt, form
from burgrave.solver.limits import Limits
from burgrave.solver.simulation import PLAYED_BY, table

SHIPPED = [entry.id for entry in puzzle_entries() if entry.question in KINDS]
BY_TABLE = [e.id for e in puzzle_entries() if e.question in {"add", "history", "last"}]
FIRST = {entry.question: entry.id for entry in reversed(puzzle_entries())}
"""The first shipped puzzle of each question."""


@cache
def shown(puzzle_id: str) -> Puzzle:
    """Return a shipped puzzle."""
    return puzzle(find(puzzle_id))


def test_every_kind_is_shipped() -> None:
    """Five puzzles of each at least, in the four games shipped first; some for three players.

    Another game may ship as few as it likes. Some title fits each kind.
    """
    whole = {"castle", "castle+falcon", "carcassonne", "carcassonne+tower"}
    for kind in KINDS:
        games = [entry.game for entry in puzzle_entries() if entry.question == kind]
        assert len(games) >= 5, kind
        assert {*games} >= whole, kind
        assert {*titles(shown(FIRST[kind]))}, kind
    assert sum(len(shown(name).position.players) == 3 for name in SHIPPED) >= 3


def test_enough_of_inns_and_cathedrals_is_shipped() -> None:
    """Twelve puzzles of five questions at least, three of them with The Tower too."""
    entries = [entry for entry in puzzle_entries() if entry.game in ids(expansion="inns")]
    assert len(entries) >= 12
    assert len({entry.question for entry in entries}) >= 5
    assert sum(entry.game == "carcassonne+inns+tower" for entry in entries) >= 3


@pytest.mark.parametrize("puzzle_id", BY_TABLE)
def test_the_rules_engine_comes_to_the_stored_answer(puzzle_id: str) -> None:
    """The compiled kernel is asked where the answers of all puzzles are found anew."""
    verdict = solve(shown(puzzle_id), "reference")
    assert verdict.got == verdict.expected


def with_draws(at: Position) -> Iterator[Position]:
    """Yield a position with each tile of its bag in hand, another one after it."""
    for tile in sorted({*at.bag}):
        yield replace(at, order=(tile, tile), bag=())


def everywhere(at: Position) -> Iterator[Move]:
    """Yield the next tile on every cell and in every rotation, without more."""
    near = {beyond for tile in at.tiles for _, beyond in tile.cell.neighbours()}
    cells = near if at.game.board.endless else {Cell(x, y) for x in range(-2, 9) for y in range(14)}
    for cell in sorted(cells):
        for rotation in at.game.tile_set.kind(at.order[0]).rotations():
            yield Move(tile=at.order[0], cell=cell, rotation=rotation)


def gives(aim: Aim, tile: str, before: Position, after: Position) -> bool:
    """Tell whether a position has a wanted property, by the rules engine alone."""
    if aim is Aim.LEVEL:
        return len({*final_scoring(replace(after, order=())).scores}) == 1
    if aim is Aim.HOME:
        return not after.followers
    if aim is Aim.BOTH:
        pairs = zip(before.players, after.players, strict=True)
        return all(late.score > early.score for early, late in pairs)
    alone = replace(after, order=(tile, tile))
    return not any(judge(alone, move).legal for move in everywhere(alone))


@pytest.mark.parametrize("puzzle_id", [e.id for e in puzzle_entries() if e.question == "add"])
def test_one_tile_alone_gives_the_property(puzzle_id: str) -> None:
    """Every tile of the bag on every cell, in every rotation, is judged and played."""
    good = shown(puzzle_id)
    asked = good.question
    assert isinstance(asked, Add)
    found = {
        write_move(at, move)
        for at in with_draws(good.position)
        for move in everywhere(at)
        if judge(at, move).legal
        and gives(asked.aim, asked.tile, good.position, play(at, move).position)
    }
    assert found == {*good.answer.line}


def pasts(goal: Position) -> Iterator[tuple[Move, ...]]:
    """Yield every game that leads to a position: all orders of its tiles, all their followers."""
    start = began(goal)
    tiles = [tile for tile in canonical_tiles(goal).tiles if tile not in start.tiles]
    for order in permutations(tiles):
        lines: list[tuple[Position, tuple[Move, ...]]] = [(start, ())]
        for laid in order:
            after = []
            for at, line in lines:
                drawn = replace(at, order=(laid.kind.id,) * (len(tiles) - len(line)))
                bare = Move(tile=laid.kind.id, cell=laid.cell, rotation=laid.rotation)
                if judge(drawn, bare).legal or not goal.game.board.endless:
                    moves = legal_moves(drawn)
                    same = (m for m in moves if (m.cell, m.rotation) == (laid.cell, laid.rotation))
                    after += [
                        (replace(play(drawn, move).position, order=()), (*line, move))
                        for move in same
                    ]
            lines = after
        yield from (line for at, line in lines if at == canonical_tiles(goal))


def test_no_other_turns_lead_to_a_position() -> None:
    """All orders of the tiles with all followers, by the rules engine."""
    good = shown(FIRST["history"])
    games = {
        tuple(write_move(good.position, move) for move in game) for game in pasts(good.position)
    }
    assert games == {good.answer.line}


def test_every_past_ends_with_the_same_tile() -> None:
    """Whichever game led to the position: all orders of the tiles, by the rules engine."""
    good = shown("a-tile-that-nobody-stands-on")
    games = list(pasts(good.position))
    assert games
    assert {str(game[-1].cell) for game in games} == {good.answer.cell}


def test_the_last_tile_is_not_told_by_neighbours_and_owners_alone() -> None:
    """Some tile is ruled out by the order of the turns, or by the points and the followers."""
    for puzzle_id in (entry.id for entry in puzzle_entries() if entry.question == "last"):
        good = shown(puzzle_id)
        found = excluded(good.position, read_cell(good.answer.cell))
        assert found.ordered or found.played, puzzle_id


def test_the_order_before_the_last_tile_is_told_where_there_is_one() -> None:
    """Of two tiles on one side and three in a row the followers leave one order, or several."""
    told = only_order(shown("the-cloister-at-the-far-end").position, Cell(-1, 1))
    assert told.endswith("gives each follower his owner's turn: 0,1, then 0,2, then 0,3.")
    assert not only_order(shown("three-squires-and-a-point").position, Cell(0, 3))


def test_a_board_tells_points_of_players_without_followers() -> None:
    """What is seen on it is said of each player who has anything."""
    words = told(shown("the-monk-or-the-knight"))
    assert "Red has a knight on -1,1 and a monk on 0,-1. Blue has 4 points." in words


@pytest.mark.parametrize("way", PLAYED_BY)
def test_the_past_of_a_captured_follower_is_found(way: str) -> None:
    """He stood on one of several segments, and no longer stands anywhere."""
    goal = replace(new_position(shipped_game("carcassonne+tower"), Random(1)), order=())
    for tile in ("TW01", "TW02"):
        at = replace(goal, order=(tile, tile))
        # Red places a follower, Blue captures him.
        chosen = next(
            m for m in legal_moves(at) if m.captures or (m.followers and not at.followers)
        )
        goal = play(at, chosen).position
    goal = replace(goal, order=(), bag=())
    assert goal.players[1].part(TowerHoldings).prisoners == (Prisoner(0),)
    games = list(pasts(goal))
    assert len(games) > 1
    assert History().reply(goal, way).facts["turns"] == []
    assert Last().reply(goal, way).facts["cell"] == str(games[0][-1].cell)


def test_a_past_without_points_cites_the_rule_of_a_piece_or_a_guard() -> None:
    """It cited none, and so no such puzzle was ever made."""
    good = shown("who-did-not-stay")
    assert not any(state.score for state in good.position.players)
    words = told(good)
    assert "Red has one prisoner from Blue" in words
    assert ruled(good) == ("tower.piece.place", "tower.capture.reach")
    assert ruled(shown("a-piece-and-a-guard")) == ("tower.piece.place", "tower.guard.place")
    assert ruled(shown("two-storeys")) == ("tower.piece.place",)


@pytest.mark.parametrize("way", PLAYED_BY)
def test_a_past_leads_far_from_the_start_tile(way: str) -> None:
    """The compiled kernel had room for two tiles in a row and did not come back after three."""
    goal, road = began(shown(FIRST["last"]).position), ("U@-1,0r0", "U@-2,0r0", "U@-3,0r0")
    for text in road:
        at = replace(goal, order=("U", "U"))
        goal = replace(play(at, read_move(at, text)).position, order=())
    assert tuple(History().reply(goal, way).facts["turns"]) == road
    with pytest.raises(QuestionError, match="no more tiles"):
        _played_without_room(goal)


def _played_without_room(at: Position) -> None:
    """Play a turn of the kernel from a position without tiles to come."""
    game = table(at, PLAYED_BY[0])
    game.play(next(iter(game.turns("U", last=True))), last=True)


def lines(
    at: Position, met: Callable[[Position], Position]
) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Yield the end of every line of play with its moves."""
    if at.over:
        yield at, ()
        return
    for move in legal_moves(at):
        for end, rest in lines(met(play(at, move).position), met):
            yield end, (write_move(at, move), *rest)


@pytest.mark.parametrize("kind", ["help", "series"])
def test_one_line_alone_reaches_the_most(kind: str) -> None:
    """Every line is played out by the rules engine."""
    good = shown(FIRST[kind])
    asker = good.position.to_move

    def met(at: Position) -> Position:
        return at if at.over or kind == "help" else replace(at, to_move=asker)

    ends = [(final_scoring(at).scores[asker], line) for at, line in lines(good.position, met)]
    most = max(score for score, _ in ends)
    assert (most, [line for score, line in ends if score == most]) == (
        good.answer.value,
        [good.answer.line],
    )


def each_for_himself(at: Position, asker: int) -> tuple[int, ...]:
    """Return each player's lead over the best other one, in turn from the asker on, by max^n."""
    count = len(at.players)
    turn = [(asker + i) % count for i in range(count)]
    if at.over:
        scores = final_scoring(at).scores
        return tuple(scores[p] - max(scores[:p] + scores[p + 1 :]) for p in turn)
    own = turn.index(at.to_move)
    ends = (each_for_himself(play(at, move).position, asker) for move in legal_moves(at))
    return max(ends, key=lambda end: (end[own], *(-v for i, v in enumerate(end) if i != own)))


def test_of_three_players_each_plays_for_himself() -> None:
    """Every line after the key and after one refuted move is played out by the rules engine."""
    several = [entry.id for entry in puzzle_entries() if entry.question == "force"]
    several = [name for name in several if len(shown(name).position.players) > 2]
    assert len(several) >= 3
    good = shown("three-at-one-table")
    at, told = good.position, {good.answer.moves[0]: good.answer.value}
    told |= {one.move: one.value for one in good.refutations[:1]}
    for text, value in told.items():
        after = play(at, read_move(at, text)).position
        assert each_for_himself(after, at.to_move)[0] == value
    for one in good.refutations:
        assert good.question.followed(at, one.move) == (one.value, one.line)
    assert attempt(good, good.answer.moves[0]).right
    assert not attempt(good, good.refutations[0].move).right


@pytest.mark.parametrize("puzzle_id", SHIPPED)
def test_no_piece_is_idle(puzzle_id: str) -> None:
    """Without any one piece the answer is another, or not alone; a past needs every piece.

    Endings of whole games keep the board on which they arose.
    """
    good = shown(puzzle_id)
    if good.measures is not None:
        assert good.measures.idle == 0 or len(good.position.tiles) >= LAID
    elif not isinstance(good.question, History | Last):
        facts = good.question.reply(good.position).facts
        for take in pieces(good.position):
            less = take(good.position)
            if less == good.position:
                continue
            try:
                found = good.question.reply(less).facts
            except QuestionError:
                continue
            same = {key: found[key] for key in ("moves", "turns") if key in found}
            assert not same.items() <= facts.items() or not _asks(good, less), take


def _asks(good: Puzzle, less: Position) -> bool:
    """Tell whether a smaller position is possible and still asks for something."""
    return not problems(less) and still_asks(good.question, less)


@pytest.mark.parametrize("kind", KINDS)
def test_a_puzzle_comes_back_from_its_file_and_is_tried(kind: str) -> None:
    """TOML and JSON; the stored answer is right, a part of it is not enough, others are wrong."""
    good = shown(FIRST[kind])
    assert read_puzzle("written", write_puzzle(good)) == good
    assert read_puzzle("written", write_puzzle(good, as_json=True)) == good
    assert len(hints(good)) == HINTS
    assert form(good)
    answer = good.answer
    right = answer.cell or "; ".join(answer.line)
    if kind == "inflict":
        right = answer.moves[0]
    tried = attempt(good, right)
    assert (tried.right, tried.more) == (True, False)
    if kind in {"help", "series"}:
        tried = attempt(good, answer.line[0])
        assert (tried.right, tried.more) == (True, True)
        assert not attempt(good, f"{answer.line[0]}; {answer.line[0]}").right
    if good.refutations:
        assert not attempt(good, good.refutations[0].move).right
    if kind == "last":
        assert not attempt(good, "0,0").right
    with pytest.raises(QuestionError):
        attempt(good, "perhaps")


@pytest.mark.parametrize("kind", KINDS)
def test_an_edited_answer_is_found_out(kind: str) -> None:
    """Another value, line or cell is not what the engines find."""
    good = shown(FIRST[kind])
    answer = good.answer
    wrong = [replace(answer, line=answer.line[::-1])] if len(answer.line) > 1 else []
    if answer.value is not None:
        wrong.append(replace(answer, value=int(answer.value) + 1))
    if answer.cell:
        wrong.append(replace(answer, cell="0,0"))
    if kind == "add":
        other = next(iter(with_draws(good.position)))
        moves = (write_move(other, move) for move in legal_moves(other))
        wrong.append(replace(answer, line=(next(m for m in moves if (m,) != answer.line),)))
    assert wrong
    for edited in wrong:
        assert not solve(replace(good, answer=edited)).passed


def test_files_that_ask_nothing_are_refused() -> None:
    """An aim is named, and a tile with ``blocked`` alone."""
    data = puzzle_data(shown(FIRST["add"]))
    for change in ({"aim": ""}, {"aim": "home", "tile": "A"}, {"aim": "blocked", "tile": ""}):
        with pytest.raises(FileError):
            read_puzzle("broken", json.dumps({**data, **change}))


def test_questions_refuse_positions_that_they_do_not_suit() -> None:
    """Tiles to come in a past, a bag where the order must be known, wall tiles, and so on."""
    past, line, add = (shown(FIRST[kind]).position for kind in ("history", "series", "add"))
    with pytest.raises(QuestionError, match="tiles to come"):
        History().reply(line)
    with pytest.raises(QuestionError, match="after 1 to"):
        Last().reply(began(past))
    with pytest.raises(QuestionError, match="bag"):
        Add(aim=Aim.HOME).reply(line)
    held = replace(add.players[0], wall_tiles=(4,))
    with pytest.raises(QuestionError, match="wall tiles"):
        Add(aim=Aim.HOME).reply(replace(add, players=(held, *add.players[1:])))
    with pytest.raises(QuestionError, match="does not play every line"):
        table(add, "cpsat")


def test_both_ways_list_the_same_turns_and_positions() -> None:
    """A game of The Castle and one of The Tower: moves, positions after them, totals."""
    for name in ("castle-04", "two-cities-one-answer"):
        at = puzzle(find(name)).position if name != "castle-04" else _castle()
        found = []
        for way in PLAYED_BY:
            game, seen = table(at, way), set()
            for turn in game.turns(at.order[0], last=False):
                move = game.move(turn)
                game.play(turn, last=False)
                seen.add((move, game.position(), game.totals()))
                game.undo()
            found.append(seen)
        assert found[0] == found[1]
        assert found[0]


def _castle() -> Position:
    """Return a shipped ending of The Castle."""
    return position(find("castle-04"))


def test_a_series_is_one_players() -> None:
    """The opponent has no turn, and the same tiles bring more than with his help."""
    good = shown(FIRST["series"])
    question = good.question
    assert isinstance(question, Series)
    at = good.position
    for text in good.answer.line:
        assert at.to_move == question.asker
        at = question.met(play(at, read_move(at, text)).position)
    assert at.over


def test_a_candidate_depends_on_its_seed_alone() -> None:
    """The same wish makes the same puzzle; what cannot be is refused."""
    wish = KindWish(game=shipped_game("carcassonne"), question="history", seed=2, tiles_left=4)
    made = [wish.candidate(7) for _ in range(2)]
    assert made[0] is not None
    assert made[0] == made[1]
    for wrong in (
        replace(wish, question="nosuch"),
        replace(wish, tiles_left=2),
        replace(wish, question="help", tiles_left=99),
        replace(wish, question="series", tiles_left=1),
        replace(wish, question="series", tiles_left=2, easiest=4),
        replace(wish, question="inflict", tiles_left=3, hardest=2),
    ):
        with pytest.raises(QuestionError):
            wrong.check()


def test_a_line_that_is_not_proved_to_its_end_is_no_branching(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without time for a later turn the answer is not proved, and the turns share the time."""
    asked = puzzle(find("a-city-of-two-or-of-three"))
    whole, given = asked.question.reply(asked.position), list[Limits]()
    assert whole.facts["turns"]
    real = Most.reply

    def reply(self: Most, position: Position, engine: str, budget: Limits) -> Reply:
        given.append(budget)
        found = real(self, position, engine)
        unknown = {**found.facts, "status": "unknown", "moves": []}
        return found if position == asked.position else replace(found, facts=unknown)

    monkeypatch.setattr(Most, "reply", reply)
    cut = asked.question.reply(asked.position, budget=Limits(seconds=60))
    assert (cut.facts["status"], cut.facts["turns"]) == ("unknown", [])
    first, second = (one.seconds or 0 for one in given)
    assert second < first <= 60


def test_expected_values_that_are_not_proved_are_none() -> None:
    """Bounds of a stopped search were told as the values of all moves."""
    asked = puzzle(find("not-knowing-what-comes"))
    few = Limits(nodes=1000)
    assert asked.question.reply(asked.position, budget=few).values
    assert asked.question.values(asked.position, few) == {}
