"""``burgrave import``: a game of another program becomes a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import AsSeenOption, AtOption, ForceOption, JsonOption, OutputOption
from burgrave.cli.output import as_json_file, note, save, writable
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.model.formats.imported import Claim


def import_game(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|LINK",
            help="A game saved by JCloisterZone 5 or 6, a log of Board Game Arena, a link of"
            " CarcassonneLab, or - for standard input.",
            show_default=False,
        ),
    ],
    at: AtOption = None,
    unknown: AsSeenOption = False,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Turn a game of another program into a record or, with --at, a position."""
    from burgrave.cli import sources
    from burgrave.cli.replays import stopped
    from burgrave.model.files.positions import write_record

    if unknown and at is None:
        raise QuestionError("--unknown needs --at TURN")
    writable(output, force=force)
    imported = sources.foreign(file)
    for remark in imported.remarks:
        note(remark)
    for line in _compared(imported.claims):
        note(line)
    wants_json = as_json or as_json_file(output)
    if at is None:
        save(output, write_record(imported.record, as_json=wants_json))
    else:
        save(output, stopped(file, imported.record, at, unknown=unknown, as_json=wants_json))
    raise typer.Exit(NO if any(claim.holds is False for claim in imported.claims) else ANSWERED)


def _compared(claims: Sequence[Claim]) -> Iterator[str]:
    """Yield a line for each assertion of a game that does not hold or cannot be compared."""
    if claims:
        holding = sum(claim.holds is True for claim in claims)
        yield f"{holding} of the {len(claims)} assertions of the game hold."
    for claim in claims:
        if claim.holds is not True:
            yield f"{'not compared' if claim.holds is None else 'does not hold'}: {claim.text}"
