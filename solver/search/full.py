"""Alpha-beta without reductions as an engine for questions about the rest of a game."""

from __future__ import annotations

from typing import ClassVar

from solver.search import duel
from solver.search.alpha_beta import AlphaBetaEngine, FirstTurns


class EveryFirstTurn(FirstTurns):
    """The first turns of a task, each searched with every turn that no bound cuts off."""

    kind = duel.Search


class FullEngine(AlphaBetaEngine):
    """Searches every turn that no bound cuts off, the order of the tiles being known."""

    name = "full"
    first_turns: ClassVar[type[FirstTurns]] = EveryFirstTurn
