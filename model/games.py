"""A game: the board, the tiles, the switches and the table of its rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from burgrave.model.boards import Board
from burgrave.model.components import Node, Prisoner, Rank
from burgrave.model.geometry import Cell
from burgrave.model.registry import split
from burgrave.model.rule import Switch
from burgrave.model.tiles import PlacedTile, TileKind, TileSet

DEFAULT_EDITION = "today"
"""The edition of Carcassonne's rules where a file or a question names none."""
UNOFFICIAL = "Burgrave is unofficial."
"""The notice beside every board and tile: no publisher or author has a part in Burgrave."""
RECONSTRUCTED = "Some of the tiles are reconstructions, not the printed ones."
"""The notice beside tiles that are not copied from printed ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A printed edition of the rules: a bundle of switch values."""

    name: str
    """The word by which files and options name it, ``today``."""
    title: str
    """The boxes that hold it, and their rules in words."""
    switches: Mapping[str, str]
    """Values that are not the default, by name of the switch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The names of an expansion that a game is played without."""

    title: str
    game: str
    """Id of the game with it."""
    brings: frozenset[str]
    """Names, in lower case, of all that a game without it does not have."""


class Rules(ABC):
    """The rules of a game, as far as board and features ask them.

    ``model.book.RuleBook`` is what a game holds; ``model.book.book_of`` reads it. The type of the
    book names positions, and a position names its game, so the game itself knows no more.
    """

    __slots__ = ()

    @abstractmethod
    def joined(
        self, tile: PlacedTile, laid: Mapping[Cell, PlacedTile]
    ) -> Iterator[tuple[Node, Node]]:
        """Yield the pairs of segments, one of them of the tile, that are one feature.

        Each pair of the board comes once if this is asked of each of its tiles.

        Args:
            tile: a tile on the board.
            laid: tiles and start-space pictures by cell.

        """

    @abstractmethod
    def arranged(self, game: Game) -> Game:
        """Return the game with the board that its switches make."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The game: fixed for all its positions."""

    id: str
    title: str
    players: tuple[str, ...]
    """Names of the players, ``white`` and ``black``."""
    followers: int
    """Followers of a player besides the scoring marker."""
    rules: Rules
    """The rules that are in force: a ``RuleBook``."""
    board: Board
    tile_set: TileSet
    picture_kinds: tuple[TileKind, ...] = ()
    """The pictures that a start space of this board can show."""
    shows: tuple[str, ...] = ()
    """The picture of each start space, in the board's order: ids of picture kinds."""
    switches: tuple[tuple[Switch, str], ...]
    """The switches of the game with their values."""
    walls: tuple[Board, ...] = ()
    """Of a shipped wall with gates the boards that switches choose from, by the gates' width."""
    specials: tuple[Rank, ...] = ()
    """Followers with a rank that each player has besides, sorted."""
    without: tuple[Missing, ...] = ()
    """Expansions that it is played without, so that errors can name them."""
    edition: Edition | None = None
    """The edition that the switches were taken from; None of a game with one edition alone."""
    _pictures: tuple[PlacedTile, ...] = field(default=(), init=False, repr=False, compare=False)
    """Found when they are first asked for; every list of moves asks. Empty until then."""

    _values: Mapping[str, str] = field(init=False, repr=False, compare=False)
    """Value of each switch by its name. Derived once: the rules ask again and again."""

    def __post_init__(self) -> None:
        """Derive the values of the switches by name."""
        values = {switch.name: value for switch, value in self.switches}
        object.__setattr__(self, "_values", values)

    def __repr__(self) -> str:
        """Return one short line: with board and tiles a game would fill pages."""
        return f"<Game {self.id}>"

    def __hash__(self) -> int:
        """Return a hash of names: that of all contents costs more than what caches save by it."""
        edition = self.edition and self.edition.name
        return hash((self.id, self.tile_set.id, edition, self.followers))

    @property
    def base(self) -> str:
        """Id of the game without expansions."""
        return split(self.id)[0]

    @property
    def expansions(self) -> tuple[str, ...]:
        """Ids of its expansions."""
        return split(self.id)[1]

    def value(self, switch: Switch) -> str:
        """Return the value of a switch."""
        return self._values[switch.name]

    @property
    def pictures(self) -> tuple[PlacedTile, ...]:
        """The start-space pictures as tiles on the wall."""
        if len(self._pictures) != len(self.shows):
            kinds = {kind.id: kind for kind in self.picture_kinds}
            pairs = zip(self.board.starts, self.shows, strict=True)
            found = tuple(start.picture(kinds[shown]) for start, shown in pairs)
            object.__setattr__(self, "_pictures", found)
        return self._pictures

    @property
    def named(self) -> str:
        """The title with the edition of the rules, and the switches that differ from it.

        ``Carcassonne, edition rgg2006 with tie = none``. A game with one edition has its title.
        """
        if self.edition is None:
            return self.title
        own = ", ".join(f"{name} = {value}" for name, value in self.changed_switches().items())
        return f"{self.title}, edition {self.edition.name}{own and ' with '}{own}"

    @property
    def label(self) -> str:
        """The notice beside every board of the game.

        Burgrave is unofficial, and tiles whose note calls them a reconstruction are not those of
        the printed game. The rules of a game with several editions differ.
        """
        if self.edition is not None:
            return f"{self.named}. {UNOFFICIAL}"
        return f"{UNOFFICIAL} {RECONSTRUCTED}" if self.reconstructed else UNOFFICIAL

    @property
    def reconstructed(self) -> bool:
        """Whether the set of tiles calls itself a reconstruction."""
        return "reconstruct" in f"{self.tile_set.title} {self.tile_set.note}".lower()

    def name(self, player: int) -> str:
        """Return a player's name with a capital, ``White``."""
        return self.players[player].capitalize()

    def owned(self, one: Prisoner) -> str:
        """Return whose follower a prisoner is, as files write it: ``blue``, ``blue:big``."""
        rank = "" if one.rank is Rank.FOLLOWER else f":{one.rank}"
        return self.players[one.owner] + rank

    def owner(self, one: Prisoner) -> str:
        """Return whose follower a prisoner is, in words: ``Blue``, ``Blue (big follower)``."""
        rank = "" if one.rank is Rank.FOLLOWER else f" ({one.rank.called})"
        return self.name(one.owner) + rank

    def letter(self, player: int) -> str:
        """Return a player's letter: the first of his name that no earlier player has."""
        taken: list[str] = []
        for name in self.players[: player + 1]:
            spare = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            taken.append(next(c for c in (*name.upper(), *spare) if c.isalpha() and c not in taken))
        return taken[player]

    def with_switches(self, values: Mapping[str, str]) -> Game:
        """Return the game with other values of some switches.

        Args:
            values: value by name of the switch.

        Raises:
            KeyError: no switch of that name.
            ValueError: a value that the switch does not have.

        """
        known = {switch.name for switch, _ in self.switches}
        for name in values:
            if name not in known:
                raise KeyError(name)
        changed = []
        for switch, old in self.switches:
            value = values.get(switch.name, old)
            if value not in switch.values:
                raise ValueError(f"{switch.name} = {value}: allowed are {', '.join(switch.values)}")
            changed.append((switch, value))
        game = replace(self, switches=tuple(changed))
        return self.rules.arranged(game)

    def foreign(self, name: str) -> str:
        """Return words that say to which expansion a name belongs; none if to none.

        Args:
            name: a tile, a follower, a kind of segment, a switch, a start space, a key.

        """
        for expansion in self.without:
            if name.lower() in expansion.brings:
                return f' (it belongs to {expansion.title}, game = "{expansion.game}")'
        return ""

    def changed_switches(self) -> dict[str, str]:
        """Return the switches whose value is not that of the game's edition, with their values.

        In a game with one edition alone these are the switches that do not have their default.
        """
        usual = self.edition.switches if self.edition is not None else {}
        return {
            switch.name: value
            for switch, value in self.switches
            if value != usual.get(switch.name, switch.default)
        }
