"""``burgrave switches``: the points on which the rules are silent."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.completion import complete_switches
from burgrave.cli.options import JsonOption
from burgrave.cli.output import show
from burgrave.model.errors import QuestionError


def switches(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="A switch, a game, a family of rules, or a word of a name or reason.",
            show_default=False,
            autocompletion=complete_switches,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the points on which the rules are silent, with values, default and reason."""
    from burgrave.cli.render.rules import found_switches
    from burgrave.cli.render.switches import switch_data, switch_table, switch_text
    from burgrave.model.naming import quoted, suggestion
    from burgrave.model.rules.index import RULES, SWITCHES
    from burgrave.puzzles.cards.deck import cards

    wanted = (name or "").lower()
    found = found_switches(wanted, SWITCHES, RULES)
    if not found:
        known = [switch.name for switch in SWITCHES]
        helps = suggestion(wanted, known, "burgrave switches lists them.")
        raise QuestionError(f"no switch {quoted(wanted)}.{helps}")
    if len(found) == 1:
        text = "\n".join(switch_text(found[0], cards()))
    else:
        text = "\n".join(switch_table(found, rules=True))
    show([switch_data(switch, cards()) for switch in found], text, as_json=as_json)
