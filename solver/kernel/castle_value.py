"""What the learned value sees of The Castle and The Falcon: numbers of each player, by tile counts.

The value is the policy's outlook plus a sum of these numbers, each times a learned weight.
``solver.simulation.values`` has the weights.
"""

from __future__ import annotations

from typing import Any

from burgrave.model.rules.castle.keeps import A_MARKET
from burgrave.solver.kernel.bits import SPAN, lowest
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle_board import largest_area, open_cells
from burgrave.solver.kernel.castle_plans import worth
from burgrave.solver.kernel.castle_scoring import keep_of
from burgrave.solver.kernel.castle_state import AT_HAND, FALCONER, KING, NUMBERS, RESTING
from burgrave.solver.kernel.castle_tables import CASTLE_FEATURES, COURT, MEN, PATTERNS
from burgrave.solver.kernel.compiling import compiled, inner

FACED = 4
"""Most empty cells beyond a feature's edges that are told apart."""
SPACING = 5
"""Most spaces of the track to the next corner tower that are told apart."""
KINDS = len(CASTLE_FEATURES)
CASTLE_SEEN: tuple[tuple[str, int], ...] = (
    ("score", 1),
    ("to_move", 1),
    ("again", 1),  # his turns before the opponent's next
    ("supply", MEN + 1),  # 1 at the number of followers in the supply or usable next turn
    ("hand", NUMBERS),  # his wall tiles, by number
    ("keep", 1),  # the size of his keep
    ("larger_keep", 1),  # 1 if it is the larger one
    ("area", 1),  # the cells of the largest empty area, if it is
    ("now", KINDS * FACED),  # points of features that he leads, by kind and cells faced
    ("men", KINDS * FACED),  # his followers on features
    ("dead", KINDS),  # points of features that face a cell that no tile left fits
    ("trapped", KINDS),  # his followers on them
    ("near", KINDS),  # points of features on which he has one follower too few
    ("tower_ahead", SPACING + 1),  # 1 at the spaces to the next corner tower with a wall tile
    ("tokens", 1),
    ("more_tokens", 1),  # 1 if he has more than the opponent
    ("specials", 1),  # his falconer and king at hand
)
"""Names of the numbers, with how many there are of each."""
CASTLE_SCORE = 0
CASTLE_TO_MOVE = CASTLE_SCORE + 1
CASTLE_MEN_LEFT = CASTLE_TO_MOVE + 2
IN_HAND = CASTLE_MEN_LEFT + MEN + 1
OWN_KEEP = IN_HAND + NUMBERS
WINS_NOW = OWN_KEEP + 3
ON_IT = WINS_NOW + KINDS * FACED
DEAD = ON_IT + KINDS * FACED
TRAPPED = DEAD + KINDS
ONE_SHORT = TRAPPED + KINDS
AHEAD = ONE_SHORT + KINDS
TOKENS_HELD = AHEAD + SPACING + 1


@compiled
def describe(s: Any, t: Any, coming: Any, out: Any) -> int:
    """Write the numbers of each player; see ``solver.kernel.game``."""
    count = TOKENS_HELD + 3
    out[:2, :count] = 0.0
    now = s.now
    keeps = keep_of(s, t, 0) - keep_of(s, t, 1)
    for player in range(2):
        out[player, CASTLE_SCORE] = now.score[player]
        out[player, CASTLE_TO_MOVE] = player == now.mover
        men = now.supply[player] + now.fresh_men[player]
        out[player, CASTLE_MEN_LEFT + min(men, MEN)] = 1.0
        for number in range(NUMBERS):
            held = now.hand[player, number] + now.fresh_hand[player, number]
            out[player, IN_HAND + number] = held
        out[player, OWN_KEEP] = keep_of(s, t, player)
        out[player, AHEAD + _ahead(s, t, player)] = 1.0
        if t.falcon:
            out[player, TOKENS_HELD] = now.tokens[player]
            out[player, TOKENS_HELD + 1] = now.tokens[player] > now.tokens[1 - player]
            for rank in (FALCONER, KING):
                special = now.special[player, rank]
                out[player, TOKENS_HELD + 2] += special in (AT_HAND, RESTING)
    out[now.mover, CASTLE_TO_MOVE + 1] = now.extra + now.in_extra
    if keeps:
        larger = 0 if keeps > 0 else 1
        out[larger, OWN_KEEP + 1] = 1.0
        out[larger, OWN_KEEP + 2] = largest_area(s, t)
    _count_patterns(t, coming, s.with_pattern)
    s.seen_roots = 0
    for player in range(2):
        for post in range(MEN):
            node = int(now.post[player, post])
            if node >= 0:
                _see(s, t, find(s, node), out)
        for rank in (FALCONER, KING):
            node = int(now.special[player, rank]) if t.falcon else -1
            if node >= 0:
                _see(s, t, find(s, node), out)
    return count


@inner
def _ahead(s: Any, t: Any, player: int) -> int:
    """Return the spaces from a player's marker to the next corner tower with a wall tile."""
    space = int(s.now.score[player])
    for steps in range(1, SPACING + 1):
        tower = int(t.landing[(space + steps) % t.track])
        if tower >= 0 and s.now.tower[tower] >= 0:
            return steps - 1
    return SPACING


@inner
def _count_patterns(t: Any, coming: Any, out: Any) -> None:
    """Count the tiles to come by the pattern of their sides with paths."""
    for pattern in range(PATTERNS):
        out[pattern] = 0
    for kind in range(t.kinds):
        out[t.pattern[kind]] += coming[kind]


@inner
def _fewest(s: Any, t: Any, root: int) -> int:
    """Return how many tiles to come fit on the scarcest empty cell that a feature faces."""
    fewest = 1 << 20
    for word in range(2):
        cells = int(s.feature[root].faces[word] & s.empty[word])
        while cells:
            cell = word * SPAN + lowest(cells)
            cells &= cells - 1
            fits, patterns = 0, int(t.fitting[s.wants[cell]])
            while patterns:
                fits += s.with_pattern[lowest(patterns)]
                patterns &= patterns - 1
            fewest = min(fewest, fits)
    return fewest


@inner
def _see(s: Any, t: Any, root: int, out: Any) -> None:
    """Add a feature with followers to the numbers, at the first of its followers."""
    for index in range(s.seen_roots):
        if s.seen_root[index] == root:
            return
    s.seen_root[s.seen_roots] = root
    s.seen_roots += 1
    kind, men = int(s.kind[root]), int(s.feature[root].men)
    points = float(A_MARKET * s.feature[root].markets if kind == COURT else worth(s, t, root))
    faced = open_cells(s, root)
    at = kind * FACED + max(0, min(faced, FACED) - 1)
    dead = faced > 0 and _fewest(s, t, root) == 0
    for player in range(2):
        mine, theirs = men >> 8 * player & 255, men >> 8 * (1 - player) & 255
        leads = mine > theirs
        if mine and mine + 1 == theirs:
            out[player, ONE_SHORT + kind] += points
        if dead:
            out[player, DEAD + kind] += leads * points
            out[player, TRAPPED + kind] += mine
        else:
            out[player, WINS_NOW + at] += leads * points
            out[player, ON_IT + at] += mine
