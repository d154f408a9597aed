"""Draw followers, markers and tower pieces with distinct colours, letters and heads."""

from __future__ import annotations

from model.components import Follower, Rank, Role
from model.games import Game
from model.pictures.style import PLAYER_COLOURS
from model.pictures.xml import Point, box, circle, group, path, title, words

_HEADS = (
    "M-7 0A7 7 0 1 1 7 0A7 7 0 1 1 -7 0Z",
    "M-6.5 -6.5H6.5V6.5H-6.5Z",
    "M0 -9L9 0L0 9L-9 0Z",
    "M0 -9L9 7H-9Z",
    "M-4 -7.5H4L8 0L4 7.5H-4L-8 0Z",
    "M-9 -7H9L0 9Z",
)
"""The shape of the head by player: disc, square, diamond, triangle, hexagon, wedge."""
SCALE = 1.2
"""The scale of followers on the board against those beside it."""
_STOREY, _STOREYS = 7.0, 5
"""The height of a drawn tower piece, and the largest number of them."""
_GOWN = "M-12 17Q-11 -3 0 -4Q11 -3 12 17Z"
_LYING = "M-7 -7Q16 -7 18 12H-7Z"
_TOOLS = {
    Role.HERALD: "M13 15V-14L24 -10L13 -5",
    Role.KNIGHT: "M14 15V-16M9 2H19",
    Role.SQUIRE: "M14 15V-6M14 10H18M14 5H18M14 -6A4 4 0 1 1 14 -14A4 4 0 1 1 14 -6",
    Role.PREACHER: "M14 15V-16M8 -9H20",
    Role.MONK: "M8 -6H20V10H8ZM14 -6V10",
    Role.THIEF: "M15 3A6 6 0 1 1 14.9 3M11 -2L15 3L19 -2",
    Role.MERCHANT: "M16 -13A6 6 0 1 1 4 -13A6 6 0 1 1 16 -13M10 -15V-11",
    Role.FARMER: "M-14 -18V-6M2 -18H-14M2 -13H-14M2 -23V-13M2 -23H-2M2 -18H-2M2 -13H-2",
}
"""The attribute of each role."""
_CROWN = "M-8 -4L-9 -13L-4 -9L0 -15L4 -9L9 -13L8 -4Z"
_BIRD = "M0 -6Q4 -13 13 -12Q11 -5 4 -3L0 1L-4 -3Q-11 -5 -13 -12Q-4 -13 0 -6Z"


def colour(game: Game, player: int) -> str:
    """Return the colour of a player: the one in his name, if any."""
    name = game.players[player]
    return name if name in PLAYER_COLOURS else PLAYER_COLOURS[player % len(PLAYER_COLOURS)]


def figure(game: Game, player: int, role: Role | None = None, rank: Rank = Rank.FOLLOWER) -> str:
    """Return a follower, about 34 units high, round the point 0, 0.

    Args:
        game: says how the player is called.
        player: his index.
        role: his role; None for one in the supply or on a tower.
        rank: king, falconer or neither.

    """
    lying = role in {Role.MERCHANT, Role.FARMER}
    own = colour(game, player)
    head: Point = (-13, 4) if lying else (0, -10)
    tool = "" if role is None else _TOOLS[role]
    carried = path(tool, "halo") + path(tool, "tool") if tool else ""
    gown = path(_LYING if lying else _GOWN, f"body {own}")
    shape = group(path(_HEADS[player % len(_HEADS)], f"body {own}"), at=head)
    hat = {Rank.KING: (_CROWN, "gold"), Rank.FALCONER: (_BIRD, "falcon")}.get(rank)
    worn = "" if hat is None else group(path(*hat), at=(head[0], head[1] - 3))
    letter = words(game.letter(player), (3, 4) if lying else (0, 8), 15, f"letter {own}-ink")
    return carried + gown + shape + worn + letter


def follower(game: Game, who: Follower, at: Point) -> str:
    """Return a follower on the board."""
    cell, segment = who.node
    return group(
        title(f"{game.name(who.player)}'s {who.title} on {cell}"),
        figure(game, who.player, who.role, who.rank),
        at=at,
        scale=SCALE,
        class_="follower",
        data_follower=f"{cell},{segment}",
        data_player=str(who.player),
    )


def marker(game: Game, player: int, at: Point) -> str:
    """Return a scoring marker, 20 units wide."""
    own = colour(game, player)
    return group(
        title(f"{game.name(player)}'s marker"),
        circle((0, 0), 11, f"body {own}"),
        words(game.letter(player), (0, 0), 14, f"letter {own}-ink"),
        at=at,
        class_="marker",
        data_player=str(player),
    )


def tower(height: int) -> str:
    """Return a tower of some pieces with its height written on it, its foot round 0, 0."""
    blocks = [
        box((-12, 3 - _STOREY * level), 24, _STOREY, "stone")
        for level in range(min(height, _STOREYS))
    ]
    top = tower_top(height)
    crown = f"M-14 {top + 9}V{top}H-8V{top + 5}H-3V{top}H3V{top + 5}H8V{top}H14V{top + 9}Z"
    number = circle((0, 5), 8.5, "gold") + words(str(height), (0, 5), 13, "letter")
    return "".join(blocks) + path(crown, "stone") + number


def tower_top(height: int) -> float:
    """Return the height of a tower of some pieces, from its foot upwards."""
    return 3.0 - _STOREY * min(height, _STOREYS) - 4


def wall_tile(number: int, at: Point) -> str:
    """Return a wall tile; a question mark if it lies face down."""
    plate = box((-14, -12), 28, 24, "gold", rx=4)
    return group(plate, words(str(number or "?"), (0, 0), 17, "letter"), at=at)
