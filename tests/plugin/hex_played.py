"""Hex, played by mail and on pages like any game; `tests/test_sixth_game.py` runs these tests."""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

from correspondence.archive import record_file
from correspondence.core import db
from correspondence.core.move_text import in_games, looks_like_move
from correspondence.ops.doctor import examine
from correspondence.render.board_text import board_text
from engines import GAMES, svg, text
from engines.base import IllegalMove, MoveError, NotationError
from engines.record import playout
from engines.search import find_exercise
from tests.club import seek
from tests.post import reply_address, text_of
from tests.world import World, mail_world

COLUMN = [f"f{row}" for row in range(1, 12)]
ROW = ["c3", "d4", "h4", "c8", "d9", "h8", "i3", "a5", "k5", "a6"]


def alternating(black, white):
    """Return the moves of both sides in turn, ending with Black's last one."""
    return [move for pair in itertools.zip_longest(black, white) for move in pair if move]


def begun(*texts, **options):
    game = GAMES["hex"]
    position = game.start(game.Options(**options))
    for move in texts:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, move))
    return position


# -- the rules ---------------------------------------------------------------------------


def test_a_chain_from_top_to_bottom_wins_for_black():
    *moves, last = alternating(COLUMN, ROW)
    before, after = begun(*moves), begun(*moves, last)
    assert before.outcome is None
    assert after.outcome.winners == (0,) and after.to_act == ()


def test_every_full_board_has_one_winner():
    for seed in range(20):
        end = playout(begun(), random.Random(seed)).position
        assert len(end.outcome.winners) == 1


def test_the_swap_mirrors_the_stone_and_black_moves():
    swapped = begun("b3", "swap")
    assert swapped.to_text() == "; c2; B to move"
    assert begun("b3", "c2", "b2").to_act == (1,)


@pytest.mark.parametrize("played, text_, sentence", [
    ([], "swap", "Only White may swap"),
    (["b3", "c3"], "swap", "Only White may swap"),
    (["b3"], "b3", "b3 is taken"),
])  # fmt: skip
def test_what_the_rules_forbid_is_said(played, text_, sentence):
    position = begun(*played)
    with pytest.raises(IllegalMove, match=sentence):
        position.read(position.to_act[0], text_)


def test_without_the_option_nobody_swaps():
    with pytest.raises(IllegalMove, match="Only White may swap"):
        begun("b3", swap=False).read(1, "swap")


def test_a_place_off_the_board_is_no_move():
    with pytest.raises(NotationError, match="is not a move here"):
        begun().read(0, "l12")
    assert begun().objection(0, "l12").startswith("There is no such place")


@pytest.mark.parametrize("line", ["k11", "a10", "swap", "12. j7"])
def test_what_people_write_looks_like_a_move_in_hex_alone(line):
    assert not looks_like_move(line)
    with in_games(["hex"]):
        assert looks_like_move(line)


# -- by ear ------------------------------------------------------------------------------


def test_the_position_is_told_in_words_and_for_a_braille_display():
    scene = begun("a2", "a10", "b3").scene(None)
    assert board_text(scene, "words", 0).splitlines()[:4] == [
        "Hex: White to move.", "Black stone, 2: a2, b3.", "White stone: a10.", "All other places are empty.",
    ]  # fmt: skip
    rows = board_text(scene, "braille", 0).splitlines()
    assert rows[1].split() == ["2", "B", *"-" * 10] and rows[9].split() == ["10", "w", *"-" * 10]
    assert max(map(len, rows)) <= 40 and "W" not in "".join(rows[:11])


# -- pictures -----------------------------------------------------------------------------


def test_the_board_slants_and_its_borders_belong_to_the_sides():
    scene = begun("a1", "k11").draw()
    drawn = svg.render(scene)
    assert drawn.count("<polygon") == 121 and drawn.count('class="border-dark"') == drawn.count("border-light") == 2
    lines = text.render(scene).splitlines()
    assert lines[0].startswith(" 1  B") and lines[10].endswith("W  11")
    assert [len(line) - len(line.lstrip()) for line in lines[1:9]] == [3, 5, 7, 9, 11, 13, 15, 17]


def test_turned_around_the_borders_go_with_the_board():
    scene = begun("a1").draw()
    assert scene.turned().rows[-1][-1].pieces and scene.turned().turned() == scene
    assert {edge.where: edge.side for edge in scene.turned().edges} == {edge.where: edge.side for edge in scene.edges}


# -- the service --------------------------------------------------------------------------


def test_a_whole_game_is_played_by_answering_letters_in_two_languages(town):
    town.join("ann")
    town.join("bob", language="it")
    town.agree("ann", "challenge bob hex 3 days")
    town.answer(town.letter("bob"), "accept")
    for move in alternating(COLUMN, ROW):
        letter = next(town.letter(name) for name in ("ann", "bob") if is_to_act(town, name))
        assert town.answer(letter, f"{move.upper()}\nYour turn.") == "done: played"
    assert town.stand(1).reason == "a chain from side to side"
    assert all("a chain from side to side" in text_of(town.letter(name)) for name in ("ann", "bob"))
    assert "vince" in text_of(town.letter("bob")) and "wins" in text_of(town.letter("ann"))


def is_to_act(town, name):
    with db.reading(town.engine) as session:
        return town.player(session, 1, name).since is not None


def test_its_rules_are_taught_by_mail_whole_and_in_parts(town):
    town.join("ann")
    for line, sentence in (("rules hex", "Whoever joins the two sides that are theirs wins"), ("rules hex swap", "taken off"),
                       ("rules hex swap", "White may not, for"), ("rules hex notation", "A move is the place")):  # fmt: skip
        town.mail("ann@example.org", "play@games.example", line)
        letter = town.letter("ann")
        assert sentence in " ".join(text_of(letter).split()) and len(letter.as_bytes()) < 60_000
    town.mail("ann@example.org", "play@games.example", "rules hex end")
    assert any(part.get_content_type() == "image/png" for part in town.letter("ann").walk())


def test_a_move_that_cannot_be_played_is_answered_with_suggestions(town):
    town.join("ann", "bob")
    town.match("hex")
    assert town.answer(town.letter("ann"), "f12") == "done: refused"
    assert "is not a move here" in text_of(town.letter("ann"))
    assert town.answer(town.letter("ann"), "f6") == "done: played"
    assert town.answer(town.letter("bob"), "swap") == "done: played"
    assert town.moves(1) == ["f6", "swap"]


def test_talk_about_the_game_is_asked_about_before_it_is_passed_on(town):
    town.join("ann", "bob")
    town.match("hex")
    town.answer(town.letter("ann"), "if c3 then k11")
    assert town.moves(1) == [] and not any("k11" in text_of(letter) for letter in town.letters("bob"))


def test_a_whole_game_is_played_on_pages(world):
    for name in ("ann", "bob"):
        world.join(name)
    number = world.match("hex")
    for ply, move in enumerate(alternating(COLUMN, ROW)):
        page = world.client(("ann", "bob")[ply % 2])
        assert f'data-touch="{move}"' in page.get(f"/games/{number}").text
        assert page.post(f"/games/{number}/move", data={"move": move, "ply": str(ply)}).status_code == 303
    page = world.client("ann").get(f"/games/{number}").text
    assert "Black wins by a chain from side to side." in page
    picture = world.client().get(f"/games/{number}/21.svg")
    assert picture.mimetype == "image/svg+xml" and ElementTree.fromstring(picture.data) is not None
    record = record_file.verify(world.client().get(f"/games/{number}.record").text)
    assert record.game.key == "hex" and len(record.entries) == 21


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("path", ["/", "/rules", "/rules/hex", "/rules/hex.svg", "/rules/hex/won.svg", "/help", "/challenge",
                                  "/challenge?game=hex", "/seeks", "/seeks/new?game=hex", "/archive?game=hex",
                                  "/ratings", "/ratings/hex", "/partners"])  # fmt: skip
def test_every_page_knows_the_game_in_every_language(world, path, language):
    world.join("ann", language=language)
    answer = world.client("ann").get(path)
    assert answer.status_code == 200
    if answer.mimetype == "text/html" and path not in ("/seeks", "/partners"):
        assert "Hex" in answer.text


def test_the_sample_on_record_replays_and_names_its_end():
    from tests.recorded import recorded

    sample = recorded("hex-sample")
    assert sample.end().outcome.reason == sample.tags["Reason"]


def test_the_doctor_names_the_games_that_packages_bring(world):
    assert "Games of installed packages: hex." in [finding.sentence for finding in examine(world.runtime)]


def test_refusals_are_sentences_of_the_engine():
    with pytest.raises(MoveError, match="not your turn"):
        begun().read(1, "f6")


# -- what is left behind ------------------------------------------------------------------


@pytest.mark.skipif("HEX_LEFT_IN" not in os.environ, reason="leaves games for the test of taking the package away")
def test_games_are_left_for_when_the_package_is_gone():
    folder = Path(os.environ["HEX_LEFT_IN"])
    world = World(folder / "pages")
    for name in ("ann", "bob"):
        world.join(name)
    running, over = world.match("hex"), world.match("hex")
    world.play(running, "ann", "f6", comment="Hello")
    world.play(over, "ann", "b3")
    world.play(over, "bob", "swap")
    world.resign(over, "ann")
    world.close()
    town = mail_world(folder / "mail")
    town.join("ann", "bob")
    town.match("hex")
    town.play(1, "ann", "f6")
    seek(town, "ann", "hex")
    (folder / "token").write_text(reply_address(town.letter("bob")) + "\n" + str(town.letter("bob")["Message-ID"]))
    town.close()


# -- exercises ---------------------------------------------------------------------------


def test_exercises_are_found_in_a_game_that_brings_no_judge():
    position = begun(*alternating(COLUMN[:-1], [*ROW[:-1], "e11"]))
    assert position.to_act == (0,) and GAMES["hex"].judge is None
    found = find_exercise("hex", position, 0, "a1", 3, 50_000, random.Random(1))
    assert found == {"moves": 1, "wins": {"f11": {"line": [], "then": None}}}
