"""The rule cards that come with the program, and how an engine does on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from burgrave.model.engine import canonical
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Move, Position
from burgrave.model.registry import EXPANSIONS, file_of
from burgrave.model.rule import Event
from burgrave.model.rules.castle.scoring import ORDER
from burgrave.model.rules.castle.wall_tiles import HIDDEN
from burgrave.puzzles.cards.files import Card, read_cards
from burgrave.puzzles.cards.questions import Check, Facts, Moves, Play, advance, points_of
from burgrave.puzzles.cards.verdict import Verdict
from burgrave.solver import questions
from burgrave.solver.engines import REFERENCE, listers
from burgrave.solver.result import RootMove

LISTED = ("legal", "scores", "points", "moves", "count")
"""The keys of a verdict that an engine can answer which lists legal moves, with their points."""
EVERY = 1_000_000
"""More moves than any turn has."""


@cache
def cards() -> tuple[Card, ...]:
    """Return every rule card that comes with the program, by id.

    Raises:
        FileError: an id stands in two files.

    """
    found: dict[str, Card] = {}
    ours = (resources.files("burgrave.puzzles") / "cards").iterdir()
    files = {file.name: file for file in ours if file.name.endswith(".toml")}
    files |= {f"{name}/cards.toml": file_of(name, "cards.toml") for name in EXPANSIONS}
    for name, file in sorted(files.items()):
        for card in read_cards(name, file.read_text(encoding="utf-8")):
            if card.id in found:
                raise FileError(name, [f"{card.id} stands in another file of cards too"])
            found[card.id] = card
    return tuple(found[card_id] for card_id in sorted(found))


def select(filters: Iterable[str]) -> tuple[Card, ...]:
    """Return the cards that some filter names, by id; all cards if there is no filter.

    Args:
        filters: each the beginning of a card's id, ``CA-36``, or a rule's id or family,
            ``castle.place``, in any case.

    Raises:
        QuestionError: a filter names no card.

    """
    wanted = list(filters)
    if not wanted:
        return cards()
    chosen: set[str] = set()
    for word in wanted:
        named = {card.id for card in cards() if _named(card, word.lower())}
        if not named:
            known = {name for card in cards() for name in (card.id, *card.rules)}
            lists = "burgrave rules ID names the cards of a rule."
            raise QuestionError(
                f"no rule card and no rule on a card is named {quoted(word)}."
                f"{suggestion(word, sorted(known), lists)}"
            )
        chosen |= named
    return tuple(card for card in cards() if card.id in chosen)


def _named(card: Card, word: str) -> bool:
    """Tell whether a filter in lower case names a card."""
    return card.id.lower().startswith(word) or any(
        f"{rule}.".startswith(f"{word}.") for rule in card.rules
    )


def engines_for(card: Card) -> tuple[str, ...]:
    """Return the engines that can answer a card, the reference first.

    An engine that lists legal moves answers questions on legality and points of a turn, if it
    plays the game. A list holds one wording of each move. So it cannot judge a wrong
    order of scoring, a wrong number of a face-down wall tile, or a tile on two cells.
    """
    plays = listers(card.position.game)
    if isinstance(card.question, Moves):
        return (REFERENCE, *plays)
    wording = {ORDER.id, HIDDEN.id} & set(card.expected.get("breaks", ()))
    if isinstance(card.question, Check) and not card.question.on_a_cell(card.position):
        return (REFERENCE,)
    if isinstance(card.question, Check | Play) and not wording:
        return (REFERENCE, *plays)
    return (REFERENCE,)


def run(card: Card, engine: str = REFERENCE) -> Verdict:
    """Let an engine answer a card.

    Args:
        card: the card.
        engine: one of ``engines_for(card)``. The reference answers all keys of the
            verdict, the others those in ``LISTED``.

    Returns:
        The verdict; ``expected`` and ``got`` have the same keys.

    Raises:
        QuestionError: the engine cannot answer this card.

    """
    if engine not in engines_for(card):
        raise QuestionError(f"engine {engine!r} cannot answer {card.id}")
    expected = dict(card.expected)
    if engine == REFERENCE:
        answer = card.question.answer(card.position)
    else:
        expected = {key: expected[key] for key in LISTED if key in expected}
        if "points" in expected:
            # A list holds one order of scoring.
            expected["points"] = sorted(expected["points"])
        answer = _by_listing(card, engine, points=not {"scores", "points"}.isdisjoint(expected))
    got = _shown(expected, answer)
    return Verdict(
        id=card.id,
        title=card.title,
        rules=card.rules,
        engine=engine,
        expected=expected,
        got=got,
    )


def run_all(asked: tuple[Card, Sequence[str]]) -> list[Verdict]:
    """Let some engines answer a card, as ``run`` does."""
    card, engines = asked
    return [run(card, engine) for engine in engines]


def _shown(expected: dict[str, Any], answer: Facts) -> Facts:
    """Return the part of an answer that is expected; None where the answer is silent."""
    got = {key: answer.get(key) for key in expected}
    if "cites" in expected:
        got["cites"] = [rule for rule in expected["cites"] if rule in answer["cites"]]
    return got


def _by_listing(card: Card, engine: str, *, points: bool) -> Facts:
    """Answer a question about legal moves, and points if wanted, from an engine's list."""
    question = card.question
    if isinstance(question, Moves):
        before = advance(card.position, question.after)
        return question.among(before, questions.legal(before, engine=engine))
    if not isinstance(question, Check | Play):
        raise QuestionError(f"{card.id} asks nothing about legal moves")
    turns = question.turns(card.position)
    if any(before.over for before, _ in turns):
        return {"legal": False}
    if points:
        return _told(card.position, [_choice(*turn, engine) for turn in turns])
    found = [_listed(*turn, questions.legal(turn[0], engine=engine)) for turn in turns]
    return {"legal": None not in found}


def _choice(position: Position, move: Move, engine: str) -> RootMove | None:
    """Return a move as an engine lists it with its points, or None if it does not.

    The points are those that the engine promised: an answer whose promises the replay does
    not confirm is an error.
    """
    answer = questions.best(position, top=EVERY, engine=engine)
    choices = {choice.move: choice for choice in answer.first}
    found = _listed(position, move, choices)
    return None if found is None else choices[found]


def _told(position: Position, choices: Sequence[RootMove | None]) -> Facts:
    """Return whether all turns are legal, what they score, and the scores after them."""
    scores = [player.score for player in position.players]
    events: list[Event] = []
    for choice in choices:
        if choice is None:
            return {"legal": False}
        events += choice.events
    for event in events:
        if event.player is not None:
            scores[event.player] += event.points
    return {"legal": True, "scores": scores, "points": sorted(points_of(position, events))}


def _listed(position: Position, move: Move, moves: Collection[Move]) -> Move | None:
    """Return the listed move that is the same in other words, if there is one."""
    # A canonical wording is defined for legal moves; a tile that can lie there is the least
    # that it needs.
    if not any((m.tile, m.cell) == (move.tile, move.cell) for m in moves):
        return None
    found = replace(canonical(position, move), reveals=())
    return found if found in moves and _doubling(found) == _doubling(move) else None


def _doubling(move: Move) -> list[int]:
    """Return the wall tiles with which a move doubles, sorted."""
    return sorted(number for step in move.scoring for number in step.wall_tiles)
