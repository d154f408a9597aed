"""Star2 against expectimax, on trees of chance."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from solver.budget import Budget
from solver.outlook import Order
from solver.search.chance import Expectimax, Reveal, Stock
from solver.search.star import Star2

WAYS = 5
"""Ways in which a thing turned over may come."""


class Numbers:
    """A game of saying numbers; what an end is worth depends on all that was said.

    In half of the games what may be said depends on it too.
    """

    limits = (-9, 9)

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.said: list[int] = []

    def chance(self, *what: object) -> random.Random:
        return random.Random(f"{self.seed} {self.said} {what}")

    @property
    def serving(self) -> bool:
        # Now and then a player has another turn.
        return (len(self.said) + self.seed) % 3 != 1

    def mark(self) -> int:
        return len(self.said)

    def undo(self, mark: int) -> None:
        del self.said[mark:]

    def placeable(self, kind: int) -> bool:
        return self.seed % 2 == 0 or self.chance("place", kind).random() < 0.8

    def turns(self, kind: int, *, last: bool) -> Sequence[int | Reveal[int]]:
        rng = self.chance("turns", kind) if self.seed % 2 else random.Random(kind)
        plain = rng.sample(range(10 * kind, 10 * kind + 10), rng.randint(1, 4))
        if rng.random() < 0.7:
            return plain
        cases = ((2, (100, 101)), (WAYS - 2, (plain[0], Reveal(102, ((WAYS, (103,)),)))))
        return [*plain, Reveal(100, cases)]

    def play(self, turn: int, *, last: bool) -> None:
        self.said.append(turn)

    def pass_turn(self) -> None:
        self.said.append(-1)

    def end(self) -> int:
        return self.chance("end").randint(*self.limits)

    stand = end

    def again(self, turn: int) -> int | None:
        known = turn < 100 and turn in self.turns(turn // 10, last=False)
        return turn if known else None

    def promise(self, turn: int | Reveal[int]) -> int:
        return 0 if isinstance(turn, Reveal) else turn % 7

    def last(self, kind: int, low: int, high: int) -> int | None:
        return None

    def replied(
        self, options: Sequence[int | Reveal[int]], reply: int, then: int
    ) -> Iterator[tuple[int, int]]:
        serving = self.serving
        for turn in options:
            if isinstance(turn, Reveal) or self.chance("known", turn).random() < 0.3:
                continue
            mark = self.mark()
            self.play(turn, last=False)
            can = self.serving is not serving and self.placeable(reply // 10)
            if can and self.again(reply) is not None:
                self.play(reply, last=False)
                lasts = [last for last in self.turns(then, last=True) if isinstance(last, int)]
                if self.placeable(then) and len(lasts) == len(self.turns(then, last=True)):
                    yield turn, self.best(lasts)
            self.undo(mark)

    def best(self, lasts: Sequence[int]) -> int:
        ends = []
        for last in lasts:
            self.play(last, last=True)
            ends.append(self.end())
            self.undo(self.mark() - 1)
        return max(ends) if self.serving else min(ends)


@pytest.mark.parametrize("seed", range(40))
def test_windows_tell_the_truth(seed: int) -> None:
    """Within its window the value is that of expectimax, beyond it a bound on the right side."""
    rng = random.Random(seed)
    bag = tuple(sorted(rng.choices((1, 2, 3), k=3)))
    stock = Stock(rng.choice(((), (1,))), bag)
    until = rng.choice((0, 0, 1))
    scale = stock.orders * WAYS ** (2 * stock.size)
    game = Numbers(seed)
    plain = Expectimax(game, Order.CHANCE, until, Budget().start())
    value = plain.value(stock, scale)
    for _ in range(12):
        low = rng.randint(-11 * scale, 10 * scale)
        near = rng.random() < 0.5
        low = value - rng.randint(1, 5) if near else low
        high = low + rng.choice((1, scale, 7, 20 * scale))
        replied = game.replied if rng.random() < 0.7 else None
        search = Star2(game, until, Budget().start(), replied=replied)
        found = search.value(stock, scale, low, high)
        if low < value < high:
            assert found == value
        elif value <= low:
            assert value <= found <= low
        else:
            assert high <= found <= value
        assert not game.said


def test_much_is_left_out() -> None:
    """Star2 plays fewer turns, even where what is good here says little elsewhere."""
    spent = []
    for searching in (False, True):
        watch = Budget().start()
        stock, scale = Stock((), (1, 2, 3, 3)), 24 * WAYS**8
        for seed in range(1, 11, 2):
            game = Numbers(seed)
            if searching:
                Star2(game, 0, watch).value(stock, scale, -9 * scale, 9 * scale)
            else:
                Expectimax(game, Order.CHANCE, 0, watch).value(stock, scale)
        spent.append(watch.nodes)
    assert spent[1] < spent[0]
