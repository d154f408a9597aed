"""A user's own try at a puzzle: hints in steps, and comments on an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from burgrave.model.engine import canonical, judge, play
from burgrave.model.errors import NotationError, QuestionError
from burgrave.model.geometry import Cell
from burgrave.model.loose_notation import read_typed
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.rules.index import RULES
from burgrave.model.words import read_cell
from burgrave.puzzles.questions import plain, spelled
from burgrave.puzzles.questions.past import played as turns_played
from burgrave.puzzles.questions.wording import (
    a_move,
    counted,
    listed,
    named,
    noun,
    of_rank,
    placed,
    turn,
)
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.study import Study, study
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.differences import served
from burgrave.puzzles.words.last_tile import excluded
from burgrave.solver.problem import TWO

HINTS = 3
"""Steps in which hints are given."""
WHOLE_LINES = frozenset({"help", "series"})
"""The questions that are answered by a whole line of play."""
BETWEEN = ";"
"""Stands between the turns of a line that a user types."""
ASKED: Mapping[str, str] = MappingProxyType(
    {
        "field": "Who will have the most farmers there at the end?",
        "road": "How long can it become, and for whom?",
        "path": "What does it need to be complete?",
        "city": "Who can still enter it, and who completes it?",
        "cloister": "How many neighbours will it have?",
        "court": "Who will stand there at the end?",
        "house": "What does it need to be complete?",
        "tower": "What does it need to be complete?",
    }
)
"""What the first hint asks about a feature, by its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The response to a user's answer."""

    right: bool
    told: str
    """One plain sentence."""
    more: bool = False
    """Whether it is the beginning of an answer, and turns are left to be found."""
    value: int | str | None = None
    """The value of a legal move, if the answer was one and moves have a value."""
    line: tuple[str, ...] = ()
    """The move and best play after it, as far as it is stored or was searched."""


def form(puzzle: Puzzle) -> str:
    """Return in words the form of an answer to the puzzle."""
    name = puzzle.question.name
    if name == "legal":
        return "yes or no"
    if name == "scores":
        return "who scores what, in order: 'white 4, black 2', or 'nobody'"
    if name == "final":
        return "who ends with how many points: 'white 34, black 28'"
    if name == "complete":
        return "a number of tiles"
    if name == "last":
        return "the cell of the tile, like 1,-2"
    if name == "add":
        return a_move(puzzle.position.game)
    if name in WHOLE_LINES | {"history"}:
        return f"all {len(puzzle.answer.line)} turns in order, with {BETWEEN} between them"
    return a_move(puzzle.position.game) + (", or the number" if name == "max" else "")


def later(puzzle: Puzzle, played: Sequence[str]) -> Puzzle:
    """Return a puzzle as it stands after moves of best play.

    Its value is the same for the same player. The stored values of first moves no longer apply; the
    stored line continues if the moves are its own.

    Raises:
        BurgraveError: a move is none, or is illegal.

    """
    position, line = puzzle.position, puzzle.answer.line
    for move in played:
        on = bool(line) and spelled(position, move) == spelled(position, line[0])
        line = line[1:] if on else ()
        position = puzzle.question.met(play(position, read_move(position, move)).position)
    if not played:
        return puzzle
    answer = replace(puzzle.answer, moves=line[:1], line=line)
    return replace(puzzle, position=position, answer=answer, refutations=())


def _whole_line(
    puzzle: Puzzle, text: str, search: Callable[[Puzzle, str], Attempt | None]
) -> Attempt | None:
    """Judge the turns of a line, of which the first may be given alone.

    Args:
        puzzle: the puzzle.
        text: the turns.
        search: judges a turn of which nothing is stored.

    Returns:
        The response; None if the search has none.

    """
    moves = [part.strip() for part in text.split(BETWEEN) if part.strip()]
    if not moves:
        raise QuestionError(f"'{text}': give {form(puzzle)}")
    for number, move in enumerate(moves, start=1):
        found = _tried(puzzle, move) or search(puzzle, move)
        if found is None:
            return None
        tried = found
        if not tried.right:
            return replace(tried, told=f"Turn {number}: {tried.told}")
        if not puzzle.answer.line:
            raise QuestionError(f"{move}: the game is over before it")
        puzzle = later(puzzle, puzzle.answer.line[:1])
    if puzzle.position.over:
        return tried
    return replace(tried, more=True)


def _nothing(puzzle: Puzzle, move: str) -> None:
    """Know nothing of a move that is not stored."""


def attempt(puzzle: Puzzle, text: str) -> Attempt:
    """Judge an answer, by a solver if the puzzle does not tell its value.

    Args:
        puzzle: the puzzle.
        text: an answer of the form that ``form`` tells.

    Raises:
        QuestionError: the text is no answer to this question.

    """
    whole = puzzle.question.name in WHOLE_LINES
    found = _whole_line(puzzle, text, _searched) if whole else stored(puzzle, text)
    return found or _searched(puzzle, text)


def stored(puzzle: Puzzle, text: str) -> Attempt | None:
    """Judge an answer by what the puzzle stores, without a solver.

    Args:
        puzzle: the puzzle.
        text: an answer of the form that ``form`` tells.

    Returns:
        The response; None if it is a legal move whose value is not stored.

    Raises:
        QuestionError: the text is no answer to this question.

    """
    text = " ".join(text.split())
    name = puzzle.question.name
    if name == "legal":
        return _yes_or_no(puzzle, text)
    if name in {"scores", "final"}:
        wanted = list(puzzle.answer.points)
        given = [] if text.lower() == "nobody" else [part.strip() for part in text.split(",")]
        right = [part.lower() for part in given] == wanted
        return Attempt(right=right, told="Right." if right else "No: count again.")
    if name == "complete" or (name == "max" and text.lstrip("-").isdigit()):
        if not text.lstrip("-").isdigit():
            raise QuestionError(f"'{text}': give {form(puzzle)}")
        right = int(text) == puzzle.answer.value
        return Attempt(right=right, told="Right." if right else "No: count again.")
    if name == "last":
        if not re.fullmatch(r"-?\d+, ?-?\d+", text):
            raise QuestionError(f"'{text}': give {form(puzzle)}")
        right = text.replace(" ", "") == puzzle.answer.cell
        return Attempt(right=right, told="Right." if right else f"It is not the tile on {text}.")
    if name == "history":
        return _history(puzzle, text)
    if name == "add":
        return _added(puzzle, text)
    if name in WHOLE_LINES:
        # Several turns, or the first of them, are judged one after another.
        return _whole_line(puzzle, text, _nothing) if BETWEEN in text else _tried(puzzle, text)
    return _tried(puzzle, text)


def _history(puzzle: Puzzle, text: str) -> Attempt:
    """Judge the turns that led to a position."""
    given = [part.strip() for part in text.split(BETWEEN) if part.strip()]
    turns = list(turns_played(puzzle.position, puzzle.answer.line))
    for number, ((at, move), part) in enumerate(zip(turns, given, strict=False), start=1):
        try:
            right = read_typed(at, part)
        except NotationError as error:
            raise QuestionError(f"turn {number}: {error}\n  Give {form(puzzle)}.") from error
        if not judge(at, right).legal or canonical(at, right) != canonical(at, move):
            return Attempt(right=False, told=f"Turn {number} was another one.")
    if len(given) != len(turns):
        raise QuestionError(f"'{text}': give {form(puzzle)}")
    return Attempt(right=True, told="Right.")


def _added(puzzle: Puzzle, text: str) -> Attempt:
    """Judge a tile that is added."""
    given = typed(puzzle.position, text)
    if isinstance(given, str):
        return Attempt(right=False, told=given)
    right = write_move(puzzle.position, given) == puzzle.answer.line[0]
    return Attempt(right=right, told="Right." if right else "It is legal, but it does not do that.")


def _yes_or_no(puzzle: Puzzle, text: str) -> Attempt:
    """Judge an answer to the question whether a move is legal."""
    words = {"yes": True, "y": True, "legal": True, "no": False, "n": False, "illegal": False}
    if text.lower() not in words:
        raise QuestionError(f"'{text}': give {form(puzzle)}")
    right = words[text.lower()] is puzzle.answer.legal
    return Attempt(right=right, told="Right." if right else "No, it is the other way round.")


def typed(position: Position, text: str) -> Move | str:
    """Return the legal move that a user typed; of one that is illegal its faults in a sentence.

    Raises:
        QuestionError: the text is no move.

    """
    try:
        given = read_typed(position, text)
    except NotationError as error:
        raise QuestionError(f"{error}\n  An answer is {a_move(position.game)}.") from error
    verdict = judge(position, given)
    if not verdict.legal:
        faults = "; ".join(f"{found.message} [{found.rule}]" for found in verdict.violations)
        return f"That is not legal: {faults}."
    return canonical(position, given)


def _tried(puzzle: Puzzle, text: str) -> Attempt | None:
    """Judge a move if it is illegal or its value is stored."""
    position = puzzle.position
    given = typed(position, text)
    if isinstance(given, str):
        return Attempt(right=False, told=given)
    return verdict(puzzle, write_move(position, given))


def verdict(puzzle: Puzzle, move: str) -> Attempt | None:
    """Judge a legal move, worded as the engines do, by what is stored of it; None if nothing is."""
    answer = puzzle.answer
    if move in answer.moves:
        told = f"Right: it is worth {answer.value}."
        line = answer.line if answer.line[:1] == (move,) else ()
        return Attempt(right=True, told=told, value=answer.value, line=line)
    one = next((one for one in puzzle.refutations if one.move == move), None)
    if one is None:
        return None
    why = f" {one.why}" if one.why else ""
    told = f"It is worth {one.value}: there is better.{why}"
    return Attempt(right=False, told=told, value=one.value, line=one.line)


def _searched(puzzle: Puzzle, text: str) -> Attempt:
    """Judge a legal move by a solver."""
    position = puzzle.position
    move = write_move(position, canonical(position, read_typed(position, text)))
    worth, line = puzzle.question.followed(position, move)
    return valued(puzzle, worth, line)


def valued(puzzle: Puzzle, worth: Fraction | None, line: tuple[str, ...] = ()) -> Attempt:
    """Judge a legal move by its value.

    Args:
        puzzle: the puzzle.
        worth: its value for the asker, in points or as the question counts.
        line: the move and best play after it, if it is known.

    """
    value = plain(worth)
    # Of many ways to reach the most some alone may be stored.
    right = value == puzzle.answer.value
    told = f"Right: it is worth {value} too." if right else f"It is worth {value}: there is better."
    return Attempt(right=right, told=told, value=value, line=line)


def hints(puzzle: Puzzle) -> tuple[str, ...]:
    """Return three hints: where to look, what the idea is, and what is not the key.

    The third tells what the natural move runs into, and which piece the key uses. Of a question
    that no move answers they lead to the answer step by step.
    """
    played = study(puzzle)
    own = puzzle.lesson.hint
    if played is None:
        return (own or _of_rules(puzzle), *_further_hints(puzzle))
    return (_where(played), own or explanations.idea(played).hint, _contrast(played))


def _where(played: Study) -> str:
    """Return the thing that decides; it names no cell that is still empty."""
    tempting, own = explanations.natural(played), served(played)
    found = [] if tempting is None else explanations.weighed(played, tempting)
    board = {tile.cell: tile.kind.segments for tile in played.position.tiles}
    # What the solution gains comes first: it leads further than what the wrong move gains.
    for one in sorted(found, key=lambda one: (one.points > 0) is not (one.player == own)):
        kind = noun(one.event)
        if kind == "rest":
            continue
        if kind == "empty area":
            held = "aerie tokens" if "token" in one.event.text else "keeps"
            return f"Look at the {held}. Who would score the largest empty area, and why?"
        if kind == "wall tile":
            dealt = any(state.wall_tiles for state in played.position.players)
            return f"Look at the wall tiles {'in hand' if dealt else 'on the corner towers'}."
        asked = ASKED.get(kind, "What becomes of it by the end?")
        lying = [cell for cell in sorted(one.event.cells) if cell in board]
        if kind == "field":
            anchor = one.event.anchor
            if anchor is not None and anchor.cell in board:
                return f"Look at {named(one.event)}. {asked}"
        elif lying:
            # On a crossing several roads meet.
            alone = min(lying, key=lambda at: sum(part.kind == kind for part in board[at]))
            return f"Look at the {kind} at {alone}. {asked}"
        more = " by a completed city" if kind == "field" else ""
        return f"What decides is not on the board yet: a {kind}{more}."
    key = played.key.move.cell
    if key is None or not board:
        return "Look at what the tile can do at all."
    near = min(sorted(board), key=lambda one: abs(one.x - key.x) + abs(one.y - key.y))
    if abs(near.x - key.x) + abs(near.y - key.y) > 1:  # A start space holds the key, no tile.
        return "Look at the start spaces. What do they show?"
    return f"Look at the tile on {near} and at what continues from it."


def _contrast(played: Study) -> str:
    """Return the natural move with the reply that refutes it, and what the key does instead.

    Turns on the cell of the key would give it away and are left out.
    """
    tempting = explanations.natural(played)
    steps = [] if tempting is None else tempting.steps[: 2 if played.opposed else 1]
    if not steps or played.key.move.cell in {step.move.cell for step in steps}:
        return _piece(played)
    turns = [
        f"{played.position.game.name(step.mover)} {'then ' if number else ''}"
        f"{turn(step.before, step.move)}."
        for number, step in enumerate(steps)
    ]
    return f"It is not this: {' '.join(turns)} {_piece(played)}"


def _piece(played: Study) -> str:
    """Return what the key does beside laying the tile."""
    move, step = played.key.move, played.key
    deeds = [f"places {placed(one.role, one.rank)}" for one in move.followers]
    if move.pieces:
        deeds.append("builds on a tower")
    if move.captures:
        deeds.append("takes a prisoner")
    deeds += [f"puts {of_rank(rank)} on a tower" for _, rank in move.guards]
    deeds += [f"buys {of_rank(one.rank)} back" for one in move.ransoms]
    if move.extra_turns or any(one.wall_tiles for one in move.scoring):
        deeds.append("uses a wall tile")
    done = " and ".join(deeds) or "places no follower"
    whose = played.rival if played.forcing else played.asker
    gain = step.gain(whose)
    gives = f"gives {played.position.game.name(whose)}" if played.forcing else "wins"
    if gain < 0:  # A ransom is paid.
        gives = "costs"
    return f"The key {done}. It {gives} {'points' if gain else 'nothing'} at once."


def _of_rules(puzzle: Puzzle) -> str:
    """Return a rule that matters."""
    texts = {rule.id: rule.sentence for rule in RULES}
    rules = [texts[rule] for rule in puzzle.rules if rule in texts]
    return f"A rule that matters: {rules[0]}" if rules else "Look at what the tile completes."


def theme_hint(themes: Sequence[str]) -> str:
    """Return the names of themes as a hint."""
    return f"Themes: {', '.join(theme.replace('-', ' ') for theme in themes)}."


def _further_hints(puzzle: Puzzle) -> tuple[str, str]:
    """Return how to go about it, and a part of the answer."""
    answer = puzzle.answer
    name = puzzle.question.name
    if name == "legal":
        return (
            _of_rules(puzzle)
            if puzzle.lesson.hint
            else "Go through the turn step by step: tile, followers, and what else is done.",
            "All other rules are kept: judge this one alone.",
        )
    if name == "scores":
        players = sorted({entry.split()[0].capitalize() for entry in answer.points})
        who = f"{listed(players)} score{'s' if len(players) == 1 else ''}"
        return (
            f"There {_are(len(answer.points), 'score')} in this turn.",
            f"{who if players else 'Nobody scores'}.",
        )
    if name == "final":
        best = max(answer.points, key=lambda entry: int(entry.split()[1]))
        return "Score the turn first, then the end.", f"The largest score is {best.split()[1]}."
    if name == "last":
        return "Count followers and points: who had which turns?", _of_the_past(puzzle)
    if name == "history":
        *_, (at, last) = turns_played(puzzle.position, answer.line)
        return (
            "Take back one turn after another: which tile can have been the last?",
            f"{at.game.name(at.to_move)} laid {last.tile} last.",
        )
    if name == "add":
        move = read_move(puzzle.position, answer.line[0])
        beside = [tile.cell for tile in puzzle.position.tiles if move.cell in _around(tile.cell)]
        return (
            f"It touches the tile on {beside[0]}." if beside else "It touches no tile.",
            f"It is tile {move.tile}.",
        )
    return (
        "Count the empty cells that the feature faces.",
        _but_one(answer.value),
    )


def _of_the_past(puzzle: Puzzle) -> str:
    """Return how to rule out the tile that is hardest to rule out as the last one."""
    found = excluded(puzzle.position, read_cell(puzzle.answer.cell))
    if found.played:
        tower = puzzle.position.built
        what = "tower piece, guard and prisoner" if tower else "score"
        return f"Ask of each {what} which turn can have brought it."
    if found.ordered:
        return "Try each tile as the last: does every follower stand on a tile of his owner's turn?"
    if found.hanging:
        return "Take each tile away: would those beside it still have had a place?"
    return "Followers tell who laid which tile. Who had the last turn?"


def _are(number: int, noun: str) -> str:
    """Return a verb with a number of things: ``are two scores``."""
    return f"{'is' if number == 1 else 'are'} {counted(number, noun)}"


def _around(cell: Cell) -> set[Cell]:
    """Return the cells beside a cell."""
    return {beyond for _, beyond in cell.neighbours()}


def move_hints(position: Position, text: str) -> tuple[str, str]:
    """Return the place to look at, and nearly all of a move."""
    move = read_move(position, text)
    if move.cell is None:
        return "Look at what the tile can do at all.", "No tile has a place."
    words = text.split()
    placed = next(word for word in words if "@" in word and not word.startswith("guard"))
    more = ". The turn has a further part" if len(words) > 1 else ", and do nothing else"
    return f"Look at the cell {move.cell}.", f"Place the tile as {placed}{more}."


def _but_one(value: object) -> str:
    """Return that one tile less than a number is not enough."""
    if not isinstance(value, int) or value <= 1:
        return "It is not complete yet."
    few = counted(value - 1, "tile")
    return f"{few[0].upper()}{few[1:]} {'is' if value == TWO else 'are'} not enough."
