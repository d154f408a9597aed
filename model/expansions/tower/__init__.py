"""The Tower."""

from __future__ import annotations

from burgrave.model.expansion import Expansion
from burgrave.model.expansions.tower.switches import FLAGS, RANKED_SWITCHES, TOWER_SWITCHES

EXPANSION = Expansion(
    title="The Tower",
    base="carcassonne",
    switches=TOWER_SWITCHES,
    compiled=True,
    flags=FLAGS,
    words=("built", "pieces", "prisoners", "tower_place"),
    ranked=RANKED_SWITCHES,
)
