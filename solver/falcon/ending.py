"""Final scoring of The Falcon on the incremental state: kings, and tokens for the empty area.

Wall tiles 4 to 6 bring tokens, and tokens can turn the empty area. So the players choose as
in a small game: the player of the last turn first, the other in reply, each for his lead and
then for his points. He takes his tokens first too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from model.rules.castle.final_tiles import TARGETS, TILE_9
from solver.falcon.state import FALCONER, KING, FalconState
from solver.falcon.tokens import collected
from solver.final_value import (
    A_MARKET,
    NUMBER_FOR,
    POINTS_TILE,
    is_complete,
    keep_points,
    usable,
)
from solver.game_state import NUMBERS
from solver.tables import COURT, KINDS

COURT_TILE = 7
ENDS = 1 << 14
"""Ends of a game that are remembered; with more, all are forgotten."""


class Worth(NamedTuple):
    """What a feature brings its holder at the end."""

    points: int
    """Without wall tiles."""
    tile: int
    """What a first wall tile on it brings more."""
    again: int
    """What a further wall tile on it brings."""
    aeries: int
    """Those that bring tokens, as bits."""
    more: int
    """Tokens for a falconer."""


class _Feature(NamedTuple):
    """A feature that somebody holds at the end."""

    root: int
    kind: int
    winner: int
    worth: Worth


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """Wall tiles 4 to 6 of a player, with what they bring."""

    features: tuple[_Feature, ...] = ()
    points: int = 0
    tokens: int = 0
    """Those for ``aeries`` not counted: two choices may have one in common."""
    aeries: int = 0
    """Aeries of which each brings one token alone, by the switch."""

    def __add__(self, other: _Choice) -> _Choice:
        """Return both choices together."""
        return _Choice(
            features=self.features + other.features,
            points=self.points + other.points,
            tokens=self.tokens + other.tokens,
            aeries=self.aeries | other.aeries,
        )


def falcon_totals(state: FalconState) -> tuple[int, int]:
    """Return the totals after final scoring, wall tiles used for the best lead.

    Args:
        state: a state with no tile left to draw.

    """
    tiles, last = usable(state), 1 - state.turn[0]
    area = state.board.largest_empty_area()
    # What the keeps and markers add is the same whatever the players choose.
    key = _grounds(state, tiles), tuple(tiles), tuple(state.tokens), state.gone[0], area, last
    found = state.ends.get(key)
    if found is None:
        if len(state.ends) >= ENDS:
            state.ends.clear()
        held = tuple(_held(state, _counted(tiles)))
        found = state.ends[key] = _brought(state, held, tiles, last)
    white, black = keep_points(state)
    return state.score[0] + white + found[0], state.score[1] + black + found[1]


def _grounds(state: FalconState, tiles: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return all that decides what the features bring that may count, without working it out.

    Args:
        state: the end of the game.
        tiles: by ``player * 10 + number`` the wall tiles that may be used.

    """
    board, men = state.board, state.board.men
    kings = state.root_of(0, KING), state.root_of(1, KING)
    falconers = state.root_of(0, FALCONER), state.root_of(1, FALCONER)
    counted, found = _counted(tiles), []
    for root in state.occupied():
        white, black = men[2 * root], men[2 * root + 1]
        if white == black:
            continue
        winner, kind = int(white < black), board.kind[root]
        if kind == COURT:
            marks = board.markets[root]
        elif (kind, winner) in counted and not is_complete(state, root):
            marks = state.worth(root) << 1 | (board.fountains[root] > 0)
        else:
            continue
        special = root == kings[winner], root == falconers[winner]
        found.append((kind, winner, marks, board.aeries[root], *special))
    return tuple(found)


def _brought(
    state: FalconState, held: Sequence[_Feature], tiles: Sequence[int], last: int
) -> tuple[int, int]:
    """Return what courts, wall tiles and tokens bring the players.

    Args:
        state: the end of the game.
        held: every feature that may count.
        tiles: by ``player * 10 + number`` the wall tiles that may be used.
        last: the player of the last turn.

    """
    base = [TILE_9() * tiles[player * NUMBERS + POINTS_TILE] for player in (0, 1)]
    for court in held:
        if court.kind == COURT:
            base[court.winner] += court.worth.points
    for player in (0, 1):
        base[player] += _sevens(state, held, tiles, player)
    replies = _choices(state, held, tiles, 1 - last)
    ends = [
        max(
            (_totals(state, base, held, (own, reply), last) for reply in replies),
            key=lambda end: (end[1 - last] - end[last], end[1 - last]),
        )
        for own in _choices(state, held, tiles, last)
    ]
    return max(ends, key=lambda end: (end[last] - end[1 - last], end[last]))


def _totals(
    state: FalconState,
    base: Sequence[int],
    held: Sequence[_Feature],
    picked: Sequence[_Choice],
    last: int,
) -> tuple[int, int]:
    """Return the totals if the players use wall tiles 4 to 6 in some way.

    Args:
        state: the end of the game.
        base: points by player without wall tiles 4 to 6 and tokens.
        held: every feature that somebody holds.
        picked: the choice of the player of the last turn, and of the other.
        last: the player of the last turn.

    """
    totals = [base[0], base[1]]
    for player, choice in zip((last, 1 - last), picked, strict=True):
        totals[player] += choice.points
    tokens: tuple[int, int] = (state.tokens[0], state.tokens[1])
    if not state.falcon.tokens_first:
        used = {feature.root for choice in picked for feature in choice.features}
        scored = [f for f in held if f.kind == COURT or f.root in used]
        scored.sort(key=lambda f: (f.kind != COURT, f.winner != last))
        gone = state.gone[0]
        for feature in scored:
            tokens, gone = collected(
                state.falcon, tokens, gone, feature.winner, feature.worth.aeries, feature.worth.more
            )
    if tokens[0] != tokens[1]:
        totals[int(tokens[1] > tokens[0])] += state.board.largest_empty_area()
    return totals[0], totals[1]


def _counted(tiles: Sequence[int]) -> set[tuple[int, int]]:
    """Return kinds of features with the players for whom they may count: courts, by tiles others.

    Args:
        tiles: by ``player * 10 + number`` the wall tiles that may be used.

    """
    return {
        (kind, player)
        for kind, number in NUMBER_FOR.items()
        for player in (0, 1)
        if kind == COURT or tiles[player * NUMBERS + number]
    }


def _held(state: FalconState, counted: Container[tuple[int, int]]) -> Iterator[_Feature]:
    """Yield the courts and uncompleted features of some kinds that some player leads."""
    board, men = state.board, state.board.men
    for root in state.occupied():
        white, black = men[2 * root], men[2 * root + 1]
        kind, winner = board.kind[root], int(white < black)
        if white == black or (kind, winner) not in counted:
            continue
        if kind == COURT or not is_complete(state, root):
            worth = worth_of(state, root, winner)
            yield _Feature(root=root, kind=kind, winner=winner, worth=worth)


def worth_of(state: FalconState, root: int, winner: int) -> Worth:
    """Return what a court, or a feature that is not complete, brings a player at the end.

    Args:
        state: the state.
        root: of the feature.
        winner: the player who has more followers on it.

    """
    if state.board.kind[root] == COURT:
        return _court(state, root, winner)
    flags, aeries = state.falcon, state.board.aeries[root]
    points = state.worth(root) * (state.factor(root, winner) if flags.on_wall_scored else 1)
    return Worth(
        points=0,
        tile=points,
        again=points,
        aeries=aeries if flags.any_scoring else 0,
        more=state.falconry(root, winner, aeries) if flags.on_wall_scored else 0,
    )


def _court(state: FalconState, root: int, winner: int) -> Worth:
    """Return what a court brings at the end."""
    flags, board = state.falcon, state.board
    king = flags.king_on_courts and state.has_king(root, winner)
    without = 2 if king else 1
    with_seven = 2 if king and flags.king_with_seven else 1
    markets, aeries = board.markets[root], board.aeries[root]
    plain, seven = A_MARKET * markets * without, A_MARKET * markets * with_seven
    return Worth(
        points=plain,
        tile=seven + markets * with_seven - plain,
        again=markets * with_seven,
        aeries=aeries if flags.any_scoring else 0,
        more=state.falconry(root, winner, aeries) if flags.falconer_on_courts else 0,
    )


def _sevens(state: FalconState, held: Iterable[_Feature], tiles: Sequence[int], player: int) -> int:
    """Return what a player's wall tiles 7 bring him."""
    times = tiles[player * NUMBERS + COURT_TILE]
    courts = [f.worth for f in held if (f.kind, f.winner) == (COURT, player) and f.worth.tile >= 0]
    courts.sort(key=lambda court: -court.tile)
    if state.flags.once_per_feature:
        return sum(court.tile for court in courts[:times])
    return sum(one.tile + (times - 1) * one.again for one in courts[:1]) if times else 0


def _choices(
    state: FalconState, held: Sequence[_Feature], tiles: Sequence[int], player: int
) -> list[_Choice]:
    """Return the uses of wall tiles 4 to 6 of which none is better in all respects, best first."""
    found = [_Choice()]
    pick = combinations if state.flags.once_per_feature else combinations_with_replacement
    for number, (kind, _) in TARGETS.items():
        times = tiles[player * NUMBERS + number]
        if number == COURT_TILE or not times:
            continue
        mine = [f for f in held if (KINDS[f.kind], f.winner) == (kind, player)]
        mine.sort(key=lambda f: -f.worth.tile)
        each = [
            _choice(state, chosen) for size in range(times, -1, -1) for chosen in pick(mine, size)
        ]
        found = _undominated(one + other for one, other in product(found, each))
    return found


def _choice(state: FalconState, features: Sequence[_Feature]) -> _Choice:
    """Return what the use of equal wall tiles on some features brings."""
    once = [feature.worth for feature in dict.fromkeys(features)]
    tokens, aeries = sum(worth.more for worth in once), 0
    for worth in once:
        if state.falcon.first_only:
            aeries |= worth.aeries & ~state.gone[0]
        else:
            tokens += worth.aeries.bit_count()
    return _Choice(
        features=tuple(features),
        points=sum(feature.worth.tile for feature in features),
        tokens=tokens,
        aeries=aeries,
    )


def _undominated(choices: Iterable[_Choice]) -> list[_Choice]:
    """Return the choices of which none brings more points or tokens and no less of the other."""
    kept: list[_Choice] = []
    for choice in sorted(choices, key=lambda c: (-c.points, -c.tokens)):
        if not any(k.aeries == choice.aeries and k.tokens >= choice.tokens for k in kept):
            kept.append(choice)
    return kept
