"""What The Falcon adds to the bound of branch and bound: chapels, kings, and tokens.

``docs/maximum.md`` has the arguments, in its section on The Falcon.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from solver.falcon.state import ABSENT, AT_HAND, EACH, FALCONER, KING, LARGEST, RESTING, FalconState
from solver.game_state import GameState
from solver.search.reach import Bounds
from solver.search.sums import Chances, More
from solver.tables import CHAPEL, COURT, HOUSE, NOTHING, PATH, TOWER


class Service(NamedTuple):
    """Where a king or falconer stands, and for how many tiles he may be placed anew."""

    root: int
    """The feature on which he stands, or -1."""
    tiles: int
    """The tiles that can be laid with him at hand, at most."""

    @property
    def scorings(self) -> int:
        """How often he is there in play when a feature is scored on which he is placed anew."""
        return self.tiles // 2


class Growth:
    """How large a feature can become: tiles, or markets of a court."""

    def __init__(self, state: FalconState, chances: Chances) -> None:
        """Remember what the bound is made from."""
        self.board = state.board
        self.chances = chances
        self.roots = {**chances.held, **chances.wanted}

    def size(self, root: int) -> int:
        """Return the tiles of a feature, or the markets of a court."""
        board = self.board
        return board.markets[root] if board.kind[root] == COURT else board.mask[root].bit_count()

    def most(self, kind: int, *, but: int = NOTHING, completed: bool = False) -> int:
        """Return by how much a feature of a kind can grow at most.

        Args:
            kind: the kind of feature.
            but: the feature, if it lies there already; otherwise it is claimed in a turn to come.
            completed: whether it is completed.

        """
        tiles = self.chances.tiles
        own = sorted(map(partial(self._own, kind), self.chances.stock), reverse=True)
        men, first = self.board.men, tiles == 1
        joined = {
            root: self.size(root)
            for root, cells in self.roots.items()
            if self.board.kind[root] == kind
            and root != but
            and (not completed or cells.bit_count() <= tiles)
            and not (first and but < 0 and (men[2 * root] or men[2 * root + 1]))
        }
        cells = self.board.empty if but < 0 else self.board.needs(but)
        if not any(cells >> cell & 1 for cell in self.chances.front.joins):
            return 0
        if not first:
            cells = self.board.empty
        return sum(own[:tiles]) + self.chances.front.joined(joined, tiles, cells)

    def _own(self, kind: int, tile: int) -> int:
        """Return what a tile adds to a feature of a kind by its own segments."""
        t = self.board.tables
        if kind == COURT:
            return sum(t.markets[tile])
        return int(kind in t.segments[tile])


class FalconBounds(Bounds):
    """Makes the bounds of one search of a game with The Falcon.

    Attributes:
        state: the state; it may change between two calls.

    """

    completed = (PATH, TOWER, HOUSE, CHAPEL)
    state: FalconState

    def __init__(self, state: FalconState, player: int, unseen: tuple[int, ...] = ()) -> None:
        """Remember whose reach is asked for."""
        super().__init__(state, player, unseen)
        t = state.board.tables
        self._linked = [sum(map(len, aeries)) for aeries in t.aeries]

    def _plain(self, stock: tuple[int, ...], roots: Sequence[int]) -> tuple[int, ...]:
        """Return what a tile of each kind of feature brings at most, without wall tiles."""
        plain = list(super()._plain(stock, roots))
        sizes = [self._size(root) for root in roots if self.state.board.kind[root] == CHAPEL]
        sizes.sort(reverse=True)
        joined = sum(sizes[: 1 + self._merges(stock, CHAPEL)])
        showing = sum(CHAPEL in self.state.board.tables.segments[one] for one in stock)
        largest = min(LARGEST, joined + showing)
        plain[CHAPEL] = (largest + 2) // 2
        return tuple(plain)

    def _service(self, chances: Chances, rank: int) -> Service | None:
        """Return where the player's king or falconer stands and may stand; None if he has none."""
        where = self.state.specials[self.player * EACH + rank - 1]
        if where == ABSENT:
            return None
        if where in {AT_HAND, RESTING}:
            return Service(NOTHING, chances.tiles)
        board = self.state.board
        root = board.find(where)
        needs = board.needs(root).bit_count()
        stays = board.kind[root] == COURT or not (needs or board.holes_block)
        return Service(root, 0 if stays else max(0, chances.tiles - needs))

    def _kings(self, chances: Chances) -> More:
        """Return what the player's king adds."""
        service = self._service(chances, KING)
        if service is None:
            return More({}, 0, 0)
        played, ended = self._doubled(chances)
        growth = Growth(self.state, chances)
        done: dict[int, int] = {}
        late = 0
        root = service.root
        if root >= 0:
            kind = self.state.board.kind[root]
            size = growth.size(root)
            if played[kind]:
                grown = size + growth.most(kind, but=root, completed=True)
                done[root] = played[kind] * grown
            if ended[kind]:
                late = ended[kind] * (size + growth.most(kind, but=root))
        again = end = 0
        if service.tiles:
            ends = [more * growth.most(kind) for kind, more in enumerate(ended) if more]
            end = max(ends, default=0)
        if service.scorings:
            plays = [
                more * growth.most(kind, completed=True) for kind, more in enumerate(played) if more
            ]
            again = max(plays, default=0)
            if service.tiles % 2 == 0:
                end = max(0, end - again)
        return More(done, service.scorings * again, late + end)

    def _doubled(self, chances: Chances) -> tuple[list[int], list[int]]:
        """Return by kind what a king adds to a tile of a feature, in play and at the end."""
        flags, left = self.state.falcon, chances.weights.left
        single = list(chances.plain)
        if flags.fountain_doubles:
            single[PATH] = 1
        played = [0] * len(single)
        ended = list(left) if flags.on_wall_scored else [0] * len(left)
        for kind in self.completed:
            played[kind] = max(0, 2 * single[kind] - chances.weights.played[kind])
        ended[COURT] = (chances.plain[COURT] + left[COURT]) * flags.king_on_courts
        return played, ended

    def _rest(self, chances: Chances) -> int:
        """Return what the end brings besides what followers stand on."""
        rest = super()._rest(chances)
        return rest + (self.area(chances) if self.may_have_more(chances) else 0)

    def may_have_more(self, chances: Chances) -> bool:
        """Tell whether the player can have more tokens than the opponent in the end."""
        tokens = self.state.tokens
        short = tokens[1 - self.player] - tokens[self.player]
        flags = self.state.falcon
        if flags.any_scoring and not (flags.first_only or flags.capped or flags.tokens_first):
            short += sum(map(self._aeries, self._lost(chances.front.met)))
        for some in self._tokens(chances):
            if short < 0:
                break
            short -= some
        return short < 0

    def _lost(self, met: set[int]) -> set[int]:
        """Return the courts that the opponent has for certain: no tile to come meets them."""
        board, they = self.state.board, 1 - self.player
        roots = {board.find(node) for node in self.state.stands(they)}
        men = board.men
        return {
            root
            for root in roots
            if board.kind[root] == COURT
            and root not in met
            and men[2 * root + they] > men[2 * root + self.player]
        }

    def _tokens(self, chances: Chances) -> Iterator[int]:
        """Yield tokens that the player can take, at most."""
        linked = sorted((self._linked[one] for one in chances.stock), reverse=True)
        yield sum(linked[: chances.tiles])
        falconer = self._service(chances, FALCONER)
        if falconer is not None:
            yield (falconer.root >= 0) + (falconer.tiles + 1) // 2
        yield from map(self._aeries, self._scored(chances))

    def _scored(self, chances: Chances) -> Iterable[int]:
        """Return the features of today that the player may score, in play or at the end."""
        board, left, met = self.state.board, chances.weights.left, chances.front.met
        ends, men, me = self.state.falcon.any_scoring, board.men, self.player
        roots = {**chances.wanted, **chances.held}
        found = {
            root
            for root, cells in roots.items()
            if cells.bit_count() <= chances.tiles
            or (ends and left[board.kind[root]] and (root in met or root in chances.held))
        }
        if ends:
            standing = {board.find(node) for node in self.state.stands(me)}
            held = {root for root in standing if men[2 * root + me] > men[2 * root + 1 - me]}
            found |= {root for root in met | held if board.kind[root] == COURT}
        return found

    def _aeries(self, root: int) -> int:
        """Return how many aeries of a feature of today can bring tokens."""
        found = self.state.board.aeries[root]
        if self.state.falcon.first_only:
            found &= ~self.state.gone[0]
        return found.bit_count()


def bounds_of(state: GameState, player: int, unseen: tuple[int, ...] = ()) -> Bounds:
    """Return what makes the bounds of a search.

    Args:
        state: a state of The Castle, with or without The Falcon.
        player: whose points are counted.
        unseen: the numbers that a face-down wall tile may have; none if none lies on a tower.

    """
    if isinstance(state, FalconState):
        return FalconBounds(state, player, unseen)
    return Bounds(state, player, unseen)
