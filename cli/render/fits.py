"""Which tiles fit where, as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from burgrave.model.fitting import CellFits
from burgrave.model.naming import times
from burgrave.model.position import Position
from burgrave.model.quarters import quarters_of

if TYPE_CHECKING:
    from burgrave.cli.render import json_types

_KINDS = 6
"""Kinds that a line names."""


def fits_data(position: Position, found: Sequence[CellFits]) -> json_types.Fits:
    """Return the JSON keys."""
    return {
        "left": len(position.order) + len(position.bag),
        "cells": [
            {
                "cell": list(one.cell),
                "left": one.left,
                "kinds": [
                    {"tile": fit.kind.id, "left": fit.left, "rotations": list(fit.rotations)}
                    for fit in one.fits
                ],
            }
            for one in found
        ],
        "dead": [list(one.cell) for one in found if not one.fits],
    }


def fits_text(position: Position, found: Sequence[CellFits]) -> Iterator[str]:
    """Yield a line about the stock, then one for each cell."""
    left = len(position.order) + len(position.bag)
    dead = [str(one.cell) for one in found if not one.fits]
    yield f"{times(left, 'tile')} to come; {times(len(found), 'cell')} to be filled next"
    for one in found:
        if one.fits:
            shown = ", ".join(_kind(fit.kind.id, fit.left) for fit in one.fits[:_KINDS])
            more = len(one.fits) - _KINDS
            rest = f" and {times(more, 'kind')} more" if more > 0 else ""
            kinds = times(len(one.fits), "kind")
            yield f"  {one.cell!s:>6}  {times(one.left, 'tile')} of {kinds}: {shown}{rest}"
    if dead:
        yield f"no tile to come will ever lie on {' '.join(dead)}"


def cell_text(position: Position, one: CellFits) -> Iterator[str]:
    """Yield a line for each kind that fits on a cell, with its rotations."""
    left = len(position.order) + len(position.bag)
    if not one.fits:
        yield f"none of the {times(left, 'tile')} to come will ever lie on {one.cell}"
        return
    yield f"{one.left} of {times(left, 'tile')} to come fit on {one.cell}"
    for fit in one.fits:
        turns = " ".join(f"r{rotation}" for rotation in fit.rotations)
        code = quarters_of(fit.kind, fit.rotations[0])
        yield f"  {_kind(fit.kind.id, fit.left):<10} {turns:<12} {code or fit.kind.title}".rstrip()


def _kind(tile: str, left: int) -> str:
    """Return a kind with its number, if there are several."""
    return tile if left == 1 else f"{tile} x{left}"
