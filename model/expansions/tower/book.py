"""What The Tower adds to the rule book of Carcassonne."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.book import RuleBook, Without
from burgrave.model.expansions.tower.actions import (
    GUARD_PLACE,
    GUARD_SUPPLY,
    ONE_ACTION,
    PIECE_PLACE,
    PIECE_SUPPLY,
    PIECES,
    PLACES,
    sixth_share,
)
from burgrave.model.expansions.tower.capture import CAPTURE
from burgrave.model.expansions.tower.course import COURSE
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.expansions.tower.prisoners import (
    CHOICE,
    EXCHANGE,
    MUTUAL,
    ONCE,
    PRICE,
    PRICE_OF_A_FOLLOWER,
    PRISONER,
    SIZES,
    WINDOW,
    kept,
    of_one_size,
)
from burgrave.model.expansions.tower.turn import with_towers
from burgrave.model.rule import Rule
from burgrave.model.rules.carcassonne.followers import one_each

ACTIONS = (ONE_ACTION, PIECE_PLACE, PIECE_SUPPLY, GUARD_PLACE, GUARD_SUPPLY, *CAPTURE)
"""The rules that can forbid an action."""

TOWER_RULES: tuple[Rule[..., object], ...] = (
    PIECES,
    PLACES,
    *ACTIONS,
    EXCHANGE,
    MUTUAL,
    ONCE,
    WINDOW,
    PRISONER,
    PRICE,
)


def patch(book: RuleBook) -> RuleBook:
    """Return a book of Carcassonne with the rules of The Tower.

    Some rules are about prisoners of several ranks.
    """
    ranked = (CHOICE,) if book.ranks else ()
    return replace(
        book,
        all=(*book.all, *TOWER_RULES, *ranked, *((SIZES,) if book.ranks else ())),
        setup=(*book.setup, PIECES, PLACES, MUTUAL),
        remarks=(sixth_share, one_each),
        actions=(*ACTIONS, *ranked),
        conduct=with_towers(book.conduct),
        course=COURSE,
        player_parts=(*book.player_parts, TowerHoldings),
        position_parts=(*book.position_parts, Towers),
        ransom=PRICE_OF_A_FOLLOWER,
        without={
            **book.without,
            EXCHANGE: Without(kept, forbids=True),
            SIZES: Without(of_one_size),
        },
    )
