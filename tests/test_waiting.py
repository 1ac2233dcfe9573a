"""What open pages ask for again and again: how many games wait, and whether the list of games has changed."""

from __future__ import annotations

import pytest

from correspondence.web import throttle
from tests.test_faces import statements


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    return world


def response_to(world, handle, pulse="", **headers):
    return world.client(handle).get("/games/waiting.json", headers={"If-None-Match": f'"{pulse}"', **headers})


def test_the_number_of_games_that_wait_is_told_in_words_too(club):
    club.match("duel")
    club.match("plateau")
    assert response_to(club, "ann").json["waiting"] == 2
    assert response_to(club, "ann").json["words"] == "2 games wait for your move"
    assert response_to(club, "bob").json["waiting"] == 0


def test_nothing_is_sent_while_nothing_changes(club):
    number = club.match("duel")
    pulse = response_to(club, "bob").json["pulse"]
    assert response_to(club, "bob", pulse).status_code == 304
    club.play(number, "ann", "5@b3")
    assert response_to(club, "bob", pulse).json["waiting"] == 1


@pytest.mark.parametrize("act", ["challenge", "accept", "resign"])
def test_all_that_changes_the_list_of_games_is_noticed(club, act):
    number = club.match("duel")
    if act == "accept":
        club.client("ann").post("/challenge", data={"game": "duel", "handle": "bob"})
    pulse = response_to(club, "bob").json["pulse"]
    if act == "challenge":
        club.client("ann").post("/challenge", data={"game": "duel", "handle": "bob"})
    elif act == "accept":
        assert club.client("bob").post(f"/challenges/{club.offer(2)}/accept").status_code == 303
    else:
        club.resign(number, "ann")
    assert response_to(club, "bob", pulse).status_code == 200


def test_what_others_do_elsewhere_is_not_told(club):
    club.match("duel", "bob", "cleo")
    pulse = response_to(club, "ann").json["pulse"]
    club.play(1, "bob", "5@b3")
    assert response_to(club, "ann", pulse).status_code == 304


def test_who_is_not_signed_in_asks_no_more(club):
    assert response_to(club, "").status_code == 404
    assert "badge.js" not in club.client().get("/").text


def test_the_icon_has_a_dot_while_a_game_waits(club):
    number = club.match("duel")
    assert 'rel="icon" href="/static/mark-dot.svg' in club.client("ann").get("/help").text
    club.play(number, "ann", "5@b3")
    assert 'rel="icon" href="/static/mark.svg' in club.client("ann").get("/help").text


def test_asking_is_cheap_and_limited(club):
    club.match("duel")
    few = statements(club, "/games/waiting.json", "ann")
    for _game in range(4):
        club.match("plateau")
    assert statements(club, "/games/waiting.json", "ann") == few <= 5
    assert throttle.WATCH.burst >= 60
