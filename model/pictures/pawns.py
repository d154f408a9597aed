"""Draw followers, markers and tower pieces: a colour and a letter for each player."""

from __future__ import annotations

from burgrave.model.components import Follower, Rank, Role
from burgrave.model.games import Game
from burgrave.model.pictures.sheet import Svg, picture
from burgrave.model.pictures.style import PLAYER_COLOURS
from burgrave.model.pictures.xml import Point, box, circle, group, path, title, words

_STANDING = (
    "M-4.5 -6.2A6.8 6.8 0 1 1 4.5 -6.2C12 -5 17 -2 17 2Q17 5 13 5H8L12 18H3L0 11L-3 18H-12L-8 5"
    "H-13Q-17 5 -17 2C-17 -2 -12 -5 -4.5 -6.2Z"
)
_ROBED = "M-4.5 -6.2A6.8 6.8 0 1 1 4.5 -6.2Q11 -1 13 18H-13Q-11 -1 -4.5 -6.2Z"
_LYING = (
    "M-6.2 4.5A6.8 6.8 0 1 1 -6.2 -4.5C-5 -12 -2 -17 2 -17Q5 -17 5 -13V-8L18 -12V-3L11 0L18 3V12"
    "L5 8V13Q5 17 2 17C-2 17 -5 12 -6.2 4.5Z"
)
SCALE = 1.2
"""The scale of followers on the board against those beside it."""
_LARGE = 1.8
"""Their scale in a small picture."""
_STOREY, _STOREYS = 7.0, 5
"""The height of a drawn tower piece, and the largest number of them."""
_BODIES = {
    Role.PREACHER: _ROBED,
    Role.MONK: _ROBED,
    Role.MERCHANT: _LYING,
    Role.FARMER: _LYING,
}
"""The silhouette of each role that does not stand with open arms."""
_TOOLS = {
    Role.HERALD: "M17 17V-19L28 -14L17 -9",
    Role.KNIGHT: "M18 10V-19M13 2H23",
    Role.SQUIRE: "M18 14V-7M18 13H22M18 8H22M18 -7A4 4 0 1 1 18 -15A4 4 0 1 1 18 -7",
    Role.PREACHER: "M17 17V-18M11 -11H23",
    Role.MONK: "M11 -4H23V10H11ZM17 -4V10",
    Role.THIEF: "M-11 -14H11M-5 -15V-20H5V-15",
}
"""Role → object that a figure carries or wears; a lying figure carries nothing."""
_CROWN = "M-8 -4L-9 -13L-4 -9L0 -15L4 -9L9 -13L8 -4Z"
_BIRD = "M0 -6Q4 -13 13 -12Q11 -5 4 -3L0 1L-4 -3Q-11 -5 -13 -12Q-4 -13 0 -6Z"


def colour(game: Game, player: int) -> str:
    """Return the colour of a player: the one in his name, if any."""
    name = game.players[player]
    return name if name in PLAYER_COLOURS else PLAYER_COLOURS[player % len(PLAYER_COLOURS)]


def figure(
    game: Game,
    player: int,
    role: Role | None = None,
    rank: Rank = Rank.FOLLOWER,
    *,
    small: bool = False,
) -> str:
    """Return a follower, about 34 units high, round the point 0, 0.

    Args:
        game: says how the player is called.
        player: his index.
        role: his role; None for one in the supply or on a tower.
        rank: his rank, which he wears or which makes him large.
        small: whether the picture is too small for what he carries and for letters.

    """
    lying = role in {Role.MERCHANT, Role.FARMER}
    own = colour(game, player)
    head: Point = (-11, 0) if lying else (0, -11)
    tool = "" if role is None or small else _TOOLS.get(role, "")
    carried = path(tool, "halo") + path(tool, "tool") if tool else ""
    shape = path(_STANDING if role is None else _BODIES.get(role, _STANDING), f"body {own}")
    worn = _worn(rank, head)
    letter = (
        ""
        if small
        else words(game.letter(player), (1, 0) if lying else (0, 1.5), 13, f"letter {own}-ink")
    )
    drawn = carried + shape + worn + letter
    return group(drawn, at=(0, 0), scale=_BIG) if rank is Rank.BIG else drawn


_BIG = 1.35
"""How much larger the big follower is."""


def _worn(rank: Rank, head: Point) -> str:
    """Return what a follower of a rank wears on his head."""
    hat = {Rank.KING: (_CROWN, "gold"), Rank.FALCONER: (_BIRD, "falcon")}.get(rank)
    return "" if hat is None else group(path(*hat), at=(head[0], head[1] - 4))


def figure_svg(rank: Rank) -> Svg:
    """Return a follower of a rank as a picture without a colour; who shows it adds the class."""
    drawn = path(_STANDING, "body") + _worn(rank, (0, -11))
    if rank is Rank.BIG:
        drawn = group(drawn, at=(0, 0), scale=_BIG)
    return picture(drawn, (-20, -32, 40, 54), f"A {rank.called}", "", theme=None)


def follower(game: Game, who: Follower, at: Point, *, small: bool = False) -> str:
    """Return a follower on the board; larger and without a letter for a small picture."""
    if small:
        drawn = figure(game, who.player, who.role, who.rank, small=True)
        return group(drawn, at=at, scale=_LARGE)
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


def guard_height(height: int) -> float:
    """Return the place of a guard on a tower of some pieces, from its foot upwards."""
    return tower_top(height) - 14


def wall_tile(number: int, at: Point) -> str:
    """Return a wall tile; a question mark if it lies face down."""
    plate = box((-14, -12), 28, 24, "gold", rx=4)
    return group(plate, words(str(number or "?"), (0, 0), 17, "letter"), at=at)
