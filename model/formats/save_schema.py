"""The file models of saved games of JCloisterZone, with the keys that are read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (  # noqa: TID253 -- the module that owns these file models
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
)

Copies = Annotated[int, Field(ge=0, le=99)]
Chance = Annotated[float, Field(ge=0, lt=1)]
Coordinate = Annotated[int, Field(ge=-999, le=999)]
Place = Annotated[tuple[Coordinate, Coordinate], Field(strict=False)]


class SaveModel(BaseModel):
    """Base of the models: keys that are not known are those of other versions."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class SaveStart(SaveModel):
    """A tile that lies on the table at the start."""

    tile: str
    x: Coordinate
    y: Coordinate
    rotation: Annotated[int, Field(ge=0, le=270, multiple_of=90)] = 0


class SaveSetup(SaveModel):
    """What is played."""

    sets: dict[str, Copies]
    elements: dict[str, bool | Copies] = {}
    rules: dict[str, JsonValue] = {}
    start: list[SaveStart]


class SavePlayer(SaveModel):
    """A player, in the order of the turns."""

    name: str = ""


class Pointer(SaveModel):
    """A feature by a cell and where it lies there."""

    position: Place
    feature: str | None = None
    """None before version 5.7: there it follows from the tile and the location."""
    location: str = "I"


class Told(SaveModel):
    """The payload of the end of a turn: what decides the next draw."""

    random: Chance | None = None


class Laid(SaveModel):
    """The payload of a tile laid."""

    tileId: str  # noqa: N815 -- their name
    rotation: Literal["R0", "R90", "R180", "R270"]
    position: Place


class Deployed(SaveModel):
    """The payload of a follower placed."""

    pointer: Pointer
    meepleId: str  # noqa: N815 -- their name


class TokenPlaced(SaveModel):
    """The payload of a tower piece built."""

    token: Literal["TOWER_PIECE"]
    pointer: Pointer


class CapturedPointer(SaveModel):
    """A follower by its name and place."""

    featurePointer: Pointer  # noqa: N815 -- their name
    meepleId: str  # noqa: N815 -- their name


class Captured(SaveModel):
    """The payload of a follower taken prisoner."""

    pointer: CapturedPointer


class Bought(SaveModel):
    """The payload of a ransom or an exchange: a follower by its name."""

    meepleId: str  # noqa: N815 -- their name


class PlaceTile(SaveModel):
    """A tile is laid."""

    type: Literal["PLACE_TILE"]
    payload: Laid


class DeployMeeple(SaveModel):
    """A follower is placed."""

    type: Literal["DEPLOY_MEEPLE"]
    payload: Deployed


class PlaceToken(SaveModel):
    """A tower piece is built."""

    type: Literal["PLACE_TOKEN"]
    payload: TokenPlaced


class CaptureFollower(SaveModel):
    """A follower is taken prisoner."""

    type: Literal["CAPTURE_FOLLOWER"]
    payload: Captured


class ExchangeFollower(SaveModel):
    """The follower that comes home by an exchange is chosen."""

    type: Literal["EXCHANGE_FOLLOWER"]
    payload: Bought


class PayRansom(SaveModel):
    """A follower is bought back."""

    type: Literal["PAY_RANSOM"]
    payload: Bought


class Done(SaveModel):
    """An action is passed up, the turn is ended, or the last decision is taken back."""

    type: Literal["PASS", "COMMIT", "UNDO"]
    payload: Told = Told()


SaveMessage = Annotated[
    PlaceTile | DeployMeeple | PlaceToken | CaptureFollower | ExchangeFollower | PayRansom | Done,
    Field(discriminator="type"),
]
"""A decision."""


class SaveAnnotations(SaveModel):
    """The additional keys of saves made for tests."""

    drawOrder: list[str] = []  # noqa: N815 -- their name
    endTurn: Annotated[int, Field(ge=0)] | None = None  # noqa: N815 -- their name


class SaveTest(SaveModel):
    """The assertions of a save made for tests."""

    assertions: list[str] = []


class SaveFile(SaveModel):
    """A saved game."""

    appVersion: str  # noqa: N815 -- their name
    name: str = ""
    initialRandom: Chance | None = None  # noqa: N815 -- their name
    setup: SaveSetup
    players: Annotated[list[SavePlayer], Field(min_length=1)]
    replay: list[SaveMessage]
    gameAnnotations: SaveAnnotations = SaveAnnotations()  # noqa: N815 -- their name
    test: SaveTest = SaveTest()
