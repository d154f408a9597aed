"""The file model of the learned weights, of which the published JSON Schema is made."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints  # noqa: TID253 -- the module that owns the file model

from burgrave.model.files.schema import FileModel

Players = Annotated[str, StringConstraints(pattern=r"^[2-6]$")]
Coefficient = Annotated[float, Field(allow_inf_nan=False)]
Polynomial = Annotated[list[Coefficient], Field(min_length=3, max_length=3)]


class ValuesFile(FileModel):
    """The weights of the learned value."""

    burgrave: Literal[1]
    type: Literal["values"]
    games: dict[str, dict[Players, dict[str, list[Polynomial]]]] = Field(
        description="By id of the game, number of players and name of the numbers: for each number"
        " the coefficients of 1, u and u², with u the tiles left divided by 72."
    )
