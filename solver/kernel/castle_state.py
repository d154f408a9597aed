"""The state of a game of The Castle, with The Falcon or without, as one record."""

from __future__ import annotations

import numpy as np

from burgrave.model.geometry import PORTS
from burgrave.solver.kernel.castle_tables import CASTLE_CELLS, CASTLE_NODES, MEN, PATTERNS, TOWERS
from burgrave.solver.kernel.records import record_type

IMAGINED = CASTLE_NODES
"""The node of the first segment of an imagined tile; see ``castle_glance``. The others follow."""
NODES = CASTLE_NODES + PORTS
NUMBERS = 10
"""Wall tile numbers, 0 for one that nobody has seen."""
RANKS = 3
"""An ordinary follower, the falconer, the king."""
FOLLOWER, FALCONER, KING = range(RANKS)
AT_HAND, RESTING, ABSENT = -1, -2, -3
"""Places of a king or falconer off the board; ``RESTING``: usable next turn."""
STANDING = 2 * (MEN + RANKS - 1)
"""Most followers on the board."""
CLAIMS = STANDING + 1
"""Most features scored in one turn: each has a follower."""
CASTLE_TOUCHED = 48
"""Most features that a tile touches: 12 segments of its own, 12 across its sides, and those whose
last enclosed hole it fills, by the switch on holes."""
CHOICES = 512
"""Most undominated uses of a player's wall tiles 4 to 6."""
PLANS = 1024
"""Most different plans for one placement."""
DEPTH = CASTLE_CELLS + 2 + TOWERS
"""Most turns that can be taken back: one for each cell, one part of a turn for each wall tile
turned over, and two that are saved while the last turns are tried."""
SLOTS = 1024
"""Size of the cache of largest empty areas; a power of 2."""
CHANGES = 2 * DEPTH + STANDING
"""Most changes of followers on features: one for each follower placed, one for each occupied
feature scored or tied."""

NOW = record_type(
    [
        ("score", np.int32, 2),  # player → score on the track
        ("supply", np.int16, 2),  # player → followers that he may place
        ("fresh_men", np.int16, 2),  # player → followers usable next turn
        ("keep", np.int16, 2),  # player → score on the track
        ("at_gate", np.int16, 2),  # player → 1 if a gate has stopped his marker
        ("tokens", np.int16, 2),  # player → aerie tokens
        ("gone", np.int64, 2),  # aeries that bring no more tokens, a set
        ("hand", np.int16, (2, NUMBERS)),  # player, number → usable wall tiles
        ("fresh_hand", np.int16, (2, NUMBERS)),  # player, number → wall tiles usable next turn
        ("tower", np.int16, TOWERS),  # corner tower → wall tile; 0 unknown, -1 none
        ("post", np.int16, (2, MEN)),  # player, index → node of a follower, or -1
        ("special", np.int16, (2, RANKS)),  # player, rank → node, or AT_HAND and so on
        ("mover", np.int16),  # the player to move
        ("extra", np.int16),  # his extra turns to come
        ("in_extra", np.int16),  # 1 in an extra turn
        ("covered", np.int32),  # bit c: taking from corner tower c turns a wall tile over
        ("unseen", np.int8, NUMBERS),  # number → wall tiles that may be turned over
        ("pending", np.int16),  # corner tower of the wall tile being turned over, or -1
        ("begun", np.int64),  # the turn that turns it over
    ]
)
"""The part of a state that changes with each turn besides the board; undo copies it whole."""

CASTLE_FEATURE = record_type(
    [
        ("mask", np.int64, 2),  # cells, a set
        ("faces", np.int64, 2),  # cells inside beyond its edges, a set
        ("aeries", np.int64, 2),  # ``cell * aeries_each + aerie``, a set
        ("fountains", np.int16),  # their number
        ("markets", np.int16),  # their number
        ("men", np.int16),  # White's weight of followers + 256 * Black's
    ],
    align=True,
)
"""What a feature holds, or a part of it."""

FRAME = record_type(
    [
        ("cell", np.int64),  # cell of the tile, -1 for a turn without a tile
        ("joins", np.int64),  # ``joins`` before the turn
        ("changes", np.int64),  # ``changes`` before the turn
        ("held", np.int64, 2),  # before
        ("now", NOW),  # before
    ]
)
"""The values that a turn overwrites, for undo."""

PLAN = record_type(
    [
        ("score", np.int32, 2),  # player → score afterwards
        ("at_gate", np.int16, 2),  # player → score on the track
        ("takes", np.int32, 2),  # player → bits by corner tower: he takes its wall tile
        ("uncovers", np.int8),  # corner tower of the first wall tile turned over, or -1
        ("until", np.int8),  # claims scored before that
        ("whole_order", np.int16),  # 1 if a move names every claim, since orders differ
        ("order", np.int8, CLAIMS),  # index → claim, in the order of scoring
        ("used", np.int8, CLAIMS),  # claim → number of wall tiles that double it
    ]
)
"""One way to score the features that a tile completes."""

END = record_type(
    [
        ("root", np.int16),
        ("kind", np.int8),  # as in CASTLE_FEATURES
        ("winner", np.int8),
        ("points", np.int32),  # without wall tiles
        ("tile", np.int32),  # extra points of each wall tile used on it
        ("tokens", np.int32),  # besides those for aeries
        ("aeries", np.int64, 2),  # the aeries that bring tokens, a set
    ]
)
"""A court or an incomplete feature that a player holds at the end."""

CHOICE = record_type(
    [
        ("ends", np.int64),  # bit e: a wall tile is used on ``end[e]``
        ("points", np.int32),
        ("tokens", np.int32),  # tokens besides those for ``aeries``
        ("aeries", np.int64, 2),  # aeries that bring one token each, by the switch; a set
    ]
)
"""A use of a player's wall tiles 4 to 6, with his points and tokens."""

CASTLE_STATE = record_type(
    [
        ("players", np.int64),  # always 2
        ("depth", np.int64),  # turns played since the state was made
        ("overflow", np.int64),  # 1 once a table was full: results are invalid
        ("feature", CASTLE_FEATURE, NODES),  # root → its feature; aligned, for ``Views``
        ("empty", np.int64, 2),  # the empty cells inside, a set
        ("held", np.int64, 2),  # cells inside beside a tile or at a start space, a set
        ("lie", np.int16, CASTLE_CELLS),  # cell → kind * 4 + rotation of its tile, or -1
        ("wants", np.int16, CASTLE_CELLS),  # cell inside → bits that a tile must show
        ("parent", np.int16, NODES),  # node → parent in its class; a root → itself
        ("kind", np.int8, NODES),  # node → kind of its segment, as in CASTLE_FEATURES
        ("now", NOW),
        ("joins", np.int64),  # length of the next two arrays; each join removes one class
        ("joined", np.int16, CASTLE_NODES),  # index → root that became a child
        ("root_before", CASTLE_FEATURE, CASTLE_NODES),  # index → feature of its root before
        ("changes", np.int64),  # length of the next two arrays
        ("changed", np.int16, CHANGES),  # index → root
        ("men_before", np.int16, CHANGES),  # index → ``men`` of that root before
        ("frame", FRAME, DEPTH),  # depth → saved state
        # Work space for one kind of tile or one placement, not part of the position:
        ("places", np.int64, 4 * CASTLE_CELLS),  # index → place of the kind, as in a turn
        ("pays", np.int64, PORTS),  # first segment of an imagined feature → points if complete
        ("met", np.int64, PORTS),  # index → root that the tile joins
        ("met_by", np.int64, PORTS),  # index → imagined node that joins that root
        ("meets", np.int64),  # length of ``met``
        ("shut", np.int64, PORTS),  # index → root that the tile completes and does not join
        ("shuts", np.int64),  # length of ``shut``
        ("wins", np.int64),  # the mover's points for an occupied feature that the tile completes
        ("loses", np.int64),  # 1 if the opponent scores one
        ("touches", np.int64),  # length of ``touched``
        ("touched", np.int16, CASTLE_TOUCHED),  # index → node of a feature that the tile touches
        ("dones", np.int64),  # length of ``done``
        ("done", np.int16, CASTLE_TOUCHED),  # index → root of a completed feature, ascending
        ("claims", np.int64),  # number of features that a player scores
        ("claim_root", np.int16, CLAIMS),
        ("claim_winner", np.int8, CLAIMS),
        ("claim_points", np.int32, CLAIMS),  # without wall tiles
        ("claim_doubler", np.int8, CLAIMS),  # claim → number of the wall tile that doubles it, or 0
        ("claim_doublings", np.int8, CLAIMS),  # claim → usable wall tiles of that number
        ("claim_tokens", np.int8, CLAIMS),  # claim → tokens besides those for aeries
        ("using", np.int8, CLAIMS),  # claim → wall tiles on it, while listing plans
        ("ordering", np.int8, CLAIMS),  # index → claim, while listing plans
        ("plans", np.int64),  # number of plans
        ("plan", PLAN, PLANS),
        ("counted", np.int64),  # kinds that any hand's wall tiles score, as bits
        ("mine", np.int64),  # kinds that the mover's wall tiles score, as bits
        ("stirs", np.int64),  # 1 if a turn changes more than follower and score
        ("late", np.int64),  # most points of its follower at the end
        # Work space for the learned value: pattern of paths → tiles to come; features seen.
        ("with_pattern", np.int64, PATTERNS),
        ("seen_roots", np.int64),
        ("seen_root", np.int64, STANDING),
        # Work space for final scoring:
        ("known_empty", np.int64, (SLOTS, 2)),  # slot → set of empty cells
        ("known_area", np.int64, SLOTS),  # slot → size of its largest area
        ("ends", np.int64),  # number of features held at the end
        ("end", END, STANDING),
        ("choices", np.int64, 3),  # player → number of choices; 2 → of those in progress
        ("choice", CHOICE, (3, CHOICES)),
    ]
)
