"""The rule book of The Castle with The Falcon: what the expansion adds and changes."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.book import Factor
from burgrave.model.castle.book import CASTLE_BOOK
from burgrave.model.components import Role
from burgrave.model.rule import Rule
from burgrave.model.rules.falcon.aeries import (
    AERIES_THERE,
    HAND_BACK,
    TAKE_TOKENS,
    TOKEN_END,
    collect,
    phases,
    tokens_there_are,
)
from burgrave.model.rules.falcon.chapels import (
    CHAPEL_COMPLETE,
    CHAPEL_END,
    CHAPEL_PLACE,
    CHAPEL_SCORE,
    chapel_met,
)
from burgrave.model.rules.falcon.gates import (
    GATE_SIZE,
    GATE_STARTS,
    GATE_WALL,
    GATES,
    STOP,
    march,
    markers_at_gates,
)
from burgrave.model.rules.falcon.specials import (
    FALCONER,
    KING,
    KING_COURT,
    NOT_NOW,
    ONCE,
    SPECIALS,
    TIE,
    bars,
    counts,
    in_vain,
    keep_factor,
)
from burgrave.model.tiles import Kind

FALCON_RULES: tuple[Rule[..., object], ...] = (
    SPECIALS,
    AERIES_THERE,
    GATES,
    GATE_SIZE,
    GATE_WALL,
    GATE_STARTS,
    CHAPEL_PLACE,
    CHAPEL_COMPLETE,
    CHAPEL_SCORE,
    CHAPEL_END,
    TAKE_TOKENS,
    HAND_BACK,
    TOKEN_END,
    KING,
    KING_COURT,
    FALCONER,
    NOT_NOW,
    TIE,
    ONCE,
    STOP,
)
"""The rules that the expansion adds."""

FALCON_BOOK = replace(
    CASTLE_BOOK,
    all=(*CASTLE_BOOK.all, *FALCON_RULES),
    roles={**CASTLE_BOOK.roles, Kind.CHAPEL: Role.PREACHER},
    placement=(*CASTLE_BOOK.placement, CHAPEL_PLACE),
    deployment=(*CASTLE_BOOK.deployment, NOT_NOW),
    wall_tiles=(*CASTLE_BOOK.wall_tiles, ONCE),
    setup=(*CASTLE_BOOK.setup, SPECIALS, AERIES_THERE, tokens_there_are, markers_at_gates),
    completion={**CASTLE_BOOK.completion, Kind.CHAPEL: CHAPEL_COMPLETE},
    worth={**CASTLE_BOOK.worth, Kind.CHAPEL: CHAPEL_SCORE},
    incomplete={**CASTLE_BOOK.incomplete, Kind.CHAPEL: CHAPEL_END},
    place_notes=(*CASTLE_BOOK.place_notes, chapel_met, GATE_SIZE, GATE_WALL),
    march=march,
    factors=(Factor(KING, "the king"), Factor(KING_COURT, "the king")),
    counts=counts,
    keep_factor=keep_factor,
    bars=(bars,),
    in_vain=in_vain,
    collect=collect,
    token_end=TOKEN_END,
    arrange=GATE_STARTS,
    phases=phases,
)
"""The book of The Castle with The Falcon: its rules by their purpose."""
