"""Games without a rule, or with another value of one of its switches.

Without a rule that forbids, nothing is forbidden. Without a rule that pays, completes or moves,
nothing is paid, completed or moved. Only the reference engine can
play by such rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import isgeneratorfunction
from types import MappingProxyType
from typing import Any

from burgrave.model.book import March, book_of
from burgrave.model.claims import Scored
from burgrave.model.components import Follower, Marker, Prisoner, Rank
from burgrave.model.deployment import Deployments
from burgrave.model.expansions.falcon.aeries import HAND_BACK, TAKE_TOKENS, TOKEN_END
from burgrave.model.expansions.falcon.chapels import CHAPEL_COMPLETE, CHAPEL_END, CHAPEL_SCORE
from burgrave.model.expansions.falcon.gates import GATES
from burgrave.model.expansions.falcon.specials import FALCONER, KING, KING_COURT, TIE
from burgrave.model.expansions.inns.followers import WEIGHT
from burgrave.model.expansions.inns.worth import MARKED, MARKED_END
from burgrave.model.expansions.tower.prisoners import EXCHANGE, SIZES
from burgrave.model.features import Feature, Laid
from burgrave.model.games import Game
from burgrave.model.placement import Placement
from burgrave.model.position import PlayerState, Position
from burgrave.model.rule import Finding, Rule
from burgrave.model.rules.carcassonne import ending as plane_ending
from burgrave.model.rules.carcassonne import farms
from burgrave.model.rules.carcassonne import followers as plane_followers
from burgrave.model.rules.carcassonne import scoring as plane_scoring
from burgrave.model.rules.carcassonne.completion import COMPLETION, FIELD
from burgrave.model.rules.castle.completion import (
    COURT,
    HOUSE_COMPLETE,
    PATH_COMPLETE,
    SINGLE,
    SQUARE,
    START,
    TOWER_COMPLETE,
)
from burgrave.model.rules.castle.ending import ENDED, INCOMPLETE, WINNER
from burgrave.model.rules.castle.final_tiles import TARGETS, TILE_9
from burgrave.model.rules.castle.followers import COMPLETED, RETURN, SUPPLY
from burgrave.model.rules.castle.keeps import END_COURT, END_KEEP, ENLARGED, KEEP
from burgrave.model.rules.castle.scoring import MAJORITY, TILES, WORTH
from burgrave.model.rules.castle.wall_tiles import TAKE
from burgrave.model.tiles import Kind, TileKind
from burgrave.puzzles.rulings.switch_words import READINGS

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
            reading=READINGS[switch.name, value],
        )
        for switch in rule.switches
        for value in switch.values
        if value != game.value(switch)
    )
    return (*_without(rule, game), *switched)


def forbids(rule: AnyRule, game: Game) -> bool:
    """Tell whether there can be moves that would be legal without a rule of a game."""
    if rule in _FORBID_BESIDES:
        return True
    if rule in book_of(game).place_notes or rule in _BY_GAME or rule in _INSTEAD or rule is SQUARE:
        return False
    return "Finding" in rule.enforce.__annotations__["return"]


def gives(rule: AnyRule) -> bool:
    """Tell whether a rule brings points that no player has without it."""
    return rule in _PAYING or rule in _GIVING_BESIDES


def _without(rule: AnyRule, game: Game) -> Iterator[Otherwise]:
    """Yield the game without a rule, if that says anything."""
    book = book_of(game)
    if rule is SQUARE:
        return  # the data of tiles say it: there is nothing to replace
    if rule in book.place_notes:
        changed = replace(book, placement=(*book.placement, rule))
        yield Otherwise(game=replace(game, rules=changed))
    elif rule in _BY_GAME:
        yield Otherwise(game=_BY_GAME[rule](game), instead=_ids(_INSTEAD.get(rule)))
    elif rule in _INSTEAD:
        yield Otherwise(game=game, instead=_ids(_INSTEAD[rule]))
    elif isgeneratorfunction(rule.enforce):
        yield Otherwise(game=game, instead={rule.id: _nothing})


def _ids(others: Mapping[AnyRule, Callable[..., Any]] | None) -> dict[str, Callable[..., Any]]:
    """Return the functions that replace rules, by their ids."""
    return {rule.id: other for rule, other in (others or {}).items()}


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


def _not_handed_back(game: Game, held: Sequence[int], player: int, taken: int) -> tuple[int, ...]:  # noqa: ARG001
    """Add tokens to those of a player."""
    return tuple(number + taken * (index == player) for index, number in enumerate(held))


def _all_ranks(followers: Sequence[Follower], winner: int | None) -> frozenset[Rank]:  # noqa: ARG001
    """Let kings and falconers of everybody act."""
    return frozenset(follower.rank for follower in followers) - {Rank.FOLLOWER}


def _held(
    position: Position,
    captor: int,
    taken: Prisoner,
    back: Rank | None = None,  # noqa: ARG001
) -> tuple[PlayerState, ...]:
    """Keep a follower prisoner without an exchange."""
    players = list(position.players)
    state = players[captor]
    players[captor] = replace(state, prisoners=tuple(sorted((*state.prisoners, taken))))
    return tuple(players)


def _of_one_size(game: Game, held: tuple[Rank, ...], taken: Rank) -> tuple[Rank, ...]:  # noqa: ARG001
    """Exchange a follower for one of its own rank alone."""
    return tuple(rank for rank in held if rank is taken)


def _gates_counted(game: Game) -> Game:
    """Return a game in which each gate is a space of the track."""

    def march(game: Game, marker: Marker, gained: int) -> March:
        return March(Marker(marker.score + gained - len(GATES(game, marker, gained))))

    return replace(game, rules=replace(book_of(game), march=march))


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


_PAYING: tuple[AnyRule, ...] = (
    *WORTH.values(),
    CHAPEL_SCORE,
    *(worth for _, worth in TARGETS.values()),
    TILE_9,
    END_COURT,
    FALCONER,
    *plane_scoring.WORTH.values(),
    *plane_scoring.END_WORTH.values(),
)
_MARKS: tuple[AnyRule, ...] = (*MARKED.values(), *MARKED_END.values())
_COMPLETING: tuple[AnyRule, ...] = (
    PATH_COMPLETE,
    TOWER_COMPLETE,
    HOUSE_COMPLETE,
    CHAPEL_COMPLETE,
    *(law for law in COMPLETION.values() if law is not FIELD),
)
_BY_GAME: Mapping[AnyRule, Callable[[Game], Game]] = MappingProxyType(
    {
        GATES: _gates_counted,
        START: _bare_starts,
        COURT: _courts_paid,
        FIELD: _fields_paid,
        COMPLETED: _not_at_once(COMPLETED),
        plane_followers.COMPLETED: _not_at_once(plane_followers.COMPLETED),
    }
)
"""The game without a rule, where more than the rule differs."""
_INSTEAD: Mapping[AnyRule, Mapping[AnyRule, Callable[..., Any]]] = MappingProxyType(
    {
        **{law: {law: _always(0)} for law in _PAYING},
        **{law: {law: _always(value=False)} for law in _COMPLETING},
        **{law: {law: _always(value=False)} for law in (ENDED, plane_ending.ENDED)},
        **{law: {law: _always(None)} for law in (WINNER, plane_ending.WINNER, TAKE)},
        **{law: {law: _always(None)} for law in _MARKS},
        **{law: {law: _always((None, 0))} for law in (END_KEEP, TOKEN_END)},
        **{law: {law: _always(())} for law in (TAKE_TOKENS, farms.ADJACENT)},
        **{law: {law: _always(1)} for law in (KING, KING_COURT, WEIGHT)},
        **{law: {law: _paid} for law in (INCOMPLETE, CHAPEL_END)},
        **{law: {law: _closed} for law in (COURT, FIELD)},
        **{law: {law: _counted} for law in (TILES, plane_scoring.TILES)},
        MAJORITY: {MAJORITY: _first},
        plane_scoring.MAJORITY: {plane_scoring.MAJORITY: _everyone},
        SINGLE: {law: _reaching(law) for law in _COMPLETING},
        RETURN: {RETURN: _nothing, SUPPLY: _at_hand(SUPPLY, RETURN)},
        plane_followers.RETURN: {
            plane_followers.RETURN: _nothing,
            plane_followers.SUPPLY: _at_hand(plane_followers.SUPPLY, plane_followers.RETURN),
        },
        KEEP: {KEEP: _kept},
        ENLARGED: {ENLARGED: _not_enlarged},
        HAND_BACK: {HAND_BACK: _not_handed_back},
        TIE: {TIE: _all_ranks},
        EXCHANGE: {EXCHANGE: _held},
        SIZES: {SIZES: _of_one_size},
    }
)
"""The functions that replace a rule and the rules that belong to it."""
_FORBID_BESIDES = (RETURN, plane_followers.RETURN, EXCHANGE)
"""Rules that make moves illegal besides what else they do."""
_GIVING_BESIDES = (END_KEEP, ENLARGED, TOKEN_END, KING, KING_COURT, *MARKED.values())
"""Rules that bring points in another way than as the worth of a feature or wall tile."""
