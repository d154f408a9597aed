"""Reviews of many games as a table, a row a turn, and what each player loses where."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, Literal

from burgrave.cli.render.review import Game, turn_data
from burgrave.model.errors import QuestionError
from burgrave.model.naming import times
from burgrave.puzzles.files.parquet import arrow
from burgrave.puzzles.games.kinds import KINDS, PHASES, MistakeKind, Phase, kind_of, phase_of
from burgrave.puzzles.games.review import ReviewedTurn

if TYPE_CHECKING:
    from burgrave.cli.render import json_estimates

CONFIDENT = 1.96
"""Standard errors on either side of a mean that hold 95 % of a normal distribution."""
LONGEST = 13
"""Characters of a name that a summary shows at most."""
OTHERS = ".csv and .jsonl need nothing"
"""What to do without Parquet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A turn of a game as a row of the table. All leads are those of its player.

    Attributes:
        game: the file.
        title: of the game; may be empty.
        turn: its number, from 1.
        player: his name.
        phase: of the game.
        tiles: to come, that of the turn included.
        kind: of the mistake; empty for a best move.
        mark: ``??``, ``?``, ``?!``, ``!`` or empty.
        loss: points of lead lost against the best move.
        loss_low: lower end of its interval of 95 %.
        loss_high: the upper end.
        win_loss: how much of the chance to win was lost.
        before: the lead before the draw.
        luck: of the draw, in points.
        gain: of the move against that at first sight.
        after: the lead after the move.
        proved: whether the values are exact.
        played: the move, in notation.
        best: the best move, in notation.
        missed: the themes that the best move shows, with commas.

    """

    game: str
    title: str
    turn: int
    player: str
    phase: Phase
    tiles: int
    kind: MistakeKind | Literal[""]
    mark: str
    loss: float
    loss_low: float
    loss_high: float
    win_loss: float
    before: float
    luck: float
    gain: float
    after: float
    proved: bool
    played: str
    best: str
    missed: str

    def data(self) -> dict[str, Any]:
        """Return the row by column."""
        return {name: getattr(self, name) for name in self.__slots__}


def rows_of(game: Game, turns: Iterable[ReviewedTurn]) -> Iterator[Row]:
    """Yield the rows of a reviewed game."""
    for turn in turns:
        position, data = game.turns[turn.number - 1][0], turn_data(game, turn)
        yield Row(
            game=game.name,
            title=game.title,
            turn=turn.number,
            player=game.players[turn.player],
            phase=phase_of(position),
            tiles=len(position.order) + len(position.bag),
            kind=kind_of(position, turn) or "",
            mark=turn.mark,
            loss=data["loss"],
            loss_low=data["loss_low"],
            loss_high=data["loss_high"],
            win_loss=data["win_loss"],
            before=data["before"],
            luck=data["luck"],
            gain=data["gain"],
            after=data["after"],
            proved=turn.proved,
            played=data["played"],
            best=data["best"],
            missed=", ".join(turn.missed),
        )


def table_writable(path: Path) -> None:
    """Refuse a table that cannot be written, before any work is done.

    Raises:
        QuestionError: its ending is none of a table, or what writes Parquet is not installed.

    """
    if path.suffix.lower() not in {".csv", ".jsonl", ".parquet"}:
        raise QuestionError(f"--table {path}: name a file that ends in .csv, .jsonl or .parquet")
    if path.suffix.lower() == ".parquet":
        arrow("Parquet", OTHERS)


def table(path: Path, rows: Sequence[Row]) -> str | bytes:
    """Return the content of a table, in the form that the name of its file asks for.

    Raises:
        QuestionError: what writes Parquet is not installed.

    """
    data = [row.data() for row in rows]
    if path.suffix.lower() == ".jsonl":
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in data)
    if path.suffix.lower() == ".csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, [*Row.__slots__], lineterminator="\n")
        writer.writeheader()
        writer.writerows(data)
        return text.getvalue()
    pa, parquet = arrow("Parquet", OTHERS)
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(data), sink)
    return bytes(sink.getvalue())


def summary(rows: Sequence[Row]) -> list[json_estimates.PlayerOfMany]:
    """Return what each player loses, in the order of the alphabet."""
    return [_player(name, rows) for name in sorted({row.player for row in rows})]


def _player(name: str, rows: Sequence[Row]) -> json_estimates.PlayerOfMany:
    """Return the sums of a player, and of all others beside him."""
    mine = [row for row in rows if row.player == name]
    others = [row.loss for row in rows if row.player != name]
    losses = [row.loss for row in mine]
    games = len({row.game for row in mine})
    error = stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else 0.0
    lost = fmean(losses)
    return {
        "player": name,
        "games": games,
        "turns": len(mine),
        "lost": round(lost, 3),
        "lost_error": round(CONFIDENT * error, 3),
        "against_the_field": round(lost - fmean(others), 3) if others else None,
        "phases": {
            phase: round(fmean(some), 3)
            for phase in PHASES
            if (some := [row.loss for row in mine if row.phase == phase])
        },
        "kinds": {
            kind: {
                "turns": len(such),
                "marked": sum(row.mark.startswith("?") for row in such),
                "lost": round(sum(row.loss for row in such) / len(mine), 3),
            }
            for kind in KINDS
            if (such := [row for row in mine if row.kind == kind])
        },
        "luck": round(sum(row.luck for row in mine) / games, 2),
        "marks": {mark: sum(row.mark == mark for row in mine) for mark in ("??", "?", "?!", "!")},
    }


def summary_text(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a summary, of at most 80 characters."""
    found = summary(rows)
    yield f"{times(len({row.game for row in rows}), 'game')}, {times(len(rows), 'turn')}"
    names = [_short(one["player"]) for one in found]
    wide = max([6, *map(len, names)])
    yield f"{'':{wide}}{'':12}{'points lost':>14}{'':8}{'':24}{'luck':>8}"
    phases = "".join(f"{phase:>8}" for phase in PHASES)
    yield f"{'player':{wide}} games turns{'a turn':>14}{'field':>8}{phases}{'a game':>8}"
    for name, one in zip(names, found, strict=True):
        field = one["against_the_field"]
        yield (
            f"{name:{wide}}{one['games']:>6}{one['turns']:>6}"
            + f"{one['lost']:.2f} ± {one['lost_error']:.2f}".rjust(14)
            + (f"{field:>+8.2f}" if field is not None else f"{'':8}")
            + "".join(
                f"{one['phases'][phase]:>8.2f}" if phase in one["phases"] else f"{'':8}"
                for phase in PHASES
            )
            + f"{one['luck']:>+8.1f}"
        )
    yield "points lost a turn by kind of mistake, and marks:"
    parts = [kind.rpartition(" ") for kind in KINDS]
    widths = [max(7, len(first) + 1, len(last) + 1) for first, _, last in parts]
    for at in (0, 2):
        head = (f"{part[at]:>{width}}" for part, width in zip(parts, widths, strict=True))
        yield f"{'':{wide}}{''.join(head)}{'  ?? ? ?!' if at else ''}".rstrip()
    for name, one in zip(names, found, strict=True):
        lost = {kind: one["kinds"][kind]["lost"] for kind in KINDS if kind in one["kinds"]}
        cells = (
            f"{lost.get(kind, 0.0):>{width}.2f}" for kind, width in zip(KINDS, widths, strict=True)
        )
        marks = " ".join(str(one["marks"][mark]) for mark in ("??", "?", "?!"))
        yield f"{name:{wide}}{''.join(cells)}  {marks}"


def _short(name: str) -> str:
    """Return a name of at most 13 characters, cut if it is longer."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
