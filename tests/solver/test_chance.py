"""What may be drawn, and how likely it is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from solver.search.chance import Stock


def by_hand(stock: Stock, fitting: set[int]) -> Counter[tuple[tuple[int, ...], int]]:
    """Draw from every order of the bag until a tile has a place; count what comes of it."""
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    for bag in permutations(stock.bag):
        tiles = (*stock.order, *bag)
        at = next((at for at, tile in enumerate(tiles) if tile in fitting), len(tiles))
        gone = (*stock.order[:at], *sorted(tiles[len(stock.order) : at]))
        found[gone, tiles[at] if at < len(tiles) else -1] += 1
    return found


@pytest.mark.parametrize(
    ("stock", "fitting"),
    [
        (Stock((), (1, 2, 2, 3)), {1, 2, 3}),
        (Stock((), (1, 2, 2, 3)), {1, 3}),
        (Stock((), (1, 2, 2, 3, 3)), {1}),
        (Stock((), (1, 2, 2)), set()),
        (Stock((7, 8), (1, 2, 2)), {2, 9}),
        (Stock((7, 8), (1, 2)), {8}),
        (Stock((7,), ()), set()),
    ],
)
def test_draws_are_as_likely_as_orders_have_it(stock: Stock, fitting: set[int]) -> None:
    """Tiles without a place leave, in whatever order; what is left and the chances are right."""
    draws = list(stock.draws(fitting.__contains__))
    for draw in draws:
        left = Counter((*stock.order, *stock.bag)) - Counter((*draw.gone, draw.kind))
        assert left == Counter((*draw.left.order, *draw.left.bag))
        assert stock.orders % draw.out_of == 0
    chances = {(draw.gone, draw.kind): Fraction(draw.ways, draw.out_of) for draw in draws}
    if all(kind not in fitting for kind in stock.order):
        counted = by_hand(stock, fitting)
        assert chances == {key: Fraction(n, counted.total()) for key, n in counted.items()}
    assert sum(chances.values()) == 1
