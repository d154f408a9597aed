"""The history of measured figures: which release reached what, and what public engines reach."""

from __future__ import annotations

import tomllib
from collections.abc import Container
from pathlib import Path
from typing import Annotated

import tomli_w
from pydantic import Field, model_validator  # noqa: TID253 -- files only

from burgrave.model.files.schema import FileModel

HISTORY = Path(__file__).parent / "history.toml"
FigureId = Annotated[str, Field(pattern=r"^[a-z]+(-[a-z0-9]+)+$")]
"""The id of a measure: its group, then what is measured (``force-k6``)."""


class Figure(FileModel):
    """The result of a release in one measure, in the unit of the measure."""

    median: Annotated[float, Field(ge=0)]
    least: Annotated[float, Field(ge=0)] | None = None
    most: Annotated[float, Field(ge=0)] | None = None
    asked: Annotated[int, Field(ge=1)] | None = None
    """Questions asked; None where the measure asks none."""
    proved: Annotated[int, Field(ge=0)] | None = None
    """Questions answered with a proof within the limit."""
    limit: Annotated[float, Field(gt=0)] | None = None
    """Seconds of processor time after which a question is stopped."""
    memory: Annotated[int, Field(ge=1)] | None = None
    """The most memory that the process held, in MB."""

    @model_validator(mode="after")
    def _in_order(self) -> Figure:
        if (
            not (self.least or 0)
            <= self.median
            <= (self.median if self.most is None else self.most)
        ):
            raise ValueError("the median lies between least and most")
        if (self.proved or 0) > (self.asked or 0):
            raise ValueError("no more questions are proved than asked")
        return self


class Release(FileModel):
    """The figures of one release, or of one public engine."""

    name: Annotated[str, Field(min_length=1)]
    note: str = ""
    measured: dict[str, str] = Field(default_factory=dict)
    """The environment of the figures: machine, Python, date and so on."""
    figures: dict[FigureId, Figure]


class History(FileModel):
    """All releases, the oldest first, and public engines."""

    release: list[Release]
    public: list[Release]

    @model_validator(mode="after")
    def _named_once(self) -> History:
        for some in (self.release, self.public):
            names = [one.name for one in some]
            if len(names) != len(set(names)):
                raise ValueError("each release and each public engine stands once")
        return self

    def before(self, name: str) -> Release | None:
        """Return the release before one of a name, which need not be there yet; None if none."""
        names = [one.name for one in self.release]
        place = names.index(name) if name in names else len(names)
        return self.release[place - 1] if place else None

    def only(self, name: str, figures: Container[str]) -> History:
        """Return the history with some figures alone of a release."""
        releases = [
            one.model_copy(
                update={"figures": {key: one.figures[key] for key in one.figures if key in figures}}
            )
            if one.name == name
            else one
            for one in self.release
        ]
        return History(release=releases, public=self.public)

    def with_figures(
        self, name: str, figures: dict[str, Figure], measured: dict[str, str], note: str = ""
    ) -> History:
        """Return the history with new figures for a release.

        Args:
            name: the release; one that is not there yet becomes the last.
            figures: measure → figure. Figures of other measures stay.
            measured: what the figures were measured with.
            note: what a reader must know of the figures; if empty, an earlier note stays.

        """
        old = next((one for one in self.release if one.name == name), None)
        known = old or Release(name=name, figures={})
        new = Release(
            name=name,
            note=note or known.note,
            measured=measured,
            figures=known.figures | figures,
        )
        if old is None:
            return History(release=[*self.release, new], public=self.public)
        releases = [new if one is old else one for one in self.release]
        return History(release=releases, public=self.public)


def load(path: Path = HISTORY) -> History:
    """Return the history in a file.

    Raises:
        ValueError: the file is not TOML or does not fit the schema.

    """
    return History.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def save(history: History, path: Path = HISTORY) -> None:
    """Write a history to a file."""
    data = history.model_dump(exclude_none=True, exclude_defaults=True)
    path.write_text(tomli_w.dumps(data), encoding="utf-8")
