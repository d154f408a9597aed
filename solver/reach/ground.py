"""The board, its followers and the tiles to come, as the limits of final scores see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from heapq import nlargest
from itertools import combinations
from math import inf
from typing import NamedTuple

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.features import Feature, position_features
from burgrave.model.geometry import FACING, PORT_SIDES, PORTS, Cell, ring
from burgrave.model.laying import complete
from burgrave.model.places import places, vacant
from burgrave.model.position import Position
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN, unseen
from burgrave.model.tiles import Kind, PlacedTile, TileKind

Nodes = tuple[Node, ...]
"""The segments of a feature, which name it."""


class Meeting(NamedTuple):
    """A segment of a tile, and what it meets."""

    kind: Kind
    segment: int
    """Its index on the tile."""
    joined: frozenset[Nodes]
    """The features on the board that it joins."""
    open: bool
    """Whether it faces a cell that can be filled."""


class Place(NamedTuple):
    """A kind of tile on a cell on which it fits now, or where no tile is near now."""

    kind: TileKind
    tile: PlacedTile | None
    """None where no tile is near now."""
    meetings: tuple[Meeting, ...]


class Fit(NamedTuple):
    """A kind of tile in a turn of a player who stays away from what others want."""

    cells: dict[Cell, list[int]]
    """By cell on which it fits now, the places there."""
    every: list[int]
    """All places of the kind, also the one on a cell that has no tile beside it now."""
    laid: frozenset[Cell]
    """The cells on which tiles lie now."""

    def is_left(self, before: int) -> bool:
        """Tell whether it surely has a place after some tiles."""
        return bool(self._some_left([*self.cells], before))

    def left(self, worth: Sequence[int], before: int) -> Collection[int]:
        """Return places of least ``worth``, one of which is left after some tiles; else all."""
        least = {cell: min(some, key=worth.__getitem__) for cell, some in self.cells.items()}
        cells = sorted(least, key=lambda cell: worth[least[cell]])
        return [least[cell] for cell in self._some_left(cells, before)] or self.every

    def _some_left(self, cells: Sequence[Cell], before: int) -> Sequence[Cell]:
        """Return the first cells of which one is left; none if all of them may be spoilt.

        A tile changes the surroundings of its cell and of those beside it.
        """
        near = Counter[Cell]()
        for count, cell in enumerate(cells, 1):
            near.update({cell, *(beyond for _, beyond in cell.neighbours())} - self.laid)
            if sum(nlargest(before, near.values())) < count:
                return cells[:count]
        return ()


class Ground:
    """A position and the tiles that can be laid before the scores are compared."""

    def __init__(self, position: Position, tiles: int, movers: Sequence[int]) -> None:
        """Read the board; ``movers`` says by tile whose turn it is without wall tiles 1."""
        self.position, self.game, self.tiles = position, position.game, tiles
        self.book, self.players = book_of(position.game), range(len(position.players))
        self.laid, self.board = position.laid(), position_features(position)
        self.features = [
            feature
            for feature in self.board
            if feature.followers or not complete(position, feature, self.laid)
        ]
        self.stock = [self.game.tile_set.kind(one) for one in (*position.order, *position.bag)]
        self.movers = movers
        self.turns = [self._most_turns(one, movers) for one in self.players]
        """By player the turns that he has at most."""
        self._early = [self._most_turns(one, movers[:-1]) for one in self.players]
        """By player those in which he can place followers whom another tile joins later."""
        self.captures = bool(self.book.actions)
        weights = (self.book.weight(self.game, rank) for rank in self.game.specials)
        self._more = sorted((weight - 1 for weight in weights), reverse=True)
        """As how many more than an ordinary one each follower with a rank counts."""

    # Turns and followers.

    def extra_turns(self, player: int) -> int:
        """Return the extra turns that a player can have at most."""
        position, state = self.position, self.position.players[player]
        held = (*state.wall_tiles, *state.fresh_wall_tiles, *(one for _, one in position.towers))
        found = held.count(EXTRA_TURN)
        if 0 in held:
            found += min(held.count(0), max(0, unseen(position)[EXTRA_TURN]))
        return found + (position.extra_turns if player == position.to_move else 0)

    def _most_turns(self, player: int, movers: Sequence[int]) -> int:
        """Return the turns of a player at most."""
        extra = self.extra_turns(player)
        if not extra or len({*movers}) < 2:  # noqa: PLR2004 -- two players take turns
            return [*movers].count(player)
        return min(len(movers), (len(movers) + extra + (player == self.position.to_move)) // 2)

    @cached_property
    def fits(self) -> dict[str, Fit]:
        """By kind of tile the places where it fits."""
        found = {kind.id: Fit({}, [], frozenset(self.laid)) for kind in self.stock}
        for index, place in enumerate(self.placed):
            fit = found[place.kind.id]
            fit.every.append(index)
            if place.tile is not None:
                fit.cells.setdefault(place.tile.cell, []).append(index)
        return found

    def strength(self, player: int, *features: Feature) -> int:
        """Return as how many followers those of a player on features count."""
        men = [man for feature in features for man in feature.followers]
        return self.book.strength(self.game, men, player)

    def gathered(self, player: int, *features: Feature) -> int:
        """Return the most followers that a player can have on features of one kind together.

        They come from other open features of the kind that are near enough, and in turns to come.
        A follower that the last tile joins to others must stand there before it.
        """
        here = self.strength(player, *features)
        growing = [one for one in features if self.faced[one.nodes]]
        if not growing:
            return here
        nodes = {one.nodes for one in features}
        for one in self.features:
            if one.kind is features[0].kind and one.nodes not in nodes:
                his = self.strength(player, one)
                if his and self.apart(one, growing) <= self.tiles:
                    here += his
        occupied = all(one.followers for one in growing) and not self.captures
        claims = self.claims(player, later=occupied)
        return here + claims + sum(self._more[:claims])

    def claims(self, player: int, *, later: bool = False) -> int:
        """Return the most new followers that a player can have on the board at one time.

        They come in his turns, or with ``later`` in those after which another tile comes.
        """
        turns = (self._early if later else self.turns)[player]
        if self.captures or not turns:
            # Whoever is taken prisoner may come home.
            return turns
        state = self.position.players[player]
        men = state.supply + state.fresh_followers
        men += len(state.specials) + len(state.fresh_specials)
        for one in self.features:
            if one.kind in self.book.worth and self.completed(one) + 1 + later <= self.tiles:
                men += sum(man.player == player for man in one.followers)
        return min(turns, men)

    def completed(self, feature: Feature) -> float:
        """Return the least number of tiles until a feature is complete."""
        if feature.kind is Kind.CLOISTER:
            return len(ring(feature.anchor.cell) - self.laid.keys())
        cells = feature.empty_cells()
        return inf if cells & self.barred else len(cells)

    def may_claim(self, player: int, kind: Kind) -> bool:
        """Tell whether tiles to come can be a player's as parts of features of a kind."""
        growing = (one for one in self.features if one.kind is kind and one.open_sides)
        return bool(self.claims(player) or any(self.strength(player, one) for one in growing))

    # Cells.

    @cached_property
    def lying(self) -> dict[Cell, list[PlacedTile]]:
        """The tiles to come by the cells on which they fit now."""
        found: dict[Cell, list[PlacedTile]] = {}
        for kind in sorted({one.id for one in self.stock}):
            for tile in places(self.position, kind):
                found.setdefault(tile.cell, []).append(tile)
        return found

    @cached_property
    def barred(self) -> frozenset[Cell]:
        """The cells beside tiles on which no tile to come fits.

        None ever will, as a cell asks for more when cells beside it are filled.
        """
        by_cell, facing = self.position.by_cell(), self.game.board.start_facing
        beside = {
            cell
            for cell in vacant(self.position)
            if facing(cell) or any(beyond in by_cell for _, beyond in cell.neighbours())
        }
        return frozenset(beside - self.lying.keys())

    @cached_property
    def faced(self) -> dict[Nodes, frozenset[Cell]]:
        """By feature the cells that it faces and that can be filled."""
        return {one.nodes: one.empty_cells() - self.barred for one in self.features}

    @cached_property
    def placed(self) -> list[Place]:
        """The kinds of tile to come wherever they may lie, and once where no tile is near now."""
        kinds = {kind.id: kind for kind in self.stock}
        found = [
            Place(tile.kind, tile, tuple(self._meets(tile)))
            for tiles in self.lying.values()
            for tile in tiles
        ]
        return found + [Place(kind, None, tuple(_alone(kind))) for kind in kinds.values()]

    @cached_property
    def on(self) -> dict[Cell, list[int]]:
        """By cell on which tiles fit now the numbers of the places there."""
        found: dict[Cell, list[int]] = {}
        for index, place in enumerate(self.placed):
            if place.tile is not None:
                found.setdefault(place.tile.cell, []).append(index)
        return found

    def filling(self, cell: Cell) -> Collection[int]:
        """Return the places on which a tile may fill a cell."""
        return self.on.get(cell) or [at for at, one in enumerate(self.placed) if one.tile is None]

    def joining(self, *features: Feature) -> set[int]:
        """Return the places on which a tile can bring followers to features.

        Where followers stand, they come with a feature that the tile joins; else the tile will do.
        """
        found = set[int]()
        for one in features:
            places = self.touching.get(one.nodes, {})
            found |= {at for at, leads in places.items() if leads or not one.followers}
        return found

    @cached_property
    def touching(self) -> dict[Nodes, dict[int, bool]]:
        """By feature the places on which a tile joins it; whether it joins it to something."""
        found: dict[Nodes, dict[int, bool]] = {}
        for index, place in enumerate(self.placed):
            for one in place.meetings:
                for nodes in one.joined:
                    leads = one.open or len(one.joined) > 1
                    some = found.setdefault(nodes, {})
                    some[index] = leads or some.get(index, False)
        return found

    def _meets(self, tile: PlacedTile) -> Iterator[Meeting]:
        """Yield what the segments of a tile meet where it lies."""
        joined: dict[int, set[Nodes]] = {}
        more: set[int] = set()
        for port in range(PORTS):
            index = tile.at(port)
            if index < 0:
                continue
            beyond = tile.cell.step(PORT_SIDES[port])
            other = self.laid.get(beyond)
            if other is None:
                if beyond not in self.barred and self.game.board.holds(beyond):
                    more.add(index)
                continue
            theirs = other.at(FACING[port])
            if theirs >= 0 and other.kind.segments[theirs].kind is tile.kind.segments[index].kind:
                joined.setdefault(index, set()).add(self.board.at(Node(beyond, theirs)).nodes)
        for one in _alone(tile.kind):
            some = frozenset(joined.get(one.segment, ()))
            yield one._replace(joined=some, open=one.segment in more)

    def apart(self, one: Feature, others: Sequence[Feature]) -> float:
        """Return the least number of tiles that join a feature to one of some others.

        Other features of the kind that lie between may help.
        """
        far = self._between.get(one.nodes, {})
        return min(far.get(other.nodes, inf) for other in others)

    @cached_property
    def _between(self) -> dict[Nodes, dict[Nodes, float]]:
        """By feature the least number of tiles that join it to each near one of its kind."""
        import networkx as nx

        graph: nx.Graph[Nodes] = nx.Graph()
        for one, other in combinations(self.features, 2):
            some, others = self.faced[one.nodes], self.faced[other.nodes]
            if one.kind is other.kind and some and others:
                steps = min(abs(a.x - b.x) + abs(a.y - b.y) for a in some for b in others)
                graph.add_edge(one.nodes, other.nodes, weight=steps + 1)
        return dict(nx.all_pairs_dijkstra_path_length(graph, cutoff=self.tiles))


def _alone(kind: TileKind) -> Iterator[Meeting]:
    """Yield the segments of a tile that meets nothing."""
    for index, segment in enumerate(kind.segments):
        yield Meeting(segment.kind, index, frozenset(), bool(segment.ports))
