"""The state of a game of The Castle, with The Falcon or without, as one record."""

from __future__ import annotations

import numpy as np

from model.geometry import PORTS
from solver.kernel.castle_tables import CELLS, KINDS, MEN, NODES, TILES, TOWERS

NUMBERS = 10
"""Wall tile numbers, 0 for one that nobody has seen."""
RANKS = 3
"""An ordinary follower, the falconer, the king."""
FOLLOWER, FALCONER, KING = range(RANKS)
AT_HAND, RESTING, ABSENT = -1, -2, -3
"""Where a king or falconer is who stands nowhere; resting: he came home too late to be used."""
STANDING = 2 * (MEN + RANKS - 1)
"""Most followers on the board."""
CLAIMS = STANDING + 1
"""Most features that are scored in one turn: a follower stands on each."""
TOUCHED = 48
"""Most features that a tile touches: 12 segments of its own, 12 across its sides, and, by the
switch on enclosed holes, those of which it fills the last hole."""
CHOICES = 512
"""Most uses of a player's wall tiles 4 to 6 of which none is better in all respects."""
PLANS = 1024
"""Most ways to score one placement that are told apart."""
DEPTH = CELLS + 2 + TOWERS
"""Most turns on one another: one for each cell, one in which no tile has a place, and as many
beginnings of turns as wall tiles can be turned over."""
SLOTS = 1024
"""Sets of empty cells whose largest area is remembered; a power of 2."""
CHANGES = 2 * DEPTH + STANDING
"""Most changes of followers on features: one for each that is placed, one for each that is
scored or tied, on which there was a follower."""

NOW = np.dtype(
    [
        ("score", np.int32, 2),  # by player
        ("supply", np.int16, 2),  # by player the followers that may be placed
        ("fresh_men", np.int16, 2),  # by player followers that came home too late to be used yet
        ("keep", np.int16, 2),  # by player
        ("at_gate", np.int16, 2),  # by player whether a gate has stopped the marker there
        ("tokens", np.int16, 2),  # by player aerie tokens
        ("gone", np.int64, 2),  # aeries that bring no more tokens, as bits
        ("hand", np.int16, (2, NUMBERS)),  # by player and number wall tiles that may be used
        ("fresh_hand", np.int16, (2, NUMBERS)),  # likewise those taken too late to be used yet
        ("tower", np.int16, TOWERS),  # by corner tower its wall tile, 0 if unknown, or -1
        ("post", np.int16, (2, MEN)),  # by player the nodes on which followers stand, or -1
        ("special", np.int16, (2, RANKS)),  # by player and rank the node, or AT_HAND and so on
        ("mover", np.int16),  # the player to move
        ("extra", np.int16),  # his extra turns to come
        ("in_extra", np.int16),  # whether this is an extra turn
        ("covered", np.int32),  # corner towers whose wall tile is turned over once taken, as bits
        ("unseen", np.int8, NUMBERS),  # by number the wall tiles that may be turned over
        ("pending", np.int16),  # the corner tower whose wall tile is being turned over, or -1
        ("begun", np.int64),  # the turn in which it is
    ]
)
"""What changes with each turn besides the board: it is copied whole for undo."""

JOIN = np.dtype(
    [
        ("child", np.int16),  # the class that was joined to another
        ("root", np.int16),  # the other
        ("fountains", np.int16),  # what the root was before; likewise all that follow
        ("markets", np.int16),
        ("anchor", np.int16),
        ("men", np.int16),
        ("mask", np.int64, 2),
        ("faces", np.int64, 2),
        ("aeries", np.int64, 2),
    ]
)
"""A join of two classes, to be taken back."""

FRAME = np.dtype(
    [
        ("cell", np.int64),  # of the tile, -1 if none was laid
        ("joins", np.int64),  # how many joins there were before
        ("changes", np.int64),  # how many changes of followers there were before
        ("held", np.int64, 2),  # before
        ("now", NOW),  # before
    ]
)
"""What a turn overwrites, to be taken back."""

PLAN = np.dtype(
    [
        ("score", np.int32, 2),  # by player where the markers stand afterwards
        ("at_gate", np.int16, 2),  # by player
        ("takes", np.int32, 2),  # by player the corner towers whose wall tile he takes, as bits
        ("uncovers", np.int8),  # the corner tower whose wall tile is turned over first, or -1
        ("until", np.int8),  # how many claims are scored by then
        ("whole_order", np.int16),  # whether a move names every claim, since orders differ
        ("order", np.int8, CLAIMS),  # the claims in the order of scoring
        ("used", np.int8, CLAIMS),  # by claim the wall tiles that double it
    ]
)
"""One way to score the features that a tile completes."""

END = np.dtype(
    [
        ("root", np.int16),
        ("kind", np.int8),  # as in KINDS
        ("winner", np.int8),
        ("points", np.int32),  # without wall tiles
        ("tile", np.int32),  # what a wall tile on it brings more
        ("tokens", np.int32),  # besides those for aeries
        ("aeries", np.int64, 2),  # those that bring tokens
    ]
)
"""A court, or a feature that is not complete, which a player holds at the end."""

CHOICE = np.dtype(
    [
        ("ends", np.int64),  # the features on which he uses them, as bits
        ("points", np.int32),
        ("tokens", np.int32),  # those for ``aeries`` not counted
        ("aeries", np.int64, 2),  # of which each brings one token alone, by the switch
    ]
)
"""A use of a player's wall tiles 4 to 6, with what it brings him."""

STATE = np.dtype(
    [
        ("players", np.int64),  # always 2
        ("depth", np.int64),  # turns played since the state was made
        ("overflow", np.int64),  # set once something had no room: results are then void
        ("empty", np.int64, 2),  # the empty cells inside
        ("held", np.int64, 2),  # cells inside beside a tile or at a start space, empty or not
        ("lie", np.int16, CELLS),  # by cell kind * 4 + rotation of its tile, or -1
        ("care", np.int8, CELLS),  # by cell inside the sides that ask for something, as bits
        ("wants", np.int8, CELLS),  # those of them that ask for a path
        ("parent", np.int16, NODES),  # by node the parent in its class; a root is its own
        ("kind", np.int8, NODES),  # by node the kind of its segment, as in KINDS
        ("mask", np.int64, (NODES, 2)),  # by root the cells of the feature
        ("faces", np.int64, (NODES, 2)),  # by root cells inside beyond its edges, empty or not
        ("aeries", np.int64, (NODES, 2)),  # by root: aerie a of a cell is bit cell * each + a
        ("fountains", np.int16, NODES),  # by root
        ("markets", np.int16, NODES),  # by root
        ("men", np.int16, NODES),  # by root White's followers as they count, and 256 times Black's
        ("anchor", np.int16, NODES),  # by root the lowest node
        ("now", NOW),
        ("joins", np.int64),  # entries in join
        ("join", JOIN, NODES),  # each join takes one class away: never more than nodes
        ("changes", np.int64),  # entries in the two arrays that follow
        ("changed", np.int16, CHANGES),  # a root
        ("men_before", np.int16, CHANGES),  # its followers before
        ("frame", FRAME, DEPTH),  # by turn played
        # From here on notes of one placement, not part of the position:
        ("group", np.int64, PORTS),  # by segment the first segment of its feature
        ("group_men", np.int64, PORTS),  # by such a first segment the followers, as in men
        ("group_open", np.int64, (PORTS, 2)),  # likewise the empty cells that it faces
        ("group_mask", np.int64, (PORTS, 2)),  # likewise its cells
        ("group_fountains", np.int64, PORTS),  # likewise whether a fountain is on it: not 0
        ("group_markets", np.int64, PORTS),  # likewise the most markets that may be on it
        ("group_points", np.int64, PORTS),  # likewise what it is worth if it is done, or 0
        ("met", np.int64, PORTS),  # roots that the tile joins
        ("met_by", np.int64, PORTS),  # the segment that joins each of them
        ("touched", np.int16, TOUCHED),  # nodes of the features that the tile touches
        ("dones", np.int64),  # entries in done
        ("done", np.int16, TOUCHED),  # roots of features that it completes, by anchor
        ("claims", np.int64),  # features that somebody scores
        ("claim_root", np.int16, CLAIMS),
        ("claim_anchor", np.int16, CLAIMS),
        ("claim_winner", np.int8, CLAIMS),
        ("claim_points", np.int32, CLAIMS),  # without wall tiles
        ("claim_doubler", np.int8, CLAIMS),  # the wall tile that may double it, or 0
        ("claim_doublings", np.int8, CLAIMS),  # how many of those may be used on it
        ("claim_tokens", np.int8, CLAIMS),  # tokens that it brings besides those for aeries
        ("using", np.int8, CLAIMS),  # by claim wall tiles on it, while ways are worked out
        ("ordering", np.int8, CLAIMS),  # claims in an order, while ways are worked out
        ("plans", np.int64),  # ways to score
        ("plan", PLAN, PLANS),
        ("counted", np.int64),  # kinds of features that wall tiles in hand score, as bits
        ("mine", np.int64),  # likewise in the mover's hand
        ("stirs", np.int64),  # whether a turn changes more than its follower and its gain tell
        ("late", np.int64),  # the most points that its follower may bring at the end
        # From here on notes of final scoring:
        ("known_empty", np.int64, (SLOTS, 2)),  # by slot empty cells whose largest area is known
        ("known_area", np.int64, SLOTS),  # its size
        ("ends", np.int64),  # features that somebody holds
        ("end", END, STANDING),
        ("choices", np.int64, 3),  # by player his choices; then those being worked out
        ("choice", CHOICE, (3, CHOICES)),
        # From here on notes of limits of what can be reached:
        ("coming", np.int64, TILES),  # by kind the tiles to come
        ("brings", np.int64, TILES),  # by kind what a tile brings at most
        ("holds", np.int64, NUMBERS),  # by number the player's wall tiles, and those in reach
        ("men_on", np.int64, len(KINDS)),  # by kind of feature his followers
        ("fitting", np.int64, 2),  # empty cells on which a tile to come fits
        ("fountain_near", np.int64),  # whether a path may come to have a fountain: not 0
        ("houses", np.int64),  # the most tiles of a house that he can score
        ("looks_taken", np.int64),  # how often features were valued
        ("valued", np.int64, NODES),  # by root the look in which it was
        ("gives", np.int64, NODES),  # likewise what it brings a tile on a cell that it faces
        ("lends", np.int64, NODES),  # likewise what it brings there if it becomes his
        ("cells_met", np.int64),  # cells whose features were added up
        ("lent_at", np.int64, NODES),  # by root the number of the last of them
    ]
)
STATE = np.dtype((np.record, STATE))
