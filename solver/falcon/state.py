"""A game with The Falcon as an incremental state: chapels, aeries, king and falconer, gates."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from model.position import Position
from solver.falcon.board import FalconBoard
from solver.falcon.flags import FalconFlags, falcon_flags
from solver.falcon.tokens import collected
from solver.game_state import RANKS, GameState, Turn
from solver.scoring_plans import Claim, Plan
from solver.tables import CHAPEL, NOTHING, PATH

AT_HAND, RESTING, ABSENT = -1, -2, -3
"""Where a king or falconer is who stands nowhere; resting: he came home too late to be used."""
FALCONER, KING = 1, 2
"""Ranks, as in ``RANKS``."""
EACH = len(RANKS) - 1
"""Kings and falconers of a player."""
LARGEST = 8
"""Tiles of a chapel after which it grows no dearer: n of them are worth 1 + 2 + … + n."""


class FalconState(GameState):
    """A position of The Falcon that turns can be played on and taken back.

    Attributes:
        specials: by ``player * 2 + rank - 1`` the node on which the king or falconer of a
            player stands, or where else he is.
        tokens: by player the aerie tokens.
        gone: one number, the aeries that bring no more tokens, as bits.
        ends: what final scoring brings both players, by all that it depends on.

    """

    board_type = FalconBoard
    board: FalconBoard

    def __init__(self, position: Position) -> None:
        """Take over a position."""
        super().__init__(position)
        self.falcon: FalconFlags = falcon_flags(position.game)
        self.board.chapels_bind = self.falcon.chapels_bind
        self.stops_on_gate = self.falcon.stops_on_gate
        self.ordinary_at_last = not self.falcon.last_turn
        if self.falcon.stops:
            self.gates = tuple(sorted(gate.after for gate in position.game.board.gates))
        self.tokens = [player.tokens for player in position.players]
        self.gone = [self.board.bits(position.taken_aeries)]
        self.ends: dict[Hashable, tuple[int, int]] = {}
        self.specials = [ABSENT] * (len(position.players) * EACH)
        for index, player in enumerate(position.players):
            for rank in range(1, len(RANKS)):
                if player.available(RANKS[rank]):
                    self.specials[index * EACH + rank - 1] = AT_HAND
                elif player.resting(RANKS[rank]):
                    self.specials[index * EACH + rank - 1] = RESTING
        for follower in position.followers:
            rank = RANKS.index(follower.rank)
            if rank:
                self.specials[follower.player * EACH + rank - 1] = self.board.node(follower.node)

    def root_of(self, player: int, rank: int) -> int:
        """Return the root of the feature on which a player's king or falconer stands, or -1."""
        node = self.specials[player * EACH + rank - 1]
        return self.board.find(node) if node >= 0 else NOTHING

    def stands(self, player: int) -> list[int]:
        """Return the nodes on which the followers of a player stand, king and falconer too."""
        special = self.specials[player * EACH : (player + 1) * EACH]
        return super().stands(player) + [node for node in special if node >= 0]

    def occupied(self) -> set[int]:
        """Return the roots of the features on which somebody stands."""
        find = self.board.find
        return super().occupied() | {find(node) for node in self.specials if node >= 0}

    def _specials(self, player: int) -> int:
        """Return the ranks but the ordinary one that a player has at hand, as bits."""
        here = self.specials[player * EACH : (player + 1) * EACH]
        return sum(1 << rank for rank, at in enumerate(here, start=1) if at == AT_HAND)

    def returning(self, player: int, cell: int) -> bool:
        """Tell whether a tile on a cell may give a player a rank that he cannot place now."""
        here = self.specials[player * EACH : (player + 1) * EACH]
        return super().returning(player, cell) or any(
            at == RESTING or (at >= 0 and self._meets(at, cell)) for at in here
        )

    def claim(self, root: int, winner: int) -> Claim:
        """Return what a completed feature brings its scorer: with his king, and with tokens."""
        own, other = self.has_king(root, winner), self.has_king(root, 1 - winner)
        aeries = self.board.aeries[root]
        return Claim(
            root=root,
            winner=winner,
            points=self.worth(root) * self.factor(root, winner),
            doublable=not (own or (other and self.falcon.any_king_bars)),
            aeries=aeries,
            more=self.falconry(root, winner, aeries),
        )

    def has_king(self, root: int, player: int) -> bool:
        """Tell whether a player's king stands on a feature."""
        return self.root_of(player, KING) == root

    def factor(self, root: int, winner: int) -> int:
        """Return by what a king multiplies a path, tower, house or chapel for its scorer."""
        if not self.has_king(root, winner):
            return 1
        fountain = self.board.kind[root] == PATH and self.board.fountains[root]
        return 1 if fountain and self.falcon.fountain_doubles else 2

    def falconry(self, root: int, winner: int, aeries: int) -> int:
        """Return how many tokens the scorer's falconer on a feature brings."""
        if self.root_of(winner, FALCONER) != root:
            return 0
        return 0 if self.falcon.falconer_needs_aerie and not aeries else 1

    def barren(self, root: int, rank: int) -> bool:
        """Tell whether a court of today brings the holder nothing in final scoring.

        Args:
            root: the court.
            rank: what his follower is.

        """
        if not super().barren(root, rank) or (rank == FALCONER and self.falcon.falconer_on_courts):
            return False
        return not (self.falcon.any_scoring and self.board.aeries[root])

    def worth(self, root: int) -> int:
        """Return the points of a path, tower, house or chapel without wall tiles and king."""
        if self.board.kind[root] != CHAPEL:
            return super().worth(root)
        tiles = min(self.board.mask[root].bit_count(), LARGEST)
        return tiles * (tiles + 1) // 2

    def go_on(self, turn: Turn, done: Sequence[int], *, last: bool) -> None:
        """Play what follows the tile of a turn."""
        super().go_on(turn, done, last=last)
        plan = turn.plan
        for player in (0, 1):
            if plan.at_gate[player] != self.at_gate[player]:
                self.board.put(self.at_gate, player, plan.at_gate[player])
        if any(claim.aeries or claim.more for claim in plan.claims):
            self._collect(plan)

    def _collect(self, plan: Plan) -> None:
        """Let the scorers of a turn take their tokens, in the order of scoring."""
        held, gone = (self.tokens[0], self.tokens[1]), self.gone[0]
        for claim in plan.claims:
            held, gone = collected(self.falcon, held, gone, claim.winner, claim.aeries, claim.more)
        for player in (0, 1):
            self.board.put(self.tokens, player, held[player])
        if gone != self.gone[0]:
            self.board.put(self.gone, 0, gone)

    def _post(self, rank: int, node: int) -> None:
        """Remember on which node a follower of the mover stands, who leaves the supply."""
        if rank:
            self.board.put(self.specials, self.turn[0] * EACH + rank - 1, node)
        else:
            super()._post(rank, node)

    def _go_home(self, done: Sequence[int]) -> list[int]:
        """Take the followers off completed features; return how many ordinary ones by player."""
        there = [self.board.find(node) if node >= 0 else NOTHING for node in self.specials]
        back = super()._go_home(done)
        for index, root in enumerate(there):
            player = index // EACH
            if root in done and not self.board.men[2 * root + player]:
                back[player] -= 1
                self.board.put(self.specials, index, RESTING)
        return back

    def _use_fresh(self, player: int, back: int) -> None:
        """Make what a player got earlier usable, with the followers that came home now."""
        super()._use_fresh(player, back)
        for index in range(player * EACH, (player + 1) * EACH):
            if self.specials[index] == RESTING:
                self.board.put(self.specials, index, AT_HAND)
