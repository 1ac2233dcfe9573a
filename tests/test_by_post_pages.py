"""The pages of play by post: settings, helpers, entering a card, and who sees what."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from correspondence.accounts import accounts, postal_members
from correspondence.core import db
from correspondence.models import Match, PostalEntry
from correspondence.models.loading import players_of
from correspondence.ops.postal_cli import postal_command
from correspondence.play import card_entries
from tests.world import KEY

ADDRESS = {"name": "Pete Miller", "address": "12 Mill Lane\nWells BA5 2PN", "plays_by_post": "on", "is_listed": "on"}


@pytest.fixture
def club(world):
    world.join("ann", "bob", "hilda")
    world.join("pete", vacation_hours_left=720)
    assert world.client("pete").post("/settings/post", data=ADDRESS).status_code == 303
    assert world.client("pete").post("/settings/post/helper", data={"handle": "hilda"}).status_code == 303
    assert world.client("hilda").post("/settings/post/help/pete").status_code == 303
    return world


@pytest.fixture
def game(club):
    return club, club.match("proteus-dice", "pete", "ann")


def word(world, number):
    with db.reading(world.runtime.engine) as session:
        match, player = session.get(Match, number), players_of(session, number)[0]
        return card_entries.word_of(session, match, player, KEY)


def card(world, number, **more):
    return {"move": "c3/f2=B", "word": word(world, number), "ply": "0", "takebacks": "0", **more}


def test_an_opponent_enters_a_card_and_the_history_says_who_did(game):
    club, number = game
    page = club.client("ann").get(f"/games/{number}").text
    assert "Enter the card of pete" in page and "12 Mill Lane" in page
    assert club.client("ann").post(f"/games/{number}/card", data=card(club, number)).status_code == 303
    for handle in ("", "bob"):
        assert "Entered from a card by ann." in club.client(handle).get(f"/games/{number}/1").text


def test_the_check_word_is_shown_to_player_and_helper_and_to_nobody_else(game):
    club, number = game
    right = word(club, number)
    for handle in ("pete", "hilda"):
        assert right in club.client(handle).get(f"/games/{number}/card").text
    for handle in ("ann", "bob"):
        page = club.client(handle).get(f"/games/{number}/card").text
        assert right not in page
    assert club.client().get(f"/games/{number}/card").location == "/sign-in"
    assert "no-store" in club.client("hilda").get(f"/games/{number}/card").headers["Cache-Control"]


def test_a_postal_address_is_shown_to_opponents_and_the_helper_alone(game):
    club, number = game
    for handle, is_shown in (("ann", True), ("bob", False), ("", False), ("hilda", False)):
        assert ("12 Mill Lane" in club.client(handle).get(f"/games/{number}").text) is is_shown
    assert "12 Mill Lane" in club.client("hilda").get("/settings/post").text
    for path in ("/partners", "/players/pete", f"/games/{number}.record", "/settings/post"):
        assert "Mill Lane" not in club.client("bob").get(path).text
    club.resign(number, "ann")
    assert "12 Mill Lane" not in club.client("ann").get(f"/games/{number}").text


def test_a_wrong_word_is_refused_counted_and_what_was_typed_is_kept(game):
    club, number = game
    wrong = "BBBB" if word(club, number) != "BBBB" else "CCCC"
    refused = club.client("ann").post(f"/games/{number}/card", data=card(club, number, word=wrong))
    assert refused.status_code == 422 and "is on no card of this game" in refused.text
    assert 'value="c3/f2=B"' in refused.text and "7 wrong words can still be entered" in refused.text
    with db.reading(club.runtime.engine) as session:
        assert [row.is_refused for row in session.exec(select(PostalEntry))] == [True]


@pytest.mark.parametrize("form", [{}, {"word": ""}, {"move": ""}, {"ply": "x"}, {"takebacks": "-1"}, {"move": "\x00" * 9},
                                  {"word": "Ω" * 30}], ids=str)  # fmt: skip
def test_a_form_that_lacks_something_gets_a_sentence(game, form):
    club, number = game
    data = card(club, number, **form) if form else {}
    answer = club.client("ann").post(f"/games/{number}/card", data=data)
    assert answer.status_code == 422 and 'class="refusal"' in answer.text


def test_strangers_and_onlookers_enter_nothing(game):
    club, number = game
    data = card(club, number)
    assert club.client().post(f"/games/{number}/card", data=data).status_code == 403
    refused = club.client("bob").post(f"/games/{number}/card", data=data)
    assert refused.status_code == 422 and "There&#39;s no card for you to enter here" in refused.text
    assert club.client("bob").post("/games/99/card", data=data).status_code == 404
    assert club.client("bob").get("/games/99/card").status_code == 404


def test_a_hidden_game_shows_an_opponent_no_more_by_way_of_the_card(club):
    number = club.match("plateau", "pete", "ann")
    page = club.client("ann").get(f"/games/{number}/card").text
    assert (
        "Something is hidden in this game" in page and "<form" not in page.partition("<main")[2].partition("</main")[0]
    )
    assert "Something is hidden" in club.client("ann").get(f"/games/{number}").text
    assert word(club, number) in club.client("hilda").get(f"/games/{number}/card").text


def test_the_player_contests_and_the_operator_and_the_history_know(game):
    club, number = game
    club.client("ann").post(f"/games/{number}/card", data=card(club, number))
    assert "What did the card say?" in club.client("pete").get(f"/games/{number}/card").text
    assert "What did the card say?" not in club.client("ann").get(f"/games/{number}/card").text
    path = f"/games/{number}/card/1/contest"
    assert club.client("ann").post(path, data={"words": "no"}).status_code == 422
    assert club.client("pete").post(path, data={"words": ""}).status_code == 422
    assert club.client("pete").post(path, data={"words": "It said d3."}).status_code == 303
    assert "Contested." in club.client().get(f"/games/{number}/1").text
    assert "It said d3." not in club.client("ann").get(f"/games/{number}/card").text


def test_settings_are_kept_refused_and_deleted_on_the_page(club):
    pete = club.client("pete")
    page = pete.get("/settings/post").text
    assert "Wells BA5 2PN" in page and "hilda helps you." in page
    refused = pete.post("/settings/post", data={**ADDRESS, "name": "P" * 60})
    assert refused.status_code == 422
    assert "P" * 60 in refused.text
    assert "A card has room" in refused.text
    assert pete.post("/settings/post/helper", data={"handle": "nobody"}).status_code == 422
    assert pete.post("/settings/post/helper", data={"dismiss": "1"}).status_code == 303
    assert "hilda helps you." not in pete.get("/settings/post").text
    assert pete.post("/settings/post/forget").status_code == 303
    assert "Wells" not in pete.get("/settings/post").text


def test_a_helper_finds_cards_and_challenges_of_whom_they_help(game):
    club, number = game
    club.client("bob").post("/challenge", data={"game": "duel", "handle": "pete", "pace": "post", "post-days": "30"})
    page = club.client("hilda").get("/settings/post").text
    assert f"/games/{number}/card" in page and "bob challenges pete to Duel" in page
    path = re.search(r"/settings/post/help/pete/challenges/\d+", page)[0]
    assert club.client("ann").post(path).status_code == 422
    assert club.client("hilda").post(path).status_code == 303
    assert club.client("pete").get("/games/2").status_code == 200
    form = {"opponent": "bob", "game": "proteus-tiles"}
    assert club.client("hilda").post("/settings/post/help/pete/challenge", data=form).status_code == 303
    assert "pete challenges you" in club.client("bob").get("/games").text
    away = "/settings/post/help/pete/away"
    assert club.client("hilda").post(away, data={"days": "many"}).status_code == 422
    answer = club.client("hilda").post(away, data={"days": "5"}, follow_redirects=True).text
    assert "pete is away until 27 Nov 2026." in answer
    assert club.client("hilda").post(away, data={"back": "1"}).status_code == 303
    assert club.client("ann").post(away, data={"days": "5"}).status_code == 422
    assert club.client("hilda").post("/settings/post/help/pete", data={"stop": "1"}).status_code == 303
    assert word(club, number) not in club.client("hilda").get(f"/games/{number}/card").text


def test_the_directory_lists_who_plays_by_post_and_wishes_it_and_tells_no_address(club):
    def listed(query=""):
        return club.client("bob").get(f"/partners{query}").text

    assert "plays by post" in listed() and "Mill Lane" not in listed()
    assert "/players/pete" in listed("?post=yes") and "/players/ann" not in listed("?post=yes")
    club.client("pete").post("/settings/post", data={**ADDRESS, "is_listed": ""})
    assert "plays by post" not in listed()
    assert "/players/pete" in listed()
    assert "/players/pete" not in listed("?post=yes")


@pytest.mark.parametrize("is_listed", [True, False])
def test_who_has_no_mail_address_is_listed_only_as_a_player_by_post(club, is_listed):
    details = postal_members.PostalDetails("Olga", "Somewhere", plays_by_post=True, is_listed=is_listed)
    with db.transaction(club.runtime.engine) as session:
        postal_members.register(session, "olga", details, language="it", zone="UTC", helper="hilda", now=club.clock())
    page = club.client("bob").get("/partners").text
    assert ("/players/olga" in page) is is_listed and "/players/olga/write" not in page


# -- the operator's commands ---------------------------------------------------------


def flask(world, *words):
    return world.app.test_cli_runner().invoke(postal_command, words)


def test_the_operator_makes_a_member_without_a_mail_address_and_erases_them(club):
    add = ("add", "olga", "--name", "Olga Rossi", "--address", "Via Roma 1, 00100 Roma", "--language", "it")
    done = flask(club, *add, "--helper", "hilda")
    assert done.exit_code == 0 and "olga is a member by post. hilda has been asked to help." in done.output
    club.client("hilda").post("/settings/post/help/olga")
    assert "Via Roma 1\n00100 Roma" in club.client("hilda").get("/settings/post").text
    assert "hilda" not in flask(club, "helper", "olga", "bob").output
    assert flask(club, "remove", "olga").exit_code == 0
    assert club.client("bob").get("/players/olga").status_code == 404


@pytest.mark.parametrize(("words", "sentence"), [
    (("add", "ann", "--name", "A", "--address", "B", "--helper", "bob"), "is taken"),
    (("add", "olga", "--name", "A", "--address", "B", "--helper", "nobody"), "Nobody here is called “nobody”"),
    (("add", "olga", "--name", "A", "--address", "B", "--helper", "bob", "--language", "xx"), "“xx” is not available"),
    (("add", "olga", "--name", "A", "--address", "B", "--helper", "bob", "--zone", "x"), "There is no time zone “x”"),
    (("add", "olga"), "Missing option"), (("helper", "nobody", "bob"), "Nobody here"), (("remove", "ann"), "has a mail"),
    (("contest", "pete", "1", "1", "no"), "No move 1 was entered"), (("contest", "nobody", "1", "1", "x"), "Nobody here"),
], ids=str)  # fmt: skip
def test_a_wrong_command_ends_with_a_sentence_and_status_2(club, words, sentence):
    done = flask(club, *words)
    assert done.exit_code == 2
    assert sentence in done.output
    assert "Traceback" not in done.output
    with db.reading(club.runtime.engine) as session:
        assert accounts.person_by_handle(session, "olga") is None


def test_the_operator_notes_a_contest_that_came_on_paper(game):
    club, number = game
    club.client("ann").post(f"/games/{number}/card", data=card(club, number))
    assert flask(club, "contest", "pete", str(number), "1", "It said d3.").exit_code == 0
    listed = flask(club, "contests").output
    assert f"game {number}, move 1  entered by ann for pete" in listed and "It said d3." in listed
