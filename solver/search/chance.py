"""Play by chance: tiles drawn from a bag, and what is turned over within a turn.

A search walks any game that draws tiles through the protocol below. Everything is exact and
in integers: a node is given a *scale*, of which every chance below it takes a divisor, and
returns its expected value times that scale. The number of orders of the tiles left, times the
number of ways to deal what is face down, is such a scale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from math import comb, factorial, perm, prod
from typing import Generic, NamedTuple, Protocol, TypeVar

from solver.budget import Stopwatch
from solver.outlook import Order

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reveal(Generic[T]):
    """Decisions within a turn up to where something is turned over, and what may follow.

    By what is turned over, the number of ways in which it comes and the choices left then, each
    a whole turn or turned over again.
    """

    named: T
    """A turn that begins like this, by which it is told."""
    cases: tuple[tuple[int, tuple[T | Reveal[T], ...]], ...]

    @property
    def ways(self) -> int:
        """Return the number of equally likely ways."""
        return sum(ways for ways, _ in self.cases)


class Drawn(Protocol[T]):
    """What a search must know of a game in which tiles are drawn.

    Values are whole numbers, large for the *asker*. Kinds of tiles are indices.
    """

    @property
    def serving(self) -> bool:
        """Whether the player to move chooses for the asker."""

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""

    def placeable(self, kind: int) -> bool:
        """Tell whether a kind of tile has a place."""

    def turns(self, kind: int, *, last: bool) -> Sequence[T | Reveal[T]]:
        """Return every turn with a tile that has a place; of turns that lead to the same, one.

        Args:
            kind: index of the kind.
            last: whether no tile is left after this one.

        """

    def play(self, turn: T, *, last: bool) -> None:
        """Play a turn."""

    def pass_turn(self) -> None:
        """End the game with a turn for which no tile is left that has a place."""

    def end(self) -> int:
        """Return what the end of the game is worth, final scoring included."""

    def stand(self) -> int:
        """Return what the scores are worth as they stand."""


class Draw(NamedTuple):
    """What a turn may begin with."""

    ways: int
    out_of: int
    """It comes ``ways`` times in so many."""
    gone: tuple[int, ...]
    """Kinds drawn first that have no place."""
    kind: int
    """The kind that is laid, or -1 if no tile is left that has a place."""
    left: Stock


@dataclass(frozen=True, slots=True)
class Stock:
    """Tiles to come: some in known order, then a bag, by kind."""

    order: tuple[int, ...]
    bag: tuple[int, ...]
    """Ascending."""

    @property
    def size(self) -> int:
        """Return the number of tiles."""
        return len(self.order) + len(self.bag)

    @property
    def orders(self) -> int:
        """Return in how many orders the tiles may come."""
        return factorial(len(self.bag))

    def draws(self, placeable: Callable[[int], bool]) -> Iterator[Draw]:
        """Yield what may be drawn; their chances add up to 1.

        A tile without a place leaves and another is drawn (``castle.place.none``): what counts
        is which tiles left, not in what order.

        Args:
            placeable: tells whether a kind has a place.

        """
        for at, kind in enumerate(self.order):
            if placeable(kind):
                yield Draw(1, 1, self.order[:at], kind, Stock(self.order[at + 1 :], self.bag))
                return
        fitting = tuple(kind for kind in sorted(set(self.bag)) if placeable(kind))
        yield from _from_bag(self, fitting)

    def names(self, draw: Draw, ids: Sequence[str]) -> tuple[tuple[str, ...], str]:
        """Return the ids of the tiles of a draw: those gone, from the bag sorted, and that laid.

        Args:
            draw: what is drawn of these tiles.
            ids: by kind. If none has a place, that of the tile laid is empty.

        """
        gone = [ids[kind] for kind in draw.gone]
        known = len(self.order)
        return (*gone[:known], *sorted(gone[known:])), ids[draw.kind] if draw.kind >= 0 else ""


@lru_cache(maxsize=1024)
def _from_bag(stock: Stock, fitting: tuple[int, ...]) -> tuple[Draw, ...]:
    """Return what may be drawn from a bag, no tile of the known order having a place."""
    if not fitting:
        return (Draw(1, 1, stock.order + stock.bag, -1, NO_TILES),)
    found = []
    counts = Counter(stock.bag)
    others = [kind for kind in counts if kind not in fitting]
    for numbers in product(*(range(counts[kind] + 1) for kind in others)):
        gone = Counter(dict(zip(others, numbers, strict=True)))
        fallen = gone.total()
        ways = factorial(fallen) * prod(comb(counts[kind], gone[kind]) for kind in others)
        for kind in fitting:
            left = counts - gone - Counter((kind,))
            found.append(
                Draw(
                    ways * counts[kind],
                    perm(len(stock.bag), fallen + 1),
                    (*stock.order, *gone.elements()),
                    kind,
                    Stock((), tuple(sorted(left.elements()))),
                )
            )
    return tuple(found)


NO_TILES = Stock((), ())


class Expectimax(Generic[T]):
    """Every line of play, with nothing cut off or remembered.

    Args:
        game: the game; it is as before once a search has ended, and needs not be if one was
            stopped.
        order: what becomes of what nobody knows.
        until: with so many tiles left, not 0, scores are compared as they stand.
        watch: the time.

    """

    def __init__(self, game: Drawn[T], order: Order, until: int, watch: Stopwatch) -> None:
        """Remember what is searched."""
        self.game = game
        self.by_chance = order is Order.CHANCE
        self.unknown = max if order is Order.CHOOSE else min
        self.until = until
        self.watch = watch

    def value(self, stock: Stock, scale: int) -> int:
        """Return what a position is worth, times ``scale``.

        Args:
            stock: the tiles to come.
            scale: a number that all chances to come divide.

        Raises:
            OutOfTimeError: the time is used up.

        """
        if not stock.size:
            return self.game.end() * scale
        if stock.size <= self.until:
            return self.game.stand() * scale
        return self._mixed(
            scale,
            [
                (draw.ways, draw.out_of, partial(self._drawn, draw))
                for draw in stock.draws(self.game.placeable)
            ],
        )

    def _mixed(self, scale: int, cases: Sequence[tuple[int, int, Callable[[int], int]]]) -> int:
        """Return the value of what nobody knows.

        Args:
            scale: of the value.
            cases: each comes so many times in so many, and is worth so much at a scale.

        """
        if self.by_chance:
            return sum(ways * value(scale // out_of) for ways, out_of, value in cases)
        return self.unknown(value(scale) for _, _, value in cases)

    def _drawn(self, draw: Draw, scale: int) -> int:
        """Return what a position is worth once a tile is drawn."""
        game = self.game
        if draw.kind < 0:
            mark = game.mark()
            game.pass_turn()
            value = game.end() * scale
            game.undo(mark)
            return value
        choose = max if game.serving else min
        options = game.turns(draw.kind, last=not draw.left.size)
        return choose(self.after(option, draw, scale) for option in options)

    def after(self, option: T | Reveal[T], draw: Draw, scale: int) -> int:
        """Return what a turn is worth.

        Args:
            option: the turn, or the beginning of one.
            draw: what was drawn for it.
            scale: of the value.

        Raises:
            OutOfTimeError: the time is used up.

        """
        self.watch.tick()
        game = self.game
        if isinstance(option, Reveal):
            return self._mixed(
                scale,
                [
                    (ways, option.ways, partial(self._chosen, options, draw))
                    for ways, options in option.cases
                ],
            )
        mark = game.mark()
        game.play(option, last=not draw.left.size)
        value = self.value(draw.left, scale)
        game.undo(mark)
        return value

    def _chosen(self, options: Sequence[T | Reveal[T]], draw: Draw, scale: int) -> int:
        """Return what a turn is worth of which something was turned over."""
        choose = max if self.game.serving else min
        return choose(self.after(option, draw, scale) for option in options)
