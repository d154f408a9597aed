"""``burgrave check``: is a position possible, is a move legal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import JsonOption, PositionArgument, TurnOption
from burgrave.cli.output import show

if TYPE_CHECKING:
    from burgrave.cli.render import json_types
    from burgrave.model.engine import Judgement


def check(
    position: PositionArgument,
    move: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MOVE]",
            help="A move, K07@3,4r0 knight.N or as you would say it: K07 3,4 r0 knight N.",
            show_default=False,
        ),
    ] = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge a move, or whether a position is possible, and cite the rules."""
    from burgrave.cli.sources import draft
    from burgrave.model.engine import Judgement, judge
    from burgrave.model.errors import IllegalMoveError
    from burgrave.model.loose_notation import read_typed
    from burgrave.model.notation import write_move
    from burgrave.model.problems import problems, remarks

    read = draft(position, at)
    found = Judgement(problems(read.position, read.lines), remarks(read.position))
    text = None if move is None else " ".join(move)
    subject = "this position"
    if found.legal and text is not None:
        try:
            meant = read_typed(read.position, text)
            found, subject = judge(read.position, meant), write_move(read.position, meant)
        except IllegalMoveError as error:
            found, subject = Judgement(error.findings, ()), " ".join(text.split())
    judged = None if subject == "this position" else subject
    words = _text(found, subject, asked=text)
    show(_data(found, judged), words, as_json=as_json, game=read.position.game)
    raise typer.Exit(ANSWERED if found.legal else NO)


def _data(found: Judgement, move: str | None) -> json_types.Check:
    """Return the JSON keys of a verdict; ``move`` is the move as it was understood."""
    from burgrave.cli.render.findings import finding_data

    return {
        "legal": found.legal,
        "move": move,
        "violations": [finding_data(finding) for finding in found.violations],
        "notes": [finding_data(finding) for finding in found.notes],
    }


def _text(found: Judgement, subject: str, *, asked: str | None) -> str:
    """Put a verdict into words."""
    from burgrave.cli.render.findings import findings_text
    from burgrave.model.naming import times

    broken = times(len(found.violations), "fault")
    if found.legal:
        lines = ["Possible." if asked is None else f"Legal: {subject}"]
    elif subject == "this position":
        lines = [f"Impossible: {subject} has {broken}"]
        lines += [] if asked is None else ["The move is not judged."]
    else:
        lines = [f"Illegal: {subject} has {broken}"]
    lines += findings_text(found.violations)
    if found.notes:
        lines += ["Remarks:" if asked is None else "Allowed:", *findings_text(found.notes)]
    return "\n".join(lines)
