"""Bound each player's final score from below and above, without any search.

The limits hold for all aims of the players, all orders of the tiles and all values of all switches.
``bounds.md`` in the documentation has the arguments: "Known without a search".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nlargest
from itertools import chain, product
from typing import NamedTuple

from model.book import book_of
from model.castle.final_uses import COURT_TILE, KEEP_TILE, POINTS_TILE
from model.components import Node, Rank
from model.features import Feature, empty_cells, position_features
from model.geometry import Cell, ring
from model.laying import complete
from model.position import Position
from model.rules.carcassonne.farms import ADJACENT
from model.rules.carcassonne.scoring import END_WORTH
from model.rules.castle.final_tiles import TARGETS, TILE_9
from model.rules.castle.keeps import (
    A_MARKET,
    END_COURT,
    KEEP_BONUS,
    largest_empty_area,
)
from model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN, unseen
from model.rules.falcon.chapels import LARGEST
from model.switches import (
    DOUBLE_ONCE,
    END_TILE_ONCE_PER_FEATURE,
    FARMERS,
    FARMS,
    KING_DOUBLES_KEEP,
    SPECIAL_COUNTS,
    TIE,
)
from model.tiles import Kind, Mark, TileKind

CLOISTER_WORTH = 9
MARKET_MORE = 1
"""Points of a market that a wall tile 7 adds."""
ENDS = {number: kind for number, (kind, _) in TARGETS.items() if number != COURT_TILE}
"""The wall tiles that score an uncompleted feature at the end, with its kind."""
Weights = Mapping[Kind, int]
"""Points of a tile or market, by kind of feature."""


class Reach(NamedTuple):
    """The points of a player after final scoring lie between these."""

    least: int
    most: int


def reach(position: Position, tiles: int, movers: Sequence[int]) -> tuple[Reach, ...]:
    """Return the limits of each player's final score.

    Args:
        position: the position before the turn, with tiles to come.
        tiles: the number of them that can be laid before the scores are compared.
        movers: by tile whose turn it is, if no wall tile 1 is played.

    Returns:
        The limits, by player. Ransoms are left out. If scores are compared before the end,
        ``least`` holds for the end alone and ``most`` for both.

    """
    ground = _Ground(position, tiles, movers)
    kind = _Plane if position.game.board.endless else _Castle
    return tuple(kind(ground, player).reach() for player in range(len(position.players)))


class _Gains:
    """Points of the features on the board, by filled empty cells."""

    def __init__(self, tiles: int) -> None:
        self._tiles, self._sure = tiles, 0
        self._touched: list[tuple[Collection[Cell], int]] = []
        self._filled: list[tuple[Collection[Cell], int]] = []

    def add(self, points: int) -> None:
        """Count points for which no cell need be filled."""
        self._sure += points

    def touched(self, cells: Collection[Cell], points: int) -> None:
        """Count points for which one of some cells has to be filled."""
        if cells:
            self._touched.append((cells, points))

    def filled(self, cells: Collection[Cell], points: int) -> None:
        """Count points for which all of some cells have to be filled."""
        if not cells:
            self._sure += points
        elif len(cells) <= self._tiles:
            self._filled.append((cells, points))

    @property
    def most(self) -> int:
        """The most that a number of tiles can bring.

        A feature brings no more than all cells that it faces, each of which brings it all, or
        its share if all are needed. One that faces many cells counts as brought.
        """
        sizes = {0, *(len(cells) for cells, _ in self._touched)}
        return self._sure + min(map(self._facing, sizes))

    def _facing(self, few: int) -> int:
        """Return the gain if features on more than a few cells count in full."""
        by_cell: dict[Cell, Fraction] = {}
        sure = sum(points for cells, points in self._touched if len(cells) > few)
        every = sum(points for _, points in (*self._touched, *self._filled))
        shares = [(cells, Fraction(points)) for cells, points in self._touched if len(cells) <= few]
        shares += [(cells, Fraction(points, len(cells))) for cells, points in self._filled]
        for cells, share in shares:
            for cell in cells:
                by_cell[cell] = by_cell.get(cell, Fraction()) + share
        return min(every, sure + _top(self._tiles, by_cell.values()))


def _top(number: int, values: Iterable[Fraction | int]) -> int:
    """Return the whole part of the sum of the largest values."""
    return int(sum(nlargest(number, values)))


class _Ground:
    """The board, its followers and the tiles to come."""

    def __init__(self, position: Position, tiles: int, movers: Sequence[int]) -> None:
        self.position, self.game, self.tiles = position, position.game, tiles
        self.book, self.players = book_of(position.game), range(len(position.players))
        self.laid, self.board = position.laid(), position_features(position)
        self.features = [
            feature
            for feature in self.board
            if feature.followers or not complete(position, feature, self.laid)
        ]
        self.stock = [self.game.tile_set.kind(one) for one in (*position.order, *position.bag)]
        hands = chain.from_iterable(
            one.wall_tiles + one.fresh_wall_tiles for one in position.players
        )
        numbers = {*hands, *(number for _, number in position.towers)}
        free = bool(position.extra_turns or numbers & {0, EXTRA_TURN})
        self.turns = [tiles if free else [*movers].count(one) for one in self.players]
        """By player the turns that he has at most."""
        self._early = [tiles - 1 if free else [*movers[:-1]].count(one) for one in self.players]
        """By player those in which he can place followers whom another tile joins later."""
        self.standing: Counter[tuple[int, Kind]] = Counter()
        """By player and kind his followers on features that can grow."""
        for feature in self.features:
            for one in self.players if feature.open_sides else ():
                self.standing[one, feature.kind] += self.strength(one, feature)
        self.captures = bool(self.book.actions)
        two = self.game.specials and self.game.value(SPECIAL_COUNTS) == "two"
        self._ranks = len(self.game.specials) if two else 0

    def strength(self, player: int, *features: Feature) -> int:
        """Return as how many followers those of a player on features count."""
        men = (man for feature in features for man in feature.followers if man.player == player)
        return sum(self.book.counts(self.game, man) for man in men)

    def rivals(self, player: int, *features: Feature) -> int:
        """Return the most followers that another player has on features and cannot lose."""
        others = (self.strength(one, *features) for one in self.players if one != player)
        return 0 if self.captures else max(others)

    def gathered(self, player: int, *features: Feature) -> int:
        """Return the most followers that a player can have on features of one kind together.

        They come from other open features of the kind and in turns to come. A follower that the
        last tile joins to others must stand there before it.
        """
        closed = self.strength(player, *(one for one in features if not one.open_sides))
        growing = [one for one in features if one.open_sides]
        if not growing:
            return closed
        occupied = all(one.followers for one in growing) and not self.captures
        claims = (self._early if occupied else self.turns)[player]
        return closed + self.standing[player, growing[0].kind] + claims + min(claims, self._ranks)

    def may_claim(self, player: int, kind: Kind) -> bool:
        """Tell whether tiles to come can be a player's as parts of features of a kind."""
        return bool(self.turns[player] or self.standing[player, kind])


class _Plane:
    """The limits of a player in Carcassonne, with The Tower or without."""

    def __init__(self, ground: _Ground, player: int) -> None:
        self._ground, self._me = ground, player
        self._shared = ground.game.value(TIE) == "all_full"
        self._way = ground.game.value(FARMS)
        self._city = 4 if self._way == "city4" else 3
        self._gains = _Gains(ground.tiles)
        self._may = {kind: ground.may_claim(player, kind) for kind in ground.book.roles}
        self._may[Kind.FIELD] &= ground.game.value(FARMERS) == "on"

    def reach(self) -> Reach:
        """Return the limits."""
        ground, now = self._ground, self._ground.position.players[self._me].score
        sure = sum(self._feature(one) for one in ground.features if one.kind in END_WORTH)
        for city, fields in self._farms():
            self._farm(city, fields)
        tiles = _top(ground.tiles, map(self._own, ground.stock))
        cloisters = sum(any(s.kind is Kind.CLOISTER for s in one.segments) for one in ground.stock)
        tiles += CLOISTER_WORTH * min(cloisters, ground.turns[self._me])
        return Reach(now + sure, now + self._gains.most + tiles)

    def _leads(self, mine: int, theirs: int) -> bool:
        """Tell whether a number of followers scores against a number of the opponent's."""
        return mine >= max(theirs, 1) if self._shared else mine > theirs

    def _held(self, *features: Feature) -> bool:
        """Tell whether features can be the player's without a tile that joins them."""
        ground = self._ground
        return self._leads(ground.strength(self._me, *features), ground.rivals(self._me, *features))

    def _open_to(self, *features: Feature) -> bool:
        """Tell whether features can become the player's."""
        ground = self._ground
        return self._leads(ground.gathered(self._me, *features), ground.rivals(self._me, *features))

    def _feature(self, feature: Feature) -> int:
        """Count the possible points of a road, city or cloister; return the certain ones."""
        ground, cells = self._ground, feature.empty_cells()
        worth = END_WORTH[feature.kind](ground.game, feature, ground.laid)
        if self._held(feature):
            self._gains.add(worth)
        elif self._open_to(feature):
            self._gains.touched(cells, worth)
        else:
            return 0
        if feature.kind is Kind.CITY:
            self._gains.filled(cells, worth)
        if feature.kind is Kind.CLOISTER:
            for cell in ring(feature.anchor.cell) - ground.laid.keys():
                self._gains.touched((cell,), 1)
        mine = 0 if ground.captures else ground.strength(self._me, feature)
        others = (ground.gathered(one, feature) for one in ground.players if one != self._me)
        return worth if mine and self._leads(mine, max(others)) else 0

    def _farms(self) -> Iterator[tuple[Feature, list[Feature]]]:
        """Yield the groups that pay at most once: a city with the fields round it, or with one."""
        near: dict[tuple[Node, ...], list[Feature]] = {}
        laid, board = self._ground.laid, self._ground.board
        for field in self._ground.features:
            if field.kind is Kind.FIELD:
                touched = (city for at, index in field.nodes for city in ADJACENT(laid[at], index))
                for nodes in {board.at(city).nodes for city in touched}:
                    near.setdefault(nodes, []).append(field)
        for nodes, fields in near.items():
            for some in [[one] for one in fields] if self._way == "field3" else [fields]:
                yield board.at(nodes[0]), some

    def _farm(self, city: Feature, fields: Sequence[Feature]) -> None:
        """Count the possible points of a city for the fields round it, once."""
        groups = [[*fields]] if self._way == "city4" else [[one] for one in fields]
        held = any(self._held(*some) for some in groups)
        if cells := city.empty_cells():
            # A field that is laid later can touch it too.
            self._gains.filled(cells, self._city if held or self._may[Kind.FIELD] else 0)
        elif held:
            self._gains.add(self._city)
        else:
            wanted = (one for some in groups if self._open_to(*some) for one in some)
            meeting = frozenset(cell for one in wanted for cell in one.empty_cells())
            self._gains.touched(meeting, self._city)

    def _own(self, tile: TileKind) -> Fraction:
        """Return the most points of a tile to come by its own segments, cloisters excepted."""
        found, once = Fraction(), self._way != "field3"
        for index, segment in enumerate(tile.segments):
            if not self._may[segment.kind]:
                continue
            if segment.kind is Kind.ROAD:
                found += 1
            if segment.kind is Kind.CITY:
                found += 2 * (1 + segment.marks.count(Mark.SHIELD))
            if segment.kind is Kind.FIELD and not once:
                found += self._city * len(tile.bordered(index))
        if once and self._may[Kind.FIELD]:
            # A complete city that is all to come is on two tiles at least.
            found += Fraction(self._city, 2) * sum(s.kind is Kind.CITY for s in tile.segments)
        return found


class _Castle:
    """The limits of a player in The Castle, with The Falcon or without."""

    def __init__(self, ground: _Ground, player: int) -> None:
        self._ground, self._me, self._game = ground, player, ground.game
        self._state = ground.position.players[player]
        self._held, self._wanted = list[Feature](), list[Feature]()
        for feature in ground.features:
            theirs = ground.rivals(player, feature)
            if ground.strength(player, feature) > theirs:
                self._held.append(feature)
            elif feature.open_sides and ground.gathered(player, feature) > theirs:
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

    def reach(self) -> Reach:
        """Return the limits."""
        state, position = self._state, self._ground.position
        hand, left = Counter(state.wall_tiles + state.fresh_wall_tiles), dict(position.towers)
        while True:
            there = hand + unseen(position) if hand[0] else hand
            gain = self._in_play(self._played(there)) + self._king_in_play()
            met = [tower for tower in left if self._comes_to(tower, gain)]
            if not met:
                break
            hand.update(left.pop(tower) for tower in met)
        most = self._features(there) + self._tiles(there) + TILE_9() * there[POINTS_TILE]
        most += self._king_in_play() + self._king_at_the_end(there)
        least = TILE_9() * state.wall_tiles.count(POINTS_TILE)
        for court in self._held:
            mine = self._ground.strength(self._me, court)
            if court.kind is Kind.COURT and mine > self._ground.gathered(1 - self._me, court):
                least += END_COURT(court)
        return Reach(state.score + least, state.score + most)

    def _comes_to(self, tower: str, gain: int) -> bool:
        """Tell whether his marker can reach a corner tower with a gain of points."""
        board = self._game.board
        spaces = next(one.spaces for one in board.towers if one.name == tower)
        return any((space - self._state.score - 1) % board.track < gain for space in spaces)

    def _shows(self, tile: TileKind, kind: Kind) -> int:
        """Return the number of tiles, or markets, that a tile to come can add to a kind."""
        some = [one for one in tile.segments if one.kind is kind]
        if not self._ground.may_claim(self._me, kind):
            return 0
        return sum(s.marks.count(Mark.MARKET) for s in some) if kind is Kind.COURT else len(some)

    def _size(self, kind: Kind) -> int:
        """Return the tiles or markets of the largest feature of a kind that he may hold."""
        joined, alone = _Gains(self._ground.tiles), 0
        for one in (*self._held, *self._wanted):
            if one.kind is kind:
                alone = max(alone, _amount(one))
                joined.touched(one.empty_cells(), _amount(one))
        coming = _top(self._ground.tiles, (self._shows(one, kind) for one in self._ground.stock))
        return max(alone, joined.most) + coming

    def _played(self, hand: Mapping[int, int]) -> dict[Kind, int]:
        """Return the points of a tile of each kind in play, doubled by wall tiles."""
        found, once = dict(self._rate), self._game.value(DOUBLE_ONCE) == "on"
        for number, kind in DOUBLERS.items():
            found[kind] <<= min(hand.get(number, 0), 1) if once else hand.get(number, 0)
        return found

    def _gains(self, weights: Weights, loose: Collection[Kind] = ()) -> int:
        """Return the points of the board's features; loose kinds count without completion."""
        gains = _Gains(self._ground.tiles)
        for one in (*self._held, *self._wanted):
            points, cells = weights.get(one.kind, 0) * _amount(one), one.empty_cells()
            if one.kind not in loose:
                gains.filled(cells, points)
            elif one in self._held:
                gains.add(points)
            else:
                gains.touched(cells, points)
        return gains.most

    def _coming(self, weights: Weights) -> list[int]:
        """Return the points of each tile to come by its own segments."""
        return [
            sum(self._shows(tile, kind) * weight for kind, weight in weights.items())
            for tile in self._ground.stock
        ]

    def _in_play(self, weights: Weights) -> int:
        """Return the points that he can win in play without his king."""
        return self._gains(weights) + _top(self._ground.tiles, self._coming(weights))

    def _features(self, hand: Mapping[int, int]) -> int:
        """Return the points of the board's features, with wall tiles 4 to 7 at the end.

        A wall tile 4 to 6 brings no more than the largest feature of its kind. Those that each
        score another feature bring no more together than if all of the kind brought its points.
        """
        weights = self._played(hand) | {Kind.COURT: A_MARKET}
        numbers, found = [number for number in ENDS if hand.get(number)], list[int]()
        for choice in product((False, True), repeat=len(numbers)):
            more, loose = 0, {Kind.COURT}
            for number, every in zip(numbers, choice, strict=True):
                kind, again = ENDS[number], 0 if self._ends_once else hand[number] - 1
                loose |= {kind} if every else set()
                more += (again if every else hand[number]) * self._rate[kind] * self._largest[kind]
            found.append(self._gains(weights, loose) + more)
        return min(found) + hand.get(COURT_TILE, 0) * MARKET_MORE * self._largest[Kind.COURT]

    def _tiles(self, hand: Mapping[int, int]) -> int:
        """Return the points of tiles to come by themselves, and the empty area that they leave."""
        ground, other = self._ground, self._ground.position.players[1 - self._me]
        tokens = ground.book.token_end is not None
        twice = tokens and self._game.value(KING_DOUBLES_KEEP) == "on"
        keep = max(self._state.keep, self._largest[Kind.HOUSE] * (1 + twice))
        more = tokens and self._state.tokens + self._tokens() > other.tokens
        areas = (keep + KEEP_BONUS * hand.get(KEEP_TILE, 0) > other.keep) + more
        worth = self._coming(self._played(hand) | {Kind.COURT: A_MARKET})
        most = _top(ground.tiles, worth) + areas * largest_empty_area(ground.position)
        if ground.tiles < len(worth):
            return most
        # A tile either lies and leaves a cell less, or brings nothing by itself.
        left = len(empty_cells(ground.position)) - len(worth)
        return min(most, areas * left + sum(max(one, areas) for one in worth))

    def _king_stands(self) -> Feature | None:
        """Return the feature on which his king stands, if there is one."""
        king = (self._me, Rank.KING)
        men = ((feature, man) for feature in self._ground.features for man in feature.followers)
        return next((on for on, man in men if (man.player, man.rank) == king), None)

    def _king_in_play(self) -> int:
        """Return the king's gain in play: the points of a feature without wall tiles.

        He is placed in a turn before that in which he scores, and stays until then.
        """
        ground, at = self._ground, self._king_stands()
        if Rank.KING not in self._game.specials:
            return 0
        each = {kind: rate * self._largest[kind] for kind, rate in self._rate.items()}
        first, spare = 0, ground.tiles
        if at is not None:
            spare = ground.tiles - len(at.empty_cells()) if at.kind in each else -1
            first = each[at.kind] if spare >= 0 else 0
        again = max(0, min(ground.turns[self._me], spare // 2))
        return min(self._in_play(self._rate), first + again * max(each.values()))

    def _king_at_the_end(self, hand: Mapping[int, int]) -> int:
        """Return the king's gain at the end: from a court, or from wall tiles 4 to 6."""
        ground, at = self._ground, self._king_stands()
        if Rank.KING not in self._game.specials:
            return 0
        times = {number: min(hand.get(number, 0), 2 - self._ends_once) for number in ENDS}
        most = {
            ENDS[one]: n * self._rate[ENDS[one]] * self._largest[ENDS[one]]
            for one, n in times.items()
        }
        market = A_MARKET + MARKET_MORE * min(1, hand.get(COURT_TILE, 0))
        most[Kind.COURT] = market * self._largest[Kind.COURT]
        if at is not None and (at.kind is Kind.COURT or len(at.empty_cells()) > ground.tiles):
            return most.get(at.kind, 0)
        return max(most.values())

    def _tokens(self) -> int:
        """Return the tokens that he can take: from the board, tiles to come and his falconer."""
        ground, gone = self._ground, {*self._ground.position.taken_aeries}
        now = sum(len({*one.aeries} - gone) for one in (*self._held, *self._wanted))
        coming = _top(ground.tiles, (sum(map(len, tile.aeries)) for tile in ground.stock))
        return now + coming + 1 + (ground.tiles + 1) // 2


def _amount(feature: Feature) -> int:
    """Return the markets of a court, or the tiles of another feature."""
    return feature.count(Mark.MARKET) if feature.kind is Kind.COURT else feature.size
