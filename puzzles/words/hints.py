"""Hints for a puzzle in steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.rules.index import RULES
from burgrave.model.words import read_cell
from burgrave.puzzles.questions.past import played as turns_played
from burgrave.puzzles.questions.wording import counted, listed, named, noun, of_rank, placed, turn
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.study import Study, study
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.differences import served
from burgrave.puzzles.words.last_tile import excluded
from burgrave.solver.problem import TWO

HINTS = 3
"""Steps in which hints are given."""
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
        tower = puzzle.position.part(Towers).built
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
