"""Files of rule cards: situations with their verdicts, one list for each kind of question."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Self, TypeVar

from pydantic import Field, model_validator  # noqa: TID253 -- a file model

from burgrave.model.errors import FileError
from burgrave.model.files.positions import position_from
from burgrave.model.files.schema import (
    AnyPosition,
    CastleId,
    FileModel,
    PlaneBody,
    PositionBody,
    TileEntry,
    TileId,
)
from burgrave.model.files.toml import parse, validate
from burgrave.model.position import Position
from burgrave.model.rules.index import RULES
from burgrave.model.tiles import Kind
from burgrave.puzzles.cards.questions import (
    Check,
    Draws,
    Final,
    Look,
    Moves,
    Play,
    Possible,
    Question,
)

CARD_ID = r"^[A-Z]{2}-[0-9]{2}[a-z]?$"
"""Pattern of the ids of cards: ``CA-36a``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A rule card: a situation that players argue about, with the verdict."""

    id: str
    """``CA-36a``; the letter tells apart the verdicts of one card."""
    title: str
    """The situation in one plain sentence."""
    rules: tuple[str, ...]
    """Ids of the rules that decide it."""
    source: str
    """The section of the rules that says so."""
    position: Position
    question: Question
    expected: Mapping[str, Any]
    """The verdict, by key."""


class Expectation(FileModel):
    """A verdict: the keys that matter to the card."""


class Ruling(Expectation):
    """A verdict on something that may be illegal."""

    legal: bool = True
    breaks: list[str] = Field(default=[], description="Ids of all rules that are broken.")
    cites: list[str] | None = Field(
        default=None, description="Ids of rules that must be named as being at work."
    )

    @model_validator(mode="after")
    def illegal_says_why(self) -> Self:
        """Refuse an illegal verdict without a rule, and a legal one with one."""
        if self.legal is bool(self.breaks):
            raise ValueError("what is illegal names its rules in 'breaks', what is legal none")
        return self


class CheckRuling(Ruling):
    """Whether a move is legal."""

    contacts: list[str] | None = Field(
        default=None, description="For each finding the cells that it names, '2,1 1,1'."
    )


class PlayRuling(Ruling):
    """The position after moves; lists stand for the players in their order."""

    scores: list[int] | None = None
    points: list[str] | None = Field(default=None, description="Scored in order, 'white 4'.")
    supplies: list[int] | None = None
    on_board: list[int] | None = Field(default=None, description="Followers on the board.")
    keeps: list[int] | None = None
    hands: list[list[int]] | None = Field(default=None, description="Wall tiles that can be used.")
    towers: list[str] | None = Field(default=None, description="Towers that hold a wall tile.")
    spent: list[int] | None = None
    tokens: list[int] | None = Field(default=None, description="Aerie tokens.")
    token_lead: int | None = Field(default=None, description="Aerie tokens, White less Black.")
    at_gate: list[bool] | None = Field(default=None, description="Markers that stand on gates.")
    specials: list[list[str]] | None = Field(default=None, description="Kings, falconers at hand.")
    discarded: list[str] | None = None
    pieces: list[int] | None = Field(default=None, description="Tower pieces left.")
    prisoners: list[list[str]] | None = Field(default=None, description="Owners of prisoners.")
    built: list[str] | None = Field(default=None, description="Towers, '3,4:2 red'.")
    to_move: str | None = None
    extra_turn: bool | None = None
    over: bool | None = None


class FinalRuling(Ruling):
    """The result of final scoring."""

    scores: list[int] | None = None
    winner: str | None = Field(default=None, description="A player, or 'draw'.")
    leaders: list[str] | None = Field(default=None, description="Who shares the win.")
    tokens: list[int] | None = None
    points: list[str] | None = None


class MovesExpectation(Expectation):
    """Which moves are legal."""

    moves: list[str] | None = None
    count: int | None = None


class LookExpectation(Expectation):
    """The facts of a feature."""

    features: int | None = Field(default=None, description="Features that the segments lie on.")
    kind: Kind | None = Field(default=None, strict=False)
    size: int | None = None
    open: int | None = Field(default=None, description="Sides that face an empty cell.")
    complete: bool | None = None
    worth: int | None = None
    worth_at_the_end: int | None = None
    shields: int | None = None
    followers: int | None = None
    markets: int | None = None
    aeries: int | None = None


class DrawsExpectation(Expectation):
    """The possible draws."""

    draws: list[str]


class PossibleExpectation(Expectation):
    """Whether a position can arise."""

    possible: bool
    breaks: list[str] = Field(default=[], description="Ids of all rules that it breaks.")
    cites: list[str] | None = Field(
        default=None, description="Ids of rules that must be named by a remark."
    )


E = TypeVar("E", bound=Expectation)


class Variant(FileModel, Generic[E]):
    """The same situation under other switches, with its verdict."""

    id: str = Field(pattern=CARD_ID)
    title: str
    switches: dict[str, str] = Field(default_factory=dict)
    edition: str | None = Field(default=None, description="Another edition of the rules.")
    expect: E

    @model_validator(mode="after")
    def differs(self) -> Self:
        """Refuse a variant that changes nothing."""
        if not self.switches and self.edition is None:
            raise ValueError("a variant has other switches or another edition")
        return self


class Case(FileModel, ABC, Generic[E]):
    """A card without its question."""

    id: str = Field(pattern=CARD_ID)
    title: str
    rules: list[str] = Field(min_length=1)
    source: str
    position: AnyPosition = PositionBody()
    expect: E
    variant: list[Variant[E]] = Field(
        default=[], description="The same under other switches, with other verdicts."
    )

    @abstractmethod
    def question(self) -> Question:
        """Return the question of the card."""


class CheckCase(Case[CheckRuling]):
    """Is this move legal?"""

    after: list[str] = Field(default=[], description="Moves played first.")
    move: str

    def question(self) -> Check:
        """Return the question of the card."""
        return Check(after=tuple(self.after), move=self.move)


class PlayCase(Case[PlayRuling]):
    """What do these moves lead to?"""

    moves: list[str] = Field(min_length=1)

    def question(self) -> Play:
        """Return the question of the card."""
        return Play(moves=tuple(self.moves))


class MovesCase(Case[MovesExpectation]):
    """Which legal moves have these words?"""

    after: list[str] = Field(default=[], description="Moves played first.")
    words: list[str] = Field(default=[], description="Words of the notation; none: all moves.")

    def question(self) -> Moves:
        """Return the question of the card."""
        return Moves(after=tuple(self.after), words=tuple(self.words))


class FinalCase(Case[FinalRuling]):
    """What does final scoring bring?"""

    after: list[str] = Field(default=[], description="Moves played first.")
    uses: str | None = Field(default=None, description="Wall tiles used; by default the best.")

    def question(self) -> Final:
        """Return the question of the card."""
        return Final(after=tuple(self.after), uses=self.uses)


class LookCase(Case[LookExpectation]):
    """What is this feature?"""

    after: list[str] = Field(default=[], description="Moves played first.")
    at: list[str] = Field(min_length=1, description="Segments, '2,3.N'.")

    def question(self) -> Look:
        """Return the question of the card."""
        return Look(after=tuple(self.after), at=tuple(self.at))


class DrawsCase(Case[DrawsExpectation]):
    """What may be drawn?"""

    after: list[str] = Field(default=[], description="Moves played first.")

    def question(self) -> Draws:
        """Return the question of the card."""
        return Draws(after=tuple(self.after))


class PossibleCase(Case[PossibleExpectation]):
    """Can this position arise?"""

    def question(self) -> Possible:
        """Return the question of the card."""
        return Possible()


class CardsFile(FileModel):
    """Rule cards that share game, kinds of tiles and what start spaces show."""

    burgrave: Literal[1]
    type: Literal["cards"]
    title: str
    game: CastleId = Field(default="castle", description="Game where a position does not say it.")
    kinds: list[TileEntry] = Field(default=[], description="Kinds of tiles for all positions.")
    start_spaces: dict[str, TileId] = Field(
        default={}, description="What start spaces show where a position does not say it."
    )
    check: list[CheckCase] = Field(default=[], description="Is a move legal?")
    play: list[PlayCase] = Field(default=[], description="Where do moves lead?")
    moves: list[MovesCase] = Field(default=[], description="Which moves are legal?")
    final: list[FinalCase] = Field(default=[], description="What does final scoring bring?")
    look: list[LookCase] = Field(default=[], description="What is a feature?")
    draws: list[DrawsCase] = Field(default=[], description="What may be drawn?")
    possible: list[PossibleCase] = Field(default=[], description="Can a position arise?")

    def cases(self) -> Iterator[tuple[str, Case[Any]]]:
        """Yield every case with its place in the file, ``check[2]``."""
        lists: dict[str, Sequence[Case[Any]]] = {
            "check": self.check,
            "play": self.play,
            "moves": self.moves,
            "final": self.final,
            "look": self.look,
            "draws": self.draws,
            "possible": self.possible,
        }
        for key, cases in lists.items():
            for index, case in enumerate(cases):
                yield f"{key}[{index}]", case


def read_cards(name: str, text: str) -> tuple[Card, ...]:
    """Read a file of rule cards.

    Args:
        name: the file as the user named it, for errors.
        text: TOML or JSON.

    Returns:
        Its cards, by id.

    Raises:
        FileError: every problem of the file, or of its first unusable position.

    """
    file = validate(name, parse(name, text), CardsFile, "cards")
    problems = [*_unknown_rules(file), *_repeated_ids(file)]
    if problems:
        raise FileError(name, problems)
    found = [card for place, case in file.cases() for card in _cards(name, file, place, case)]
    return tuple(sorted(found, key=lambda card: card.id))


def _unknown_rules(file: CardsFile) -> Iterator[str]:
    """Yield a problem for every rule id that no game has."""
    known = {rule.id for rule in RULES}
    for place, case in file.cases():
        named = {f"{place}.rules": case.rules}
        verdicts = {place: case.expect}
        verdicts |= {f"{place}.variant[{i}]": v.expect for i, v in enumerate(case.variant)}
        for where, verdict in verdicts.items():
            for key in ("breaks", "cites"):
                named[f"{where}.expect.{key}"] = getattr(verdict, key, None) or []
        for where, ids in named.items():
            for index, rule_id in enumerate(ids):
                if rule_id not in known:
                    yield f"{where}[{index}]: there is no rule {rule_id!r}"


def _repeated_ids(file: CardsFile) -> Iterator[str]:
    """Yield a problem for every id that stands twice in the file."""
    seen: set[str] = set()
    for place, case in file.cases():
        places = {place: case.id}
        places |= {f"{place}.variant[{i}]": v.id for i, v in enumerate(case.variant)}
        for where, card_id in places.items():
            if card_id in seen:
                yield f"{where}.id: {card_id} is there already"
            seen.add(card_id)


def _cards(name: str, file: CardsFile, place: str, case: Case[Any]) -> Iterator[Card]:
    """Yield the card of a case, then those of its variants."""
    check = not isinstance(case, PossibleCase)
    body = _shared(file, case.position)
    card = Card(
        id=case.id,
        title=case.title,
        rules=tuple(case.rules),
        source=case.source,
        position=position_from(name, body, check=check, prefix=f"{place}.position."),
        question=case.question(),
        expected=case.expect.model_dump(exclude_none=True),
    )
    yield card
    for index, variant in enumerate(case.variant):
        switched = _switched(body, variant)
        prefix = f"{place}.variant[{index}]."
        yield replace(
            card,
            id=variant.id,
            title=variant.title,
            position=position_from(name, switched, check=check, prefix=prefix),
            expected=variant.expect.model_dump(exclude_none=True),
        )


def _shared(file: CardsFile, body: PositionBody | PlaneBody) -> PositionBody | PlaneBody:
    """Return the keys of a position with what the cards of a file share."""
    update: dict[str, Any] = {"kinds": [*file.kinds, *body.kinds]}
    if isinstance(body, PositionBody):
        update["game"] = body.game if "game" in body.model_fields_set else file.game
        update["start_spaces"] = {**file.start_spaces, **body.start_spaces}
    return body.model_copy(update=update)


def _switched(body: PositionBody | PlaneBody, variant: Variant[Any]) -> PositionBody | PlaneBody:
    """Return the keys of a position with the switches of a variant."""
    update: dict[str, Any] = {"switches": {**body.switches, **variant.switches}}
    if variant.edition is not None:
        update["edition"] = variant.edition
    return body.model_copy(update=update)
