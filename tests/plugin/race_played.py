"""Small plug-in games, one with faulty teaching and one that fails later; run by tests/test_sixth_game.py."""

from __future__ import annotations

import pytest

from correspondence.core import db
from correspondence.core.i18n import translations
from correspondence.core.move_text import in_games, looks_like_move, resembles_move
from correspondence.core.tokens import spell
from correspondence.matchmaking import invitations
from correspondence.ops.doctor import examine
from engines import BROUGHT, GAMES, LEFT_OUT
from tests.post import text_of
from tests.robots import thinking_robots
from tests.world import KEY


@pytest.fixture
def two(town):
    """Let two members join."""
    town.join("ann", "bob")
    return town


def test_all_games_are_found():
    assert {"race", "wreck", "late"} == BROUGHT < set(GAMES) and LEFT_OUT == ()


def test_patterns_of_a_game_hold_for_that_game_alone():
    assert not looks_like_move("stay put") and not looks_like_move("go 3")
    with in_games(["race"]):
        assert looks_like_move("Stay put!") and looks_like_move("12. go 3")
    with in_games(["duel"]):
        assert not looks_like_move("stay put")
    assert not resembles_move("stay put")


def test_words_of_another_game_are_passed_on_as_talk(two):
    two.match("duel")
    two.answer(two.letter("ann"), "5@a2\nStay put!")
    assert two.moves(1) == ["5@a2"] and "Stay put!" in text_of(two.letter("bob"))


def test_a_move_in_words_is_played_in_its_own_game(two):
    two.match("race")
    assert two.answer(two.letter("ann"), "Stay put.") == "done: played"
    assert "stay put" in two.moves(1)


def test_a_game_is_named_by_its_number_in_a_mail_to_no_game(two):
    two.match("race")
    two.mail("ann@example.org", "play@games.example", "games")
    two.answer(two.letter("ann"), "game 1: stay put")
    assert "stay put" in two.moves(1)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("path", ["/rules/wreck", "/rules", "/", "/help", "/rules/wreck.svg", "/rules/wreck/board.svg",
                                  "/rules/wreck/thrown/try", "/rules/race", "/rules/late", "/seeks",
                                  "/rules/race/film.svg"])  # fmt: skip
def test_pages_work_without_what_cannot_be_shown(world, path, language):
    world.join("ann", language=language)
    answer = world.client("ann").get(path)
    assert answer.status_code == 200
    if path == "/rules/wreck":
        assert "/rules/wreck/thrown.svg" in answer.text
        assert "never.svg" not in answer.text and "cropped.svg" not in answer.text
        assert f"[{'Partita' if language == 'it' else 'Game'} 12" in answer.text


@pytest.mark.parametrize("path", ["/rules/wreck/never.svg", "/rules/wreck/cropped.svg", "/rules/wreck/film.svg",
                                  "/rules/wreck/never/try"])  # fmt: skip
def test_what_cannot_be_shown_is_not_there(world, path):
    assert world.client().get(path).status_code == 404


def test_rules_by_mail_leave_out_what_cannot_be_shown(two):
    for line in ("rules wreck", "rules race"):
        two.mail("ann@example.org", "play@games.example", line)
        assert "stay put stays" in " ".join(text_of(two.letter("ann")).split())


def test_a_game_with_failing_lessons_is_taught_without_them(two):
    with thinking_robots(two) as robots:
        two.agree("ann", "learn wreck")
        robots.sweep()
        two.deliver()
        letter = " ".join(text_of(two.letter("ann")).split())
        assert "Your move is due by" in letter and "This is told." in letter
        assert two.client("ann").get("/games/1").status_code == 200


@pytest.mark.parametrize("game, has_film", [("race", True), ("wreck", False)])
def test_an_invitation_offers_the_film_of_a_sample_that_can_be_played(two, game, has_film):
    with db.transaction(two.engine) as session:
        number = invitations.invite(session, two.person(session, "ann"), "", game, {}, now=two.time).id
    answer = two.client().get(f"/i/{spell(KEY, number)}")
    assert answer.status_code == 200 and ("film.svg" in answer.text) == has_film


def test_a_translation_with_other_placeholders_stays_english():
    italian = translations("it")
    assert italian.gettext("A race.") == "Una corsa."
    for sentence in ("{side} goes on", "%(side)s goes on", "{side} stays"):
        assert italian.gettext(sentence) == sentence


def test_the_doctor_names_each_part_that_is_left_out(world):
    sentences = " ".join(finding.sentence for finding in examine(world.runtime))
    for part in ("“never” of wreck", "“cropped” of wreck", "letter on the rules page of wreck", "sample of wreck",
                 "A lesson of wreck is left out: it failed with ZeroDivisionError"):  # fmt: skip
        assert part in sentences
    assert "of race is left out" not in sentences and "“thrown” of" not in sentences
