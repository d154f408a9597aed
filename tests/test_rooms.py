"""Whoever adds a rule, switch, game, engine, tile set or the like visits every room for it.

CONTRIBUTING.md lists the rooms. Each test here fails for one of them that was forgotten, in all its
cases in the quick rhythm too, and says what to do and where.
"""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import get_args

import numpy as np  # noqa: TID253 -- no command loads this module
import pytest

from burgrave.cli.app import COMMANDS, TILE_SETS
from burgrave.cli.beginnings import game_of, shuffled
from burgrave.cli.render import glyphs
from burgrave.model.book import RuleBook, book_of
from burgrave.model.components import Rank
from burgrave.model.files.games import shipped_game
from burgrave.model.files.schema import (
    PlaneBody,
    PlaneEntry,
    PlayerEntry,
    PositionBody,
    json_schema,
)
from burgrave.model.files.tilesets import shipped_tile_sets
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.pictures import board_svg, symbols
from burgrave.model.pictures.pawns import figure_svg
from burgrave.model.position import Position
from burgrave.model.registry import BASES, CASTLE, EXPANSIONS, GAMES, file_of, ids
from burgrave.model.rule import Rule, Switch
from burgrave.model.rules.index import RULES, SWITCHES
from burgrave.model.tiles import MARKED, Mark
from burgrave.puzzles.cards.deck import cards, engines_for
from burgrave.puzzles.cards.files import Card
from burgrave.puzzles.cards.questions import Final
from burgrave.puzzles.files.library import puzzle_entries
from burgrave.puzzles.files.puzzle_files import QuestionName
from burgrave.puzzles.questions import QUESTIONS
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.engines import ENGINES, GAME_ENGINES, ONLY_BY, engines_of, plays
from burgrave.solver.kernel import codec
from burgrave.solver.kernel import game as kernel
from burgrave.solver.kernel.plane_tables import PLANE_RANKS
from burgrave.solver.kernel.records import PLAYERS
from burgrave.solver.simulation import simulation
from burgrave.solver.simulation.policy import LEFTS, mistakes
from tests.perft import frozen
from tests.solver.questioning import engines

ROOT = Path(__file__).parents[1]
LARGEST = tuple(shipped_game(ids(base=base)[-1]) for base in BASES)
"""The games that have all rules and switches of their family."""
FAST = {"cpsat", "state"}
"""The engines of a turn that know rules of their own: the model of CP-SAT and the kernel."""
COMPARED_BY_TURN = {*FAST, "reference"}
"""The engines whose turns ``benchmarks.agreement`` compares."""
AnyRule = Rule[..., object]
pytestmark = pytest.mark.every_case


@pytest.fixture(scope="module", autouse=True)
def _readable() -> None:
    """Read the cards once: what cannot be read fails each test at once, not after its own try."""
    for expansion in EXPANSIONS:
        assert file_of(expansion, "cards.toml").is_file(), (
            f"write model/expansions/{expansion}/cards.toml, with a card for each rule"
        )
    cards()


@cache
def code(folder: str) -> str:
    """Return all Python code of a folder."""
    return "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))


def documented(page: str) -> str:
    """Return the text of a page of the documents."""
    return (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")


@cache
def begun(game_id: str) -> Position:
    """Return the beginning of a game, by the id under which users name it."""
    return shuffled(game_of(game_id, None), 1)[1]


def forbidding(book: RuleBook) -> tuple[AnyRule, ...]:
    """Return the rules of a book that can forbid a move."""
    return (*book.placement, *book.deployment, *book.actions, *book.wall_tiles)


FORBIDDING = tuple(dict.fromkeys(rule for game in LARGEST for rule in forbidding(book_of(game))))
COMPONENTS = tuple(dict.fromkeys(rule for game in LARGEST for rule in book_of(game).setup))


@pytest.mark.parametrize("rule", FORBIDDING, ids=lambda rule: rule.id)
def test_kernel_and_cp_sat_meet_each_rule_that_forbids_a_move(rule: AnyRule) -> None:
    """A card that breaks the rule is answered by both; tests/puzzles/test_cards.py compares."""
    able = {
        engine
        for card in cards()
        if rule.id in card.expected.get("breaks", ())
        for engine in engines_for(card)
    }
    assert able >= FAST, (
        f"puzzles/cards needs a card that breaks {rule.id} and that {' and '.join(FAST - able)}"
        " can answer: teach it the rule in solver/kernel (state) or solver/cpsat (cpsat)"
    )


def totals(card: Card) -> list[int] | None:
    """Return the totals by the kernel of a card about final scoring; None for other cards."""
    position = card.position
    over = not position.order and not position.bag
    if not isinstance(card.question, Final) or not over or codec.refusal(position) is not None:
        return None
    if not plays("state", position.game):
        return None
    out = np.zeros(PLAYERS, np.int64)
    kernel.totals(codec.state_of(position), codec.tables_of(position.game), out)
    return [int(total) for total in out[: len(position.players)]]


@cache
def ends() -> dict[str, tuple[list[int], list[int]]]:
    """Return the totals by kernel and rules of each card whose end the kernel scores."""
    found = ((card, totals(card)) for card in cards())
    return {
        card.id: (known, list(final_scoring(card.position).scores))
        for card, known in found
        if known is not None
    }


def test_the_kernel_scores_the_ends_of_cards() -> None:
    """Its totals on a card about final scoring are those of the rules."""
    wrong = {card: both for card, both in ends().items() if both[0] != both[1]}
    assert not wrong, (
        "teach solver/kernel the rules of these cards, in its tables, points or totals: it scores"
        f" their ends otherwise (first the kernel, then the rules): {wrong}"
    )


@pytest.mark.parametrize(
    "rule",
    [rule for rule in RULES if rule not in FORBIDDING and rule not in COMPONENTS],
    ids=lambda rule: rule.id,
)
def test_the_kernel_meets_each_rule_on_turns_and_ends(rule: AnyRule) -> None:
    """A card of the rule is answered by kernel and CP-SAT, or is an end that the kernel scores."""
    able = {engine for card in cards() if rule.id in card.rules for engine in engines_for(card)}
    scored = any(rule.id in card.rules for card in cards() if card.id in ends())
    assert able >= FAST or scored, (
        f"puzzles/cards needs a card of {rule.id}, about a turn that solver/kernel and solver/cpsat"
        " know, or about the end of a game that the kernel scores"
    )


def with_switch(switch: Switch, value: str) -> tuple[Game, Game]:
    """Return the largest game of a switch, with its default and with a value."""
    game = next(game for game in LARGEST if switch in dict(game.switches))
    return game, game.with_switches({switch.name: value})


VALUES = [(switch, value) for switch in SWITCHES for value in switch.values[1:]]
each_value = pytest.mark.parametrize(
    ("switch", "value"), VALUES, ids=[f"{switch.name}-{value}" for switch, value in VALUES]
)


def untaught(switch: Switch, value: str, engine: str) -> str:
    """Return what to do about a value of a switch that an engine ignores."""
    return (
        f"solver/{engine} ignores {switch.name} = {value}: teach it the value, or let it refuse"
        f' it by a line in ONLY_BY of solver/engines.py, ("{switch.name}", "{value}"): BY_RULES'
    )


@each_value
def test_the_kernel_knows_each_value_of_a_switch_or_refuses_it(switch: Switch, value: str) -> None:
    """The value changes tables or state, or the codec by which moves are worded."""

    def seen(game: Game) -> tuple[bytes, bytes]:
        position = new_position(game, Random(1))
        return (
            np.asarray(codec.tables_of(game)).tobytes(),
            np.asarray(codec.state_of(position)).tobytes(),
        )

    usual, changed = with_switch(switch, value)
    refused = "state" not in ONLY_BY.get((switch.name, value), {"state"})
    worded = re.search(rf"value\({switch.name.upper()}\)", code("solver/kernel"))
    assert refused or worded or seen(usual) != seen(changed), untaught(switch, value, "kernel")


@each_value
def test_cp_sat_knows_each_value_of_a_switch_or_refuses_it(switch: Switch, value: str) -> None:
    """Its code reads the switch, or the value changes board, ranks, borders or points.

    When a wall tile is declared is no matter of the model: it takes a solution's wording from the
    legal moves. The cases of ``test_placement`` hold both values of those switches.
    """
    usual, changed = with_switch(switch, value)
    refused = "cpsat" not in ONLY_BY.get((switch.name, value), {"cpsat"})
    read = re.search(rf"value\({switch.name.upper()}\)", code("solver/cpsat"))
    told = switch.name in (ROOT / "tests" / "solver" / "test_placement.py").read_text("utf-8")
    worded = switch.name in {"wall_1_declare", "wall_double_declare"} and told
    books = [(g, book_of(g)) for g in (usual, changed)]
    built = [(g.board, g.specials, book.table(g), book.borders(g)) for g, book in books]
    assert refused or read or worded or built[0] != built[1], untaught(switch, value, "cpsat")


def of_points(switch: Switch) -> bool:
    """Tell whether a rule names a switch that says what a feature is worth."""
    book = book_of(with_switch(switch, switch.default)[0])
    worth = (*book.worth.values(), *book.incomplete.values())
    marked = (*chain(*book.marked.values()), *chain(*book.marked_end.values()))
    return any(switch in rule.switches for rule in (*worth, *marked))


@pytest.mark.parametrize(
    ("switch", "value"),
    [(switch, value) for switch, value in VALUES if of_points(switch)],
    ids=lambda one: getattr(one, "name", one),
)
def test_limits_know_each_value_that_changes_points(switch: Switch, value: str) -> None:
    """Their code reads the switch, or the value changes the rows of which they are built."""
    read = re.search(rf"value\({switch.name.upper()}\)", code("solver/reach"))
    usual, changed = (book_of(game).table(game) for game in with_switch(switch, value))
    assert read or usual != changed, (
        f"the limits of solver/reach ignore {switch.name} = {value}: the points of a feature change"
    )


def test_the_books_hold_all_rules_of_the_index() -> None:
    """The largest game of each family has all rules of that family."""
    assert {rule.id for game in LARGEST for rule in book_of(game).all} == {r.id for r in RULES}


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_can_be_begun_written_and_drawn(game_id: str) -> None:
    """`burgrave new` begins it, the schema of files names it, and it has a picture."""
    assert begun(game_id).game.id == game_id
    assert f'"{game_id}"' in str(json_schema()).replace("'", '"')
    assert board_svg(begun(game_id)).startswith("<svg")
    for page in ("commands.md", "files.md"):
        told = f"`{game_id}`" in documented(page) or f'"{game_id}"' in documented(page)
        assert told, f"name {game_id} in docs/reference/{page}"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_has_words_on_the_page(game_id: str) -> None:
    """Lists of puzzles name the game, lists of rules what brings them."""
    words = (ROOT / "cli/serve/client/words_study.js").read_text(encoding="utf-8")
    families = {rule.id.partition(".")[0] for rule in book_of(begun(game_id).game).all}
    keys = [f'"game_{game_id}"', *(f"rulesOf_{family}" for family in sorted(families))]
    missing = [key for key in keys if key not in words]
    assert not missing, f"cli/serve/client/words_study.js lacks {', '.join(missing)}"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_has_cards_and_frozen_counts(game_id: str) -> None:
    """Rule cards and the counts in tests/data/perft are of every game."""
    assert game_id in {card.position.game.id for card in cards()}, (
        f"puzzles/cards needs a card whose position.game is {game_id}"
    )
    assert game_id in {entry.position.game.id for entry in frozen()}, (
        f"tests/data/perft needs counts of {game_id}; python -m benchmarks.perft --freeze FILE ID"
        " prints those of a position file"
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_played_by_kernel_cp_sat_and_simulation(game_id: str) -> None:
    """Its codec is in the kernel's table, its engines in theirs; self-play can play it."""
    lacks = codec.refusal(begun(game_id))
    assert lacks is None, (
        f"the kernel refuses {lacks}: once it plays the expansion, say compiled=True"
        " in its folder; a number is more than a size has room for that castle_tables.py or"
        " plane_tables.py of solver/kernel gives: enlarge it there"
    )
    assert {*engines_of(begun(game_id).game)} >= FAST
    assert simulation(begun(game_id)) is not None
    # Estimates take the numbers of another game where it has none of its own.
    assert mistakes(game_id, LEFTS) > 0


@pytest.mark.parametrize("base", BASES)
def test_parts_of_a_state_have_keys_in_files(base: str) -> None:
    """Each field of what expansions add to a state is a key that the schema of files names."""
    game = next(game for game in LARGEST if game.base == base)
    body, entry = (PositionBody, PlayerEntry) if base == CASTLE else (PlaneBody, PlaneEntry)
    words = {word for name in game.expansions for word in EXPANSIONS[name].words}
    for model, kinds in ((body, book_of(game).position_parts), (entry, book_of(game).player_parts)):
        names = {field.name for kind in kinds for field in fields(kind)}
        missing = names - {*model.model_fields}
        assert not missing, f"{model.__name__} of model/files/schema.py lacks {missing}"
        assert names <= words, f"name {names - words} among the words of the expansion"


@pytest.mark.parametrize("mark", Mark)
def test_a_mark_is_read_drawn_and_printed(mark: Mark) -> None:
    """A tile may bear it in some game, and it has a symbol, a sign in text and an ink."""
    for table, where in (
        (MARKED, "MARKED in model/tiles.py"),
        (symbols.MARKS, "MARKS in model/pictures/symbols.py"),
        (glyphs.MARKS, "MARKS in cli/render/glyphs.py"),
        (glyphs.ASCII.marks, "_MARKS in cli/render/glyphs.py"),
    ):
        assert mark in table, f"add the mark {mark} to {where}"
    assert f"`{mark}`" in documented("tiles.md"), f"name the mark {mark} in docs/reference/tiles.md"


@pytest.mark.parametrize("rank", [rank for rank in Rank if rank is not Rank.FOLLOWER])
def test_a_rank_is_drawn_and_compiled(rank: Rank) -> None:
    """A follower with it looks unlike one without, and the kernel has a number for it."""
    plain = figure_svg(Rank.FOLLOWER).split("</title>")[-1]
    assert figure_svg(rank).split("</title>")[-1] != plain, (
        f"draw what a {rank.called} looks like in model/pictures/pawns.py"
    )
    assert rank in {*codec.NAMED_RANKS, *PLANE_RANKS}, (
        f"number {rank} in NAMED_RANKS of solver/kernel/codec.py, for castles, or in PLANE_RANKS of"
        " solver/kernel/plane_tables.py"
    )


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_kind_of_puzzle_is_read_described_and_ordered(name: str) -> None:
    """Its name is that of its class, files may hold it, the page orders it, a puzzle is shipped."""
    field = QUESTIONS[name].__dataclass_fields__["name"]
    assert field.default == name
    assert name in get_args(QuestionName), f"name {name} in QuestionName of puzzle_files.py"
    assert re.search(rf"^\| `{name}` ", documented("files.md"), re.MULTILINE), (
        f"describe the question {name} in docs/reference/files.md"
    )
    page = (ROOT / "cli/serve/client/training.js").read_text("utf-8")
    assert f'"{name}"' in page, f"name {name} in SIMPLE of cli/serve/client/training.js"
    assert any(entry.question == name for entry in puzzle_entries()), f"ship a puzzle: {name}"


@pytest.mark.parametrize("name", [*ENGINES, *GAME_ENGINES])
def test_an_engine_is_documented_and_compared(name: str) -> None:
    """The page of engines says what it is; turns or questions are compared with others' ones."""
    assert re.search(rf"^\| (`\w+`, )*`{name}`", documented("engines.md"), re.MULTILINE)
    assert name in (engines() if name in GAME_ENGINES else COMPARED_BY_TURN)


@pytest.mark.parametrize("name", shipped_tile_sets())
def test_a_shipped_tile_set_is_documented_and_drawn(name: str) -> None:
    """Some game is played with it, the page of tiles names it, and a picture shows its tiles."""
    assert f"`{name}`" in documented("tiles.md"), f"name {name} in docs/reference/tiles.md"
    picture = f"docs/pictures/{name}-tiles.svg"
    assert (ROOT / picture).is_file(), f"burgrave tiles show {name} -o {picture}"


def test_every_module_of_a_command_is_mounted() -> None:
    """A command that the program does not know cannot be run."""
    found = {
        f"burgrave.cli.commands.{path.stem}" for path in (ROOT / "cli/commands").glob("[a-z]*.py")
    }
    members = [command for group in COMMANDS.values() for command, _ in group]
    members += [command for _, command, _ in TILE_SETS]
    mounted = {command.__module__ for command in members}
    assert mounted == found


def test_the_tests_that_were_measured_are_there() -> None:
    """Who renames or moves a slow test measures anew, or the quick rhythm runs it again."""
    data = ROOT / "tests" / "data"
    lists = [(data / name).read_text(encoding="utf-8") for name in ("slow.txt", "first.txt")]
    for line in "".join(lists).splitlines():
        file, name = line.split("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), line
