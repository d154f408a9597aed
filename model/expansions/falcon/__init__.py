"""The Falcon."""

from __future__ import annotations

from burgrave.model.components import Rank
from burgrave.model.expansion import Expansion
from burgrave.model.expansions.falcon.switches import FALCON_SWITCHES, FLAGS

EXPANSION = Expansion(
    title="The Falcon",
    base="castle",
    switches=FALCON_SWITCHES,
    compiled=True,
    flags=FLAGS,
    words=(
        *("chapel", "preacher", "king", "falconer"),
        *("aeries", "taken_aeries", "specials", "fresh_specials", "tokens", "at_gate"),
    ),
    board="falcon",
    specials=(Rank.FALCONER, Rank.KING),
)
