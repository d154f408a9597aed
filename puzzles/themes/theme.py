"""A theme: its name, its definition, and the function that detects it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from burgrave.model.position import Position
from burgrave.model.registry import CARCASSONNE, CASTLE, GAMES, ids
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN
from burgrave.puzzles.selfplay.look import Look, Place, Where
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.study import Study
from burgrave.puzzles.themes.signs import Outlook, Sign

CASTLES = frozenset(ids(base=CASTLE))
PLANES = frozenset(ids(base=CARCASSONNE))
EVERY = frozenset(GAMES)
FALCON = frozenset(ids(expansion="falcon"))
INNS = frozenset(ids(expansion="inns"))
TOWER = frozenset(ids(expansion="tower"))
PRIZES = (EXTRA_TURN, 8, 9)
"""Wall tiles that are worth points near the end of most games."""
AHEAD = 20
"""Points that few turns bring."""
NEVER: frozenset[str] = frozenset()


Glimpse = Callable[[Look, Sequence[Look]], bool]
"""Tells of the key, and of every turn with it, whether a theme may occur."""


def anywhere(position: Position) -> bool:  # noqa: ARG001 -- of any position
    """Tell that a theme may occur in any position."""
    return True


def within_reach(position: Position, *numbers: int) -> bool:
    """Tell whether the player to move has or may take a wall tile of some numbers."""
    state = position.players[position.to_move]
    on_towers = (number for _, number in position.towers)
    return not {*numbers, 0}.isdisjoint((*state.wall_tiles, *state.fresh_wall_tiles, *on_towers))


def extra_turns(position: Position) -> bool:
    """Tell whether the player to move may have more turns than every second."""
    return position.extra_turns > 0 or within_reach(position, EXTRA_TURN)


def in_hand(*numbers: int) -> Callable[[Position], float]:
    """Return a test whether the player to move holds one wall tile of some numbers."""

    def suits(position: Position) -> float:
        held = position.players[position.to_move].wall_tiles
        return float(sum(held.count(number) for number in numbers) == 1)

    return suits


def prizes(position: Position) -> float:
    """Count good wall tiles on corner towers ahead of the player to move.

    A wall tile 2 or 3 in his hand tempts him to pass by them.
    """
    player, board = position.players[position.to_move], position.game.board
    held = dict(position.towers)
    towers = {board.tower_at(player.score + points) for points in range(1, AHEAD)}
    good = sum(held.get(tower.name) in PRIZES for tower in towers if tower is not None)
    return good + 2 * in_hand(2, 3)(position)


def everywhere(place: Place) -> bool:  # noqa: ARG001 -- of any place
    """Tell that a theme may occur wherever the key lays its tile."""
    return True


def always(outlook: Outlook) -> bool:  # noqa: ARG001 -- of any game
    """Tell that any game is worth going on with."""
    return True


def whatever(key: Look, looks: Sequence[Look]) -> bool:  # noqa: ARG001 -- of any turn
    """Tell that a theme may occur with any key."""
    return True


def alone(key: Look, looks: Sequence[Look], by: int = 1) -> bool:
    """Tell whether a turn's estimated value exceeds every other one by some points."""
    return all(one.worth + by <= key.worth or one is key for one in looks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """An idea that a solution shows. It decorates its detector: ``@partial(Theme, name="x")``."""

    detect: Callable[[Study], bool] = field(kw_only=False)
    """Tells whether the solution of a puzzle shows it; says in its docstring what that is."""
    name: str
    """With hyphens, ``merge-to-tie``."""
    games: frozenset[str] = EVERY
    """Ids of the games in which it can occur."""
    elementary: bool = False
    """Whether the move that wins most points at once may be the solution."""
    refuting: bool = False
    """Whether refuted moves decide about it too, and not best play alone."""
    possible: Callable[[Position], bool] = anywhere
    """Quick test of a position: whether the theme can occur at all."""
    placed: Callable[[Place], bool] = everywhere
    """Quick test of the key's place: usually true where the theme occurs."""
    where: Where = Where.ANYWHERE
    """The cells on which that may be so."""
    glimpsed: Glimpse = whatever
    """Quick test of the key among all turns: always true where the theme occurs."""
    sought: Glimpse | None = None
    """Quick test of the key: usually true where the theme occurs; None if it shows little."""
    suits: Callable[[Position], float] | None = None
    """Rates the tiles to come and the wall tiles in hand for the theme; None if all do."""
    lands: bool = False
    """Whether the player's marker must be able to land on a corner tower."""
    sign: Sign | None = None
    """Tells in self-play how near a position is to what the theme needs; None if it is frequent."""
    ready: Callable[[Outlook], bool] = always
    """Tells of a game near its end whether it is worth going on with for the theme."""
    turns: tuple[int, int] = (8, 20)
    """Fewest and most turns of self-play: on a small board searches are short, and little is idle.
    """
    pieces: tuple[int, int] = (0, 0)
    """Tower pieces that the player and his opponent keep in self-play for what the theme needs."""
    late: Callable[[Rehearsal, str], float] | None = None
    """Rates a later place of a tile in the order for the theme; None if it is alike.

    A tile that does not fit the theme has the value minus infinity."""
    once: frozenset[str] = EVERY
    """Ids of the games in which a single turn may show it, if it occurs in them."""
    deed: bool = False
    """Whether the key does something on a tower, so that its tile alone makes a place the best."""

    @property
    def title(self) -> str:
        """The name as a heading."""
        return self.name.replace("-", " ").capitalize()

    @property
    def definition(self) -> str:
        """The definition of the theme: the docstring of the detector."""
        return " ".join(inspect.cleandoc(self.detect.__doc__ or "").split())
