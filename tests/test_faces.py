"""Lists show a small picture of each board: what its viewer may see, remembered by browsers, never a query for each row."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import event

FACE = re.compile(r'<img class="face" src="([^"]+)"[^>]*width="\d+" height="\d+" loading="lazy">')


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    return world


def faces(page):
    return [address.replace("&amp;", "&") for address in FACE.findall(page)]


def finished(world, game="duel", white="ann", black="bob"):
    number = world.match(game, white, black)
    world.resign(number, white)
    return number


def statements(world, path, handle=""):
    sent = []
    client = world.client(handle)
    event.listen(world.runtime.engine, "before_cursor_execute", note := lambda *details: sent.append(details[2]))
    assert client.get(path).status_code == 200
    event.remove(world.runtime.engine, "before_cursor_execute", note)
    return len(sent)


def test_lists_of_games_show_the_board_of_each(club):
    running, over = club.match("plateau"), finished(club)
    assert faces(club.client("ann").get("/games").text) == [f"/games/{running}/0/small.svg"]
    assert faces(club.client("bob").get("/games").text) == [f"/games/{running}/0/small.svg?side=1"]
    for path in ("/archive", "/"):
        assert faces(club.client().get(path).text) == [f"/games/{over}/0/small.svg"]
    assert faces(club.client().get("/players/ann").text) == [
        f"/games/{running}/0/small.svg",
        f"/games/{over}/0/small.svg",
    ]


def test_a_small_picture_has_no_words_and_is_turned_to_its_viewer(club):
    number = club.match("duel")
    club.play(number, "ann", "5@b3")
    upright, turned = (club.client().get(f"/games/{number}/1/small.svg{side}").text for side in ("", "?side=1"))
    assert upright.startswith("<svg ") and upright != turned
    assert not re.search("<title|<desc|data-touch|label", upright + turned)


def test_a_small_picture_keeps_the_secrets_of_a_running_game(club):
    number = club.match("plateau")
    club.play(number, "ann", "+a4 xb,rb")
    own, other, onlooker = (
        club.client(handle).get(f"/games/{number}/1/small.svg").text for handle in ("ann", "bob", "")
    )  # fmt: skip
    assert own != other == onlooker
    club.resign(number, "bob")
    assert club.client().get(f"/games/{number}/1/small.svg").text == own


def test_browsers_keep_the_picture_of_a_finished_game_and_ask_again_for_a_running_one(club):
    running, over = club.match("duel"), finished(club)
    for handle in ("ann", ""):
        client = club.client(handle)
        assert "max-age" in client.get(f"/games/{over}/0/small.svg").headers["Cache-Control"]
        fresh = client.get(f"/games/{running}/0/small.svg")
        assert "max-age" not in fresh.headers["Cache-Control"]
        again = client.get(f"/games/{running}/0/small.svg", headers={"If-None-Match": fresh.headers["ETag"]})
        assert again.status_code == 304


def test_the_picture_of_a_deal_of_the_day_is_for_those_who_are_done(club):
    club.client("ann").post("/puzzles/today")
    assert club.client("bob").get("/games/1/1/small.svg").status_code == 404
    assert club.client("ann").get("/games/1/1/small.svg").status_code == 200
    assert "max-age" not in club.client("ann").get("/games/1/1/small.svg").headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/games/9/0/small.svg", "/games/1/7/small.svg"])
def test_there_is_no_picture_of_no_moment(club, path):
    club.match("duel")
    assert club.client().get(path).status_code == 404


@pytest.mark.parametrize(("path", "handle"), [("/archive", ""), ("/games", "ann"), ("/players/ann", ""), ("/", "")])
def test_a_longer_list_of_games_asks_the_database_no_more(club, path, handle):
    finished(club)
    club.match("duel")
    statements(club, path, handle)  # what a process looks up now and then it knows from here on
    finished(club)  # or the page would be sent as it was drawn
    few = statements(club, path, handle)
    for _more in range(4):
        finished(club)
        club.match("duel")
    assert statements(club, path, handle) == few
