"""Compare the assertions of a JCloisterZone save with our rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.draws import draws
from burgrave.model.engine import play, violations
from burgrave.model.errors import NotationError
from burgrave.model.files.positions import Record
from burgrave.model.final import final_scoring
from burgrave.model.formats.imported import Claim
from burgrave.model.formats.jcloisterzone import Message, Reader
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.position import Capture, Deployment, Guard, Move, Position
from burgrave.model.rule import Event
from burgrave.model.rules.carcassonne.farms import FIELD3
from burgrave.model.tiles import Kind

Place: TypeAlias = tuple[Cell, int | None]
"""A cell and a segment on its tile; None for the tower on it."""
_SCORED = {"road": Kind.ROAD, "city": Kind.CITY, "monastery": Kind.CLOISTER, "field": Kind.FIELD}
"""The kind of feature that brings points, by the application's name of the event."""
_TILE, _ACTION, _CAPTURE, _OVER = "TilePhase", "ActionPhase", "TowerCapturePhase", "GameOverPhase"
_OPTION = re.compile(
    r"\{(?:(\d)\.[\w.]+,)?(\w+),([\w.]+),\[(-?\d{1,3}), ?(-?\d{1,3})\]\}", re.ASCII
)
"""A place that is open to a decision; for a capture with the follower that stands there."""


def compared(
    names: Sequence[str],
    record: Record,
    unfinished: Sequence[Message],
    assertions: Sequence[str],
) -> tuple[Claim, ...]:
    """Compare the assertions of a save with the game that was read from it.

    Args:
        names: the players as the save spells them, in the order of the turns.
        record: the whole turns, all legal.
        unfinished: the decisions of the turn in which the game was saved.
        assertions: the save's statements about the current game.

    """
    if not assertions:
        return ()
    position, events = record.position, list[Event]()
    for notation in record.moves:
        played = play(position, read_move(position, notation))
        position = played.position
        events += played.events
    ending = Ending(names=names, position=position, events=events, unfinished=unfinished)
    return tuple(ending.compare(text) for text in assertions)


@dataclass(frozen=True)
class Ending:
    """A game as its save leaves it."""

    names: Sequence[str]
    """The players as the save spells them, in the order of the turns."""
    position: Position
    """After the last whole turn."""
    events: Sequence[Event]
    """The events so far."""
    unfinished: Sequence[Message]
    """The decisions of the turn in which the game was saved."""

    def compare(self, text: str) -> Claim:
        """Return an assertion with the verdict of our rules."""
        for words, check in _CHECKS.items():
            match = re.fullmatch(words, text.strip(), re.ASCII | re.IGNORECASE)
            if match:
                try:
                    return Claim(text, check(self, *match.groups()))
                except NotationError:
                    return Claim(text, None)  # it names what is not on the table
        return Claim(text, None)

    @cached_property
    def begun(self) -> Move:
        """The turn in which the game was saved, as far as it was decided."""
        move = Reader(self.position.game).move(self.position, self.unfinished)
        drawn = (draw for draw in draws(self.position) if draw.tile == move.tile)
        first = next(drawn, None)
        return move if first is None else replace(move, discards=first.discards)

    @cached_property
    def open_places(self) -> frozenset[Place]:
        """The segments and towers on which the turn can still place a follower."""
        begun, found = self.begun, set[Place]()
        assert begun.tile is not None
        assert begun.cell is not None
        segments = self.position.game.tile_set.kind(begun.tile).segments
        for index, segment in enumerate(segments):
            role = book_of(self.position.game).roles.get(segment.kind)
            if role is not None:
                deployed = Deployment(begun.cell, index, role)
                if self._legal(replace(begun, followers=(deployed,))):
                    found.add((begun.cell, index))
        cells = (begun.cell, *(tile.cell for tile in self.position.tiles))
        guarded = (cell for cell in cells if self._legal(replace(begun, guards=(Guard(cell),))))
        return frozenset(found | {(cell, None) for cell in guarded})

    @cached_property
    def open_captures(self) -> frozenset[Place]:
        """The segments and towers of which the turn can still capture the follower."""
        standing = {(each.node.cell, each.node.segment) for each in self.position.followers}
        guards = {(tile.cell, None) for tile in self.position.tiles}
        return frozenset(
            place
            for place in standing | guards
            if any(
                self._legal(replace(self.begun, captures=(Capture(place[0], place[1], back),)))
                for back in (None, Rank.FOLLOWER, *self.position.game.specials)
            )
        )

    def _legal(self, move: Move) -> bool:
        """Tell whether a turn is legal."""
        return not violations(self.position, move)

    @property
    def phase(self) -> str | None:
        """The next decision, by the application's name; None if that is not known."""
        if self.position.over:
            return _OVER
        match [message["type"] for message in self.unfinished]:
            case []:
                return _TILE
            case ["PLACE_TILE"]:
                return _ACTION
            case ["PLACE_TILE", "PLACE_TOKEN"] if self.open_captures:
                return _CAPTURE
        return None

    def points(self, name: str, number: str) -> bool | None:
        """Tell whether a player has this many points."""
        if name not in self.names or self.begun.ransoms:
            return None
        scores = (
            final_scoring(self.position).scores
            if self.position.over
            else tuple(player.score for player in self.position.players)
        )
        return scores[self.names.index(name)] == int(number)

    def scored(self, name: str, feature: str, number: str) -> bool | None:
        """Tell whether a player scored this many points for a feature of a kind."""
        kind = _SCORED.get(feature.lower())
        if name not in self.names or kind is None:
            return None
        rules = self._rules(kind)
        final = final_scoring(self.position).events if self.position.over else ()
        wanted = (self.names.index(name), int(number))
        return any(
            (event.player, event.points) == wanted and event.rules[0] in rules
            for event in (*self.events, *final)
        )

    def _rules(self, kind: Kind) -> frozenset[str]:
        """Return the rules by which features of a kind bring points."""
        if kind is Kind.FIELD:
            return frozenset({FIELD3.id})
        book = book_of(self.position.game)
        marked = (*book.marked.get(kind, ()), *book.marked_end.get(kind, ()))
        ids = (book.worth[kind].id, book.incomplete[kind].id, *(rule.id for rule in marked))
        return frozenset(ids)

    def in_phase(self, name: str) -> bool | None:
        """Tell whether a phase is the one that comes next."""
        known = {phase.lower() for phase in (_TILE, _ACTION, _CAPTURE, _OVER)}
        if self.phase is None or name.lower() not in known:
            return None
        return name.lower() == self.phase.lower()

    def passes(self, can: str) -> bool | None:
        """Tell whether the turn may, or may not, end with what was decided."""
        if self.phase is None:
            return None
        may = self.phase in {_ACTION, _CAPTURE} and self._legal(self.begun)
        return may is (can.lower() == "can")

    def available(self, action: str) -> bool | None:
        """Tell whether a follower can be placed or captured."""
        if self.phase not in {_ACTION, _CAPTURE}:
            return None
        match action.lower():
            case "meeple for smallfollower":
                return self.phase == _ACTION and bool(self.open_places)
            case "capturefollower":
                return self.phase == _CAPTURE
        return None

    def followers(self, options: str) -> bool | None:
        """Tell whether followers can be placed on these features and no others."""
        if self.phase != _ACTION:
            return None
        named = self._named(options)
        return None if named is None else {place for _, place in named} == self.open_places

    def captures(self, options: str) -> bool | None:
        """Tell whether these followers can be captured and no others."""
        if self.phase != _CAPTURE:
            return None
        named = self._named(options)
        if named is None:
            return None
        owners: dict[Place, int] = {
            (each.node.cell, each.node.segment): each.player for each in self.position.followers
        }
        return {place for _, place in named} == self.open_captures and all(
            place[1] is None or owner == str(owners[place]) for owner, place in named
        )

    def _named(self, options: str) -> list[tuple[str, Place]] | None:
        """Return the owners and places of a list of options; None if it cannot be read."""
        found = []
        for option in filter(None, map(str.strip, options.split(";"))):
            match = _OPTION.fullmatch(option)
            if match is None:
                return None
            owner, feature, location, x, y = match.groups()
            pointer = {"position": (int(x), int(y)), "feature": feature, "location": location}
            place = Reader(self.position.game).place(self.position, self.begun, pointer)
            found.append((owner or "", place))
        return found


_CHECKS: Mapping[str, Callable[..., bool | None]] = {
    r"(.+) has (-?\d+) points?\.?": Ending.points,
    r"(.+) scored (\w+) for (-?\d+) points?\.?": Ending.scored,
    r"phase is (\w+)": Ending.in_phase,
    r"player (can|can't) pass": Ending.passes,
    r"available action (.*)": Ending.available,
    r"meeple smallfollower options:(.*)": Ending.followers,
    r"capturefollower options:(.*)": Ending.captures,
}
"""The tests of assertions, by their wording."""
