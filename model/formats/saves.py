"""Saved games of the application JCloisterZone as records.

A save holds the setup and every decision; ``saved_draws`` reads the drawn tiles from it. Everything
is played by our rules while it is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.errors import FileError, NotationError
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import Record
from burgrave.model.files.toml import checked, parse
from burgrave.model.formats.imported import Imported, spelled
from burgrave.model.formats.jcloisterzone import Message, by_turn, start_tiles
from burgrave.model.formats.save_claims import compared
from burgrave.model.formats.save_schema import SaveFile, SaveMessage
from burgrave.model.formats.save_support import (
    FARMERS,
    FOLLOWERS,
    MARKS_AT_END,
    PIECES,
    SMALL_CITY,
    application,
    refuse,
    refuse_unsupported,
    unplayable,
)
from burgrave.model.formats.saved_turns import Played, played
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.model.registry import CARCASSONNE


def read_save(name: str, text: str) -> Imported:
    """Read a saved game of version 5 or 6 and play it.

    Args:
        name: the file as the user named it, for errors.
        text: its text.

    Raises:
        FileError: no such save, unsupported sets, elements or rules, or an illegal decision; each
            with its place.

    """
    data = parse(name, text)
    refuse_unsupported(name, data)
    file = checked(name, data, SaveFile)
    refuse(name, unplayable(file))
    file = file.model_copy(update={"replay": _undone(file.replay, name)})
    game, names = _game(file)
    messages = tuple(message.model_dump() for message in file.replay)
    turns = list(by_turn(messages))
    unfinished = turns.pop() if turns and turns[-1][-1]["type"] != "COMMIT" else ()
    game_played = played(name, file, _start(name, file, game), turns, unfinished)
    remarks = tuple(_remarks(game_played, unfinished))
    title = file.name or f"JCloisterZone {file.appVersion}: {', '.join(names)}"
    record = Record(
        title=title,
        note=" ".join(remarks),
        position=game_played.start,
        moves=tuple(game_played.moves),
    )
    claims = compared(names, record, unfinished, file.test.assertions)
    return Imported(record=record, remarks=remarks, claims=claims)


def _undone(replay: Sequence[SaveMessage], name: str) -> list[SaveMessage]:
    """Return the decisions that stand: each ``UNDO`` takes back the last one before it.

    Raises:
        FileError: there is nothing left to take back.

    """
    standing: list[SaveMessage] = []
    for index, message in enumerate(replay):
        if message.type != "UNDO":
            standing.append(message)
        elif standing:
            standing.pop()
        else:
            raise FileError(name, [f"replay[{index}]: UNDO finds no decision to take back"])
    return standing


def _game(file: SaveFile) -> tuple[Game, tuple[str, ...]]:
    """Return the game, and the names of the players in the save's spelling."""
    names = tuple(player.name for player in file.players)
    elements = file.setup.elements
    switches = dict(application().switches)
    rules, theirs = file.setup.rules, application()
    if SMALL_CITY in rules:
        switches["small_city"] = str(rules[SMALL_CITY])
    if MARKS_AT_END in rules:
        at_end = str(rules[MARKS_AT_END])
        switches |= dict.fromkeys(("unfinished_inns", "unfinished_cathedrals"), at_end)
    expansions = theirs.chosen(file.setup.sets)
    parts = [part for name in expansions for part in theirs.elements[name].items()]
    switches |= {switch: "off" for part, switch in parts if switch and not elements.get(part)}
    if not elements.get(FARMERS):
        switches["farmers"] = "off"
    if _pays_late(file):
        switches["ransom_window"] = "any"
    game = shipped_game(
        "+".join((CARCASSONNE, *expansions)),
        players=spelled(names),
        edition=application().edition,
    )
    known = {switch.name for switch, _ in game.switches}
    return game.with_switches({n: v for n, v in switches.items() if n in known}), names


def _pays_late(file: SaveFile) -> bool:
    """Tell whether a player pays a ransom after the action, as some versions allow."""
    acted = False
    for message in file.replay:
        if message.type == "PAY_RANSOM" and acted:
            return True
        acted = message.type not in {"COMMIT", "PLACE_TILE"} and (
            acted or message.type != "PAY_RANSOM"
        )
    return False


def _start(name: str, file: SaveFile, game: Game) -> Position:
    """Return the table before the first draw, all tiles to be drawn in the bag."""
    entries = [entry.model_dump() for entry in file.setup.start]
    try:
        tiles = start_tiles(game, entries)
    except NotationError as error:
        raise FileError(name, [f"setup.start: {error.problem}: {error.text}"]) from error
    elements, fresh = file.setup.elements, book_of(game).fresh(game)
    state = replace(fresh, supply=int(elements.get(FOLLOWERS, 0)))
    if not elements.get(PIECES):
        state = state.with_part(TowerHoldings())
    start = Position(
        game=game,
        tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
        players=(state,) * len(game.players),
    )
    refuse(name, (f"setup.start: {found.message} [{found.rule}]" for found in problems(start)))
    left = Counter(game.tile_set.all_tiles())
    left.subtract(tile.kind.id for tile in tiles)
    return replace(start, bag=tuple(sorted(left.elements())))


def _remarks(game: Played, unfinished: Sequence[Message]) -> Iterator[str]:
    """Yield the parts of a save that no record holds, and the gaps of a save."""
    if unfinished:
        decided = ", ".join(message["type"] for message in unfinished)
        yield (
            f"The save stops within turn {len(game.moves) + 1}, after {decided}:"
            " the record ends with the position before that turn."
        )
    if not game.in_hand and game.start.bag:
        yield "Which tile was drawn last is not in the save: name it with --tile."
    lost = sorted(game.homeless & set(game.start.bag))
    if lost:
        yield (
            "A tile that has no place when it is drawn leaves the game, and this save does not tell"
            f" of it: of {', '.join(lost)} there may be fewer than the bag says; with nothing left"
            " the game is over."
        )
