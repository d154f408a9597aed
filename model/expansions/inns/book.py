"""What Inns & Cathedrals adds to the rule book of Carcassonne."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from burgrave.model.book import RuleBook, Without
from burgrave.model.expansions.inns.followers import BIG, SIX, WEIGHT, arranged
from burgrave.model.expansions.inns.worth import MARKED, MARKED_END, with_marks
from burgrave.model.features import Feature
from burgrave.model.games import Game
from burgrave.model.rule import Rule
from burgrave.model.tiles import Kind

INNS_RULES: tuple[Rule[..., object], ...] = (
    BIG,
    WEIGHT,
    *MARKED.values(),
    *MARKED_END.values(),
)
"""The rules that the expansion adds."""


_Points = Rule[[Game, Feature], int | None]


def _with(
    before: Mapping[Kind, tuple[_Points, ...]], more: Mapping[Kind, _Points]
) -> dict[Kind, tuple[_Points, ...]]:
    """Return the rules for features with a mark, with further ones."""
    return {**before, **{kind: (*before.get(kind, ()), one) for kind, one in more.items()}}


def patch(book: RuleBook) -> RuleBook:
    """Return a book of Carcassonne with the rules of Inns & Cathedrals."""
    return replace(
        book,
        all=(*book.all, *INNS_RULES),
        setup=(*book.setup, BIG),
        most_players=SIX,
        counts=WEIGHT,
        without={**book.without, WEIGHT: Without(lambda *_: 1)},
        marked=_with(book.marked, MARKED),
        marked_end=_with(book.marked_end, MARKED_END),
        table=with_marks(book.table),
        arrange=arranged(book.arrange),
    )
