"""Star2: expectimax that leaves out what cannot change the answer.

After B. W. Ballard, "The *-minimax search procedure for trees containing chance nodes",
Artificial Intelligence 21 (1983). A chance is given a *window*: values at or below ``low``, or
at or above ``high``, need not be told apart. Each of its cases lies between limits; those of
the others say how far a case must go to bring the whole out of the window (Star1). Before a
case is searched, one good turn in it is tried for each case: what it reaches is a limit of the
case, for the player to move has it (Star2). Why nothing is lost: ``docs/bounds.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from solver.budget import Stopwatch
from solver.search.chance import Draw, Drawn, Reveal, Stock

T = TypeVar("T")
TWO = 2
"""Tiles left after a turn for which limits are looked for."""
KEPT = 2
"""Turns that were good before and are tried first."""


class Pruned(Drawn[T], Protocol[T]):
    """What Star2 must know of a game besides."""

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the most that any end is worth."""

    def again(self, turn: T) -> T | None:
        """Return a turn with the same tile, place and follower; None if there is none now."""

    def promise(self, turn: T | Reveal[T]) -> int:
        """Return a rough worth of a turn for the player to move."""

    def last(self, kind: int, low: int, high: int) -> int | None:
        """Return what the end is worth after the best last turn with a tile that has a place.

        This is for games that know a quicker way than to play each turn.

        Args:
            kind: index of the kind.
            low: values at or below it need not be told apart.
            high: values at or above it need not be told apart.

        Returns:
            The exact worth, or a bound at or beyond an end of the window; None if the turns
            must be played.

        """


LastTwo = Callable[[int, int, int, int], tuple[int, T | None] | None]
"""Returns what the end is worth after the best last turn but one, if a game knows a quick way.

Given are the kind of its tile, which has a place, that of the last tile, and a window as for
``last``. With the worth comes the best turn, if one is better than the worse end of the window.
None if the turns must be played."""

Replied = Callable[[Sequence[T | Reveal[T]], T, int], Iterable[tuple[T, int]]]
"""Yields turns with what the end is worth after a reply to them and the best last turn.

Given are turns of the player to move with his tile, a turn of his opponent that was good
elsewhere, and the kind of the last tile. Turns that the game has no quick way for are left out,
and those after which the opponent could not reply so."""


@dataclass(slots=True)
class Case:
    """A case of a chance while it is searched."""

    ways: int
    low: int
    """A proved lower limit of the value."""
    high: int
    """A proved upper limit of the value."""
    probe: Callable[[int, int], int | None]
    """One good turn, in a window; None if none is known."""
    search: Callable[[int, int], int]
    """The value, in a window."""


class Star2(Generic[T]):
    """One search by chance.

    Args:
        game: the game; it is as before once a search has ended, and needs not be if one was
            stopped.
        until: with so many tiles left, not 0, scores are compared as they stand.
        watch: the time.
        last_two: a quick way for the last two tiles.
        replied: a quick way for turns after which two tiles are left.

    """

    def __init__(
        self,
        game: Pruned[T],
        until: int,
        watch: Stopwatch,
        last_two: LastTwo[T] = lambda *_: None,
        replied: Replied[T] | None = None,
    ) -> None:
        """Remember what is searched."""
        self.last_two = last_two
        self.replied = replied
        self.game = game
        self.until = until
        self.watch = watch
        self.good: dict[tuple[int, int], list[T]] = {}

    def value(self, stock: Stock, scale: int, low: int, high: int) -> int:
        """Return what a position is worth, times ``scale``.

        Args:
            stock: the tiles to come.
            scale: a number that all chances to come divide.
            low: values at or below it need not be told apart.
            high: values at or above it need not be told apart.

        Returns:
            The exact value, or a bound beyond an end of the window.

        Raises:
            OutOfTimeError: the time is used up.

        """
        if not stock.size:
            return self.game.end() * scale
        if stock.size <= self.until:
            return self.game.stand() * scale
        draws = list(stock.draws(self.game.placeable))
        if len(draws) == 1:
            return self._drawn(draws[0], scale, low, high)
        return self._mixed(
            [
                self._case(
                    draw.ways,
                    scale // draw.out_of,
                    partial(self._probed, draw),
                    partial(self._drawn, draw),
                )
                for draw in draws
            ],
            low,
            high,
        )

    def _case(
        self,
        ways: int,
        scale: int,
        probe: Callable[[int, int, int], int | None],
        search: Callable[[int, int, int], int],
    ) -> Case:
        """Return a case of which nothing is known."""
        least, most = self.game.limits
        return Case(
            ways, least * scale, most * scale, partial(probe, scale), partial(search, scale)
        )

    def _mixed(self, cases: Sequence[Case], low: int, high: int) -> int:
        """Return the sum of cases by chance, or a bound beyond an end of the window."""
        least = sum(case.ways * case.low for case in cases)
        most = sum(case.ways * case.high for case in cases)
        serving = self.game.serving
        for probing in (True, False):
            for case in cases:
                if least >= high or most <= low:
                    break
                if case.low == case.high:
                    continue
                # What the other cases may bring at most and must bring at least.
                others = most - case.ways * case.high, least - case.ways * case.low
                inner = (
                    max((low - others[0]) // case.ways, case.low - 1),
                    min(-((others[1] - high) // case.ways), case.high + 1),
                )
                value = (case.probe if probing else case.search)(*inner)
                if value is None:
                    continue
                # A turn tried is a limit on the side of the player who may choose it.
                if value > inner[0] and (serving or not probing):
                    case.low = max(case.low, value)
                if value < inner[1] and (not serving or not probing):
                    case.high = min(case.high, value)
                most, least = others[0] + case.ways * case.high, others[1] + case.ways * case.low
        return most if most <= low else least

    def _probed(self, draw: Draw, scale: int, low: int, high: int) -> int | None:
        """Return what a turn is worth that was good elsewhere."""
        for turn in self._kept(draw):
            return self.after(turn, draw, scale, low, high)
        return None

    def _drawn(self, draw: Draw, scale: int, low: int, high: int) -> int:
        """Return what a position is worth once a tile is drawn."""
        game = self.game
        if draw.kind < 0:
            mark = game.mark()
            game.pass_turn()
            value = game.end() * scale
            game.undo(mark)
            return value
        if not draw.left.size:
            self.watch.tick()
            worth = game.last(draw.kind, low // scale, -(-high // scale))
            if worth is not None:
                return worth * scale
        if draw.left.size == 1 and not self.until:
            return self._last_two(draw, scale, low, high)
        return self._best(self._turns(draw, scale), draw, scale, low, high)

    def _last_two(self, draw: Draw, scale: int, low: int, high: int) -> int:
        """Return what a position is worth with this tile and one more."""
        serving = self.game.serving
        for turn in self._kept(draw):
            value = self.after(turn, draw, scale, low, high)
            if value >= high if serving else value <= low:
                return value
        (then,) = (*draw.left.order, *draw.left.bag)
        found = self.last_two(draw.kind, then, low // scale, -(-high // scale))
        if found is None:
            return self._best(self._turns(draw, scale), draw, scale, low, high)
        worth, best = found
        if best is not None:
            self._keep(draw, best)
        return worth * scale

    def _best(
        self,
        options: Iterator[tuple[T | Reveal[T], int | None]],
        draw: Draw,
        scale: int,
        low: int,
        high: int,
    ) -> int:
        """Return the value of the best of some turns for the player to move.

        Args:
            options: the turns, each with a limit on the side of his opponent if one is known.
            draw: what was drawn for them.
            scale: of the value.
            low: values at or below it need not be told apart.
            high: values at or above it need not be told apart.

        """
        serving = self.game.serving
        best, chosen = None, None
        for option, limit in options:
            if limit is not None and (limit <= low if serving else limit >= high):
                value = limit
            else:
                value = self.after(option, draw, scale, low, high)
            if best is None or ((value > best) if serving else (value < best)):
                best, chosen = value, option
                low, high = (max(low, best), high) if serving else (low, min(high, best))
                if low >= high:
                    break
        assert best is not None
        if chosen is not None and not isinstance(chosen, Reveal):
            self._keep(draw, chosen)
        return best

    def after(self, option: T | Reveal[T], draw: Draw, scale: int, low: int, high: int) -> int:
        """Return what a turn is worth.

        Args:
            option: the turn, or the beginning of one.
            draw: what was drawn for it.
            scale: of the value.
            low: values at or below it need not be told apart.
            high: values at or above it need not be told apart.

        Raises:
            OutOfTimeError: the time is used up.

        """
        self.watch.tick()
        game = self.game
        if isinstance(option, Reveal):
            cases = [
                self._case(
                    ways,
                    scale // option.ways,
                    _nothing_good,
                    partial(self._chosen, options, draw),
                )
                for ways, options in option.cases
            ]
            return self._mixed(cases, low, high)
        mark = game.mark()
        game.play(option, last=not draw.left.size)
        value = self.value(draw.left, scale, low, high)
        game.undo(mark)
        return value

    def _chosen(
        self,
        options: Sequence[T | Reveal[T]],
        draw: Draw,
        scale: int,
        low: int,
        high: int,
    ) -> int:
        """Return what a turn is worth of which something was turned over."""
        return self._best(((option, None) for option in options), draw, scale, low, high)

    def _turns(self, draw: Draw, scale: int) -> Iterator[tuple[T | Reveal[T], int | None]]:
        """Yield every turn with a tile, with a limit: what was good elsewhere, then by promise."""
        tried: list[T | Reveal[T]] = []
        for turn in self._kept(draw):
            tried.append(turn)
            yield turn, None
        options = self.game.turns(draw.kind, last=not draw.left.size)
        options = sorted(options, key=self.game.promise, reverse=True)
        if not tried:
            tried = options[:1]
            yield options[0], None
        limits = self._limits(options, draw, scale)
        for option in options:
            if option not in tried:
                yield option, limits.get(option)

    def _limits(
        self, options: Sequence[T | Reveal[T]], draw: Draw, scale: int
    ) -> dict[T | Reveal[T], int]:
        """Return limits of turns after which two tiles are left, from replies good elsewhere.

        Whichever tile comes next, the opponent may reply so. Left out are turns for which no
        reply to one of the tiles is known.
        """
        if self.replied is None or self.until or draw.left.size != TWO:
            return {}
        limits = dict.fromkeys(options, 0)
        # A tile to which there is a reply has a place.
        for then in draw.left.draws(lambda _: True):
            (last,) = (*then.left.order, *then.left.bag)
            worths: dict[T | Reveal[T], int] = {}
            for reply in self.good.get((1, then.kind), ()):
                rest = [option for option in limits if option not in worths]
                for turn, worth in self.replied(rest, reply, last):
                    self.watch.tick()
                    worths[turn] = worth
            ways = then.ways * (scale // then.out_of)
            limits = {turn: limits[turn] + ways * worth for turn, worth in worths.items()}
        return limits

    def _kept(self, draw: Draw) -> Iterator[T]:
        """Yield the turns that were good with this tile elsewhere and are legal here."""
        for turn in tuple(self.good.get((draw.left.size, draw.kind), ())):
            if (same := self.game.again(turn)) is not None:
                yield same

    def _keep(self, draw: Draw, turn: T) -> None:
        """Remember a turn that was best."""
        kept = self.good.setdefault((draw.left.size, draw.kind), [])
        if turn in kept:
            kept.remove(turn)
        kept.insert(0, turn)
        del kept[KEPT:]


def _nothing_good(scale: int, low: int, high: int) -> None:
    """Know no turn to try."""
