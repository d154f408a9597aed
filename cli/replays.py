"""A record replayed and compared with its stated scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burgrave.cli.exits import retold
from burgrave.cli.lines import Line, line_data, line_text, play_line
from burgrave.cli.render.events import final_data, final_text, totals, undecided_text
from burgrave.cli.render.findings import finding_data, findings_text
from burgrave.model.castle.final_uses import undecided
from burgrave.model.draws import as_seen
from burgrave.model.errors import IllegalMoveError, NotationError, QuestionError
from burgrave.model.files.positions import Record, write_position
from burgrave.model.final import final_scoring
from burgrave.model.naming import times
from burgrave.model.notation import read_final, read_move
from burgrave.model.results import Final
from burgrave.model.rule import Finding

if TYPE_CHECKING:
    from burgrave.cli.render import json_types


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The result of a replayed record."""

    record: Record
    line: Line
    final: Final | None
    """Final scoring; None if the game is not over or its wall tiles may not be used so."""
    undecided: str = ""
    """The reason why final scoring is left out after the end of the game; else empty."""
    wrong_final: tuple[Finding, ...] = ()
    """The faults in the use of wall tiles in final scoring."""

    @property
    def result(self) -> tuple[int, ...]:
        """The scores at the end, after final scoring if the game is over."""
        if self.final is not None:
            return self.final.scores
        return tuple(player.score for player in self.line.end.players)

    @property
    def passed(self) -> bool:
        """Whether every move is legal and the record's result is reached."""
        legal = not self.line.refused and not self.wrong_final
        if self.undecided:
            return legal and self.record.result is None
        return legal and self.record.result in {None, self.result}


def replayed(name: str, record: Record) -> Replay:
    """Play a record.

    Args:
        name: the file as the user named it, for errors.
        record: the record.

    Raises:
        BurgraveError: a text in it is no move or no use of wall tiles.

    """
    line = play_line(record.position, record.moves, place=f"{name}: move ", read=read_move)
    if line.refused or not line.end.over:
        return Replay(record=record, line=line, final=None)
    reason = undecided(line.end)
    if reason and record.final is None:
        return Replay(record=record, line=line, final=None, undecided=reason)
    try:
        uses = None if record.final is None else read_final(line.end, record.final)
        return Replay(record=record, line=line, final=final_scoring(line.end, uses))
    except NotationError as error:
        raise retold(error, f"{name}: final") from error
    except IllegalMoveError as error:
        return Replay(record=record, line=line, final=None, wrong_final=error.findings)


def stopped(name: str, record: Record, turn: int, *, unknown: bool, as_json: bool) -> str:
    """Return the file of the position before a turn of a record.

    Args:
        name: the file as the user named it, for errors.
        record: the record.
        turn: the turn, from 1; one more than there are turns for the position at the end.
        unknown: whether the tiles not drawn yet are put into the bag.
        as_json: whether to write JSON or TOML.

    Raises:
        BurgraveError: a text in it is no move, or no such turn can be reached.

    """
    line = play_line(
        record.position, record.moves[: turn - 1], place=f"{name}: move ", read=read_move
    )
    played = len(line.turns)
    if line.refused:
        raise QuestionError(f"--at {turn}: move {played + 1} of {name} is illegal; replay says why")
    if played < turn - 1:
        raise QuestionError(
            f"--at {turn}: {name} has {times(played, 'turn')}; allowed are 1 to {played + 1}"
        )
    shown = as_seen(line.end) if unknown else line.end
    title = f"{record.title}, turn {turn}" if record.title else f"Turn {turn}"
    return write_position(shown, title=title, as_json=as_json)


def replay_data(replay: Replay) -> json_types.Replay:
    """Return the JSON keys of a replay."""
    data = line_data(replay.line)
    end = replay.line.end
    return {
        **data,
        "passed": replay.passed,
        "final": None if replay.final is None else final_data(end, replay.final),
        "undecided": replay.undecided or None,
        "violations": [*data["violations"], *map(finding_data, replay.wrong_final)],
        "result": list(replay.result),
        "expected": None if replay.record.result is None else list(replay.record.result),
    }


def replay_text(replay: Replay) -> Iterator[str]:
    """Yield the lines of a replay."""
    game = replay.record.position.game
    if replay.record.title:
        yield replay.record.title
    yield from line_text(replay.line)
    if replay.wrong_final:
        yield "The wall tiles of final scoring may not be used so:"
        yield from findings_text(replay.wrong_final)
    if replay.final is not None:
        yield from final_text(replay.line.end, replay.final)
    yield from undecided_text(replay.undecided)
    expected = replay.record.result
    if replay.undecided and expected is not None:
        yield "The result of the record is not compared."
    elif expected is not None and not replay.line.refused and not replay.wrong_final:
        if expected == replay.result:
            yield "The result is that of the record."
        elif len(expected) == len(replay.result):
            yield f"The result differs: the record says {totals(game, expected)}"
        else:
            yield f"The result differs: the record names {len(expected)} scores"
