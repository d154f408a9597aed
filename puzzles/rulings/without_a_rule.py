"""Games without a rule, or with another value of one of its switches.

Without a rule that forbids, nothing is forbidden. Without a rule that pays, completes or moves,
nothing is paid, completed or moved. Only the reference engine can
play by such rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import isgeneratorfunction
from itertools import chain
from types import MappingProxyType
from typing import Any

from burgrave.model.book import RuleBook, Without, book_of
from burgrave.model.claims import Scored
from burgrave.model.components import Follower
from burgrave.model.deployment import Deployments
from burgrave.model.features import Feature, Laid
from burgrave.model.games import Game
from burgrave.model.placement import Placement
from burgrave.model.position import PlayerState
from burgrave.model.rule import Finding, Rule
from burgrave.model.rules.carcassonne import ending as plane_ending
from burgrave.model.rules.carcassonne import farms
from burgrave.model.rules.carcassonne import followers as plane_followers
from burgrave.model.rules.carcassonne import scoring as plane_scoring
from burgrave.model.rules.carcassonne.completion import FIELD
from burgrave.model.rules.castle.completion import (
    COURT,
    SINGLE,
    SQUARE,
    START,
)
from burgrave.model.rules.castle.ending import ENDED, WINNER
from burgrave.model.rules.castle.final_tiles import TARGETS, TILE_9
from burgrave.model.rules.castle.followers import COMPLETED, RETURN, SUPPLY
from burgrave.model.rules.castle.keeps import END_COURT, END_KEEP, ENLARGED, KEEP
from burgrave.model.rules.castle.scoring import MAJORITY, TILES
from burgrave.model.rules.castle.wall_tiles import TAKE
from burgrave.model.tiles import Kind, TileKind

AnyRule = Rule[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Otherwise:
    """A game in which a rule is not there or is read in another way."""

    game: Game
    reading: str = ""
    """The other reading of the rule as a clause; empty for a game without the rule."""
    instead: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """The replacing functions, by the id of a rule."""

    @property
    def words(self) -> str:
        """How it differs, before a main clause."""
        return f"In another reading {self.reading}: then" if self.reading else "Without this rule"


def otherwise(rule: AnyRule, game: Game) -> tuple[Otherwise, ...]:
    """Return the games that differ from one in a rule alone.

    Args:
        rule: a rule of the game.
        game: the game with its switches.

    Returns:
        The game without the rule, then one for each other value of its switches. None if the rule
        is about the setup, or if no function can replace it.

    """
    if rule in book_of(game).setup:
        return ()
    switched = (
        Otherwise(
            game=game.with_switches({switch.name: value}),
            reading=switch.readings[value],
        )
        for switch in rule.switches
        for value in switch.values
        if value != game.value(switch)
    )
    return (*_without(rule, game), *switched)


def forbids(rule: AnyRule, game: Game) -> bool:
    """Tell whether there can be moves that would be legal without a rule of a game."""
    book = book_of(game)
    if rule in {RETURN, plane_followers.RETURN} or book.without.get(rule, Without()).forbids:
        return True
    if rule in book.place_notes or rule is SQUARE or _by_game(rule, book):
        return False
    return not _instead(rule, book) and "Finding" in rule.enforce.__annotations__["return"]


def gives(rule: AnyRule, game: Game) -> bool:
    """Tell whether a rule of a game brings points that no player has without it."""
    book = book_of(game)
    if rule in {*_PAYING, END_KEEP, ENLARGED} or book.without.get(rule, Without()).pays:
        return True
    marked = chain(*book.marked.values())
    factors = (factor.rule for factor in book.factors)
    return rule in (*book.worth.values(), *marked, *factors, book.token_end)


def _without(rule: AnyRule, game: Game) -> Iterator[Otherwise]:
    """Yield the game without a rule, if that says anything."""
    book = book_of(game)
    if rule is SQUARE:
        return  # the data of tiles say it: there is nothing to replace
    others, change = _instead(rule, book), _by_game(rule, book)
    if rule in book.place_notes:
        changed = replace(book, placement=(*book.placement, rule))
        yield Otherwise(game=replace(game, rules=changed))
    elif others or change is not None:
        instead = {law.id: other for law, other in others.items()}
        yield Otherwise(game=game if change is None else change(game), instead=instead)
    elif isgeneratorfunction(rule.enforce):
        yield Otherwise(game=game, instead={rule.id: _nothing})


def _by_game(rule: AnyRule, book: RuleBook) -> Callable[[Game], Game] | None:
    """Return the change of a game without a rule, where more than the rule differs."""
    return _BY_GAME.get(rule, book.without.get(rule, Without()).game)


def _instead(rule: AnyRule, book: RuleBook) -> Mapping[AnyRule, Callable[..., Any]]:
    """Return the functions that replace a rule and those that belong to it; none if none can."""
    if rule is SINGLE:
        return {law: _reaching(law) for law in book.completion.values() if law is not COURT}
    if rule in _INSTEAD:
        return _INSTEAD[rule]
    told = book.without.get(rule, Without()).instead
    if told is not None:
        return {rule: told}
    by_entry: tuple[tuple[Iterable[object], Callable[..., Any]], ...] = (
        (book.worth.values(), _always(0)),
        (book.completion.values(), _always(value=False)),
        (book.incomplete.values(), _paid),
        (chain(*book.marked.values(), *book.marked_end.values()), _always(None)),
        ((factor.rule for factor in book.factors), _always(1)),
        ((book.token_end,), _always((None, 0))),
    )
    return next(({rule: other} for rules, other in by_entry if rule in rules), {})


def _nothing(*_: object) -> Iterator[Any]:
    """Find nothing."""
    yield from ()


def _always(value: object) -> Callable[..., Any]:
    """Return a function that always returns one value."""
    return lambda *_: value


def _counted(*found: Any) -> int:
    """Count the segments of a feature, the last argument, not its tiles."""
    return len(found[-1].nodes)


def _first(game: Game, followers: Sequence[Follower]) -> int | None:  # noqa: ARG001
    """Give a feature to the first of its followers, however many others there are."""
    return followers[0].player if followers else None


def _everyone(game: Game, followers: Sequence[Follower]) -> tuple[int, ...]:  # noqa: ARG001
    """Give a feature to all players who stand on it."""
    return tuple(sorted({follower.player for follower in followers}))


def _paid(game: Game, feature: Feature, laid: Laid) -> int:  # noqa: ARG001
    """Pay an uncompleted feature of a castle like a completed one."""
    return book_of(game).worth[feature.kind](game, feature)


def _closed(game: Game, feature: Feature, laid: Laid) -> bool:  # noqa: ARG001
    """Tell whether a feature faces no empty cell."""
    return not feature.open_sides


def _reaching(complete: AnyRule) -> Callable[[Game, Feature, Laid], bool]:
    """Complete features that reach a side of their tile, and no others."""

    def reaching(game: Game, feature: Feature, laid: Laid) -> bool:
        reaches = any(laid[cell].kind.segments[index].ports for cell, index in feature.nodes)
        return reaches and bool(complete.enforce(game, feature, laid))

    return reaching


def _at_hand(
    supply: AnyRule, back: AnyRule
) -> Callable[[Placement, Deployments], Iterator[Finding]]:
    """Let followers who come home too late be in the supply."""

    def at_hand(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
        if not any(True for _ in back.enforce(placement, deployments)):
            yield from supply.enforce(placement, deployments)

    return at_hand


def _kept(player: PlayerState, scored: Scored) -> int:  # noqa: ARG001
    """Return the keep unchanged."""
    return player.keep


def _not_enlarged(game: Game, keep: int, tiles: int) -> int:  # noqa: ARG001
    """Return a keep unchanged."""
    return keep


def _bare_starts(game: Game) -> Game:
    """Return a game whose start spaces show nothing."""
    kinds = tuple(TileKind(id=kind.id, segments=()) for kind in game.picture_kinds)
    return replace(game, picture_kinds=kinds)


def _courts_paid(game: Game) -> Game:
    """Return a game in which an enclosed court scores in play as at the end."""
    worth: dict[Kind, Rule[[Game, Feature], int]]
    worth = {**book_of(game).worth, Kind.COURT: END_COURT}
    return replace(game, rules=replace(book_of(game), worth=worth))


def _fields_paid(game: Game) -> Game:
    """Return a game in which an enclosed field is worth 1 point a tile in play."""
    worth: dict[Kind, Rule[[Game, Feature], int]]
    worth = {**book_of(game).worth, Kind.FIELD: plane_scoring.ROAD_SCORE}
    return replace(game, rules=replace(book_of(game), worth=worth))


def _not_at_once(law: AnyRule) -> Callable[[Game], Game]:
    """Return a function for the game that forbids what a rule about followers allows."""

    def change(game: Game) -> Game:
        book = book_of(game)
        return replace(game, rules=replace(book, deployment=(*book.deployment, law)))

    return change


_BY_GAME: Mapping[AnyRule, Callable[[Game], Game]] = MappingProxyType(
    {
        START: _bare_starts,
        COURT: _courts_paid,
        FIELD: _fields_paid,
        COMPLETED: _not_at_once(COMPLETED),
        plane_followers.COMPLETED: _not_at_once(plane_followers.COMPLETED),
    }
)
"""The game without a rule, where more than the rule differs."""
_PAYING: tuple[AnyRule, ...] = (
    *(worth for _, worth in TARGETS.values()),
    TILE_9,
    END_COURT,
    *plane_scoring.END_WORTH.values(),
)
_INSTEAD: Mapping[AnyRule, Mapping[AnyRule, Callable[..., Any]]] = MappingProxyType(
    {
        **{law: {law: _always(0)} for law in _PAYING},
        **{law: {law: _always(value=False)} for law in (ENDED, plane_ending.ENDED)},
        **{law: {law: _always(None)} for law in (WINNER, plane_ending.WINNER, TAKE)},
        **{law: {law: _closed} for law in (COURT, FIELD)},
        **{law: {law: _counted} for law in (TILES, plane_scoring.TILES)},
        END_KEEP: {END_KEEP: _always((None, 0))},
        farms.ADJACENT: {farms.ADJACENT: _always(())},
        MAJORITY: {MAJORITY: _first},
        plane_scoring.MAJORITY: {plane_scoring.MAJORITY: _everyone},
        RETURN: {RETURN: _nothing, SUPPLY: _at_hand(SUPPLY, RETURN)},
        plane_followers.RETURN: {
            plane_followers.RETURN: _nothing,
            plane_followers.SUPPLY: _at_hand(plane_followers.SUPPLY, plane_followers.RETURN),
        },
        KEEP: {KEEP: _kept},
        ENLARGED: {ENLARGED: _not_enlarged},
    }
)
"""The functions that replace a rule of a base and the rules that belong to it."""
