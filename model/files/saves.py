"""Saved games of the application JCloisterZone as records.

A save holds the setup and every decision; ``saved_draws`` says what it tells of the tiles
drawn. Everything is played by our rules while it is read.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import NamedTuple

from model.errors import FileError, NotationError
from model.files.games import carcassonne_game
from model.files.jcloisterzone import Message, by_turn, start_tiles
from model.files.positions import Record
from model.files.save_schema import SaveFile, SaveSetup
from model.files.saved_turns import Played, played
from model.files.toml import checked, parse
from model.games import Game
from model.position import PlayerState, Position
from model.problems import problems
from model.rules.carcassonne.setup import FOLLOWERS_EACH
from model.rules.tower.actions import PIECES_EACH

_BASE, _TOWER = "basic:1", "tower:1"
_SMALL_CITY = "tiny-city-scoring"
_FOLLOWERS, _FARMERS, _PIECES = "small-follower", "farmers", "tower"
_LONGEST_NAME = 16


class Application(NamedTuple):
    """What is known of JCloisterZone."""

    versions: tuple[str, ...]
    """The first numbers of the versions whose saves are read."""
    switches: Mapping[str, str]
    """What it plays by, where that is not the default."""
    rules_of_expansions: frozenset[str]
    """Its rules that change nothing without an expansion that cannot be played."""


@cache
def application() -> Application:
    """Return what is known of JCloisterZone."""
    text = (resources.files("model.data") / "jcloisterzone.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return Application(
        versions=tuple(data["versions"]),
        switches=data["switches"],
        rules_of_expansions=frozenset(data["rules_of_expansions"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """A saved game."""

    record: Record
    """Its whole turns."""
    unfinished: tuple[Message, ...] = ()
    """The decisions of the turn in which it was saved."""
    remarks: tuple[str, ...] = ()
    """What the save does not tell, and what of it no record can hold, a sentence each."""


def read_save(name: str, text: str) -> Save:
    """Read a saved game of version 5 or 6 and play it.

    Args:
        name: the file as the user named it, for errors.
        text: its text.

    Raises:
        FileError: it is no such save, it uses sets, elements or rules that cannot be
            played, or a decision is not legal by the rules; each with its place.

    """
    data = parse(name, text)
    _refuse(name, _wrong_version(data))
    file = checked(name, data, SaveFile)
    _refuse(name, _unplayable(file.setup))
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
    return Save(record=record, unfinished=unfinished, remarks=remarks)


def _refuse(name: str, faults: Iterator[str]) -> None:
    """Raise an error with all problems, if there are any."""
    found = tuple(faults)
    if found:
        raise FileError(name, found)


def _wrong_version(data: Mapping[str, object]) -> Iterator[str]:
    """Yield what is wrong with the version of a save."""
    version = data.get("appVersion")
    versions = application().versions
    if not isinstance(version, str):
        yield "appVersion: is missing; a save of JCloisterZone names its version there"
    elif version.partition(".")[0] not in versions:
        yield (
            f"appVersion: found {version[:20]!r}; saves of versions {' and '.join(versions)} can be"
            " read: open it in one of these and save it again"
        )


def _unplayable(setup: SaveSetup) -> Iterator[str]:
    """Yield every set, element and rule of a setup that cannot be played, by name."""
    yield from _wrong_sets(setup)
    yield from _wrong_elements(setup)
    yield from _wrong_rules(setup)


def _wrong_sets(setup: SaveSetup) -> Iterator[str]:
    """Yield every set of tiles that cannot be played."""
    for set_id, copies in setup.sets.items():
        if copies and set_id not in {_BASE, _TOWER}:
            yield (
                f"setup.sets.{set_id}: this set cannot be played; there are {_BASE} and {_TOWER}:"
                " only games with these can be imported"
            )
        elif copies > 1:
            yield f"setup.sets.{set_id}: found {copies} copies of the set; 1 can be played"
    if not setup.sets.get(_BASE):
        yield f"setup.sets: {_BASE} is missing; no game can be played without the base game"


def _wrong_elements(setup: SaveSetup) -> Iterator[str]:
    """Yield every kind of follower, token and so on that cannot be played."""
    known = {_FOLLOWERS, _FARMERS, *({_PIECES} if setup.sets.get(_TOWER) else ())}
    for element, value in setup.elements.items():
        if value and element not in known:
            yield (
                f"setup.elements.{element}: this element cannot be played; there are"
                f" {', '.join(sorted(known))}"
            )
    if int(setup.elements.get(_FOLLOWERS, 0)) > FOLLOWERS_EACH:
        yield (
            f"setup.elements.{_FOLLOWERS}: found {setup.elements[_FOLLOWERS]}; each player has"
            f" {FOLLOWERS_EACH} at most"
        )
    if int(setup.elements.get(_PIECES, 0)) > 1:
        yield f"setup.elements.{_PIECES}: found {setup.elements[_PIECES]} times; 1 can be played"


def _wrong_rules(setup: SaveSetup) -> Iterator[str]:
    """Yield every rule that cannot be played."""
    for rule, chosen in setup.rules.items():
        if rule == _SMALL_CITY:
            if chosen not in ("2", "4"):
                yield f"setup.rules.{rule}: found {str(chosen)[:20]!r}; allowed are '2' and '4'"
        elif chosen and rule not in application().rules_of_expansions:
            yield f"setup.rules.{rule}: this rule cannot be played; there is {_SMALL_CITY}"


def _game(file: SaveFile) -> tuple[Game, tuple[str, ...]]:
    """Return what is played, and the names of the players as the save spells them."""
    names = tuple(player.name for player in file.players)
    elements = file.setup.elements
    switches = dict(application().switches)
    switches["small_city"] = str(file.setup.rules.get(_SMALL_CITY, switches["small_city"]))
    if not elements.get(_FARMERS):
        switches["farmers"] = "off"
    if _pays_late(file):
        switches["ransom_window"] = "any"
    game = carcassonne_game(tower=bool(file.setup.sets.get(_TOWER)), players=_spelled(names))
    known = {switch.name for switch, _ in game.switches}
    return game.with_switches({n: v for n, v in switches.items() if n in known}), names


def _pays_late(file: SaveFile) -> bool:
    """Tell whether somebody pays a ransom after the action, as some versions allow."""
    acted = False
    for message in file.replay:
        if message.type == "PAY_RANSOM" and acted:
            return True
        acted = message.type not in {"COMMIT", "PLACE_TILE"} and (
            acted or message.type != "PAY_RANSOM"
        )
    return False


def _spelled(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of players as files of ours spell them: small letters and figures, no two equal.

    >>> _spelled(("Änne", "anne", "李", "7th Son"))
    ('anne', 'anne2', 'player3', 'p7thson')
    """
    spelled: list[str] = []
    for number, name in enumerate(names, start=1):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        word = re.sub(r"[^a-z0-9_]", "", plain)[:_LONGEST_NAME] or f"player{number}"
        if not word[0].isalpha():
            word = f"p{word}"[:_LONGEST_NAME]
        if word in spelled:
            word = f"{word[: _LONGEST_NAME - 1]}{number}"
        spelled.append(word)
    return tuple(spelled)


def _start(name: str, file: SaveFile, game: Game) -> Position:
    """Return the table before the first draw, all tiles to be drawn in the bag."""
    entries = [entry.model_dump() for entry in file.setup.start]
    try:
        tiles = start_tiles(game, entries)
    except NotationError as error:
        raise FileError(name, [f"setup.start: {error.problem}: {error.text}"]) from error
    state = PlayerState(
        supply=int(file.setup.elements.get(_FOLLOWERS, 0)),
        pieces=PIECES_EACH[len(game.players)] if file.setup.elements.get(_PIECES) else 0,
    )
    start = Position(
        game=game,
        tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
        players=(state,) * len(game.players),
    )
    _refuse(name, (f"setup.start: {found.message} [{found.rule}]" for found in problems(start)))
    left = Counter(game.tile_set.all_tiles())
    left.subtract(tile.kind.id for tile in tiles)
    return replace(start, bag=tuple(sorted(left.elements())))


def _remarks(game: Played, unfinished: Sequence[Message]) -> Iterator[str]:
    """Yield what of a save no record holds, and what a save does not hold."""
    if unfinished:
        yield "The game was saved within a turn; the record ends before it."
    if not game.in_hand and game.start.bag:
        yield "Which tile was drawn last is not in the save: name it with --tile."
    lost = sorted(game.homeless & set(game.start.bag))
    if lost:
        yield (
            "A tile that has no place when it is drawn leaves the game, and this save does not tell"
            f" of it: of {', '.join(lost)} there may be fewer than the bag says; with nothing left"
            " the game is over."
        )
