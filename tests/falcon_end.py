"""The end of a game of The Falcon, read plainly off the rules: no graph, no scoring of the program.

It reads tiles, followers and hands of a position, joins what touches, and follows the rules of
final scoring one by one. Switches that say when a feature is complete are left at their default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.geometry import Cell
from burgrave.model.position import FinalUse, Position
from burgrave.model.tiles import PlacedTile

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""North, east, south, west."""
NUMBERS = {"path": 4, "tower": 5, "house": 6, "court": 7}
Spot = tuple[Cell, int]
"""A cell with the index of a segment on its tile."""


@dataclass
class Region:
    """A feature."""

    kind: str
    spots: set[Spot]
    cells: set[Cell] = field(default_factory=set)
    marks: Counter[str] = field(default_factory=Counter)
    aeries: set[Spot] = field(default_factory=set)
    open: bool = False
    men: list[tuple[int, str]] = field(default_factory=list)
    """Player and rank of each follower."""

    @property
    def winner(self) -> int | None:
        """The player with more followers."""
        lead = sum(1 if player == 0 else -1 for player, _ in self.men)
        return None if lead == 0 else int(lead < 0)

    def has(self, rank: str) -> bool:
        """Tell whether the winner's king or falconer stands on it."""
        return (self.winner, rank) in self.men


class End(NamedTuple):
    """What a game ends with."""

    scores: tuple[int, int]
    lead_in_tokens: int
    """Tokens of the first player less those of the second."""


class FalconEnd:
    """A finished game of The Falcon."""

    def __init__(self, position: Position) -> None:
        """Read the regions and the hands."""
        self.position = position
        self.regions = list(_regions(position))
        self.last = 1 - position.to_move
        self.hands = [self._hand(player) for player in (0, 1)]
        self.area = _largest_area(position, diagonal=self._is("empty_area_adjacency", "diagonal"))

    def best(self) -> End:
        """Return the end if both choose: the player of the last turn first, then the other."""
        last, other = self.last, 1 - self.last
        replies = list(self._choices(other))

        def wish(player: int, end: End) -> tuple[int, int]:
            return end.scores[player] - end.scores[1 - player], end.scores[player]

        ends = [
            max((self.after((*own, *reply)) for reply in replies), key=lambda e: wish(other, e))
            for own in self._choices(last)
        ]
        return max(ends, key=lambda end: wish(last, end))

    def leads_in_tokens(self, scores: tuple[int, int]) -> set[int]:
        """Return the leads in tokens of all choices that lead to some totals."""
        pairs = product(self._choices(0), self._choices(1))
        ends = (self.after((*white, *black)) for white, black in pairs)
        return {end.lead_in_tokens for end in ends if end.scores == scores}

    def told(self, uses: Sequence[FinalUse]) -> End:
        """Return the end with wall tiles used as a list says."""
        found = []
        for use in uses:
            spot = None if use.node is None else (use.node.cell, use.node.segment)
            at = next((i for i, r in enumerate(self.regions) if spot in r.spots), -1)
            found.append((use.player, use.wall_tile, at))
        return self.after(found)

    def after(self, uses: Sequence[tuple[int, int, int]]) -> End:
        """Return the end with wall tiles used: player, number, region."""
        scores = [player.score for player in self.position.players]
        self._keeps(uses, scores)
        first: list[tuple[int, int, Region]] = []
        then: list[tuple[int, int, Region]] = []
        for at, region in enumerate(self.regions):
            winner = region.winner
            times = sum(where == at for _, _, where in uses)
            if winner is None:
                continue
            if region.kind == "court":
                scores[winner] += self._court(region, times)
                first.append((winner != self.last, at, region))
            elif times:
                scores[winner] += times * self._worth(region)
                then.append((winner != self.last, at, region))
        for player, number, _ in uses:
            scores[player] += 5 * (number == 9)
        held = [player.part(FalconHoldings).tokens for player in self.position.players]
        before = list(held)
        gone = {(aerie.cell, aerie.number) for aerie in self.position.part(Aeries).taken_aeries}
        for _, _, region in (*sorted(first, key=_turn), *sorted(then, key=_turn)):
            self._take(region, held, gone)
        counted = before if self._is("aerie_end_order", "first") else held
        if counted[0] != counted[1]:
            scores[int(counted[0] < counted[1])] += self.area
        return End((scores[0], scores[1]), held[0] - held[1])

    def _is(self, switch: str, value: str) -> bool:
        """Tell whether a switch has a value."""
        return any(s.name == switch and now == value for s, now in self.position.game.switches)

    def _hand(self, player: int) -> Counter[int]:
        """Return the wall tiles that a player may use."""
        state = self.position.players[player]
        late = () if self._is("last_turn_wall_tiles", "off") else state.fresh_wall_tiles
        return Counter((*state.wall_tiles, *late))

    def _choices(self, player: int) -> Iterator[tuple[tuple[int, int, int], ...]]:
        """Yield every way in which a player may use wall tiles 4 to 9."""
        hand = self.hands[player]
        plain = [(player, number, -1) for number in (8, 9) for _ in range(hand[number])]
        once = not self._is("end_tile_once_per_feature", "off")
        pick = combinations if once else combinations_with_replacement
        each = []
        for kind, number in NUMBERS.items():
            mine = [
                at
                for at, region in enumerate(self.regions)
                if (region.kind, region.winner) == (kind, player)
                and (region.open or kind == "court")
            ]
            sizes = range(hand[number] + 1)
            each.append(
                [
                    tuple((player, number, at) for at in some)
                    for size in sizes
                    for some in pick(mine, size)
                ]
            )
        for some in product(*each):
            yield (*plain, *(use for uses in some for use in uses))

    def _keeps(self, uses: Sequence[tuple[int, int, int]], scores: list[int]) -> None:
        """Add the largest empty area to the score of the larger keep."""
        sizes = []
        for player, state in enumerate(self.position.players):
            eights = sum((who, number) == (player, 8) for who, number, _ in uses)
            if self._is("keep_bonus_stacks", "off"):
                eights = min(eights, 1)
            needs = self._is("keep_bonus_needs_keep", "on")
            sizes.append(0 if needs and not state.keep else state.keep + 2 * eights)
        if sizes[0] != sizes[1]:
            scores[int(sizes[0] < sizes[1])] += self.area

    def _court(self, region: Region, sevens: int) -> int:
        """Return what a court brings."""
        king = region.has("king") and self._is("king_doubles_courts", "on")
        if sevens and self._is("king_with_tile_7", "off"):
            king = False
        return (3 + sevens) * region.marks["market"] * (1 + king)

    def _worth(self, region: Region) -> int:
        """Return what a wall tile 4, 5 or 6 brings on a feature."""
        fountain = region.kind == "path" and region.marks["fountain"] > 0
        rate = 2 if fountain or region.kind == "tower" else 1
        king = region.has("king") and self._is("special_on_wall_scored", "on")
        if fountain and self._is("fountain_is_doubling", "on"):
            king = False
        return rate * len(region.cells) * (1 + king)

    def _take(self, region: Region, held: list[int], gone: set[Spot]) -> None:
        """Let the winner of a feature take tokens."""
        winner = region.winner
        assert winner is not None
        tokens = 0
        if self._is("aerie_scope", "any_scoring"):
            once = self._is("aerie_shared", "first")
            tokens += len(region.aeries - gone if once else region.aeries)
            if once:
                gone |= region.aeries
        where = "falconer_on_courts" if region.kind == "court" else "special_on_wall_scored"
        needy = self._is("falconer_needs_aerie", "on") and not region.aeries
        tokens += region.has("falconer") and self._is(where, "on") and not needy
        held[winner] += tokens
        while sum(held) > 12 and min(held) > 0:
            held[0], held[1] = held[0] - 1, held[1] - 1
        if self._is("aerie_supply", "capped"):
            held[:] = [min(12, number) for number in held]


def _turn(scored: tuple[int, int, Region]) -> int:
    """Return the player whose turn it is to take tokens."""
    return scored[0]


def _regions(position: Position) -> Iterator[Region]:
    """Yield the features with a follower."""
    tiles = {tile.cell: tile for tile in (*position.game.pictures, *position.tiles)}
    joined: dict[Spot, set[Spot]] = {
        (cell, index): set()
        for cell, tile in tiles.items()
        for index in range(len(tile.kind.segments))
    }
    opened = _join_neighbours(position, tiles, joined)
    left = set(joined)
    while left:
        spots = _whole(left.pop(), joined)
        left -= spots
        region = _region(position, tiles, spots)
        region.open = bool(spots & opened)
        if region.men:
            yield region


def _join_neighbours(
    position: Position, tiles: Mapping[Cell, PlacedTile], joined: dict[Spot, set[Spot]]
) -> set[Spot]:
    """Join what touches across edges; return the segments that face an empty cell."""
    at = {
        (cell, (port + 3 * tile.rotation) % 12): index
        for cell, tile in tiles.items()
        for index, segment in enumerate(tile.kind.segments)
        for port in segment.ports
    }
    opened: set[Spot] = set()
    for (cell, port), index in at.items():
        side, place = divmod(port, 3)
        beyond = Cell(cell.x + STEPS[side][0], cell.y + STEPS[side][1])
        other = at.get((beyond, (side + 2) % 4 * 3 + 2 - place))
        if beyond not in tiles and beyond in position.game.board.cells:
            opened.add((cell, index))
        elif other is not None:
            mine, theirs = tiles[cell].kind.segments[index], tiles[beyond].kind.segments[other]
            if mine.kind is theirs.kind:
                joined[cell, index].add((beyond, other))
    return opened


def _whole(spot: Spot, joined: Mapping[Spot, set[Spot]]) -> set[Spot]:
    """Return all segments that are joined with one."""
    spots, todo = set[Spot](), [spot]
    while todo:
        one = todo.pop()
        spots.add(one)
        todo += joined[one] - spots
    return spots


def _region(position: Position, tiles: Mapping[Cell, PlacedTile], spots: set[Spot]) -> Region:
    """Return a feature with all that lies on it."""
    cell, index = min(spots)
    region = Region(str(tiles[cell].kind.segments[index].kind), spots)
    for cell, index in spots:
        kind = tiles[cell].kind
        region.cells.add(cell)
        region.marks.update(map(str, kind.segments[index].marks))
        region.aeries |= {(cell, n) for n, near in enumerate(kind.aeries) if index in near}
    region.men = [(f.player, str(f.rank)) for f in position.followers if tuple(f.node) in spots]
    return region


def _largest_area(position: Position, *, diagonal: bool) -> int:
    """Return the cells of the largest empty area."""
    filled = {tile.cell for tile in position.tiles}
    left = {(cell.x, cell.y) for cell in position.game.board.cells if cell not in filled}
    steps = [
        (x, y)
        for x in (-1, 0, 1)
        for y in (-1, 0, 1)
        if (x, y) != (0, 0) and (diagonal or not (x and y))
    ]
    most = 0
    while left:
        todo, size = [left.pop()], 0
        while todo:
            x, y = todo.pop()
            size += 1
            for dx, dy in steps:
                if (x + dx, y + dy) in left:
                    left.remove((x + dx, y + dy))
                    todo.append((x + dx, y + dy))
        most = max(most, size)
    return most
