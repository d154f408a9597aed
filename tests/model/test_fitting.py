"""Which tiles to come fit on which cells, and cells that no tile will ever fill."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from burgrave.model.draws import draws
from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import read_position
from burgrave.model.fitting import fillable, fits
from burgrave.model.geometry import Cell
from burgrave.model.places import places
from tests.late import near_end

DEAD = """
burgrave = 1
type = "position"
game = "carcassonne"
board = [
    "U@0,1r1", "B@-1,1r0", "E@-1,0r1", "B@-1,-1r0", "U@0,-1r1", "B@1,1r0", "E@1,0r3",
]
bag = { U = 2, V = 3, A = 1 }
"""
"""A cell with roads in the north and south, and cities in the east and west."""


@pytest.mark.parametrize("game", ["castle", "falcon", "carcassonne", "tower"])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_fits_are_the_legal_places(game: str, seed: int) -> None:
    """Each kind to come fits on the cells and at the rotations that the rules allow."""
    position = near_end(game, random.Random(seed).randrange(3, 9), seed)
    wanted = {
        (tile.kind.id, tile.cell, tile.rotation)
        for kind in set(position.order)
        for tile in places(position, kind)
    }
    found = fits(position)
    assert {
        (fit.kind.id, one.cell, turn) for one in found for fit in one.fits for turn in fit.rotations
    } == wanted
    stock = Counter(position.order)
    for one in found:
        assert one.left == sum(stock[fit.kind.id] for fit in one.fits)
        assert fillable(position, one.cell) == bool(one.fits)
        assert [fit.left for fit in one.fits] == sorted((f.left for f in one.fits), reverse=True)


def test_a_dead_cell_is_found() -> None:
    """No tile of the bag has roads and cities on opposite sides."""
    position = read_position("dead", DEAD)
    assert [one.cell for one in fits(position) if not one.fits] == [Cell(0, 0)]
    assert not fillable(position, Cell(0, 0))
    (alone,) = fits(position, Cell(0, 0))
    assert alone.left == 0
    (other,) = fits(position, Cell(1, 2))
    assert [(fit.kind.id, fit.left) for fit in other.fits] == [("V", 3), ("U", 2), ("A", 1)]


def test_a_dead_cell_stays_dead() -> None:
    """Whatever is laid later, no tile fits where none fitted before."""
    for seed in range(6):
        position = near_end("carcassonne", 12, seed)
        dead = {one.cell for one in fits(position) if not one.fits}
        draw = next(iter(draws(position)))
        assert draw.tile is not None
        later = near_end("carcassonne", 6, seed)
        assert dead <= {one.cell for one in fits(later) if not one.fits}


@pytest.mark.parametrize(
    ("cell", "why"),
    [(Cell(0, 1), "cell 0,1 holds tile U"), (Cell(5, 5), "nothing lies beside it")],
)
def test_a_cell_that_cannot_be_filled_next_is_refused(cell: Cell, why: str) -> None:
    """A cell with a tile, and one far from all tiles."""
    with pytest.raises(QuestionError, match=why):
        fits(read_position("dead", DEAD), cell)
