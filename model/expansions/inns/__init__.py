"""Inns & Cathedrals."""

from __future__ import annotations

from burgrave.model.components import Rank
from burgrave.model.expansion import Expansion
from burgrave.model.expansions.inns.switches import INNS_SWITCHES

EXPANSION = Expansion(
    title="Inns & Cathedrals",
    base="carcassonne",
    switches=INNS_SWITCHES,
    compiled=True,
    words=("big", "inn", "cathedral", "specials"),
    specials=(Rank.BIG,),
)
