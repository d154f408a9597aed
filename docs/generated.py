"""Parts of the site that are made from the code: commands, rules, switches, themes and the API.

A page asks for a part with a comment on a line of its own, ``<!-- generated: rules castle -->``.
``conf.py`` replaces the comment before Sphinx reads the page, and the tests do the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from burgrave.cli.app import app
from burgrave.cli.help import example_of
from burgrave.cli.render.rules import rule_data
from burgrave.cli.render.switches import switch_data
from burgrave.model.engine import play
from burgrave.model.errors import BurgraveError
from burgrave.model.files.games import editions
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.pictures import View, board_svg
from burgrave.model.position import Move, Position
from burgrave.model.registry import BASES, EXPANSIONS, GAMES, split
from burgrave.model.rule import Rule
from burgrave.model.rules.index import RULES, SWITCHES
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.cards.files import Card
from burgrave.puzzles.files.dataset_rows import PuzzleRow, column_type
from burgrave.puzzles.themes import THEMES

DOCS = Path(__file__).parent
PICTURES = DOCS / "generated"
"""Folder of the pictures that the pages of rules show; it is not committed."""
BENCHMARKS = DOCS.parent / "benchmarks"
COMMANDS_PAGE = DOCS / "reference" / "commands.md"
_PART = re.compile(r"^<!-- generated: (\w[^\n]*?) -->$", re.MULTILINE)
_SECTION = re.compile(r"^<!-- generated: command (.+?) -->$", re.MULTILINE)
_CASES = ("Passes", "Fails")
AnyRule = Rule[..., object]


def expand(page: str) -> str:
    """Return a page with each comment ``<!-- generated: PART -->`` replaced by that part.

    Raises:
        KeyError: no part has this name.

    """
    return _PART.sub(lambda found: "\n".join(_part(*found[1].split())), page)


def _part(name: str, *words: str) -> Iterator[str]:
    """Return the lines of a part.

    Args:
        name: a key of ``_PARTS``.
        words: the part's arguments, as the comment gives them.

    """
    return _PARTS[name](*words)


@cache
def every_command() -> dict[str, Any]:
    """Return the commands by their names without ``burgrave``, groups left out."""

    def below(command: Any, name: str) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command
        for word, one in (inner or {}).items():
            yield from below(one, f"{name} {word}".strip())

    return dict(below(typer.main.get_command(app), ""))


def _command(*words: str) -> Iterator[str]:
    """Yield a command's heading, help, usage and table of options."""
    name = " ".join(words)
    command = every_command()[name]
    settings = command.context_settings  # a command keeps the help option of its first context
    context = command.context_class(command, info_name=f"burgrave {name}", **settings)
    yield f"## `burgrave {name}`"
    yield ""
    yield _escaped(command.help or "")
    yield ""
    yield "```text"
    yield f"burgrave {name} {' '.join(command.collect_usage_pieces(context))}"
    yield "```"
    yield ""
    yield "| argument or option | meaning |"
    yield "| --- | --- |"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            spelling = record[0].replace("|", "\\|")
            yield f"| `{spelling}` | {_escaped(' '.join(record[1].split()))} |"


def _escaped(text: str) -> str:
    """Return text in which Markdown sees no markup of its own, code excepted."""
    parts = re.split(r"(`+[^`]+`+)", text)
    parts[::2] = [re.sub(r"([*_<>|\[\]])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def _other_commands() -> Iterator[str]:
    """Yield the commands that the page of commands does not describe itself."""
    page = COMMANDS_PAGE.read_text(encoding="utf-8")
    written = set(_SECTION.findall(page))
    for name in every_command():
        if name not in written:
            yield from _command(*name.split())
            yield from ("", "```console", f"$ {example_of(every_command()[name])}", "```", "")


def _rules(game: str) -> Iterator[str]:
    """Yield the rules that a game brings, each with switches, cards and a picture."""
    for rule in RULES:
        if rule.id.partition(".")[0] == game:
            yield from _rule(rule)


def _rule(rule: AnyRule) -> Iterator[str]:
    """Yield one rule: text, cases, source, place in the code, switches, cards and picture."""
    data = rule_data(rule, cards())
    yield f"(rule-{rule.id})="
    yield f"## `{rule.id}`"
    yield ""
    for line in rule.text.splitlines():
        case, colon, rest = line.partition(": ")
        yield f"\n**{case}:** {_escaped(rest)}" if colon and case in _CASES else _escaped(line)
    yield ""
    yield f"**Source:** {_escaped(rule.source)}. **Code:** `{data['file']}`, line {data['line']}."
    yield ""
    if rule.switches:
        yield "| switch | values, the default first | reason |"
        yield "| --- | --- | --- |"
        for switch in rule.switches:
            values = ", ".join(f"`{value}`" for value in switch.values)
            link = f"[`{switch.name}`](#switch-{switch.name})"
            yield f"| {link} | {values} | {_escaped(switch.why)} |"
        yield ""
    for card in cards():
        if rule.id in card.rules:
            yield f"- Card {card.id}: {_escaped(card.title)}"
    yield ""
    yield from _picture(rule)


def _picture(rule: AnyRule) -> Iterator[str]:
    """Yield the lines that show the picture of a rule's card, if a card has tiles."""
    card = _drawn(rule)
    if card is not None:
        yield f"```{{figure}} ../generated/{card.id}.svg"
        yield f":alt: Position of card {card.id}"
        yield ":width: 420px"
        yield ""
        yield f"Card {card.id}: {_escaped(card.title)}"
        yield "```"
        yield ""


def _drawn(rule: AnyRule) -> Card | None:
    """Return the card of a rule that is drawn: one with tiles, best one that breaks the rule."""
    fitting = [card for card in cards() if rule.id in card.rules and card.position.tiles]
    breaking = [card for card in fitting if rule.id in card.expected.get("breaks", ())]
    return next(iter((*breaking, *fitting)), None)


def draw_pictures() -> None:
    """Write the pictures of cards that the pages of rules show."""
    PICTURES.mkdir(exist_ok=True)
    drawn = (_drawn(rule) for rule in RULES)
    for card in {card.id: card for card in drawn if card is not None}.values():
        position, move = _scene(card)
        picture = board_svg(position, View(move=move, panel=False))
        (PICTURES / f"{card.id}.svg").write_text(picture, encoding="utf-8")


def _scene(card: Card) -> tuple[Position, Move | None]:
    """Return the position that a card's question is about, and its move if it can be drawn."""
    position = card.position
    try:
        for text in getattr(card.question, "after", ()):
            position = play(position, read_move(position, text)).position
        text = getattr(card.question, "move", None) or next(
            iter(getattr(card.question, "moves", ())), None
        )
        move = None if text is None else read_move(position, text)
    except BurgraveError:
        return card.position, None
    drawable = move is not None and isinstance(move.cell, Cell)
    return position, move if drawable else None


def _editions() -> Iterator[str]:
    """Yield the table of editions with the boxes that hold them and their switch values."""
    names = {switch.name for switch in SWITCHES}
    changed = sorted(names & {name for one in editions().values() for name in one.switches})
    defaults = {switch.name: switch.default for switch in SWITCHES}
    yield f"| edition | boxes and rules | {' | '.join(f'`{name}`' for name in changed)} |"
    yield "| --- " * (len(changed) + 2) + "|"
    for one in editions().values():
        values = (f"`{one.switches.get(name, defaults[name])}`" for name in changed)
        yield f"| `{one.name}` | {_escaped(one.title)} | {' | '.join(values)} |"


def _switches() -> Iterator[str]:
    """Yield a section for each switch: values, reason, rules and cards."""
    for switch in SWITCHES:
        data = switch_data(switch, cards())
        yield f"(switch-{switch.name})="
        yield f"### `{switch.name}`"
        yield ""
        yield f"{_escaped(switch.why[:1].upper() + switch.why[1:])}."
        yield ""
        yield f"- Values, the default first: {', '.join(f'`{value}`' for value in switch.values)}"
        rules = ", ".join(f"[`{rule}`](#rule-{rule})" for rule in data["rules"])
        yield f"- Rules: {rules}"
        for value, engines in data["only_by"].items():
            names = ", ".join(f"`{engine}`" for engine in engines)
            yield f"- Only these engines know `{value}`: {names}"
        if data["cards"]:
            yield f"- Cards: {', '.join(data['cards'])}"
        yield ""


def _title(game: str) -> str:
    """Return the title of a game's expansions, or of the game if it has none."""
    base, expansions = split(game)
    titles = [EXPANSIONS[name].title for name in expansions]
    return " and ".join(titles) or BASES[base].title.removeprefix("Carcassonne: ")


def _themes() -> Iterator[str]:
    """Yield the table of themes with their games and definitions."""
    yield "| theme | games | definition |"
    yield "| --- | --- | --- |"
    for theme in THEMES.values():
        name = f"`{theme.name}`" + " (elementary)" * theme.elementary
        named = [_title(game) for game in GAMES if game in theme.games]
        games = "every game" if len(named) == len(GAMES) else ", ".join(named)
        yield f"| {name} | {games} | {_escaped(theme.definition)} |"


def _api(*modules: str) -> Iterator[str]:
    """Yield the public names of modules with signatures and docstrings, by autodoc."""
    for name in modules:
        public = getattr(import_module(name), "__all__", None)
        yield f"## `{name}`"
        yield ""
        yield "```{eval-rst}"
        yield f".. automodule:: {name}"
        yield "   :members:"
        if public is not None:
            yield "   :imported-members:"
        yield "```"
        yield ""


def _measured(name: str) -> Iterator[str]:
    """Yield the table that a command of ``benchmarks`` keeps."""
    yield from (BENCHMARKS / f"{name}.md").read_text(encoding="utf-8").splitlines()


def _columns() -> Iterator[str]:
    """Yield a table of the columns of a dataset."""
    yield "| column | type | content |"
    yield "| --- | --- | --- |"
    for name, field in PuzzleRow.model_fields.items():
        content = _escaped(field.description or f"Its {name}.")
        yield f"| `{name}` | {_escaped(column_type(name))} | {content} |"


_PARTS: dict[str, Callable[..., Iterator[str]]] = {
    "api": _api,
    "columns": _columns,
    "command": _command,
    "editions": _editions,
    "other-commands": _other_commands,
    "rules": _rules,
    "measured": _measured,
    "switches": _switches,
    "themes": _themes,
}
