"""All limits of the page's server."""

from __future__ import annotations

MOST_BYTES = 512_000
"""Bytes in the body of a request."""
MOST_LISTED = 200
"""Puzzles of a dataset in one list."""
MOST_READ = 64
"""Puzzles of a dataset that are kept once they were read."""
MOST_TILES = 200
"""Tiles on a board."""
MOST_DRAWN = 300
"""Tiles still to come, in the order and in the bag."""
MOST_KINDS = 120
"""Kinds of tiles of a position's own."""
MOST_SEGMENTS = 16
"""Segments of a kind of tile, and followers named on a line of the board."""
MOST_TURNS = 240
"""Turns that are tried for one place of a tile."""
MOST_MOVES = 30
"""Moves that are played in one request."""
MOST_PLAYERS = 6
MOST_PUZZLES = 500
"""Puzzles of a set that a user opens."""
MOST_SETS = 16
"""Sets that are kept for their addresses."""
MOST_RECORDED = 200
"""Turns of a record."""
MOST_TOLD = 400
"""Most best moves reported for a turn."""
MOST_LEVEL = 5
"""The strongest level of an opponent."""
MOST_PLAYOUTS = 40_000
"""Playouts of an evaluation."""

LIGHT_THREADS = 4
"""Light requests that are worked on at the same time."""
LIGHT_WAITING = 64
"""Light requests that wait for a thread; more get status 503."""
BODY_SECONDS = 10.0
"""Seconds in which the body of a request must have come."""
HEADER_SECONDS = 10.0
"""Seconds in which the head of a request must have come; then its connection is closed."""
PEER_CONNECTIONS = 64
"""Connections of one machine; a browser opens 6, and a class may share one address."""
GUESS_SECONDS = 1.0
"""Seconds that a wrong token or cookie waits for its refusal."""
KEPT_MATCHES = 512
"""Games that are kept as they were after one of their moves."""
KEPT_LOOKS = 64
"""Views of positions, and sets of tiles, that are kept after they were drawn."""

SOLVES = 2
"""Solves that run at the same time."""
SOLVES_WAITING = 8
"""Solves that wait; more get status 503."""
MOST_SECONDS = 600.0
"""Seconds that a solve may be given."""
GRACE_SECONDS = 60.0
"""Extra seconds before a solve is killed: for its start, first limits, and its answer.

Where others need the processor, the start of a polite solve alone takes half a minute."""
ENOUGH_SECONDS = 8.0
"""Seconds within which a solve ends with what it has, once that is enough."""
SOLVE_BYTES = 4_000_000_000
"""Memory that the process of a solve may ask for."""
MOST_ANSWER_BYTES = 8_000_000
"""Bytes of an answer that a solve may tell."""
SHORT_SECONDS = 0.5
"""Seconds that a request waits for the verdict on an attempt before it is told to ask again."""
SHORTEST_SECONDS = 0.08
"""The same where the puzzle itself tells whether the answer is right."""
IDLE_SECONDS = 900.0
"""Seconds after which the process that stays is ended if nobody needs it."""
KEPT_JOBS = 32
"""Answers kept until they are fetched."""
RETRY_SECONDS = 2
"""Seconds before a refused visitor may try again."""

VISITOR_REQUESTS = 16
"""Requests of one machine of the network that are worked on at the same time."""
VISITOR_SOLVES = 3
"""Solves of one machine of the network that run or wait."""
VISITOR_JOBS = 8
"""Answers kept for one machine of the network."""
