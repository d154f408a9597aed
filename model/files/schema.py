"""The file models from which the published JSON Schema is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import (  # noqa: TID253 -- the module that owns the file models
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
)

from burgrave.model.games import DEFAULT_EDITION
from burgrave.model.registry import BASES, CARCASSONNE, CASTLE, ids, split

TileId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]{0,31}$")]
PlayerName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,15}$")]
BoardLine = Annotated[str, StringConstraints(max_length=400)]
Coordinates = tuple[int, int]
WallTileNumber = Annotated[int, Field(ge=0, le=9)]
SideName = Literal["N", "E", "S", "W"]
if TYPE_CHECKING:
    CastleId: TypeAlias = str
    PlaneId: TypeAlias = str
else:
    CastleId = Literal[ids(base=CASTLE)]
    PlaneId = Literal[ids(base=CARCASSONNE)]
RankedName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,15}(:[a-z]{1,16})?$")]
SpecialName = Literal["king", "falconer"]
AerieName = Annotated[str, StringConstraints(pattern=r"^-?\d{1,3},-?\d{1,3}\.\d{1,2}$")]


class FileModel(BaseModel):
    """Base of all files: unknown keys are errors, numbers are not made of strings."""

    # A command reads one or two kinds of files: only their models are built, when they are used.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class TileEntry(FileModel):
    """One kind of tile in a set."""

    id: TileId
    count: Annotated[int, Field(ge=1, le=99)] = 1
    title: str = ""
    quarters: str = Field(
        default="",
        description="The quarter code of a castle's tile, in place of segments: 'tthh-ew'.",
    )
    segments: list[str] = Field(
        default=[],
        description="Each a kind, its sides, its marks: 'court NL W SL market'. N is a whole side"
        " (of a path or road: its middle), NL and NR the halves beside it. No side: inside the"
        " tile. A field names the cities that it borders after 'by': 'field EL WR by N'.",
    )
    squares: list[list[int]] = Field(
        default=[], description="For each square the indices of the paths that run into it."
    )
    aeries: list[list[int]] = Field(
        default=[],
        description="The Falcon: for each aerie the indices of the segments that it adjoins.",
    )
    tower_place: bool = Field(default=False, description="Whether a tower can be built on it.")
    code: str = Field(default="", description="The name by which JCloisterZone knows it.")


class TileSetFile(FileModel):
    """A set of tiles."""

    burgrave: Literal[1]
    type: Literal["tiles"]
    id: TileId
    title: str
    note: str = ""
    quarters: dict[str, Annotated[int, Field(ge=1, le=99)]] = Field(
        default={},
        description="Kinds of a castle's tiles by quarter code, which is their id, with their"
        " number.",
    )
    tile: list[TileEntry] = []


class TowerEntry(FileModel):
    """A corner tower of a wall."""

    name: str
    corner: Annotated[Coordinates, Field(strict=False)]
    wall_tile: bool = True


class StartEntry(FileModel):
    """A start space of a wall."""

    name: str
    cell: Annotated[Coordinates, Field(strict=False)]
    side: SideName
    shows: TileId


class GateEntry(StartEntry):
    """A gate of a wall, with its picture if it is a start space."""


class BoardFile(FileModel):
    """A wall."""

    burgrave: Literal[1]
    type: Literal["board"]
    id: TileId
    title: str
    note: str = ""
    track: int
    rows: list[Annotated[tuple[int, int, int], Field(strict=False)]]
    towers: list[TowerEntry]
    starts: list[StartEntry]
    gates: list[GateEntry] = []
    picture: list[TileEntry]


class PlayerEntry(FileModel):
    """A player in a position of The Castle."""

    score: Annotated[int, Field(ge=-9999, le=9999)] = 0
    supply: Annotated[int, Field(ge=0, le=99)] | None = Field(
        default=None,
        description="Followers in the supply; by default all that are not on the board.",
    )
    keep: Annotated[int, Field(ge=0, le=999)] = 0
    wall_tiles: list[WallTileNumber] = []
    fresh_wall_tiles: list[WallTileNumber] = []
    fresh_followers: Annotated[int, Field(ge=0, le=99)] = 0
    specials: list[SpecialName] | None = Field(
        default=None,
        description="The Falcon: king and falconer in the supply; by default those not on the"
        " board.",
    )
    fresh_specials: list[SpecialName] = []
    tokens: Annotated[int, Field(ge=0, le=99)] = Field(
        default=0, description="The Falcon: aerie tokens."
    )
    at_gate: bool = Field(
        default=False,
        description="The Falcon: whether the marker stands on the gate after the score's number.",
    )


class PlaneEntry(FileModel):
    """A player in a position of Carcassonne."""

    score: Annotated[int, Field(ge=-9999, le=9999)] = 0
    supply: Annotated[int, Field(ge=0, le=99)] | None = Field(
        default=None,
        description="Followers in the supply; by default all that are nowhere else.",
    )
    pieces: Annotated[int, Field(ge=0, le=30)] = Field(
        default=0, description="Tower pieces that may be built."
    )
    prisoners: list[RankedName] = Field(
        default=[],
        description="For each follower held prisoner its owner; of a rank 'blue:big'.",
    )
    specials: list[Annotated[str, StringConstraints(pattern=r"^[a-z]{1,16}$")]] | None = Field(
        default=None,
        description="Followers of a rank in the supply, like 'big'; by default those that are"
        " nowhere else.",
    )


TAG = "keys of "
"""The prefixes of the tags of alternatives; they are no places in a file."""
REST = "rest"
"""The bag with all tiles that are nowhere else."""
Bag = Annotated[
    Annotated[dict[TileId, Annotated[int, Field(ge=1, le=99)]], Tag(f"{TAG}bag")]
    | Annotated[Literal["rest"], Tag(f"{TAG}rest")],
    Discriminator(lambda data: f"{TAG}{'rest' if isinstance(data, str) else 'bag'}"),
]
"""The tiles of a bag: by id their number, or `REST`."""


class PositionKeys(FileModel):
    """The keys that positions of all games have."""

    kinds: list[TileEntry] = Field(
        default=[], description="Kinds of tiles of its own, added to the set."
    )
    switches: dict[str, str] = {}
    board: list[BoardLine] = Field(
        default=[], description="Each a tile with its followers: 'K07@3,4r0 white:knight.N'."
    )
    order: list[TileId] = Field(default=[], description="The next tiles, in known order.")
    bag: Bag = Field(
        default={},
        description="The tiles that follow in unknown order, with their number;"
        " 'rest': all of the set that are nowhere else.",
    )
    discarded: list[TileId] = []


class PositionBody(PositionKeys):
    """The keys of a position of The Castle, which records, puzzles and cards hold too."""

    game: CastleId = "castle"
    tiles: TileId = Field(
        default="castle", description="Id of the tile set, or 'own': the kinds below alone."
    )
    start_spaces: dict[str, TileId] = Field(
        default={}, description="What start spaces show, where it is not the board's default."
    )
    players: list[PlayerName] = Field(
        default=["white", "black"],
        min_length=1,
        max_length=9,
        description="White and Black; a rule refuses others.",
    )
    to_move: str = "white"
    extra_turns: Annotated[int, Field(ge=0, le=2)] = 0
    in_extra_turn: bool = False
    taken_aeries: list[AerieName] = Field(
        default=[],
        description="The Falcon: aeries that bring no more tokens, '3,4.0' the first on 3,4.",
    )
    towers: dict[str, WallTileNumber] = Field(
        default={}, description="Wall tiles on the corner towers; 0 is face down and unknown."
    )
    spent: list[WallTileNumber] = Field(
        default=[], description="Wall tiles seen that have left the game."
    )
    white: PlayerEntry = PlayerEntry()
    black: PlayerEntry = PlayerEntry()


class PlaneBody(PositionKeys):
    """The keys of a position of Carcassonne, which records, puzzles and cards hold too."""

    game: PlaneId
    edition: str = Field(default=DEFAULT_EDITION, description="The edition of the rules.")
    tiles: Literal["carcassonne", "own"] = Field(
        default="carcassonne", description="'own': the kinds below alone, in place of the shipped."
    )
    players: list[PlayerName] = Field(
        default=["red", "blue"],
        min_length=1,
        max_length=9,
        description="The players in the order of their turns.",
    )
    to_move: PlayerName | None = Field(default=None, description="By default the first player.")
    built: list[BoardLine] = Field(
        default=[], description="Towers: '3,4:2', with a follower on it '3,4:2 red'."
    )
    player: dict[PlayerName, PlaneEntry] = {}


def _family(data: Any) -> str:
    """Return the tag of the keys that a position of some game has."""
    if isinstance(data, Mapping):
        game = data.get("game", "castle")
    else:
        # A value that is no table is refused as a position of the first family.
        game = getattr(data, "game", "castle")
    base, _ = split(str(game))
    return f"{TAG}{'plane' if base in BASES and not BASES[base].board else 'castle'}"


AnyPosition = Annotated[
    Annotated[PositionBody, Tag(f"{TAG}castle")] | Annotated[PlaneBody, Tag(f"{TAG}plane")],
    Discriminator(_family),
]
"""The keys of a position of any game."""


class PositionFile(PositionBody):
    """A position of The Castle."""

    burgrave: Literal[1]
    type: Literal["position"]
    title: str = ""
    note: str = ""


class PlaneFile(PlaneBody):
    """A position of Carcassonne."""

    burgrave: Literal[1]
    type: Literal["position"]
    title: str = ""
    note: str = ""


class RecordFile(FileModel):
    """A game or a part of one: a position and the moves played from it."""

    burgrave: Literal[1]
    type: Literal["record"]
    title: str = ""
    note: str = ""
    position: AnyPosition
    moves: list[str] = Field(default=[], description="Moves in notation, one a turn.")
    final: str | None = Field(
        default=None, description="Wall tiles used in final scoring; by default the best for each."
    )
    result: list[int] | None = Field(
        default=None, description="Totals after final scoring, which a replay must reach."
    )


FILES: dict[str, type[FileModel]] = {
    "position": PositionFile,
    "position of Carcassonne": PlaneFile,
    "record": RecordFile,
    "tiles": TileSetFile,
    "board": BoardFile,
}
"""Every kind of file by the value of its key ``type``; positions by their game too."""


def json_schema(files: Mapping[str, type[FileModel]] = FILES) -> dict[str, Any]:
    """Return one JSON Schema (draft 2020-12) for several kinds of files.

    Args:
        files: the file models by the value of the key ``type``.

    """
    definitions: dict[str, Any] = {}
    variants = []
    for name, model in files.items():
        schema = model.model_json_schema(ref_template="#/$defs/{model}")
        definitions.update(schema.pop("$defs", {}))
        definitions[model.__name__] = schema
        variants.append({"$ref": f"#/$defs/{model.__name__}", "title": name})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Burgrave files",
        "oneOf": variants,
        "$defs": definitions,
    }
