"""Limits of final scores in The Castle, with The Falcon or without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import floor

from burgrave.model.castle.final_uses import COURT_TILE, KEEP_TILE, POINTS_TILE
from burgrave.model.components import Rank
from burgrave.model.features import Feature
from burgrave.model.rules.castle.final_tiles import TARGETS, TILE_9
from burgrave.model.rules.castle.keeps import A_MARKET, END_COURT, KEEP_BONUS, largest_empty_area
from burgrave.model.rules.castle.wall_tiles import DOUBLERS, unseen
from burgrave.model.switches import DOUBLE_ONCE, END_TILE_ONCE_PER_FEATURE
from burgrave.model.tiles import Kind, Mark, TileKind
from burgrave.solver.reach.gains import PORTIONS, Gains, Schedule
from burgrave.solver.reach.ground import Ground, Meeting

MARKET_MORE = 1
"""Points of a market that a wall tile 7 adds."""
ENDS = {number: kind for number, (kind, _) in TARGETS.items() if number != COURT_TILE}
"""The wall tiles that score an uncompleted feature at the end, with its kind."""
ON_FEATURES = {**DOUBLERS, **ENDS, COURT_TILE: Kind.COURT}
"""The wall tiles that bring points with a feature, with its kind."""
Hand = Mapping[int, int]
"""Wall tiles by their numbers; 0 for those whose number is not known."""


def castle_most(ground: Ground, mine: int | None, theirs: int | None, turns: Schedule) -> Fraction:
    """Return the most by which a player's final score exceeds another's, as in ``most_ahead``."""
    sure = 0
    if theirs is not None:
        state = ground.position.players[theirs]
        sure = -state.score - TILE_9() * state.wall_tiles.count(POINTS_TILE)
    if mine is not None:
        return sure + Castle(ground, mine, theirs, turns).most()
    gains = Gains(ground, turns)
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
        worth = END_COURT(ground.game, court)
        now = worth * (has - lost)
        gains.add(now)
        gains.touched(ground.joining(court), worth * (wins - kept) - now)


class Castle:
    """The most points of a player less what courts bring another; arguments of ``castle_most``."""

    def __init__(self, ground: Ground, mine: int, theirs: int | None, turns: Schedule) -> None:
        """Find the features that he has or may come to have."""
        self._ground, self._me, self._you, self._turns = ground, mine, theirs, turns
        self._game, self._state = ground.game, ground.position.players[mine]
        self._unseen = unseen(ground.position)
        self._held, self._wanted = list[Feature](), list[Feature]()
        for feature in ground.features:
            rivals = ground.strength(1 - mine, feature)
            if ground.strength(mine, feature) > rivals:
                self._held.append(feature)
            elif feature.open_sides and ground.gathered(mine, feature) > rivals:
                self._wanted.append(feature)
        self._ends_once = self._game.value(END_TILE_ONCE_PER_FEATURE) == "on"
        fountains = any(
            Mark.FOUNTAIN in segment.marks for tile in ground.stock for segment in tile.segments
        ) or any(one.count(Mark.FOUNTAIN) for one in (*self._held, *self._wanted))
        self._lines = turns.anyhow()
        self._largest = {kind: self._size(kind) for kind in ground.book.roles}
        self._rate = {
            kind: worth.a_tile(self._largest[kind]) if fountains or worth.steps else worth.done
            for kind, worth in ground.book.table(self._game).items()
        }

    def most(self) -> Fraction:
        """Return the limit."""
        hand = Counter(self._state.wall_tiles + self._state.fresh_wall_tiles)
        left = dict(self._ground.position.towers)
        while left:
            gain = floor(self._tally(self._lines, hand, end=False))
            met = [tower for tower in left if self._comes_to(tower, gain)]
            if not met:
                break
            hand.update(left.pop(tower) for tower in met)
        return self._state.score + self._tally(self._turns, hand, end=True)

    def _tally(self, turns: Schedule, hand: Hand, *, end: bool) -> Fraction:
        """Return the points on the track with some wall tiles, and at the ``end`` all points."""
        gains = Gains(self._ground, turns)
        uses = self._uses(gains, hand, end=end)
        scored = {kind: dict[int, int]() for kind in self._rate}
        late = {kind: dict[int, int]() for number, kind in ENDS.items() if number in uses}
        for one in (*self._held, *self._wanted):
            if one.kind in self._rate:
                self._feature(gains, one, late, scored[one.kind])
        for number, kind in ENDS.items():
            if number in uses:
                gains.row({uses[number]: -1, **late[kind]})
        grown = self._tiles(gains, end=end)
        for number, kind in DOUBLERS.items():
            if number in uses:
                # No more than all that is completed.
                stack = self._game.value(DOUBLE_ONCE) == "off"
                times = (1 << sum(self._many(hand, number))) - 1 if stack else 1
                doubled = {column: -times * points for column, points in scored[kind].items()}
                places = {at: times * points for at, points in grown[kind].items()}
                gains.row({uses[number]: 1, **doubled}, places)
        gains.add(self._king_in_play)
        if end:
            gains.add(self._king_at_the_end(hand))
            _courts(gains, self._ground, self._me, self._you)
            gains.add(self._area(hand))
        return gains.most

    def _uses(self, gains: Gains, hand: Hand, *, end: bool) -> dict[int, int]:
        """Return by number of wall tile the column of the points that his tiles bring.

        Wall tiles 4 to 6 bring them by what is not complete.
        """
        uses, hidden = dict[int, int](), dict[int, int]()
        stack = self._game.value(DOUBLE_ONCE) == "off"
        for number in (*DOUBLERS, *ENDS, COURT_TILE, POINTS_TILE) if end else DOUBLERS:
            named, more = self._many(hand, number)
            if not named + more:
                continue
            worth = self._worth(number)
            # Of several on one feature each doubles again.
            shift = named + more - 1 if stack and number in DOUBLERS else 0
            if number in ENDS and not self._ends_once:
                # Several may score the same feature.
                gains.add((named + more - 1) * worth)
            uses[number] = gains.column(0 if number in ENDS else 1, (named + more) * worth << shift)
            terms = {uses[number]: 1}
            if more:
                hidden[gains.column(0, more)] = 1
                terms[max(hidden)] = -(worth << shift)
            gains.row(terms, {}, named * worth << shift)
        gains.row(hidden, {}, hand.get(0, 0))
        return uses

    def _feature(
        self,
        gains: Gains,
        one: Feature,
        late: Mapping[Kind, dict[int, int]],
        scored: dict[int, int],
    ) -> None:
        """Count a feature that he may score, when it is complete or with a wall tile.

        ``scored`` gets the column of its completion, with the points; ``late``, of a kind that
        wall tiles 4 to 6 score, that of its end.
        """
        points = self._rate[one.kind] * _amount(one)
        won = None
        if one not in self._held:
            won = gains.column(0)
            gains.row({won: 1}, dict.fromkeys(self._ground.joining(one), 1))
        some = []
        whole = gains.filled(one.empty_cells(), points, won)
        if whole is not None:
            scored[whole] = points
            some.append(whole)
        if one.kind in late:
            some.append(gains.column(points))
            late[one.kind][some[-1]] = points
        # It scores once.
        if won is None:
            gains.row(dict.fromkeys(some, 1), {}, 1)
        else:
            gains.row({won: -1, **dict.fromkeys(some, 1)})

    def _tiles(self, gains: Gains, *, end: bool) -> dict[Kind, dict[int, int]]:
        """Count the segments of tiles to come; return their points by kind and place."""
        rate = {**self._rate, Kind.COURT: A_MARKET * end}
        grown = {kind: dict[int, int]() for kind in rate}
        for at, place in enumerate(self._ground.placed):
            alone = 0
            for one in place.meetings:
                points = rate.get(one.kind, 0) * self._shows(place.kind, one)
                if not points:
                    continue
                grown[one.kind][at] = grown[one.kind].get(at, 0) + points
                if one.joined or one.open:
                    gains.own(at, points * PORTIONS)
                else:
                    # It needs his follower of the turn.
                    alone = max(alone, points)
            gains.own(at, alone * PORTIONS, his=True)
        return grown

    def _comes_to(self, tower: str, gain: int) -> bool:
        """Tell whether his marker can reach a corner tower with a gain of points."""
        board = self._game.board
        spaces = next(one.spaces for one in board.towers if one.name == tower)
        return any((space - self._state.score - 1) % board.track < gain for space in spaces)

    def _shows(self, tile: TileKind, one: Meeting) -> int:
        """Return the tiles, or markets, that a segment of a tile to come can add to a feature."""
        if not self._ground.may_claim(self._me, one.kind):
            return 0
        if one.kind is not Kind.COURT:
            return 1
        return tile.segments[one.segment].marks.count(Mark.MARKET)

    def _size(self, kind: Kind) -> int:
        """Return the tiles or markets of the largest feature of a kind that he may hold."""
        ground, gains = self._ground, Gains(self._ground, self._lines)
        some = [one for one in (*self._held, *self._wanted) if one.kind is kind]
        some.sort(key=_amount)
        gains.add(_amount(some[-1]) if some else 0)
        for one in some[:-1]:
            gains.touched(ground.touching.get(one.nodes, ()), _amount(one))
        for at, place in enumerate(ground.placed):
            here = (one for one in place.meetings if one.kind is kind)
            shown = sum(self._shows(place.kind, one) for one in here)
            # A tile that shows it twice counts once.
            gains.own(at, PORTIONS * (shown if kind is Kind.COURT else min(1, shown)))
        return floor(gains.most)

    def _many(self, hand: Hand, number: int) -> tuple[int, int]:
        """Return how many wall tiles of a number he has, and how many more he may have."""
        return hand.get(number, 0), min(hand.get(0, 0), max(0, self._unseen[number]))

    def _worth(self, number: int) -> int:
        """Return the points that one wall tile 2 to 7 or 9 brings at most."""
        if number == POINTS_TILE:
            return TILE_9()
        kind = ON_FEATURES[number]
        return self._largest[kind] * (MARKET_MORE if kind is Kind.COURT else self._rate[kind])

    def _area(self, hand: Hand) -> int:
        """Return the points of the largest empty area, which tiles to come only make smaller."""
        ground, other = self._ground, self._ground.position.players[1 - self._me]
        tokens = ground.book.token_end is not None
        house = self._largest[Kind.HOUSE] * ground.book.keep_times(self._game)
        keep = max(self._state.keep, house)
        bonus = KEEP_BONUS * sum(self._many(hand, KEEP_TILE))
        return ((keep + bonus > other.keep) + tokens) * largest_empty_area(ground.position)

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
            away = at.kind not in each or ground.completed(at) > ground.tiles
            spare = -1 if away else ground.tiles - len(at.empty_cells())
            first = each[at.kind] if spare >= 0 else 0
        again = max(0, min(ground.turns[self._me], spare // 2))
        return first + again * max(each.values())

    def _king_at_the_end(self, hand: Hand) -> int:
        """Return the king's gain at the end, of one court or what wall tiles 4 to 6 score."""
        ground, at = self._ground, self._king_stands
        if Rank.KING not in self._game.specials:
            return 0
        copies = {
            number: min(sum(self._many(hand, number)), 2 - self._ends_once) for number in TARGETS
        }
        each = {kind: copies[number] * self._rate[kind] for number, kind in ENDS.items()}
        each[Kind.COURT] = A_MARKET + MARKET_MORE * copies[COURT_TILE]
        worths = {kind: points * self._largest[kind] for kind, points in each.items()}
        if at is not None and (at.kind is Kind.COURT or ground.completed(at) > ground.tiles):
            return worths.get(at.kind, 0)
        return max(worths.values())


def _amount(feature: Feature) -> int:
    """Return the markets of a court, or the tiles of another feature."""
    return feature.count(Mark.MARKET) if feature.kind is Kind.COURT else feature.size
