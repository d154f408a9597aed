"""What the page answers about positions, moves and puzzles."""

from __future__ import annotations

import json
import os
import signal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from burgrave.cli.reviews import game_from, turn_from
from burgrave.cli.serve import rulebook
from burgrave.cli.sources import record_from
from burgrave.model.engine import legal_moves, play
from burgrave.model.files.positions import (
    kind_data,
    position_from,
    position_keys,
    read_position,
    read_record,
)
from burgrave.model.files.tilesets import shipped_tile_set
from burgrave.model.notation import read_move, write_move
from burgrave.model.places import places
from burgrave.model.registry import GAMES
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.cards.files import Card
from burgrave.puzzles.files.library import entries, find, position, puzzle
from burgrave.puzzles.files.puzzle_files import puzzle_data
from burgrave.puzzles.making.rule_lessons import game_of
from burgrave.puzzles.rulings.without_a_rule import forbids
from burgrave.puzzles.words import hints as telling
from tests.cli.conftest import Burgrave
from tests.cli.serve.conftest import ROOT, Page


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_from_the_places_that_are_offered(page: Page, game: str) -> None:
    """Places, turns and what is scored are those of the rules engine."""
    keys = page.new(game, seed=5)
    for turn in range(3):
        at_hand = read_position("page", page.post("/api/write", {"position": keys}).data["text"])
        listed = {write_move(at_hand, move): move for move in legal_moves(at_hand)}
        found = page.post("/api/places", {"position": keys}).data
        assert found["tile"] == at_hand.order[0]
        moves: dict[str, Any] = {}
        for place in found["places"]:
            for rotation in place["rotations"]:
                asked = {"tile": found["tile"], "cell": place["cell"], "rotation": rotation}
                answer = page.post("/api/turns", {"position": keys, **asked}).data
                assert (answer["violations"], answer["more"]) == ([], False)
                moves |= {one["notation"]: one for one in answer["turns"]}
        assert set(moves) == set(listed)
        chosen = sorted(moves)[(turn * 37) % len(moves)]
        after = play(at_hand, listed[chosen]).position
        gains = [b.score - a.score for a, b in zip(at_hand.players, after.players, strict=True)]
        assert list(moves[chosen]["gains"].values()) == gains
        keys = page.post("/api/play", {"position": keys, "moves": [chosen]}).data["position"]
        while len(keys["board"]) % 5:  # some turns further, where more stands on the board
            place = page.post("/api/places", {"position": keys}).data["places"][-1]
            tile = {"tile": keys["order"][0], **place, "rotation": place["rotations"][0]}
            del tile["rotations"]
            one = page.post("/api/turns", {"position": keys, **tile}).data["turns"][-1]
            played = page.post("/api/play", {"position": keys, "moves": [one["notation"]]}).data
            keys = played["position"]
    seen = page.post("/api/view", {"position": keys}).data
    assert not seen["problems"]
    assert seen["svg"].count('class="cell"') >= 12
    assert "style=" not in seen["svg"]
    assert "<style" not in seen["svg"]
    assert "unofficial" in seen["about"][0]
    assert ("reconstruct" in " ".join(seen["about"])) is (game == "castle+falcon")


@pytest.mark.parametrize("game", [*dict.fromkeys(e.game for e in entries())][::-1])
def test_a_position_is_written_and_read_as_it_is(page: Page, game: str) -> None:
    """Shipped positions go to the page and come back the same."""
    some = [e for e in entries() if e.game == game and e.question != "series"][::5]
    assert some
    for entry in some:
        keys = page.post("/api/read", {"text": entry.text}).data["position"]
        for form in ("toml", "json"):
            text = page.post("/api/write", {"position": keys, "format": form}).data["text"]
            assert read_position("back", text) == position(entry)
            assert page.post("/api/read", {"text": text}).data["position"] == keys


def test_a_puzzle_of_turns_in_a_row_is_no_table(page: Page) -> None:
    """An opponent on the page would take every second turn."""
    told = page.post("/api/read", {"text": find("two-edges-and-a-field").text})
    assert told.status == 422
    assert "every turn of this puzzle is Blue's" in str(told.data)


def test_an_illegal_move_is_told_with_every_rule(page: Page) -> None:
    """Rules and sources come with it; the same move is not played."""
    keys = page.post("/api/read", {"text": find("castle-01").text}).data["position"]
    told = page.post("/api/judge", {"position": keys, "move": "K17@3,9r0 knight.N"}).data
    assert not told["legal"]
    assert len(told["violations"]) > 1
    assert all(one["rule"] and one["source"] for one in told["violations"])
    refused = page.post("/api/play", {"position": keys, "moves": ["K17@3,9r0 knight.N"]}).data
    assert (refused["legal"], refused["violations"]) == (False, told["violations"])
    assert refused["position"] == keys


@pytest.mark.parametrize("game", GAMES[::-1])
def test_a_match_tells_nobody_what_comes(page: Page, game: str) -> None:
    """Whoever plays or reviews sees the tile in hand, none after it, and no wall tile face down."""
    start = page.new(game, unknown=True)
    match = {"position": start, "seed": 5}
    moves: list[str] = []
    seen = page.post("/api/matches", match).data["position"]
    for _ in range(3):
        assert len(seen["order"]) == 1
        assert not any(seen.get("towers", {}).values())
        at_hand = position_from("seen", position_keys("seen", seen))
        move = write_move(at_hand, next(iter(legal_moves(at_hand))))
        told = page.post("/api/matches", {**match, "moves": moves, "move": move}).data
        assert told["legal"]
        assert told["turn"]["notation"] == move
        moves.append(move)
        seen = told["position"]
    refused = page.post("/api/matches", {**match, "moves": moves, "move": moves[-1]}).data
    assert refused["violations"]
    text = page.post("/api/matches/record", {**match, "moves": moves}).data["text"]
    assert list(read_record("kept", text).moves) == moves
    for turn in page.post("/api/record", {"text": text}).data["turns"]:
        assert len(turn["before"]["order"]) == 1
        assert not any(turn["before"].get("towers", {}).values())


def test_a_position_is_drawn_to_be_passed_on(page: Page) -> None:
    """As a picture with a style of its own, with the players or the board alone."""
    asked = {"position": page.start()}
    whole = page.post("/api/picture", {**asked, "theme": "dark"}).data["svg"]
    plain = page.post("/api/picture", {**asked, "plain": True}).data["svg"]
    assert "<style>" in whole
    assert "<style>" in plain
    assert whole.count("to be laid now") == 1
    assert "to be laid now" not in plain
    assert page.post("/api/picture", {**asked, "theme": "pink"}).status == 422


def test_the_sample_game_comes_with_its_review(page: Page) -> None:
    """Every turn of it is reviewed, and there are mistakes to walk through."""
    told = page.get("/api/sample").data
    game = game_from("sample", record_from("sample", told["text"]))
    turns = [turn_from(game, one) for one in told["reviewed"]]
    assert [turn.number for turn in turns] == [*range(1, len(game.turns) + 1)]
    assert sum(turn.mark.startswith("?") for turn in turns) >= 5


def test_every_problem_of_a_position_is_listed_with_its_rule(page: Page) -> None:
    """A position that cannot be is drawn all the same, and can be set right."""
    keys = page.new("castle", seed=1)
    keys["board"] = ["K47@3,4r0 white:merchant.N", "K02@9,9r0"]
    keys["white"]["supply"] = 6
    seen = page.post("/api/view", {"position": keys}).data
    rules = {one["rule"] for one in seen["problems"]}
    assert {"castle.place.inside", "castle.setup.followers"} <= rules
    assert all(one["at"] and one["source"] for one in seen["problems"])
    assert seen["svg"].startswith("<svg")
    wrong = page.post("/api/places", {"position": keys})
    assert wrong.status == 422
    assert {one["rule"] for one in wrong.data["problems"]} == rules


def test_two_tiles_on_a_cell_can_be_seen_and_saved(page: Page) -> None:
    """What cannot be is told and written as it is, with the follower on the last of them."""
    keys = {**page.new("carcassonne", seed=1), "board": ["V@0,0r2", "D@0,0r3 red:farmer.NL"]}
    seen = page.post("/api/view", {"position": keys}).data
    assert "carcassonne.place.empty" in {one["rule"] for one in seen["problems"]}
    assert seen["document"]["board"] == keys["board"]
    assert page.post("/api/write", {"position": keys}).status == 200


def test_what_is_no_position_is_told_by_place(page: Page) -> None:
    """Faults of the keys come with the place at which they stand."""
    keys = {**page.new("castle", seed=1), "order": ["K01", "Nope"], "board": ["K01@3,4r0 bishop"]}
    seen = page.post("/api/view", {"position": keys}).data
    assert {one["at"] for one in seen["problems"]} == {"order[1]", "board[0]"}
    assert seen["svg"] is None


def test_lines_of_a_board_are_laid_on_the_board(page: Page) -> None:
    """A pasted line replaces the tile on its cell, in canonical form."""
    keys = page.new("carcassonne", seed=2)
    text = "d@0,0 RED:knight.n\n\nv@1,0r1,\n"
    after = page.post("/api/read", {"text": text, "position": keys}).data["position"]
    assert after["board"] == ["D@0,0r0 red:knight.N", "V@1,0r1"]
    wrong = page.post("/api/read", {"text": "V@1,0r1\nbishop", "position": keys})
    assert (wrong.status, "bishop" in wrong.data["error"]) == (422, True)


def test_a_position_comes_back_from_its_line(page: Page) -> None:
    """The line of a view is read as a file is, and holds the position."""
    keys = page.start()
    line = page.post("/api/view", {"position": keys}).data["line"]
    assert line.startswith("burgrave:1:castle:white:74-71:3:")
    back = page.post("/api/read", {"text": line}).data["position"]
    assert back == {key: value for key, value in keys.items() if key != "title"}
    assert page.post("/api/read", {"text": line[:-4]}).status == 422


def test_open_cells_tell_how_many_tiles_fit(page: Page) -> None:
    """The number is that of the tiles to come with a legal place there, by the rules engine."""
    for entry in (find("castle-04"), find("four-points-for-everybody")):
        keys = page.post("/api/read", {"text": entry.text}).data["position"]
        at_hand = position(entry)
        found = page.post("/api/fits", {"position": keys}).data["cells"]
        counted = {tuple(one["cell"]): 0 for one in found}
        for kind in (*at_hand.order, *at_hand.bag):
            for place in {tile.cell for tile in places(at_hand, kind)}:
                counted[place] += 1
        assert {tuple(one["cell"]): one["left"] for one in found} == counted
    assert 0 in counted.values()


def test_an_editor_is_told_what_fits(page: Page) -> None:
    """For a tile its cells, for a cell its kinds; what lies there does not matter."""
    entry = find("castle-04")
    keys = page.post("/api/read", {"text": entry.text}).data["position"]
    at_hand = position(entry)
    for kind in ("K35", "K04"):
        asked = {"position": keys, "tile": kind}
        told = page.post("/api/fitting", asked).data["places"]
        wanted = {(tuple(tile.cell), tile.rotation) for tile in places(at_hand, kind)}
        assert {(tuple(one["cell"]), r) for one in told for r in one["rotations"]} == wanted
    there = at_hand.tiles[3]
    asked = {"position": keys, "cell": list(there.cell)}
    told = page.post("/api/fitting", asked).data["places"]
    found = {one["tile"]: one["rotations"] for one in told}
    assert there.rotation in found[there.kind.id]
    assert page.post("/api/fitting", {"position": keys}).status == 422


def test_a_kind_is_made_of_what_its_sides_show(page: Page) -> None:
    """The entry goes into a position; what cannot be is told in words."""
    shown = {"id": "Own", "sides": ["city", "road", "field", "road"], "joined": [["E", "W"]]}
    made = page.post("/api/kind", {"kind": shown}).data
    assert made["svg"].startswith("<svg")
    keys = page.new("carcassonne", unknown=True) | {"kinds": [made["kind"]], "bag": {"Own": 1}}
    assert page.post("/api/view", {"position": keys}).data["problems"] == []
    assert made["kind"]["segments"][-2:] == ["field EL WR by N", "field ER S WL"]
    crossing = shown | {
        "sides": ["city", "road", "city", "road"],
        "joined": [["N", "S"], ["E", "W"]],
    }
    assert "cross" in page.post("/api/kind", {"kind": crossing}).data["error"]
    inn = page.post("/api/kind", {"kind": shown | {"marks": [["E", "inn"], ["N", "shield"]]}}).data
    assert inn["kind"]["segments"][:2] == ["city N shield", "road E W inn"]
    misplaced = page.post("/api/kind", {"kind": shown | {"marks": [["N", "inn"]]}})
    assert "inn" in misplaced.data["error"]


def test_a_kind_is_made_as_a_file_says_it(page: Page) -> None:
    """Kinds that no form of sides describes: what comes back is the entry itself."""
    for name, ids in {"castle": ("K01", "K18"), "falcon": ("F15",), "tower": ("TW08",)}.items():
        for kind in ids:
            entry = kind_data(shipped_tile_set(name).kind(kind))
            made = page.post("/api/kind", {"kind": entry}).data
            assert made["kind"] == entry
            assert made["svg"].startswith("<svg")
    crowded = {"id": "Own", "segments": ["court N E S W", "house N"]}
    assert "two segments lie at N" in page.post("/api/kind", {"kind": crowded}).data["error"]


def test_tiles_are_drawn_with_the_names_of_their_segments(page: Page) -> None:
    """The names of segments are those that a move understands, at each rotation."""
    keys = page.new("carcassonne+tower", seed=2)
    found = page.post("/api/tiles", {"position": keys}).data["kinds"]
    at_hand = read_position("page", page.post("/api/write", {"position": keys}).data["text"])
    assert sum(kind["left"] for kind in found) == 89
    for kind in found:
        assert kind["svg"].startswith("<svg")
        for index, segment in enumerate(kind["segments"]):
            for rotation, name in enumerate(segment["names"]):
                text = f"{kind['id']}@5,5r{rotation} {segment['role']}.{name}"
                (follower,) = read_move(at_hand, text).followers
                assert follower.segment == index


def attempted(page: Page, puzzle_id: str, answer: str, **more: Any) -> dict[str, Any]:
    """Try to solve a puzzle; return how it ended."""
    job = page.post("/api/attempts", {"puzzle": puzzle_id, "answer": answer, **more}).data
    return dict(job) if job["state"] == "done" else page.ended(job["id"])


def test_puzzles_are_told_without_their_answer(page: Page) -> None:
    """A list and a puzzle tell the question; hints and solution come when asked for."""
    listed = page.get("/api/sets/library").data["puzzles"]
    assert [one["id"] for one in listed] == [e.id for e in entries() if e.kind == "puzzle"]
    asked = page.get("/api/sets/library/tower-and-path-in-one-move")
    answer = puzzle(find("tower-and-path-in-one-move"))
    assert answer.explanation[:40].encode() not in asked.body
    assert answer.answer.moves[0].encode() not in asked.body
    assert asked.data["words"] == answer.words
    at = "/api/sets/library/tower-and-path-in-one-move"
    hints = [page.get(f"{at}/hints/{n}").data["hint"] for n in (0, 1, 2)]
    assert tuple(hints) == telling.hints(answer)
    told = page.get(f"{at}/solution").data
    assert told["moves"] == list(answer.answer.moves)
    assert [one["notation"] for one in told["steps"]] == list(answer.answer.line)
    for stored, shown in zip(answer.refutations, told["refutations"], strict=True):
        line = [(one["player"], one["notation"]) for one in shown["line"]]
        assert line == list(zip(("black", "white"), stored.line, strict=True))
        assert shown["line"][0]["says"].startswith("Black lays ")
    assert page.get("/api/sets/library/nothing").status == 404
    assert page.get("/api/sets/nothing").status == 404


def test_attempts_are_judged(page: Page) -> None:
    """A best move is played out; any other legal move is told what it loses, and refuted."""
    answer = puzzle(find("tower-and-path-in-one-move"))
    right = attempted(page, "tower-and-path-in-one-move", answer.answer.moves[0])["answer"]
    assert (right["right"], right["lost"], right["more"]) == (True, "0", False)
    assert [one["notation"] for one in right["steps"]] == list(answer.answer.line)
    weak = attempted(page, "tower-and-path-in-one-move", "K49@0,0r3")["answer"]
    assert (weak["right"], weak["lost"]) == (False, "4")
    assert weak["steps"][0]["notation"] == "K49@0,0r3"
    assert len(weak["steps"]) == 2
    wrong = attempted(page, "tower-and-path-in-one-move", "K49@5,0r0")["answer"]
    assert not wrong["right"]
    assert wrong["violations"][0]["rule"] == "castle.place.inside"
    assert (
        page.post("/api/attempts", {"puzzle": "tower-and-path-in-one-move", "answer": "x"}).status
        == 422
    )
    final = puzzle(find("the-field-between-two-cities"))
    points = ", ".join(final.answer.points)
    assert attempted(page, "the-field-between-two-cities", points)["answer"]["right"]
    assert not attempted(page, "the-field-between-two-cities", "red 1, blue 2")["answer"]["right"]


def test_what_a_puzzle_stores_is_judged_without_a_solver(page: Page) -> None:
    """Best moves and refutations get their verdict at once, with best play after them."""
    answer = puzzle(find("tower-and-path-in-one-move"))
    for refutation in answer.refutations:
        asked = {"puzzle": "tower-and-path-in-one-move", "answer": refutation.move}
        reply = page.post("/api/attempts", asked)
        assert (reply.status, reply.data["state"]) == (200, "done")
        told = reply.data["answer"]
        lost = Fraction(str(answer.answer.value)) - Fraction(str(refutation.value))
        assert (told["right"], told["lost"]) == (False, str(lost))
        line = told["steps"]
        assert [one["notation"] for one in line] == list(refutation.line)
        last = page.post("/api/view", {"position": line[-1]["position"]}).data
        scores = last["final"]["scores"]
        assert scores["black"] - scores["white"] == refutation.value


def test_a_puzzle_of_several_moves_is_played_against_the_best_reply(page: Page) -> None:
    """After a right move the opponent answers; the next move is judged by the same value."""
    asked = puzzle(find("round-the-corner"))
    first, reply, second, last = asked.answer.line
    told = attempted(page, "round-the-corner", first)["answer"]
    assert (told["right"], told["more"]) == (True, True)
    played = [one["notation"] for one in told["steps"]]
    assert played == [first, reply]
    told = attempted(page, "round-the-corner", second, played=played)["answer"]
    assert (told["right"], told["more"]) == (True, False)
    assert [one["notation"] for one in told["steps"]] == [second, last]
    after = asked.position
    for move in (first, reply):
        after = play(after, read_move(after, move)).position
    verdicts = set()
    for move in list(legal_moves(after))[::9]:
        text = write_move(after, move)
        answer = attempted(page, "round-the-corner", text, played=played)["answer"]
        assert answer["right"] is (asked.question.worth(after, text) == asked.answer.value)
        verdicts.add(answer["right"])
    assert False in verdicts


def test_own_puzzles_open_as_a_set(page: Page) -> None:
    """Lines as the generator writes them have an address, which stays the same."""
    chosen = [
        puzzle(find(name))
        for name in ("tower-and-path-in-one-move", "a-house-at-the-end-of-the-path")
    ]
    text = "".join(f"{json.dumps(puzzle_data(one))}\n" for one in chosen)
    made = page.post("/api/sets", {"title": "mine", "text": text}).data
    assert [one["id"] for one in made["puzzles"]] == [one.id for one in chosen]
    assert page.get(f"/api/sets/{made['id']}").data == made
    assert page.post("/api/sets", {"title": "mine", "text": text}).data["id"] == made["id"]
    asked = page.get(f"/api/sets/{made['id']}/tower-and-path-in-one-move").data
    assert asked == page.get("/api/sets/library/tower-and-path-in-one-move").data
    told = attempted(page, "a-house-at-the-end-of-the-path", "no", set=made["id"])["answer"]
    assert told["right"] is (not chosen[1].answer.legal)
    assert page.post("/api/sets", {"title": "bad", "text": "{}\n{}"}).status == 422
    assert page.post("/api/sets", {"title": "bad", "text": find("castle-01").text}).status == 422


def test_a_judge_that_breaks_down_is_replaced(page: Page) -> None:
    """The attempt that it was to judge, or judges just then, is judged all the same."""
    attempted(page, "tower-and-path-in-one-move", "K49@0,0r3")
    (judge,) = page.judges()
    os.kill(judge, signal.SIGSTOP)  # so that it hears the question and does not answer
    asked = {"puzzle": "tower-and-path-in-one-move", "answer": "K49@0,0r3"}
    job = page.post("/api/attempts", asked).data
    assert (job["state"], job["parts"][0]["right"]) == ("running", False)
    os.kill(judge, signal.SIGKILL)
    assert page.ended(job["id"])["answer"]["lost"] == "4"
    assert page.judges() != [judge]


def test_a_record_opens_with_its_turns(page: Page) -> None:
    """Each turn has the position before and after it, and what it scored."""
    text = (ROOT / "docs" / "examples" / "three-turns.toml").read_text(encoding="utf-8")
    record = read_record("three", text)
    found = page.post("/api/record", {"text": text}).data
    assert [one["notation"] for one in found["turns"]] == list(record.moves)
    for one, following in pairwise(found["turns"]):
        assert one["position"] == following["before"]
    last = page.post("/api/view", {"position": found["turns"][-1]["position"]}).data
    assert list(last["final"]["scores"].values()) == [93, 81]
    assert page.post("/api/record", {"text": find("castle-01").text}).status == 422


def test_links_lead_to_the_site_that_the_page_knows(page: Page) -> None:
    """For a position and for a record; what a site cannot draw is told in words."""
    text = page.get("/api/sample").data["text"]
    for path, asked in (("", {"position": page.start()}), ("/record", {"text": text})):
        url = page.post(f"/api/links{path}", asked).data["url"]
        assert url.startswith("https://a.example/b/#/boards/packed:")
    own = page.get("/api/cards/CA-39").data["position"]
    refused = page.post("/api/links", {"position": own})
    assert (refused.status, "your own tiles" in refused.data["error"]) == (422, True)


def test_a_link_of_another_program_opens_with_its_turns(page: Page) -> None:
    """As it is pasted into the page; a damaged one is refused."""
    link = "https://www.carcassonnelab.com/#/0/0/wti/12b213a023c2?players=Ada,Ben"
    turns = page.post("/api/record", {"text": f" {link}\n"}).data["turns"]
    assert [one["notation"] for one in turns] == ["E@0,1r2 farmer.N", "H@0,2r1", "E@1,2r3 farmer.N"]
    assert page.post("/api/record", {"text": link.replace("12b2", "12b9")}).status == 422


def test_games_are_told_with_their_switches(page: Page) -> None:
    """What a position can say of its game is there to be chosen."""
    found = {game["id"]: game for game in page.get("/api/games").data["games"]}
    assert tuple(found) == GAMES
    assert found["castle"]["towers"][0] == "12/13"
    assert found["carcassonne+tower"]["tower_pieces"]
    assert page.post("/api/new", {"game": "castle", "players": 3}).status == 422


def test_rules_are_found_as_the_command_finds_them(page: Page, burgrave: Burgrave) -> None:
    """By words, a family, an id or a card; where nothing is found there is no error."""
    for words in ("", "larger keep", "castle.place", "castle.keep", "ca-54"):
        told = burgrave("rules", *([words] if words else []), "--json").data
        found = page.post("/api/rules", {"words": words}).data["rules"]
        assert [rule["id"] for rule in found] == [rule["id"] for rule in told]
        assert found
    assert page.post("/api/rules", {"words": "unheard-of"}).data == {"rules": []}
    assert page.post("/api/rules", {"words": "x" * 201}).status == 422
    assert page.get("/api/rules/castle.nothing").status == 404
    assert page.get("/api/cards/CA-99").status == 404


def test_every_rule_is_told_with_a_case_that_keeps_it_and_one_that_breaks_it() -> None:
    """Or with two that keep it, where it forbids nothing; the verdicts are those of the engine."""
    for rule in RULES:
        told = rulebook.told(rule.id)
        assert (told["sentence"], told["source"]) == (rule.sentence, rule.source)
        assert [switch["default"] for switch in told["switches"]] == [
            switch.default for switch in rule.switches
        ]
        kept = rulebook.case(told["passes"])
        assert not kept["violations"]
        assert kept["svg"].startswith("<svg")
        if told["fails"] is not None:
            broken = rulebook.case(told["fails"])
            assert any(f["rule"].startswith(rule.id) for f in broken["violations"])
            assert not broken["allowed"]
        assert told["fails"] is not None or not forbids(rule, game_of(rule))
        listed = {card["id"]: card["fails"] for card in told["cards"]}
        assert listed[told["passes"]] is False
        assert told["fails"] is None or listed[told["fails"]] is True
        assert told["fails"] or listed[told["other"]] is False  # two pictures of every rule


@pytest.mark.parametrize("card", cards()[::20], ids=lambda card: card.id)
def test_a_case_says_what_its_card_says(card: Card) -> None:
    """The same rules are broken; what happens or is asked is told in words."""
    case = rulebook.case(card.id)
    broken = {finding["rule"] for finding in case["violations"]}
    assert broken == set(card.expected.get("breaks", ()))
    assert case["allowed"] is None or case["allowed"] == (not broken)
    assert case["violations"] or case["events"] or case["facts"] or case["allowed"]
