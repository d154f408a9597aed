"""The saves of JCloisterZone that can be imported, and the messages for others."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from burgrave.model.errors import FileError
from burgrave.model.formats.save_schema import SaveFile, SaveSetup
from burgrave.model.rules.carcassonne.setup import FOLLOWERS_EACH, MOST_PLAYERS

BASE, INNS = "basic:1", "inns-and-cathedrals"
BASES = (BASE, "basic:2")
"""The sets of the base game, by edition."""
SMALL_CITY, MARKS_AT_END = "tiny-city-scoring", "inn-and-cathedral-final-scoring"
VALUES = {SMALL_CITY: ("2", "4"), MARKS_AT_END: ("zero", "ignore")}
"""The rules that a save may state, with their values."""
FOLLOWERS, FARMERS, PIECES = "small-follower", "farmers", "tower"
_PIECE = "TOWER_PIECE"
_DECISIONS = frozenset(
    {
        "PLACE_TILE",
        "DEPLOY_MEEPLE",
        "PLACE_TOKEN",
        "CAPTURE_FOLLOWER",
        "EXCHANGE_FOLLOWER",
        "PAY_RANSOM",
        "PASS",
        "COMMIT",
        "UNDO",
    }
)
_LONGEST = 40
"""Characters of a foreign name that a message shows."""


class Application(NamedTuple):
    """The supported sets, elements and rules of JCloisterZone."""

    versions: tuple[str, ...]
    """The first numbers of the versions whose saves are read."""
    edition: str
    """The edition of Carcassonne's rules that it plays by."""
    switches: Mapping[str, str]
    """Its switch values that are not those of the edition."""
    rules_of_expansions: frozenset[str]
    """Its rules that change nothing without an expansion that cannot be played."""
    expansions: Mapping[str, str]
    """The expansions that can be played, by the set of their tiles."""
    gardens: Mapping[str, Mapping[str, str]]
    """By set its tiles with a garden, and for each the one without."""
    elements: Mapping[str, Mapping[str, str]]
    """By expansion its elements, each with the switch that leaves it out; empty if none does."""

    def chosen(self, sets: Iterable[str]) -> tuple[str, ...]:
        """Return the expansions whose sets are among some, sorted."""
        return tuple(sorted({self.expansions[name] for name in sets if name in self.expansions}))

    def plain(self, code: str) -> str:
        """Return the code of a tile without its garden."""
        return next((tiles[code] for tiles in self.gardens.values() if code in tiles), code)


@cache
def application() -> Application:
    """Return the supported parts of JCloisterZone."""
    text = (resources.files("burgrave.model.data") / "jcloisterzone.toml").read_text(
        encoding="utf-8"
    )
    data = tomllib.loads(text)
    return Application(
        versions=tuple(data["versions"]),
        edition=data["edition"],
        switches=data["switches"],
        rules_of_expansions=frozenset(data["rules_of_expansions"]),
        expansions=data["expansions"],
        gardens=data["gardens"],
        elements=data["elements"],
    )


def refuse(name: str, faults: Iterator[str]) -> None:
    """Raise an error with all problems, if there are any.

    Raises:
        FileError: there are some.

    """
    found = tuple(faults)
    if found:
        raise FileError(name, found)


def refuse_unsupported(name: str, data: Mapping[str, Any]) -> None:
    """Refuse a save of a game that cannot be played, before its form is checked.

    Expansions bring keys and decisions of their own. So a save is first asked for its version,
    then for sets, elements and rules, then for its decisions.

    Args:
        name: the file as the user named it, for errors.
        data: what the file holds.

    Raises:
        FileError: everything of one of these kinds that is not supported, by name.

    """
    refuse(name, _wrong_version(data))
    refuse(name, _unsupported(data.get("setup")))
    if isinstance(data.get("setup"), dict) and not {"players", "replay"} & data.keys():
        fault = (
            "is a game setup ('Save Game Setup' in JCloisterZone): it holds neither players nor"
            " turns; import a game that 'Save Game' has written, or make a position with"
            " burgrave new"
        )
        raise FileError(name, [fault])
    refuse(name, _foreign_decisions(data.get("replay")))


def _wrong_version(data: Mapping[str, object]) -> Iterator[str]:
    """Yield the faults of a save's version."""
    version = data.get("appVersion")
    versions = application().versions
    if not isinstance(version, str):
        yield "appVersion: is missing; a save of JCloisterZone names its version there"
    elif version.partition(".")[0] not in versions:
        yield (
            f"appVersion: found {version[:20]!r}; saves of versions {' and '.join(versions)} can be"
            " read. JCloisterZone does not convert the others: set the board up with burgrave serve"
        )


def _unsupported(setup: object) -> Iterator[str]:
    """Yield the sets, the elements and the rules that are not supported, a line each."""
    if not isinstance(setup, dict):
        return
    theirs = application()
    sets = {*BASES, *theirs.expansions}
    there = theirs.chosen(_chosen(setup, "sets"))
    elements = {FOLLOWERS, FARMERS, *(part for name in there for part in theirs.elements[name])}
    for key, known, shown in (
        ("sets", sets, sets),
        ("elements", elements, elements),
        ("rules", {*VALUES, *theirs.rules_of_expansions}, {*VALUES}),
    ):
        foreign = [name for name in _chosen(setup, key) if name not in known]
        if foreign:
            yield (
                f"setup.{key}: not supported: {', '.join(name[:_LONGEST] for name in foreign)};"
                f" supported: {', '.join(sorted(shown))}"
            )


def _chosen(setup: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the names in a table of a setup that are not switched off."""
    table = setup.get(key)
    return tuple(name for name, value in table.items() if value) if isinstance(table, dict) else ()


def _foreign_decisions(replay: object) -> Iterator[str]:
    """Yield each kind of decision that is not supported, with the place of the first."""
    seen: set[str] = set()
    for index, message in enumerate(replay if isinstance(replay, list) else ()):
        kind = _foreign(message)
        if kind is not None and kind not in seen:
            seen.add(kind)
            yield (
                f"replay[{index}]: the decision {kind[:_LONGEST]} is not supported; supported:"
                f" {', '.join(sorted(_DECISIONS))}"
            )


def _foreign(message: object) -> str | None:
    """Return the name of an unsupported decision."""
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return None  # the schema says what is wrong with it
    kind: str = message["type"]
    if kind not in _DECISIONS:
        return kind
    payload = message.get("payload")
    token = payload.get("token") if isinstance(payload, dict) else None
    if kind == "PLACE_TOKEN" and isinstance(token, str) and token != _PIECE:
        return f"{kind} {token}"
    return None


def unplayable(file: SaveFile) -> Iterator[str]:
    """Yield every number and value of a save's setup that cannot be played."""
    setup, most = file.setup, MOST_PLAYERS
    if len(file.players) > most:
        yield f"players: found {len(file.players)}; 1 to {most} can play"
    for set_id, copies in setup.sets.items():
        if copies > 1:
            yield f"setup.sets.{set_id}: found {copies} copies of the set; 1 can be played"
    there = [set_id for set_id, copies in setup.sets.items() if copies]
    kinds = Counter(set_id.partition(":")[0] for set_id in there)
    for kind, editions in kinds.items():
        if editions > 1:
            yield f"setup.sets: {kind} is there in {editions} editions; 1 can be played"
    if not {*BASES} & {*there}:
        yield f"setup.sets: {BASE} is missing; no game can be played without the base game"
    if int(setup.elements.get(FOLLOWERS, 0)) > FOLLOWERS_EACH:
        yield (
            f"setup.elements.{FOLLOWERS}: found {setup.elements[FOLLOWERS]}; each player has"
            f" {FOLLOWERS_EACH} at most"
        )
    for name, number in setup.elements.items():
        if name != FOLLOWERS and int(number) > 1:
            yield f"setup.elements.{name}: found {number} times; 1 can be played"
    yield from _wrong_values(setup)


def _wrong_values(setup: SaveSetup) -> Iterator[str]:
    """Yield the values of rules that a save may not state."""
    for name, allowed in VALUES.items():
        if name == MARKS_AT_END and not any(INNS in set_id for set_id in setup.sets):
            continue  # it says nothing without the tiles
        chosen = setup.rules.get(name, allowed[0])
        if chosen not in allowed:
            either = " and ".join(map(repr, allowed))
            yield f"setup.rules.{name}: found {str(chosen)[:20]!r}; allowed are {either}"
