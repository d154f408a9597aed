"""The questions that rule cards ask, each with its answer by the reference engine.

An answer is a dictionary of plain values, so that it can be laid beside the stored one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from burgrave.model.book import book_of
from burgrave.model.draws import draws
from burgrave.model.engine import Judgement, judge, legal_moves, play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.features import Feature, position_features
from burgrave.model.files.planes import plane_data
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.laying import complete
from burgrave.model.notation import read_final, read_move, write_move
from burgrave.model.position import PASS, Move, Position
from burgrave.model.problems import problems, remarks
from burgrave.model.rule import Event, Finding
from burgrave.model.rules.castle.keeps import END_COURT
from burgrave.model.tiles import Kind, Mark
from burgrave.model.words import read_node

Facts = dict[str, Any]
"""An answer's facts, by the keys of the card files."""


def advance(position: Position, moves: Iterable[str]) -> Position:
    """Play moves in notation.

    Raises:
        NotationError: one cannot be read.
        IllegalMoveError: one breaks a rule.

    """
    for text in moves:
        position = play(position, read_move(position, text)).position
    return position


def broken(findings: Iterable[Finding]) -> list[str]:
    """Return the ids of the rules that findings name, each once, sorted."""
    return sorted({finding.rule for finding in findings})


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Is this move legal, and which rules does it break?"""

    after: tuple[str, ...] = ()
    """Moves played first, in notation."""
    move: str

    def turns(self, position: Position) -> list[tuple[Position, Move]]:
        """Return the turn that is asked about, as position and move."""
        before = advance(position, self.after)
        return [(before, read_move(before, self.move))]

    def on_a_cell(self, position: Position) -> bool:
        """Tell whether the move lays its tile on one cell; no other move can be listed."""
        before = advance(position, self.after)
        try:
            read_move(before, self.move)
        except IllegalMoveError:
            return False
        return True

    def answer(self, position: Position) -> Facts:
        """Return ``legal``, ``breaks``, ``contacts`` and ``cites``."""
        before = advance(position, self.after)
        try:
            judgement = judge(before, read_move(before, self.move))
        except IllegalMoveError as error:
            judgement = Judgement(error.findings, ())
        return {
            "legal": judgement.legal,
            "breaks": broken(judgement.violations),
            "contacts": [" ".join(map(str, f.cells)) for f in judgement.violations],
            "cites": broken(judgement.notes),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What do these moves lead to?"""

    moves: tuple[str, ...]

    def turns(self, position: Position) -> list[tuple[Position, Move]]:
        """Return the turns up to the first illegal one, each as position and move."""
        found = []
        for text in self.moves:
            move = read_move(position, text)
            found.append((position, move))
            if not judge(position, move).legal:
                break
            position = play(position, move).position
        return found

    def answer(self, position: Position) -> Facts:
        """Return the position that is reached, what happened, and the rules at work."""
        cited: set[str] = set()
        events: list[Event] = []
        for before, move in self.turns(position):
            judgement = judge(before, move)
            cited.update(note.rule for note in judgement.notes)
            try:
                played = play(before, move)
            except IllegalMoveError as error:
                return {"legal": False, "breaks": broken(error.findings), "cites": sorted(cited)}
            position = played.position
            events += played.events
        cited.update(rule for event in events for rule in event.rules)
        return {
            "legal": True,
            "breaks": [],
            "cites": sorted(cited),
            "points": points_of(position, events),
            **_state(position),
        }


def points_of(position: Position, events: Sequence[Event]) -> list[str]:
    """Return the points scored, in order, as ``white 4``."""
    return [
        f"{position.game.players[event.player]} {event.points}"
        for event in events
        if event.player is not None and event.points
    ]


def _state(position: Position) -> Facts:
    """Return the facts of a position besides its tiles, players in their order."""
    players = position.players
    standing = [follower.player for follower in position.followers]
    tokens = [player.part(FalconHoldings).tokens for player in players]
    return {
        "scores": [player.score for player in players],
        "supplies": [player.supply for player in players],
        "on_board": [standing.count(index) for index in range(len(players))],
        "keeps": [player.keep for player in players],
        "hands": [list(player.wall_tiles) for player in players],
        "towers": [name for name, _ in position.towers],
        "spent": list(position.spent),
        "tokens": tokens,
        "token_lead": tokens[0] - tokens[1],
        "at_gate": [player.at_gate for player in players],
        "specials": [list(map(str, player.specials)) for player in players],
        "discarded": list(position.discarded),
        "to_move": position.game.players[position.to_move],
        "extra_turn": position.in_extra_turn,
        "over": position.over,
        "pieces": [player.part(TowerHoldings).pieces for player in players],
        "prisoners": [
            [*map(position.game.owned, player.part(TowerHoldings).prisoners)] for player in players
        ],
        "built": plane_data(position).get("built", []),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """Which legal moves have all these words?"""

    after: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Words of the notation; none for all legal moves."""

    def answer(self, position: Position) -> Facts:
        """Return ``moves`` and ``count`` by the reference engine."""
        before = advance(position, self.after)
        return self.among(before, legal_moves(before))

    def among(self, before: Position, moves: Iterable[Move]) -> Facts:
        """Return ``moves`` and ``count`` of an engine's legal moves."""
        texts = [write_move(before, move) for move in moves]
        found = sorted(text for text in texts if set(self.words) <= set(text.split()))
        return {"moves": found, "count": len(found)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """What does final scoring bring?"""

    after: tuple[str, ...] = ()
    uses: str | None = None
    """Wall tiles 4 to 9 used, in notation; None for the best use for each player."""

    def answer(self, position: Position) -> Facts:
        """Return ``scores``, ``winner``, ``points`` and ``cites``, or what the uses break."""
        end = advance(position, self.after)
        try:
            final = final_scoring(end, None if self.uses is None else read_final(end, self.uses))
        except IllegalMoveError as error:
            return {"legal": False, "breaks": broken(error.findings)}
        return {
            "legal": True,
            "breaks": [],
            "scores": list(final.scores),
            "winner": "draw" if final.winner is None else end.game.players[final.winner],
            "leaders": [end.game.players[player] for player in final.leaders],
            "points": points_of(end, final.events),
            "tokens": list(final.tokens),
            "cites": sorted({rule for event in final.events for rule in event.rules}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is the feature here, and is it one with the feature there?"""

    after: tuple[str, ...] = ()
    at: tuple[str, ...]
    """Segments, ``2,3.N``; the facts are those of the first one's feature."""

    def answer(self, position: Position) -> Facts:
        """Return the facts of the first feature and how many features the segments lie on."""
        board = advance(position, self.after)
        graph = position_features(board)
        found = [graph.at(read_node(board, text)) for text in self.at]
        feature = found[0]
        return {
            "features": len({each.nodes for each in found}),
            "kind": str(feature.kind),
            "size": feature.size,
            "open": len(feature.open_sides),
            "complete": complete(board, feature, board.laid()),
            "worth": _worth(board.game, feature),
            "worth_at_the_end": _worth_at_the_end(board, feature),
            "markets": feature.count(Mark.MARKET),
            "aeries": len(feature.aeries),
            "shields": feature.count(Mark.SHIELD),
            "followers": len(feature.followers),
        }


def _worth(game: Game, feature: Feature) -> int | None:
    """Return the points of a feature: those of a completed one, or of a court at the end."""
    if feature.kind is Kind.COURT:
        return END_COURT(game, feature)
    if feature.kind is Kind.FIELD:
        return None
    return book_of(game).completed(game, feature)[1]


def _worth_at_the_end(board: Position, feature: Feature) -> int | None:
    """Return the points of an uncompleted feature of Carcassonne at the end."""
    book = book_of(board.game)
    if feature.kind not in book.incomplete:
        return None
    return book.uncompleted(board.game, feature, board.by_cell())[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """What may the player draw?"""

    after: tuple[str, ...] = ()

    def answer(self, position: Position) -> Facts:
        """Return ``draws``: each the tiles without a place, with ``-``, and the tile to be laid."""
        found = [
            " ".join([*(f"-{tile}" for tile in draw.discards), draw.tile or PASS])
            for draw in draws(advance(position, self.after))
        ]
        return {"draws": found}


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """Can this position arise, and which rules does it break?"""

    def answer(self, position: Position) -> Facts:
        """Return ``possible``, ``breaks`` and ``cites``, the rules with a remark on it."""
        found = broken(problems(position))
        return {"possible": not found, "breaks": found, "cites": broken(remarks(position))}


Question = Check | Play | Moves | Final | Look | Draws | Possible
