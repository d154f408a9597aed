"""Limits of final scores in The Castle, with The Falcon or without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from model.castle.final_uses import COURT_TILE, KEEP_TILE, POINTS_TILE
from model.components import Rank
from model.features import Feature, empty_cells
from model.rules.castle.final_tiles import TARGETS, TILE_9
from model.rules.castle.keeps import A_MARKET, END_COURT, KEEP_BONUS, largest_empty_area
from model.rules.castle.wall_tiles import DOUBLERS, unseen
from model.rules.falcon.chapels import LARGEST
from model.switches import DOUBLE_ONCE, END_TILE_ONCE_PER_FEATURE, KING_DOUBLES_KEEP
from model.tiles import Kind, Mark, TileKind
from solver.reach.gains import Fit, Gains, top
from solver.reach.ground import Ground

MARKET_MORE = 1
"""Points of a market that a wall tile 7 adds."""
ENDS = {number: kind for number, (kind, _) in TARGETS.items() if number != COURT_TILE}
"""The wall tiles that score an uncompleted feature at the end, with its kind."""
ON_FEATURES = {**DOUBLERS, **ENDS, COURT_TILE: Kind.COURT}
"""The wall tiles that bring points with a feature, with its kind."""
Weights = Mapping[Kind, int]
"""Points of a tile or market, by kind of feature."""
Hand = Mapping[int, int]
"""Wall tiles by their numbers; 0 for those whose number is not known."""


def castle_most(
    ground: Ground, mine: int | None, theirs: int | None, shy: Sequence[Sequence[Fit]]
) -> int:
    """Return the most by which a player's final score exceeds another's.

    Args:
        ground: the board.
        mine: the player whose points count; None if nobody's do.
        theirs: the player whose points count against them; None if nobody's do.
        shy: as for ``Gains``.

    """
    sure = 0
    if theirs is not None:
        state = ground.position.players[theirs]
        sure = -state.score - TILE_9() * state.wall_tiles.count(POINTS_TILE)
    if mine is not None:
        return sure + Castle(ground, mine, theirs, shy).most()
    gains = Gains(ground.tiles, 0, shy)
    _courts(gains, ground, None, theirs)
    return sure + gains.most


def _courts(gains: Gains, ground: Ground, mine: int | None, theirs: int | None) -> None:
    """Count the courts on the board, for one player and against the other."""
    for court in ground.features:
        if court.kind is not Kind.COURT:
            continue
        men = [ground.strength(one, court) for one in ground.players]
        later = [ground.gathered(one, court) for one in ground.players]
        has = mine is not None and men[mine] > men[1 - mine]
        lost = theirs is not None and men[theirs] > men[1 - theirs]
        wins = mine is not None and later[mine] > men[1 - mine]
        kept = lost and theirs is not None and later[1 - theirs] < men[theirs]
        worth = END_COURT(court)
        now = worth * (has - lost)
        gains.add(now)
        gains.touched(ground.joining(court), worth * (wins - kept) - now)


class Castle:
    """The most points of a player less what courts bring another; arguments of ``castle_most``."""

    def __init__(
        self, ground: Ground, mine: int, theirs: int | None, shy: Sequence[Sequence[Fit]]
    ) -> None:
        """Find the features that he has or may come to have."""
        self._ground, self._me, self._you, self._shy = ground, mine, theirs, shy
        self._game, self._state = ground.game, ground.position.players[mine]
        self._unseen = unseen(ground.position)
        self._held, self._wanted = list[Feature](), list[Feature]()
        for feature in ground.features:
            rivals = ground.rivals(mine, feature)
            if ground.strength(mine, feature) > rivals:
                self._held.append(feature)
            elif feature.open_sides and ground.gathered(mine, feature) > rivals:
                self._wanted.append(feature)
        self._ends_once = self._game.value(END_TILE_ONCE_PER_FEATURE) == "on"
        fountains = any(
            Mark.FOUNTAIN in segment.marks for tile in ground.stock for segment in tile.segments
        ) or any(one.count(Mark.FOUNTAIN) for one in (*self._held, *self._wanted))
        self._largest = {kind: self._size(kind) for kind in ground.book.roles}
        self._rate = {Kind.PATH: 1 + fountains, Kind.TOWER: 2, Kind.HOUSE: 1}
        if Kind.CHAPEL in self._largest:
            # One of s tiles brings s (s + 1) / 2, so that of the largest a tile brings most.
            size = min(LARGEST, self._largest[Kind.CHAPEL])
            self._rate[Kind.CHAPEL] = (size + 2) // 2

    def most(self) -> int:
        """Return the limit."""
        hand = Counter(self._state.wall_tiles + self._state.fresh_wall_tiles)
        left = dict(self._ground.position.towers)
        while True:
            gain = self._points(hand, DOUBLERS) + self._king_in_play
            met = [tower for tower in left if self._comes_to(tower, gain)]
            if not met:
                break
            hand.update(left.pop(tower) for tower in met)
        most = self._state.score + self._king_in_play + self._king_at_the_end(hand)
        return most + self._points(hand, None)

    def _comes_to(self, tower: str, gain: int) -> bool:
        """Tell whether his marker can reach a corner tower with a gain of points."""
        board = self._game.board
        spaces = next(one.spaces for one in board.towers if one.name == tower)
        return any((space - self._state.score - 1) % board.track < gain for space in spaces)

    def _shows(self, tile: TileKind, kind: Kind) -> int:
        """Return the number of segments, or markets, that a tile to come can add to a kind."""
        some = [one for one in tile.segments if one.kind is kind]
        if not self._ground.may_claim(self._me, kind):
            return 0
        return sum(s.marks.count(Mark.MARKET) for s in some) if kind is Kind.COURT else len(some)

    def _size(self, kind: Kind) -> int:
        """Return the tiles or markets of the largest feature of a kind that he may hold."""
        ground = self._ground
        joined, alone = Gains(ground.tiles, 0, self._shy), 0
        for one in (*self._held, *self._wanted):
            if one.kind is kind:
                alone = max(alone, _amount(one))
                joined.touched(ground.faced(one), _amount(one))
        shown = [self._shows(one, kind) for one in ground.stock]
        if kind is not Kind.COURT:
            # A tile that shows it twice counts once.
            shown = [min(1, one) for one in shown]
            tiles = min(ground.tiles, sum(shown))
            met = top(tiles, ground.met(kind, _amount).values())
        else:
            met = joined.most
        return max(alone, min(joined.most, met) + top(ground.tiles, shown))

    def _many(self, hand: Hand, number: int) -> tuple[int, int]:
        """Return how many wall tiles of a number he has, and how many more he may have."""
        return hand.get(number, 0), min(hand.get(0, 0), max(0, self._unseen[number]))

    def _points(self, hand: Hand, only: Collection[int] | None) -> int:
        """Return his points from features, tiles, wall tiles and the empty area, without a king.

        Args:
            hand: his wall tiles.
            only: the numbers of wall tiles that count in play; None for the whole score.

        """
        every: set[int] = set()
        best = self._limit(hand, only, every)
        for number in (*DOUBLERS, *ENDS):
            if sum(self._many(hand, number)) and (only is None or number in only):
                every ^= {number}
                limit = self._limit(hand, only, every)
                if limit < best:
                    best = limit
                else:
                    every ^= {number}
        return best

    def _limit(self, hand: Hand, only: Collection[int] | None, every: Collection[int]) -> int:
        """Return the points if wall tiles of some numbers count for every feature of their kind.

        Each of the others counts for the largest. Both are limits.
        """
        ground, hidden = self._ground, hand.get(0, 0)
        loose = {ENDS[number] for number in every if number in ENDS}
        stack = self._game.value(DOUBLE_ONCE) == "off"
        weights, sure, maybe = dict(self._rate), 0, list[int]()
        for number in (*ON_FEATURES, POINTS_TILE):
            named, more = self._many(hand, number)
            if only is not None and number not in only:
                continue
            if number in every and number in DOUBLERS:
                weights[DOUBLERS[number]] <<= named + more if stack else 1
                continue
            shift = stack and number in DOUBLERS
            values = [self._worth(number) << shift * copy for copy in range(named + more)]
            if number in every:
                # Two score the same feature only by the switch.
                values = [] if self._ends_once else values[1:]
            known = max(0, len(values) - more)
            sure += sum(values[:known])
            maybe += values[known:]
        gains = Gains(ground.tiles, 0, self._shy)
        for one in (*self._held, *self._wanted):
            points = weights.get(one.kind, 0) * _amount(one)
            if one.kind in loose and one in self._held:
                gains.add(points)
            elif one.kind in loose:
                gains.touched(ground.joining(one), points)
            elif not one.empty_cells() & ground.barred:
                gains.filled(one.empty_cells(), points)
        if only is None:
            _courts(gains, ground, self._me, self._you)
            tiles = self._tiles(hand, {**weights, Kind.COURT: A_MARKET})
        else:
            tiles = top(ground.tiles, self._coming(weights))
        return gains.most + tiles + sure + top(hidden, maybe)

    def _worth(self, number: int) -> int:
        """Return the points that one wall tile 2 to 7 or 9 brings at most."""
        if number == POINTS_TILE:
            return TILE_9()
        kind = ON_FEATURES[number]
        return self._largest[kind] * (MARKET_MORE if kind is Kind.COURT else self._rate[kind])

    def _coming(self, weights: Weights) -> list[int]:
        """Return the points of each tile to come by its own segments."""
        return [
            sum(self._shows(tile, kind) * weight for kind, weight in weights.items())
            for tile in self._ground.stock
        ]

    def _tiles(self, hand: Hand, weights: Weights) -> int:
        """Return the points of tiles to come by themselves, and the empty area that they leave."""
        ground, other = self._ground, self._ground.position.players[1 - self._me]
        tokens = ground.book.token_end is not None
        twice = tokens and self._game.value(KING_DOUBLES_KEEP) == "on"
        keep = max(self._state.keep, self._largest[Kind.HOUSE] * (1 + twice))
        more = tokens and self._state.tokens + self._tokens() > other.tokens
        bonus = KEEP_BONUS * sum(self._many(hand, KEEP_TILE))
        areas = (keep + bonus > other.keep) + more
        worth = self._coming(weights)
        most = top(ground.tiles, worth) + areas * largest_empty_area(ground.position)
        if ground.tiles < len(worth):
            return most
        # A tile either lies and leaves a cell less, or brings nothing by itself.
        left = len(empty_cells(ground.position)) - len(worth)
        return min(most, areas * left + sum(max(one, areas) for one in worth))

    @cached_property
    def _king_stands(self) -> Feature | None:
        """The feature on which his king stands, if there is one."""
        king = (self._me, Rank.KING)
        men = ((feature, man) for feature in self._ground.features for man in feature.followers)
        return next((on for on, man in men if (man.player, man.rank) == king), None)

    @cached_property
    def _king_in_play(self) -> int:
        """The king's gain in play: the points of a feature without wall tiles.

        He is placed in a turn before that in which he scores, and stays until then.
        """
        ground, at = self._ground, self._king_stands
        if Rank.KING not in self._game.specials:
            return 0
        each = {kind: rate * self._largest[kind] for kind, rate in self._rate.items()}
        first, spare = 0, ground.tiles
        if at is not None:
            spare = ground.tiles - len(at.empty_cells()) if at.kind in each else -1
            first = each[at.kind] if spare >= 0 else 0
        again = max(0, min(ground.turns[self._me], spare // 2))
        return min(self._points({}, ()), first + again * max(each.values()))

    def _king_at_the_end(self, hand: Hand) -> int:
        """Return the king's gain at the end: from a court, or from wall tiles 4 to 6."""
        ground, at = self._ground, self._king_stands
        if Rank.KING not in self._game.specials:
            return 0
        most = {
            kind: min(sum(self._many(hand, number)), 2 - self._ends_once) * self._worth(number)
            for number, kind in ENDS.items()
        }
        market = A_MARKET + MARKET_MORE * min(1, sum(self._many(hand, COURT_TILE)))
        most[Kind.COURT] = market * self._largest[Kind.COURT]
        if at is not None and (at.kind is Kind.COURT or len(at.empty_cells()) > ground.tiles):
            return most.get(at.kind, 0)
        return max(most.values())

    def _tokens(self) -> int:
        """Return the tokens that he can take: from the board, tiles to come and his falconer."""
        ground, gone = self._ground, {*self._ground.position.taken_aeries}
        now = sum(len({*one.aeries} - gone) for one in (*self._held, *self._wanted))
        coming = top(ground.tiles, (sum(map(len, tile.aeries)) for tile in ground.stock))
        return now + coming + 1 + (ground.tiles + 1) // 2


def _amount(feature: Feature) -> int:
    """Return the markets of a court, or the tiles of another feature."""
    return feature.count(Mark.MARKET) if feature.kind is Kind.COURT else feature.size
