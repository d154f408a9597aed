"""What The Falcon adds to the rule book of The Castle, and changes in it."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.book import Factor, RuleBook
from burgrave.model.components import Role
from burgrave.model.expansions.falcon.aeries import (
    AERIES_THERE,
    HAND_BACK,
    TAKE_TOKENS,
    TOKEN_END,
    TOKENS,
    collect,
    phases,
    pile_of,
    tokens_there_are,
    with_pile,
)
from burgrave.model.expansions.falcon.chapels import (
    CHAPEL_COMPLETE,
    CHAPEL_END,
    CHAPEL_PLACE,
    CHAPEL_SCORE,
    chapel_met,
    empty_around,
    with_chapel_sides,
    with_chapels,
)
from burgrave.model.expansions.falcon.gates import (
    GATE_SIZE,
    GATE_STARTS,
    GATE_WALL,
    GATES,
    STOP,
    march,
    markers_at_gates,
)
from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.expansions.falcon.specials import (
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
    keep_times,
)
from burgrave.model.expansions.falcon.without import WITHOUT
from burgrave.model.rule import Rule
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


def patch(book: RuleBook) -> RuleBook:
    """Return a book of The Castle with the rules of The Falcon."""
    return replace(
        book,
        all=(*book.all, *FALCON_RULES),
        roles={**book.roles, Kind.CHAPEL: Role.PREACHER},
        placement=(*book.placement, CHAPEL_PLACE),
        borders=with_chapel_sides(book.borders),
        deployment=(*book.deployment, NOT_NOW),
        wall_tiles=(*book.wall_tiles, ONCE),
        setup=(*book.setup, SPECIALS, AERIES_THERE, tokens_there_are, markers_at_gates),
        completion={**book.completion, Kind.CHAPEL: CHAPEL_COMPLETE},
        gaps={**book.gaps, Kind.CHAPEL: empty_around},
        worth={**book.worth, Kind.CHAPEL: CHAPEL_SCORE},
        table=with_chapels(book.table),
        incomplete={**book.incomplete, Kind.CHAPEL: CHAPEL_END},
        place_notes=(*book.place_notes, chapel_met, GATE_SIZE, GATE_WALL),
        march=march,
        factors=(Factor(KING, "the king"), Factor(KING_COURT, "the king")),
        counts=counts,
        keep_factor=keep_factor,
        keep_times=keep_times,
        bars=(bars,),
        in_vain=in_vain,
        player_parts=(*book.player_parts, FalconHoldings),
        position_parts=(*book.position_parts, Aeries),
        pile=pile_of,
        collect=collect,
        with_pile=with_pile,
        tokens=TOKENS,
        token_end=TOKEN_END,
        arrange=GATE_STARTS,
        phases=phases,
        without={**book.without, **WITHOUT},
    )
