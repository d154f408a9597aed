"""The rules for the page: found by words, and shown with the cases of their cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from burgrave.cli.render.events import event_data
from burgrave.cli.render.findings import finding_data
from burgrave.cli.render.rules import AnyRule, found_rules, rule_data
from burgrave.cli.serve import documents, table
from burgrave.cli.serve.bodies import RulesBody
from burgrave.cli.serve.catalogue import switch_words
from burgrave.cli.serve.pictures import case_picture
from burgrave.cli.serve.refusals import RefusalError
from burgrave.model.engine import Judgement, judge, play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_final, read_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems, remarks
from burgrave.model.rule import Event
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.cards.files import Card
from burgrave.puzzles.cards.questions import Check, Final, Look, Play, Possible, advance

_TOLD_OTHERWISE = {"legal", "possible", "breaks", "cites", "contacts"}
"""Keys of a card's verdict that its findings tell in words."""

_NOTHING = Judgement((), ())
"""The verdict on what breaks no rule and that nobody asks about."""


def prepare() -> None:
    """Read the cards, which takes long the first time."""
    cards()


def found(body: RulesBody) -> dict[str, Any]:
    """Return the rules that some words find, as ``burgrave rules`` finds them; none is no error."""
    rules, _ = found_rules(body.words.strip().rstrip(".*"), RULES, cards())
    return {"rules": [{"id": rule.id, "sentence": rule.sentence} for rule in rules]}


def told(rule_id: str) -> dict[str, Any]:
    """Return a rule in words, with its switches and cards.

    Cards are in the order of ids. ``passes`` and ``fails`` name those that show the rule best;
    either can be None. ``other`` is a second case of a rule that forbids nothing on any card: one
    in which it decides no event, if there is such a one.

    Raises:
        RefusalError: there is no such rule.

    """
    rule = next((rule for rule in RULES if rule.id == rule_id), None)
    if rule is None:
        raise RefusalError(404, f"there is no rule {rule_id!r}")
    shown = [card for card in cards() if rule_id in card.rules]
    passing, failing, other = _best(rule, shown)
    data = rule_data(rule, cards())
    return {
        **{key: data[key] for key in ("id", "sentence", "text", "source")},
        "switches": [switch_words(switch) for switch in rule.switches],
        "cards": [
            {"id": card.id, "title": card.title, "fails": _fails(rule, card)} for card in shown
        ],
        "passes": None if passing is None else passing.id,
        "fails": None if failing is None else failing.id,
        "other": None if other is None else other.id,
    }


def _fails(rule: AnyRule, card: Card) -> bool:
    """Tell whether a rule is broken on a card, or one that is a part of it."""
    return any(f"{one}.".startswith(f"{rule.id}.") for one in card.expected.get("breaks", ()))


def _best(rule: AnyRule, shown: Sequence[Card]) -> tuple[Card | None, Card | None, Card | None]:
    """Return cards on which a rule is kept and broken, which ask alike, or kept and another."""
    laid = sorted(shown, key=lambda card: not card.position.tiles)
    broken = [card for card in laid if _fails(rule, card)]
    failing = min(broken, key=lambda card: len(card.expected["breaks"]), default=None)
    kept = [card for card in laid if not card.expected.get("breaks")]
    if failing is not None:
        kept.sort(key=lambda card: type(card.question) is not type(failing.question))
        return next(iter(kept), None), failing, None
    kept.sort(key=lambda card: not _decides(rule, card))
    first = next(iter(kept), None)
    rest = [card for card in kept[1:] if not _decides(rule, card)] or kept[1:]
    rest.sort(key=lambda card: type(card.question) is not type(kept[0].question))
    return first, None, next(iter(rest), None)


def _decides(rule: AnyRule, card: Card) -> bool:
    """Tell whether a rule decides something that happens on a card."""
    return any(rule.id in event.rules for event in _case(card).events)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A situation and what the rules say of it."""

    position: Position
    text: str = ""
    """The move that is asked about, in notation."""
    move: Move | None = None
    """The same if it can be read."""
    judged: Judgement = _NOTHING
    events: tuple[Event, ...] = ()


def case(card_id: str) -> dict[str, Any]:
    """Return the case of a card: position, picture, and what the rules say of it.

    ``allowed`` is None where nobody asks whether something is allowed. ``facts`` has the other
    keys of the verdict.

    Raises:
        RefusalError: there is no such card.

    """
    card = next((card for card in cards() if card.id == card_id), None)
    if card is None:
        raise RefusalError(404, f"there is no card {card_id!r}")
    shown = _case(card)
    game, judged = shown.position.game, shown.judged
    at = card.question.at if isinstance(card.question, Look) else ()
    cells = [cell for finding in judged.violations for cell in finding.cells]
    return {
        "id": card.id,
        "title": card.title,
        "source": card.source,
        "position": documents.document(shown.position, card.title),
        "game": game.id,
        "players": table.players(shown.position),
        "to_move": game.players[shown.position.to_move],
        **case_picture(shown.position, shown.move, cells, at),
        "move": shown.text,
        "allowed": card.expected.get("legal", card.expected.get("possible")),
        "violations": [finding_data(finding) for finding in judged.violations],
        "notes": [finding_data(finding) for finding in judged.notes],
        "events": [event_data(game, event) for event in shown.events],
        "facts": {} if judged.violations or shown.events else _facts(card),
    }


def _case(card: Card) -> _Case:
    """Return the situation of a card before its last move."""
    question, before = card.question, card.position
    match question:
        case Check():
            return _moved(advance(before, question.after), question.move)
        case Play():
            return _played(before, question.moves)
        case Possible():
            judged = Judgement(tuple(problems(before)), tuple(remarks(before)))
            return _Case(position=before, judged=judged)
        case Final():
            return _ended(advance(before, question.after), question.uses)
    return _Case(position=advance(before, question.after))


def _moved(before: Position, text: str) -> _Case:
    """Return a move with its verdict."""
    try:
        move = read_move(before, text)
    except IllegalMoveError as error:
        return _Case(position=before, text=text, judged=Judgement(error.findings, ()))
    return _Case(position=before, text=text, move=move, judged=judge(before, move))


def _played(position: Position, moves: Sequence[str]) -> _Case:
    """Return the last of some moves, or the first illegal one, with what happens up to it."""
    events: tuple[Event, ...] = ()
    shown = _Case(position=position)
    for text in moves:
        shown = _moved(position, text)
        if shown.move is None or not shown.judged.legal:
            break
        played = play(position, shown.move)
        position, events = played.position, (*events, *played.events)
    return replace(shown, events=events)


def _ended(position: Position, uses: str | None) -> _Case:
    """Return the end of a game with its final scoring, or what the uses of wall tiles break."""
    try:
        final = final_scoring(position, None if uses is None else read_final(position, uses))
    except IllegalMoveError as error:
        return _Case(position=position, text=uses or "", judged=Judgement(error.findings, ()))
    return _Case(position=position, text=uses or "", events=final.events)


def _facts(card: Card) -> dict[str, str]:
    """Return the rest of a card's verdict in words."""
    return {
        key.replace("_", " "): _words(value)
        for key, value in card.expected.items()
        if key not in _TOLD_OTHERWISE
    }


def _words(value: object) -> str:
    """Return a fact in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)
