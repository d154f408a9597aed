"""The board, its followers and the tiles to come, as the limits of final scores see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property
from math import inf

from model.book import book_of
from model.components import Node
from model.features import Feature, position_features
from model.geometry import FACING, PORT_SIDES, PORTS, Cell, ring
from model.laying import complete
from model.places import places, vacant
from model.position import Position
from model.rules.castle.wall_tiles import EXTRA_TURN, unseen
from model.switches import SPECIAL_COUNTS
from model.tiles import Kind, PlacedTile
from solver.reach.gains import Fit

_Nodes = tuple[Node, ...]
"""The segments of a feature, which name it."""


class Ground:
    """A position and the tiles that can be laid.

    Args:
        position: the position before the turn, with tiles to come.
        tiles: the number of them that can be laid before the scores are compared.
        movers: by tile whose turn it is, if no wall tile 1 is played.

    """

    def __init__(self, position: Position, tiles: int, movers: Sequence[int]) -> None:
        """Read the board."""
        self.position, self.game, self.tiles = position, position.game, tiles
        self.book, self.players = book_of(position.game), range(len(position.players))
        self.laid, self.board = position.laid(), position_features(position)
        self.features = [
            feature
            for feature in self.board
            if feature.followers or not complete(position, feature, self.laid)
        ]
        self.stock = [self.game.tile_set.kind(one) for one in (*position.order, *position.bag)]
        self._movers = movers
        self.turns = [self._most_turns(one, movers) for one in self.players]
        """By player the turns that he has at most."""
        self._early = [self._most_turns(one, movers[:-1]) for one in self.players]
        """By player those in which he can place followers whom another tile joins later."""
        self.standing: Counter[tuple[int, Kind]] = Counter()
        """By player and kind his followers on features that can grow."""
        for feature in self.features:
            for one in self.players if feature.open_sides else ():
                self.standing[one, feature.kind] += self.strength(one, feature)
        self.captures = bool(self.book.actions)
        two = self.game.specials and self.game.value(SPECIAL_COUNTS) == "two"
        self._ranks = len(self.game.specials) if two else 0
        self._faced: dict[_Nodes, frozenset[Cell]] = {}
        self._apart: dict[_Nodes, dict[_Nodes, float]] = {}

    # Turns and followers.

    def _extra(self, player: int) -> int:
        """Return the extra turns that a player can have at most."""
        position, state = self.position, self.position.players[player]
        held = (*state.wall_tiles, *state.fresh_wall_tiles, *(one for _, one in position.towers))
        if EXTRA_TURN not in held and 0 not in held:
            found = 0
        else:
            found = held.count(EXTRA_TURN)
            found += min(held.count(0), max(0, unseen(position)[EXTRA_TURN]))
        return found + (position.extra_turns if player == position.to_move else 0)

    def _most_turns(self, player: int, movers: Sequence[int]) -> int:
        """Return the turns of a player at most."""
        extra = self._extra(player)
        if not extra or len({*movers}) < 2:  # noqa: PLR2004 -- two players take turns
            return [*movers].count(player)
        return min(len(movers), (len(movers) + extra + (player == self.position.to_move)) // 2)

    def shy(self, player: int) -> list[list[Fit]]:
        """Return ``Gains.shy`` for the turns of all others, who do not want what a player wants."""
        turns = [at for at, mover in enumerate(self._movers) if mover != player]
        if self._extra(player):
            # His extra turns come before theirs.
            fewest = self.tiles - self.turns[player]
            turns = [self.tiles - 1 - 2 * index for index in range(fewest)]
        fits: dict[str, list[Cell]] = {}
        for cell, tiles in self.lying.items():
            for kind in {one.kind.id for one in tiles}:
                fits.setdefault(kind, []).append(cell)
        found: list[list[Fit]] = [[] for _ in turns]
        for cells in fits.values():
            # A tile changes the surroundings of its cell and of those beside it.
            near = Counter(
                one
                for cell in cells
                for one in (cell, *(beyond for _, beyond in cell.neighbours()))
                if one not in self.laid
            )
            spoils = sorted(near.values(), reverse=True)
            for kinds, before in zip(found, turns, strict=True):
                kinds.append(Fit(cells, sum(spoils[:before])))
        return found

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

        They come from other open features of the kind that are near enough, and in turns to come.
        A follower that the last tile joins to others must stand there before it.
        """
        here = self.strength(player, *features)
        growing = [one for one in features if self.faced(one)]
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
        return here + claims + min(claims, self._ranks)

    def claims(self, player: int, *, later: bool = False) -> int:
        """Return the most new followers that a player can have on the board at one time.

        Args:
            player: the player.
            later: whether a tile must come after each of them.

        """
        turns = (self._early if later else self.turns)[player]
        if self.captures or not turns:
            # Whoever is taken prisoner may come home.
            return turns
        state = self.position.players[player]
        men = state.supply + state.fresh_followers
        men += len(state.specials) + len(state.fresh_specials)
        for one in self.features:
            if one.kind in self.book.worth and self._completed(one) + 1 + later <= self.tiles:
                men += sum(man.player == player for man in one.followers)
        return min(turns, men)

    def _completed(self, feature: Feature) -> float:
        """Return the least number of tiles until a feature is complete."""
        if feature.kind is Kind.CLOISTER:
            return len(ring(feature.anchor.cell) - self.laid.keys())
        cells = feature.empty_cells()
        return inf if cells & self.barred else len(cells)

    def may_claim(self, player: int, kind: Kind) -> bool:
        """Tell whether tiles to come can be a player's as parts of features of a kind."""
        return bool(self.claims(player) or self.standing[player, kind])

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

    def faced(self, feature: Feature) -> frozenset[Cell]:
        """Return the cells that a feature faces and that can be filled."""
        if feature.nodes not in self._faced:
            self._faced[feature.nodes] = feature.empty_cells() - self.barred
        return self._faced[feature.nodes]

    def joining(self, *features: Feature) -> frozenset[Cell]:
        """Return the cells on which a tile can bring followers to features.

        Where followers stand, they come with a feature that the tile joins; else the tile will do.
        """
        found = frozenset[Cell]()
        for one in features:
            cells = self.faced(one)
            found |= cells & self._leading.get(one.nodes, set()) if one.followers else cells
        return found

    @cached_property
    def _leading(self) -> dict[_Nodes, set[Cell]]:
        """By feature the cells on which a tile can join it to something else."""
        found: dict[_Nodes, set[Cell]] = {}
        for cell, tiles in self.lying.items():
            for tile in tiles:
                for joined, more in self._meets(tile):
                    for nodes in joined if more or len(joined) > 1 else ():
                        found.setdefault(nodes, set()).add(cell)
        return found

    def _meets(self, tile: PlacedTile) -> Iterator[tuple[set[_Nodes], bool]]:
        """Yield for each segment of a tile the features that it joins, and whether it goes on."""
        joined: dict[Hashable, set[_Nodes]] = {}
        more: set[Hashable] = set()
        for port in range(PORTS):
            index = tile.at(port)
            if index < 0:
                continue
            kind = tile.kind.segments[index].kind
            # The arms of a path may be one feature.
            mine: Hashable = kind if kind is Kind.PATH else index
            beyond = tile.cell.step(PORT_SIDES[port])
            other = self.laid.get(beyond)
            if other is None:
                if beyond not in self.barred:
                    more.add(mine)
                continue
            theirs = other.at(FACING[port])
            if theirs >= 0 and other.kind.segments[theirs].kind is kind:
                joined.setdefault(mine, set()).add(self.board.at(Node(beyond, theirs)).nodes)
        for mine, some in joined.items():
            yield some, mine in more

    def met(self, kind: Kind, amount: Callable[[Feature], int]) -> dict[Cell, int]:
        """Return by cell how much the features of a kind have that one tile joins there."""
        found: dict[Cell, int] = {}
        for cell, tiles in self.lying.items():
            for tile in tiles:
                met = {nodes for some, _ in self._meets(tile) for nodes in some}
                features = (self.board.at(nodes[0]) for nodes in met)
                joined = sum(amount(one) for one in features if one.kind is kind)
                found[cell] = max(found.get(cell, 0), joined)
        return found

    def apart(self, one: Feature, others: Sequence[Feature]) -> float:
        """Return the least number of tiles that join a feature to one of some others.

        Other features of the kind that lie between may help.
        """
        if one.nodes not in self._apart:
            self._apart[one.nodes] = self._distances(one)
        far = self._apart[one.nodes]
        return min(far.get(other.nodes, inf) for other in others)

    def _distances(self, start: Feature) -> dict[_Nodes, float]:
        """Return the least number of tiles that join a feature to each near one of its kind."""
        ahead = {
            one.nodes: (inf if one.nodes != start.nodes else 0.0, self.faced(one))
            for one in self.features
            if one.kind is start.kind and self.faced(one)
        }
        found: dict[_Nodes, float] = {}
        while ahead:
            nodes = min(ahead, key=lambda key: ahead[key][0])
            tiles, cells = ahead.pop(nodes)
            if tiles > self.tiles:
                break
            found[nodes] = tiles
            for other, (before, theirs) in ahead.items():
                if before > tiles + 1:
                    ahead[other] = min(before, tiles + 1 + _gap(cells, theirs)), theirs
        return found


def _gap(some: Collection[Cell], others: Collection[Cell]) -> int:
    """Return the least number of steps from one of some cells to one of others."""
    return min(abs(one.x - other.x) + abs(one.y - other.y) for one in some for other in others)
