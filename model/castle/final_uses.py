"""The wall tiles 4 to 9 that players use in final scoring, chosen for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from burgrave.model.book import book_of
from burgrave.model.castle.rewards import collect, multiple, pile_of
from burgrave.model.claims import Occasion, Scored
from burgrave.model.components import Aerie
from burgrave.model.features import Feature, Features
from burgrave.model.laying import complete
from burgrave.model.position import FinalUse, PlayerState, Position
from burgrave.model.rules.castle.final_tiles import TARGETS
from burgrave.model.rules.castle.keeps import END_COURT, ENLARGED
from burgrave.model.rules.castle.scoring import MAJORITY
from burgrave.model.switches import END_TILE_ONCE_PER_FEATURE, LAST_TURN_WALL_TILES

COURT_TILE = 7
KEEP_TILE = 8
POINTS_TILE = 9
Uses = tuple[FinalUse, ...]


def final_hand(position: Position, player: int) -> Counter[int]:
    """Return the wall tiles 4 to 9 that a player may use in final scoring."""
    tiles = _usable(position, position.players[player])
    return Counter(number for number in tiles if number in {*TARGETS, KEEP_TILE, POINTS_TILE})


def _usable(position: Position, state: PlayerState) -> tuple[int, ...]:
    """Return the wall tiles that a player may use in final scoring, those without use included."""
    late = position.game.value(LAST_TURN_WALL_TILES) == "on"
    return state.wall_tiles + (state.fresh_wall_tiles if late else ())


def undecided(position: Position) -> str:
    """Return in words why final scoring is undecided; empty if everything is known.

    A wall tile in hand without a number may be one of the tiles 4 to 9.
    """
    for player, state in enumerate(position.players):
        if 0 in (*state.wall_tiles, *state.fresh_wall_tiles) and 0 in _usable(position, state):
            return (
                f"final scoring depends on a wall tile of {position.game.name(player)} without a"
                " number; name it under 'wall_tiles'"
            )
    return ""


def scored_at_end(position: Position, feature: Feature, winner: int, occasion: Occasion) -> Scored:
    """Return a feature that a player scores in final scoring."""
    return Scored(
        game=position.game,
        feature=feature,
        followers=feature.followers,
        winner=winner,
        occasion=occasion,
    )


def targets(position: Position, board: Features, player: int, number: int) -> list[Feature]:
    """Return the features on which a player may use wall tile 4, 5, 6 or 7, most points first."""
    kind = TARGETS[number][0]
    laid = position.laid()
    found = [
        feature
        for feature in board
        if feature.kind is kind
        and MAJORITY(position.game, feature.followers) == player
        and not complete(position, feature, laid)
    ]
    return sorted(found, key=lambda f: (-use_worth(position, f, player, number), f.nodes))


def use_worth(position: Position, feature: Feature, player: int, number: int) -> int:
    """Return the points that a first wall tile 4, 5, 6 or 7 on a feature brings a player.

    It is less than 0 where a king does not double a court with wall tile 7.
    """
    worth = TARGETS[number][1](position.game, feature)
    if number != COURT_TILE:
        return worth * multiple(scored_at_end(position, feature, player, Occasion.END_TILE))
    court = END_COURT(position.game, feature)
    with_tile = multiple(scored_at_end(position, feature, player, Occasion.COURT_WITH_TILE))
    without = multiple(scored_at_end(position, feature, player, Occasion.COURT))
    return (court + worth) * with_tile - court * without


@dataclass(frozen=True, slots=True, kw_only=True)
class _Option:
    """A player's choice of wall tiles, with its points."""

    uses: Uses = ()
    points: int = 0
    tokens: int = 0
    """Those for ``aeries`` not counted: two choices may have one in common."""
    aeries: frozenset[Aerie] = frozenset()
    """Aeries of which each brings one token alone, by the switch."""

    def __add__(self, other: _Option) -> _Option:
        """Return both choices together."""
        return _Option(
            uses=self.uses + other.uses,
            points=self.points + other.points,
            tokens=self.tokens + other.tokens,
            aeries=self.aeries | other.aeries,
        )


def chosen(position: Position, board: Features, totals: Callable[[Uses], Sequence[int]]) -> Uses:
    """Return the wall tiles that the players use if each plays for his lead, then for points.

    Without aerie tokens no player's choice changes what the other's tiles bring, and each
    takes most points. Tokens can decide the area at the end. Then the player of the last turn
    chooses first, as his features score first in play. The others reply. Of choices
    with equal leads a player takes that with which he has more points.

    Args:
        position: a position with no tile left to draw.
        board: its features.
        totals: the final scores, by player, that some uses lead to.

    """
    players = range(len(position.players))
    options = [_options(position, board, player) for player in players]
    if all(len(found) == 1 for found in options):
        return tuple(use for found in options for use in found[0].uses)
    last = (position.to_move - 1) % len(options)
    order = [*players[last:], *players[:last]]
    picked = _settled(order, options, totals, {})
    return tuple(use for player in players for use in picked[player])


def _settled(
    order: Sequence[int],
    options: Sequence[Sequence[_Option]],
    totals: Callable[[Uses], Sequence[int]],
    picked: dict[int, Uses],
) -> dict[int, Uses]:
    """Return each player's choice, with the players in ``order`` still to choose."""
    if not order:
        return picked
    player = order[0]
    ends = [
        _settled(order[1:], options, totals, {**picked, player: option.uses})
        for option in options[player]
    ]

    def liking(end: dict[int, Uses]) -> tuple[int, int]:
        scores = list(totals(tuple(use for uses in end.values() for use in uses)))
        mine = scores.pop(player)
        return mine - max(scores), mine

    return max(ends, key=liking)


def _options(position: Position, board: Features, player: int) -> list[_Option]:
    """Return the choices of a player of which none is better in all respects, best first."""
    found = [_Option()]
    for number, times in sorted(final_hand(position, player).items()):
        if number in {KEEP_TILE, POINTS_TILE}:
            of_use = _of_use(position, player, times) if number == KEEP_TILE else times
            each = [_Option(uses=(FinalUse(player, number),) * of_use)]
        elif number == COURT_TILE or book_of(position.game).token_end is None:
            each = [_most_points(position, board, player, number, times)]
        else:
            each = list(_choices(position, board, player, number, times))
        found = _undominated(one + other for one in found for other in each)
    return found


def _of_use(position: Position, player: int, times: int) -> int:
    """Return how many of some wall tiles 8 enlarge the player's keep."""
    keep = position.players[player].keep
    sizes = [ENLARGED(position.game, keep, tiles) for tiles in range(times + 1)]
    return sizes.index(sizes[-1])


def _most_points(
    position: Position, board: Features, player: int, number: int, times: int
) -> _Option:
    """Return the use of some equal wall tiles that brings most points."""
    fitting = targets(position, board, player, number)
    found = [f for f in fitting if use_worth(position, f, player, number) >= 0]
    once = position.game.value(END_TILE_ONCE_PER_FEATURE) == "on"
    features = found[:times] if once else found[:1] * times
    return _Option(uses=tuple(FinalUse(player, number, f.anchor) for f in features))


def _choices(
    position: Position, board: Features, player: int, number: int, times: int
) -> Iterator[_Option]:
    """Yield every use of some equal wall tiles 4, 5 or 6."""
    found = targets(position, board, player, number)
    once = position.game.value(END_TILE_ONCE_PER_FEATURE) == "on"
    pick = combinations if once else combinations_with_replacement
    for size in range(times, -1, -1):
        for features in pick(found, size):
            yield _option(position, player, number, features)


def _option(position: Position, player: int, number: int, features: Sequence[Feature]) -> _Option:
    """Return the gain from equal wall tiles on some features."""
    pile, tokens = pile_of(position), 0
    gone = pile.gone
    for feature in dict.fromkeys(features):
        scored = scored_at_end(position, feature, player, Occasion.END_TILE)
        pile, events = collect(pile, scored)
        tokens += sum(event.tokens for event in events)
    return _Option(
        uses=tuple(FinalUse(player, number, feature.anchor) for feature in features),
        points=sum(use_worth(position, feature, player, number) for feature in features),
        tokens=tokens - len(pile.gone - gone),
        aeries=pile.gone - gone,
    )


def _undominated(options: Iterator[_Option]) -> list[_Option]:
    """Return the options of which none brings more points or tokens and no less of the other.

    Only those are compared that take the same aeries.
    """
    kept: list[_Option] = []
    for option in sorted(options, key=lambda o: (-o.points, -o.tokens)):
        if not any(k.aeries == option.aeries and k.tokens >= option.tokens for k in kept):
            kept.append(option)
    return kept
