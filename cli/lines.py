"""A line of moves played from a position, up to the first that is illegal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burgrave.cli.exits import retold
from burgrave.cli.render.events import event_data, events_text, totals
from burgrave.cli.render.findings import finding_data, findings_text
from burgrave.model.engine import Played, play
from burgrave.model.errors import IllegalMoveError, NotationError
from burgrave.model.files.positions import Record, position_data, write_position, write_record
from burgrave.model.loose_notation import read_typed
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding

if TYPE_CHECKING:
    from burgrave.cli.render import json_types


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A move that was played."""

    player: int
    notation: str
    played: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The result of a line of moves."""

    start: Position
    turns: tuple[Turn, ...]
    refused: tuple[Finding, ...] = ()
    """The faults of the first illegal move; empty if all were played."""
    refused_text: str = ""
    """That move, as it was given."""

    @property
    def end(self) -> Position:
        """The position after the last move that was played."""
        return self.turns[-1].played.position if self.turns else self.start


def play_line(
    start: Position,
    moves: Sequence[str],
    place: str = "move ",
    read: Callable[[Position, str], Move] = read_typed,
) -> Line:
    """Play moves until one is illegal.

    Args:
        start: the position before the first move.
        moves: the moves.
        place: how an error names a move, before its number.
        read: reads a move; by default as people type it.

    Raises:
        BurgraveError: a text is no move; the error names which.

    """
    position = start
    turns: list[Turn] = []
    for number, text in enumerate(moves, start=1):
        try:
            move = read(position, text)
            played = play(position, move)
        except NotationError as error:
            raise retold(error, f"{place}{number}") from error
        except IllegalMoveError as error:
            shown = " ".join(text.split())
            return Line(start=start, turns=tuple(turns), refused=error.findings, refused_text=shown)
        notation = write_move(position, move)
        turns.append(Turn(player=position.to_move, notation=notation, played=played))
        position = played.position
    return Line(start=start, turns=tuple(turns))


def line_data(line: Line) -> json_types.Line:
    """Return the JSON keys of a line."""
    game = line.start.game
    return {
        "legal": not line.refused,
        "moves": [
            {
                "player": game.players[turn.player],
                "notation": turn.notation,
                "events": [event_data(game, event) for event in turn.played.events],
            }
            for turn in line.turns
        ],
        "illegal": {"number": len(line.turns) + 1, "notation": line.refused_text}
        if line.refused
        else None,
        "violations": [finding_data(finding) for finding in line.refused],
        "scores": {n: s.score for n, s in zip(game.players, line.end.players, strict=True)},
        "over": line.end.over,
        "position": position_data(line.end),
    }


def line_text(line: Line) -> Iterator[str]:
    """Yield the moves with their events, the illegal one with its faults, and the score."""
    game = line.start.game
    for number, turn in enumerate(line.turns, start=1):
        yield f"{number:2d}. {game.name(turn.player)}: {turn.notation}"
        yield from (f"  {event}" for event in events_text(turn.played.events))
    if line.refused:
        number = len(line.turns) + 1
        yield f"{number:2d}. {game.name(line.end.to_move)}: {line.refused_text} is illegal"
        yield from findings_text(line.refused)
    scores = [player.score for player in line.end.players]
    turn_of = "the game is over" if line.end.over else f"{game.name(line.end.to_move)} to move"
    yield f"{totals(game, scores)}; {turn_of}"


def result_file(line: Line, *, as_record: bool, as_json: bool) -> str:
    """Return the text of the file that a line leads to.

    Args:
        line: a line without an illegal move.
        as_record: whether to write a record of the line or the position at its end.
        as_json: whether to write JSON or TOML.

    """
    if not as_record:
        return write_position(line.end, as_json=as_json)
    moves = tuple(turn.notation for turn in line.turns)
    return write_record(Record(position=line.start, moves=moves), as_json=as_json)
