"""Small symbols, each drawn round the point 0, 0."""

from __future__ import annotations

from burgrave.model.pictures.xml import box, circle, group, path
from burgrave.model.tiles import Kind, Mark


def turret() -> str:
    """Return a round tower from above, with its battlement."""
    return circle((0, 0), 12, "stone") + circle((0, 0), 8, "battlement")


def house() -> str:
    """Return a house from the front."""
    return path("M-9-1H9V11H3V4H-3V11H-9Z", "stone") + path("M-13 0L0-13L13 0Z", "roof")


def chapel() -> str:
    """Return a chapel: a steep roof with a cross."""
    walls = box((-8, 0), 16, 12, "stone")
    door = path("M-3 12V7Q0 3 3 7V12Z", "dark")
    return walls + door + path("M-11 1L0 -9L11 1Z", "roof") + _cross(-15, 6)


def cloister() -> str:
    """Return a cloister: a long house with a tower and a cross."""
    nave = box((-6, -1), 20, 13, "stone") + path("M-8 0L-4 -8H12L16 0Z", "roof")
    tower = box((-15, -6), 10, 18, "stone") + path("M-17 -6L-10 -15L-3 -6Z", "roof")
    window = path("M2 9V4Q4.5 1 7 4V9Z", "dark")
    return nave + tower + window + group(_cross(-20, 5), at=(-10, 0))


def _cross(top: float, height: float) -> str:
    """Return a small cross."""
    return path(f"M0 {top}V{top + height + 2}M-3 {top + 2.5}H3", "tool")


def city() -> str:
    """Return two houses close together."""
    back = path("M0-5H12V5H0Z", "stone") + path("M-3-4L6-13L15-4Z", "roof")
    front = path("M-12 1H0V11H-12Z", "stone") + path("M-15 2L-6-7L3 2Z", "roof")
    return back + front


def market() -> str:
    """Return a market stall under a striped awning."""
    posts = path("M-10 -2V10M10 -2V10M-10 5H10", "tool")
    awning = path("M-13 -2L-10 -11H10L13 -2Z", "gold")
    stripes = path("M-6.5 -11L-8 -2H-4L-3 -11ZM3 -11L4 -2H8L6.5 -11Z", "roof")
    return posts + awning + stripes


def fountain() -> str:
    """Return a fountain."""
    return circle((0, 0), 9.5, "water") + circle((0, 0), 11, "rim") + circle((0, 0), 3, "pale")


def shield() -> str:
    """Return a shield with a pale bend."""
    field = path("M-9 -10H9V0Q9 9 0 13Q-9 9 -9 0Z", "shield")
    return field + path("M-9 -10H-3L9 3Q8.5 6 7 8L-9 -8Z", "pale")


def inn() -> str:
    """Return an inn by its lake."""
    lake = path("M-14 8Q-9 2 0 5Q9 2 14 8Q8 13 0 12Q-8 13 -14 8Z", "water")
    walls = box((-6, -5), 12, 11, "stone") + path("M-9 -4L0 -13L9 -4Z", "roof")
    return lake + walls + path("M-2 6V1H2V6Z", "dark")


def cathedral() -> str:
    """Return a cathedral: two towers, and a round window between them."""
    towers = box((-12, -8), 8, 22, "stone") + box((4, -8), 8, 22, "stone")
    spires = path("M-13 -8L-8 -19L-3 -8ZM3 -8L8 -19L13 -8Z", "roof")
    nave = box((-4, -2), 8, 16, "stone") + circle((0, 3), 3, "water")
    return nave + towers + spires + path("M-2.5 14V10Q0 7 2.5 10V14Z", "dark")


def aerie() -> str:
    """Return a falcon with spread wings in a ring."""
    bird = "M0 -7L2 -4Q6 -7 10 -5Q9 1 3.5 2L3 7H-3L-3.5 2Q-9 1 -10 -5Q-6 -7 -2 -4Z"
    return circle((0, 0), 13, "nest") + path(bird, "falcon")


def square() -> str:
    """Return a paved square in which paths end."""
    paving = path("M-5 -10V10M5 -10V10M-10 -5H10M-10 5H10", "rim")
    return box((-11, -11), 22, 22, "stone", rx=2) + paving


def door() -> str:
    """Return the door at which a path ends."""
    return circle((0, 0), 7, "stone") + path("M-3.5 4.5V-1Q0 -6 3.5 -1V4.5Z", "dark")


def village() -> str:
    """Return the village at which roads end."""
    return circle((0, 0), 11, "stone") + group(
        path("M-6 6V-1H6V6Z", "stone"), path("M-8 -1L0 -8L8 -1Z", "roof"), at=(0, 1)
    )


def foundation() -> str:
    """Return the place on which a tower can be built."""
    ring = path("M-5 -12H5L12 -5V5L5 12H-5L-12 5V-5Z", "stone")
    return ring + circle((0, 0), 5.5, "dark")


AREAS = {
    Kind.TOWER: turret,
    Kind.HOUSE: house,
    Kind.CHAPEL: chapel,
    Kind.CLOISTER: cloister,
    Kind.CITY: city,
}
"""The pattern that shows the kind of an area without its colour."""
MARKS = {
    Mark.MARKET: market,
    Mark.FOUNTAIN: fountain,
    Mark.SHIELD: shield,
    Mark.INN: inn,
    Mark.CATHEDRAL: cathedral,
}
"""The symbol of each mark."""
