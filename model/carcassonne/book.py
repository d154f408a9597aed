"""The rule book of Carcassonne: all its rules by their purpose, in the order of a game."""

from __future__ import annotations

from burgrave.model.book import RuleBook
from burgrave.model.carcassonne.resolution import COURSE
from burgrave.model.carcassonne.standing import standing
from burgrave.model.carcassonne.turn import CONDUCT
from burgrave.model.rule import Rule
from burgrave.model.rules.carcassonne.completion import COMPLETION, CONNECT
from burgrave.model.rules.carcassonne.ending import ENDED, WINNER
from burgrave.model.rules.carcassonne.farms import ADJACENT as FARM_ADJACENT
from burgrave.model.rules.carcassonne.farms import WAYS, harvest
from burgrave.model.rules.carcassonne.followers import COMPLETED, DEPLOYMENT, ROLES, one_each
from burgrave.model.rules.carcassonne.placement import ADJACENT, NONE, PLACEMENT, borders
from burgrave.model.rules.carcassonne.scoring import END_WORTH, MAJORITY, TILES, WORTH, table
from burgrave.model.rules.carcassonne.setup import SETUP, START_TILE, TURN_ORDER, sixth_colour

CARCASSONNE_RULES: tuple[Rule[..., object], ...] = (
    *SETUP,
    TURN_ORDER,
    *PLACEMENT,
    NONE,
    *DEPLOYMENT,
    COMPLETED,
    CONNECT,
    *COMPLETION.values(),
    TILES,
    *WORTH.values(),
    MAJORITY,
    ENDED,
    *END_WORTH.values(),
    FARM_ADJACENT,
    *WAYS.values(),
    WINNER,
)

CARCASSONNE_BOOK = RuleBook(
    all=CARCASSONNE_RULES,
    roles=ROLES,
    connect=CONNECT,
    placement=PLACEMENT,
    sides=ADJACENT,
    borders=borders,
    deployment=DEPLOYMENT,
    setup=SETUP,
    remarks=(sixth_colour, one_each),
    standing=standing,
    completion=COMPLETION,
    worth=WORTH,
    table=table,
    incomplete=END_WORTH,
    harvest=harvest,
    ended=ENDED,
    conduct=CONDUCT,
    course=COURSE,
    start_tile=START_TILE,
)
"""The book of Carcassonne: its rules by their purpose."""
